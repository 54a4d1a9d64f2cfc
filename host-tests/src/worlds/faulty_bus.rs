//! An I²C bus on which something goes wrong for a while.

use std::collections::HashMap;

use embedded_hal::i2c::{Error, ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};

/// What goes wrong: an error instead of the transaction, or other data than the device has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nobody acknowledges the address.
    AddressNack,
    /// The device does not acknowledge a byte.
    DataNack,
    /// A bus error.
    BusError,
    /// Arbitration is lost.
    ArbitrationLoss,
    /// The bus gives up waiting.
    Timeout,
    /// Every bit that is read is 1.
    AllOnes,
    /// Every bit that is read is 0.
    AllZeros,
    /// The largest number that a thermometer can show.
    OutOfRange,
    /// What was read first, again and again.
    Frozen,
    /// 15 °C more and 15 °C less than there is, in turn.
    Jumping,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::AddressNack,
        Self::DataNack,
        Self::BusError,
        Self::ArbitrationLoss,
        Self::Timeout,
        Self::AllOnes,
        Self::AllZeros,
        Self::OutOfRange,
        Self::Frozen,
        Self::Jumping,
    ];

    /// The error that the master sees, if it sees one.
    pub fn error(self) -> Option<ErrorKind> {
        match self {
            Self::AddressNack => Some(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address)),
            Self::DataNack => Some(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Data)),
            Self::BusError => Some(ErrorKind::Bus),
            Self::ArbitrationLoss => Some(ErrorKind::ArbitrationLoss),
            Self::Timeout => Some(ErrorKind::Other),
            Self::AllOnes | Self::AllZeros | Self::OutOfRange | Self::Frozen | Self::Jumping => None,
        }
    }
}

/// What goes wrong, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injection {
    /// What.
    pub kind: Kind,
    /// The first transaction, counted from 0.
    pub from_transaction: u32,
    /// The number of transactions; `u32::MAX` for ever.
    pub transactions: u32,
}

/// A bus with an injected fault.
#[derive(Clone, Debug)]
pub struct FaultyBus<B> {
    bus: B,
    injection: Option<Injection>,
    address: Option<u8>,
    transactions: u32,
    injected: u32,
    /// The first data of each address since the fault began, for [`Kind::Frozen`].
    frozen: HashMap<u8, Vec<u8>>,
    /// Where each address has jumped, for [`Kind::Jumping`].
    is_up: HashMap<u8, bool>,
}

impl<B> FaultyBus<B> {
    /// A bus without a fault.
    pub fn new(bus: B) -> Self {
        Self {
            bus,
            injection: None,
            address: None,
            transactions: 0,
            injected: 0,
            frozen: HashMap::new(),
            is_up: HashMap::new(),
        }
    }

    /// Injects a fault, instead of the one before, into the transactions with one device or with all of them.
    pub fn inject(&mut self, injection: Injection, address: Option<u8>) {
        (self.injection, self.address) = (Some(injection), address);
        self.frozen.clear();
    }

    /// The bus itself.
    pub fn into_inner(self) -> B {
        self.bus
    }

    /// The same, to look at while it is in use.
    pub fn inner_mut(&mut self) -> &mut B {
        &mut self.bus
    }

    /// Every transaction works from now on.
    pub fn heal(&mut self) {
        self.injection = None;
    }

    /// The number of transactions so far, tried or done.
    pub fn transactions(&self) -> u32 {
        self.transactions
    }

    /// How many of them had the fault.
    pub fn injected(&self) -> u32 {
        self.injected
    }

    fn fault_of_next(&self, address: u8) -> Option<Kind> {
        let Injection { kind, from_transaction, transactions } = self.injection?;
        let since = self.transactions.checked_sub(from_transaction)?;
        (since < transactions && self.address.is_none_or(|only| only == address)).then_some(kind)
    }
}

impl<B> ErrorType for FaultyBus<B> {
    type Error = ErrorKind;
}

impl<B: I2c> I2c for FaultyBus<B> {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        let kind = self.fault_of_next(address);
        self.transactions += 1;
        if let Some(error) = kind.and_then(Kind::error) {
            self.injected += 1;
            return Err(error);
        }
        self.bus.transaction(address, operations).map_err(|error| error.kind())?;
        let Some(kind) = kind else { return Ok(()) };
        for operation in operations {
            let Operation::Read(bytes) = operation else { continue };
            self.injected += 1;
            match (kind, &mut bytes[..]) {
                (Kind::AllOnes, bytes) => bytes.fill(0xff),
                (Kind::AllZeros, bytes) => bytes.fill(0),
                (Kind::OutOfRange, [first, second, ..]) => [*first, *second] = [0x7f, 0xf0],
                (Kind::Jumping, [degrees, ..]) => {
                    let is_up = self.is_up.entry(address).or_default();
                    *is_up = !*is_up;
                    *degrees = degrees.wrapping_add_signed(if *is_up { 15 } else { -15 });
                }
                (Kind::Frozen, bytes) => {
                    let frozen = self.frozen.entry(address).or_insert_with(|| bytes.to_vec());
                    for (byte, frozen) in bytes.iter_mut().zip(frozen) {
                        *byte = *frozen;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
