//! The outside air.

use std::f64::consts::TAU;
use std::io::BufRead;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use osculate::Random;

use crate::table::Table;

/// An evening begins at this hour of the day.
const FIRST_HOUR: f64 = 16.0;
const STEPS_PER_HOUR: f64 = 12.0;
const HEADER: &str = "`hour` or `time`, then `celsius` or `fahrenheit`, as in `time,celsius`";

/// The outside temperature of an evening, in °C.
#[derive(Clone, Debug)]
pub enum Weather {
    /// A daily wave around a mean that drifts as fronts pass.
    Wave {
        /// The daily mean.
        mean: f64,
        /// Half the difference between day and night.
        swing: f64,
        /// How much the mean changes in an hour.
        drift: f64,
        /// How much the swing changes in an hour.
        growth: f64,
    },
    /// From a recording.
    Recorded {
        /// The recording.
        series: Arc<Recording>,
        /// The hour of the recording at which the evening begins.
        from: f64,
    },
}

impl Weather {
    /// The weather of a winter evening that has nothing to do with the one before.
    pub fn wave(seed: u64, evening: u32) -> Self {
        let [mean, swing, drift] = drawn(seed, evening);
        Self::Wave { mean, swing, drift: drift / 8.0, growth: 0.0 }
    }

    /// The weather from a winter evening to the next: it has become the next one's when that begins.
    pub fn wave_that_goes_on(seed: u64, evening: u32) -> Self {
        let ([mean, swing, _], [next_mean, next_swing, _]) = (drawn(seed, evening), drawn(seed, evening + 1));
        Self::Wave { mean, swing, drift: (next_mean - mean) / 24.0, growth: (next_swing - swing) / 24.0 }
    }

    /// The weather of a recorded evening, counted from 1. The recording repeats after its last day.
    pub fn recorded(series: &Arc<Recording>, evening: u32) -> Self {
        Self::Recorded { series: series.clone(), from: 24.0 * f64::from(evening - 1) + FIRST_HOUR }
    }

    /// The temperature after this many steps.
    pub fn at(&self, step: u32) -> f64 {
        let hours = f64::from(step) / STEPS_PER_HOUR;
        match self {
            // Warmest at three in the afternoon.
            Self::Wave { mean, swing, drift, growth } => {
                let swing = swing + growth * hours;
                mean + swing * libm::cos(TAU * (FIRST_HOUR + hours - 15.0) / 24.0) + drift * hours
            }
            Self::Recorded { series, from } => series.at(from + hours),
        }
    }
}

/// The mean, the swing, and how much the mean changes in eight hours.
fn drawn(seed: u64, evening: u32) -> [f64; 3] {
    let mut dice = Random::new(seed ^ (u64::from(evening) << 32) ^ 0x0577);
    [(-6.0, 8.0), (1.0, 4.0), (-3.0, 3.0)]
        .map(|(low, high)| low + (high - low) * f64::from(dice.below(1 << 16)) / 65536.0)
}

/// Temperatures at given hours.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording(Vec<(f64, f64)>);

