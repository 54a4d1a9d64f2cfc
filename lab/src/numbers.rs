//! Numbers for people.

/// Three significant digits, without an exponent where that is short.
///
/// ```
/// use osculate_lab::numbers::short;
/// assert_eq!([54.5, 1382.5, 0.0025351, 3.6e-16].map(short), ["54.5", "1382", "0.00254", "3.6e-16"]);
/// ```
pub fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let decade = value.abs().log10().floor();
    if !(-4.0..6.0).contains(&decade) {
        return format!("{value:.1e}").replace(".0e", "e");
    }
    let text = format!("{value:.*}", (2.0 - decade).max(0.0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// The middle one, or the mean of the two middle ones; NaN of nothing.
pub fn median(numbers: impl Into<Vec<f64>>) -> f64 {
    let mut numbers = numbers.into();
    numbers.sort_by(f64::total_cmp);
    match (numbers.len(), numbers.len() / 2) {
        (0, _) => f64::NAN,
        (odd, middle) if odd % 2 == 1 => numbers[middle],
        (_, middle) => f64::midpoint(numbers[middle - 1], numbers[middle]),
    }
}

/// The arithmetic mean.
pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The least of them.
pub fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The most of them.
pub fn most(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The first and the third quartile, each one of the numbers.
pub fn quartiles(mut numbers: Vec<f64>) -> (f64, f64) {
    numbers.sort_by(f64::total_cmp);
    let at = |quarters: usize| numbers[quarters * (numbers.len() - 1) / 4];
    (at(1), at(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_quartiles() {
        assert_eq!((median([3.0, 1.0, 2.0]), median([4.0, 1.0, 2.0, 3.0])), (2.0, 2.5));
        assert!(median([]).is_nan());
        assert_eq!(quartiles(vec![5.0, 1.0, 2.0, 4.0, 3.0]), (2.0, 4.0));
    }

    #[test]
    fn numbers_have_three_digits() {
        let written = [1e-10, 54.5, 1.13541, 70.0, 0.0, 1.25, -3.0, 1e3, 69_800.0].map(short);
        assert_eq!(written, ["1e-10", "54.5", "1.14", "70", "0", "1.25", "-3", "1000", "69800"]);
    }
}
