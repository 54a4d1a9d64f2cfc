//! Recordings to replay, as files.

use std::fmt::Write;

use osculate_lab::replay::csv::read;
use osculate_lab::replay::trace::Trace;

use super::Fuzz;
use super::files::says_where;
use super::number::Fuzzed;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    let (text, expected) = valid(fuzz);
    match fuzz.below(3) {
        0 => {
            let trace = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error:#}: {text}"));
            assert_eq!(bits(&trace), expected, "{text}");
            fuzz.called("read as written");
        }
        1 => {
            let file = fuzz.any_file();
            attempt(fuzz, &file);
        }
        _ => {
            let file = fuzz.damaged_file(&text);
            attempt(fuzz, &file);
        }
    }
}

/// Every step: its episode, its state, and the bits of its reward and features.
type Steps = Vec<(usize, u32, Vec<u32>)>;

/// A file, and what is in it.
fn valid(fuzz: &mut Fuzz) -> (String, Steps) {
    let features = 1 + fuzz.below(3);
    let mut text = String::from("episode,state,reward");
    (0..features).for_each(|feature| _ = write!(text, ",phi{feature}"));
    let mut steps = Steps::new();
    for episode in 0..=fuzz.below(2) as usize {
        let mut names: Vec<String> = Vec::new();
        for _ in 0..=fuzz.below(4) {
            let name = fuzz.pick(&["a", "b", "\"a, \"\"b\"\"\n\"", "é", "7"]).to_owned();
            let state = names.iter().position(|known| *known == name).unwrap_or(names.len());
            if state == names.len() {
                names.push(name.clone());
            }
            text += fuzz.line_end();
            _ = write!(text, "{episode},{name}");
            let mut values = Vec::new();
            for _ in 0..=features {
                let (x, written) = fuzz.written();
                // A NaN has no sign and no payload in a file.
                values.push(if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() });
                text = text + "," + &written;
            }
            steps.push((episode, state as u32, values));
        }
    }
    (text, steps)
}

fn bits(trace: &Trace) -> Steps {
    let steps = (0..trace.episodes()).flat_map(|episode| trace.episode(episode).map(move |step| (episode, step)));
    let bits = |x: &f32| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() };
    steps
        .map(|(episode, step)| (episode, step.state, [step.reward].iter().chain(step.features).map(bits).collect()))
        .collect()
}

/// Promise 12.
fn attempt(fuzz: &mut Fuzz, file: &[u8]) {
    match read(file) {
        Ok(trace) => {
            let steps = bits(&trace);
            assert!(trace.features() > 0 && !steps.is_empty() && steps.len() == trace.steps());
            assert!(steps.iter().all(|(_, _, values)| values.len() == trace.features() + 1));
            assert!(
                (0..trace.episodes()).all(|episode| trace.episode(episode).len() > 0),
                "an empty episode: {file:?}"
            );
            fuzz.called("read");
        }
        Err(error) => {
            says_where(&error, file, &["the file is empty", "nothing but a header"]);
            fuzz.called("refused");
        }
    }
}
