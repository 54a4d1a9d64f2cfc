//! Streaming episodes of positive features and rewards of one sign: in which direction the weights move.

use osculate::{Predictor, Schedule, Streaming, StreamingConfig, Verdict};

use super::check::counted;
use super::episode::Episode;
use super::input::Fuzz;
use super::number::Fuzzed;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    learn::<A, 3>(fuzz);
}

/// The sums of an episode in f64: g, and the sum of its terms' magnitudes.
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
    let gamma = fuzz.pick(&[0.0_f32, 0.5, 0.875, 1.0]);
    let config = StreamingConfig { gamma, schedule, ..StreamingConfig::DEFAULT };
    let mut predictor = Predictor::new(Streaming::<A, N, 1>::by_state(config));
    let mut last = [0.0; N];
    while fuzz.goes_on() {
        let sign = fuzz.pick(&[-1.0_f32, 1.0]);
        let now = predictor.weights().map(|w| -> f64 { w.into() });
        let mut plain = Plain { trace: [0.0; N], g: [0.0; N], size: [0.0; N] };
        let is_seen = fuzz.one_in(2);
        if is_seen {
            predictor.step_at(0, None, &[1.0; N]).expect("there is room");
            predictor.finish_with(0.0);
            plain.step(&[1.0; N], &now, true, gamma.into(), 0.0);
        }
        let steps = if fuzz.one_in(8) { 40 } else { 8 };
        for _ in 0..=fuzz.below(steps) {
            let phi = [0; N].map(|_| 0.25 + (fuzz.below(1 << 14) as f32) / 21_846.0);
            // Most are zero, some are as large as any format holds.
            let size = if fuzz.below(4) > 0 { 0.0 } else { 2_f32.powi(fuzz.below(32) as i32) };
            let wanted = sign * size * (1.0 + fuzz.uniform()) / 2.0;
            // Sometimes a state that was already seen: no new row.
            let is_first = fuzz.below(8) > 0;
            let opened =
                if is_first || !is_seen { predictor.step(None, &phi) } else { predictor.step_at(0, None, &phi) };
            predictor.finish_with(wanted);
            if opened.is_ok() {
                plain.step(&phi.map(f64::from), &now, is_first || !is_seen, gamma.into(), wanted.into());
            }
            fuzz.called("steps");
        }
        let k = predictor.updates();
        let outcome = predictor.end();
        counted::<Episode>(fuzz, &outcome, k);
        if outcome.verdict == Verdict::Stepped {
            let k = f64::from(outcome.k);
            let eta = if schedule == Schedule::Harmonic { 1.0 / k } else { k.powf(-0.75) };
            let gain = eta * f64::from(outcome.theta);
            for i in 0..N {
                let next: f64 = predictor.weights()[i].into();
                let limit = A::WEIGHT_LIMIT;
                let carried = now[i] + 0.5 * (now[i] - last[i]).clamp(-limit, limit);
                let wanted = -gain * plain.g[i];
                let is_clear = plain.g[i].abs() > plain.size[i] / 64.0 && wanted.abs() > 1e-3 * (1.0 + carried.abs());
                // At the limit it may stop short, or be clamped back to it.
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
    }
}
