//! What connects a row with the rows before it, where targets are discounted sums: the trace, and what was expected.

use core::fmt::Debug;

use crate::arithmetic::Arithmetic;
use crate::arithmetic::backend::{Empty, Persist, Scalar, Value};
use crate::sealed::Sealed;
use crate::state::{Reader, Writer};

/// What follows a row.
pub(super) enum Next<'r, A: Arithmetic, const N: usize> {
    /// The next sample's row, whose value counts.
    Row(Value<'r, A, N>),
    /// A value.
    Value(A::Number),
    /// Nothing: the row has its whole target.
    Nothing,
}

/// Whether a [`Tracking`](super::Tracking) learner keeps a trace: [`Traced`] or [`Untraced`]. Sealed.
pub trait Chain<A: Arithmetic, const N: usize>: Sealed + Clone + Debug + 'static {
    /// The start of a chain.
    #[doc(hidden)]
    const START: Self;
    /// Whether there is a trace.
    #[doc(hidden)]
    const TRACED: bool;
    /// The trace, if there is one.
    #[doc(hidden)]
    fn traced(&mut self) -> Option<&mut Traced<A, N>>;
    /// The signal of a sample that waits for the value that follows.
    #[doc(hidden)]
    fn reward(&self) -> A::Number;
    /// Remembers it.
    #[doc(hidden)]
    fn set_reward(&mut self, reward: A::Number);
    /// The next row does not follow the last one.
    #[doc(hidden)]
    fn cut(&mut self);
    /// Whether what was read back is usable.
    #[doc(hidden)]
    fn is_finite(&self) -> bool;
    /// Writes the trace and what was expected. Without a trace, both are empty.
    #[doc(hidden)]
    fn write(&self, writer: &mut Writer<'_>);
    /// Reads them.
    #[doc(hidden)]
    fn read(&mut self, reader: &mut Reader<'_>);
    /// Writes the limits of the values.
    #[doc(hidden)]
    fn write_bounds(&self, writer: &mut Writer<'_>);
    /// Reads them.
    #[doc(hidden)]
    fn read_bounds(&mut self, reader: &mut Reader<'_>);
}

/// The bytes of what [`Chain::write`] writes.
pub(super) const fn bytes<A: Arithmetic, const N: usize>() -> usize {
    A::Eligibility::<N>::BYTES + Option::<A::Number>::BYTES
}

/// The dutch trace of true-online TD(λ), for any γ: n numbers.
#[derive(Clone, Debug)]
pub struct Traced<A: Arithmetic, const N: usize> {
    pub(super) trace: A::Eligibility<N>,
    /// v_old, the value that the last step expected of this one; `None` at the start of a chain.
    pub(super) expected: Option<A::Number>,
    /// The signal of a sample that waits for the value that follows.
    reward: A::Number,
    /// No value is smaller or larger, since no reward so far was.
    pub(super) bounds: [f32; 2],
}

/// No trace: for γ = 0, where a row has nothing to do with those before it.
#[derive(Clone, Copy, Debug)]
pub struct Untraced;

impl<A: Arithmetic, const N: usize> Traced<A, N> {
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
    pub(super) fn following(&self, weights: &[A::Weight; N], next: &mut Next<'_, A, N>, gamma: f32) -> A::Number {
        let value = match next {
            Next::Row(value) => value(weights),
            Next::Value(value) => *value,
            Next::Nothing => A::Number::EMPTY,
        };
        self.bounded(value, gamma)
    }
}

impl<A: Arithmetic, const N: usize> Sealed for Traced<A, N> {}

impl<A: Arithmetic, const N: usize> Chain<A, N> for Traced<A, N> {
    const START: Self = Self { trace: Empty::EMPTY, expected: None, reward: Empty::EMPTY, bounds: [0.0; 2] };
    const TRACED: bool = true;

    fn traced(&mut self) -> Option<&mut Self> {
        Some(self)
    }

    fn reward(&self) -> A::Number {
        self.reward
    }

    fn set_reward(&mut self, reward: A::Number) {
        self.reward = reward;
    }

    fn cut(&mut self) {
        self.trace = Empty::EMPTY;
        self.expected = None;
    }

    fn is_finite(&self) -> bool {
        A::is_eligibility(&self.trace) && self.expected.is_none_or(A::is_finite)
    }

    fn write(&self, writer: &mut Writer<'_>) {
        self.trace.write(writer);
        self.expected.write(writer);
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        self.trace.read(reader);
        self.expected.read(reader);
    }

    fn write_bounds(&self, writer: &mut Writer<'_>) {
        self.bounds.write(writer);
    }

    fn read_bounds(&mut self, reader: &mut Reader<'_>) {
        self.bounds.read(reader);
    }
}

impl Sealed for Untraced {}

impl<A: Arithmetic, const N: usize> Chain<A, N> for Untraced {
    const START: Self = Self;
    const TRACED: bool = false;

    fn traced(&mut self) -> Option<&mut Traced<A, N>> {
        None
    }

    fn reward(&self) -> A::Number {
        Empty::EMPTY
    }

    fn set_reward(&mut self, _: A::Number) {}

    fn cut(&mut self) {}

    fn is_finite(&self) -> bool {
        true
    }

    // As a learner with a trace and γ = 0 would, so that either can read what the other has written.

    fn write(&self, writer: &mut Writer<'_>) {
        (0..bytes::<A, N>()).for_each(|_| 0_u8.write(writer));
    }

    fn read(&mut self, reader: &mut Reader<'_>) {
        for _ in 0..bytes::<A, N>() {
            reader.get::<u8>();
        }
    }

    fn write_bounds(&self, writer: &mut Writer<'_>) {
        [0.0_f32; 2].write(writer);
    }

    fn read_bounds(&mut self, reader: &mut Reader<'_>) {
        let _: [f32; 2] = [reader.get(), reader.get()];
    }
}
