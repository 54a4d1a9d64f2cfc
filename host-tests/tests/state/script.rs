//! The input of a learner: samples of several episodes, including everything that can be wrong with them.

use osculate_host_tests::worlds::Dice;

pub(crate) const STEPS: usize = 200;
pub(crate) const N: usize = 6;
/// More than fit in a log.
pub(crate) const STATES: u32 = 10;

/// One sample, and the action after it.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) signal: Option<f32>,
    pub(crate) state: u32,
    pub(crate) features: [f32; N],
    pub(crate) after: After,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum After {
    Nothing,
    /// The last reward, then the end.
    End(f32),
    /// The last reward, then a cut in the state of the sample.
    Cut(f32),
    /// Restarts learning in the middle of an episode.
    Restart,
    CloseRows,
    /// For a predictor, a row with its target; for an agent, a missed sample.
    Extra(f32),
}

/// A sensor reading: sometimes missing, not finite, or out of range for a format.
fn reading(dice: &mut Dice) -> Option<f32> {
    match dice.below(24) {
        0 => None,
        1 => Some(f32::NAN),
        2 => Some(f32::INFINITY),
        3 => Some(-1e12),
        _ => Some(dice.uniform()),
    }
}

pub(crate) fn script(seed: u64) -> Vec<Sample> {
    let mut dice = Dice::new(seed);
    let states: Vec<[f32; N]> = (0..STATES).map(|_| std::array::from_fn(|_| dice.uniform())).collect();
    let mut left = 0;
    let samples = (0..STEPS).map(|_| {
        let state = dice.below(STATES);
        let mut features = states[state as usize];
        match dice.below(20) {
            0 => features = [0.0; N],
            1 => features[dice.below(N as u32) as usize] = f32::NAN,
            _ => {}
        }
        if left == 0 {
            left = 4 + dice.below(20);
        }
        left -= 1;
        let after = match (left, dice.below(24)) {
            (0, 0..12) => After::End(dice.uniform()),
            (0, _) => After::Cut(dice.uniform()),
            (1, 0) => After::Restart,
            (1..4, 1) => After::CloseRows,
            (_, 2..4) => After::Extra(dice.uniform()),
            _ => After::Nothing,
        };
        Sample { signal: reading(&mut dice), state, features, after }
    });
    samples.collect()
}
