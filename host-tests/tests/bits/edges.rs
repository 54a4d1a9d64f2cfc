//! Cases that one rounding decides: a cap next to the ratio that it clamps, a threshold next to the length compared
//! with it.

use osculate_host_tests::reference::rounded::{Fate, Report, Rule};
use osculate_host_tests::worlds::Dice;

use crate::compare::play;
use crate::library::library;
use crate::reference::reference;
use crate::story::{self, Episode, World};
use crate::way::{Plan, Source};

const LEARNERS: u64 = 20_000;

/// A learner without a cap or a threshold, and its first episodes.
fn beginning(seed: u64, source: Source, rule: Rule, episodes: usize) -> (Plan, Vec<Episode>) {
    let mut dice = Dice::new(seed);
    let mut plan = story::plan(&mut dice, source, &[rule]);
    plan.settings.theta_cap = None;
    plan.settings.parameters.skip_below = 0.0;
    plan.settings.curvature_every = 1;
    let world = World::new(&mut dice, &plan);
    (plan, (0..episodes).map(|_| world.episode(&mut dice)).collect())
}

/// The reference's last report.
fn foreseen(plan: Plan, episodes: &[Episode]) -> Report {
    let mut theirs = reference(plan);
    episodes.iter().map(|episode| play(&mut *theirs, episode)).last().expect("there are episodes")
}

/// The last report of both, after comparing them.
fn agreed(plan: Plan, episodes: &[Episode]) -> Report {
    let (mut ours, mut theirs) = (library(plan), reference(plan));
    let reports = episodes.iter().map(|episode| {
        let (said, expected) = (play(&mut *ours, episode), play(&mut *theirs, episode));
        assert_eq!(said, expected, "{plan:?}");
        assert_eq!(ours.learned().bits(), theirs.learned().bits(), "{plan:?}");
        said
    });
    reports.last().expect("there are episodes")
}

/// Past curvature is first known after `episodes_before` episodes, and no cap has affected it by then. Returns how many
/// caps were reached.
fn caps(source: Source, episodes_before: usize) -> u32 {
    let mut met = 0;
    for seed in 0..LEARNERS {
        let (mut plan, episodes) = beginning(seed, source, Rule::Predictable, episodes_before + 1);
        let report = foreseen(plan, &episodes);
        let cap = f64::from((report.theta as f32).next_down());
        if report.fate == Fate::Stepped && cap >= 1.0 {
            plan.settings.theta_cap = Some(cap);
            assert_eq!(agreed(plan, &episodes).theta, cap);
            met += 1;
        }
    }
    met
}

#[test]
fn a_cap_holds_to_the_last_bit() {
    let (stored, streaming) = (caps(Source::Rows, 1), caps(Source::Streaming, 2));
    println!(
        "a cap one bit below past curvature: {stored} of predictable and {streaming} of streaming, all of them held"
    );
    assert!(stored > 500 && streaming > 500);
}

#[test]
fn a_threshold_holds_to_the_last_bit() {
    let mut met = 0;
    for seed in 0..LEARNERS {
        let (mut plan, episodes) = beginning(seed, Source::Rows, Rule::Plain, 1);
        let report = foreseen(plan, &episodes);
        if report.fate == Fate::Stepped && report.g_norm > 0.0 {
            plan.settings.parameters.skip_below = report.g_norm;
            assert_eq!(agreed(plan, &episodes).fate, Fate::Stepped, "at the threshold: {plan:?}");
            plan.settings.parameters.skip_below = (report.g_norm as f32).next_up().into();
            assert_eq!(agreed(plan, &episodes).fate, Fate::Skipped, "below the threshold: {plan:?}");
            met += 1;
        }
    }
    println!("a threshold at the length of g, and one bit above it: {met} of plain, all of them held");
    assert!(met > 10_000);
}
