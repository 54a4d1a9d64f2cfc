//! Streaming episodes of positive features and rewards of one sign: in which direction the weights move.

use osculate::{Predictor, Streaming, StreamingConfig, Verdict};

use super::input::Fuzz;
use super::number::Fuzzed;

const N: usize = 3;

/// Promise 8. The weights begin on the other side of 0, so that the episode's sums consist of terms of one sign.
pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    while fuzz.goes_on() {
        let (gamma, sign) = (fuzz.pick(&[0.0, 0.5, 0.875, 1.0]), fuzz.pick(&[-1.0_f32, 1.0]));
        let learner = Streaming::<A, N, 1>::by_state(StreamingConfig { gamma, ..StreamingConfig::DEFAULT });
        let before = [0; N].map(|_| A::weight(-sign * fuzz.size()));
        let mut predictor = Predictor::new(learner).with_weights(before);
        let mut largest = 0.0_f32;
        let steps = if fuzz.one_in(8) { 40 } else { 8 };
        for _ in 0..=fuzz.below(steps) {
            let phi = [0; N].map(|_| 0.25 + (fuzz.below(1 << 14) as f32) / 21_846.0);
            let size = fuzz.size();
            // Sometimes a state that was already seen: no new row, and of no use to those before it if γ is 0.
            let opened = if fuzz.one_in(8) {
                predictor.step_at(0, None, &phi).map(|_| 0.0)
            } else {
                predictor.step(None, &phi).map(|_| size)
            };
            largest = largest.max(opened.unwrap_or(0.0));
            predictor.finish_with(sign * size);
            fuzz.called("steps");
        }
        let outcome = predictor.end();
        fuzz.called(format!("{:?}", outcome.verdict));
        if outcome.saturated > 0 {
            fuzz.saw("saturated");
        }
        let after = predictor.weights().map(|w| -> f64 { w.into() });
        for (before, after) in before.into_iter().zip(after) {
            let moved = (after - before.into()) * f64::from(sign);
            assert!(moved >= 0.0, "{moved}: {outcome:?}");
            if outcome.verdict == Verdict::Stepped && largest >= 1.0 {
                assert!(moved > 0.0, "it has not moved: {outcome:?}");
                fuzz.saw("moved as it should");
            }
        }
    }
}

impl Fuzz<'_> {
    /// Mostly 0, and at times as much as any format holds.
    fn size(&mut self) -> f32 {
        if self.below(4) > 0 { 0.0 } else { 2_f32.powi(self.below(32) as i32) * (1.5 + 0.5 * self.uniform()) / 2.0 }
    }
}
