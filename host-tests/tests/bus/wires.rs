//! Two open-drain lines, what is on them, and what goes wrong.

use std::cell::RefCell;
use std::rc::Rc;

use osculate_apps::bus::{BitBanged, Levels, Lines};

use crate::thermometer::Thermometer;

/// What happens to the lines, besides their master and their thermometer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trouble {
    /// Somebody holds the data line low from this operation on, until the clock has risen this often.
    pub(crate) data_held: Option<(u32, u32)>,
    /// Somebody holds the clock low from this operation on, for this many looks at it.
    pub(crate) clock_held: Option<(u32, u32)>,
    /// Every clock is stretched by this many looks at it.
    pub(crate) stretch: u32,
    /// The master is reset before this operation: its pins let go, and what it does from then on stays inside.
    pub(crate) reset: Option<u32>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Wires {
    pub(crate) thermometer: Option<Thermometer>,
    pub(crate) trouble: Trouble,
    /// The number of calls by the master.
    pub(crate) operations: u32,
    master_clock: bool,
    master_data: bool,
    stretched: u32,
    seen: Option<Levels>,
}

impl Wires {
    /// Whether the master has let go of both lines.
    pub(crate) fn is_free(&self) -> bool {
        !self.master_clock && !self.master_data
    }

    fn levels(&self) -> Levels {
        let held = |held: Option<(u32, u32)>| held.is_some_and(|(from, left)| self.operations >= from && left > 0);
        let clock = !self.master_clock && self.stretched == 0 && !held(self.trouble.clock_held);
        let pulls = self.thermometer.as_ref().is_some_and(|thermometer| thermometer.pulls);
        Levels { clock, data: !self.master_data && !pulls && !held(self.trouble.data_held) }
    }

    /// Tells the thermometer what has changed.
    fn settle(&mut self) {
        let (before, now) = (self.seen.replace(self.levels()), self.levels());
        let before = before.unwrap_or(Levels { clock: true, data: true });
        if let (Some((from, left)), true) = (&mut self.trouble.data_held, now.clock && !before.clock)
            && self.operations >= *from
        {
            *left = left.saturating_sub(1);
        }
        let Some(thermometer) = &mut self.thermometer else { return };
        match (before.clock, now.clock) {
            (true, true) if before.data && !now.data => thermometer.start(),
            (true, true) if !before.data && now.data => thermometer.stop(),
            (false, true) => thermometer.clock_rises(now.data),
            (true, false) => thermometer.clock_falls(),
            _ => {}
        }
        // Its own pull is no start: that happens while the clock is low.
        self.seen = Some(self.levels());
    }

    fn operate(&mut self, operation: impl FnOnce(&mut Self)) {
        self.operations += 1;
        if self.trouble.reset.is_some_and(|reset| self.operations > reset) {
            (self.master_clock, self.master_data) = (false, false);
        } else {
            operation(self);
        }
        self.settle();
    }
}

/// A master's pins.
#[derive(Clone, Debug)]
pub(crate) struct Pins(pub(crate) Rc<RefCell<Wires>>);

impl Pins {
    pub(crate) fn new(thermometer: Option<Thermometer>, trouble: Trouble) -> Self {
        Self(Rc::new(RefCell::new(Wires { thermometer, trouble, ..Wires::default() })))
    }

    /// A master that has just been switched on.
    pub(crate) fn master(&self, patience: u32) -> BitBanged<Pins> {
        let master = BitBanged::new(self.clone(), patience);
        self.0.borrow_mut().operations = 0;
        master
    }
}

impl Lines for Pins {
    fn release_clock(&mut self) {
        self.0.borrow_mut().operate(|wires| wires.master_clock = false);
    }

    fn pull_clock(&mut self) {
        self.0.borrow_mut().operate(|wires| (wires.master_clock, wires.stretched) = (true, wires.trouble.stretch));
    }

    fn release_data(&mut self) {
        self.0.borrow_mut().operate(|wires| wires.master_data = false);
    }

    fn pull_data(&mut self) {
        self.0.borrow_mut().operate(|wires| wires.master_data = true);
    }

    fn levels(&mut self) -> Levels {
        let mut wires = self.0.borrow_mut();
        wires.operate(|_| {});
        let levels = wires.levels();
        if !wires.master_clock {
            wires.stretched = wires.stretched.saturating_sub(1);
        }
        if let Some((from, left)) = wires.trouble.clock_held
            && wires.operations >= from
        {
            wires.trouble.clock_held = Some((from, left.saturating_sub(1)));
        }
        wires.settle();
        levels
    }
}
