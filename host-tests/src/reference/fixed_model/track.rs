//! Tracking, in f64 and pairs.

use super::super::fixed::{Format, Phi};
use super::super::tracking::{Alarm, Finding, Ladder, Learned, Next, Numbers, Precision, Settings, State, Unusable};
use super::exact::{Pair, bits, clipped, dot, power, single, times, two_product};
use super::row::{Encoded, backed_up, encode, integers, raw, worth};
use super::rule::Closed;

/// A dutch trace: mantissas in units of 2^exponent.
#[derive(Clone, Debug)]
struct Trace {
    mantissas: Vec<f64>,
    exponent: i64,
}

/// The numbers of a fixed-point tracking learner, in f64.
#[derive(Clone, Debug)]
pub struct TrackingModel {
    p: i64,
    f: i64,
    settings: Settings,
    w: Vec<f64>,
    slow: Vec<f64>,
    mark: Vec<f64>,
    trace: Trace,
    expected: Option<Pair>,
    ladder: Ladder,
    alarm: Alarm,
    spread: f64,
    bounds: [f64; 2],
    rows: u32,
    saturated: u32,
}

/// The f32 nearest to an integer of at most 64 bits.
fn nearest_single(x: Pair) -> f64 {
    f64::from(x.integer() as f32)
}

/// An f32 as an integer of at most 24 bits and an exponent: its own bits, without any leading or trailing convention.
fn parts(x: f64) -> (f64, i64) {
    // Below the normal range, the unit stays that of the smallest normal numbers.
    let exponent = (bits(x) - 24).max(-149);
    (x * power(-exponent), exponent)
}

/// a·b·2^by, to the nearest integer.
fn product(a: f64, b: f64, by: i64) -> f64 {
    let (hi, lo) = two_product(a, b);
    Pair { hi, lo }.rounded(by).value()
}

impl TrackingModel {
    /// At w = 0.
    pub fn new(n: usize, format: Format, settings: Settings) -> Self {
        Self::at(vec![0.0; n], (format.feature_bits.into(), format.fraction_bits.into()), settings)
    }

    fn at(w: Vec<f64>, (p, f): (i64, i64), settings: Settings) -> Self {
        Self {
            p,
            f,
            settings,
            slow: w.clone(),
            mark: w.clone(),
            trace: Trace { mantissas: vec![0.0; w.len()], exponent: 0 },
            w,
            expected: None,
            ladder: Ladder::new(&settings, Precision::Single),
            alarm: Alarm::new(Precision::Single),
            spread: 0.0,
            bounds: [0.0; 2],
            rows: 0,
            saturated: 0,
        }
    }

    fn decay(&self) -> f64 {
        single(f64::from(self.settings.gamma) * f64::from(self.settings.lambda))
    }

    fn worth(&self, row: &Encoded, w: &[f64]) -> Pair {
        worth(&row.m, row.exponent, w, self.p + self.f)
    }

    fn following(&self, w: &[f64], next: &Next<'_, Encoded, Pair>) -> Option<Pair> {
        let mut value = match next {
            Next::Nothing => return None,
            Next::Row(row) => self.worth(row, w),
            Next::Value(value) => *value,
        };
        if self.settings.gamma < 1.0 && self.bounds != [0.0; 2] {
            let [low, high] = self.bounds.map(|bound| raw(bound as f32));
            if let Some(low) = low.filter(|low| value.minus(*low).value() < 0.0) {
                value = low;
            } else if let Some(high) = high.filter(|high| value.minus(*high).value() > 0.0) {
                value = high;
            }
        }
        Some(value)
    }

    fn goal(&self, reward: Pair, following: Option<Pair>) -> Pair {
        following.map_or(reward, |value| backed_up(reward, self.settings.gamma, value))
    }

    fn residual(&self, row: &Encoded, w: &[f64]) -> (f64, bool) {
        row.project(dot(&row.m, w).minus(row.t), self.p - 2)
    }

