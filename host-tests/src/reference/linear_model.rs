//! The model that is learned on the device, to both ends of f32's range.
//!
//! Rows of a model may be huge, tiny, or both at once. So this reference scales them as the specification says, and
//! stores every result as an f32: below the normal numbers, too, an f64 result that is rounded again is the correctly
//! rounded one, because a product is exact in f64, a sum below them is exact in f32, and no quotient of two 24-bit
//! numbers is so close to the middle of two results that 53 bits do not tell on which side it is.

/// W in one row per output.
#[derive(Clone, Debug)]
pub struct LinearModel {
    weights: Vec<Vec<f64>>,
    gain: f64,
}

/// Why a row is not learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// An input is NaN or infinite.
    Input,
    /// All inputs are 0.
    NoInput,
    /// An output is NaN or infinite.
    Output,
    /// A number leaves the range.
    Range,
}

/// The f32 nearest to an exact or 53-bit result.
pub(super) fn stored(x: f64) -> f64 {
    f64::from(x as f32)
}

/// Σ aᵢbᵢ in four lanes.
pub(super) fn inner(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 4];
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        lanes[i % 4] = stored(lanes[i % 4] + stored(a * b));
    }
    stored(stored(lanes[0] + lanes[1]) + stored(lanes[2] + lanes[3]))
}

fn widened(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().map(|&x| x.into()).collect()
}

/// The inputs in units of the power of two at or below the largest one, and that unit.
pub(super) fn scaled(x: &[f32]) -> Result<(Vec<f64>, f64), Flaw> {
    if x.iter().any(|x| !x.is_finite()) {
        return Err(Flaw::Input);
    }
    let largest = widened(x).into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if largest == 0.0 {
        return Err(Flaw::NoInput);
    }
    // Every f32 is a normal f64.
    let unit = f64::from_bits(largest.to_bits() >> 52 << 52);
    Ok((widened(x).into_iter().map(|x| stored(x / unit)).collect(), unit))
}

impl LinearModel {
    /// From given weights, one row per output.
    pub fn new(weights: &[&[f32]], gain: f32) -> Self {
        Self { weights: weights.iter().map(|row| widened(row)).collect(), gain: gain.into() }
    }

    /// W, as f32.
    pub fn weights(&self) -> Vec<Vec<f32>> {
        self.weights.iter().map(|row| row.iter().map(|&w| w as f32).collect()).collect()
    }

    /// W x, as f32.
    pub fn predict(&self, x: &[f32]) -> Vec<f32> {
        self.weights.iter().map(|w| inner(&widened(x), w) as f32).collect()
    }

    /// W_o += μ (y_o − W_o·x)/‖x‖² x for all outputs, or for none.
    ///
    /// # Errors
    /// [`Flaw`]; W is as before.
    pub fn learn(&mut self, x: &[f32], y: &[f32]) -> Result<(), Flaw> {
        let (x, unit) = scaled(x)?;
        let square = inner(&x, &x);
        let mut moved = Vec::new();
        for (w, &y) in self.weights.iter().zip(y) {
            if !y.is_finite() {
                return Err(Flaw::Output);
            }
            let y = stored(f64::from(y) / unit);
            // What is too much is taken away: only the sign of a zero tells this from adding what is missing.
            let too_much = stored(stored(inner(&x, w) - y) / square);
            let step = -stored(self.gain * too_much);
            let w: Vec<f64> = w.iter().zip(&x).map(|(w, x)| stored(w + stored(step * x))).collect();
            if !y.is_finite() || w.iter().any(|w| !w.is_finite()) {
                return Err(Flaw::Range);
            }
            moved.push(w);
        }
        self.weights = moved;
        Ok(())
    }
}
