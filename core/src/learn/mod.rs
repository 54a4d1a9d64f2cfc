//! From rows to weights: the total projection, the curvature step, the gain, momentum, and the rules built from them.
//!
//! | rule | step size from | memory | reports |
//! | --- | --- | --- | --- |
//! | [`Stored`] with [`StoredConfig::PAPER`] | the curvature of this episode | a [`Log`](crate::Log) of the episode | w |
//! | [`Stored`] with [`StoredConfig::PREDICTABLE`] | the curvature of past episodes | a log | the average of w |
//! | [`Streaming`] | the curvature of past episodes | seven vectors, whatever the episode's length | the average of w |
//! | [`Tracking`] | a gain that sets itself | five vectors | w |
//! | [`Stored`] with [`StoredConfig::PLAIN`] | nothing: ϑ = 1, for comparison | a log | w |

mod config;
mod curvature;
mod iterate;
mod learner;
mod projection;
mod schedule;
mod state;
mod stop;
mod stored;
mod streaming;
mod tracking;
mod update;

pub use config::ConfigError;
pub(crate) use config::{check_exploration, check_gain, expect_valid};
pub use learner::{Episodic, Learner};
pub use schedule::Schedule;
pub use state::{EpisodicState, TrackingState};
pub use stop::StopTest;
pub use stored::{Stored, StoredConfig, Targets, Theta};
pub use streaming::{Streaming, StreamingConfig, words};
pub use tracking::{Band, Tracking, TrackingConfig, TrackingReport};
pub use update::{Update, Verdict};