    fn pulled(&self, row: &Encoded, residual: f64, gain: f64, w: &[f64]) -> (Vec<f64>, u32) {
        let factor = single(gain * single(residual));
        let mut cut = 0;
        let step = |(w, m): (&f64, &f64)| {
            // 24 bits times at most 25: exact.
            let (change, is_change_cut) = clipped((factor * m * power(2 - self.p)).round_ties_even());
            let (next, is_next_cut) = clipped(w - change);
            cut += u32::from(is_change_cut || is_next_cut);
            next
        };
        let next = w.iter().zip(&row.m).map(step).collect();
        (next, cut)
    }

    /// 1/S as an f32.
    fn inverse(row: &Encoded) -> f64 {
        single(single(row.inverse) * power(-(row.square_bits + 25)))
    }

    /// Returns how many weights saturated, or `None` if a factor is not finite.
    fn traced(&mut self, row: &Encoded, goal: Pair, gain: f64) -> Option<u32> {
        let (decay, inverse) = (self.decay(), Self::inverse(row));
        let value = self.worth(row, &self.w);
        let expected = self.expected.unwrap_or(value);
        let old = self.trace.exponent;
        let along = single(nearest_single(dot(&row.m, &self.trace.mantissas)) * power(old + row.exponent - self.p));
        let entry = single(single(gain * single(1.0 - single(decay * along))) * inverse);
        let behind = single(nearest_single(value.minus(expected).cut64()) * power(-32));
        let back = single(single(gain * behind) * inverse);
        if !entry.is_finite() || !back.is_finite() {
            return None;
        }
        // The entry of a feature of 1.
        let (whole, unit) = parts(entry);
        let unit = unit + self.p - row.exponent;
        let longest = self.trace.mantissas.iter().map(|&z| bits(z)).max().filter(|&longest| longest > 0);
        let tops = [longest.map(|longest| longest + old), (whole != 0.0).then(|| bits(whole) + self.p + unit)];
        let exponent = tops.into_iter().flatten().max().map_or(0, |top| top - 29);
        let (kept, kept_unit) = parts(decay);
        for (z, &m) in self.trace.mantissas.iter_mut().zip(&row.m) {
            *z = product(kept, *z, kept_unit + old - exponent) + product(whole, m, unit - exponent);
        }
        self.trace.exponent = exponent;
        let forth = goal.minus(expected).cut64();
        let drop = (forth.bits() - 31).max(0);
        let forth = forth.rounded(-drop).value();
        let (back, back_unit) = parts(back);
        let mut cut = 0;
        for ((w, &z), &m) in self.w.iter_mut().zip(&self.trace.mantissas).zip(&row.m) {
            let (forth, is_forth_cut) = clipped(product(forth, z, drop - 32 + exponent + self.f));
            let (back, is_back_cut) = clipped(product(back, m, back_unit + self.p - row.exponent + self.f));
            let (next, is_next_cut) = clipped(*w + forth - back);
            *w = next;
            cut += u32::from(is_forth_cut || is_back_cut || is_next_cut);
        }
        Some(cut)
    }

    fn error(&self, row: &Encoded, residual: f64) -> f64 {
        let length = single(single(Self::inverse(row) * power(2 * self.p)).sqrt());
        single(single(single(residual.abs()) * power(2 - self.f)) / length)
    }

    fn check(&mut self) {
        let minus = |a: &[f64], b: &[f64]| {
            let way: Vec<Pair> = a.iter().zip(b).map(|(a, b)| Pair { hi: a - b, lo: 0.0 }).collect();
            Closed::of(&way, -self.f)
        };
        let (way, before) = (minus(&self.w, &self.mark), minus(&self.mark, &self.slow));
        let lengths = single(way.norm * before.norm);
        let cosine = match lengths {
            0.0 => 0.0,
            lengths => single(single(nearest_single(dot(&way.d, &before.d)) * power(-46)) / lengths),
        };
        self.ladder.turn(cosine);
        let share = self.ladder.share(self.settings.every, self.w.len());
        self.slow.iter_mut().zip(&self.w).for_each(|(slow, w)| *slow += times(w - *slow, share));
        self.mark.clone_from(&self.w);
        self.ladder.rows = 0;
    }
}

