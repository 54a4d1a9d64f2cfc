//! Things that can be saved: predictors and agents with any rule and arithmetic.

use osculate::control::Policy;
use osculate::features::{FeatureMap, OneHot, PerAction};
use osculate::{
    ActionValues, Agent, Arithmetic, Branch, Exploration, Learner, LookAhead, Model, Predictor, RowError, Space,
    StateError, Update,
};
use osculate_host_tests::any_rule::AnyRule;

use crate::script::{After, N, STATES, Sample};

/// The immediately visible effects of a sample.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    /// The prediction's bits, or the action.
    pub(crate) answer: Result<u64, RowError>,
    pub(crate) outcome: Option<Update>,
    /// An agent's report of the episode.
    pub(crate) episode: Option<String>,
}

/// A learner that can be saved.
pub(crate) trait Subject {
    fn take(&mut self, sample: &Sample) -> Seen;
    fn save_to(&self, bytes: &mut [u8]) -> Result<usize, StateError>;
    fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError>;
    /// The number of bytes that it says it needs.
    fn most_bytes(&self) -> usize;

    fn save(&self) -> Vec<u8> {
        let mut bytes = vec![0xaa; self.most_bytes()];
        let length = self.save_to(&mut bytes).expect("there is room for it");
        bytes.truncate(length);
        bytes
    }
}

pub(crate) struct Predicts<L> {
    pub(crate) predictor: Predictor<L>,
    pub(crate) by_state: bool,
}

impl<A: Arithmetic, L: Learner<Space = Space<A, N>> + AnyRule<A, N>> Subject for Predicts<L> {
    fn take(&mut self, sample: &Sample) -> Seen {
        let Sample { signal, state, features, after } = sample;
        let predictor = &mut self.predictor;
        let prediction = match self.by_state {
            true => L::step_at(predictor, *state, *signal, features),
            false => predictor.step(*signal, features),
        };
        let outcome = match *after {
            After::Nothing => None,
            After::End(reward) => {
                predictor.finish_with(reward);
                Some(L::update(predictor.end()))
            }
            After::Cut(reward) => {
                predictor.finish_with(reward);
                Some(L::update(predictor.truncate(features)))
            }
            After::Restart => {
                predictor.restart();
                None
            }
            After::CloseRows => {
                L::close_rows(predictor);
                None
            }
            After::Extra(target) => {
                _ = predictor.learn(target, features);
                None
            }
        };
        let answer = prediction.map(|prediction| prediction.to_bits().into());
        Seen { answer, outcome, episode: None }
    }
    fn save_to(&self, bytes: &mut [u8]) -> Result<usize, StateError> {
        self.predictor.save(bytes)
    }
    fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        self.predictor.restore(bytes)
    }
    fn most_bytes(&self) -> usize {
        Predictor::<L>::BYTES
    }
}

/// States in a ring; an action moves on by one or by two.
pub(crate) struct Ring;

impl Model for Ring {
    type State = usize;
    fn actions(&self, _: &usize) -> usize {
        2
    }
    fn outcomes(&self, state: &usize, action: usize) -> impl Iterator<Item = Branch<usize>> {
        let next = |by: usize| Some((state + by) % STATES as usize);
        let likely = move |(probability, by)| Branch { probability, reward: 0.25, next: next(by) };
        [(0.75, action + 1), (0.25, 0)].map(likely).into_iter()
    }
}

/// One state has no features. The others share theirs.
pub(crate) struct Patchy;

impl<const K: usize> FeatureMap<K> for Patchy {
    type Observation = usize;
    fn features(&self, state: &usize) -> Result<[f32; K], RowError> {
        if *state == 7 { Err(RowError::OutsideMap) } else { OneHot::<K>.features(&(state % K)) }
    }
}

pub(crate) const EXPLORATION: Exploration = Exploration { start: 0.5, half_after: 4 };

pub(crate) fn look_ahead(by_state: bool) -> LookAhead<Ring, Patchy> {
    let policy = LookAhead::new(Ring, Patchy);
    if by_state { policy.by_state(|state| *state as u32) } else { policy }
}

pub(crate) fn action_values(by_state: bool) -> ActionValues<PerAction<Patchy, { N / 2 }>, usize> {
    let policy = ActionValues::new(2, PerAction::new(Patchy));
    if by_state { policy.by_state(|state| *state as u32) } else { policy }
}

impl<A, L, P> Subject for Agent<L, P>
where
    A: Arithmetic,
    L: Learner<Space = Space<A, N>> + AnyRule<A, N>,
    P: Policy<A, N, Observation = usize>,
{
    fn take(&mut self, sample: &Sample) -> Seen {
        let observation = sample.state as usize;
        let mut answer = self.step(sample.signal, &observation);
        let episode = match sample.after {
            After::Nothing => None,
            After::End(reward) => {
                self.finish_with(reward);
                Some(self.end())
            }
            After::Cut(reward) => {
                self.finish_with(reward);
                Some(self.truncate(&observation))
            }
            After::Restart => {
                self.restart();
                None
            }
            After::CloseRows => {
                L::close_rows_of(self);
                None
            }
            After::Extra(_) => {
                answer = Ok(self.missed());
                None
            }
        };
        let outcome = episode.map(|episode| L::update(episode.report));
        let episode = episode.map(|episode| format!("{episode:?}"));
        Seen { answer: answer.map(|action| action as u64), outcome, episode }
    }
    fn save_to(&self, bytes: &mut [u8]) -> Result<usize, StateError> {
        Agent::save(self, bytes)
    }
    fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        Agent::restore(self, bytes)
    }
    fn most_bytes(&self) -> usize {
        Self::BYTES
    }
}
