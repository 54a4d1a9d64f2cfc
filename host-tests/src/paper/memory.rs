//! RAM against the length of an episode.

use osculate::{Log, Predictor, Q28, Stored, Streaming, Tracking};

use super::figure::{Axis, Bound, Claim, Figure, Line, Panel};
use super::noisy::FEATURES;
use super::statistics::summary;
use super::{Experiment, Size};

/// The sizes of a stored learner with a log for this many samples, all of them rows: in f32 and q28.
macro_rules! stored {
    ($($steps:literal)*) => {
        [$((
            $steps,
            [
                size_of::<Predictor<Stored<Log<f32, FEATURES, $steps, $steps>>>>(),
                size_of::<Predictor<Stored<Log<Q28, FEATURES, $steps, $steps>>>>(),
            ],
        )),*]
    };
}

/// A number of samples, and the bytes in both arithmetics.
type Entry = (u32, [usize; 2]);

/// The bytes of whole predictors.
pub(super) fn figure(_: Size) -> Experiment {
    Experiment::new(
        [()],
        |()| (),
        |_| {
            let stored: [Entry; 10] = stored!(8 16 32 64 128 256 512 1024 2048 4096);
            let streaming =
                [size_of::<Predictor<Streaming<f32, FEATURES>>>(), size_of::<Predictor<Streaming<Q28, FEATURES>>>()];
            let tracking =
                [size_of::<Predictor<Tracking<f32, FEATURES>>>(), size_of::<Predictor<Tracking<Q28, FEATURES>>>()];
            let (mut lines, mut results) = (Vec::new(), Vec::new());
            for (i, name) in ["f32", "q28"].into_iter().enumerate() {
                let points = |bytes: &dyn Fn(&Entry) -> usize| -> Vec<(f64, f64)> {
                    stored.iter().map(|entry| (f64::from(entry.0), bytes(entry) as f64)).collect()
                };
                lines.push(Line::plain(format!("stored, {name}"), points(&|entry| entry.1[i])).ink(0));
                lines.push(Line::plain(format!("streaming, {name}"), points(&|_| streaming[i])).ink(1));
                lines.push(Line::plain(format!("tracking, {name}"), points(&|_| tracking[i])).ink(2));
                for (steps, bytes) in stored.iter().filter(|(steps, _)| [64, 1024].contains(steps)) {
                    results.push(summary("bytes", format!("stored, {name}, {steps} samples"), &[bytes[i] as f64]));
                }
                results.push(summary("bytes", format!("streaming, {name}"), &[streaming[i] as f64]));
                results.push(summary("bytes", format!("tracking, {name}"), &[tracking[i] as f64]));
            }
            let long = stored[7].1;
            Figure {
                id: "memory",
                title: "RAM against the length of an episode".into(),
                caption: format!(
                    "The size of a whole predictor with {FEATURES} features, by the compiler for this machine (pointers and counts of the machine's word are \
                 a little smaller on a 32-bit core). `paper` and `predictable` store the episode; `streaming` and `tracking` do not, and an episode may be as long as it likes."
                ),
                rules: ["stored (paper, predictable)", "streaming", "tracking"].map(Into::into).into(),
                seeds: Vec::new(),
                panels: vec![Panel {
                    title: format!("bytes of a predictor, {FEATURES} features"),
                    x: Axis::log("samples in the longest episode"),
                    y: Axis::log("bytes"),
                    lines,
                }],
                results,
                claims: vec![Claim::new(
                    "bytes at 1024 samples, stored over streaming, q28",
                    long[1] as f64 / streaming[1] as f64,
                    Bound::AtLeast,
                    10.0,
                )],
            }
        },
    )
}
