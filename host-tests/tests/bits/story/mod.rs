//! Inputs, including everything that can go wrong.

mod drift;
mod ends;
mod episodes;
mod features;

pub(crate) use drift::Drift;
pub(crate) use ends::{any_number, largest, longest};
pub(crate) use episodes::Episodes;
pub(crate) use features::any_features;
use osculate_host_tests::reference::call::{Event, Phi};
use osculate_host_tests::worlds::Dice;

use crate::plan::Plan;

type Chapters = dyn FnMut(&mut Dice) -> Vec<Event>;

/// The input of one learner.
pub(crate) struct Story {
    /// What learns from it.
    pub(crate) plan: Plan,
    /// How many chapters there are.
    pub(crate) length: u32,
    /// The next chapter: the calls of an update, or of a step of tracking.
    pub(crate) next: Box<Chapters>,
}

/// A step of an episode: the state that was left, its features, and the signal that came next. Or a row with its
/// target.
pub(crate) struct Step {
    pub(crate) state: u32,
    pub(crate) phi: Phi,
    pub(crate) signal: Option<f32>,
}

/// The calls of an episode, or of a batch if this plan is for rows. Only floats come with the number of their state.
pub(crate) fn told(plan: &Plan, steps: impl IntoIterator<Item = Step>, end: Event) -> Vec<Event> {
    let steps = steps.into_iter();
    if plan.has_targets() {
        let learn = |step: Step| Event::Learn(step.signal.unwrap_or(f32::NAN), step.phi);
        return steps.map(learn).chain([end]).collect();
    }
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

/// What a sensor says at times instead of a number.
fn no_signal(dice: &mut Dice) -> Option<f32> {
    one_of(dice, &[None, Some(f32::NAN), Some(f32::INFINITY), Some(f32::NEG_INFINITY)])
}
