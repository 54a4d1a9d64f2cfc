//! Text files that people might pass, and what may have happened to them.

use std::fmt::Write;
use std::sync::Arc;

use osculate_lab::replay::csv as replay_csv;
use osculate_lab::replay::trace::Trace;
use osculate_lab::room::weather::{Recording, Weather};

use super::input::Fuzz;

/// What tables are made of, and what breaks them.
const SIGNS: [&str; 10] = [",", "\n", "\r\n", "\"", "\"\"", " ", "\t", "\u{feff}", "é", "\0"];
const NUMBERS: [&str; 10] = ["0", "1", "-1", "7.5", "1e39", "-1e308", "1.7e308", "NaN", "inf", "1e-320"];
const WORDS: [&str; 8] = ["episode", "state", "reward", "phi0", "hour", "time", "celsius", "fahrenheit"];
const LONG: [&str; 4] = ["9223372036854775808", "-9223372036854775808", "2024-02-29 13:00", "0000-00-00T24:60:61Z"];

impl Fuzz<'_> {
    fn piece(&mut self) -> &'static str {
        let kind: [&[&str]; 4] = [&SIGNS, &NUMBERS, &WORDS, &LONG];
        let kind = self.pick(&kind);
        self.pick(kind)
    }

    /// A file with some pieces changed, taken out or put in, or cut off; from nothing, any file.
    fn damaged_file(&mut self, file: &str, most: u32) -> Vec<u8> {
        let mut file = file.as_bytes().to_vec();
        for _ in 0..=self.below(most) {
            let at = self.below(file.len() as u32 + 1) as usize;
            let until = (at + self.below(3) as usize).min(file.len());
            match self.below(8) {
                0 => file.truncate(at),
                1 => drop(file.splice(at..until, [self.any()])),
                2 => drop(file.splice(at..until, [])),
                3 => file.rotate_left(at),
                _ => drop(file.splice(at..until, self.piece().bytes())),
            }
        }
        file
    }

    /// The end of a line, and perhaps an empty line.
    fn line_end(&mut self) -> &'static str {
        self.pick(&["\n", "\n", "\r\n", "\n\n", " \n"])
    }
}

/// Promise 12. Reads a file as it is, damaged, or another one altogether. What was read comes back, and whether it is
/// what was written.
fn read<T>(
    fuzz: &mut Fuzz,
    (written, is_valid): (&str, bool),
    read: fn(&[u8]) -> anyhow::Result<T>,
    too_little: [&str; 2],
) -> Option<(T, bool)> {
    let kind = fuzz.below(3);
    let is_as_written = kind == 0 && is_valid;
    let file = match kind {
        0 => written.as_bytes().to_vec(),
        1 => fuzz.damaged_file("", 40),
        _ => fuzz.damaged_file(written, 3),
    };
    let answer = read(&file);
    if let Err(error) = &answer {
        let message = format!("{error:#}");
        assert!(!is_as_written, "{message}: {written}");
        // It names a line that exists, or says that there is too little.
        let lines = 1 + file.iter().filter(|byte| **byte == b'\n').count();
        let number = message.strip_prefix("line ").and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
        let line: Option<usize> = number.and_then(|number| number.parse().ok());
        let is_said = line.is_some_and(|line| (1..=lines).contains(&line));
        assert!(is_said || too_little.iter().any(|text| message.contains(text)), "{message} in {file:?}");
    }
    fuzz.called(match answer {
        Err(_) => "refused",
        Ok(_) if is_as_written => "read as written",
        Ok(_) => "read",
    });
    answer.ok().map(|read| (read, is_as_written))
}

/// Recordings to replay.
pub(super) fn replay(fuzz: &mut Fuzz) {
    let (text, expected) = recording(fuzz);
    let too_little = ["the file is empty", "nothing but a header"];
    let Some((trace, is_whole)) = read(fuzz, (&text, true), |file| replay_csv::read(file), too_little) else { return };
    let steps = steps(&trace);
    assert!(!is_whole || steps == expected, "{steps:?} instead of {expected:?}: {text}");
    assert!(trace.features() > 0 && !steps.is_empty() && steps.len() == trace.steps());
    assert!(steps.iter().all(|(_, _, values)| values.len() == trace.features() + 1));
    assert!((0..trace.episodes()).all(|episode| trace.episode(episode).len() > 0), "an empty episode: {steps:?}");
}

