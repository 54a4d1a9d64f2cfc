//! Promise: a transaction on the I²C bus ends within its bound, whatever happens to the lines; it says what was wrong,
//! and once that is over, the next one works.

mod thermometer;
mod wires;

use std::collections::BTreeSet;

use embedded_hal::i2c::{Error, ErrorKind, I2c, NoAcknowledgeSource, Operation};
use osculate_apps::bus::{BitBanged, BusError, most_line_operations};

use crate::thermometer::{ADDRESS, Thermometer};
use crate::wires::{Pins, Trouble};

const PATIENCE: u32 = 500;
const FOR_EVER: u32 = u32::MAX;
/// Register, and two bytes: as in [`read`].
const BOUND: u32 = most_line_operations(2, 3, PATIENCE);
/// With nothing wrong there is no recovery, no waiting, and a stop that works.
const USUAL: u32 = BOUND - PATIENCE - 30 - 2;

/// Reads the temperature, and checks the bound.
fn read(pins: &Pins, bus: &mut BitBanged<Pins>) -> Result<u16, BusError> {
    pins.0.borrow_mut().operations = 0;
    let mut bytes = [0; 2];
    let result = bus.write_read(ADDRESS, &[0], &mut bytes);
    assert!(pins.0.borrow().is_free(), "the master has not let go of the lines");
    let operations = pins.0.borrow().operations;
    assert!(operations <= BOUND, "{operations} operations of {BOUND}");
    result.map(|()| u16::from_be_bytes(bytes))
}

/// After the trouble is over.
fn works(pins: &Pins, bus: &mut BitBanged<Pins>) {
    pins.0.borrow_mut().trouble = Trouble::default();
    let temperature = pins.0.borrow().thermometer.as_ref().expect("there is one").chip.temperature.cast_unsigned();
    assert_eq!(read(pins, bus), Ok(temperature), "if need be, after a recovery");
    assert_eq!(read(pins, bus), Ok(temperature));
    assert_eq!(pins.0.borrow().operations, USUAL, "no trace of the trouble");
}

fn with_trouble(temperature: u16, trouble: Trouble) -> (Pins, BitBanged<Pins>) {
    let pins = Pins::new(Some(Thermometer::new(temperature)), trouble);
    let bus = pins.master(PATIENCE);
    (pins, bus)
}

#[test]
fn operations_of_a_kind_are_one_and_empty_ones_do_no_harm() {
    let (pins, mut bus) = with_trouble(0x1230, Trouble::default());
    assert_eq!(bus.write(ADDRESS, &[1, 0x40]), Ok(()));
    let mut bytes = [0; 2];
    assert_eq!((bus.read(ADDRESS, &mut bytes), bytes), (Ok(()), [0x40, 0]), "the register that was written");
    assert_eq!(bus.write(ADDRESS, &[1, 0x60]), Ok(()));
    let (mut first, mut second) = ([0], [0]);
    let mut operations = [
        Operation::Write(&[]),
        Operation::Write(&[0]),
        Operation::Read(&mut first),
        Operation::Read(&mut []),
        Operation::Read(&mut second),
        Operation::Read(&mut []),
    ];
    assert_eq!(bus.transaction(ADDRESS, &mut operations), Ok(()));
    assert_eq!([first, second], [[0x12], [0x30]]);
    pins.0.borrow_mut().operations = 0;
    assert_eq!((bus.transaction(ADDRESS, &mut []), pins.0.borrow().operations), (Ok(()), 0));
    assert_eq!(bus.write(ADDRESS, &[]), Ok(()), "somebody is there");
    works(&pins, &mut bus);
}

#[test]
fn nobody_at_an_address_and_a_byte_that_is_refused_are_told_apart() {
    let missing = |source| Err(BusError::NoAcknowledge(source));
    let empty = Pins::new(None, Trouble::default());
    assert_eq!(read(&empty, &mut empty.master(PATIENCE)), missing(NoAcknowledgeSource::Address).map(|()| 0));
    let (pins, mut bus) = with_trouble(0x1500, Trouble::default());
    assert_eq!(bus.write(ADDRESS + 1, &[0]), missing(NoAcknowledgeSource::Address));
    assert_eq!(bus.write(ADDRESS, &[1, 2, 3, 4, 5]), missing(NoAcknowledgeSource::Data));
    works(&pins, &mut bus);
}

