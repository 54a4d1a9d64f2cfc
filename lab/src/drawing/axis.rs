//! Axes: where they begin and end, their ticks, and how those are written.

/// An axis by what it measures; where it begins and ends follows from what is drawn.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// Whether it is logarithmic.
    pub log: bool,
    /// Ticks with names of their own, if it has no numbers.
    pub names: Vec<(f64, String)>,
    /// What it covers besides what is drawn, so that charts beside each other have the same.
    pub covers: Vec<f64>,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: false, names: Vec::new(), covers: Vec::new() }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        Self { log: true, ..Self::linear(label) }
    }

    /// The places 0, 1, 2, … by their names.
    pub fn named<const K: usize>(label: &str, names: [&str; K]) -> Self {
        let names = (0_u32..).map(f64::from).zip(names.map(String::from)).collect();
        Self { names, ..Self::linear(label) }
    }

    /// The same, but it covers these values, too.
    #[must_use]
    pub fn covering(self, values: impl IntoIterator<Item = f64>) -> Self {
        Self { covers: values.into_iter().collect(), ..self }
    }

    /// The range of a horizontal axis.
    pub(super) fn across(&self, values: impl Iterator<Item = f64>) -> Range {
        let values = values.chain(self.covers.iter().copied());
        if self.log { Range::log(values) } else { Range::tight(values) }
    }

    /// The range of a vertical axis.
    pub(super) fn up(&self, values: impl Iterator<Item = f64>) -> Range {
        let values = values.chain(self.covers.iter().copied());
        if self.log { Range::log(values) } else { Range::linear(values) }
    }
}

/// A range with its ticks.
#[derive(Clone, Debug)]
pub(super) struct Range {
    low: f64,
    high: f64,
    ticks: Vec<f64>,
    is_log: bool,
}

/// At most about this many ticks.
const TICKS: f64 = 7.0;
/// Logarithmic axes begin no lower: everything below is rounding.
const LOWEST: f64 = 1e-17;

impl Range {
    /// A linear axis that covers these values.
    fn linear(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = ends(values);
        let step = nice((high - low) / TICKS);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let ticks = (0..=(last - first) as u32).map(|i| (first + f64::from(i)) * step).collect();
        Self { low: first * step, high: last * step, ticks, is_log: false }
    }

    /// A linear axis with ticks that begins and ends with its values.
    fn tight(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = ends(values);
        let mut range = Self::linear([low, high].into_iter());
        range.ticks.retain(|tick| (low..=high).contains(tick));
        Self { low, high, ..range }
    }

    /// A logarithmic axis that covers these values, as far as they are positive. It begins and ends at 1, 2 or 5 times a
    /// power of ten; with less than two decades these are ticks, too.
    fn log(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = ends(values.filter(|value| *value > 0.0).map(|value| value.max(LOWEST).log10()));
        let all: Vec<f64> = (low.floor() as i32..=high.ceil() as i32)
            .flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(decade)))
            .collect();
        let from = all.iter().rposition(|tick| tick.log10() <= low + 1e-9).unwrap_or(0);
        let to = all.iter().position(|tick| tick.log10() >= high - 1e-9).unwrap_or(all.len() - 1);
        let mut ticks = all[from..=to.max(from + 1)].to_vec();
        let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
        if high - low >= 2.0 {
            let step = (((high - low) / TICKS).ceil() as i32).max(1);
            let is_power = |decade: f64| (decade - decade.round()).abs() < 1e-6;
            ticks.retain(|tick| is_power(tick.log10()) && tick.log10().round() as i32 % step == 0);
        }
        Self { low: first, high: last, ticks, is_log: true }
    }

    /// Its ticks with their labels.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        self.ticks.iter().map(|tick| (*tick, self.label(*tick))).collect()
    }

    /// The place of a value between two places, clamped to the range.
    pub(super) fn place(&self, value: f64, (from, to): (f64, f64)) -> f64 {
        let Self { low, high, .. } = *self;
        let value = value.clamp(low, high);
        let share = if self.is_log { (value / low).ln() / (high / low).ln() } else { (value - low) / (high - low) };
        from + share * (to - from)
    }

    /// A tick in words: powers of ten where a decimal would be long.
    fn label(&self, tick: f64) -> String {
        let decade = tick.log10().round();
        if self.is_log && (tick / 10_f64.powf(decade) - 1.0).abs() < 1e-6 && !(-2.0..=3.0).contains(&decade) {
            return format!("10{}", superscript(decade as i32));
        }
        let smallest = match (self.is_log, self.ticks.as_slice()) {
            (false, [one, other, ..]) => other - one,
            _ => tick,
        };
        let digits = (-(smallest.abs().log10() + 1e-9).floor()).max(0.0);
        let text = format!("{tick:.*}", digits.min(9.0) as usize);
        if tick == 0.0 { "0".into() } else { text.replace('-', "−") }
    }
}

/// The least and the most, a little apart if they are equal.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        (0.0, 1.0)
    } else if high - low < 1e-12 {
        (low - 0.5, high + 0.5)
    } else {
        (low, high)
    }
}

/// The next of 1, 2, 5 times a power of ten.
fn nice(step: f64) -> f64 {
    let unit = 10_f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|digit| digit * unit)
        .into_iter()
        .find(|nice| *nice >= step * (1.0 - 1e-9))
        .unwrap_or(step)
}

fn superscript(number: i32) -> String {
    let raised = |character: char| match character.to_digit(10) {
        Some(digit) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize],
        None => '⁻',
    };
    number.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(range: &Range) -> Vec<String> {
        range.ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn axes_begin_and_end_at_round_numbers() {
        assert_eq!(labels(&Range::linear([3.0, 97.0].into_iter())), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(&Range::linear([0.0, 0.9].into_iter())).last().unwrap(), "1.0");
        assert_eq!(labels(&Range::tight([1.0, 45.0].into_iter())), ["10", "20", "30", "40"]);
        assert_eq!(labels(&Range::tight([1.0, 3.0].into_iter())), ["1.0", "1.5", "2.0", "2.5", "3.0"]);
    }

    #[test]
    fn logarithmic_axes_have_decades_or_ones_twos_and_fives() {
        let range = Range::log([3e-7, 0.5].into_iter());
        assert!((range.low / 2e-7 - 1.0).abs() < 1e-9 && (range.high / 0.5 - 1.0).abs() < 1e-9);
        assert_eq!(labels(&Range::log([3e-7, 0.0, 0.5].into_iter())), ["10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "0.01", "0.1"]);
        assert_eq!(labels(&Range::log([0.03, 0.8].into_iter())), ["0.02", "0.05", "0.1", "0.2", "0.5", "1"]);
        assert_eq!(labels(&Range::log([1.0, 100_000.0].into_iter())).last().unwrap(), "10⁵");
        assert_eq!(superscript(-1_456_789), "⁻¹⁴⁵⁶⁷⁸⁹");
        // Nothing to show is no reason to fail.
        assert!(!Range::log(std::iter::empty()).ticks.is_empty());
    }

    #[test]
    fn values_have_their_places() {
        let range = Range::linear([10.0, 20.0].into_iter());
        let places = [10.0, 15.0, 99.0].map(|value| range.place(value, (100.0, 0.0)));
        assert_eq!(places, [100.0, 50.0, 0.0]);
        let range = Range::log([1.0, 10_000.0].into_iter());
        assert!((range.place(100.0, (0.0, 100.0)) - 50.0).abs() < 1e-9 && range.place(0.0, (0.0, 100.0)) == 0.0);
    }
}
