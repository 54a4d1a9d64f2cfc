//! The parameters of rules, from the whole of their ranges.

use osculate_host_tests::reference::Gain;
use osculate_host_tests::reference::call::{Format, Rule, Settings, Targets, TrackingSettings};
use osculate_host_tests::worlds::Dice;

pub(crate) use crate::rules::Plan;
use crate::story::{between, one_of};

/// The room for rows with their targets: the maximum of fixed point.
pub(crate) const ROOM: usize = 128;
/// The room of a log in steps and rows, which is too little for some episodes.
pub(crate) const LOG: [usize; 2] = [48, 24];
/// The largest f32 below 1.
const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

/// The least β or γ that is not 0. Powers of a smaller one would become subnormal, which the reference of floats does
/// not model.
fn least_share(format: Option<Format>) -> f32 {
    if format.is_some() { 1e-40 } else { 0.5 }
}

/// γ, including its ends.
pub(crate) fn gamma(dice: &mut Dice, format: Option<Format>) -> f32 {
    let least = least_share(format);
    let any = between(dice, least, 1.0);
    one_of(dice, &[0.0, 1.0, 0.5, 0.9, any, any, BELOW_ONE, least])
}

/// One of these rules, with room for these steps and rows. All but one in eight have sane step sizes.
pub(crate) fn stored(
    dice: &mut Dice,
    format: Option<Format>,
    rules: &[Rule],
    targets: Targets,
    room: [usize; 2],
) -> Settings {
    let share = 1.0 - dice.uniform().abs();
    let largest = if format.is_some() { f32::MAX } else { 1.25 };
    let constant = Gain::Constant(one_of(dice, &[share, share, 1.0, largest]).into());
    let beta = between(dice, least_share(format), 1.0);
    let any = dice.uniform().abs();
    Settings {
        rule: one_of(dice, rules),
        targets,
        gain: one_of(dice, &[Gain::Harmonic, Gain::ThreeQuarters, Gain::ThreeQuarters, constant]),
        beta: one_of(dice, &[0.0, 0.5, 0.5, 0.9, beta, BELOW_ONE]),
        gamma: gamma(dice, format),
        skip_below: one_of(dice, &[0.0, 0.0, 1e-6, 0.05, 1.0, 8.0]),
        theta_cap: one_of(dice, &[None, Some(1.0), Some(1.0 + any), Some(1.0 + 4.0 * any), Some(1e6), Some(f32::MAX)]),
        curvature_every: one_of(dice, &[1, 1, 2, 3, 8]),
        room,
    }
}

/// Streaming has no threshold, and always measures.
pub(crate) fn streaming(dice: &mut Dice, format: Option<Format>) -> Settings {
    let settings = stored(dice, format, &[Rule::Predictable], Targets::MonteCarlo, [usize::MAX; 2]);
    Settings { skip_below: 0.0, curvature_every: 1, ..settings }
}

/// With a discount or without one.
pub(crate) fn tracking(dice: &mut Dice, has_future: bool) -> TrackingSettings {
    let gamma = if has_future { one_of(dice, &[0.9, 0.5, 0.95, 0.984_375, 1.0]) } else { 0.0 };
    let gain = one_of(dice, &[0.5, 0.5, 0.25, 1.0, 0.3]);
    TrackingSettings {
        gamma,
        lambda: one_of(dice, &[0.0, 0.8, 0.8, 1.0]),
        gain,
        least_gain: one_of(dice, &[1e-3, 1e-3, 1e-3, gain, 1e-7, gain * 0.6]),
        every: one_of(dice, &[1, 16, 16, 16, 5]),
    }
}