impl Numbers for TrackingModel {
    type Row = Encoded;
    type Number = Pair;

    fn encode(&self, phi: &Phi) -> Result<Encoded, Unusable> {
        let integers = integers(phi, self.p).ok_or(Unusable::NotFinite)?;
        encode(integers, self.p).ok_or(Unusable::Zeros)
    }

    fn number(&self, x: f32) -> Option<Pair> {
        raw(x)
    }

    fn to_f32(&self, number: Pair) -> f32 {
        (nearest_single(number) * power(-32)) as f32
    }

    fn value(&self, row: &Encoded) -> Pair {
        self.worth(row, &self.w)
    }

    fn see(&mut self, reward: f32) {
        let rest = single(1.0 - f64::from(self.settings.gamma));
        let forever = single(f64::from(reward) / rest);
        if forever < self.bounds[0] {
            self.bounds[0] = forever;
        } else if forever > self.bounds[1] {
            self.bounds[1] = forever;
        }
    }

    fn learn(&mut self, row: &Encoded, reward: Pair, next: Next<'_, Encoded, Pair>) -> Learned {
        let following = self.following(&self.w, &next);
        let goal = self.goal(reward, following);
        let Some(aimed) = row.clone().with_target(goal, self.p + self.f) else { return Learned::Refused };
        let (residual, is_cut) = self.residual(&aimed, &self.w);
        let gain = self.ladder.gain();
        if following.is_some() && self.decay() > 0.0 {
            let Some(cut) = self.traced(&aimed, goal, gain) else { return Learned::Refused };
            self.expected = following;
            self.saturated += cut;
        } else {
            let (next, cut) = self.pulled(&aimed, residual, gain, &self.w);
            self.w = next;
            self.saturated += cut + u32::from(is_cut);
        }
        self.rows += 1;
        let error = self.error(&aimed, residual);
        if !error.is_finite() {
            return Learned::Usual;
        }
        let square = single(error * error);
        if self.settings.gamma == 0.0 && square.is_finite() {
            let share = single(1.0 / f64::from(self.rows.min(100)));
            self.spread = single(self.spread + single(share * single(square - self.spread)));
        }
        let probe = (self.alarm.row > 0).then(|| {
            let goal = self.goal(reward, self.following(&self.mark, &next));
            let aimed = row.clone().with_target(goal, self.p + self.f)?;
            let (residual, _) = self.residual(&aimed, &self.mark);
            (self.mark, _) = self.pulled(&aimed, residual, 0.75, &self.mark);
            Some(self.error(&aimed, residual)).filter(|error| error.is_finite())
        });
        let probe = probe.map(|error| error.unwrap_or(f32::MAX.into()));
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
        self.trace = Trace { mantissas: vec![0.0; self.w.len()], exponent: 0 };
        self.expected = None;
    }

    fn restart(&mut self) {
        *self = Self::at(self.w.clone(), (self.p, self.f), self.settings);
    }

    fn report(&mut self) -> (u32, f32, f32, u32) {
        (self.rows, self.alarm.mean as f32, self.ladder.gain() as f32, std::mem::take(&mut self.saturated))
    }

    fn state(&self) -> State {
        let all = |x: &[f64]| x.iter().map(|&x| u64::from(x as i32 as u32)).collect::<Vec<_>>();
        let mut trace = all(&self.trace.mantissas);
        trace.push(u64::from(self.trace.exponent as i16 as u16));
        let Alarm { mean, excess, probe, weights, count, row, .. } = self.alarm;
        State {
            w: all(&self.w),
            slow: all(&self.slow),
            mark: all(&self.mark),
            trace,
            expected: self.expected.map(|value| value.integer() as u64),
            counts: [self.ladder.depth, self.ladder.rows, count, row],
            scalars: [mean, excess, probe, weights, self.spread].map(|x| (x as f32).to_bits().into()),
            bounds: self.bounds.map(|bound| (bound as f32).to_bits()),
            rows: self.rows,
        }
    }
}
