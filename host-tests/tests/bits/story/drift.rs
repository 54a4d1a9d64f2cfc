//! Inputs of tracking: a world that drifts, jumps, becomes noisy, and fails at times.

use osculate_host_tests::reference::call::{Event, Format, Phi, TrackingSettings};
use osculate_host_tests::worlds::{Dice, row};

use super::features::exponent;
use super::{Story, no_signal, once_in, one_of};
use crate::plan::{Plan, tracking};

/// How the targets come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Rows with their targets, γ = 0.
    Given,
    /// Signals of the samples before, γ = 0.
    Signals,
    /// A discounted future.
    Future,
}

/// A learner's input.
pub(crate) struct Drift {
    settings: TrackingSettings,
    /// Steps.
    length: u32,
    n: usize,
    way: Way,
    format: Option<Format>,
    /// What the targets are made of.
    truth: Vec<f32>,
    size: f32,
    drift: f32,
    noise: f32,
    /// Features are in units of up to 2^±spread, per row.
    spread: u32,
    step: u32,
    last: Vec<f32>,
}

impl Drift {
    pub(crate) fn story(dice: &mut Dice, n: usize, format: Option<Format>) -> Story {
        let way = one_of(dice, &[Way::Given, Way::Signals, Way::Future, Way::Future]);
        let settings = tracking(dice, way == Way::Future);
        // Near the end of a weight's range, or beyond.
        let limit = format.map_or(4.0, |format| 2_f32.powi(31 - format.fraction_bits));
        let size = one_of(dice, &[1.0, 1.0, 1.0, limit, 1.5 * limit]);
        let spread = match (way, format) {
            (Way::Future, _) => one_of(dice, &[0, 0, 0, 10]),
            (_, None) => one_of(dice, &[0, 0, 10, 60]),
            (_, Some(_)) => one_of(dice, &[0, 0, 10, 10]),
        };
        let mut drift = Self {
            settings,
            length: one_of(dice, &[400, 1_000, 2_000]),
            n,
            way,
            format,
            truth: row(dice, n).iter().map(|w| w * size).collect(),
            size,
            drift: one_of(dice, &[0.0, 0.0, 0.003, 0.03]),
            noise: one_of(dice, &[0.0, 0.01, 0.1, 0.5]),
            spread,
            step: 0,
            last: vec![0.0; n],
        };
        let (plan, length) = (Plan::Tracking(settings), drift.length);
        Story { plan, length, next: Box::new(move |dice| drift.next(dice)) }
    }

    /// Features, sometimes sparse; in fixed point sometimes in its own numbers.
    fn features(&mut self, dice: &mut Dice) -> Vec<f32> {
        let unit = 2_f32.powi(exponent(dice, self.spread));
        let mut phi = row(dice, self.n);
        match dice.below(12) {
            0 => phi.iter_mut().for_each(|x| *x *= dice.below(2) as f32),
            1 => phi = self.last.clone(),
            _ => {}
        }
        if phi.iter().all(|x| *x == 0.0) {
            phi[dice.below(self.n as u32) as usize] = 1.0;
        }
        self.last.clone_from(&phi);
        phi.iter().map(|x| x * unit).collect()
    }

    /// What a sensor says instead at times.
    fn spoilt(dice: &mut Dice, mut phi: Vec<f32>) -> Vec<f32> {
        let place = dice.below(phi.len() as u32) as usize;
        match dice.below(100) {
            0 => phi.fill(0.0),
            1 => phi[place] = one_of(dice, &[f32::NAN, f32::INFINITY]),
            _ => {}
        }
        phi
    }

    /// A reading: sometimes missing, not finite, out of range, or far from all others.
    fn reading(&self, dice: &mut Dice, usual: f32) -> Option<f32> {
        match dice.below(300) {
            0..3 => no_signal(dice),
            3 => Some(-0.0),
            // Fits no fixed-point format; in floats it would be the end of all learning.
            4 if self.format.is_some() => Some(one_of(dice, &[3e9, -1e30])),
            // Fits, but no row.
            5 | 6 if self.format.is_some() => Some(one_of(dice, &[1e9, -2_147_483_648.0, 1e5])),
            7 => Some(20.0 * usual),
            _ => Some(usual),
        }
    }

    /// The world moves on.
    fn turn(&mut self, dice: &mut Dice) {
        self.step += 1;
        let (size, drift) = (self.size, self.drift);
        self.truth.iter_mut().for_each(|w| *w += drift * size * dice.uniform());
        match dice.below(500) {
            0 => self.truth = row(dice, self.n).iter().map(|w| w * size).collect(),
            1 => self.noise = one_of(dice, &[0.0, 0.02, 0.2, 1.0]),
            _ => {}
        }
    }

    /// The same features, or integers of the format.
    fn held(&self, dice: &mut Dice, phi: Vec<f32>) -> Phi {
        let Some(format) = self.format.filter(|_| once_in(dice, 4)) else { return Phi::Floats(phi) };
        let limit = f32::from(i16::MAX);
        let one = 2_f32.powi(format.feature_bits);
        // NaN is 0 as an integer.
        Phi::Integers(phi.into_iter().map(|x| (x * one).clamp(-limit, limit) as i32).collect())
    }

    /// Targets near the largest float, along one axis: the result itself leaves the range, never a partial sum that
    /// would come back.
    fn out_of_range(&self, dice: &mut Dice) -> Vec<Event> {
        let mut phi = vec![0.0; self.n];
        phi[dice.below(self.n as u32) as usize] = 0.5;
        let target = |sign: f32| Event::Learn(sign * f32::MAX * 0.9, Phi::Floats(phi.clone()));
        vec![target(1.0), target(-1.0), target(1.0)]
    }

    fn next(&mut self, dice: &mut Dice) -> Vec<Event> {
        self.turn(dice);
        let before: f32 = self.last.iter().zip(&self.truth).map(|(x, w)| x * w).sum();
        let phi = self.features(dice);
        let signal = match self.way {
            Way::Given => phi.iter().zip(&self.truth).map(|(x, w)| x * w).sum(),
            Way::Signals => before,
            Way::Future => before * (1.0 - self.settings.gamma.min(0.9)),
        };
        let noise =
            self.noise * signal.abs().max(if self.way == Way::Given { 0.0 } else { self.size }) * dice.uniform();
        let signal = self.reading(dice, signal + noise);
        let phi = Self::spoilt(dice, phi);
        let mut events = Vec::new();
        if self.way == Way::Given || once_in(dice, 40) {
            events.push(Event::Learn(signal.unwrap_or(f32::INFINITY), Phi::Floats(phi.clone())));
        }
        if self.way != Way::Given {
            events.push(Event::Step(signal, None, self.held(dice, phi.clone())));
        }
        match dice.below(160) {
            0 | 1 => events.extend([Event::Last(signal), Event::End]),
            2 | 3 => {
                let cut = self.features(dice);
                events.extend([Event::Last(signal), Event::Cut(Phi::Floats(cut))]);
            }
            4 => events.extend([Event::End, Event::Begin(Phi::Floats(phi))]),
            5 => events.push(Event::Begin(Phi::Floats(phi))),
            6 if once_in(dice, 4) => events.push(Event::Restart),
            _ if self.step.is_multiple_of(100) => events.push(Event::End),
            _ => {}
        }
        if self.step == self.length && self.format.is_none() && self.way == Way::Given {
            events.extend(self.out_of_range(dice));
        }
        events
    }
}
