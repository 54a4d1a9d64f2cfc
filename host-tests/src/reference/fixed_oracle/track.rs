//! Tracking: 15 to 21, with scalars in the machine's f32.

use super::super::fixed::{Format, Phi};
use super::super::tracking::{Learned, Next, Numbers, Settings, State, Unusable};
use super::row::{Encoded, back_up, cut64, raw};
use super::rule::close;
use super::{cut32, dot, integer_and_exponent, len, shifted, times};

/// The integers of a tracking learner.
#[derive(Clone, Debug)]
pub struct TrackingIntegers {
    format: Format,
    settings: Settings,
    w: Vec<i128>,
    slow: Vec<i128>,
    p: Vec<i128>,
    /// ζ and E.
    zeta: Vec<i128>,
    e: i64,
    v_old: Option<i128>,
    depth: u16,
    check_count: u16,
    mean: f32,
    c: f32,
    j: u16,
    probe_row: u16,
    e_v: f32,
    e_w: f32,
    spread: f32,
    bounds: [f32; 2],
    rows: u32,
    saturated: u32,
}

/// x·2^by, rounded once.
fn scaled(x: f32, by: i64) -> f32 {
    (f64::from(x) * 2_f64.powi(by as i32)) as f32
}

/// 15. T[r mod 8]·2^−⌊r/8⌋.
fn ladder(r: u16) -> f32 {
    scaled(2_f64.powf(-f64::from(r % 8) / 8.0) as f32, -i64::from(r / 8))
}

/// 1. 1/S.
fn inverse(row: &Encoded) -> f32 {
    scaled(row.inverse as f32, -(row.l + 25))
}

impl TrackingIntegers {
    /// At w = 0.
    pub fn new(n: usize, format: Format, settings: Settings) -> Self {
        Self::at(vec![0; n], format, settings)
    }

    fn at(w: Vec<i128>, format: Format, settings: Settings) -> Self {
        Self {
            format,
            settings,
            slow: w.clone(),
            p: w.clone(),
            zeta: vec![0; w.len()],
            w,
            e: 0,
            v_old: None,
            depth: 0,
            check_count: 0,
            mean: 0.0,
            c: 0.0,
            j: 0,
            probe_row: 0,
            e_v: 0.0,
            e_w: 0.0,
            spread: 0.0,
            bounds: [0.0; 2],
            rows: 0,
            saturated: 0,
        }
    }

    fn bits(&self) -> i64 {
        self.format.feature_bits.into()
    }

    fn fraction(&self) -> i64 {
        self.format.fraction_bits.into()
    }

    /// 15.
    fn gain(&self) -> f32 {
        self.settings.gain * ladder((self.depth + 16) / 32)
    }

    /// 15.
    fn deepest(&self) -> u16 {
        let Settings { gain, least_gain, .. } = self.settings;
        32 * (1..=128).take_while(|&r| gain * ladder(r) >= least_gain).last().unwrap_or(0)
    }

    /// 16. v′ by these weights.
    fn following(&self, w: &[i128], next: &Next<'_, Encoded, i128>) -> Option<i128> {
        let value = match next {
            Next::Nothing => return None,
            Next::Row(row) => self.format.product(&row.m, row.e, w),
            Next::Value(value) => *value,
        };
        if self.settings.gamma >= 1.0 || self.bounds.iter().all(|bound| *bound == 0.0) {
            return Some(value);
        }
        let value = raw(self.bounds[0]).map_or(value, |low| value.max(low));
        Some(raw(self.bounds[1]).map_or(value, |high| value.min(high)))
    }

    /// 16. V, and the row that has it.
    fn aimed(&self, row: &Encoded, reward: i128, following: Option<i128>) -> Option<(i128, Encoded)> {
        let target = following.map_or(reward, |value| back_up(reward, self.settings.gamma, value));
        Some((target, self.format.with_target(row.clone(), target)?))
    }

    /// 4. The residual.
    fn residual(&self, row: &Encoded, w: &[i128]) -> (i128, bool) {
        row.quotient(dot(&row.m, w) - row.t, self.bits() - 2)
    }

    /// 17. The weights after a plain step, and how many saturated.
    fn pulled(&self, row: &Encoded, r: i128, gain: f32, w: &[i128]) -> (Vec<i128>, u32) {
        let (a, power) = integer_and_exponent(gain * r as f32);
        let mut saturated = 0;
        let step = |(w, m): (&i128, &i128)| {
            let (change, is_change_cut) = cut32(shifted(a * m, power + 2 - self.bits()));
            let (next, is_next_cut) = cut32(w - change);
            saturated += u32::from(is_change_cut || is_next_cut);
            next
        };
        (w.iter().zip(&row.m).map(step).collect(), saturated)
    }

