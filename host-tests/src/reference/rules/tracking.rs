//! The rule that learns at every sample.

use super::super::call::{State, TrackingSettings};
use super::alarm::{Alarm, Finding, Ladder};
use super::{Arithmetic, Chain, all_bits};

/// What follows a row.
#[derive(Debug)]
pub(super) enum Next<'r, A: Arithmetic> {
    /// Nothing: the target is given.
    Nothing,
    /// The next sample's row.
    Row(&'r A::Row),
    /// This value.
    Value(A::Number),
}

/// A learner that is given one row after another.
#[derive(Clone, Debug)]
pub(super) struct Tracking<A: Arithmetic> {
    pub(super) arithmetic: A,
    pub(super) settings: TrackingSettings,
    pub(super) w: Vec<A::Number>,
    slow: Vec<A::Number>,
    mark: Vec<A::Number>,
    chain: Chain<A>,
    ladder: Ladder,
    pub(super) alarm: Alarm,
    bounds: [f32; 2],
    pub(super) rows: u32,
    pub(super) saturated: u32,
}

impl<A: Arithmetic> Tracking<A> {
    /// Knows w, and nothing else.
    pub(super) fn at(w: Vec<A::Number>, arithmetic: A, settings: TrackingSettings) -> Self {
        Self {
            arithmetic,
            settings,
            slow: w.clone(),
            mark: w.clone(),
            chain: Chain::new(w.len()),
            w,
            ladder: Ladder::default(),
            alarm: Alarm::default(),
            bounds: [0.0; 2],
            rows: 0,
            saturated: 0,
        }
    }

    /// 15. μ.
    pub(super) fn gain(&self) -> f64 {
        self.ladder.gain(&self.arithmetic, &self.settings)
    }

    /// 16. Bounds the values by a reward.
    pub(super) fn see(&mut self, reward: f32) {
        let forever = reward / (1.0 - self.settings.gamma);
        let [low, high] = self.bounds;
        self.bounds = [if forever < low { forever } else { low }, if forever > high { forever } else { high }];
    }

    /// 16. The value that follows by these weights.
    fn following(&self, w: &[A::Number], next: &Next<'_, A>) -> Option<A::Number> {
        let value = match next {
            Next::Nothing => return None,
            Next::Row(row) => self.arithmetic.value(row, w),
            Next::Value(value) => *value,
        };
        if self.settings.gamma >= 1.0 || self.bounds == [0.0; 2] {
            return Some(value);
        }
        let [low, high] = self.bounds.map(|bound| self.arithmetic.number(bound));
        match (low, high) {
            (Some(low), _) if value < low => Some(low),
            (_, Some(high)) if value > high => Some(high),
            _ => Some(value),
        }
    }

    /// 16. The target, and the row that has it.
    fn aimed(&self, row: &A::Row, reward: A::Number, following: Option<A::Number>) -> Option<(A::Number, A::Row)> {
        let backup = |value| self.arithmetic.backup(reward, self.settings.gamma, value);
        let target = following.map_or(reward, backup);
        Some((target, self.arithmetic.aimed(row.clone(), target)?))
    }

    /// 17 and 18. Moves w, unless the row is refused. Returns its error.
    fn step(&mut self, row: &A::Row, reward: A::Number, next: &Next<'_, A>) -> Option<f64> {
        let (gain, settings) = (self.gain(), self.settings);
        let decay = self.arithmetic.round(f64::from(settings.gamma) * f64::from(settings.lambda));
        let following = self.following(&self.w, next);
        let (target, aimed) = self.aimed(row, reward, following)?;
        let (residual, is_cut) = self.arithmetic.residual(&aimed, &self.w);
        let (w, saturated) = if following.is_some() && decay > 0.0 {
            let moved = self.arithmetic.traced(&self.w, &mut self.chain, &aimed, target, [gain, decay])?;
            self.chain.expected = following;
            moved
        } else {
            let (w, saturated) = self.arithmetic.pulled(&self.w, &aimed, residual, gain)?;
            (w, saturated + u32::from(is_cut))
        };
        self.w = w;
        self.saturated += saturated;
        self.rows += 1;
        Some(self.arithmetic.error(&aimed, residual))
    }

    /// 20. Moves the probe, unless it refuses the row. Returns its error.
    fn probe(&mut self, row: &A::Row, reward: A::Number, next: &Next<'_, A>) -> Option<f64> {
        let (_, aimed) = self.aimed(row, reward, self.following(&self.mark, next))?;
        let (residual, _) = self.arithmetic.residual(&aimed, &self.mark);
        (self.mark, _) = self.arithmetic.pulled(&self.mark, &aimed, residual, 0.75)?;
        Some(self.arithmetic.error(&aimed, residual)).filter(|error| error.is_finite())
    }

    /// 16 to 21. Learns from a row.
    pub(super) fn learn(&mut self, row: &A::Row, reward: A::Number, next: &Next<'_, A>) -> Finding {
        let Some(error) = self.step(row, reward, next) else { return Finding::Refused };
        if !error.is_finite() {
            return Finding::Usual;
        }
        if self.settings.gamma == 0.0 {
            self.alarm.spread(&self.arithmetic, error, self.rows);
        }
        let is_probed = self.alarm.row > 0;
        let probe = is_probed.then(|| self.probe(row, reward, next).unwrap_or(self.arithmetic.largest()));
        let finding = self.alarm.observe(&self.arithmetic, error, probe, (self.w.len(), self.rows));
        match finding {
            Finding::Refused | Finding::Usual if is_probed => {}
            Finding::Refused | Finding::Usual => {
                self.ladder.rows += 1;
                if self.ladder.rows >= self.settings.every {
                    self.check();
                }
            }
            Finding::Suspicion | Finding::FalseAlarm => {
                self.mark.clone_from(&self.w);
                self.ladder.rows = 0;
            }
            Finding::Change => {
                self.w.clone_from(&self.mark);
                self.ladder = Ladder::default();
                self.break_chain();
            }
        }
        finding
    }

    /// 21.
    fn check(&mut self) {
        let Self { arithmetic, settings, w, slow, mark, ladder, .. } = self;
        let differences = arithmetic.difference(w, mark).zip(arithmetic.difference(mark, slow));
        ladder.turn(differences.map_or(0.0, |(u, d)| arithmetic.cosine(&u, &d)), settings);
        let ratio = arithmetic.round(f64::from(settings.every) / (2 * w.len()) as f64);
        let share = arithmetic.round(ladder.gain(arithmetic, settings) * ratio).min(0.5);
        arithmetic.average(slow, w, share);
        mark.clone_from(w);
        ladder.rows = 0;
    }

    /// 18. The next row does not follow the last one.
    pub(super) fn break_chain(&mut self) {
        self.chain = Chain::new(self.w.len());
    }

    pub(super) fn state(&self) -> State {
        let Self { arithmetic, w, slow, mark, chain, ladder, alarm, bounds: [low, high], .. } = self;
        let mut trace = all_bits(arithmetic, &chain.z);
        trace.extend(arithmetic.exponent_bits(chain.exponent));
        let Alarm { mean, excess, probe, weights, spread, count, row } = *alarm;
        let scalars = [mean, excess, probe, weights, spread, f64::from(*low), f64::from(*high)];
        let counts = [ladder.depth, ladder.rows, count, row].map(u32::from);
        State {
            vectors: [w, slow, mark].map(|vector| all_bits(arithmetic, vector)),
            trace,
            expected: chain.expected.map(|value| arithmetic.number_bits(value)),
            counts: [&counts[..], &[self.rows]].concat(),
            scalars: scalars.map(f64::to_bits).to_vec(),
        }
    }
}