impl Recording {
    /// Reads one line per measurement after a header such as `time,celsius`. Times increase, as hours since some
    /// midnight or as date and time (`2024-01-31 13:00`); temperatures are in `celsius` or `fahrenheit`.
    ///
    /// # Errors
    /// The line, counted from 1, and what is wrong with it.
    pub fn read(file: impl BufRead) -> Result<Self> {
        let mut table = Table::new(file);
        let (number, header) =
            table.next_line()?.with_context(|| format!("the file is empty; it should start with {HEADER}"))?;
        let names: Vec<&str> = header.iter().map(String::as_str).collect();
        let unit = match names[..] {
            ["hour" | "time" | "date", unit @ ("celsius" | "fahrenheit")] => unit,
            _ => bail!("line {number}: the header is `{}` and should be {HEADER}", names.join(",")),
        };
        let mut first = None;
        let mut points: Vec<(f64, f64)> = Vec::new();
        while let Some((number, cells)) = table.next_line()? {
            let [when, temperature] = &cells[..] else {
                bail!("line {number}: {} columns, but the header has 2", cells.len());
            };
            let hour = hour(when, &mut first).with_context(|| format!("line {number}"))?;
            let later = points.last().is_none_or(|(before, _)| hour > *before);
            ensure!(later, "line {number}: `{when}` does not come after the one before");
            let degrees: f64 = temperature
                .parse()
                .ok()
                .with_context(|| format!("line {number}: `{temperature}` is no temperature"))?;
            let (celsius, letter) =
                if unit == "celsius" { (degrees, 'C') } else { ((degrees - 32.0) * 5.0 / 9.0, 'F') };
            // The range of the agent's thermometers.
            let shown = (-55.0..=125.0).contains(&celsius);
            ensure!(shown, "line {number}: {degrees} °{letter} is out of a thermometer's range, -55 to 125 °C");
            points.push((hour, celsius));
        }
        ensure!(points.len() >= 2, "a recording has at least two lines after its header");
        Ok(Self(points))
    }

    /// Linear interpolation between two measurements. Rounding does not lead beyond them.
    fn at(&self, hour: f64) -> f64 {
        let (first, last) = (self.0[0].0, self.0[self.0.len() - 1].0);
        let hour = first + (hour - first).rem_euclid(last - first);
        let after = self.0.partition_point(|(at, _)| *at <= hour).clamp(1, self.0.len() - 1);
        let ((from, low), (to, high)) = (self.0[after - 1], self.0[after]);
        (low + (high - low) * (hour - from) / (to - from)).clamp(low.min(high), low.max(high))
    }
}

/// More than a thousand years. Farther away, the minutes would get lost in rounding.
const LARGEST_HOUR: f64 = 1e7;

/// The hour of a measurement: as it stands, or with dates counted from the midnight before the first one, whose day is
/// kept in `first`; all measurements are in the form of the first one.
fn hour(text: &str, first: &mut Option<Option<u32>>) -> Result<f64> {
    if let Some(hour) = text.parse().ok().filter(|hour: &f64| hour.abs() <= LARGEST_HOUR) {
        ensure!(first.get_or_insert(None).is_none(), "`{text}` is an hour, the line before has a date");
        return Ok(hour);
    }
    let (day, minutes) = date_time(text).with_context(|| {
        format!("`{text}` is neither an hour nor a date and time such as `2024-01-31 13:00`, without a time zone")
    })?;
    let first = first.get_or_insert(Some(day));
    let first = first.with_context(|| format!("`{text}` is a date, the line before has an hour"))?;
    Ok(24.0 * (f64::from(day) - f64::from(first)) + minutes / 60.0)
}

/// The day, counted from the year 1, and the minutes since its midnight, of `YYYY-MM-DD HH:MM`, with a `T` or a blank as
/// separator, and optional seconds and `Z`.
fn date_time(text: &str) -> Option<(u32, f64)> {
    let (date, time) = text.strip_suffix('Z').unwrap_or(text).split_once(['T', ' '])?;
    let [year, month, day] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(time, ':').or_else(|| numbers(&format!("{time}:00"), ':'))?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let months = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before = year.checked_sub(1).filter(|year| *year < 9999)?;
    let length = months.get(month.checked_sub(1)? as usize)?;
    let valid = (1..=*length).contains(&day) && hour < 24 && minute < 60 && second < 60;
    let days = before * 365 + before / 4 - before / 100 + before / 400;
    let days = days + months[..month as usize - 1].iter().sum::<u32>() + day;
    valid.then(|| (days, f64::from(60 * hour + minute) + f64::from(second) / 60.0))
}

