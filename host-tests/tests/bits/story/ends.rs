//! The ends of the formats: the largest sums, and the longest episode.

use osculate_host_tests::reference::call::{Event, Format, Phi};
use osculate_host_tests::worlds::Dice;

use super::features::held;
use super::{Step, Story, once_in, one_of, told};
use crate::plan::{Plan, ROOM};

/// 64 random bits.
pub(super) fn word(dice: &mut Dice) -> i64 {
    (i64::from(dice.bits() as i32) << 32) | i64::from(dice.bits())
}

/// A number of any bit length.
pub(crate) fn any_number(dice: &mut Dice) -> i64 {
    match dice.below(16) {
        0 => one_of(dice, &[i64::MIN, i64::MAX, 1 << 62, -1 << 62, 1 << 32, 0]),
        _ => word(dice) >> dice.below(64),
    }
}

/// About this many multiples of 2⁻³², and in range.
pub(super) fn float(raw: i64) -> f32 {
    (raw as f32 / 2_f32.powi(32)).min(2_f32.powi(31).next_down())
}

/// The largest features: all of them, or only one.
fn largest_phi(dice: &mut Dice, n: usize, only: Option<usize>) -> Vec<i32> {
    let largest = i32::from(i16::MAX);
    let mantissas = (0..n).map(|j| match dice.below(64) {
        _ if only.is_some_and(|only| only != j) => 0,
        0 => -largest - 1,
        1 => -largest,
        _ => largest,
    });
    mantissas.collect()
}

/// Full batches, with the largest features and with targets just inside or just outside the accepted range. Or episodes
/// of many states, with rewards of one sign that drive sums and traces to their limits.
///
/// Half of them have one feature per row; in batches, this drives all weights to one end of their range. The others have
/// all features, and their sums come as close to overflow as possible.
pub(crate) fn largest(plan: Plan, n: usize, format: Format) -> Story {
    let has_targets = plan.has_targets();
    let count = if has_targets { ROOM } else { ROOM + 20 };
    let next = move |dice: &mut Dice| {
        let (sign, has_one_feature) = (1.0 - 2.0 * dice.below(2) as f32, once_in(dice, 2));
        let size = dice.below(64);
        let steps = (0..count).map(|state| {
            let phi = largest_phi(dice, n, has_one_feature.then_some(state % n));
            let (exponent, signal) = if has_targets {
                let target = 2_f32.powi(14 + dice.below(11) as i32);
                (0, one_of(dice, &[target, target.next_down()]))
            } else {
                // Small features make large traces.
                let exponent = if once_in(dice, 2) { -(dice.below(16) as i32) } else { 0 };
                (exponent, float((word(dice) & i64::MAX) >> size))
            };
            Step { state: state as u32, phi: held(phi, exponent, format), signal: Some(sign * signal) }
        });
        told(&plan, steps, Event::End)
    };
    Story { plan, length: 25, next: Box::new(next) }
}

/// One row over the limit, all pulling the same way.
pub(crate) fn longest(plan: Plan) -> Story {
    let next = move |dice: &mut Dice| {
        let signal = Some(float(i64::MAX >> dice.below(40)));
        let phi = Phi::Floats(vec![1.0 - 2_f32.powi(-15)]);
        told(&plan, (0..=1 << 16).map(|state| Step { state, phi: phi.clone(), signal }), Event::End)
    };
    Story { plan, length: 4, next: Box::new(next) }
}
