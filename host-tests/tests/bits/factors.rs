//! Powers of two change no bit.

use osculate_host_tests::reference::call::{Answer, Event, Phi, State, TrackingSettings};
use osculate_host_tests::worlds::{Dice, row};

use crate::plan::Plan;
use crate::rules::of_samples;
use crate::subject::Checked;

const N: usize = 5;
const STEPS: u32 = 3_000;

const SETTINGS: TrackingSettings = TrackingSettings { gamma: 0.9, lambda: 0.8, gain: 0.5, least_gain: 1e-3, every: 16 };

fn scaled(phi: &[f32], by: i32) -> Phi {
    Phi::Floats(phi.iter().map(|x| x * 2_f32.powi(by)).collect())
}

/// Predictions of a world that jumps in the middle, with all features times 2^by.
fn predictions<A: Checked>(lambda: f32, by: i32) -> Vec<Answer> {
    let mut library = of_samples::<A, N>(Plan::Tracking(TrackingSettings { lambda, ..SETTINGS }));
    let mut dice = Dice::new(5);
    let mut truth = row(&mut dice, N);
    let mut signal = 0.0;
    (0..STEPS)
        .map(|step| {
            let phi = row(&mut dice, N);
            if step == STEPS / 2 {
                truth = row(&mut dice, N);
            }
            let answer = library.take(&Event::Step(Some(signal), None, scaled(&phi, by)));
            signal = phi.iter().zip(&truth).map(|(x, w)| x * w).sum::<f32>() + 0.05 * dice.uniform();
            if step % 200 == 199 {
                library.take(&Event::End);
            }
            answer
        })
        .collect()
}

/// With a discount, a common factor of all features changes no prediction, as long as weights are not on a fixed grid.
fn common_factor<A: Checked>(exponents: &[i32]) {
    for lambda in [0.0, 0.8, 1.0] {
        let plain = predictions::<A>(lambda, 0);
        for &by in exponents {
            assert_eq!(predictions::<A>(lambda, by), plain, "{}, features times 2^{by}, λ = {lambda}", A::NAME);
        }
    }
}

/// What is learned from rows in units of up to 2^±spread.
fn learned<A: Checked>(spread: i32, by_step: bool) -> State {
    let mut library = of_samples::<A, N>(Plan::Tracking(TrackingSettings { gamma: 0.0, ..SETTINGS }));
    let mut dice = Dice::new(6);
    // Exact in all units, and on the grid of fixed point.
    let mut coarse = move |bits: i32| (dice.uniform() * 2_f32.powi(bits)).round() / 2_f32.powi(bits);
    let mut units = Dice::new(7);
    for _ in 0..STEPS {
        let phi: [f32; N] = std::array::from_fn(|_| coarse(10));
        let target = phi[0] - phi[2] + coarse(5);
        let by = units.below(2 * spread as u32 + 1) as i32 - spread;
        let target = target * 2_f32.powi(by);
        if by_step {
            library.take(&Event::Begin(scaled(&phi, by)));
            library.take(&Event::Last(Some(target)));
        } else {
            library.take(&Event::Learn(target, scaled(&phi, by)));
        }
    }
    library.state()
}

/// Without a discount, each row has its own factor.
fn factor_per_row<A: Checked>(spreads: &[i32]) {
    for by_step in [false, true] {
        let plain = learned::<A>(0, by_step);
        assert!(*plain.counts.last().unwrap() > STEPS / 2);
        for &spread in spreads {
            assert_eq!(learned::<A>(spread, by_step), plain, "{}, rows in units of 2^±{spread}", A::NAME);
        }
    }
}

#[test]
fn of_all_features() {
    common_factor::<f32>(&[-10, 10, -40, 40]);
    common_factor::<f64>(&[-10, 10, -60, 60]);
}

#[test]
fn of_each_row() {
    factor_per_row::<f32>(&[10, 60]);
    factor_per_row::<f64>(&[10, 60]);
    factor_per_row::<osculate::Q28>(&[10]);
    factor_per_row::<osculate::Q24>(&[10]);
}
