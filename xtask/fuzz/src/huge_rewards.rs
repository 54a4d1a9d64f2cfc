//! Streaming episodes of positive features and rewards of one sign: which way the weights go.

use osculate::{LearnerConfig, Schedule, StreamingLearner, Verdict};

use super::Fuzz;
use super::check::counted;
use super::number::Fuzzed;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    learn::<A, 3>(fuzz);
}

/// The sums of an episode in f64: g, and the sum of its terms' sizes.
struct Plain<const N: usize> {
    trace: [f64; N],
    g: [f64; N],
    size: [f64; N],
}

impl<const N: usize> Plain<N> {
    fn step(&mut self, phi: &[f64; N], w: &[f64; N], first: bool, gamma: f64, reward: f64) {
        let norm: f64 = phi.iter().map(|x| x * x).sum();
        let product: f64 = phi.iter().zip(w).map(|(x, w)| x * w).sum();
        for (i, x) in phi.iter().enumerate() {
            let [entry, residual] = if first { [x / norm, product / norm * x] } else { [0.0; 2] };
            self.trace[i] = gamma * self.trace[i] + entry;
            self.g[i] += residual - reward * self.trace[i];
            self.size[i] += residual.abs() + reward.abs() * self.trace[i];
        }
    }
}

fn learn<A: Fuzzed, const N: usize>(fuzz: &mut Fuzz) {
    let schedule = fuzz.pick(&[Schedule::ThreeQuarters, Schedule::Harmonic]);
    let config = LearnerConfig { schedule, ..LearnerConfig::<A::Scalar>::predictable() };
    let gamma = fuzz.pick(&[0.0_f32, 0.5, 0.875, 1.0]);
    let scalar = osculate::Scalar::from_ratio((gamma * 8.0) as u32, 8);
    let mut learner = StreamingLearner::<A, N>::new(config, scalar).expect("all of these are allowed");
    let mut last = [0.0; N];
    for _ in 0..16 {
        let sign = fuzz.pick(&[-1.0_f32, 1.0]);
        let now = learner.weights().map(|w| -> f64 { w.into() });
        let mut plain = Plain { trace: [0.0; N], g: [0.0; N], size: [0.0; N] };
        for _ in 0..=fuzz.length() {
            let phi = [0; N].map(|_| 0.25 + (fuzz.below(1 << 14) as f32) / 21_846.0);
            // Most of them nothing, some of them as large as any format holds.
            let size = if fuzz.below(4) > 0 { 0.0 } else { 2_f32.powi(fuzz.below(32) as i32) };
            let wanted = sign * size * (1.0 + fuzz.dice.uniform()) / 2.0;
            let first = fuzz.below(8) > 0;
            let features = A::features(&phi).expect("they are finite");
            let reward = A::target(wanted).expect("it is below 2³¹");
            if learner.step(&features, first, reward).is_ok() {
                plain.step(&phi.map(f64::from), &now, first, gamma.into(), wanted.into());
            }
            fuzz.called("steps");
        }
        let k = learner.steps();
        let outcome = learner.end_episode();
        counted(fuzz, &outcome, k);
        if outcome.verdict == Verdict::Stepped {
            let k = f64::from(outcome.k);
            let eta = if schedule == Schedule::Harmonic { 1.0 / k } else { k.powf(-0.75) };
            let gain = eta * outcome.theta.into();
            for i in 0..N {
                let next: f64 = learner.weights()[i].into();
                let limit = A::WEIGHT_LIMIT;
                let carried = now[i] + 0.5 * (now[i] - last[i]).clamp(-limit, limit);
                let wanted = -gain * plain.g[i];
                let is_clear = plain.g[i].abs() > plain.size[i] / 64.0 && wanted.abs() > 1e-3 * (1.0 + carried.abs());
                // There it may stop short, or be thrown back to.
                let is_at_limit = next.abs().max(carried.abs()) > limit * (1.0 - 1e-6);
                if is_clear && !is_at_limit {
                    let went = next - carried;
                    assert!(went * wanted > 0.0, "{went} instead of {wanted} from {carried}: {outcome:?}");
                    fuzz.saw("moved as it should");
                }
                assert!(next.is_finite());
            }
            last = now;
        }
        if !fuzz.goes_on() {
            return;
        }
    }
}
