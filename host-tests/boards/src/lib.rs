//! What must hold on boards is in `tests`. Here is what several of them share.

use osculate_lab::replay::trace::Trace;

use osculate_host_tests::worlds::{Dice, row};

/// A recording of what a learner might see: episodes with repeated states, noise, and unusable steps: every one of 24 has a fate, and `reward` may choose another
/// reward for the fates from 3 on.
pub fn recording(seed: u64, n: usize, episodes: u64, reward: impl Fn(u32) -> Option<f32>) -> Trace {
    let mut dice = Dice::new(seed);
    let truth = row(&mut dice, n);
    let states: Vec<_> = (0..12).map(|_| row(&mut dice, n)).collect();
    let mut trace = Trace::new(n);
    for episode in 0..episodes {
        trace.begin_episode(episode);
        for _ in 0..1 + dice.below(30) {
            let state = dice.below(12);
            let features = &states[state as usize];
            let value: f32 = features.iter().zip(&truth).map(|(x, w)| x * w).sum();
            let mut values = vec![value + dice.uniform() / 4.0];
            values.extend(features);
            match dice.below(24) {
                0 => values[0] = f32::NAN,
                1 => values[n] = f32::INFINITY,
                2 => values[1..].fill(0.0),
                fate => values[0] = reward(fate).unwrap_or(values[0]),
            }
            trace.push(state, values);
        }
    }
    trace
}
