//! Shows a run in progress: redrawn in place on a terminal, otherwise one line per evening.

use std::io::{self, IsTerminal, Stdout, Write, stdout};
use std::time::{Duration, Instant};

use osculate_apps::choice::Rule;
use osculate_apps::room::SET_POINT;
use osculate_apps::room::agent::STEPS;
use osculate_lab::room::power_cut::PowerCut;
use osculate_lab::room::run_log::{Baseline, Evening, LAST, cost};
use osculate_lab::room::test_bed::Moment;

use super::power_cut::sentence;

/// The time between two frames: faster is not visible, and drawing must not slow the run down.
const PAUSE: Duration = Duration::from_millis(100);
/// Columns of a bar or a curve.
const WIDTH: usize = 60;

/// Everything known before the first evening.
#[derive(Clone, Debug)]
pub(super) struct Header<'r> {
    /// Seed, arithmetic, rule and place.
    pub(super) title: String,
    pub(super) rule: Rule,
    pub(super) evenings: u32,
    /// Thermostat, one step ahead, PI and planning, in this order.
    pub(super) baselines: &'r [Baseline; 4],
}

/// A run as far as it is known. On a terminal, its lines overwrite those of the frame before; nothing else of the
/// terminal is changed, so that the run may end at any time.
pub(super) struct View<'r, W = Stdout> {
    out: W,
    in_place: bool,
    header: Header<'r>,
    /// The current evening, from 1; 0 before the first.
    evening: u32,
    /// Its steps so far.
    trail: Vec<Moment>,
    /// The costs of the evenings before it.
    costs: Vec<f64>,
    update: String,
    power_cut: Option<PowerCut>,
    drawn: Option<(Instant, usize)>,
}

impl<'r> View<'r> {
    pub(super) fn start(header: Header<'r>) -> Self {
        let in_place = stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        View::new(stdout(), in_place, header)
    }
}

impl<'r, W: Write> View<'r, W> {
    fn new(out: W, in_place: bool, header: Header<'r>) -> Self {
        let update = "nothing learned yet".to_owned();
        let (trail, costs, power_cut) = (Vec::new(), Vec::new(), None);
        Self { out, in_place, header, evening: 0, trail, costs, update, power_cut, drawn: None }
    }

    /// Shows a step of an evening, counted from 1.
    pub(super) fn step(&mut self, evening: u32, moment: &Moment) -> io::Result<()> {
        if self.evening != evening {
            self.evening = evening;
            self.trail.clear();
        }
        self.trail.push(*moment);
        let is_time = self.drawn.is_none_or(|(drawn, _)| drawn.elapsed() >= PAUSE);
        if is_time { self.draw() } else { Ok(()) }
    }

    /// Shows the end of an evening, counted from 1.
    pub(super) fn evening(&mut self, evening: u32, told: &Evening) -> io::Result<()> {
        self.costs.push(cost(&told.trail));
        let step = if self.header.rule.is_episodic() { "theta" } else { "gain" };
        let Evening { theta, explored, fallbacks, trail, .. } = told;
        if told.is_reported() {
            self.update = format!("{step} {theta:>7.3}  explored {explored:>2}  fallback {fallbacks:>2}");
        }
        if self.in_place {
            return self.draw();
        }
        let theirs = cost(&self.header.baselines[0].trails[evening as usize - 1]);
        let against = (cost(trail) / theirs - 1.0) * 100.0;
        let report = if told.is_reported() { &self.update } else { "power cut" };
        let name = self.header.baselines[0].name;
        let (steps, cost) = (trail.len(), cost(trail));
        writeln!(
            self.out,
            "evening {evening:>3}  {steps:>3} steps  cost {cost:.3}  {against:>+5.0} % against the {name}  {report}"
        )?;
        self.out.flush()
    }

