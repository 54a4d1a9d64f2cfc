//! The outer loop, in worlds that are arbitrary tables.

use osculate::episodic::{Episodic, Logged, Streamed, Targets};
use osculate::policy::{ActionValues, LookAhead, Policy, Prediction};
use osculate::schedule::Exploration;
use osculate::sim::End;
use osculate::stop::StopTest;
use osculate::world::{Model, Transition, World};
use osculate::{Arithmetic, ConfigError, Learner, LearnerConfig, RowError, Scalar, Sim, SimConfig};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

use super::Fuzz;
use super::check::{counted, finite, is_discount, made};
use super::number::{Bits, Fuzzed};
use osculate_lab::dice::Dice;

const STATES: u8 = 7;
const ACTIONS: usize = 3;
const N: usize = 3;

/// What may come of an action, each with its probability.
type Outcomes<A> = [(<A as Arithmetic>::Scalar, Transition<<A as Arithmetic>::Target, u8>); 2];

/// Where each action in each state leads, and the features of both together.
struct Table<A: Fuzzed> {
    features: Vec<Result<A::Features<N>, RowError>>,
    outcomes: Vec<Outcomes<A>>,
    has_no_reward: Vec<bool>,
    actions: usize,
}

impl<A: Fuzzed> Table<A> {
    fn any(fuzz: &mut Fuzz) -> Self {
        let pairs = usize::from(STATES) * ACTIONS;
        let mut outcome = |_| {
            // Probabilities that need not add up, and may be none.
            let next = fuzz.below(u32::from(STATES) + 2) as u8;
            let transition = Transition { reward: A::any_target(fuzz), next: (next < STATES).then_some(next) };
            (fuzz.gamma(), transition)
        };
        let outcomes = (0..pairs).map(|_| [0, 1].map(&mut outcome)).collect();
        let features = (0..pairs).map(|_| A::any_features::<N>(fuzz)).collect();
        let has_no_reward = (0..pairs).map(|_| fuzz.one_in(16)).collect();
        Self { features, outcomes, has_no_reward, actions: fuzz.below(ACTIONS as u32 + 1) as usize }
    }

    fn place(state: u8, action: usize) -> usize {
        usize::from(state % STATES) * ACTIONS + action % ACTIONS
    }
}

impl<A: Fuzzed> Model<A, N> for Table<A> {
    type State = u8;

    fn actions(&self, _: &u8) -> usize {
        self.actions
    }
    fn outcomes(&self, state: &u8, action: usize) -> impl Iterator<Item = (A::Scalar, Transition<A::Target, u8>)> {
        self.outcomes[Self::place(*state, action)].into_iter()
    }
    fn features(&self, state: &u8) -> Result<A::Features<N>, RowError> {
        self.features[Self::place(*state, 0)].clone()
    }
}

/// Somebody in that world.
struct Walker<'a, A: Fuzzed> {
    table: &'a Table<A>,
    state: u8,
    dice: Dice,
}

impl<A: Fuzzed> World<A> for Walker<'_, A> {
    type State = u8;

    fn begin(&mut self) -> u8 {
        self.state = self.dice.below(STATES.into()) as u8;
        self.state
    }
    fn act(&mut self, action: usize) -> Transition<Option<A::Target>, u8> {
        let place = Table::<A>::place(self.state, action);
        let (_, transition) = self.table.outcomes[place][self.dice.below(2) as usize];
        self.state = transition.next.unwrap_or(0);
        let reward = (!self.table.has_no_reward[place]).then_some(transition.reward);
        Transition { reward, next: transition.next }
    }
}

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    let table = Table::<A>::any(fuzz);
    let by_action = |state: &u8, action: usize| table.features[Table::<A>::place(*state, action)].clone();
    let by_state = |state: &u8| by_action(state, 0);
    match fuzz.below(4) {
        0 => with(fuzz, &table, &LookAhead(&table), |state| u32::from(*state)),
        1 => {
            let policy = ActionValues::new(table.actions, by_action);
            with(fuzz, &table, &policy, |(state, action): &(u8, usize)| u32::from(*state) * 4 + *action as u32);
        }
        which => {
            let rule: fn(&u8) -> usize = |state| usize::from(*state) << 60;
            let without_actions = Prediction::without_actions(by_state);
            let policy = if which == 2 { Prediction::new(by_state, rule) } else { without_actions };
            with(fuzz, &table, &policy, |state| u32::from(*state));
        }
    }
}

