//! Faults found by review, use and attack: each test failed on the code at the time.

mod boards;
mod counting;
mod episodes;
mod fixed_point;
mod fuzzed;
mod scalar;
mod sparse_rewards;
mod unusable;
