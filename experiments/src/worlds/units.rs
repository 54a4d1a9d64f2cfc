//! The same problem in other units.

use std::sync::Arc;

use osculate_host_tests::worlds::Dice;

use super::{Check, Data, Event};
use crate::contender::Step;

/// First visits as rows with their returns for targets, each times 10^x with x uniform in ± `spread`.
pub(super) fn equations(data: Data, seed: u64, spread: f64) -> Data {
    let mut dice = Dice::new(seed + 20_000);
    let mut scaled = Data { states: data.states, ..Data::new(data.measure) };
    let (mut steps, mut rows) = (data.steps.into_iter(), Vec::new());
    for event in data.events {
        let Event::Learn { is_last } = event else {
            scaled.events.push(event);
            continue;
        };
        if let Some(step) = steps.next().filter(|step| step.first) {
            let factor = libm::exp10(spread * f64::from(dice.uniform())) as f32;
            let phi: Vec<f32> = step.phi.iter().map(|x| factor * x).collect();
            rows.push(Step::row(phi, factor * step.target));
        }
        if is_last {
            scaled.episode(std::mem::take(&mut rows));
        }
    }
    scaled
}

/// Column j of n times 10^x, x from −3 to 3.
pub(super) fn columns(mut data: Data, n: usize) -> Data {
    let factors: Vec<f32> = (0..n).map(|j| libm::exp10(6.0 * j as f64 / (n - 1) as f64 - 3.0) as f32).collect();
    let scale = |phi: &mut Arc<[f32]>| *phi = phi.iter().zip(&factors).map(|(x, factor)| x * factor).collect();
    data.steps.iter_mut().for_each(|step| scale(&mut step.phi));
    let predicted = data.events.iter_mut().filter_map(|event| match event {
        Event::Predict(check) => Some(check),
        _ => None,
    });
    predicted.chain(&mut data.states).for_each(|check: &mut Check| scale(&mut check.phi));
    data
}
