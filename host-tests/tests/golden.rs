//! Recorded bits: what every rule and arithmetic computed when `golden.txt` was accepted, it computes today.
//!
//! The references say what is right; this says what has *changed*, whatever is being rearranged around the arithmetic.
//! To accept a change that is meant: `UPDATE_GOLDEN=1 cargo test -p osculate-host-tests --test golden`.

use std::num::NonZeroU32;
use std::{env, fs};

use osculate::visits::VisitSet;
use osculate::{Arithmetic, Episode, Learner, LearnerConfig, Outcome, Q24, Q28, Schedule, StreamingLearner, Verdict};
use osculate_host_tests::worlds::Dice;
use osculate_lab::repository::repository;

const UPDATES: usize = 1000;
const UPDATES_PER_DIGEST: usize = 100;
const N: usize = 6;
const STATES: u32 = 24;
const STEPS: u32 = 40;
const GAMMA: f32 = 0.9375;

/// FNV-1a, 64 bits.
struct Digest(u64);

impl Digest {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

/// One of the ways to learn, episode by episode.
trait Way<A: Arithmetic<Scalar = f32>> {
    fn step(&mut self, state: u32, features: &A::Features<N>, reward: A::Target);
    fn end(&mut self) -> Outcome<f32>;
    fn vectors(&self) -> [&[A::Weight; N]; 2];
}

struct Stored<A: Arithmetic> {
    learner: Learner<A, N>,
    episode: Episode<A, u32, N, 64, 32>,
    one_step: bool,
}

impl<A: Arithmetic<Scalar = f32>> Way<A> for Stored<A> {
    fn step(&mut self, state: u32, features: &A::Features<N>, reward: A::Target) {
        self.episode.record(state, features, reward);
    }

    fn end(&mut self) -> Outcome<f32> {
        let rows = match self.one_step {
            true => self.episode.one_step(GAMMA, self.learner.weights()),
            false => self.episode.monte_carlo(GAMMA),
        };
        self.learner.update(rows.expect("gamma is in range"))
    }

    fn vectors(&self) -> [&[A::Weight; N]; 2] {
        [self.learner.weights(), self.learner.averaged()]
    }
}

struct Streaming<A: Arithmetic>(StreamingLearner<A, N>, VisitSet<1>);

impl<A: Arithmetic<Scalar = f32>> Way<A> for Streaming<A> {
    fn step(&mut self, state: u32, features: &A::Features<N>, reward: A::Target) {
        let first = self.1.contains(state) == Some(false);
        if self.0.step(features, first, reward).is_ok() {
            self.1.visit(state);
        }
    }

    fn end(&mut self) -> Outcome<f32> {
        self.1.clear();
        self.0.end_episode()
    }

    fn vectors(&self) -> [&[A::Weight; N]; 2] {
        [self.0.weights(), self.0.averaged()]
    }
}

/// A digest per hundred updates on random walks through states with features of all sizes, some of them unusable.
fn digests<A: Arithmetic<Scalar = f32>>(mut way: impl Way<A>) -> Vec<u64> {
    let mut dice = Dice::new(77);
    let states: Vec<([f32; N], f32)> = (0..STATES)
        .map(|state| {
            let unit = 2_f32.powi(dice.below(9) as i32 - 4);
            // One state has no features, and one has no reward that a format could hold.
            let features = std::array::from_fn(|_| if state == 5 { 0.0 } else { dice.uniform() * unit });
            (features, if state == 11 { 3e9 } else { dice.uniform() })
        })
        .collect();
    let (mut digests, mut stepped) = (Vec::new(), 0);
    for _ in 0..UPDATES / UPDATES_PER_DIGEST {
        let mut digest = Digest::new();
        for _ in 0..UPDATES_PER_DIGEST {
            let mut state = dice.below(STATES);
            for _ in 0..1 + dice.below(STEPS) {
                let (features, reward) = states[state as usize];
                if let (Ok(features), Ok(reward)) = (A::features(&features), A::target(reward + 0.5 * dice.uniform())) {
                    way.step(state, &features, reward);
                }
                state = (state + 1 + dice.below(3)) % STATES;
            }
            let outcome = way.end();
            stepped += usize::from(outcome.verdict == Verdict::Stepped);
            let counts = [outcome.k, outcome.tau, outcome.dropped, outcome.saturated, outcome.verdict as u32];
            counts.into_iter().for_each(|count| digest.add(count.into()));
            [outcome.theta, outcome.g_norm].into_iter().for_each(|x| digest.add(x.to_bits().into()));
            way.vectors().into_iter().flatten().for_each(|&w| digest.add(Into::<f64>::into(w).to_bits()));
        }
        digests.push(digest.0);
    }
    assert!(stepped > UPDATES / 2, "only {stepped} updates have moved anything");
    digests
}

fn lines<A: Arithmetic<Scalar = f32>>(arithmetic: &str) -> Vec<String> {
    let stored = |config: LearnerConfig<f32>, one_step| {
        digests::<A>(Stored { learner: Learner::new(config).unwrap(), episode: Episode::new(), one_step })
    };
    let predictable = LearnerConfig::predictable();
    let curvature_every = NonZeroU32::new(8).unwrap();
    let streaming = StreamingLearner::new(predictable, GAMMA).unwrap();
    let all = [
        ("paper", stored(LearnerConfig::default(), false)),
        ("paper, one-step", stored(LearnerConfig::default(), true)),
        (
            "paper, constant gain",
            stored(LearnerConfig { schedule: Schedule::Constant(0.25), ..Default::default() }, false),
        ),
        ("plain", stored(LearnerConfig::plain(), false)),
        ("predictable", stored(predictable, false)),
        ("predictable, one-step", stored(predictable, true)),
        ("predictable, curvature in every 8th", stored(LearnerConfig { curvature_every, ..predictable }, false)),
        ("streaming", digests::<A>(Streaming(streaming, VisitSet::new()))),
    ];
    let line = |(rule, digests): &(&str, Vec<u64>)| {
        let digests: Vec<_> = digests.iter().map(|digest| format!("{digest:016x}")).collect();
        format!("{rule}, {arithmetic}: {}", digests.join(" "))
    };
    all.iter().map(line).collect()
}

#[test]
fn no_bit_has_changed_since_it_was_recorded() {
    let file = repository().join("host-tests/golden.txt");
    let today = [lines::<f32>("f32"), lines::<Q28>("q28"), lines::<Q24>("q24")].concat();
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&file, today.join("\n") + "\n").unwrap();
    }
    let recorded = fs::read_to_string(&file).unwrap_or_default();
    let recorded: Vec<_> = recorded.lines().collect();
    assert_eq!(recorded.len(), today.len(), "golden.txt and this test know different rules");
    for (recorded, today) in recorded.into_iter().zip(&today) {
        assert_eq!(recorded, today, "digests of {UPDATES_PER_DIGEST} updates each");
    }
}
