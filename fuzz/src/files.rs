//! Text files that people might pass, and what may have happened to them.

use std::fmt::Write;
use std::sync::Arc;

use osculate_lab::replay::csv as replay_csv;
use osculate_lab::replay::trace::Trace;
use osculate_lab::room::weather::{Recording, Weather};

use super::input::Fuzz;

/// What tables are made of, and what breaks them.
const PIECES: [&str; 32] = [
    ",",
    "\n",
    "\r\n",
    "\"",
    "\"\"",
    " ",
    "\t",
    "0",
    "1",
    "-1",
    "7.5",
    "1e39",
    "-1e308",
    "1.7e308",
    "NaN",
    "inf",
    "1e-320",
    "9223372036854775808",
    "-9223372036854775808",
    "episode",
    "state",
    "reward",
    "phi0",
    "hour",
    "time",
    "celsius",
    "fahrenheit",
    "2024-02-29 13:00",
    "0000-00-00T24:60:61Z",
    "\u{feff}",
    "é",
    "\0",
];

impl Fuzz<'_> {
    /// Arbitrary bytes, or arbitrary pieces of tables.
    fn any_file(&mut self) -> Vec<u8> {
        let length = self.below(40);
        let bytes = self.one_in(4);
        let mut file = Vec::new();
        for _ in 0..length {
            if bytes {
                file.push(self.any());
            } else {
                file.extend(self.pick(&PIECES).as_bytes());
            }
        }
        file
    }

    /// A valid file with a few bytes or pieces changed, taken out or put in, or cut off.
    fn damaged_file(&mut self, file: &str) -> Vec<u8> {
        let mut file = file.as_bytes().to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(file.len() as u32 + 1) as usize;
            let until = (at + self.below(3) as usize).min(file.len());
            match self.below(8) {
                0 => file.truncate(at),
                1 => drop(file.splice(at..until, [self.any()])),
                2 => drop(file.splice(at..until, [])),
                3 => file.rotate_left(at),
                _ => {
                    let piece = self.pick(&PIECES);
                    file.splice(at..until, piece.bytes());
                }
            }
        }
        file
    }

    /// A number as people write it.
    fn written(&mut self) -> (f32, String) {
        let x = if self.is_wild() { self.any_float() } else { self.float() };
        let text = match self.below(4) {
            0 => format!("{x:e}"),
            1 => format!(" \"{x}\" "),
            _ => format!("{x}"),
        };
        (x, text)
    }

    /// The end of a line, and perhaps an empty line.
    fn line_end(&mut self) -> &'static str {
        self.pick(&["\n", "\n", "\r\n", "\n\n", " \n"])
    }
}

/// Checks that an error names a line that exists, or says that there is too little.
fn says_where(error: &anyhow::Error, file: &[u8], too_little: &[&str]) {
    let message = format!("{error:#}");
    let lines = 1 + file.iter().filter(|byte| **byte == b'\n').count();
    let number = message.strip_prefix("line ").map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
    let number = number.flatten().and_then(|number| number.parse::<usize>().ok());
    let is_said = number.is_some_and(|number| (1..=lines).contains(&number));
    assert!(is_said || too_little.iter().any(|text| message.contains(text)), "{message} in {file:?}");
}

/// Recordings to replay.
pub(super) fn replay(fuzz: &mut Fuzz) {
    let (text, expected) = recording(fuzz);
    match fuzz.below(3) {
        0 => {
            let trace = replay_csv::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error:#}: {text}"));
            assert_eq!(bits(&trace), expected, "{text}");
            fuzz.called("read as written");
        }
        1 => {
            let file = fuzz.any_file();
            attempt_replay(fuzz, &file);
        }
        _ => {
            let file = fuzz.damaged_file(&text);
            attempt_replay(fuzz, &file);
        }
    }
}

/// Every step: its episode, its state, and the bits of its reward and features.
type Steps = Vec<(usize, u32, Vec<u32>)>;

/// A file, and what is in it.
fn recording(fuzz: &mut Fuzz) -> (String, Steps) {
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
fn attempt_replay(fuzz: &mut Fuzz, file: &[u8]) {
    match replay_csv::read(file) {
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

/// Recorded weather.
pub(super) fn weather(fuzz: &mut Fuzz) {
    let text = hours(fuzz);
    match fuzz.below(4) {
        0 => {
            let recording = Recording::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error:#}: {text}"));
            usable(fuzz, recording, &text);
            fuzz.called("read as written");
        }
        1 => {
            let file = fuzz.any_file();
            attempt_weather(fuzz, &file);
        }
        2 => {
            let file = with_any_hours(fuzz);
            attempt_weather(fuzz, file.as_bytes());
        }
        _ => {
            let file = fuzz.damaged_file(&text);
            attempt_weather(fuzz, &file);
        }
    }
}

/// A file that must be read.
fn hours(fuzz: &mut Fuzz) -> String {
    let unit = fuzz.pick(&["celsius", "fahrenheit"]);
    let dates = fuzz.one_in(2);
    let mut text = format!("{},{unit}", fuzz.pick(&["hour", "time", "date"]));
    let mut hour = if dates { 0.0 } else { f64::from(fuzz.below(100)) - 50.0 };
    for day in 0..2 + fuzz.below(4) {
        text += fuzz.line_end();
        let degrees = f64::from(fuzz.below(90)) - 40.0;
        if dates {
            _ = write!(text, "2024-02-{:02} {:02}:{:02},{degrees}", 25 + day, fuzz.below(24), fuzz.below(60));
        } else {
            hour += f64::from(1 + fuzz.below(1000)) / 64.0;
            _ = write!(text, "{hour},{degrees}");
        }
    }
    text
}

/// Hours of any size, in order.
fn with_any_hours(fuzz: &mut Fuzz) -> String {
    let count = 2 + fuzz.below(3);
    let mut hours: Vec<f64> = (0..count)
        .map(|_| match fuzz.below(3) {
            0 => f64::from_bits(fuzz.any()),
            1 => fuzz.any_float().into(),
            _ => f64::from(fuzz.float()),
        })
        .collect();
    hours.sort_by(f64::total_cmp);
    let lines = hours.iter().map(|hour| format!("{hour},{}\n", fuzz.pick(&[-55.0, 0.1, 125.0])));
    "hour,celsius\n".to_owned() + &lines.collect::<String>()
}

/// Promise 12.
fn attempt_weather(fuzz: &mut Fuzz, file: &[u8]) {
    match Recording::read(file) {
        Ok(recording) => {
            usable(fuzz, recording, &String::from_utf8_lossy(file));
            fuzz.called("read");
        }
        Err(error) => {
            says_where(&error, file, &["the file is empty", "at least two lines"]);
            fuzz.called("refused");
        }
    }
}

/// The weather of any evening is a temperature that a thermometer can show.
fn usable(fuzz: &mut Fuzz, recording: Recording, file: &str) {
    let recording = Arc::new(recording);
    for evening in [1, 2, 90, 1 + fuzz.below(10_000)] {
        let weather = Weather::recorded(&recording, evening);
        for step in [0, 1, 96, fuzz.below(288)] {
            let degrees = weather.at(step);
            assert!((-55.0..=125.0).contains(&degrees), "{degrees} °C, evening {evening}, step {step}: {file}");
        }
    }
}
