//! The application of a board that has a sensor, a light and nothing to control.
//!
//! It predicts its sensor, shows how surprised it is, and keeps what it has learned across power cuts.

use checkpoint_ring::{Budget, StoreError};
use osculate::Arithmetic;

use super::Nexting;
use crate::failure::Result;
use crate::fault::{Fault, FaultCounts};
use crate::message::Message;
use crate::store::{Keeper, Origin};
use crate::supervision::{Stage, Supervisor};

/// A board's sensor, and its clock.
pub trait Sensor {
    /// Waits until the next reading is due. False if there will be none: an emulated world ends.
    fn wait(&mut self) -> bool;

    /// Two readings in [−1, 1] or little more; the first is predicted.
    ///
    /// # Errors
    /// [`Fault`] if there is none this time.
    fn read(&mut self) -> core::result::Result<[f32; 2], Fault>;
}

/// What a light can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// How surprised the device is, from 0 to [`MOST`](Self::MOST).
    Surprise(u8),
    /// There is no reading.
    Fault,
}

impl Shown {
    /// The greatest surprise that can be told apart from others.
    pub const MOST: u8 = 5;
}

/// A board's light.
pub trait Light {
    /// Shows something until the next call.
    fn show(&mut self, shown: Shown);
}

/// No light.
#[derive(Clone, Copy, Debug)]
pub struct Dark;

impl Light for Dark {
    fn show(&mut self, _: Shown) {}
}

/// What a board gives to the application.
#[derive(Debug)]
pub struct Device<S, L, K, W> {
    /// What is predicted.
    pub sensor: S,
    /// Where surprise is shown.
    pub light: L,
    /// Keeps what is learned across power cuts.
    pub keeper: K,
    /// How often that is stored.
    pub budget: Budget,
    /// Watches the loop.
    pub supervisor: W,
}

impl<S: Sensor, L: Light, K: Keeper, W: Supervisor> Device<S, L, K, W> {
    /// Goes on from the newest checkpoint, and learns until the world ends; on a real board, forever.
    ///
    /// # Errors
    /// [`Failure`](crate::failure::Failure) if it cannot begin.
    pub fn learn<A: Arithmetic>(&mut self, mut tell: impl FnMut(&Message)) -> Result<()> {
        let mut nexting = Nexting::<A>::new()?;
        let mut origin = self.resume(&mut nexting);
        tell(&Message::Woken { origin, samples: nexting.samples() });
        let (mut faults, mut level) = (FaultCounts::new(), 0_u8);
        self.light.show(Shown::Surprise(0));
        loop {
            self.supervisor.reached(Stage::Act);
            if !self.sensor.wait() {
                return Ok(());
            }
            self.supervisor.reached(Stage::Wait);
            let reading = self.sensor.read();
            self.supervisor.reached(Stage::Sample);
            let learned = reading.and_then(|field| nexting.sample(field).map_err(|_| Fault::OutOfRange));
            match learned {
                Ok((moment, surprise)) => {
                    // A surprise fades instead of flashing by.
                    level = level_of(surprise).max(level.saturating_sub(1));
                    self.light.show(Shown::Surprise(level));
                    tell(&Message::Moment(moment));
                    if let Some(surprise) = surprise.filter(|surprise| level_of(Some(*surprise)) > 0) {
                        tell(&Message::Surprise(surprise));
                    }
                }
                Err(fault) => {
                    nexting.missed();
                    faults.add(fault);
                    level = 0;
                    self.light.show(Shown::Fault);
                    tell(&Message::Faults(faults));
                }
            }
            self.supervisor.reached(Stage::Learn);
            if self.budget.due() {
                if origin.is_unreadable() {
                    // What could not be read is not overwritten.
                    origin = self.resume(&mut nexting);
                    tell(&Message::Woken { origin, samples: nexting.samples() });
                } else {
                    tell(&Message::Stored(self.store(&nexting)));
                }
            }
            self.supervisor.reached(Stage::Store);
        }
    }

    #[inline(never)]
    fn resume<A: Arithmetic>(&mut self, nexting: &mut Nexting<A>) -> Origin {
        Origin::find(&mut self.keeper, &mut [0; MOST_BYTES], |bytes| nexting.restore(bytes)).0
    }

    #[inline(never)]
    fn store<A: Arithmetic>(&mut self, nexting: &Nexting<A>) -> core::result::Result<u32, StoreError> {
        let mut buffer = [0; MOST_BYTES];
        let length = nexting.save(&mut buffer).map_err(|_| StoreError::TooLong)?;
        self.keeper.store(buffer.get(..length).unwrap_or(&buffer))
    }
}

/// The most bytes of a checkpoint, in 32 bits and in fixed point.
pub const MOST_BYTES: usize = if Nexting::<f32>::BYTES > Nexting::<osculate::Q28>::BYTES {
    Nexting::<f32>::BYTES
} else {
    Nexting::<osculate::Q28>::BYTES
};

/// What a light shows of a surprise: nothing within the band and a little beyond it, where a reading in twenty is anyway;
/// then more and more.
fn level_of(surprise: Option<f32>) -> u8 {
    const STEPS: [f32; Shown::MOST as usize] = [1.5, 2.0, 3.0, 4.0, 6.0];
    let surprise = surprise.unwrap_or(0.0);
    STEPS.iter().filter(|step| surprise > **step).count() as u8
}
