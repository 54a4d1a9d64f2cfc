//! The simulated surroundings of a soak test.

use core::cell::RefCell;

use checkpoint_ring::{EEPROM_ADDRESS, EEPROM_BYTES, PIECE};
use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};
use embedded_io::{Read, Write};
use osculate::Random;

use osculate_apps::failure::Failure;
use osculate_apps::line::{Frames, MOST, Request, frame};
use osculate_apps::room::POWERS;
use osculate_apps::room::sensor::ADDRESSES;

use crate::tmp105::Tmp105;

/// What is wrong on the bus.
#[derive(Clone, Copy)]
enum Wrong {
    Address,
    Data,
    Bus,
    AllOnes,
    AllZero,
    Noise,
}

const WRONG: [Wrong; 6] = [Wrong::Address, Wrong::Data, Wrong::Bus, Wrong::AllOnes, Wrong::AllZero, Wrong::Noise];

/// A house, its bus, and its power supply.
pub(super) struct World {
    random: Random,
    /// °C of room, floor and outside.
    celsius: [f32; 3],
    thermometers: [Tmp105; 3],
    memory: [u8; EEPROM_BYTES],
    pointer: usize,
    /// What is wrong, and for how many transactions.
    wrong: Option<(Wrong, u32)>,
    /// Transactions until power fails.
    powered: u32,
    /// Whether the last transaction with a thermometer failed.
    lost: [bool; 3],
    pub(super) samples: u32,
    enough: u32,
    /// On the bus, so far.
    pub(super) faults: u32,
    /// A promise that was not kept.
    pub(super) broken: Option<Failure>,
}

impl World {
    pub(super) fn new(random: Random) -> Self {
        Self {
            random,
            celsius: [20.0, 22.0, 5.0],
            thermometers: Default::default(),
            memory: [0xff; EEPROM_BYTES],
            pointer: 0,
            wrong: None,
            powered: 0,
            lost: [false; 3],
            samples: 0,
            enough: 0,
            faults: 0,
            broken: None,
        }
    }

    /// Power is back, for a while.
    pub(super) fn switch_on(&mut self, enough: u32) {
        (self.thermometers, self.wrong, self.enough) = (Default::default(), None, enough);
        self.powered = 300 + self.random.below(6000);
    }

