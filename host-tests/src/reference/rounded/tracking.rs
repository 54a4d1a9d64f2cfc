//! The rule that learns at every sample. In f64 nothing is rounded a second time. The numbers in the comments are the
//! steps of `docs/numerics.md`.
//!
//! Rows are not scaled, and only what is stored has a limited range.

use super::super::fixed::Phi;
use super::super::tracking::{Alarm, Finding, Ladder, Learned, Next, Numbers, Precision, Settings, State, Unusable};
use super::number::{kept, round24, widened};

/// A row: φ, ‖φ‖² and the power of two at or below its largest feature.
#[derive(Clone, Debug)]
pub struct Row {
    phi: Vec<f64>,
    square: f64,
    unit: f64,
}

/// The floats of a tracking learner.
#[derive(Clone, Debug)]
pub struct TrackingFloats {
    precision: Precision,
    settings: Settings,
    w: Vec<f64>,
    slow: Vec<f64>,
    mark: Vec<f64>,
    z: Vec<f64>,
    expected: Option<f64>,
    ladder: Ladder,
    alarm: Alarm,
    spread: f64,
    bounds: [f32; 2],
    rows: u32,
}

/// Arithmetic with an unlimited range.
impl Precision {
    fn near(self, x: f64) -> f64 {
        if self == Self::Single { round24(x) } else { x }
    }

    /// What a stored number would be.
    fn kept(self, x: f64) -> f64 {
        if self == Self::Single { kept(x) } else { x }
    }

    fn inner(self, a: &[f64], b: &[f64]) -> f64 {
        let mut lanes = [0.0; 4];
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            lanes[i % 4] = self.near(lanes[i % 4] + self.near(a * b));
        }
        self.near(self.near(lanes[0] + lanes[1]) + self.near(lanes[2] + lanes[3]))
    }
}

impl TrackingFloats {
    /// At w = 0.
    pub fn new(n: usize, precision: Precision, settings: Settings) -> Self {
        Self::at(vec![0.0; n], precision, settings)
    }

    fn at(w: Vec<f64>, precision: Precision, settings: Settings) -> Self {
        Self {
            precision,
            settings,
            slow: w.clone(),
            mark: w.clone(),
            z: vec![0.0; w.len()],
            w,
            expected: None,
            ladder: Ladder::new(&settings, precision),
            alarm: Alarm::new(precision),
            spread: 0.0,
            bounds: [0.0; 2],
            rows: 0,
        }
    }

    fn worth(&self, row: &Row, w: &[f64]) -> f64 {
        self.precision.kept(self.precision.inner(&row.phi, w))
    }

    /// 16. The value that follows by these weights.
    fn following(&self, w: &[f64], next: &Next<'_, Row, f64>) -> Option<f64> {
        let value = match next {
            Next::Nothing => return None,
            Next::Row(row) => self.worth(row, w),
            Next::Value(value) => *value,
        };
        let [low, high] = self.bounds.map(f64::from);
        // An infinite bound does not bind.
        Some(match value {
            value if self.settings.gamma >= 1.0 || (low, high) == (0.0, 0.0) => value,
            value if value < low && low.is_finite() => low,
            value if value > high && high.is_finite() => high,
            value => value,
        })
    }

    /// 16. The target, if the row can have it.
    fn target(&self, row: &Row, reward: f64, following: Option<f64>) -> Option<f64> {
        let precision = self.precision;
        let target = following.map_or(reward, |value| {
            precision.kept(precision.near(reward + precision.near(f64::from(self.settings.gamma) * value)))
        });
        (target.is_finite() && precision.kept(target / row.unit).is_finite()).then_some(target)
    }

    /// 17. (φ·w − V)/‖φ‖².
    fn residual(&self, row: &Row, target: f64, w: &[f64]) -> f64 {
        let precision = self.precision;
        precision.near(precision.near(precision.inner(&row.phi, w) - target) / row.square)
    }

    /// 17. The weights after a plain step, if they are finite.
    fn pulled(&self, row: &Row, residual: f64, gain: f64, w: &[f64]) -> Option<Vec<f64>> {
        let precision = self.precision;
        let factor = precision.near(gain * residual);
        let step =
            |(w, x): (&f64, &f64)| precision.kept(precision.near(w - precision.kept(precision.near(factor * x))));
        let next: Vec<f64> = w.iter().zip(&row.phi).map(step).collect();
        next.iter().all(|w| w.is_finite()).then_some(next)
    }

    /// 18. A traced step.
    fn trace(&mut self, row: &Row, target: f64, gain: f64) -> Option<Vec<f64>> {
        let precision = self.precision;
        let near = |x| precision.near(x);
        let kept = |x| precision.kept(near(x));
        let decay = self.decay();
        let value = self.worth(row, &self.w);
        let expected = self.expected.unwrap_or(value);
        let along = precision.inner(&self.z, &row.phi);
        let entry = near(near(gain * near(1.0 - near(decay * along))) / row.square);
        for (z, x) in self.z.iter_mut().zip(&row.phi) {
            *z = kept(near(decay * *z) + kept(entry * x));
        }
        let (forth, back) = (near(target - expected), near(near(gain * near(value - expected)) / row.square));
        let all = self.w.iter().zip(&self.z).zip(&row.phi);
        let next: Vec<f64> = all.map(|((w, z), x)| kept(kept(w - kept(back * x)) + kept(forth * z))).collect();
        next.iter().all(|w| w.is_finite()).then_some(next)
    }

    /// γλ.
    fn decay(&self) -> f64 {
        self.precision.round(f64::from(self.settings.gamma) * f64::from(self.settings.lambda))
    }