fn numbers(text: &str, separator: char) -> Option<[u32; 3]> {
    let numbers: Option<Vec<u32>> = text.split(separator).map(|part| part.parse().ok()).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_goes_on_for_ever() {
        let series = Recording::read("hour,celsius\n0,10\n12,-2\n48,4\n".as_bytes()).unwrap();
        assert_eq!([series.at(0.0), series.at(6.0), series.at(30.0), series.at(54.0)], [10.0, 4.0, 1.0, 4.0]);
        let evening = Weather::recorded(&Arc::new(series), 2);
        assert_eq!(evening.at(12), -2.0 + 6.0 * 29.0 / 36.0);
    }

    #[test]
    fn the_weather_goes_on_from_evening_to_evening() {
        for evening in 1..100 {
            let [this, next] = [evening, evening + 1].map(|evening| Weather::wave_that_goes_on(7, evening));
            assert!((this.at(24 * 12) - next.at(0)).abs() < 1e-12, "{evening}");
        }
    }

    #[test]
    fn hours_may_be_dates_and_degrees_fahrenheit() {
        let read = |text: &str| Recording::read(text.as_bytes()).unwrap();
        let plain = read("hour,celsius\n13,10\n36.5,-5\n");
        for text in [
            "time,celsius\n2024-02-28 13:00,10\n2024-02-29T12:30,-5\n",
            "hour,celsius\n2024-02-28T13:00:00Z,10\n2024-02-29 12:30:00,-5\n",
            "\u{feff}\"date\" , \"fahrenheit\"\r\n\r\n\"2023-12-31 13:00\", 50\r\n2024-01-01 12:30,23\r\n",
            "hour,fahrenheit\n13,50\n36.5,23\n",
        ] {
            assert_eq!(read(text), plain, "{text}");
        }
        // With and without a leap day; 1900 was not a leap year.
        for (from, to, hours) in [
            ("2024-02-28", "2024-03-01", 48.0),
            ("2023-02-28", "2023-03-01", 24.0),
            ("1900-02-28", "1900-03-01", 24.0),
            ("2000-02-29", "2001-02-28", 8760.0),
            ("2024-12-31", "2025-01-01", 24.0),
        ] {
            let series = read(&format!("time,celsius\n{from} 00:00,0\n{to} 00:00,1\n"));
            assert_eq!(series.0, [(0.0, 0.0), (hours, 1.0)], "{from}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| format!("{:#}", Recording::read(text.as_bytes()).unwrap_err());
        for (text, message) in [
            ("", "the file is empty"),
            ("time,temp\n", "line 1: the header is `time,temp`"),
            ("hour,kelvin\n", "then `celsius` or `fahrenheit`"),
            ("hour,celsius\n0,1\n0,2\n", "line 3: `0` does not come after the one before"),
            ("hour,celsius\n0,1\n\n1,warm\n", "line 4: `warm` is no temperature"),
            ("hour,celsius\n0,1\n1,NaN\n", "line 3: NaN °C is out of a thermometer's range"),
            ("hour,fahrenheit\n0,1\n1,-80\n", "line 3: -80 °F is out of a thermometer's range"),
            ("hour,celsius\n0,1\n1,2,3\n", "line 3: 3 columns, but the header has 2"),
            ("hour,celsius\n0,1\ninf,2\n", "line 3: `inf` is neither an hour nor a date and time"),
            ("hour,celsius\nnoon,1\n", "line 2: `noon` is neither an hour nor a date and time"),
            ("time,celsius\n2023-02-29 00:00,1\n", "line 2: `2023-02-29 00:00` is neither"),
            ("time,celsius\n2023-13-01 00:00,1\n", "such as `2024-01-31 13:00`"),
            ("time,celsius\n2023-01-01,1\n", "neither"),
            ("time,celsius\n2024-01-31 13:00+01:00,1\n", "neither"),
            ("time,celsius\n2023-01-01 00:00,1\n17,1\n", "line 3: `17` is an hour, the line before has a date"),
            ("time,celsius\n17,1\n2023-01-01 00:00,1\n", "line 3: `2023-01-01 00:00` is a date, the line before"),
            ("time,celsius\n2023-01-02 00:00,1\n2023-01-01 23:00,1\n", "line 3: `2023-01-01 23:00` does not come"),
            ("hour,celsius\n0,1\n", "at least two"),
        ] {
            let error = error(text);
            assert!(error.contains(message), "{text:?}: {error}");
        }
    }
}
