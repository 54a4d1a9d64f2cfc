//! Time stamps of measurements: an hour, or a date and time.

use anyhow::{Context, Result, bail};

/// More than a thousand years. Farther away, the minutes would get lost in rounding.
const LARGEST_HOUR: f64 = 1e7;

/// Counts hours; with dates, from the midnight before the first measurement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    /// The form of the first time stamp.
    first: Option<First>,
}

#[derive(Clone, Copy, Debug)]
enum First {
    Hour,
    /// Days since the year 1.
    Date(u32),
}

impl Clock {
    /// The hour of a measurement.
    ///
    /// # Errors
    /// If it is neither an hour nor a date and time, or not in the same form as the first.
    pub(super) fn hour(&mut self, text: &str) -> Result<f64> {
        if let Some(hour) = text.parse().ok().filter(|hour: &f64| hour.abs() <= LARGEST_HOUR) {
            return match *self.first.get_or_insert(First::Hour) {
                First::Hour => Ok(hour),
                First::Date(_) => bail!("`{text}` is an hour, the line before has a date"),
            };
        }
        let (day, minutes) = date_time(text).with_context(|| {
            format!("`{text}` is neither an hour nor a date and time such as `2024-01-31 13:00`, without a time zone")
        })?;
        match *self.first.get_or_insert(First::Date(day)) {
            First::Date(first) => Ok(24.0 * (f64::from(day) - f64::from(first)) + minutes / 60.0),
            First::Hour => bail!("`{text}` is a date, the line before has an hour"),
        }
    }
}

/// The day, counted from the year 1, and the minutes since its midnight. Parses `YYYY-MM-DD HH:MM`, with a `T` or a
/// blank as separator, and optional seconds and `Z`.
fn date_time(text: &str) -> Option<(u32, f64)> {
    let (date, time) = text.strip_suffix('Z').unwrap_or(text).split_once(['T', ' '])?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(time, ':', [2; 3]).or_else(|| {
        let [hour, minute] = numbers(time, ':', [2; 2])?;
        Some([hour, minute, 0])
    })?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let months = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before = year.checked_sub(1)?;
    let length = months.get(month.checked_sub(1)? as usize)?;
    let valid = (1..=*length).contains(&day) && hour < 24 && minute < 60 && second < 60;
    let days = before * 365 + before / 4 - before / 100 + before / 400;
    let days = days + months[..month as usize - 1].iter().sum::<u32>() + day;
    valid.then(|| (days, f64::from(60 * hour + minute) + f64::from(second) / 60.0))
}

/// Numbers with exactly these digit counts.
fn numbers<const N: usize>(text: &str, separator: char, digits: [usize; N]) -> Option<[u32; N]> {
    let mut numbers = [0; N];
    let mut parts = text.split(separator);
    for (number, digits) in numbers.iter_mut().zip(digits) {
        let part =
            parts.next().filter(|part| part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit()))?;
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}
