//! What a rule costs: multiply-accumulates per row, and numbers to remember. Derived, rule by rule, from what its update
//! computes; the formula stands where the rule is listed.

/// How long the episodes of a problem are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lengths {
    /// Steps per episode, the mean.
    pub steps: f64,
    /// First visits per episode, the mean: what Monte Carlo rules call rows.
    pub rows: f64,
    /// Steps of the longest episode: what a log must have room for.
    pub longest: usize,
}

/// The cost of a rule on one problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Multiply-accumulates per row: an addition and a product at most; roots, divisions and exponentials are not in it.
    pub macs: f64,
    /// Words of 32 bits.
    pub words: f64,
}

impl Cost {
    /// c₂ n² + c₁ n per row, and as many vectors, matrices or halves of them to remember.
    pub(super) fn new(macs: f64, words: f64) -> Self {
        Self { macs, words }
    }

    /// Beside it, the episode so far, for rules that need returns: features and reward of every step. Rows with given
    /// targets need no log.
    pub(super) fn with_log(self, n: f64, lengths: Lengths, is_rows: bool) -> Self {
        let log = if is_rows { 0.0 } else { lengths.longest as f64 * (n + 1.0) };
        Self { words: self.words + log, ..self }
    }
}
