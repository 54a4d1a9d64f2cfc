//! What tests ask any rule, whether it has episodes or not.

use osculate::arithmetic::backend::Persist;
use osculate::control::Policy;
use osculate::{
    Agent, Arithmetic, Episodic, Learner, Log, Predictor, RowError, Space, Stored, StoredConfig, Streaming,
    StreamingConfig, Targets, Tracking, TrackingConfig, TrackingReport, Update, Verdict,
};

/// A part of a saved state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// The results of updates: weights, velocity, average, curvature, direction, gain. Not their count.
    Learned,
    /// Which step is open, how many were dropped, and whether the episode is full.
    Mark,
    /// What else the end of an episode resets. A log's rows, which come last, are there during an episode only.
    Episode,
    /// All else.
    Other,
}

/// The parts of a saved state in their order, each with its length in bytes.
pub type Layout = Vec<(Part, usize)>;

/// The part that the rules with episodes share: three vectors, the count, and the curvature of past episodes.
fn iterate<A: Arithmetic, const N: usize>() -> Layout {
    let past = 2 * A::Scalar::BYTES + u32::BYTES;
    vec![(Part::Learned, 3 * N * A::Weight::BYTES), (Part::Other, u32::BYTES), (Part::Learned, past)]
}

/// A rule of `N` features.
pub trait AnyRule<A: Arithmetic, const N: usize>: Learner<Space = Space<A, N>> {
    /// One sample, in a state with this number if that matters to the rule.
    ///
    /// # Errors
    /// As [`Predictor::step`].
    fn step_at(
        predictor: &mut Predictor<Self>,
        state: u32,
        signal: Option<f32>,
        features: &[f32; N],
    ) -> Result<f32, RowError>
    where
        Self: Sized;

    /// Closes the rows of an episode, if the rule has episodes.
    fn close_rows(predictor: &mut Predictor<Self>)
    where
        Self: Sized;

    /// The same for an agent.
    fn close_rows_of<P: Policy<A, N>>(agent: &mut Agent<Self, P>)
    where
        Self: Sized;

    /// Its report, as that of an update.
    fn update(report: Self::Report) -> Update;

    /// All vectors of weights that it keeps.
    fn vectors(&self) -> [&[A::Weight; N]; 3];

    /// What a saved state consists of.
    fn layout() -> Layout;
}

macro_rules! episodic {
    ($([$($generic:tt)*] $rule:ty: $own:expr;)+) => {$(
        impl<A: Arithmetic, $($generic)*> AnyRule<A, N> for $rule
        where
            Self: Episodic<Space = Space<A, N>>,
        {
            fn step_at(
                predictor: &mut Predictor<Self>,
                state: u32,
                signal: Option<f32>,
                features: &[f32; N],
            ) -> Result<f32, RowError> {
                predictor.step_at(state, signal, features)
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
            fn vectors(&self) -> [&[A::Weight; N]; 3] {
                let state = self.state();
                [state.weights, state.averaged, state.velocity]
            }
            fn layout() -> Layout {
                [&iterate::<A, N>()[..], &$own].concat()
            }
        }
    )+};
}
episodic! {
    [M: osculate::rows::InSpace, const N: usize] Stored<M>: [
        (Part::Episode, u16::BYTES + u32::BYTES),
        (Part::Mark, 1 + u16::BYTES + u32::BYTES + 1 + 1),
    ];
    [const N: usize, const WORDS: usize] Streaming<A, N, WORDS>: [
        (Part::Learned, A::Direction::<N>::BYTES + 1),
        (Part::Episode, WORDS * u32::BYTES),
        (Part::Other, A::Row::<N>::BYTES),
        (Part::Mark, 1 + u32::BYTES),
        (Part::Episode, A::Trace::<N>::BYTES + 2 * A::Sum::<N>::BYTES + u32::BYTES),
        (Part::Mark, u32::BYTES + 1 + 1),
    ];
}

impl<A: Arithmetic, const N: usize> AnyRule<A, N> for Tracking<A, N> {
    fn step_at(
        predictor: &mut Predictor<Self>,
        _: u32,
        signal: Option<f32>,
        features: &[f32; N],
    ) -> Result<f32, RowError> {
        predictor.step(signal, features)
    }
    fn close_rows(_: &mut Predictor<Self>) {}
    fn close_rows_of<P: Policy<A, N>>(_: &mut Agent<Self, P>) {}
    fn update(report: TrackingReport) -> Update {
        let TrackingReport { rows: tau, all_rows: k, dropped, saturated, error: g_norm, gain: theta, .. } = report;
        let verdict = if tau > 0 { Verdict::Stepped } else { Verdict::Empty };
        Update { k, tau, dropped, saturated, g_norm, theta, verdict }
    }
    fn vectors(&self) -> [&[A::Weight; N]; 3] {
        let state = self.state();
        [state.weights, state.slow, state.mark]
    }
    fn layout() -> Layout {
        vec![
            (Part::Learned, 3 * N * A::Weight::BYTES),
            (Part::Episode, A::Eligibility::<N>::BYTES + 1 + A::Number::BYTES),
            (Part::Learned, 2 * u16::BYTES + 5 * A::Scalar::BYTES + 1 + u16::BYTES),
            (Part::Other, 3 * u32::BYTES),
            (Part::Episode, u32::BYTES),
            (Part::Other, A::Row::<N>::BYTES),
            (Part::Episode, 1 + A::Number::BYTES + 1 + u32::BYTES),
            (Part::Mark, u32::BYTES),
        ]
    }
}

/// The rules, each with what tests of all of them need to know: those of saved states and of recorded bits walk this
/// list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// `Stored` with its curvature from the same batch.
    Paper,
    /// The same with one-step targets.
    OneStep,
    /// `Stored` with the curvature of past batches.
    Predictable,
    /// `Stored` without curvature.
    Plain,
    /// `Streaming`.
    Streaming,
    /// The same with numbered states.
    StreamingByState,
    /// `Tracking`.
    Tracking,
    /// The same with γ = 0.
    TrackingRows,
}

