//! Faults that were found by reading, use and attack: each test failed on the code as it was.

mod boards;
mod counting;
mod episodes;
mod fixed_point;
mod fuzzed;
mod scalar;
mod sparse_rewards;
mod unusable;
