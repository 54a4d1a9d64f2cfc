//! Shows a run in progress: a line for each evening, and on a terminal below them one for the evening that it is now.

use std::io::{IsTerminal, stdout};
use std::time::{Duration, Instant};

use osculate_apps::choice::Rule;
use osculate_apps::room::SET_POINT;
use osculate_apps::room::agent::STEPS;
use osculate_apps::room::telemetry::Start;
use osculate_apps::store::Origin;
use osculate_lab::room::power_cut::PowerCut;
use osculate_lab::room::run_log::{Baseline, Evening, cost};
use osculate_lab::room::test_bed::Moment;

/// The time between two changes of the line: faster is not visible, and drawing must not slow the run down.
const PAUSE: Duration = Duration::from_millis(100);
/// Columns of a curve.
const WIDTH: usize = 32;

/// A run as far as it is known. Nothing of the terminal is changed but its last line, so that it may end at any time.
pub(super) struct View<'r> {
    in_place: bool,
    rule: Rule,
    evenings: u32,
    /// What the agent is compared with.
    other: &'r Baseline,
    /// The steps of this evening so far.
    trail: Vec<Moment>,
    drawn: Instant,
}

impl<'r> View<'r> {
    pub(super) fn new(rule: Rule, evenings: u32, other: &'r Baseline) -> Self {
        let in_place = stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Self { in_place, rule, evenings, other, trail: Vec::new(), drawn: Instant::now() }
    }

    /// What to print after a step of an evening, counted from 1: nothing, or the line over the one before.
    pub(super) fn step(&mut self, evening: u32, moment: &Moment) -> String {
        self.trail.push(*moment);
        if !self.in_place || self.drawn.elapsed() < PAUSE {
            return String::new();
        }
        self.drawn = Instant::now();
        let aim = f64::from(SET_POINT);
        let columns = (0..WIDTH).filter_map(|column| self.trail.get(column * STEPS / WIDTH));
        let curve = curve(columns.map(|moment| moment.room), aim - 2.0, aim + 2.0);
        let [room, aim, floor, outside] = [moment.room, aim, moment.floor, moment.outside].map(degrees);
        let (evenings, heater) = (self.evenings, moment.power * 100.0);
        let now = format!("room {room} of {aim}  floor {floor}  outside {outside}  heater {heater:.0} %");
        // What is too long for the terminal is cut.
        format!("\r\x1b[?7levening {evening:>3} of {evenings}  {curve:<WIDTH$}  {now}\x1b[K\x1b[?7h")
    }

    /// The line that tells of an evening, counted from 1.
    pub(super) fn evening(&mut self, evening: u32, told: &Evening) -> String {
        self.trail.clear();
        let (steps, own) = (told.trail.len(), cost(&told.trail));
        let against = (own / cost(&self.other.trails[evening as usize - 1]) - 1.0) * 100.0;
        let Evening { theta, explored, fallbacks, .. } = told;
        let step = if self.rule.is_episodic() { "theta" } else { "gain" };
        let report = match told.is_reported() {
            true => format!("{step} {theta:>7.3}  explored {explored:>2}  fallback {fallbacks:>2}"),
            false => "power cut".to_owned(),
        };
        let (name, line) = (self.other.name, format!("evening {evening:>3}  {steps:>3} steps  cost {own:.3}"));
        self.over(&format!("{line}  {against:>+5.0} % against the {name}  {report}"))
    }

    /// The line that tells what the device says when power is back.
    pub(super) fn power_cut(&self, cut: &PowerCut) -> String {
        if cut.start.is_some() { self.over(&sentence(cut)) } else { String::new() }
    }

    /// A line that stays.
    fn over(&self, text: &str) -> String {
        format!("{}{text}\n", if self.in_place { "\r\x1b[K" } else { "" })
    }
}

/// A column for each value.
fn curve(values: impl Iterator<Item = f64>, low: f64, high: f64) -> String {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    values.map(|value| HEIGHTS[((value - low) / (high - low) * 8.0).clamp(0.0, 7.0) as usize]).collect()
}

/// To one decimal, and never as -0.0.
fn degrees(celsius: f64) -> String {
    format!("{:.1}°", (celsius * 10.0).round() / 10.0 + 0.0)
}

/// A power cut, in words.
pub(super) fn sentence(PowerCut { evening, steps, start }: &PowerCut) -> String {
    let started = start.as_ref().map_or_else(String::new, |start| format!("; {}", started(start)));
    format!("power cut in evening {evening} after {steps} steps{started}")
}

fn started(start: &Start) -> String {
    let why = match start.origin {
        Origin::Checkpoint(number) => {
            let evenings = if start.evenings == 1 { "evening" } else { "evenings" };
            return format!("checkpoint {number} restored, {} {evenings} kept", start.evenings);
        }
        Origin::NothingStored => "no checkpoint found",
        Origin::Refused(error) => &format!("the checkpoint is refused ({error})"),
        Origin::Unreadable(error) => &error.to_string(),
    };
    format!("{why}, it begins anew")
}

#[cfg(test)]
mod tests {
    use osculate::StateError;

    use super::*;
    use crate::demo::sample;

    /// Shows a run in which power fails in the last evening.
    fn shown(in_place: bool) -> String {
        let run = sample::run_log(7, 3);
        let mut view = View { in_place, drawn: Instant::now() - PAUSE, ..View::new(run.rule, 3, &run.baselines[0]) };
        let mut text = String::new();
        for (evening, told) in (1..).zip(&run.evenings) {
            told.trail.iter().for_each(|moment| text += &view.step(evening, moment));
            text += &view.evening(evening, told);
        }
        let start = |origin| Some(Start { origin, evenings: 2 });
        for start in [None, start(Origin::Checkpoint(2)), start(Origin::Refused(StateError::OtherRule))] {
            text += &view.power_cut(&PowerCut { evening: 3, steps: 40, start });
        }
        text
    }

    #[test]
    fn each_evening_is_one_line_and_so_is_a_power_cut() {
        let text = shown(false);
        let evenings = text.lines().filter(|line| line.contains("% against the thermostat  gain "));
        assert_eq!((evenings.count(), text.lines().count()), (3, 5), "{text}");
        let cut = "power cut in evening 3 after 40 steps; ";
        assert!(text.contains(&format!("\n{cut}checkpoint 2 restored, 2 evenings kept\n")), "{text}");
        let refused = "the checkpoint is refused (the state was learned by another rule), it begins anew";
        assert!(text.ends_with(&format!("\n{cut}{refused}\n")), "{text}");
        assert!(text.is_ascii() && !text.contains('\x1b'), "{text}");
        let text = shown(true);
        let step = text.split('\r').nth(1).unwrap();
        assert!(step.starts_with("\x1b[?7levening   1 of 3  ") && step.ends_with(" %\x1b[K\x1b[?7h"), "{step:?}");
        assert!(step.contains(" of 21.0°  floor ") && step.contains("  heater "), "{step:?}");
        assert_eq!(text.matches("\r\x1b[Kevening ").count(), 3);
    }

    #[test]
    fn curves_stay_within_their_height_and_zero_has_no_sign() {
        assert_eq!(curve([-9.0, 0.0, 0.5, 1.0, 9.0].into_iter(), 0.0, 1.0), "▁▁▅██");
        assert_eq!([-0.04, -0.06, 20.96].map(degrees), ["0.0°", "-0.1°", "21.0°"]);
    }
}
