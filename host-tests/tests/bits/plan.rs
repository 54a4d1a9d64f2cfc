//! What is compared: a rule with its parameters, from the whole of their ranges.

use osculate_host_tests::reference::Gain;
use osculate_host_tests::reference::call::{Format, Rule, Settings, Targets, TrackingSettings};
use osculate_host_tests::worlds::Dice;

use crate::story::{between, one_of};

/// A rule and its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plan {
    Stored(Settings),
    Streaming(Settings),
    Tracking(TrackingSettings),
}

/// The room for rows with their targets: the maximum of fixed point.
pub(crate) const ROOM: usize = 128;
/// The room of a log in steps and rows, which is too little for some episodes.
pub(crate) const LOG: [usize; 2] = [48, 24];
/// The largest f32 below 1.
const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

impl Plan {
    /// The cap on ϑ, if the rule has a ϑ that it could limit.
    pub(crate) fn cap(&self) -> Option<f32> {
        match self {
            Self::Stored(settings) if settings.rule == Rule::Plain => None,
            Self::Stored(settings) | Self::Streaming(settings) => settings.theta_cap,
            Self::Tracking(_) => None,
        }
    }

    pub(crate) fn is_stored(&self) -> bool {
        matches!(self, Self::Stored(_))
    }

    pub(crate) fn with_cap(self, theta_cap: Option<f32>) -> Self {
        match self {
            Self::Stored(settings) => Self::Stored(Settings { theta_cap, ..settings }),
            Self::Streaming(settings) => Self::Streaming(Settings { theta_cap, ..settings }),
            Self::Tracking(_) => self,
        }
    }
}

/// γ of fixed point, including its ends.
pub(crate) fn gamma(dice: &mut Dice) -> f32 {
    let any = dice.uniform().abs();
    one_of(dice, &[0.0, 1.0, 0.5, 0.9, any, any, BELOW_ONE, 1e-40])
}

/// One of these rules, with room for these steps and rows.
pub(crate) fn stored(
    dice: &mut Dice,
    format: Option<Format>,
    rules: &[Rule],
    targets: Targets,
    room: [usize; 2],
) -> Settings {
    let rule = one_of(dice, rules);
    match format {
        Some(_) => of_fixed_point(dice, rule, targets, room),
        None => of_floats(dice, rule, targets, room),
    }
}

/// Streaming has no threshold, and always measures.
pub(crate) fn streaming(dice: &mut Dice, format: Option<Format>) -> Settings {
    let settings = stored(dice, format, &[Rule::Predictable], Targets::MonteCarlo, [usize::MAX; 2]);
    Settings { skip_below: 0.0, curvature_every: 1, ..settings }
}

/// No β or γ is small unless it is 0. Powers of a small one would become subnormal, which the reference does not model.
fn of_floats(dice: &mut Dice, rule: Rule, targets: Targets, room: [usize; 2]) -> Settings {
    let constant = Gain::Constant(between(dice, 0.05, 1.25).into());
    let [beta, gamma, cap] = [(0.5, 0.97), (0.5, 1.0), (1.0, 8.0)].map(|(from, to)| between(dice, from, to));
    Settings {
        rule,
        targets,
        gain: one_of(dice, &[Gain::Harmonic, Gain::ThreeQuarters, Gain::Constant(1.0), constant]),
        beta: one_of(dice, &[0.0, 0.5, 0.9, beta]),
        gamma: one_of(dice, &[0.0, 1.0, 0.9375, gamma]),
        skip_below: one_of(dice, &[0.0, 1e-6, 1e-6, 0.125]),
        theta_cap: one_of(dice, &[None, Some(1e6), Some(1.0), Some(cap)]),
        curvature_every: one_of(dice, &[1, 2, 3, 8]),
        room,
    }
}

/// All but one in eight have sane step sizes.
fn of_fixed_point(dice: &mut Dice, rule: Rule, targets: Targets, room: [usize; 2]) -> Settings {
    let share = 1.0 - dice.uniform().abs();
    let constant = Gain::Constant(one_of(dice, &[share, share, 1.0, f32::MAX]).into());
    let any = dice.uniform().abs();
    Settings {
        rule,
        targets,
        gain: one_of(dice, &[Gain::Harmonic, Gain::ThreeQuarters, Gain::ThreeQuarters, constant]),
        beta: one_of(dice, &[0.0, 0.5, 0.5, 0.9, any, BELOW_ONE]),
        gamma: gamma(dice),
        skip_below: one_of(dice, &[0.0, 0.0, 1e-6, 0.05, 1.0, 8.0]),
        theta_cap: one_of(dice, &[None, Some(1.0), Some(1.0 + any), Some(1.0 + 4.0 * any), Some(1e6), Some(f32::MAX)]),
        curvature_every: one_of(dice, &[1, 1, 2, 3, 8]),
        room,
    }
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
