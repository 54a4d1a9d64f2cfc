//! Batches of rows with their targets, and episodes through states: ordinary ones, and those with numbers that do not
//! fit.

use osculate_host_tests::reference::call::{Event, Format, Phi, Settings, Targets};
use osculate_host_tests::worlds::{Dice, row};

use super::ends::{any_number, float, word};
use super::features::{any_features, axis, floats, spoil};
use super::{Step, Story, between, no_signal, once_in, one_of, told};
use crate::plan::Plan;

/// The number of bits in a one-word set, and more than a log has room for.
const MOST_STATES: u32 = 32;
/// How many updates a learner makes: some lives are longer than the memory for past curvature.
const LIVES: [u32; 6] = [8, 8, 25, 25, 25, 130];

/// The kind of input for a learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mood {
    /// Numbers that fit.
    Calm,
    /// Sometimes, numbers that do not fit.
    Wild,
    /// Batches of pairs of nearly parallel rows that disagree, so that ϑ is large. Episodes are calm.
    Opposed,
}

/// Where batches and episodes come from.
pub(crate) struct Episodes {
    plan: Plan,
    settings: Settings,
    n: usize,
    format: Option<Format>,
    mood: Mood,
}

impl Episodes {
    /// The life of a learner. In floats, it ends with two updates that leave the range.
    pub(crate) fn story(dice: &mut Dice, n: usize, plan: Plan, format: Option<Format>) -> Story {
        let (Plan::Stored(settings) | Plan::Streaming(settings)) = plan else { panic!("a rule with episodes") };
        let mood = match dice.below(8) {
            0..3 => Mood::Calm,
            3..7 => Mood::Wild,
            _ => Mood::Opposed,
        };
        let (episodes, life) = (Self { plan, settings, n, format, mood }, one_of(dice, &LIVES));
        let length = life + if format.is_none() { 2 } else { 0 };
        let mut update = 0;
        let next = move |dice: &mut Dice| {
            update += 1;
            if update > life { told(&plan, episodes.out_of_range(dice), Event::End) } else { episodes.next(dice) }
        };
        Story { plan, length, next: Box::new(next) }
    }

    fn next(&self, dice: &mut Dice) -> Vec<Event> {
        let steps = match self.mood {
            _ if self.format.is_none() && once_in(dice, 40) => self.too_much(dice),
            Mood::Opposed if self.plan.has_targets() => self.opposed(dice),
            _ => self.usual(dice),
        };
        let mut sample = || {
            let mut phi = floats(dice, self.n, 0);
            if once_in(dice, 20) {
                spoil(dice, &mut phi);
            }
            Phi::Floats(phi)
        };
        let (cut, asked) = (sample(), sample());
        let end = if once_in(dice, 4) { Event::Cut(cut) } else { Event::End };
        let mut events = told(&self.plan, steps, end);
        events.extend((self.format.is_none() || once_in(dice, 8)).then_some(Event::Ask(asked)));
        events.extend(once_in(dice, 40).then_some(Event::Restart));
        events
    }

    /// Some states are visited repeatedly, also with other features. Some episodes have no usable row, some have no
    /// rewards. Most signals are of the size of their features, so that most rows are usable.
    fn usual(&self, dice: &mut Dice) -> Vec<Step> {
        let has_targets = self.plan.has_targets();
        let is_wild = self.mood == Mood::Wild;
        // Fixed point has two references, of which one is slow.
        let lengths: &[u32] = match (has_targets, self.format) {
            (true, None) => &[4, 64, 64],
            (true, Some(_)) => &[4, 16, 64, 64],
            (false, _) => &[4, 16, 16, 16, 16, 64],
        };
        let most = one_of(dice, lengths);
        let count = dice.below(most) + u32::from(has_targets);
        let states = 1 + dice.below(MOST_STATES);
        let spread = one_of(dice, if is_wild { &[0, 6, 24] } else { &[0, 2, 6] });
        let large = if is_wild && once_in(dice, 4) { dice.below(20) as i32 } else { 0 };
        let (is_blind, is_poor, has_unit) = (once_in(dice, 30), once_in(dice, 20), !once_in(dice, 4));
        let mut last = None;
        let steps = (0..count).map(|_| {
            let (mut phi, exponent) = self.features(dice, spread, last.take());
            last = Some((phi.clone(), exponent));
            if let Phi::Floats(phi) = &mut phi
                && (is_blind || once_in(dice, 40))
            {
                spoil(dice, phi);
            }
            let size = if has_unit { exponent } else { 0 } + 2 - dice.below(5) as i32 + large;
            let signal = if is_poor { Some(0.0) } else { self.signal(dice, size) };
            Step { state: dice.below(states), phi, signal }
        });
        steps.collect()
    }

