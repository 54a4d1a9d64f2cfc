//! Lights of the micro:bit v1's display.

use osculate_apps::nexting::device::{Light, Shown};

use crate::board::registers::Registers;

const SET: usize = 0x508;
const CLEAR: usize = 0x50c;
const MAKE_OUTPUT: usize = 0x518;

/// The first of the display's three rows, and the first of the columns of its lights.
const ROW: u32 = 1 << 13;
const FIRST_COLUMN: u32 = 4;

/// Lights of one row: the more, the greater the surprise.
#[derive(Debug)]
pub struct Lamp(Registers);

impl Lamp {
    pub(super) fn new(mut pins: Registers) -> Self {
        // A light is on while its row is high and its column low.
        pins.write(SET, ROW | columns(Shown::MOST));
        pins.write(MAKE_OUTPUT, ROW | columns(Shown::MOST));
        Self(pins)
    }
}

/// The bits of the first columns.
fn columns(count: u8) -> u32 {
    ((1 << count.min(Shown::MOST)) - 1) << FIRST_COLUMN
}

impl Light for Lamp {
    fn show(&mut self, shown: Shown) {
        let lit = match shown {
            Shown::Surprise(level) => columns(level),
            // The two ends.
            Shown::Fault => 1 << FIRST_COLUMN | 1 << (FIRST_COLUMN + u32::from(Shown::MOST) - 1),
        };
        self.0.write(SET, columns(Shown::MOST));
        self.0.write(CLEAR, lit);
    }
}
