//! Recorded weather, as files.

use std::fmt::Write;
use std::sync::Arc;

use osculate_lab::room::weather::{Recording, Weather};

use super::Fuzz;
use super::files::says_where;
use super::number::Fuzzed;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    let text = valid(fuzz);
    match fuzz.below(4) {
        0 => {
            let recording = Recording::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error:#}: {text}"));
            usable(fuzz, recording, &text);
            fuzz.called("read as written");
        }
        1 => {
            let file = fuzz.any_file();
            attempt(fuzz, &file);
        }
        2 => {
            let file = with_any_hours(fuzz);
            attempt(fuzz, file.as_bytes());
        }
        _ => {
            let file = fuzz.damaged_file(&text);
            attempt(fuzz, &file);
        }
    }
}

/// A file that must be read.
fn valid(fuzz: &mut Fuzz) -> String {
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
            0 => f64::from_bits(fuzz.word()),
            1 => fuzz.any_float().into(),
            _ => f64::from(fuzz.float()),
        })
        .collect();
    hours.sort_by(f64::total_cmp);
    let lines = hours.iter().map(|hour| format!("{hour},{}\n", fuzz.pick(&[-55.0, 0.1, 125.0])));
    "hour,celsius\n".to_owned() + &lines.collect::<String>()
}

/// Promise 12.
fn attempt(fuzz: &mut Fuzz, file: &[u8]) {
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
