//! The rules: what each is compared with, how the library makes it, and what is asserted of its comparison. A new rule
//! is a variant of [`Plan`], and a test.

use osculate::{Log, Predictor, Q28, Stored, StoredConfig, Streaming, StreamingConfig, Tracking, TrackingConfig};
use osculate_host_tests::reference::call::{Rule, Settings, Subject, Targets, TrackingSettings};
use osculate_host_tests::reference::rules;
use osculate_host_tests::worlds::Dice;

use crate::compare::{Begin, Seen, run};
use crate::plan::{self, LOG, ROOM};
use crate::story::{Drift, Episodes, Story};
use crate::subject::{Checked, Library, config};
use crate::{every_size, some_sizes};

/// Steps of tracking.
const STEPS: u32 = 100_000;

/// Updates of a rule with episodes.
fn updates() -> u32 {
    if std::env::var_os("OSCULATE_ALL").is_some() { 100_000 } else { 20_000 }
}

/// The same for rules that differ from others in little.
const FEWER: u32 = 20_000;
const ANY_RULE: [Rule; 4] = [Rule::Paper, Rule::Plain, Rule::Predictable, Rule::Predictable];

/// A rule and its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plan {
    Stored(Settings),
    Streaming(Settings),
    Tracking(TrackingSettings),
}

impl Plan {
    /// The cap on ϑ, if the rule has a ϑ that it could limit.
    pub(crate) fn cap(&self) -> Option<f32> {
        match self {
            Self::Stored(settings) | Self::Streaming(settings) if !self.is_plain() => settings.theta_cap,
            _ => None,
        }
    }

    /// Weights move at the end of an episode only.
    pub(crate) fn has_episodes(&self) -> bool {
        matches!(self, Self::Stored(_) | Self::Streaming(_))
    }

    /// Rows come with their targets, instead of in episodes.
    pub(crate) fn has_targets(&self) -> bool {
        matches!(self, Self::Stored(settings) if settings.room == [ROOM; 2])
    }

    /// The rule has ϑ = 1.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Self::Stored(settings) if settings.rule == Rule::Plain)
    }

    /// Another cap on ϑ. If that is 1, another threshold.
    pub(crate) fn with_limit(mut self, limit: Option<f32>) -> Self {
        let is_plain = self.is_plain();
        match &mut self {
            Self::Stored(settings) if is_plain => settings.skip_below = limit.unwrap_or(0.0),
            Self::Stored(settings) | Self::Streaming(settings) => settings.theta_cap = limit,
            _ => {}
        }
        self
    }
}

pub(crate) fn reference(n: usize, arithmetic: impl rules::Arithmetic + 'static, plan: Plan) -> Box<dyn Subject> {
    match plan {
        Plan::Stored(settings) => Box::new(rules::Episodes::<_, rules::Stored<_>>::new(n, arithmetic, settings)),
        Plan::Streaming(settings) => Box::new(rules::Episodes::<_, rules::Streaming<_>>::new(n, arithmetic, settings)),
        Plan::Tracking(settings) => Box::new(rules::Samples::new(n, arithmetic, settings)),
    }
}

/// A learner for rows or short episodes, or one that stores none.
pub(crate) fn library<A: Checked, const N: usize>(plan: Plan) -> Box<dyn Subject> {
    match plan {
        Plan::Stored(settings) if settings.room == LOG => {
            Box::new(Library(Predictor::new(Stored::new(config(&settings), Log::<A, N, { LOG[0] }, { LOG[1] }>::NEW))))
        }
        Plan::Stored(_) => of_rows::<A, N>(plan),
        Plan::Streaming(_) => through::<A, N, 8>(plan),
        Plan::Tracking(_) => panic!("not a rule with episodes: {plan:?}"),
    }
}

/// A learner without episodes.
pub(crate) fn of_samples<A: Checked, const N: usize>(plan: Plan) -> Box<dyn Subject> {
    let Plan::Tracking(settings) = plan else { panic!("a rule with episodes: {plan:?}") };
    let TrackingSettings { gamma, lambda, gain, least_gain, every } = settings;
    let config = TrackingConfig { gamma, lambda, gain, least_gain, every, greedy: false };
    Box::new(Library(Predictor::new(Tracking::<A, N>::new(config))))
}

/// A learner for rows, and for nothing else: it is compiled for every size.
pub(crate) fn of_rows<A: Checked, const N: usize>(plan: Plan) -> Box<dyn Subject> {
    let Plan::Stored(settings) = plan else { panic!("not stored: {plan:?}") };
    Box::new(Library(Predictor::new(Stored::new(config(&settings), Log::<A, N, ROOM, ROOM>::NEW))))
}

/// A streaming learner of 32·`WORDS` states.
pub(crate) fn through<A: Checked, const N: usize, const WORDS: usize>(plan: Plan) -> Box<dyn Subject> {
    let Plan::Streaming(settings) = plan else { panic!("not streaming: {plan:?}") };
    let StoredConfig { gamma, schedule, beta, theta_cap, .. } = config(&settings);
    let config = StreamingConfig { gamma, schedule, beta, theta_cap };
    Box::new(Library(Predictor::new(Streaming::<A, N, WORDS>::by_state(config))))
}

fn rows<A: Checked>(dice: &mut Dice, n: usize, rule: Rule) -> Story {
    let plan = Plan::Stored(plan::stored(dice, A::FORMAT, &[rule], Targets::MonteCarlo, [ROOM; 2]));
    Episodes::story(dice, n, plan, A::FORMAT)
}