/// With one of the learners.
fn with<A: Fuzzed, P: Policy<A, u8, N>>(fuzz: &mut Fuzz, table: &Table<A>, policy: &P, index: fn(&P::Key) -> u32)
where
    P::Key: PartialEq,
{
    let gamma = Some(fuzz.gamma()).filter(|gamma| is_discount(*gamma)).unwrap_or(A::Scalar::ONE);
    if fuzz.one_in(3) {
        let learner = Streamed::<A, P::Key, N, 1>::new(LearnerConfig::predictable(), gamma, index);
        return run(fuzz, table, policy, learner.expect("γ is a discount"));
    }
    let config = fuzz.pick(&[LearnerConfig::default(), LearnerConfig::predictable(), LearnerConfig::plain()]);
    let (learner, targets) = (Learner::new(config), fuzz.pick(&[Targets::MonteCarlo, Targets::OneStep]));
    let learner = Logged::<A, P::Key, N, 16, 6>::new(learner.expect("they are allowed"), gamma, targets);
    run(fuzz, table, policy, learner.expect("γ is a discount"));
}

fn run<A: Fuzzed, P: Policy<A, u8, N>, L>(fuzz: &mut Fuzz, table: &Table<A>, policy: &P, learner: L)
where
    L: Episodic<A, P::Key, N>,
{
    let exploration =
        Exploration { start: fuzz.gamma::<A::Scalar>(), half_after: fuzz.pick(&[0, 1, 3, 100, 100, u32::MAX]) };
    let config = SimConfig { exploration, max_steps: fuzz.pick(&[0, 1, 5, 20, 40]) };
    let start: f64 = exploration.start.into();
    let mut faults = Vec::new();
    faults.extend((!(0.0..=1.0).contains(&start)).then_some(ConfigError::Epsilon));
    faults.extend((exploration.half_after == 0).then_some(ConfigError::HalfAfter));
    let Some(mut sim) = made(fuzz, Sim::<A, L>::new(learner, config), &faults) else { return };
    let mut world = Walker { table, state: 0, dice: Dice::new(fuzz.word()) };
    let mut rng = Xoshiro128PlusPlus::seed_from_u64(fuzz.word());
    let (mut k, mut episodes) = (0, 0);
    for _ in 0..12 {
        match fuzz.below(8) {
            0 => {
                sim.restart();
                (k, episodes) = (0, 0);
                fuzz.called("restarted");
            }
            1 => {
                let (mut stop, most) = (StopTest::new(A::Scalar::any(fuzz), 0, fuzz.below(3)), fuzz.below(4));
                let finished = sim.until(&mut world, policy, &mut rng, &mut stop, most);
                assert!(finished.episodes <= most && (finished.step_small || finished.episodes == most));
                episodes += finished.episodes;
                fuzz.called(if finished.step_small { "step small" } else { "until" });
                // How many of those had a row is not said.
                sim.learner_mut().restart();
                k = 0;
            }
            _ => {
                let outcome = sim.run_episode(&mut world, policy, &mut rng);
                k = counted(fuzz, &outcome.update, k);
                episodes += 1;
                assert!(outcome.explored <= outcome.steps && outcome.steps <= config.max_steps, "{outcome:?}");
                assert!(outcome.end != End::StepLimit || outcome.steps == config.max_steps, "{outcome:?}");
                let value = outcome.discounted_return.map_or(0.0, A::number);
                assert!(value.is_finite(), "{outcome:?}");
                fuzz.saw(match outcome.end {
                    End::Terminal => "terminal",
                    End::StepLimit => "step limit",
                    _ => "log full",
                });
            }
        }
        assert_eq!(sim.episodes(), episodes);
        finite(&[sim.weights(), sim.learner().weights()]);
        let state = fuzz.dice.bits() as u8;
        let value = sim.value(policy, &state).map(A::number);
        assert!(value.is_none_or(f64::is_finite), "{value:?}");
        fuzz.called(if value.is_some() { "value" } else { "no value" });
        let (greedy, actions) = (sim.greedy(policy, &state), policy.actions(&state));
        assert!(actions == 1 || greedy < actions.max(1), "{greedy} of {actions}");
        fuzz.called("greedy");
        if !fuzz.goes_on() {
            return;
        }
    }
}
