//! Runs the library and the reference side by side, one learner after another.

use std::fmt::{Display, Formatter};

use osculate_host_tests::reference::rounded::{Fate, Report, Rule, Settings};
use osculate_host_tests::worlds::Dice;

use crate::library::library;
use crate::reference::reference;
use crate::story::{self, Episode, World};
use crate::way::{Source, Way};

/// How many updates a learner makes: some runs are longer than the memory for past curvature.
const LIVES: [u32; 4] = [8, 25, 60, 130];
/// A diverging learner is abandoned when its weights have grown to this.
const DIVERGED: f32 = (1_u64 << 60) as f32;

/// Counts over the whole comparison.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) updates: u32,
    learners: u32,
    stepped: u32,
    pub(crate) skipped: u32,
    pub(crate) empty: u32,
    pub(crate) refused: u32,
    pub(crate) capped: u32,
    rows: u64,
    pub(crate) dropped: u64,
}

impl Tally {
    fn count(&mut self, report: &Report, settings: Settings) {
        self.updates += 1;
        *match report.fate {
            Fate::Stepped => &mut self.stepped,
            Fate::Skipped => &mut self.skipped,
            Fate::Empty => &mut self.empty,
            Fate::Refused => &mut self.refused,
        } += 1;
        let can_be_cut = report.fate == Fate::Stepped && settings.rule != Rule::Plain;
        self.capped += u32::from(can_be_cut && settings.theta_cap == Some(report.theta));
        self.rows += u64::from(report.tau);
        self.dropped += u64::from(report.dropped);
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Self { updates, learners, stepped, skipped, empty, refused, capped, rows, dropped } = self;
        write!(
            f,
            "{updates} updates of {learners} learners ({stepped} stepped, {capped} of them at the cap; {skipped} skipped, \
             {empty} empty, {refused} out of range) from {rows} rows, {dropped} dropped: every bit equal"
        )
    }
}

pub(crate) fn play(way: &mut dyn Way, episode: &Episode) -> Report {
    for step in &episode.steps {
        way.record(step.state, &step.phi, step.number);
    }
    way.end(episode.cut.as_deref())
}

/// Compares at least this many updates.
pub(crate) fn compare(source: Source, rules: &[Rule], updates: u32) -> Tally {
    let mut tally = Tally::default();
    for seed in 0.. {
        live(seed, source, rules, &mut tally);
        if tally.updates >= updates {
            break;
        }
    }
    tally
}

fn live(seed: u64, source: Source, rules: &[Rule], tally: &mut Tally) {
    let mut dice = Dice::new(seed);
    let plan = story::plan(&mut dice, source, rules);
    let world = World::new(&mut dice, &plan);
    let (mut ours, mut theirs) = (library(plan), reference(plan));
    let life = LIVES[dice.below(LIVES.len() as u32) as usize];
    tally.learners += 1;
    for update in 0..life + 2 {
        let is_last = update >= life;
        let episode = match dice.below(40) {
            _ if is_last => world.out_of_range(&mut dice),
            0 => world.too_much(&mut dice),
            _ => world.episode(&mut dice),
        };
        let (said, expected) = (play(&mut *ours, &episode), play(&mut *theirs, &episode));
        let place = || format!("seed {seed}, update {update}, {plan:?}");
        assert_eq!(said, expected, "{}", place());
        let learned = ours.learned();
        assert_eq!(learned.bits(), theirs.learned().bits(), "{}", place());
        tally.count(&said, plan.settings);
        if is_last {
            continue;
        }
        let (_, phi) = world.any(&mut dice);
        if phi.iter().all(|x| x.is_finite()) {
            let bits = |way: &dyn Way| way.values(&phi).map(f32::to_bits);
            assert_eq!(bits(&*ours), bits(&*theirs), "values, {}", place());
        }
        if learned.weights.iter().any(|w| w.abs() > DIVERGED) {
            break;
        }
        if dice.below(40) == 0 {
            ours.restart();
            theirs.restart();
        }
    }
}
