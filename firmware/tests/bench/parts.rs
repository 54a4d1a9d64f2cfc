//! Measures each part of the learner by itself.

use core::mem::size_of;

use cortex_m_stack::{current_stack_in_use, repaint_stack, stack_painted, stack_size};
use osculate::{ConfigError, Learner, Log, RowError, Space};
use osculate_firmware::report;
use osculate_programs::count::{Count, Part, Stretch};
use osculate_programs::report::Report;

use crate::counter::Counter;
use crate::workload::{Measurable, Workload};
use crate::{ROOM, TAU, naive, stored, streams};

pub(crate) const GAMMA: f32 = 0.9375;

/// Why a measurement is invalid.
#[derive(Debug)]
pub(crate) struct Refused;

impl From<RowError> for Refused {
    fn from(_: RowError) -> Self {
        Self
    }
}

impl From<ConfigError> for Refused {
    fn from(_: ConfigError) -> Self {
        Self
    }
}

/// Measures every part with `N` features and reports each.
///
/// Parts that do not fit into the board's RAM are skipped.
///
/// # Errors
/// [`Refused`] if a row of the workload is refused, which would make the numbers meaningless.
pub(crate) fn measure<A: Measurable, const N: usize>(meter: &Meter) -> Result<(), Refused> {
    if size_of::<Log<A, N, TAU, TAU>>() * 5 / 4 < ROOM {
        stored::passes_and_updates::<A, N>(meter)?;
        stored::episode::<A, N>(meter)?;
        stored::near::<A, N>(meter)?;
        stored::plain_row::<A, N>(meter)?;
    }
    if size_of::<naive::Rows<A, N>>() * 5 / 4 < ROOM {
        naive::pass1::<A, N>(meter);
    }
    streams::streaming::<A, N>(meter)?;
    streams::tracking::<A, N>(meter)
}

/// Measures instructions and stack.
pub(crate) struct Meter {
    pub(crate) counter: Counter,
    /// Whether the stack is measured, too.
    pub(crate) painted: bool,
}

impl Meter {
    /// Runs the work and returns its stack use in bytes.
    #[inline(never)]
    pub(crate) fn depth(&self, mut work: impl FnMut()) -> u32 {
        if !self.painted {
            work();
            return 0;
        }
        let before = current_stack_in_use();
        repaint_stack();
        work();
        stack_size() - stack_painted() - before
    }

    /// Runs the work and counts its instructions.
    pub(crate) fn count(&self, work: impl FnMut()) -> Measured {
        let stretch = Stretch { first: self.counter.counted(), length: 1, times: 1 };
        Measured { instructions: self.counter.count(work), stack: 0, stretch }
    }

    /// Runs the work twice, first for its stack, then for its count: the count is that of a warmed-up learner.
    pub(crate) fn part(&self, mut work: impl FnMut()) -> Measured {
        let stack = self.depth(&mut work);
        Measured { stack, ..self.count(&mut work) }
    }
}

/// The cost of a piece of work.
#[derive(Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) instructions: u32,
    pub(crate) stack: u32,
    pub(crate) stretch: Stretch,
}

impl Measured {
    /// Tells the host what a part costs.
    pub(crate) fn report<const N: usize>(self, part: Part) {
        report(&Report::Count(self.part::<N>(part)));
    }

    /// As a part of its own.
    pub(crate) fn part<const N: usize>(self, part: Part) -> Count {
        let Self { instructions, stack, stretch } = self;
        let stretches = [stretch, Stretch::default()];
        Count { part, n: N as u32, instructions, stack, stretches }
    }
}

/// An episode with one reward per row, not yet learned from.
pub(crate) fn fill<A: Measurable, const N: usize>(
    learner: &mut impl Learner<Space = Space<A, N>>,
    tau: usize,
) -> Result<(), Refused> {
    let mut workload = Workload::new(N);
    push(learner, tau, &mut || (A::raw(workload.features()), workload.number()))
}

/// This many rows from a source of features and rewards. Not inlined, since it is not measured and takes flash.
#[inline(never)]
pub(crate) fn push<A: Measurable, const N: usize>(
    learner: &mut impl Learner<Space = Space<A, N>>,
    tau: usize,
    next: &mut dyn FnMut() -> (A::Raw<N>, f32),
) -> Result<(), Refused> {
    for _ in 0..tau {
        let (features, reward) = next();
        learner.observe_raw(None, &features)?;
        learner.reward(Some(reward));
    }
    Ok(())
}
