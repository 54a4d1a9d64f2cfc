//! Readings of any bits, and thermometers on a bus that answers anything.

use std::cell::RefCell;

use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};
use osculate_apps::fault::Fault;
use osculate_apps::plausible::{Limits, Plausible};
use osculate_apps::room::sensor::{ATTEMPTS, LIMITS, Thermometers};
use osculate_host_tests::worlds::Dice;
use osculate_lab::room::test_bed::NoTime;

use super::input::Fuzz;

pub(super) fn live(fuzz: &mut Fuzz) {
    if fuzz.one_in(4) { thermometers(fuzz) } else { channel(fuzz) }
}

/// Promise 15, against the history of a channel.
fn channel(fuzz: &mut Fuzz) {
    let jump = if fuzz.is_wild() { fuzz.any_float() } else { fuzz.pick(&[0.0, 0.25, 1.0, f32::INFINITY]) };
    let (low, high) = if fuzz.is_wild() { (fuzz.any_float(), fuzz.any_float()) } else { (-1.0, 1.0) };
    let limits = Limits { low, high, jump, frozen: fuzz.pick(&[0, 1, 2, 3, 10, u16::MAX]) };
    let mut plausible = Plausible::new(limits);
    let mut history: Vec<(f32, Result<f32, Fault>)> = Vec::new();
    let (mut begun, mut reading) = (0, fuzz.float());
    for _ in 0..30 {
        if fuzz.one_in(16) {
            plausible.begin();
            begun = history.len();
        }
        if !fuzz.one_in(3) {
            reading = fuzz.float();
        }
        let answer = plausible.check(reading);
        let expected = judged(&limits, &history, begun, reading);
        assert_eq!(answer.map(f32::to_bits), expected.map(|()| reading.to_bits()), "{reading} after {history:?}");
        history.push((reading, answer));
        fuzz.answered("believed", &answer);
    }
}

fn judged(limits: &Limits, history: &[(f32, Result<f32, Fault>)], begun: usize, reading: f32) -> Result<(), Fault> {
    let equal = history.iter().rev().take_while(|(before, _)| before.to_bits() == reading.to_bits()).count() + 1;
    let is_near = |other: f32| (reading - other).abs() <= limits.jump;
    let recent = &history[begun..];
    let last = recent.iter().rev().find_map(|(_, answer)| answer.ok());
    let confirmed = match recent.last() {
        Some((before, Err(Fault::Jumping))) => is_near(*before),
        _ => false,
    };
    if reading.is_nan() || limits.low.is_nan() || limits.high.is_nan() || reading < limits.low || reading > limits.high
    {
        Err(Fault::OutOfRange)
    } else if limits.frozen > 0 && equal >= usize::from(limits.frozen) {
        Err(Fault::Frozen)
    } else if last.is_none() || last.is_some_and(is_near) || confirmed {
        Ok(())
    } else {
        Err(Fault::Jumping)
    }
}

/// A bus that answers anything, or a reading that changes little.
struct Anything {
    dice: Dice,
    /// How many transactions in 16 go wrong.
    wild: u32,
    transactions: u32,
}

impl ErrorType for Anything {
    type Error = ErrorKind;
}

impl I2c for Anything {
    fn transaction(&mut self, _: u8, operations: &mut [Operation<'_>]) -> Result<(), ErrorKind> {
        self.transactions += 1;
        let nobody = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address);
        let is_wild = self.dice.below(16) < self.wild;
        if is_wild && self.dice.below(2) == 0 {
            let errors = [nobody, ErrorKind::Bus, ErrorKind::ArbitrationLoss, ErrorKind::Overrun, ErrorKind::Other];
            return Err(errors[self.dice.below(errors.len() as u32) as usize]);
        }
        for operation in operations {
            if let Operation::Read(bytes) = operation {
                bytes.fill_with(|| self.dice.bits() as u8);
                if let (false, [high, low]) = (is_wild, &mut bytes[..]) {
                    (*high, *low) = (20, *low & 0xf0);
                }
            }
        }
        Ok(())
    }
}

fn thermometers(fuzz: &mut Fuzz) {
    let wild = 2 * fuzz.below(9);
    let bus = RefCell::new(Anything { dice: Dice::new(fuzz.any::<u64>()), wild, transactions: 0 });
    let mut thermometers = Thermometers::new(&bus);
    if !fuzz.one_in(4) {
        thermometers.start(&mut NoTime);
    }
    for _ in 0..20 {
        let (before, transactions) = (thermometers.faults().total(), bus.borrow().transactions);
        let answer = thermometers.read();
        let faults = thermometers.faults().total() - before;
        assert!(bus.borrow().transactions - transactions <= 3 * ATTEMPTS);
        assert!(if answer.is_ok() { faults == 0 } else { (1..=3).contains(&faults) }, "{faults} of {answer:?}");
        if let Ok(reading) = answer {
            let channels = [reading.room, reading.floor, reading.outside].into_iter().zip(LIMITS);
            for (reading, Limits { low, high, .. }) in channels {
                assert!(reading >= low && reading <= high, "{reading}");
            }
        }
        fuzz.answered("reading", &answer);
    }
}
