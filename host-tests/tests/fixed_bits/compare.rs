//! Runs one learner and both references side by side.

use std::fmt::Debug;

use osculate_host_tests::reference::fixed::{Episode, Fate, Format, Report, Row, Rule, Settings};
use osculate_host_tests::reference::fixed_model::Model;
use osculate_host_tests::reference::fixed_oracle::Oracle;
use osculate_host_tests::worlds::Dice;

use crate::inputs::Mood;
use crate::subject::New;

/// One update in this many is followed by a restart.
const RESTARTS: u32 = 64;

/// The input of a learner, and how the references learn from it.
#[derive(Clone, Copy)]
pub(crate) struct Task<I> {
    pub(crate) settings: fn(&mut Dice) -> Settings,
    /// Generates an input from n and the bits of a feature.
    pub(crate) next: fn(&mut Dice, usize, i32, Mood) -> I,
    pub(crate) model: fn(&mut Model, &I) -> Report,
    pub(crate) oracle: fn(&mut Oracle, &I) -> Report,
    /// How many updates a learner makes. By default about 25, or enough for the averages of the past to settle.
    pub(crate) updates: Option<u32>,
}

impl Task<Vec<Row>> {
    /// Batches.
    pub(crate) fn batches(
        settings: fn(&mut Dice) -> Settings,
        next: fn(&mut Dice, usize, i32, Mood) -> Vec<Row>,
    ) -> Self {
        Self {
            settings,
            next,
            model: |model, rows| model.update(rows),
            oracle: |oracle, rows| oracle.update(rows),
            updates: None,
        }
    }
}

impl Task<Episode> {
    /// Stored episodes.
    pub(crate) fn logged(
        settings: fn(&mut Dice) -> Settings,
        next: fn(&mut Dice, usize, i32, Mood) -> Episode,
    ) -> Self {
        Self { settings, next, model: Model::learn_episode, oracle: Oracle::learn_episode, updates: None }
    }

    /// Streamed episodes.
    pub(crate) fn streamed(
        settings: fn(&mut Dice) -> Settings,
        next: fn(&mut Dice, usize, i32, Mood) -> Episode,
    ) -> Self {
        Self { settings, next, model: Model::stream, oracle: Oracle::stream, updates: None }
    }
}

/// Counts over the whole comparison.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) updates: u32,
    pub(crate) rows: u64,
    pub(crate) dropped: u64,
    pub(crate) skipped: u32,
    pub(crate) empty: u32,
    pub(crate) refused: u32,
    pub(crate) capped: u32,
    pub(crate) saturated: u32,
    pub(crate) restarts: u32,
}

impl Seen {
    fn note(&mut self, report: &Report, settings: &Settings) {
        self.updates += 1;
        self.rows += u64::from(report.tau);
        self.dropped += u64::from(report.dropped);
        self.skipped += u32::from(report.fate == Fate::Skipped);
        self.empty += u32::from(report.fate == Fate::Empty);
        self.refused += u32::from(report.fate == Fate::Overflow);
        self.capped += u32::from(settings.theta_cap.is_some_and(|cap| cap > 1.0 && cap.to_bits() == report.theta));
        self.saturated += u32::from(report.saturated > 0);
    }

    /// Prints the counts. Asserts that corner cases were covered: rows that are refused, numbers that saturate.
    pub(crate) fn expect(&self, name: &str) -> &Self {
        println!("{name}: every bit equal in core, f64 model and i128 oracle; {self:?}");
        assert!(self.dropped > self.rows / 1_000 && self.saturated > self.updates / 100 && self.restarts > 0);
        self
    }

    /// Asserts that some updates were below the threshold.
    pub(crate) fn skips(&self) -> &Self {
        assert!(self.skipped > self.updates / 100);
        self
    }

    /// Asserts that ϑ was sometimes at its cap.
    pub(crate) fn caps(&self) -> &Self {
        assert!(self.capped > self.updates / 200);
        self
    }

    /// Asserts that some steps were not finite.
    pub(crate) fn refuses(&self) -> &Self {
        assert!(self.refused > self.updates / 1_000);
        self
    }

    /// Asserts that some episodes had no rows.
    pub(crate) fn is_empty_at_times(&self) -> &Self {
        assert!(self.empty > self.updates / 100);
        self
    }
}

/// Sets the cap to the first ϑ above 1 that will occur, or to one of its neighbours: a comparison could go wrong there.
fn with_a_near_cap<I>(
    task: &Task<I>,
    settings: Settings,
    (n, format, mood): (usize, Format, Mood),
    mut dice: Dice,
    side: u32,
) -> Settings {
    let mut trial = Model::new(n, format, Settings { theta_cap: None, ..settings });
    for _ in 0..25 {
        let input = (task.next)(&mut dice, n, format.feature_bits, mood);
        let theta = f32::from_bits((task.model)(&mut trial, &input).theta);
        if theta > 1.0 {
            let theta_cap = Some([theta.next_down(), theta, theta.next_up()][side as usize]);
            return Settings { theta_cap, ..settings };
        }
        if dice.below(RESTARTS) == 0 {
            break;
        }
    }
    settings
}

/// Runs a learner of n weights and its references, starting from one seed.
pub(crate) fn compare<I: Debug>(task: &Task<I>, new: New<I>, n: usize, format: Format, seed: u64, seen: &mut Seen) {
    let mut dice = Dice::new(seed);
    let settings = (task.settings)(&mut dice);
    let mood = Mood::any(&mut dice);
    let usual = if dice.below(8) == 0 { 100 } else { 25 };
    // If ϑ is large, for every other learner.
    let settings = match dice.below(if mood == Mood::Opposed { 6 } else { 24 }) {
        side @ 0..3 => with_a_near_cap(task, settings, (n, format, mood), dice.clone(), side),
        _ => settings,
    };
    let mut learner = new(&settings);
    let (mut model, mut oracle) = (Model::new(n, format, settings), Oracle::new(n, format, settings));
    for update in 1..=task.updates.unwrap_or(usual) {
        let input = (task.next)(&mut dice, n, format.feature_bits, mood);
        let place = || format!("seed {seed}, n {n}, update {update}, {settings:?}");
        let report = learner.learn(&input);
        let expected = (task.model)(&mut model, &input);
        assert_eq!((task.oracle)(&mut oracle, &input), expected, "oracle and model, {}", place());
        assert_eq!(report, expected, "core and model, {}", place());
        let expected = model.state();
        assert_eq!(oracle.state(), expected, "oracle and model, {}", place());
        assert_eq!(learner.state(), expected, "core and model, {}", place());
        seen.note(&report, &settings);
        if dice.below(RESTARTS) == 0 {
            let from_average = settings.rule == Rule::Predictable;
            learner.restart();
            model.restart(from_average);
            oracle.restart(from_average);
            seen.restarts += 1;
        }
    }
}

/// Runs at least this many updates, with learners of all these sizes.
pub(crate) fn run<I: Debug>(
    task: &Task<I>,
    sizes: &[(usize, New<I>)],
    format: Format,
    updates: u32,
    first_seed: u64,
) -> Seen {
    let mut seen = Seen::default();
    let mut seed = first_seed;
    while seen.updates < updates {
        let (n, new) = sizes[seed as usize % sizes.len()];
        compare(task, new, n, format, seed, &mut seen);
        seed += 1;
    }
    seen
}