    /// 18.
    fn traced(&mut self, row: &Encoded, target: i128, gain: f32, rho: f32) -> Option<u32> {
        let (bits, fraction) = (self.bits(), self.fraction());
        let value = self.format.product(&row.m, row.e, &self.w);
        let v_old = self.v_old.unwrap_or(value);
        let x = scaled(dot(&row.m, &self.zeta) as f32, self.e + row.e - bits);
        let c = (gain * (1.0 - rho * x)) * inverse(row);
        let b = (gain * scaled(cut64(value - v_old) as f32, -32)) * inverse(row);
        if !c.is_finite() || !b.is_finite() {
            return None;
        }
        let (a, alpha) = integer_and_exponent(c);
        let (alpha, (b_rho, beta)) = (alpha + bits - row.e, integer_and_exponent(rho));
        let all = self.zeta.iter().fold(0, |all, z| all | z.abs());
        let old = (all != 0).then(|| len(all) + self.e);
        let new = (a != 0).then(|| len(a) + bits + alpha);
        let e = old.max(new).map_or(0, |top| top - 29);
        for (z, m) in self.zeta.iter_mut().zip(&row.m) {
            *z = shifted(b_rho * *z, beta + self.e - e) + shifted(a * m, alpha - e);
        }
        self.e = e;
        let along = cut64(target - v_old);
        let drop = (len(along) - 31).max(0);
        let along = shifted(along, -drop);
        let (back, beta) = integer_and_exponent(b);
        let mut saturated = 0;
        for ((w, z), m) in self.w.iter_mut().zip(&self.zeta).zip(&row.m) {
            let (forth, is_forth_cut) = cut32(shifted(along * z, drop - 32 + e + fraction));
            let (back, is_back_cut) = cut32(shifted(back * m, beta + bits - row.e + fraction));
            let (next, is_next_cut) = cut32(*w + forth - back);
            saturated += u32::from(is_forth_cut || is_back_cut || is_next_cut);
            *w = next;
        }
        Some(saturated)
    }

    /// 19. ε.
    fn error(&self, row: &Encoded, r: i128) -> f32 {
        scaled(r.abs() as f32, 2 - self.fraction()) / scaled(inverse(row), 2 * self.bits()).sqrt()
    }

    /// 19. s² and the statistics of the errors.
    fn observe(&mut self, error: f32) {
        if self.settings.gamma == 0.0 && (error * error).is_finite() {
            self.spread += (1.0 / self.rows.min(100) as f32) * (error * error - self.spread);
        }
        self.j = (self.j + 1).min(200);
        let j = f32::from(self.j);
        if self.j <= 16 {
            self.mean += (error - self.mean) / j;
            return;
        }
        let kappa = if error < 4.0 * self.mean { error } else { 4.0 * self.mean };
        self.mean += (1.0 / j) * (kappa - self.mean);
        if self.mean > 0.0 {
            let c = self.c + (kappa / self.mean - 1.75);
            self.c = if c > 0.0 { c } else { 0.0 };
        }
    }

    /// 20. A row of the probe; the error of w is given.
    fn probe(&mut self, row: &Encoded, reward: i128, next: &Next<'_, Encoded, i128>, error: f32) -> Learned {
        let length = (2 * self.w.len()).max(16) as u16;
        let mut probe = f32::MAX;
        if let Some((_, row)) = self.aimed(row, reward, self.following(&self.p, next)) {
            let (r, _) = self.residual(&row, &self.p);
            (self.p, _) = self.pulled(&row, r, 0.75, &self.p);
            let error = self.error(&row, r);
            probe = if error.is_finite() { error } else { f32::MAX };
        }
        let i = self.probe_row;
        if i > length / 4 {
            let most = 16.0 * self.mean;
            self.e_v = (self.e_v + if probe < most { probe } else { most }).min(f32::MAX);
            self.e_w = (self.e_w + if error < most { error } else { most }).min(f32::MAX);
        }
        let learned = if i >= length / 2 && self.e_v < self.e_w * 0.75 {
            self.w = self.p.clone();
            self.depth = 0;
            self.break_chain();
            Learned::Change
        } else if i >= length {
            self.mean = self.e_w / f32::from(length - length / 4);
            self.p = self.w.clone();
            Learned::FalseAlarm
        } else {
            self.probe_row += 1;
            return Learned::Usual;
        };
        (self.c, self.j, self.check_count, self.probe_row) = (0.0, 16, 0, 0);
        learned
    }