    /// Shows that power has failed, and then what the device says when it is back.
    pub(super) fn power_cut(&mut self, cut: PowerCut) -> io::Result<()> {
        self.power_cut = Some(cut);
        match (self.in_place, cut.start) {
            (true, _) => self.draw(),
            (false, Some(_)) => writeln!(self.out, "{}", sentence(&cut)),
            (false, None) => Ok(()),
        }
    }

    /// Overwrites the frame before, in one piece. Lines that are too long for the terminal are cut.
    fn draw(&mut self) -> io::Result<()> {
        if !self.in_place {
            return Ok(());
        }
        let lines = self.lines();
        let up = self.drawn.map_or(String::new(), |(_, height)| format!("\x1b[{height}A"));
        let frame: String = lines.iter().map(|line| format!("{line}\x1b[K\n")).collect();
        self.out.write_all(format!("{up}\x1b[?7l{frame}\x1b[?7h").as_bytes())?;
        self.drawn = Some((Instant::now(), lines.len()));
        self.out.flush()
    }

    fn lines(&self) -> Vec<String> {
        let Header { title, evenings, .. } = &self.header;
        let done = (self.evening as usize).saturating_sub(1) as f64 + self.trail.len() as f64 / STEPS as f64;
        let done = (done / f64::from(*evenings) * WIDTH as f64).min(WIDTH as f64) as usize;
        let now = |value: fn(&Moment) -> f64| self.trail.last().map_or("-".into(), |now| degrees(value(now)));
        let heater = self.trail.last().map_or(0.0, |now| now.power * 100.0);
        let costs: Vec<f64> = self.costs[self.costs.len().saturating_sub(WIDTH)..].to_vec();
        let room: Vec<f64> =
            (0..WIDTH).filter_map(|column| self.trail.get(column * STEPS / WIDTH)).map(|now| now.room).collect();
        let aim = f64::from(SET_POINT);
        let thermostat = mean(&self.header.baselines[0].trails.iter().map(|trail| cost(trail)).collect::<Vec<_>>());
        let mut lines = vec![
            format!("A room that learns its heating: {title}"),
            format!("{}{}  evening {} of {evenings}", "█".repeat(done), "░".repeat(WIDTH - done), self.evening),
            String::new(),
            format!(
                "room {} (aim {})   floor {}   outside {}   heater {heater:.0} %",
                now(|now| now.room),
                degrees(aim),
                now(|now| now.floor),
                now(|now| now.outside)
            ),
            format!("{:<WIDTH$}  tonight, {:.0}° to {:.0}°", curve(&room, aim - 2.0, aim + 2.0), aim - 2.0, aim + 2.0),
            format!("{:<WIDTH$}  cost per step of each evening", curve(&costs, 0.0, thermostat.unwrap_or(0.0) * 1.8)),
            String::new(),
        ];
        lines.extend(self.table());
        lines.push(format!("last update: {}", self.update));
        lines.extend(self.power_cut.as_ref().map(sentence));
        lines
    }

    /// The costs of all controllers.
    fn table(&self) -> Vec<String> {
        let number = |cost: Option<f64>| cost.map_or("-".into(), |cost| format!("{cost:.2}"));
        let row = |name: &str, now: Option<f64>, past: Option<f64>, against: &str| {
            format!("{name:<18}{:>14}{:>14}{against:>20}", number(now), number(past))
        };
        let tonight = |trail: &[Moment]| mean(&trail.iter().map(Moment::cost).collect::<Vec<_>>());
        let last = self.costs.len().saturating_sub(LAST)..self.costs.len();
        let own = mean(&self.costs[last.clone()]);
        let heading = format!("last {}", last.len().max(1));
        let mut lines =
            vec![format!("{:<18}{:>14}{heading:>14}{:>20}", "cost per step", "tonight so far", "learned against it")];
        lines.push(row("learned", tonight(&self.trail), own, ""));
        for Baseline { name, trails } in self.header.baselines {
            let trail = (self.evening as usize).checked_sub(1).map_or(&[][..], |evening| &trails[evening]);
            let past = mean(&trails[last.clone()].iter().map(|trail| cost(trail)).collect::<Vec<_>>());
            let against = own.zip(past).map(|(own, past)| format!("{:+.0} %", (own / past - 1.0) * 100.0));
            let now = tonight(&trail[..self.trail.len().min(trail.len())]);
            lines.push(row(name, now, past, &against.unwrap_or_default()));
        }
        lines
    }
}

