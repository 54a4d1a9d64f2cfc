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
    held: [u32; 2],
    /// What the master does.
    pulled: [bool; 2],
    operations: u32,
}

/// The master's pins.
struct Pins<'n>(&'n RefCell<Noise>);

impl Pins<'_> {
    /// What everybody does to the clock and to the data line, after this operation of the master.
    fn after(&self, operation: impl FnOnce(&mut [bool; 2])) -> [bool; 2] {
        let Noise { dice, held, pulled, operations } = &mut *self.0.borrow_mut();
        *operations += 1;
        operation(pulled);
        if dice.below(64) == 0 {
            let rates = [0, 0, 1, 16, 32, 63, 64];
            let rate = rates[dice.below(rates.len() as u32) as usize];
            *held = [if dice.below(4) == 0 { rate } else { 0 }, rate];
        }
        [0, 1].map(|line| pulled[line] || dice.below(64) < held[line])
    }
}

impl Lines for Pins<'_> {
    fn release_clock(&mut self) {
        self.after(|[clock, _]| *clock = false);
    }

    fn pull_clock(&mut self) {
        self.after(|[clock, _]| *clock = true);
    }

    fn release_data(&mut self) {
        self.after(|[_, data]| *data = false);
    }

    fn pull_data(&mut self) {
        self.after(|[_, data]| *data = true);
    }

    fn levels(&mut self) -> Levels {
        let [clock, data] = self.after(|_| ());
        Levels { clock: !clock, data: !data }
    }
}

/// Promise 14.
pub(super) fn live(fuzz: &mut Fuzz) {
    let (dice, patience) = (Dice::new(fuzz.any::<u64>()), fuzz.pick(&[0, 1, 10, 200]));
    let noise = RefCell::new(Noise { dice, held: [0, 32], pulled: [false; 2], operations: 0 });
    let mut bus = BitBanged::new(Pins(&noise), patience);
    for _ in 0..8 {
        // Zeros come through a line that is often held.
        let [address, byte] = [0, 1].map(|_| if fuzz.one_in(2) { 0 } else { fuzz.below(128) as u8 });
        let [written, read] = [fuzz.below(3), fuzz.below(3)];
        let (mut first, mut second) = ([0; 2], [0; 1]);
        let mut all = [
            Operation::Write(&[byte, 0xff][..written as usize]),
            Operation::Read(&mut first[..read as usize]),
            Operation::Write(&[]),
            Operation::Read(&mut second),
        ];
        let used = fuzz.below(all.len() as u32 + 1);
        let bytes: u32 = [written, read, 0, 1].iter().take(used as usize).sum();
        noise.borrow_mut().operations = 0;
        let result = bus.transaction(address, &mut all[..used as usize]);
        let Noise { operations: made, pulled, .. } = *noise.borrow();
        let most = most_line_operations(used, bytes, patience);
        assert!(made <= most, "{made} operations instead of {most} for {used} parts: {result:?}");
        assert!(used > 0 || made == 0);
        assert!(pulled == [false; 2], "not released after {result:?}");
        fuzz.answered(if used == 0 { "nothing to do" } else { "done" }, &result);
    }
}
