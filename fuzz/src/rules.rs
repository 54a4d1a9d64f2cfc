//! The rules: what every target that learns walks through.

use osculate::arithmetic::backend::{Backend, Persist};
use osculate::control::Policy;
use osculate::{
    Agent, Episodic, Learner, Log, Predictor, RowError, Sim, Space, StopTest, Stored, Streaming, Tracking,
    TrackingReport, Update, Verdict, World,
};

use super::check::{made, stored_faults, streaming_faults, tracking_faults};
use super::episode::{Course, Episode, Room, Samples};
use super::input::Fuzz;
use super::layout::{Layout, Part};
use super::number::Fuzzed;

/// The features of a rule of any kind.
pub(super) const N: usize = 3;
pub(super) type AnyTracking<A> = Tracking<A, N>;
pub(super) type AnyStreaming<A> = Streaming<A, N, 1>;
pub(super) type AnyStored<A> = Stored<Log<A, N, 16, 6>>;

/// A rule that accepts arbitrary bits.
pub(super) trait Rule<A: Fuzzed, const N: usize>: Learner<Space = Space<A, N>> + Clone {
    /// What should happen between two ends.
    type Course: Course;
    /// Its number in a saved state.
    const NUMBER: u8;

    /// With any configuration; none, if that was refused.
    fn any(fuzz: &mut Fuzz) -> Option<Self>;
    fn course(&self) -> Self::Course;
    fn layout() -> Layout;

    /// One sample, in a state with this number if that matters to the rule.
    fn step_at(
        predictor: &mut Predictor<Self>,
        state: u32,
        reward: Option<f32>,
        phi: &[f32; N],
    ) -> Result<f32, RowError>;
    /// Closes the rows of an episode, if the rule has any.
    fn close_rows(predictor: &mut Predictor<Self>);
    fn close_rows_of<P: Policy<A, N>>(agent: &mut Agent<Self, P>);
    /// Its report, as that of an update.
    fn update(report: Self::Report) -> Update;
    /// The number of updates, or of rows.
    fn updates(&self) -> u32;
    /// All vectors of weights that it keeps, besides w.
    fn vectors(&self) -> [&[A::Weight; N]; 2];
    /// `Sim::until`, if the rule has it.
    fn until<P, W>(
        sim: &mut Sim<'_, Self, P, W>,
        stop: &mut StopTest,
        episodes: u32,
    ) -> Option<Result<Option<u32>, W::Error>>
    where
        P: Policy<A, N, Observation = W::Observation>,
        W: World;
}

/// What a rule with episodes does.
macro_rules! episodic {
    () => {
        fn step_at(
            predictor: &mut Predictor<Self>,
            state: u32,
            reward: Option<f32>,
            phi: &[f32; N],
        ) -> Result<f32, RowError> {
            predictor.step_at(state, reward, phi)
        }
        fn close_rows(predictor: &mut Predictor<Self>) {
            predictor.close_rows();
        }
        fn close_rows_of<P: Policy<A, N>>(agent: &mut Agent<Self, P>) {
            agent.close_rows();
        }
        fn update(report: Update) -> Update {
            report
        }
        fn updates(&self) -> u32 {
            self.state().updates
        }
        fn vectors(&self) -> [&[A::Weight; N]; 2] {
            [self.state().velocity, self.state().averaged]
        }
        fn until<P, W>(
            sim: &mut Sim<'_, Self, P, W>,
            stop: &mut StopTest,
            episodes: u32,
        ) -> Option<Result<Option<u32>, W::Error>>
        where
            P: Policy<A, N, Observation = W::Observation>,
            W: World,
        {
            Some(sim.until(stop, episodes))
        }
    };
}

/// What to do with a rule.
pub(super) trait Visit<A: Fuzzed> {
    fn visit<L: Rule<A, N>>(self, fuzz: &mut Fuzz, learner: L);
}

/// Any rule, if its configuration is valid.
pub(super) fn any_rule<A: Fuzzed>(fuzz: &mut Fuzz, visit: impl Visit<A>) {
    match fuzz.below(3) {
        0 => with::<A, AnyTracking<A>>(fuzz, visit),
        1 => with::<A, AnyStreaming<A>>(fuzz, visit),
        _ => with::<A, AnyStored<A>>(fuzz, visit),
    }
}

fn with<A: Fuzzed, L: Rule<A, N>>(fuzz: &mut Fuzz, visit: impl Visit<A>) {
    if let Some(learner) = L::any(fuzz) {
        visit.visit::<L>(fuzz, learner);
    }
}

impl<A: Fuzzed, const N: usize> Rule<A, N> for Tracking<A, N> {
    type Course = Samples;
    const NUMBER: u8 = 5;

