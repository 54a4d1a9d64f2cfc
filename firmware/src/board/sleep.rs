//! Waiting for an interrupt asleep, without an executor.

use core::future::Future;
use core::pin::pin;
use core::task::Poll;

use embassy_futures::poll_once;
use embassy_time::{Duration, Instant, Timer};

/// Sleeps until the future is ready. Every interrupt wakes the core, which then looks at the future again; so no waker is
/// needed. (An interrupt between the look and the sleep is not lost: it sets the core's event register.)
pub(super) fn until<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = poll_once(future.as_mut()) {
            return output;
        }
        cortex_m::asm::wfe();
    }
}

/// A clock that strikes at equal intervals.
#[derive(Debug)]
pub(super) struct Clock {
    next: Instant,
    period: Duration,
}

impl Clock {
    /// Strikes this many times a second, from now on.
    pub(super) fn per_second(times: u32) -> Self {
        Self { next: Instant::now(), period: Duration::from_hz(times.into()) }
    }

    /// Sleeps until it strikes. A strike that is over is not waited for, and those before it are left out.
    pub(super) fn wait(&mut self) {
        let now = Instant::now();
        self.next += self.period;
        if self.next < now {
            self.next = now;
        }
        until(Timer::at(self.next));
    }
}
