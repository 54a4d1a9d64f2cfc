//! One light: on as long as the device is surprised.

use embedded_hal::digital::StatefulOutputPin;
use osculate_apps::nexting::device::{Light, Shown};

/// The light at a pin, on while it is high.
pub struct Lamp<P>(pub(super) P);

impl<P: StatefulOutputPin> Light for Lamp<P> {
    fn show(&mut self, shown: Shown) {
        // The pins of a chip have no errors.
        _ = match shown {
            Shown::Surprise(level) => self.0.set_state((level > 0).into()),
            // Blinks.
            Shown::Fault => self.0.toggle(),
        };
    }
}
