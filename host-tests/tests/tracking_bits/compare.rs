//! Runs the library and its references side by side.

use osculate_host_tests::reference::fixed_model::TrackingModel;
use osculate_host_tests::reference::fixed_oracle::TrackingIntegers;
use osculate_host_tests::reference::rounded::TrackingFloats;
use osculate_host_tests::reference::tracking::{Answer, Event, Numbers, Precision, Settings, State, Tracking};
use osculate_host_tests::worlds::Dice;

use crate::story::Story;
use crate::subject::{Checked, New};

/// A diverging learner is abandoned when its weights have grown to this.
const DIVERGED: f64 = (1_u64 << 60) as f64;

/// Counts over the whole comparison.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    steps: u32,
    learners: u32,
    rows: u64,
    dropped: u64,
    refused: u32,
    suspicions: u32,
    changes: u32,
    false_alarms: u32,
    saturated: u32,
    given: u32,
    ends: u32,
    cuts: u32,
    /// Checks that changed the gain to one below the largest.
    lower_gains: u32,
    restarts: u32,
}

impl Seen {
    /// Asserts that all that can happen did.
    pub(crate) fn expect(&self, arithmetic: &str) {
        assert!(self.steps >= 100_000 && self.rows > 50_000);
        assert!(self.suspicions > 150 && self.changes > 100 && self.false_alarms > 50, "{self:?}");
        // No f32 leads out of the range of f64.
        assert!(self.dropped > 2_000 && (self.refused > 10 || arithmetic == "f64"), "{self:?}");
        assert!(self.given > 5_000 && self.ends > 500 && self.cuts > 500, "{self:?}");
        assert!(self.lower_gains > 5_000 && self.restarts > 10, "{self:?}");
        assert!(arithmetic.starts_with('f') || self.saturated > 100, "{self:?}");
    }
}

/// A reference, whatever its numbers.
trait Reference {
    fn take(&mut self, event: &Event) -> Answer;
    fn state(&self) -> State;
    fn findings(&self) -> [u32; 4];
}

impl<A: Numbers> Reference for Tracking<A> {
    fn take(&mut self, event: &Event) -> Answer {
        Tracking::take(self, event)
    }
    fn state(&self) -> State {
        self.numbers().state()
    }
    fn findings(&self) -> [u32; 4] {
        Tracking::findings(self)
    }
}

fn references<A: Checked>(n: usize, settings: Settings) -> Vec<Box<dyn Reference>> {
    let gamma = settings.gamma;
    match A::FORMAT {
        Some(format) => vec![
            Box::new(Tracking::new(TrackingIntegers::new(n, format, settings), gamma)),
            Box::new(Tracking::new(TrackingModel::new(n, format, settings), gamma)),
        ],
        None => {
            let precision = if A::NAME == "f64" { Precision::Double } else { Precision::Single };
            vec![Box::new(Tracking::new(TrackingFloats::new(n, precision, settings), gamma))]
        }
    }
}

/// Compares at least this many steps.
pub(crate) fn run<A: Checked>(sizes: &[(usize, New)], steps: u32, first_seed: u64) -> Seen {
    let mut seen = Seen::default();
    let mut seed = first_seed;
    while seen.steps < steps {
        let (n, new) = sizes[seed as usize % sizes.len()];
        live::<A>(n, new, seed, &mut seen);
        seed += 1;
    }
    seen
}

fn live<A: Checked>(n: usize, new: New, seed: u64, seen: &mut Seen) {
    let mut dice = Dice::new(seed);
    let mut story = Story::new(&mut dice, n, A::FORMAT);
    let settings = story.settings;
    let mut library = new(&settings);
    let mut references = references::<A>(n, settings);
    seen.learners += 1;
    for step in 0..story.length {
        let events = story.next(&mut dice);
        for event in &events {
            let place = || format!("{}, seed {seed}, n {n}, step {step}, {settings:?}, {event:?}", A::NAME);
            let answer = library.take(event);
            for (i, reference) in references.iter_mut().enumerate() {
                assert_eq!(answer, reference.take(event), "reference {i}, {}", place());
            }
            let state = library.state();
            for (i, reference) in references.iter().enumerate() {
                assert_eq!(state, reference.state(), "reference {i}, {}", place());
            }
            seen.lower_gains += u32::from(state.counts[1] == 0 && state.counts[0] > 0);
            match event {
                Event::Cut(_) => seen.cuts += 1,
                Event::End => seen.ends += 1,
                Event::Restart => seen.restarts += 1,
                _ => {}
            }
            match answer {
                Answer::Outcome(report) => {
                    seen.rows += u64::from(report.tau);
                    seen.dropped += u64::from(report.dropped);
                    seen.saturated += u32::from(report.saturated > 0);
                }
                Answer::Learned(_) => seen.given += 1,
                _ => {}
            }
        }
        seen.steps += 1;
        if library.state().w.iter().any(|&w| A::size(w) > DIVERGED) {
            break;
        }
    }
    let [refused, suspicions, changes, false_alarms] = references[0].findings();
    seen.refused += refused;
    seen.suspicions += suspicions;
    seen.changes += changes;
    seen.false_alarms += false_alarms;
}