/// What is done with a learner of any rule.
pub trait Visit<A: Arithmetic, const N: usize> {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit(self, learner: impl AnyRule<A, N> + 'static) -> Self::Output;
}

impl Listed {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Paper,
        Self::OneStep,
        Self::Predictable,
        Self::Plain,
        Self::Streaming,
        Self::StreamingByState,
        Self::Tracking,
        Self::TrackingRows,
    ];

    /// The rule's number in a saved state. What targets and states it has is not part of what was learned.
    pub fn number(self) -> u8 {
        match self {
            Self::Paper | Self::OneStep => 1,
            Self::Predictable => 2,
            Self::Plain => 3,
            Self::Streaming | Self::StreamingByState => 4,
            Self::Tracking | Self::TrackingRows => 5,
        }
    }

    /// Whether it has a log.
    pub fn has_log(self) -> bool {
        self.number() < 4
    }

    /// How many vectors of numbers a saved state begins with.
    pub fn vectors(self) -> usize {
        // Tracking has its trace there, too.
        if self.number() == 5 { 4 } else { 3 }
    }

    /// Visits a learner with the rule's defaults.
    pub fn visit<A: Arithmetic, V: Visit<A, N>, const N: usize>(self, visitor: V) -> V::Output {
        let tracking = TrackingConfig { every: 4, ..TrackingConfig::DEFAULT };
        let stored = |config| Stored::new(config, Log::<A, N, 12, 8>::NEW);
        match self {
            Self::Paper => visitor.visit(stored(StoredConfig::PAPER)),
            Self::OneStep => visitor.visit(stored(StoredConfig { targets: Targets::OneStep, ..StoredConfig::PAPER })),
            Self::Predictable => visitor.visit(stored(StoredConfig::PREDICTABLE)),
            Self::Plain => visitor.visit(stored(StoredConfig::PLAIN)),
            Self::Streaming => visitor.visit(Streaming::<A, N>::new(StreamingConfig::DEFAULT)),
            Self::StreamingByState => visitor.visit(Streaming::<A, N, 1>::by_state(StreamingConfig::DEFAULT)),
            Self::Tracking => visitor.visit(Tracking::<A, N>::new(tracking)),
            Self::TrackingRows => visitor.visit(Tracking::<A, N>::new(TrackingConfig { gamma: 0.0, ..tracking })),
        }
    }
}