/// A column for each value.
fn curve(values: &[f64], low: f64, high: f64) -> String {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    values.iter().map(|value| HEIGHTS[((value - low) / (high - low) * 8.0).clamp(0.0, 7.0) as usize]).collect()
}

/// To one decimal, and never as -0.0.
fn degrees(celsius: f64) -> String {
    format!("{:.1}°", (celsius * 10.0).round() / 10.0 + 0.0)
}

/// `None` if there are no costs.
fn mean(costs: &[f64]) -> Option<f64> {
    (!costs.is_empty()).then(|| costs.iter().sum::<f64>() / costs.len() as f64)
}

#[cfg(test)]
mod tests {
    use osculate_apps::room::telemetry::Start;
    use osculate_apps::store::Origin;
    use osculate_lab::room::run_log::RunLog;

    use super::*;
    use crate::demo::picture::sample;

    /// Shows a run in which power fails in the last evening.
    fn shown(run: &RunLog, in_place: bool) -> String {
        let title = "seed 7, f32, rule tracking, mps2-an386 in QEMU".to_owned();
        let header = Header { title, rule: run.rule, evenings: run.evenings.len() as u32, baselines: &run.baselines };
        let mut view = View::new(Vec::new(), in_place, header);
        for (evening, told) in (1..).zip(&run.evenings) {
            for moment in &told.trail {
                view.step(evening, moment).unwrap();
            }
            view.evening(evening, told).unwrap();
        }
        let start = Start { origin: Origin::Checkpoint(2), evenings: 2 };
        view.power_cut(PowerCut { evening: 3, steps: 40, start: Some(start) }).unwrap();
        String::from_utf8(view.out).unwrap()
    }

    #[test]
    fn a_terminal_shows_the_last_frame_over_the_others() {
        let text = shown(&sample::run_log(7, 3), true);
        let (before, frame) = text.rsplit_once("\x1b[?7l").unwrap();
        let height = before.rsplit_once("\x1b[?7h\x1b[").unwrap().1;
        assert_eq!(height, "14A", "that of the frame before the power cut");
        assert_eq!(frame.lines().filter(|line| line.ends_with("\x1b[K")).count(), 15);
        for word in ["seed 7", "evening 3 of 3", "thermostat", "PI ", "planning", "heater", "gain", "2 evenings kept"] {
            assert!(frame.contains(word), "{word} is missing:\n{frame}");
        }
        assert!(frame.ends_with("\x1b[?7h"), "long lines are wrapped again");
    }

    #[test]
    fn without_a_terminal_each_evening_is_one_line() {
        let text = shown(&sample::run_log(7, 3), false);
        assert_eq!(text.lines().filter(|line| line.contains("% against the thermostat  gain ")).count(), 3, "{text}");
        assert_eq!(
            text.lines().last(),
            Some("power cut in evening 3 after 40 steps; checkpoint 2 restored, 2 evenings kept")
        );
        assert!(text.is_ascii() && !text.contains('\x1b'), "{text}");
    }

    #[test]
    fn curves_stay_within_their_height_and_zero_has_no_sign() {
        assert_eq!(curve(&[-9.0, 0.0, 0.5, 1.0, 9.0], 0.0, 1.0), "▁▁▅██");
        assert_eq!([-0.04, -0.06, 20.96].map(degrees), ["0.0°", "-0.1°", "21.0°"]);
    }
}
