//! The ends of the formats: the largest sums, and the longest episode.

use osculate_host_tests::reference::call::{Event, Format, Phi};
use osculate_host_tests::worlds::Dice;

use super::formats::held;
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

/// Full batches, with the largest features and with targets just inside or just outside the accepted range.
///
/// Half of the batches have one feature per row and drive all weights to one end of their range. The others have all
/// features, and their sums come as close to overflow as possible.
pub(crate) struct LargestBatch {
    pub(crate) plan: Plan,
    pub(crate) n: usize,
}

impl Story for LargestBatch {
    fn plan(&self) -> Plan {
        self.plan
    }

    fn length(&self) -> u32 {
        25
    }

    fn next(&mut self, dice: &mut Dice) -> Vec<Event> {
        let (sign, has_one_feature) = (1.0 - 2.0 * dice.below(2) as f32, once_in(dice, 2));
        let row = |i: usize| {
            let phi = largest_phi(dice, self.n, has_one_feature.then_some(i % self.n));
            let target = 2_f32.powi(14 + dice.below(11) as i32);
            Event::Learn(sign * one_of(dice, &[target, target.next_down()]), Phi::Integers(phi))
        };
        (0..ROOM).map(row).chain([Event::End]).collect()
    }
}

/// Many states, and rewards of one sign that drive sums and traces to their limits.
pub(crate) struct LargestEpisode {
    pub(crate) plan: Plan,
    pub(crate) n: usize,
    pub(crate) format: Format,
}

impl Story for LargestEpisode {
    fn plan(&self) -> Plan {
        self.plan
    }

    fn length(&self) -> u32 {
        25
    }

    fn next(&mut self, dice: &mut Dice) -> Vec<Event> {
        let (is_up, has_one_feature) = (once_in(dice, 2), once_in(dice, 2));
        let size = dice.below(64);
        let steps = (0..ROOM as u32 + 20).map(|state| {
            let phi = largest_phi(dice, self.n, has_one_feature.then_some(state as usize % self.n));
            // Small features make large traces.
            let exponent = if once_in(dice, 2) { -(dice.below(16) as i32) } else { 0 };
            let raw = (word(dice) & i64::MAX) >> size;
            let signal = Some(float(if is_up { raw } else { -raw }));
            Step { state, phi: held(phi, exponent, self.format.feature_bits), signal }
        });
        told(steps, Event::End)
    }
}

/// One row over the limit, all pulling the same way.
pub(crate) struct LongestEpisode(pub(crate) Plan);

impl Story for LongestEpisode {
    fn plan(&self) -> Plan {
        self.0
    }

    fn length(&self) -> u32 {
        4
    }

    fn next(&mut self, dice: &mut Dice) -> Vec<Event> {
        let signal = Some(float(i64::MAX >> dice.below(40)));
        let phi = Phi::Floats(vec![1.0 - 2_f32.powi(-15)]);
        told((0..=1 << 16).map(|state| Step { state, phi: phi.clone(), signal }), Event::End)
    }
}
