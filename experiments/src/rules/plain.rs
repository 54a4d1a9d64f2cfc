//! `tracking` as the mathematics has it: f64 vectors, a natural logarithm for the gain, rounded nowhere on purpose.

use crate::contender::{self, Contender};

/// λ.
const LAMBDA: f64 = 0.8;
/// μ_max, where the gain starts, and μ_min.
const GAINS: (f64, f64) = (0.5, 1e-3);
/// M, the number of steps between two checks.
const EVERY: u32 = 16;
/// κ: how far one check moves ln μ at most.
const CHECK_WEIGHT: f64 = 0.1;
/// The step of a probe. With ½, one true change in four is taken for noise at n = 10.
const PROBE_GAIN: f64 = 0.75;
/// A probe that misses by less than this share of what w misses by has found a changed world.
const CHANGED_BELOW: f64 = 0.75;
/// Steps that the usual error is a plain mean of.
const FIRST_ERRORS: u32 = 16;

/// The learner.
#[derive(Clone, Debug)]
pub(crate) struct Tracking {
    gamma: f64,
    /// w.
    w: Vec<f64>,
    /// w̄.
    average: Vec<f64>,
    /// w_p, w at the last check.
    checked: Vec<f64>,
    trace: Vec<f64>,
    /// v_old: the value that the last step expected of the present one.
    expected: f64,
    /// ℓ = ln μ.
    log_gain: f64,
    since_check: u32,
    steps: u64,
    /// The least and the greatest reward, or 0.
    rewards: (f64, f64),
    usual_error: UsualError,
    probe: Option<Probe>,
}

/// The mean s̄ of a = |δ|/‖φ‖, and the sum C of what exceeds it.
#[derive(Clone, Copy, Debug, Default)]
struct UsualError {
    mean: f64,
    excess: f64,
    /// j.
    count: u32,
}

/// A second learner, started at w, that shows whether a large gain would help.
#[derive(Clone, Debug)]
struct Probe {
    v: Vec<f64>,
    rows: u64,
    /// E_v and E_w.
    errors: (f64, f64),
}

/// One step: features φ, the reward that followed, and the next features φ′ (`None`: the episode has ended).
#[derive(Clone, Copy)]
struct Step<'a> {
    phi: &'a [f64],
    reward: f64,
    next: Option<&'a [f64]>,
}

