//! What connects a row with the rows before it, where targets are discounted sums: the trace, and what was expected.

use crate::arithmetic::Arithmetic;
use crate::arithmetic::backend::{Empty, Persist, Scalar};

/// What follows a row.
pub(super) enum Next<'r, A: Arithmetic, const N: usize> {
    /// The next sample's row, whose value counts.
    Row(&'r A::Row<N>),
    /// A value.
    Value(A::Number),
    /// Nothing: the row has its whole target.
    Nothing,
}

/// The dutch trace of true-online TD(λ), and what the last step expected.
#[derive(Clone, Debug)]
pub(super) struct Chain<A: Arithmetic, const N: usize> {
    pub(super) trace: A::Eligibility<N>,
    /// v_old, the value that the last step expected of this one; `None` at the start of a chain.
    pub(super) expected: Option<A::Number>,
    /// The signal of a sample that waits for the value that follows.
    pub(super) reward: A::Number,
    /// No value is smaller or larger, since no reward so far was.
    pub(super) bounds: [f32; 2],
}

impl<A: Arithmetic, const N: usize> Chain<A, N> {
    /// The start of a chain.
    pub(super) const START: Self = Self { trace: Empty::EMPTY, expected: None, reward: Empty::EMPTY, bounds: [0.0; 2] };

    /// Takes a reward into account for the limits of the values.
    pub(super) fn see_reward(&mut self, reward: f32, gamma: f32) {
        let forever = reward.over(1.0_f32.minus(gamma));
        let [low, high] = &mut self.bounds;
        // Not `min` and `max`: which zero they choose depends on the target, and they are calls on these cores.
        if forever < *low {
            *low = forever;
        } else if forever > *high {
            *high = forever;
        }
    }

    /// A value within the limits. Without them, bootstrapping can diverge.
    fn bounded(&self, value: A::Number, gamma: f32) -> A::Number {
        let [low, high] = self.bounds;
        // Before the first reward nothing is known, and weights that were learned elsewhere must not be lost.
        if gamma >= 1.0 || (low == 0.0 && high == 0.0) {
            return value;
        }
        // 0 is never beyond a limit, so one of them is enough.
        let negative = value < A::Number::EMPTY;
        match A::number(if negative { low } else { high }) {
            Ok(limit) if if negative { value < limit } else { value > limit } => limit,
            _ => value,
        }
    }

    /// The value that follows, by these weights.
    #[inline(never)]
    pub(super) fn following(&self, weights: &[A::Weight; N], next: &Next<'_, A, N>, gamma: f32) -> A::Number {
        let value = match next {
            Next::Row(row) => A::value(row, weights),
            Next::Value(value) => *value,
            Next::Nothing => A::Number::EMPTY,
        };
        self.bounded(value, gamma)
    }

    /// The next row does not follow the last one.
    pub(super) fn cut(&mut self) {
        self.trace = Empty::EMPTY;
        self.expected = None;
    }

    /// Whether what was read back is usable.
    pub(super) fn is_finite(&self) -> bool {
        self.trace.is_valid() && self.expected.is_valid()
    }
}
