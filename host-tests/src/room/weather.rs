//! The air outside.

use std::f64::consts::TAU;
use std::io::BufRead;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use osculate::random::below;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro128PlusPlus;

/// An evening begins at this hour of the day.
const FIRST_HOUR: f64 = 16.0;
const STEPS_PER_HOUR: f64 = 12.0;
const HEADER: &str = "hour,celsius";

/// The outside of an evening, in °C.
#[derive(Clone, Debug)]
pub enum Weather {
    /// A daily wave around a mean that drifts as fronts pass.
    Wave {
        /// The day's mean.
        mean: f64,
        /// Half of the difference between day and night.
        swing: f64,
        /// How much the mean changes in eight hours.
        drift: f64,
    },
    /// As it was.
    Recorded {
        /// The recording.
        series: Arc<Recording>,
        /// The hour of the recording at which the evening begins.
        from: f64,
    },
}

impl Weather {
    /// Of a winter's evening.
    pub fn wave(seed: u64, evening: u32) -> Self {
        let mut dice = Xoshiro128PlusPlus::seed_from_u64(seed ^ (u64::from(evening) << 32) ^ 0x0577);
        let mut between = |low: f64, high: f64| low + (high - low) * f64::from(below(&mut dice, 1 << 16)) / 65536.0;
        Self::Wave { mean: between(-6.0, 8.0), swing: between(1.0, 4.0), drift: between(-3.0, 3.0) }
    }

    /// Of an evening, counted from 1, of a recording. After its last day comes its first one.
    pub fn recorded(series: &Arc<Recording>, evening: u32) -> Self {
        Self::Recorded { series: series.clone(), from: 24.0 * f64::from(evening - 1) + FIRST_HOUR }
    }

    /// After so many steps of the evening.
    pub fn at(&self, step: u32) -> f64 {
        let hours = f64::from(step) / STEPS_PER_HOUR;
        match self {
            // Warmest at three in the afternoon.
            Self::Wave { mean, swing, drift } => {
                mean + swing * libm::cos(TAU * (FIRST_HOUR + hours - 15.0) / 24.0) + drift * hours / 8.0
            }
            Self::Recorded { series, from } => series.at(from + hours),
        }
    }
}

/// Temperatures at given hours.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording(Vec<(f64, f64)>);

impl Recording {
    /// Reads `hour,celsius`: one line per measurement, the hours since some midnight, increasing.
    ///
    /// # Errors
    /// The line, counted from 1, and what is wrong with it.
    pub fn read(file: impl BufRead) -> Result<Self> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (index, line) in file.lines().enumerate() {
            let (number, line) = (index + 1, line?);
            let line = line.trim();
            if index == 0 {
                ensure!(line == HEADER, "line 1: the header is `{line}` and should be `{HEADER}`");
                continue;
            }
            if line.is_empty() {
                continue;
            }
            let parsed = line.split_once(',').and_then(|(hour, celsius)| {
                Some((hour.trim().parse::<f64>().ok()?, celsius.trim().parse::<f64>().ok()?))
            });
            let (hour, celsius) = parsed.with_context(|| format!("line {number}: `{line}` is not two numbers"))?;
            // What a thermometer of the agent's can show.
            ensure!((-55.0..=125.0).contains(&celsius), "line {number}: {celsius} °C is out of a thermometer's range");
            let later = points.last().is_none_or(|(before, _)| hour > *before);
            ensure!(hour.is_finite() && later, "line {number}: the hour {hour} does not come after the one before");
            points.push((hour, celsius));
        }
        ensure!(points.len() >= 2, "a recording has at least two lines after its header `{HEADER}`");
        Ok(Self(points))
    }

    /// Between two measurements, the straight line.
    fn at(&self, hour: f64) -> f64 {
        let (first, last) = (self.0[0].0, self.0[self.0.len() - 1].0);
        let hour = first + (hour - first).rem_euclid(last - first);
        let after = self.0.partition_point(|(at, _)| *at <= hour).clamp(1, self.0.len() - 1);
        let ((from, low), (to, high)) = (self.0[after - 1], self.0[after]);
        low + (high - low) * (hour - from) / (to - from)
    }
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
    fn what_is_wrong_is_said() {
        let error = |text: &str| Recording::read(text.as_bytes()).unwrap_err().to_string();
        assert!(error("time,temp\n").contains("line 1"));
        assert!(error("hour,celsius\n0,1\n0,2\n").contains("line 3: the hour 0"));
        assert!(error("hour,celsius\n0,1\n1,warm\n").contains("line 3: `1,warm`"));
        assert!(error("hour,celsius\n0,1\n1,NaN\n").contains("out of a thermometer's range"));
        assert!(error("hour,celsius\n0,1\n").contains("at least two"));
    }
}
