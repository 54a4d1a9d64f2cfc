//! Lines of an I²C bus with any levels.

use std::cell::RefCell;

use embedded_hal::i2c::{I2c, Operation};
use osculate_apps::bus::{BitBanged, Levels, Lines, most_line_operations};

use osculate_host_tests::worlds::Dice;

use super::input::Fuzz;

/// Lines that somebody else pulls low at random, for a while rarely and for a while often.
#[derive(Debug)]
struct Noise {
    dice: Dice,
    /// How often in 64 the clock and the data line are held.
    clock: u32,
    data: u32,
    clock_pulled: bool,
    data_pulled: bool,
    operations: u32,
}

impl Noise {
    fn operate(&mut self) {
        self.operations += 1;
        if self.dice.below(64) == 0 {
            let rates = [0, 0, 1, 16, 32, 63, 64];
            self.data = rates[self.dice.below(rates.len() as u32) as usize];
            self.clock = if self.dice.below(4) == 0 { self.data } else { 0 };
        }
    }
}

/// The master's pins.
struct Pins<'n>(&'n RefCell<Noise>);

impl Pins<'_> {
    fn operate<T>(&self, operation: impl FnOnce(&mut Noise) -> T) -> T {
        let mut noise = self.0.borrow_mut();
        noise.operate();
        operation(&mut noise)
    }
}

impl Lines for Pins<'_> {
    fn release_clock(&mut self) {
        self.operate(|noise| noise.clock_pulled = false);
    }

    fn pull_clock(&mut self) {
        self.operate(|noise| noise.clock_pulled = true);
    }

    fn release_data(&mut self) {
        self.operate(|noise| noise.data_pulled = false);
    }

    fn pull_data(&mut self) {
        self.operate(|noise| noise.data_pulled = true);
    }

    fn levels(&mut self) -> Levels {
        self.operate(|noise| {
            let [clock_held, data_held] = [noise.clock, noise.data].map(|rate| noise.dice.below(64) < rate);
            Levels { clock: !noise.clock_pulled && !clock_held, data: !noise.data_pulled && !data_held }
        })
    }
}

/// Promise 14.
pub(super) fn live(fuzz: &mut Fuzz) {
    let (dice, patience) = (Dice::new(fuzz.any::<u64>()), fuzz.pick(&[0, 1, 10, 200]));
    let noise = Noise { dice, clock: 0, data: 32, clock_pulled: false, data_pulled: false, operations: 0 };
    let noise = RefCell::new(noise);
    let mut bus = BitBanged::new(Pins(&noise), patience);
    for _ in 0..8 {
        // Zeros come through a line that is often held.
        let [address, byte] = [0, 1].map(|_| if fuzz.one_in(2) { 0 } else { fuzz.below(128) as u8 });
        let (mut first, mut second) = ([0; 2], [0; 1]);
        let (first_read, second_read) = (&mut first[..fuzz.below(3) as usize], &mut second[..]);
        let mut all = [
            Operation::Write(&[byte, 0xff][..fuzz.below(3) as usize]),
            Operation::Read(first_read),
            Operation::Write(&[]),
            Operation::Read(second_read),
        ];
        let used = fuzz.below(all.len() as u32 + 1) as usize;
        let bytes: usize = all[..used].iter().map(length).sum();
        noise.borrow_mut().operations = 0;
        let result = bus.transaction(address, &mut all[..used]);
        let Noise { operations: made, clock_pulled, data_pulled, .. } = *noise.borrow();
        let most = most_line_operations(used as u32, bytes as u32, patience);
        assert!(made <= most, "{made} operations instead of {most} for {used} parts: {result:?}");
        assert!(used > 0 || made == 0);
        assert!(!clock_pulled && !data_pulled, "not released after {result:?}");
        fuzz.answered(if used == 0 { "nothing to do" } else { "done" }, &result);
    }
}

fn length(operation: &Operation<'_>) -> usize {
    match operation {
        Operation::Read(bytes) => bytes.len(),
        Operation::Write(bytes) => bytes.len(),
    }
}