    fn any(fuzz: &mut Fuzz) -> Option<Self> {
        let config = fuzz.tracking_config();
        made(fuzz, Self::try_new(config), &tracking_faults(&config))
    }

    fn course(&self) -> Samples {
        Samples::new(self.gamma().into() > 0.0)
    }

    fn layout() -> Layout {
        let scalar = A::Scalar::BYTES;
        vec![
            (Part::Learned, 3 * N * A::Weight::BYTES),
            (Part::Episode, <A::Eligibility<N> as Persist>::BYTES + 1 + A::Number::BYTES),
            (Part::Learned, 2 * u16::BYTES + 5 * scalar + 1 + u16::BYTES),
            (Part::Other, 3 * u32::BYTES),
            (Part::Episode, u32::BYTES),
            (Part::Other, <A::Row<N> as Persist>::BYTES),
            (Part::Episode, 1 + A::Number::BYTES + 1 + u32::BYTES),
            (Part::Mark, u32::BYTES),
        ]
    }

    fn step_at(predictor: &mut Predictor<Self>, _: u32, reward: Option<f32>, phi: &[f32; N]) -> Result<f32, RowError> {
        predictor.step(reward, phi)
    }
    fn close_rows(_: &mut Predictor<Self>) {}
    fn close_rows_of<P: Policy<A, N>>(_: &mut Agent<Self, P>) {}
    fn update(report: TrackingReport) -> Update {
        let TrackingReport { rows: tau, all_rows: k, dropped, saturated, error: g_norm, gain: theta, .. } = report;
        let verdict = if tau > 0 { Verdict::Stepped } else { Verdict::Empty };
        Update { k, tau, dropped, saturated, g_norm, theta, verdict }
    }
    fn updates(&self) -> u32 {
        self.report().all_rows
    }
    fn vectors(&self) -> [&[A::Weight; N]; 2] {
        [self.state().slow, self.state().mark]
    }
    fn until<P, W>(_: &mut Sim<'_, Self, P, W>, _: &mut StopTest, _: u32) -> Option<Result<Option<u32>, W::Error>>
    where
        P: Policy<A, N, Observation = W::Observation>,
        W: World,
    {
        None
    }
}

/// The part that the rules with episodes share: three vectors, the count, and the curvature of past episodes.
fn iterate<A: Fuzzed, const N: usize>() -> Layout {
    let past = 2 * A::Scalar::BYTES + u32::BYTES;
    vec![(Part::Learned, 3 * N * A::Weight::BYTES), (Part::Other, u32::BYTES), (Part::Learned, past)]
}

impl<A: Fuzzed, const N: usize, const WORDS: usize> Rule<A, N> for Streaming<A, N, WORDS> {
    type Course = Episode;
    const NUMBER: u8 = 4;

    fn any(fuzz: &mut Fuzz) -> Option<Self> {
        let config = fuzz.streaming_config();
        made(fuzz, Self::try_by_state(config), &streaming_faults(&config))
    }

    fn course(&self) -> Episode {
        Episode::new(Room { steps: usize::MAX, rows: <A as Backend>::MAX_ROWS, states: 32 * WORDS as u64 })
    }

    fn layout() -> Layout {
        let sums = <A::Trace<N> as Persist>::BYTES + 2 * <A::Sum<N> as Persist>::BYTES;
        let own = [
            (Part::Learned, <A::Direction<N> as Persist>::BYTES + 1),
            (Part::Episode, WORDS * u32::BYTES),
            (Part::Other, <A::Row<N> as Persist>::BYTES),
            (Part::Mark, 1 + u32::BYTES),
            (Part::Episode, sums + u32::BYTES),
            (Part::Mark, u32::BYTES + 1 + 1),
        ];
        [&iterate::<A, N>()[..], &own].concat()
    }

    episodic!();
}

impl<A: Fuzzed, const N: usize, const STEPS: usize, const ROWS: usize> Rule<A, N> for Stored<Log<A, N, STEPS, ROWS>> {
    type Course = Episode;
    const NUMBER: u8 = 1;

    fn any(fuzz: &mut Fuzz) -> Option<Self> {
        let config = fuzz.stored_config();
        made(fuzz, Self::try_new(config, Log::NEW), &stored_faults(&config))
    }

    fn course(&self) -> Episode {
        Episode::new(Room { steps: STEPS, rows: ROWS.min(A::MAX_ROWS), states: u32::MAX.into() })
    }

    fn layout() -> Layout {
        let own = [(Part::Episode, u16::BYTES + u32::BYTES), (Part::Mark, 1 + u16::BYTES + u32::BYTES + 1 + 1)];
        [&iterate::<A, N>()[..], &own].concat()
    }

    episodic!();
}
