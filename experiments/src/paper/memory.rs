//! RAM against the length of an episode.

use osculate::{Arithmetic, Log, Predictor, Q28, Stored, Streaming, Tracking};
use osculate_lab::drawing::{Axis, Line};

use super::Size;
use super::figure::{Claim, Figure};
use crate::curves::Summary;
use crate::equations::FEATURES;

/// The sizes of a stored learner with a log for this many samples, all of them rows.
macro_rules! stored {
    ($arithmetic:ty, $($steps:literal)*) => {
        vec![$((f64::from($steps), size_of::<Predictor<Stored<Log<$arithmetic, FEATURES, $steps, $steps>>>>() as f64)),*]
    };
}

/// Bytes by rule, against the samples in an episode.
fn rules<A: Arithmetic>(stored: Vec<(f64, f64)>) -> [(&'static str, Vec<(f64, f64)>); 3] {
    let always = |bytes: usize| stored.iter().map(|(steps, _)| (*steps, bytes as f64)).collect();
    let streaming = always(size_of::<Predictor<Streaming<A, FEATURES>>>());
    let tracking = always(size_of::<Predictor<Tracking<A, FEATURES>>>());
    [("stored", stored), ("streaming", streaming), ("tracking", tracking)]
}

/// The bytes of whole predictors.
pub(super) fn figure(_: Size) -> Figure {
    let f32 = rules::<f32>(stored!(f32, 8 16 32 64 128 256 512 1024 2048 4096));
    let q28 = rules::<Q28>(stored!(Q28, 8 16 32 64 128 256 512 1024 2048 4096));
    let at = |points: &[(f64, f64)], samples: f64| points.iter().find(|point| point.0 == samples).map_or(0.0, |p| p.1);
    let over = at(&q28[0].1, 1024.0) / at(&q28[1].1, 1024.0);
    let (mut lines, mut results) = (Vec::new(), Vec::new());
    for (name, rules) in [("f32", f32), ("q28", q28)] {
        for (i, (rule, points)) in rules.into_iter().enumerate() {
            let samples: &[f64] = if i == 0 { &[64.0, 1024.0] } else { &[64.0] };
            results.extend(samples.iter().map(|samples| {
                let of = if i == 0 { format!(", {samples} samples") } else { String::new() };
                Summary::new("bytes", format!("{rule}, {name}{of}"), &[at(&points, *samples)])
            }));
            lines.push(Line::plain(format!("{rule}, {name}"), points).ink(i));
        }
    }
    let caption = format!(
        "The size of a whole predictor with {FEATURES} features, by the compiler for this machine (pointers and counts of the machine's word are \
         a little smaller on a 32-bit core). `paper` and `predictable` store the episode; `streaming` and `tracking` do not, and an episode may be as long as it likes."
    );
    let (x, y) = (Axis::log("samples in the longest episode"), Axis::log("bytes"));
    Figure::new("memory", "RAM against the length of an episode", caption)
        .panel(format!("bytes of a predictor, {FEATURES} features"), x, y, lines)
        .results(results)
        .claims([Claim::at_least("bytes at 1024 samples, stored over streaming, q28", over, 10.0)])
}
