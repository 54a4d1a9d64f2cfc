//! Why a run ends before its last evening.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;

/// The user wants no more output. Not a failure: the program cleans up and exits silently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// By a key, or a signal.
    Asked,
    /// The output was closed, as after `| head`.
    PipeClosed,
}

impl Stop {
    /// The exit code that a shell expects in this case.
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

/// Catches signals that would end the process, so that it can clean up first.
#[derive(Clone, Debug)]
pub(crate) struct Signals(Arc<AtomicBool>);

impl Signals {
    /// From now on and for the rest of the process, these signals only raise this flag.
    pub(crate) fn listen() -> Result<Self> {
        let arrived = Arc::new(AtomicBool::new(false));
        for signal in TERM_SIGNALS {
            flag::register(*signal, arrived.clone()).context("cannot listen to signals")?;
        }
        // Sent when the terminal is closed.
        #[cfg(unix)]
        flag::register(signal_hook::consts::SIGHUP, arrived.clone()).context("cannot listen to signals")?;
        Ok(Self(arrived))
    }

    /// Whether a signal has arrived.
    pub(crate) fn arrived(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
