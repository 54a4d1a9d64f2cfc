//! An I²C bus that several drivers share.
//!
//! `embedded_hal_bus` has one, too, but that panics if a driver is called in the middle of another's transaction.

use core::cell::RefCell;

use embedded_hal::i2c::{Error, ErrorKind, ErrorType, I2c, Operation};

/// One driver's access to the bus.
#[derive(Debug)]
pub struct SharedBus<'b, B>(&'b RefCell<B>);

/// Why a transaction failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedBusError<E> {
    /// Another driver is in the middle of a transaction.
    InUse,
    /// The bus's own error.
    Bus(E),
}

impl<'b, B> SharedBus<'b, B> {
    /// For one more driver.
    pub const fn new(bus: &'b RefCell<B>) -> Self {
        Self(bus)
    }
}

impl<E: Error> Error for SharedBusError<E> {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::InUse => ErrorKind::Other,
            Self::Bus(error) => error.kind(),
        }
    }
}

impl<B: ErrorType> ErrorType for SharedBus<'_, B> {
    type Error = SharedBusError<B::Error>;
}

impl<B: I2c> I2c for SharedBus<'_, B> {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), Self::Error> {
        let mut bus = self.0.try_borrow_mut().map_err(|_| SharedBusError::InUse)?;
        bus.transaction(address, operations).map_err(SharedBusError::Bus)
    }
}
