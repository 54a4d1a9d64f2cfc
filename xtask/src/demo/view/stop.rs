//! Why a run ends before its last evening.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;

/// Somebody does not want to see more. Not a failure: whoever gets it cleans up and ends, saying nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// By a key, or a signal.
    Asked,
    /// The lines go nowhere any more, as after `| head`.
    PipeClosed,
}

impl Stop {
    /// What a shell expects of a process that ends for this.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Asked => 130,
            Self::PipeClosed => 141,
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Asked => "stopped on request",
            Self::PipeClosed => "nobody reads the output any more",
        })
    }
}

impl std::error::Error for Stop {}

/// Notices signals that would end the process, so that it can end in its own way.
#[derive(Clone, Debug)]
pub(crate) struct Signals(Arc<AtomicBool>);

impl Signals {
    /// From now on, for the rest of the process: they do nothing any more but raise this flag.
    pub(crate) fn listen() -> Result<Self> {
        let arrived = Arc::new(AtomicBool::new(false));
        for signal in TERM_SIGNALS {
            flag::register(*signal, arrived.clone()).context("cannot listen to signals")?;
        }
        // A terminal that is closed.
        #[cfg(unix)]
        flag::register(signal_hook::consts::SIGHUP, arrived.clone()).context("cannot listen to signals")?;
        Ok(Self(arrived))
    }

    /// Whether one has arrived.
    pub(crate) fn arrived(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
