//! A timer that resets the chip when it is not fed. It gives no warning.

use embassy_rp::Peri;
use embassy_rp::peripherals::WATCHDOG;
use embassy_rp::watchdog::{ResetReason, Watchdog};
use embassy_time::Duration;
use osculate_apps::boot::Cause;

use crate::post_mortem;
use crate::watchdog::Feed;

/// How long a round of the loop may take. The chip cannot count much further.
const PATIENCE: Duration = Duration::from_secs(8);

/// The running watchdog.
pub struct Feeder(Watchdog);

impl Feeder {
    /// Starts it. From now on the loop must come round.
    pub(super) fn start(watchdog: Peri<'static, WATCHDOG>) -> Self {
        let mut watchdog = Watchdog::new(watchdog);
        // Somebody who looks at a stopped program does not want it to be reset.
        watchdog.pause_on_debug(true);
        watchdog.start(PATIENCE);
        Self(watchdog)
    }
}

impl Feed for Feeder {
    fn feed(&mut self) {
        self.0.feed(PATIENCE);
    }
}

/// The cause of a reset that nobody could note before it happened.
pub(crate) fn unwanted_reset() -> Option<Cause> {
    // SAFETY: it only reads the reason, before anybody else uses the watchdog.
    let watchdog = Watchdog::new(unsafe { WATCHDOG::steal() });
    matches!(watchdog.reset_reason(), Some(ResetReason::TimedOut)).then(post_mortem::hang)
}
