//! Walks through states, in floats, whose sums leave the range in the end.

use osculate_host_tests::reference::call::{Event, Phi, Settings, Targets};
use osculate_host_tests::worlds::{Dice, row};

use super::{Step, Story, axis, between, no_signal, once_in, one_of, spoil, told, unit};
use crate::plan::Plan;

/// The number of bits in a one-word set.
const MOST_STATES: u32 = 32;
/// More than fit in a log.
const MOST_STEPS: u32 = 60;
/// As many rows with targets as a batch may have here.
const BATCH: u32 = 64;
/// How many updates a learner makes: some runs are longer than the memory for past curvature.
const LIVES: [u32; 4] = [8, 25, 60, 130];

/// A state: its features, its mean reward and the noise on it.
struct State {
    phi: Vec<f32>,
    reward: f32,
    noise: f32,
}

/// States to walk through.
pub(crate) struct Walk {
    plan: Plan,
    settings: Settings,
    /// Rows come with their targets.
    has_targets: bool,
    n: usize,
    states: Vec<State>,
    life: u32,
    update: u32,
}

impl Walk {
    /// States with features in units up to 2^±20: dense, sparse, along one axis, or almost equal to those of another
    /// state.
    pub(crate) fn new(dice: &mut Dice, n: usize, plan: Plan, has_targets: bool) -> Self {
        let (Plan::Stored(settings) | Plan::Streaming(settings)) = plan else { panic!("a rule with episodes") };
        let spread = one_of(dice, &[0, 6, 20]);
        let reward_has_unit = !once_in(dice, 4);
        let mut states: Vec<State> = Vec::new();
        for _ in 0..=dice.below(MOST_STATES) {
            let unit = unit(dice, spread);
            let mut phi: Vec<f32> = row(dice, n).iter().map(|x| x * unit).collect();
            match dice.below(10) {
                0 => phi = axis(dice, n, unit),
                1 => phi.iter_mut().for_each(|x| *x *= dice.below(2) as f32),
                2 | 3 if !states.is_empty() => {
                    let other = &states[dice.below(states.len() as u32) as usize];
                    phi = other.phi.iter().map(|x| x * (1.0 + dice.uniform() / 512.0)).collect();
                }
                4 if once_in(dice, 2) => spoil(dice, &mut phi),
                _ => {}
            }
            let scale = if reward_has_unit { 4.0 * unit } else { 1.0 };
            let noise = scale * one_of(dice, &[0.03125, 0.5]);
            states.push(State { phi, reward: dice.uniform() * scale, noise });
        }
        Self { plan, settings, has_targets, n, states, life: one_of(dice, &LIVES), update: 0 }
    }

    /// Any state, and its features.
    fn any(&self, dice: &mut Dice) -> (u32, Vec<f32>) {
        let state = dice.below(self.states.len() as u32);
        (state, self.states[state as usize].phi.clone())
    }

    /// The calls of an episode, or of a batch.
    fn told(&self, steps: Vec<Step>, cut: Option<Vec<f32>>) -> Vec<Event> {
        let end = cut.map_or(Event::End, |phi| Event::Cut(Phi::Floats(phi)));
        if !self.has_targets {
            return told(steps, end);
        }
        let learn = |step: Step| Event::Learn(step.signal.unwrap_or(f32::NAN), step.phi);
        steps.into_iter().map(learn).chain([end]).collect()
    }

    /// Some episodes have no usable row, some have no rewards, and single readings fail.
    pub(crate) fn episode(&self, dice: &mut Dice) -> Vec<Event> {
        let most = if self.has_targets { BATCH } else { MOST_STEPS };
        let is_short = once_in(dice, 4);
        let count = 1 + dice.below(if is_short { 3 } else { most });
        let (is_blind, is_poor) = (once_in(dice, 30), once_in(dice, 20));
        let steps = (0..count).map(|_| {
            let (state, mut phi) = self.any(dice);
            let State { reward, noise, .. } = self.states[state as usize];
            let usual = if is_poor { 0.0 } else { reward + noise * dice.uniform() };
            if is_blind || once_in(dice, 60) {
                spoil(dice, &mut phi);
            }
            let signal = if once_in(dice, 60) { no_signal(dice) } else { Some(usual) };
            Step { state, phi: Phi::Floats(phi), signal }
        });
        let steps = steps.collect();
        let cut = once_in(dice, 4).then(|| self.any(dice).1);
        self.told(steps, cut)
    }

    /// Two rows along one axis. Each target is finite in f32, but the sum of the projections is not.
    fn too_much(&self, dice: &mut Dice) -> Vec<Event> {
        let phi = axis(dice, self.n, 1.0);
        let most = between(dice, 1.05, 1.9) * 2_f32.powi(127);
        // A return includes the later reward.
        let has_returns = !self.has_targets && self.settings.targets == Targets::MonteCarlo;
        let first = if has_returns { most * (1.0 - self.settings.gamma) } else { most };
        let steps = [first, most].into_iter().zip(0..);
        let steps = steps.map(|(x, state)| Step { state, phi: Phi::Floats(phi.clone()), signal: Some(x) });
        self.told(steps.collect(), None)
    }

    /// Rewards near the largest f32, in up to three states along at most two axes: sums, returns and steps leave the
    /// range.
    ///
    /// Each product φ·w has one term. So the result itself leaves the range, never a partial sum that would come back.
    fn out_of_range(&self, dice: &mut Dice) -> Vec<Event> {
        let unit = one_of(dice, &[0.5, 1.0, 2.0]);
        let axes = [axis(dice, self.n, unit), axis(dice, self.n, unit)];
        let steps = (0..1 + dice.below(3)).map(|state| {
            let phi = Phi::Floats(axes[dice.below(2) as usize].clone());
            let sign = one_of(dice, &[1.0, 1.0, -1.0]);
            Step { state, phi, signal: Some(sign * between(dice, 1.0, 3.9) * 2_f32.powi(126)) }
        });
        let steps = steps.collect();
        self.told(steps, None)
    }
}

impl Story for Walk {
    fn plan(&self) -> Plan {
        self.plan
    }

    fn length(&self) -> u32 {
        self.life + 2
    }

    fn next(&mut self, dice: &mut Dice) -> Vec<Event> {
        self.update += 1;
        if self.update > self.life {
            return self.out_of_range(dice);
        }
        let mut events = if once_in(dice, 40) { self.too_much(dice) } else { self.episode(dice) };
        events.push(Event::Ask(Phi::Floats(self.any(dice).1)));
        if once_in(dice, 40) {
            events.push(Event::Restart);
        }
        events
    }
}
