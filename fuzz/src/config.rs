//! Configurations: mostly anywhere in the valid range, but any field may be invalid, and what is wrong with each.

use std::num::NonZeroU32;

use osculate::{ConfigError, Exploration, Schedule, StoredConfig, StreamingConfig, Targets, Theta, TrackingConfig};

use super::input::Fuzz;

/// A configuration, with a check for each field that may be invalid.
type Checked<C> = (C, Vec<(bool, ConfigError)>);

impl Fuzz<'_> {
    /// Promise 6. Returns the object if it was made.
    pub(super) fn made<T>(&mut self, made: Result<T, ConfigError>, checks: &[(bool, ConfigError)]) -> Option<T> {
        let is_right = match made.as_ref().err() {
            None => checks.iter().all(|(is_valid, _)| *is_valid),
            Some(error) => checks.contains(&(false, *error)),
        };
        assert!(is_right, "{:?} of {checks:?}", made.err());
        self.called(if made.is_ok() { "made" } else { "config refused" });
        made.ok()
    }

    pub(super) fn stored_config(&mut self) -> Checked<StoredConfig> {
        let gains = [1.0, 0.3, 1e-45, 2_f32.powi(20), 2_f32.powi(127), f32::MAX];
        let every = if self.one_in(16) { self.count() } else { 1 + self.below(3) };
        let past = Theta::PastBatches { every: NonZeroU32::new(every).unwrap_or(NonZeroU32::MIN) };
        let mut config = StoredConfig {
            gamma: self.gamma(),
            targets: self.pick(&[Targets::MonteCarlo, Targets::OneStep]),
            theta: self.pick(&[Theta::SameBatch, Theta::SameBatch, past, Theta::One]),
            schedule: match self.below(4) {
                0 => Schedule::Harmonic,
                1 => Schedule::ThreeQuarters,
                _ => Schedule::Constant(self.pick(&gains)),
            },
            beta: self.pick(&[0.0, 0.5, 0.9, 1.0 - f32::EPSILON / 2.0, 1e-45]),
            // Rarely a threshold that skips everything.
            skip_below: self.pick(&[0.0, 0.0, 1e-6, 2_f32.powi(-20), 2_f32.powi(127)]),
            theta_cap: self.pick(&[None, None, Some(1.0), Some(2_f32.powi(20)), Some(2_f32.powi(100))]),
        };
        match self.below(64) {
            0 => config.schedule = Schedule::Constant(self.any_float()),
            1 => config.beta = self.any_float(),
            2 => config.theta_cap = Some(self.any_float()),
            3 => config.skip_below = self.any_float(),
            _ => {}
        }
        let StoredConfig { gamma, schedule, beta, skip_below, theta_cap, .. } = config;
        let gain = if let Schedule::Constant(gain) = schedule { gain } else { 1.0 };
        let cap = theta_cap.unwrap_or(1.0);
        let checks = vec![
            ((0.0..=1.0).contains(&gamma), ConfigError::Gamma),
            ((0.0..1.0).contains(&beta), ConfigError::Beta),
            (cap.is_finite() && cap >= 1.0, ConfigError::ThetaCap),
            (gain.is_finite() && gain > 0.0, ConfigError::Gain),
            (skip_below.is_finite() && skip_below >= 0.0, ConfigError::SkipBelow),
        ];
        (config, checks)
    }

    /// The same without a log, which has no threshold.
    pub(super) fn streaming_config(&mut self) -> Checked<StreamingConfig> {
        let (StoredConfig { gamma, schedule, beta, theta_cap, .. }, mut checks) = self.stored_config();
        checks.retain(|(_, fault)| *fault != ConfigError::SkipBelow);
        (StreamingConfig { gamma, schedule, beta, theta_cap }, checks)
    }

    pub(super) fn tracking_config(&mut self) -> Checked<TrackingConfig> {
        let gain = self.pick(&[0.5, 0.5, 0.25, 1.0, 1e-3, 1e-45]);
        let mut config = TrackingConfig {
            gamma: if self.one_in(4) { 0.0 } else { self.gamma() },
            lambda: self.pick(&[0.0, 0.8, 0.8, 1.0, 1e-45]),
            gain,
            least_gain: self.pick(&[1e-3, gain, gain, gain / 2.0, 1e-45]).min(gain),
            every: self.pick(&[1, 4, 16, 16, u16::MAX]),
            greedy: false,
        };
        match self.below(64) {
            0 => config.lambda = self.any_float(),
            1 => config.gain = self.any_float(),
            2 => config.least_gain = self.any_float(),
            3 => config.every = 0,
            4 => config.greedy = true,
            _ => {}
        }
        let TrackingConfig { gamma, lambda, gain, least_gain, every, greedy } = config;
        let checks = vec![
            ((0.0..=1.0).contains(&gamma), ConfigError::Gamma),
            ((0.0..=1.0).contains(&lambda), ConfigError::Lambda),
            (gain > 0.0 && gain <= 1.0, ConfigError::Gain),
            (least_gain > 0.0 && least_gain <= gain, ConfigError::LeastGain),
            (every > 0, ConfigError::Every),
            (!greedy || lambda == 0.0, ConfigError::Greedy),
        ];
        (config, checks)
    }

    pub(super) fn exploration(&mut self) -> Checked<Exploration> {
        let halves = [0, 1, 3, 100, 100, 100, u32::MAX];
        let exploration = Exploration { start: self.gamma(), half_after: self.pick(&halves) };
        let Exploration { start, half_after } = exploration;
        let checks =
            vec![((0.0..=1.0).contains(&start), ConfigError::Epsilon), (half_after > 0, ConfigError::HalfAfter)];
        (exploration, checks)
    }
}
