//! The first pass as plain Rust: what somebody would write without this library, compiled by the same compiler with the
//! same options. In the order of the elements, with no kernels, lanes or pairs of rows.

use core::hint::black_box;

use osculate_programs::count::Part;

use crate::TAU;
use crate::parts::Meter;
use crate::workload::{Measurable, Workload};

/// Features, targets and weights in a number format, and the pass over them.
pub(crate) trait Naive {
    /// A feature.
    type Feature: Copy;
    /// A weight or a target.
    type Number: Copy;
    /// An element of the sum.
    type Total: Copy + Default;

    /// The nearest feature to a number in [−1, 1).
    fn feature(number: f32) -> Self::Feature;
    /// The nearest weight to a number in [−1, 1).
    fn number(number: f32) -> Self::Number;
    /// Adds (φ·w − V)/‖φ‖² φ of every row.
    fn pass<const N: usize>(
        sum: &mut [Self::Total; N],
        rows: &[([Self::Feature; N], Self::Number)],
        weights: &[Self::Number; N],
    );
}

impl Naive for f32 {
    type Feature = f32;
    type Number = f32;
    type Total = f32;

    fn feature(number: f32) -> f32 {
        number
    }

    fn number(number: f32) -> f32 {
        number
    }

    #[inline(never)]
    fn pass<const N: usize>(sum: &mut [f32; N], rows: &[([f32; N], f32)], weights: &[f32; N]) {
        for (features, target) in rows {
            let norm: f32 = features.iter().map(|x| x * x).sum();
            let value: f32 = features.iter().zip(weights).map(|(x, w)| x * w).sum();
            let quotient = (value - target) / norm;
            for (sum, x) in sum.iter_mut().zip(features) {
                *sum += quotient * x;
            }
        }
    }
}

/// 15 fractional bits in a feature, 28 in a weight and in the quotient.
impl Naive for osculate::Q28 {
    type Feature = i16;
    type Number = i32;
    type Total = i64;

    fn feature(number: f32) -> i16 {
        (number * 32_768.0) as i16
    }

    fn number(number: f32) -> i32 {
        (number * 268_435_456.0) as i32
    }

    #[inline(never)]
    fn pass<const N: usize>(sum: &mut [i64; N], rows: &[([i16; N], i32)], weights: &[i32; N]) {
        for (features, target) in rows {
            let norm: i64 = features.iter().map(|x| i64::from(*x) * i64::from(*x)).sum();
            let value: i64 = features.iter().zip(weights).map(|(x, w)| i64::from(*x) * i64::from(*w)).sum();
            let residual = value - (i64::from(*target) << 15);
            // A row of zeros has nothing to say.
            let quotient = if norm == 0 { 0 } else { (residual << 15) / norm };
            for (sum, x) in sum.iter_mut().zip(features) {
                *sum += quotient * i64::from(*x);
            }
        }
    }
}

/// A batch.
pub(crate) type Rows<A, const N: usize> = [([<A as Naive>::Feature; N], <A as Naive>::Number); TAU];

/// The pass over a batch, with ‖φ‖², as in `Part::Pass1`.
#[inline(never)]
pub(crate) fn pass1<A: Measurable, const N: usize>(meter: &Meter) {
    let mut workload = Workload::new(N);
    let rows: Rows<A, N> = core::array::from_fn(|_| {
        (core::array::from_fn(|_| A::feature(workload.number())), <A as Naive>::number(workload.number()))
    });
    let weights: [_; N] = core::array::from_fn(|_| <A as Naive>::number(workload.number() / 8.0));
    let mut sum = [A::Total::default(); N];
    let measured = meter.part(|| {
        A::pass(&mut sum, black_box(&rows), black_box(&weights));
        black_box(&sum);
    });
    measured.report::<N>(Part::NaivePass1);
}