    /// A step of five minutes.
    fn heat(&mut self, level: u8) {
        if self.lost.contains(&true) && level != 0 {
            self.broken = Some(Failure("the heater was on without a reading"));
        }
        let power = POWERS.get(usize::from(level)).copied().unwrap_or(0.0);
        let mut noise = || self.random.below(1 << 12) as f32 / 2048.0 - 1.0;
        let (drift, weather) = (0.01 * noise(), 0.1 * noise());
        let [room, floor, outside] = self.celsius;
        self.celsius = [
            room + 0.077 * (floor - room) - 0.0257 * (room - outside) + drift,
            floor + 0.42 * power - 0.0216 * (floor - room),
            (outside + weather).clamp(-10.0, 15.0),
        ];
        self.samples += 1;
    }

    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        if self.powered == 0 {
            return Err(ErrorKind::Other);
        }
        self.powered -= 1;
        if self.wrong.is_none() && self.random.below(500) == 0 {
            let kind = WRONG[self.random.below(WRONG.len() as u32) as usize % WRONG.len()];
            self.wrong = Some((kind, 1 + self.random.below(12)));
        }
        let wrong = self.wrong.take().map(|(kind, left)| {
            self.faults += 1;
            if left > 1 {
                self.wrong = Some((kind, left - 1));
            }
            kind
        });
        let thermometer = ADDRESSES.iter().position(|known| *known == address);
        if let Some(lost) = thermometer.and_then(|number| self.lost.get_mut(number)) {
            // The other kinds may look like a reading.
            *lost = matches!(wrong, Some(Wrong::Address | Wrong::Data | Wrong::Bus | Wrong::AllOnes));
        }
        match wrong {
            Some(Wrong::Address) => return Err(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address)),
            Some(Wrong::Data) => return Err(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Data)),
            Some(Wrong::Bus) => return Err(ErrorKind::Bus),
            _ => {}
        }
        match thermometer {
            Some(number) => self.thermometer(number, operations),
            None if address == EEPROM_ADDRESS => self.eeprom(operations),
            None => return Err(ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address)),
        }
        // Data that are wrong without an error would look like an older checkpoint, so only thermometers show them.
        for operation in operations.iter_mut().filter(|_| thermometer.is_some()) {
            let Operation::Read(bytes) = operation else { continue };
            match wrong {
                Some(Wrong::AllOnes) => bytes.fill(0xff),
                Some(Wrong::AllZero) => bytes.fill(0),
                Some(Wrong::Noise) => bytes.iter_mut().for_each(|byte| *byte = self.random.below(256) as u8),
                _ => {}
            }
        }
        Ok(())
    }

    fn thermometer(&mut self, number: usize, operations: &mut [Operation<'_>]) {
        self.thermometers[number].temperature = (self.celsius[number] * 256.0) as i16;
        self.thermometers[number].transfer(operations);
    }

    fn eeprom(&mut self, operations: &mut [Operation<'_>]) {
        for operation in operations {
            match operation {
                Operation::Write([high, low, rest @ ..]) => {
                    self.pointer = usize::from(u16::from_be_bytes([*high, *low])) % EEPROM_BYTES;
                    // When power fails, some bytes are written and some are not.
                    let count = if self.powered == 0 { rest.len() / 2 } else { rest.len() };
                    let page = self.pointer / PIECE * PIECE;
                    for (i, byte) in rest.iter().take(count).enumerate() {
                        self.memory[(page + (self.pointer + i) % PIECE) % EEPROM_BYTES] = *byte;
                    }
                }
                Operation::Write(_) => {}
                Operation::Read(bytes) => {
                    for byte in bytes.iter_mut() {
                        *byte = self.memory[self.pointer % EEPROM_BYTES];
                        self.pointer += 1;
                    }
                }
            }
        }
    }
}

/// The bus.
pub(super) struct Bus<'w>(pub(super) &'w RefCell<World>);

impl ErrorType for Bus<'_> {
    type Error = ErrorKind;
}

impl I2c for Bus<'_> {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        self.0.try_borrow_mut().map_err(|_| ErrorKind::Other)?.transaction(address, operations)
    }
}

/// The line to the heater. It ends when power fails, or when it is enough.
pub(super) struct Line<'w> {
    world: &'w RefCell<World>,
    frames: Frames,
    answer: heapless::Deque<u8, MOST>,
}

impl<'w> Line<'w> {
    pub(super) fn new(world: &'w RefCell<World>) -> Self {
        Self { world, frames: Frames::new(), answer: heapless::Deque::new() }
    }
}

impl embedded_io::ErrorType for Line<'_> {
    type Error = embedded_io::ErrorKind;
}

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, embedded_io::ErrorKind> {
        let mut world = self.world.try_borrow_mut().map_err(|_| embedded_io::ErrorKind::Other)?;
        for byte in bytes {
            let Ok(Some(request)) = self.frames.push::<Request>(*byte) else { continue };
            if world.powered == 0 || world.samples >= world.enough {
                return Err(embedded_io::ErrorKind::BrokenPipe);
            }
            if let Request::Heat(level) = request {
                world.heat(level);
            }
            let mut buffer = [0; MOST];
            for byte in frame(&request.answer(), &mut buffer).unwrap_or_default() {
                _ = self.answer.push_back(*byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), embedded_io::ErrorKind> {
        Ok(())
    }
}

impl Read for Line<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, embedded_io::ErrorKind> {
        let mut count = 0;
        while let Some((byte, answer)) = bytes.get_mut(count).zip(self.answer.front()) {
            *byte = *answer;
            self.answer.pop_front();
            count += 1;
        }
        Ok(count)
    }
}
