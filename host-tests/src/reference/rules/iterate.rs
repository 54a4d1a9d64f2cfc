//! What an update moves.

use super::super::Gain;
use super::super::call::{Fate, Report, Settings, State};
use super::{Arithmetic, Direction, all_bits};

/// 9. The averages of past lengths of G and C.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    lengths: [f64; 2],
    count: u32,
}

impl Past {
    /// ϑ: 1/τ before any curvature was seen.
    pub(super) fn theta<A: Arithmetic>(&self, arithmetic: &A, tau: f64, cap: Option<f32>) -> f64 {
        match self.lengths {
            [total, change] if total == 0.0 || change == 0.0 => arithmetic.round(1.0 / tau),
            [total, change] => arithmetic.round(total / change).min(cap.unwrap_or(f32::MAX).into()),
        }
    }

    /// What leaves the range of floats is ignored.
    pub(super) fn observe<A: Arithmetic>(&mut self, arithmetic: &A, lengths: [f64; 2]) {
        if lengths.iter().any(|length| length.is_infinite()) {
            return;
        }
        self.count += 1;
        let share = arithmetic.round(1.0 / f64::from(self.count)).max(arithmetic.round(1.0 / 50.0));
        for (mean, length) in self.lengths.iter_mut().zip(lengths) {
            *mean = arithmetic.round(*mean + arithmetic.round(share * arithmetic.round(length - *mean)));
        }
    }
}

/// The weights, their velocity, their average, the number of the last update, and the past.
#[derive(Clone, Debug)]
pub struct Iterate<A: Arithmetic> {
    pub(super) arithmetic: A,
    pub(super) settings: Settings,
    pub(super) w: Vec<A::Number>,
    pub(super) averaged: Vec<A::Number>,
    velocity: Vec<A::Number>,
    pub(super) k: u32,
    pub(super) past: Past,
}

impl<A: Arithmetic> Iterate<A> {
    pub(super) fn new(n: usize, arithmetic: A, settings: Settings) -> Self {
        let zero = vec![A::Number::default(); n];
        let (w, averaged, velocity) = (zero.clone(), zero.clone(), zero);
        Self { arithmetic, settings, w, averaged, velocity, k: 0, past: Past::default() }
    }

    /// 10. From an estimate, at rest.
    pub(super) fn restart(&mut self, estimate: Vec<A::Number>) {
        self.velocity = vec![A::Number::default(); estimate.len()];
        (self.w, self.averaged, self.k) = (estimate.clone(), estimate, 0);
    }

    /// The report of an update that has done nothing yet.
    pub(super) fn report(&self, rows: usize, dropped: u32) -> Report {
        let (k, tau) = (self.k + 1, rows as u32);
        Report { k, tau, dropped, saturated: 0, g_norm: 0, theta: 0, fate: Fate::Empty }
    }

    /// 8. η_k·ϑ.
    pub(super) fn gain(&self, theta: f64) -> f64 {
        let round = |x| self.arithmetic.round(x);
        let k = round(self.k.into());
        let eta = match self.settings.gain {
            Gain::Harmonic => round(1.0 / k),
            Gain::ThreeQuarters => {
                let root = round(k.sqrt());
                round(1.0 / round(root * round(root.sqrt())))
            }
            Gain::Constant(gain) => round(gain),
        };
        round(eta * theta)
    }

    /// 10. Returns how many weights saturated. Changes nothing if the step is refused.
    pub(super) fn step(&mut self, direction: &Direction<A::Number>, a: f64) -> Option<u32> {
        let Self { arithmetic, w, velocity, averaged, .. } = self;
        let (moved, saturated) = arithmetic.stepped([w, velocity], direction, [a, self.settings.beta.into()])?;
        [*w, *velocity] = moved;
        let share = arithmetic.round(4.0 / arithmetic.round(f64::from(self.k) + 3.0));
        arithmetic.average(averaged, w, share);
        Some(saturated)
    }

    pub(super) fn state(&self) -> State {
        let Self { arithmetic, w, averaged, velocity, k, past, .. } = self;
        let rest = vec![A::Number::default(); velocity.len()];
        let way = arithmetic.difference(velocity, &rest).expect("a velocity is finite").length(arithmetic, 0);
        let [total, change] = past.lengths;
        State {
            vectors: [w, averaged, velocity].map(|vector| all_bits(arithmetic, vector)),
            trace: Vec::new(),
            expected: None,
            counts: vec![*k, past.count],
            scalars: [total, change, way].map(f64::to_bits).to_vec(),
        }
    }
}