    /// 21.
    fn check(&mut self) {
        let minus = |a: &[i128], b: &[i128]| -> Vec<i128> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
        let u = close(&minus(&self.w, &self.p), -self.fraction());
        let d = close(&minus(&self.p, &self.slow), -self.fraction());
        let lengths = u.norm() * d.norm();
        let cosine = if lengths == 0.0 { 0.0 } else { scaled(dot(&u.d, &d.d) as f32, -46) / lengths };
        let x = (cosine * 36.93).clamp(-36.93, 36.93);
        let change = (x + if x < 0.0 { -0.5 } else { 0.5 }) as i32;
        self.depth = (i32::from(self.depth) - change).clamp(0, self.deepest().into()) as u16;
        let m = self.gain() * (f32::from(self.settings.every) / (2 * self.w.len()) as f32);
        for (slow, w) in self.slow.iter_mut().zip(&self.w) {
            *slow += times(w - *slow, m.min(0.5));
        }
        self.p = self.w.clone();
        self.check_count = 0;
    }
}

impl Numbers for TrackingIntegers {
    type Row = Encoded;
    /// In units of 2⁻³².
    type Number = i128;

    fn encode(&self, phi: &Phi) -> Result<Encoded, Unusable> {
        let integers = self.format.integers(phi).ok_or(Unusable::NotFinite)?;
        self.format.encode(integers).ok_or(Unusable::Zeros)
    }

    fn number(&self, x: f32) -> Option<i128> {
        raw(x)
    }

    fn to_f32(&self, number: i128) -> f32 {
        scaled(number as f32, -32)
    }

    fn value(&self, row: &Encoded) -> i128 {
        self.format.product(&row.m, row.e, &self.w)
    }

    fn see(&mut self, reward: f32) {
        let most = reward / (1.0 - self.settings.gamma);
        if most < self.bounds[0] {
            self.bounds[0] = most;
        }
        if most > self.bounds[1] {
            self.bounds[1] = most;
        }
    }

    fn learn(&mut self, row: &Encoded, reward: i128, next: Next<'_, Encoded, i128>) -> Learned {
        let following = self.following(&self.w, &next);
        let Some((target, aimed)) = self.aimed(row, reward, following) else { return Learned::Refused };
        let (r, is_cut) = self.residual(&aimed, &self.w);
        let (gain, rho) = (self.gain(), self.settings.gamma * self.settings.lambda);
        if following.is_some() && rho > 0.0 {
            let Some(saturated) = self.traced(&aimed, target, gain, rho) else { return Learned::Refused };
            self.v_old = following;
            self.saturated += saturated;
        } else {
            let (w, saturated) = self.pulled(&aimed, r, gain, &self.w);
            self.w = w;
            self.saturated += saturated + u32::from(is_cut);
        }
        self.rows += 1;
        let error = self.error(&aimed, r);
        if !error.is_finite() {
            return Learned::Usual;
        }
        self.observe(error);
        if self.probe_row > 0 {
            return self.probe(row, reward, &next, error);
        }
        if self.c > 8.0 && self.rows as usize > 2 * self.w.len() {
            self.p = self.w.clone();
            (self.e_v, self.e_w, self.probe_row, self.check_count) = (0.0, 0.0, 1, 0);
            return Learned::Suspicion;
        }
        self.check_count += 1;
        if self.check_count >= self.settings.every {
            self.check();
        }
        Learned::Usual
    }

    fn break_chain(&mut self) {
        self.zeta.fill(0);
        self.e = 0;
        self.v_old = None;
    }

    fn restart(&mut self) {
        *self = Self::at(self.w.clone(), self.format, self.settings);
    }

    fn report(&mut self) -> (u32, f32, f32, u32) {
        (self.rows, self.mean, self.gain(), std::mem::take(&mut self.saturated))
    }

    fn state(&self) -> State {
        let all = |x: &[i128]| x.iter().map(|&x| u64::from(x as i32 as u32)).collect::<Vec<_>>();
        let mut trace = all(&self.zeta);
        trace.push(u64::from(self.e as i16 as u16));
        State {
            w: all(&self.w),
            slow: all(&self.slow),
            mark: all(&self.p),
            trace,
            expected: self.v_old.map(|v| v as i64 as u64),
            counts: [self.depth, self.check_count, self.j, self.probe_row],
            scalars: [self.mean, self.c, self.e_v, self.e_w, self.spread].map(|x| x.to_bits().into()),
            bounds: self.bounds.map(f32::to_bits),
            rows: self.rows,
        }
    }
}