/// Σ aᵢ bᵢ.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// a += factor·b.
fn add(a: &mut [f64], factor: f64, b: &[f64]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a += factor * b;
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

impl Tracking {
    /// All vectors 0, the gain at its greatest.
    pub(crate) fn new(n: usize, gamma: f64) -> Self {
        let zeros = vec![0.0; n];
        Self {
            gamma,
            w: zeros.clone(),
            average: zeros.clone(),
            checked: zeros.clone(),
            trace: zeros,
            expected: 0.0,
            log_gain: GAINS.0.ln(),
            since_check: 0,
            steps: 0,
            rewards: (0.0, 0.0),
            usual_error: UsualError::default(),
            probe: None,
        }
    }

    /// μ.
    fn gain(&self) -> f64 {
        self.log_gain.exp()
    }

    /// An episode starts: nothing of the last one is expected any more.
    fn begin(&mut self) {
        self.trace.fill(0.0);
        self.expected = 0.0;
    }

    /// A step from φ to φ′, or to the true end of an episode. Features must be finite and not all 0.
    fn step(&mut self, phi: &[f64], reward: f64, next: Option<&[f64]>) {
        let step = Step { phi, reward, next };
        let norm = dot(phi, phi).sqrt();
        let error = self.update(step);
        self.steps += 1;
        self.since_check += 1;
        if self.since_check == EVERY {
            self.since_check = 0;
            self.check();
        }
        let alarm = self.usual_error.add(error.abs() / norm);
        if self.probe.is_some() {
            self.continue_probe(step, error.abs() / norm, norm);
        } else if alarm && self.steps > 2 * self.w.len() as u64 {
            self.probe = Some(Probe { v: self.w.clone(), rows: 0, errors: (0.0, 0.0) });
        }
        if next.is_none() {
            self.begin();
        }
    }

    /// True-online TD(λ); returns δ.
    fn update(&mut self, Step { phi, reward, next }: Step<'_>) -> f64 {
        let gamma = self.gamma;
        let alpha = self.gain() / dot(phi, phi);
        self.rewards = (self.rewards.0.min(reward), self.rewards.1.max(reward));
        let value = dot(phi, &self.w);
        let mut next_value = next.map_or(0.0, |next| dot(next, &self.w));
        if gamma < 1.0 {
            next_value = next_value.clamp(self.rewards.0 / (1.0 - gamma), self.rewards.1 / (1.0 - gamma));
        }
        let error = reward + gamma * next_value - value;
        let overlap = gamma * LAMBDA * dot(&self.trace, phi);
        for (z, x) in self.trace.iter_mut().zip(phi) {
            *z = gamma * LAMBDA * *z + alpha * (1.0 - overlap) * x;
        }
        let surprise = value - self.expected;
        add(&mut self.w, error + surprise, &self.trace);
        add(&mut self.w, -alpha * surprise, phi);
        self.expected = next_value;
        error
    }

    /// Does w still move away from its average? Then the gain grows; it falls if w returns.
    fn check(&mut self) {
        let (u, d) = (difference(&self.w, &self.checked), difference(&self.checked, &self.average));
        let lengths = dot(&u, &u).sqrt() * dot(&d, &d).sqrt();
        if lengths > 0.0 {
            let cosine = dot(&u, &d) / lengths;
            self.log_gain = (self.log_gain + CHECK_WEIGHT * cosine).clamp(GAINS.1.ln(), GAINS.0.ln());
        }
        let share = (self.gain() * f64::from(EVERY) / (2 * self.w.len()) as f64).min(0.5);
        let lag = difference(&self.w, &self.average);
        add(&mut self.average, share, &lag);
        self.checked.clone_from(&self.w);
    }

    /// `error` is a = |δ|/‖φ‖ of w.
    fn continue_probe(&mut self, Step { phi, reward, next }: Step<'_>, error: f64, norm: f64) {
        let Some(probe) = &mut self.probe else { return };
        let length = (2 * phi.len() as u64).max(16);
        probe.rows += 1;
        let next_value = next.map_or(0.0, |next| dot(next, &probe.v));
        let own = reward + self.gamma * next_value - dot(phi, &probe.v);
        add(&mut probe.v, PROBE_GAIN * own / (norm * norm), phi);
        if 4 * probe.rows > length {
            let most = 16.0 * self.usual_error.mean;
            probe.errors.0 += (own.abs() / norm).min(most);
            probe.errors.1 += error.min(most);
        }
        let (of_probe, of_w) = probe.errors;
        if 2 * probe.rows >= length && of_probe < CHANGED_BELOW * of_w {
            self.w.clone_from(&probe.v);
            self.log_gain = GAINS.0.ln();
            self.trace.fill(0.0);
            self.expected = next.map_or(0.0, |next| dot(next, &self.w));
        } else if probe.rows == length {
            self.usual_error.mean = of_w / (0.75 * length as f64);
        } else {
            return;
        }
        self.probe = None;
        self.usual_error.excess = 0.0;
        self.usual_error.count = FIRST_ERRORS;
    }
}

impl Contender for Tracking {
    fn weights(&self) -> &[f64] {
        &self.w
    }

    fn learn(&mut self, step: &contender::Step, next: Option<&contender::Step>) {
        let exact = |phi: &[f32]| -> Vec<f64> { phi.iter().map(|&x| x.into()).collect() };
        let next = next.filter(|_| self.gamma > 0.0).map(|next| exact(&next.phi));
        self.step(&exact(&step.phi), step.reward.into(), next.as_deref());
    }
}

impl UsualError {
    /// Returns whether the errors have exceeded the usual for too long.
    fn add(&mut self, error: f64) -> bool {
        self.count += 1;
        let count = f64::from(self.count);
        if self.count <= FIRST_ERRORS {
            self.mean += (error - self.mean) / count;
            return false;
        }
        let bounded = error.min(4.0 * self.mean);
        self.mean += (1.0 / count).max(1.0 / 200.0) * (bounded - self.mean);
        // Without any noise there is nothing to compare with.
        if self.mean > 0.0 {
            self.excess = (self.excess + bounded / self.mean - 1.75).max(0.0);
        }
        self.excess > 8.0
    }
}
