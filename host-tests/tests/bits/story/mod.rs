//! Inputs, including everything that can go wrong.

mod drift;
mod ends;
mod formats;
mod walk;

pub(crate) use drift::Drift;
pub(crate) use ends::{LargestBatch, LargestEpisode, LongestEpisode, any_number};
pub(crate) use formats::{Formats, Mood, phi};
use osculate_host_tests::reference::call::{Event, Phi};
use osculate_host_tests::worlds::Dice;
pub(crate) use walk::Walk;

use crate::plan::Plan;

/// The input of one learner.
pub(crate) trait Story {
    /// What learns from it.
    fn plan(&self) -> Plan;
    /// How many chapters there are.
    fn length(&self) -> u32;
    /// The next chapter: the calls of an update, or of a step of tracking.
    fn next(&mut self, dice: &mut Dice) -> Vec<Event>;
}

/// A step of an episode: the state that was left, its features, and the signal that came next.
pub(crate) struct Step {
    pub(crate) state: u32,
    pub(crate) phi: Phi,
    pub(crate) signal: Option<f32>,
}

/// The calls of an episode. Only floats come with the number of their state.
pub(crate) fn told(steps: impl IntoIterator<Item = Step>, end: Event) -> Vec<Event> {
    let (mut events, mut before) = (Vec::new(), None);
    for Step { state, phi, signal } in steps {
        let state = matches!(phi, Phi::Floats(_)).then_some(state);
        events.push(Event::Step(before, state, phi));
        before = signal;
    }
    events.extend([Event::Last(before), end]);
    events
}

/// Picks one of these uniformly.
pub(crate) fn one_of<T: Copy>(dice: &mut Dice, choices: &[T]) -> T {
    choices[dice.below(choices.len() as u32) as usize]
}

/// True once in this many calls on average.
pub(crate) fn once_in(dice: &mut Dice, times: u32) -> bool {
    dice.below(times) == 0
}

/// Uniform in [from, to), exact in f32.
pub(crate) fn between(dice: &mut Dice, from: f32, to: f32) -> f32 {
    from + (to - from) * (dice.uniform() + 1.0) / 2.0
}

/// A power of two up to 2^±spread.
fn unit(dice: &mut Dice, spread: u32) -> f32 {
    2_f32.powi(dice.below(2 * spread + 1) as i32 - spread as i32)
}

/// A feature vector along one random axis.
fn axis(dice: &mut Dice, n: usize, unit: f32) -> Vec<f32> {
    let mut phi = vec![0.0; n];
    phi[dice.below(n as u32) as usize] = unit;
    phi
}

/// Makes features unusable.
fn spoil(dice: &mut Dice, phi: &mut [f32]) {
    match dice.below(3) {
        0 => phi.fill(0.0),
        1 => phi[dice.below(phi.len() as u32) as usize] = f32::NAN,
        _ => phi[dice.below(phi.len() as u32) as usize] = f32::INFINITY,
    }
}

/// What a sensor says at times instead of a number.
fn no_signal(dice: &mut Dice) -> Option<f32> {
    one_of(dice, &[None, Some(f32::NAN), Some(f32::INFINITY), Some(f32::NEG_INFINITY)])
}
