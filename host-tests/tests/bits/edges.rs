//! Cases that one rounding decides: a cap next to the ratio that it clamps, a threshold next to the length compared
//! with it.

use osculate_host_tests::reference::call::{Answer, Event, Fate, Report, Rule, Settings, Subject, Targets};
use osculate_host_tests::worlds::Dice;

use crate::compare::{agreed, agreed_state, subjects};
use crate::plan::{Plan, ROOM, stored};
use crate::story::Walk;
use crate::subject::{Checked, New};

const LEARNERS: u64 = 20_000;

/// A learner without a cap or a threshold.
struct Learner {
    n: usize,
    new: New,
    settings: Settings,
    plan: fn(Settings) -> Plan,
    /// What it is told first.
    events: Vec<Event>,
}

impl Learner {
    fn new(seed: u64, rule: Rule, plan: fn(Settings) -> Plan, episodes: usize) -> Self {
        let mut dice = Dice::new(seed);
        let (n, new) = crate::some_sizes::<f32>()[dice.below(7) as usize];
        let settings = stored(&mut dice, None, &[rule], Targets::MonteCarlo, [ROOM; 2]);
        let settings = Settings { theta_cap: None, skip_below: 0.0, curvature_every: 1, ..settings };
        let walk = Walk::new(&mut dice, n, plan(settings), plan(settings).is_stored());
        let events = (0..episodes).flat_map(|_| walk.episode(&mut dice)).collect();
        Self { n, new, settings, plan, events }
    }

    /// The last report, after comparing all that can be seen.
    fn last(&self, settings: Settings, mut subjects: Vec<Box<dyn Subject>>) -> Report {
        let mut last = None;
        for event in &self.events {
            if let Answer::Outcome(report) = agreed(&mut subjects, event, || format!("{settings:?}")) {
                agreed_state(&subjects, || format!("{settings:?}"));
                last = Some(report);
            }
        }
        last.expect("there are episodes")
    }

    /// The reference's last report.
    fn foreseen(&self) -> Report {
        self.last(self.settings, f32::references(self.n, (self.plan)(self.settings)))
    }

    /// That of both with other settings.
    fn agreed(&self, settings: Settings) -> Report {
        self.last(settings, subjects::<f32>(self.n, self.new, (self.plan)(settings)))
    }
}

/// Past curvature is first known after `episodes_before` episodes, and no cap has affected it by then. Returns how many
/// caps were reached.
fn caps(plan: fn(Settings) -> Plan, episodes_before: usize) -> u32 {
    let mut met = 0;
    for seed in 0..LEARNERS {
        let learner = Learner::new(seed, Rule::Predictable, plan, episodes_before + 1);
        let report = learner.foreseen();
        let cap = f32::from_bits(report.theta).next_down();
        if report.fate == Fate::Stepped && cap >= 1.0 {
            let report = learner.agreed(Settings { theta_cap: Some(cap), ..learner.settings });
            assert_eq!(report.theta, cap.to_bits());
            met += 1;
        }
    }
    met
}

#[test]
fn a_cap_holds_to_the_last_bit() {
    let (stored, streaming) = (caps(Plan::Stored, 1), caps(Plan::Streaming, 2));
    println!(
        "a cap one bit below past curvature: {stored} of predictable and {streaming} of streaming, all of them held"
    );
    assert!(stored > 500 && streaming > 500);
}

#[test]
fn a_threshold_holds_to_the_last_bit() {
    let mut met = 0;
    for seed in 0..LEARNERS {
        let learner = Learner::new(seed, Rule::Plain, Plan::Stored, 1);
        let report = learner.foreseen();
        let length = f32::from_bits(report.g_norm);
        if report.fate == Fate::Stepped && length > 0.0 {
            let fate = |skip_below| learner.agreed(Settings { skip_below, ..learner.settings }).fate;
            assert_eq!(fate(length), Fate::Stepped, "at the threshold: {:?}", learner.settings);
            assert_eq!(fate(length.next_up()), Fate::Skipped, "below the threshold: {:?}", learner.settings);
            met += 1;
        }
    }
    println!("a threshold at the length of g, and one bit above it: {met} of plain, all of them held");
    assert!(met > 10_000);
}