/// Every step: its episode, its state, and the bits of its reward and features.
type Steps = Vec<(usize, u32, Vec<u32>)>;

/// A NaN has no sign and no payload in a file.
fn bits(x: f32) -> u32 {
    if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() }
}

fn steps(trace: &Trace) -> Steps {
    let steps = (0..trace.episodes()).flat_map(|episode| trace.episode(episode).map(move |step| (episode, step)));
    let values = |reward: f32, features: &[f32]| [&[reward], features].concat().into_iter().map(bits).collect();
    steps.map(|(episode, step)| (episode, step.state, values(step.reward, step.features))).collect()
}

/// A file, and what is in it.
fn recording(fuzz: &mut Fuzz) -> (String, Steps) {
    let features = 1 + fuzz.below(3);
    let mut text = String::from("episode,state,reward");
    (0..features).for_each(|feature| _ = write!(text, ",phi{feature}"));
    let mut steps = Steps::new();
    for episode in 0..=fuzz.below(2) as usize {
        // States are numbered in the order in which they come.
        let mut names: Vec<&str> = Vec::new();
        for _ in 0..=fuzz.below(4) {
            let name = fuzz.pick(&["a", "b", "\"a, \"\"b\"\"\n\"", "é", "7"]);
            let state = names.iter().position(|known| *known == name).unwrap_or(names.len());
            if state == names.len() {
                names.push(name);
            }
            text += fuzz.line_end();
            _ = write!(text, "{episode},{name}");
            let mut values = Vec::new();
            for _ in 0..=features {
                let x = if fuzz.is_wild() { fuzz.any_float() } else { fuzz.float() };
                values.push(bits(x));
                _ = match fuzz.below(4) {
                    0 => write!(text, ",{x:e}"),
                    1 => write!(text, ", \"{x}\" "),
                    _ => write!(text, ",{x}"),
                };
            }
            steps.push((episode, state as u32, values));
        }
    }
    (text, steps)
}

/// Recorded weather: that of any evening is a temperature that a thermometer can show.
pub(super) fn weather(fuzz: &mut Fuzz) {
    let is_valid = !fuzz.one_in(3);
    let text = if is_valid { hours(fuzz) } else { any_hours(fuzz) };
    let too_little = ["the file is empty", "at least two lines"];
    let Some((recording, _)) = read(fuzz, (&text, is_valid), |file| Recording::read(file), too_little) else { return };
    let recording = Arc::new(recording);
    for evening in [1, 2, 90, 1 + fuzz.below(10_000)] {
        let weather = Weather::recorded(&recording, evening);
        for step in [0, 1, 96, fuzz.below(288)] {
            let degrees = weather.at(step);
            assert!((-55.0..=125.0).contains(&degrees), "{degrees} °C, evening {evening}, step {step}: {text}");
        }
    }
}

/// A file that must be read.
fn hours(fuzz: &mut Fuzz) -> String {
    let unit = fuzz.pick(&["celsius", "fahrenheit"]);
    let dates = fuzz.one_in(2);
    let mut text = format!("{},{unit}", fuzz.pick(&["hour", "time", "date"]));
    let mut hour = f64::from(fuzz.below(100)) - 50.0;
    for day in 0..2 + fuzz.below(4) {
        text += fuzz.line_end();
        let degrees = f64::from(fuzz.below(90)) - 40.0;
        hour += f64::from(1 + fuzz.below(1000)) / 64.0;
        _ = match dates {
            true => write!(text, "2024-02-{:02} {:02}:{:02},{degrees}", 25 + day, fuzz.below(24), fuzz.below(60)),
            false => write!(text, "{hour},{degrees}"),
        };
    }
    text
}

/// Hours of any size, in order.
fn any_hours(fuzz: &mut Fuzz) -> String {
    let count = 2 + fuzz.below(3);
    let mut hours: Vec<f64> = (0..count)
        .map(|_| match fuzz.below(3) {
            0 => f64::from_bits(fuzz.any()),
            1 => fuzz.any_float().into(),
            _ => fuzz.float().into(),
        })
        .collect();
    hours.sort_by(f64::total_cmp);
    let lines = hours.iter().map(|hour| format!("{hour},{}\n", fuzz.pick(&[-55.0, 0.1, 125.0])));
    "hour,celsius\n".to_owned() + &lines.collect::<String>()
}