    /// New features, or almost those of the step before.
    fn features(&self, dice: &mut Dice, spread: u32, last: Option<(Phi, i32)>) -> (Phi, i32) {
        match last {
            Some((Phi::Floats(phi), exponent)) if once_in(dice, 5) => {
                (Phi::Floats(phi.iter().map(|x| x * (1.0 + dice.uniform() / 512.0)).collect()), exponent)
            }
            _ => any_features(dice, self.n, self.format, spread),
        }
    }

    /// A reading: up to 2^size, missing, or in fixed point of any size, even out of range.
    fn signal(&self, dice: &mut Dice, size: i32) -> Option<f32> {
        let is_fixed = self.format.is_some();
        match dice.below(64) {
            0 => no_signal(dice),
            1 if is_fixed => Some(one_of(dice, &[-1e30, 1e10])),
            2..6 if is_fixed => Some(float(word(dice) >> (24 + dice.below(40)))),
            6..8 if is_fixed && self.mood == Mood::Wild => Some(float(any_number(dice))),
            8..14 => Some(0.0),
            _ => Some(dice.uniform() * 2_f32.powi(size.clamp(-31, 31))),
        }
    }

    /// Pairs of rows that differ in the sign of their small last feature and of their targets: g points along that
    /// feature.
    fn opposed(&self, dice: &mut Dice) -> Vec<Step> {
        let count = 1 + dice.below(2);
        let pair = |state| {
            let (mut phi, v) = (row(dice, self.n), dice.uniform() / 4.0);
            [1.0, -1.0].map(|sign| {
                phi[self.n - 1] = sign / 8.0;
                Step { state, phi: Phi::Floats(phi.clone()), signal: Some(sign * v) }
            })
        };
        (0..count).flat_map(pair).collect()
    }

    /// Two rows along one axis. Each target is finite in f32, but the sum of the projections is not.
    fn too_much(&self, dice: &mut Dice) -> Vec<Step> {
        let phi = Phi::Floats(axis(dice, self.n, 1.0));
        let most = between(dice, 1.05, 1.9) * 2_f32.powi(127);
        // A return includes the later reward.
        let has_returns = !self.plan.has_targets() && self.settings.targets == Targets::MonteCarlo;
        let first = if has_returns { most * (1.0 - self.settings.gamma) } else { most };
        let steps = [first, most].into_iter().zip(0..);
        steps.map(|(signal, state)| Step { state, phi: phi.clone(), signal: Some(signal) }).collect()
    }

    /// Rewards near the largest f32, in up to three states along at most two axes: sums, returns and steps leave the
    /// range.
    ///
    /// Each product φ·w has one term. So the result itself leaves the range, never a partial sum that would come back.
    fn out_of_range(&self, dice: &mut Dice) -> Vec<Step> {
        let unit = one_of(dice, &[0.5, 1.0, 2.0]);
        let axes = [axis(dice, self.n, unit), axis(dice, self.n, unit)];
        let steps = (0..1 + dice.below(3)).map(|state| {
            let phi = Phi::Floats(axes[dice.below(2) as usize].clone());
            let sign = one_of(dice, &[1.0, 1.0, -1.0]);
            Step { state, phi, signal: Some(sign * between(dice, 1.0, 3.9) * 2_f32.powi(126)) }
        });
        steps.collect()
    }
}
