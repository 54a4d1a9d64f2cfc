//! What the rules reach: the paper's figures, tuned rivals, worlds that drift, and control, all with one kind of contender
//! and on data from explicit seeds.

pub mod compare;
pub mod contender;
pub mod control;
pub mod drift;
pub mod jobs;
pub mod paper;
pub mod rivals;
pub mod rules;
pub mod tuning;
pub mod worlds;