fn logged<A: Checked>(dice: &mut Dice, n: usize, targets: Targets) -> Story {
    let plan = Plan::Stored(plan::stored(dice, A::FORMAT, &ANY_RULE, targets, LOG));
    Episodes::story(dice, n, plan, A::FORMAT)
}

fn streamed<A: Checked>(dice: &mut Dice, n: usize) -> Story {
    let plan = Plan::Streaming(plan::streaming(dice, A::FORMAT));
    Episodes::story(dice, n, plan, A::FORMAT)
}

/// A rule with episodes, of which much has gone wrong.
fn check<A: Checked>(what: &str, begin: Begin, updates: u32, seed: u64) -> Seen {
    let seen = run::<A>(&some_sizes::<A>(), begin, updates, seed << 32);
    assert!(seen.updates >= updates && seen.dropped > seen.rows / 1_000, "{seen:?}");
    let u = updates;
    let counts = match A::FORMAT {
        Some(_) => [("saturated", seen.saturated, u / 100), ("restarts", seen.restarts, u / 100)],
        None => [("refused", seen.refused, u / 50), ("empty", seen.empty, u / 100)],
    };
    seen.expect(&format!("{}, {what}", A::NAME), &counts);
    seen
}

fn paper<A: Checked>(seed: u64) {
    let seen = check::<A>("paper", |dice, n| rows::<A>(dice, n, Rule::Paper), updates(), seed);
    seen.has(seen.skipped, 1_000).has(seen.capped, 1_000).has(seen.refused, 100);
}

fn plain<A: Checked>(seed: u64) {
    let updates = if A::FORMAT.is_some() { FEWER } else { updates() };
    let seen = check::<A>("plain", |dice, n| rows::<A>(dice, n, Rule::Plain), updates, seed + 1);
    seen.has(seen.skipped, 1_000);
}

fn predictable<A: Checked>(seed: u64) {
    let seen = check::<A>("predictable", |dice, n| rows::<A>(dice, n, Rule::Predictable), updates(), seed + 2);
    seen.has(seen.skipped, 1_000).has(seen.capped, 200).has(seen.refused, 100);
}

fn monte_carlo<A: Checked>(seed: u64) {
    let updates = if A::FORMAT.is_some() { FEWER } else { updates() };
    let seen = check::<A>("returns", |dice, n| logged::<A>(dice, n, Targets::MonteCarlo), updates, seed + 3);
    seen.has(seen.skipped, 1_000).has(seen.capped, 200).has(seen.refused, 100).has(seen.empty, 1_000);
}

fn one_step<A: Checked>(seed: u64) {
    let seen = check::<A>("one-step", |dice, n| logged::<A>(dice, n, Targets::OneStep), updates(), seed + 4);
    seen.has(seen.skipped, 1_000).has(seen.capped, 1_000).has(seen.refused, 100).has(seen.empty, 1_000);
}

fn streaming<A: Checked>(seed: u64) {
    let seen = check::<A>("streaming", streamed::<A>, updates(), seed + 5);
    seen.has(seen.capped, 1_000).has(seen.refused, 100).has(seen.empty, 1_000);
}

fn tracking<A: Checked>(seed: u64) {
    let begin: Begin = |dice, n| Drift::story(dice, n, A::FORMAT);
    let seen = run::<A>(&sizes!(of_samples, A: 1 2 3 5 8 17), begin, STEPS, (seed + 6) << 32);
    assert!(seen.updates >= STEPS && seen.rows > 50_000 && seen.dropped > 2_000, "{seen:?}");
    let counts = [
        ("suspicions", seen.suspicions, 150),
        ("changes", seen.changes, 100),
        ("false alarms", seen.false_alarms, 50),
        ("given rows", seen.given, 5_000),
        ("ends", seen.ends, 500),
        ("cuts", seen.cuts, 500),
        ("lower gains", seen.lower_gains, 5_000),
        ("restarts", seen.restarts, 10),
    ];
    seen.expect(&format!("{}, tracking", A::NAME), &counts);
    // No f32 leads out of the range of f64.
    assert!(seen.refused > 10 || A::NAME == "f64", "{seen:?}");
    assert!(seen.saturated > 100 || A::FORMAT.is_none(), "{seen:?}");
}

/// Each rule in each arithmetic is a separate test, so that they run in parallel.
macro_rules! tests {
    ($($module:ident: $arithmetic:ty, $seed:literal: $($rule:ident)*;)*) => {$(
        mod $module {
            $(#[test]
            fn $rule() {
                super::$rule::<$arithmetic>($seed);
            })*
        }
    )*};
}
tests! {
    single: f32, 0: paper plain predictable monte_carlo one_step streaming tracking;
    double: f64, 10: tracking;
    q28: osculate::Q28, 20: paper plain predictable monte_carlo one_step streaming tracking;
    q24: osculate::Q24, 30: paper plain predictable monte_carlo one_step streaming tracking;
}

#[test]
fn every_size_of_a_row() {
    fn compare<A: Checked>() {
        let begin: Begin = |dice, n| rows::<A>(dice, n, Rule::Paper);
        let seen = run::<A>(&every_size::<A>(), begin, 10_000, 40 << 32);
        seen.has(seen.skipped, 1_000);
    }
    compare::<f32>();
    compare::<Q28>();
}
