//! What tests ask any rule, whether it has episodes or not.

use osculate::control::Policy;
use osculate::{
    Agent, Arithmetic, Episodic, Learner, Predictor, RowError, Space, Stored, Streaming, Tracking, TrackingReport,
    Update, Verdict,
};

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
}

macro_rules! episodic {
    ($([$($generic:tt)*] $rule:ty;)+) => {$(
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
        }
    )+};
}
episodic! {
    [M: osculate::rows::InSpace, const N: usize] Stored<M>;
    [const N: usize, const WORDS: usize] Streaming<A, N, WORDS>;
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
}
