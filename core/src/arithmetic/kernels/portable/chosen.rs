//! All loops over integers.

pub use super::cosine::cosine_sums;
pub use super::integers::ADDS_ROWS;
pub use super::integers::{Factor, Room, add_rows, add_scaled, add_scaled_pair, dot, dot_pair, factor, norm_squared};
pub use super::quotient::quotient;
pub use super::vectors::{decay, magnitudes, shift_all, step, sum_of_squares};
pub use super::words::{product, reciprocal};