    /// 19. ε.
    fn error(&self, row: &Row, residual: f64) -> f64 {
        let precision = self.precision;
        precision.kept(precision.near(residual.abs() * precision.near(row.square.sqrt())))
    }

    /// 21. The cosine, and what follows from it.
    fn check(&mut self) {
        let precision = self.precision;
        let minus = |a: &[f64], b: &[f64]| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| precision.kept(precision.near(a - b))).collect()
        };
        let (way, before) = (minus(&self.w, &self.mark), minus(&self.mark, &self.slow));
        if way.iter().chain(&before).all(|x| x.is_finite()) {
            let length = |x: &[f64]| precision.near(precision.inner(x, x).sqrt());
            let lengths = precision.near(length(&way) * length(&before));
            self.ladder.turn(if lengths == 0.0 {
                0.0
            } else {
                precision.near(precision.inner(&way, &before) / lengths)
            });
        }
        let share = self.ladder.share(self.settings.every, self.w.len());
        for (slow, w) in self.slow.iter_mut().zip(&self.w) {
            *slow = precision.near(*slow + precision.near(share * precision.near(w - *slow)));
        }
        self.mark.clone_from(&self.w);
        self.ladder.rows = 0;
    }
}

impl Numbers for TrackingFloats {
    type Row = Row;
    type Number = f64;

    fn encode(&self, phi: &Phi) -> Result<Row, Unusable> {
        let Phi::Floats(phi) = phi else { return Err(Unusable::NotFinite) };
        if !phi.iter().all(|x| x.is_finite()) {
            return Err(Unusable::NotFinite);
        }
        let phi = widened(phi);
        let largest = phi.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if largest == 0.0 {
            return Err(Unusable::Zeros);
        }
        let square = self.precision.inner(&phi, &phi);
        Ok(Row { phi, square, unit: f64::from_bits(largest.to_bits() >> 52 << 52) })
    }

    fn number(&self, x: f32) -> Option<f64> {
        x.is_finite().then_some(x.into())
    }

    fn to_f32(&self, number: f64) -> f32 {
        number as f32
    }

    fn value(&self, row: &Row) -> f64 {
        self.worth(row, &self.w)
    }

    fn see(&mut self, reward: f32) {
        let forever = reward / (1.0 - self.settings.gamma);
        let [low, high] = self.bounds;
        self.bounds = [if forever < low { forever } else { low }, if forever > high { forever } else { high }];
    }

    fn learn(&mut self, row: &Row, reward: f64, next: Next<'_, Row, f64>) -> Learned {
        let precision = self.precision;
        let following = self.following(&self.w, &next);
        let Some(target) = self.target(row, reward, following) else { return Learned::Refused };
        let gain = self.ladder.gain();
        let residual = self.residual(row, target, &self.w);
        let moved = if following.is_some() && self.decay() > 0.0 {
            let moved = self.trace(row, target, gain);
            self.expected = following;
            moved
        } else {
            self.pulled(row, residual, gain, &self.w)
        };
        let Some(moved) = moved else { return Learned::Refused };
        self.w = moved;
        self.rows += 1;

        let error = self.error(row, residual);
        if !error.is_finite() {
            return Learned::Usual;
        }
        let square = precision.kept(precision.near(error * error));
        if self.settings.gamma == 0.0 && square.is_finite() {
            let share = precision.round(1.0 / f64::from(self.rows.min(100)));
            self.spread = precision.near(self.spread + precision.near(share * precision.near(square - self.spread)));
        }
        let probe = (self.alarm.row > 0).then(|| {
            let target = self.target(row, reward, self.following(&self.mark, &next))?;
            let residual = self.residual(row, target, &self.mark);
            self.mark = self.pulled(row, residual, 0.75, &self.mark)?;
            Some(self.error(row, residual)).filter(|error| error.is_finite())
        });
        let probe = probe.map(|error| error.unwrap_or(precision.largest()));
        match self.alarm.observe(error, probe, self.w.len(), self.rows) {
            Finding::Usual => {
                if self.alarm.row == 0 {
                    self.ladder.rows += 1;
                    if self.ladder.rows >= self.settings.every {
                        self.check();
                    }
                }
                Learned::Usual
            }
            Finding::Suspicion => {
                self.mark.clone_from(&self.w);
                self.ladder.rows = 0;
                Learned::Suspicion
            }
            Finding::Change => {
                self.w.clone_from(&self.mark);
                (self.ladder.depth, self.ladder.rows) = (0, 0);
                self.break_chain();
                Learned::Change
            }
            Finding::FalseAlarm => {
                self.mark.clone_from(&self.w);
                self.ladder.rows = 0;
                Learned::FalseAlarm
            }
        }
    }

    fn break_chain(&mut self) {
        self.z.fill(0.0);
        self.expected = None;
    }

    fn restart(&mut self) {
        *self = Self::at(self.w.clone(), self.precision, self.settings);
    }

    fn report(&mut self) -> (u32, f32, f32, u32) {
        (self.rows, self.alarm.mean as f32, self.ladder.gain() as f32, 0)
    }

    fn state(&self) -> State {
        let bits = |x: f64| match self.precision {
            Precision::Single => (x as f32).to_bits().into(),
            Precision::Double => x.to_bits(),
        };
        let all = |x: &[f64]| x.iter().map(|&x| bits(x)).collect();
        let Alarm { mean, excess, probe, weights, count, row, .. } = self.alarm;
        State {
            w: all(&self.w),
            slow: all(&self.slow),
            mark: all(&self.mark),
            trace: all(&self.z),
            expected: self.expected.map(bits),
            counts: [self.ladder.depth, self.ladder.rows, count, row],
            scalars: [mean, excess, probe, weights, self.spread].map(bits),
            bounds: self.bounds.map(f32::to_bits),
            rows: self.rows,
        }
    }
}
