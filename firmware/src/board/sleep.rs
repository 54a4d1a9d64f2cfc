//! Waiting for an interrupt asleep, without an executor.

use core::future::Future;
use core::pin::pin;
use core::task::Poll;

use embassy_futures::poll_once;
use embassy_time::{Duration, Instant, Timer};
use osculate_apps::fault::Fault;
use osculate_apps::nexting::device::Sensor;

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

/// A sensor that is read at equal intervals.
pub(super) struct Timed<R> {
    next: Instant,
    period: Duration,
    read: R,
}

impl<R: FnMut() -> Result<[f32; 2], Fault>> Timed<R> {
    /// Reads this many times a second, from now on.
    pub(super) fn per_second(times: u32, read: R) -> Self {
        Self { next: Instant::now(), period: Duration::from_hz(times.into()), read }
    }
}

impl<R: FnMut() -> Result<[f32; 2], Fault>> Sensor for Timed<R> {
    /// Sleeps until it is time. A time that is over is not waited for, and those before it are left out.
    fn wait(&mut self) -> bool {
        let now = Instant::now();
        self.next += self.period;
        if self.next < now {
            self.next = now;
        }
        until(Timer::at(self.next));
        true
    }

    fn read(&mut self) -> Result<[f32; 2], Fault> {
        (self.read)()
    }
}
