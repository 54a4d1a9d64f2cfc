//! ϑ from the lengths of past batches.

use super::number::{add, div, mul, round24, sub};

/// The running averages of ‖g‖ and ‖c‖, and the number of batches in them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Past {
    g: f64,
    c: f64,
    count: u32,
}

impl Past {
    /// G/C, clamped to the cap or to the largest f32. Before any curvature was seen: 1/τ.
    pub(super) fn theta(&self, tau: f64, cap: Option<f64>) -> f64 {
        if self.g == 0.0 || self.c == 0.0 {
            return div(1.0, tau);
        }
        div(self.g, self.c).min(cap.map_or(f32::MAX.into(), round24))
    }

    /// G += f (‖g‖ − G), C += f (‖c‖ − C), f = max(1/50, 1/(count + 1)). Infinite lengths are ignored.
    pub(super) fn observe(&mut self, g: f64, c: f64) {
        if g.is_infinite() || c.is_infinite() {
            return;
        }
        let share = f64::max(div(1.0, 50.0), div(1.0, round24(f64::from(self.count) + 1.0)));
        self.g = add(self.g, mul(share, sub(g, self.g)));
        self.c = add(self.c, mul(share, sub(c, self.c)));
        self.count += 1;
    }
}