#[test]
fn a_data_line_that_is_held_for_up_to_nine_clocks_is_freed() {
    for clocks in 1..=9 {
        let (pins, mut bus) = with_trouble(0x1550, Trouble { data_held: Some((0, clocks)), ..Trouble::default() });
        assert_eq!(read(&pins, &mut bus), Ok(0x1550), "held for {clocks} clocks");
        assert_eq!(pins.0.borrow().operations, USUAL + 3 * clocks + 3);
        works(&pins, &mut bus);
    }
    let (pins, mut bus) = with_trouble(0x1550, Trouble { data_held: Some((0, 10)), ..Trouble::default() });
    assert_eq!(read(&pins, &mut bus), Err(BusError::DataHeld));
    works(&pins, &mut bus);
}

/// Whatever the thermometer is sending at that moment.
#[test]
fn a_reset_of_the_master_in_the_middle_of_a_transaction_is_survived() {
    let mut recovered = 0;
    for temperature in [0x0000, 0xfff0, 0x5550, 0xaaa0, 0x0ff0, 0x1470] {
        for reset in 0..USUAL {
            let (pins, mut bus) = with_trouble(temperature, Trouble { reset: Some(reset), ..Trouble::default() });
            // What a master sees that is cut off is not asked.
            _ = read(&pins, &mut bus);
            pins.0.borrow_mut().trouble = Trouble::default();
            let mut bus = pins.master(PATIENCE);
            assert_eq!(read(&pins, &mut bus), Ok(temperature), "{temperature:04x}, reset before operation {reset}");
            recovered += u32::from(pins.0.borrow().operations > USUAL);
            works(&pins, &mut bus);
        }
    }
    assert!(recovered > 200, "{recovered} times the data line was held");
}

#[test]
fn a_line_that_is_stuck_from_any_operation_on_ends_the_transaction() {
    let (data, clock) = (
        |from| Trouble { data_held: Some((from, FOR_EVER)), ..Trouble::default() },
        |from| Trouble { clock_held: Some((from, FOR_EVER)), ..Trouble::default() },
    );
    let mut errors = BTreeSet::new();
    let mut ends = |stuck: fn(u32) -> Trouble, from, expected: &[ErrorKind], at_once| {
        let (pins, mut bus) = with_trouble(0xfff0, stuck(from));
        let error = read(&pins, &mut bus).expect_err("nothing can be right").kind();
        assert!(expected.contains(&error), "{error} from operation {from} on");
        errors.insert(error);
        pins.0.borrow_mut().trouble = stuck(0);
        assert_eq!(read(&pins, &mut bus), Err(at_once), "and it stays so");
        works(&pins, &mut bus);
    };
    (0..=USUAL).for_each(|from| ends(data, from, &[ErrorKind::Bus, ErrorKind::ArbitrationLoss], BusError::DataHeld));
    // From the last look at the clock on, nobody needs it any more.
    (0..=USUAL - 2).for_each(|from| ends(clock, from, &[ErrorKind::Other], BusError::ClockHeld));
    assert_eq!(errors.len(), 3);
}

#[test]
fn a_clock_may_be_stretched_as_long_as_there_is_patience() {
    for (looks, result) in [(1, Ok(0x1470)), (PATIENCE, Ok(0x1470)), (PATIENCE + 1, Err(BusError::ClockHeld))] {
        let (pins, mut bus) = with_trouble(0x1470, Trouble { clock_held: Some((100, looks)), ..Trouble::default() });
        assert_eq!(read(&pins, &mut bus), result, "for {looks} looks");
        works(&pins, &mut bus);
    }
    // A little at every clock: 45 bits, a repeated start and the stop, after the first start.
    for (stretch, is_patient) in [(PATIENCE / 47, true), (PATIENCE / 47 + 1, false)] {
        let (pins, mut bus) = with_trouble(0x1470, Trouble { stretch, ..Trouble::default() });
        let expected = if is_patient { Ok(0x1470) } else { Err(BusError::ClockHeld) };
        assert_eq!(read(&pins, &mut bus), expected, "{stretch} looks at every clock");
        works(&pins, &mut bus);
    }
}

/// A bound that nothing comes near would be no bound worth checking.
#[test]
fn the_bound_is_reached() {
    let (pins, mut bus) = with_trouble(0x1470, Trouble::default());
    pins.0.borrow_mut().trouble =
        Trouble { data_held: Some((0, 9)), clock_held: Some((100, PATIENCE)), ..Trouble::default() };
    assert_eq!(read(&pins, &mut bus), Ok(0x1470));
    assert_eq!(pins.0.borrow().operations, BOUND - 2, "without letting go after a stop that failed");
    works(&pins, &mut bus);
    assert_eq!(most_line_operations(u32::MAX, u32::MAX, 0), u32::MAX);
}
