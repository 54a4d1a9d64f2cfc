//! Do the kernels of a tracking learner give the bits of a row that is scaled first, or leave everything alone?

use fixed::FixedI32;
use fixed::types::I1F15;
use fixed::types::extra::{U24, U28};
use osculate::arithmetic::backend::{Backend, Empty, Features, Scalar};
use osculate::arithmetic::kernels::errors::{Errors, MEMORY};
use osculate::arithmetic::kernels::{FloatKernels, IntegerKernels, RowPull, portable, turn};
use osculate::{Q24, Q28};

use super::{Numbers, ROUNDS, fill, same};

/// What a row does that is scaled until its largest feature lies in [1, 2). Returns |ρ|‖x‖ in these units.
#[inline(never)]
fn twin_pull(w: &mut [f32], x: &mut [f32], target: f32, gain: f32) -> f32 {
    let largest = portable::largest(x);
    let exponent = (largest.to_bits() >> 23) as i32 - 127;
    portable::multiply(x, 1.0_f32.scaled(-exponent));
    let norm_squared = portable::dot(x, x);
    let residual = (portable::dot(x, w) - target.scaled(-exponent)) / norm_squared;
    portable::add_scaled(w, -(gain * residual), x);
    residual.abs() * osculate::arithmetic::kernels::sqrt(norm_squared)
}

/// Features and weights of a kind: ordinary ones; some of them very small, so that products vanish; all of them.
fn of_kind(kind: u64, numbers: &mut Numbers) -> f32 {
    let bits = numbers.bits();
    let exponent = match kind % 4 {
        0 => 125 + (bits >> 28),
        1 if bits >> 29 == 0 => bits >> 24 & 127,
        1 => 120 + (bits >> 29),
        2 => 60 + (bits >> 26),
        _ => 110 + (bits >> 27),
    };
    f32::from_bits((bits & 0x807f_ffff) | exponent << 23)
}

/// Returns how many rows were pulled.
fn pulls<const N: usize>() -> u32 {
    let mut pulled = 0;
    for round in 0..8 * ROUNDS {
        let mut numbers = Numbers::new(N, 1000 + round);
        let (mut x, mut fast) = ([0.0_f32; N], [0.0_f32; N]);
        x.iter_mut().for_each(|x| *x = of_kind(round, &mut numbers));
        fast.iter_mut().for_each(|w| *w = of_kind(round / 4, &mut numbers));
        if round % 5 == 0 {
            x[0] = 0.0;
        }
        let target = if round % 7 == 0 { 0.0 } else { of_kind(round / 16, &mut numbers) };
        // The largest feature becomes less than 2, but sometimes the norm is too large nevertheless, or too small.
        let exponent = (portable::largest(&x).to_bits() >> 23) as i32 - 127;
        let power = 1.0_f32.scaled((-exponent - (numbers.bits() % 8) as i32).clamp(-20, 20));
        let (mut twin, before, gain) = (fast, fast, [0.5, 0.003][round as usize % 2]);
        match FloatKernels::pull_row(&mut fast, &x, RowPull { power, target, gain }) {
            Some(error) => {
                pulled += 1;
                let expected = twin_pull(&mut twin, &mut x, target, gain);
                defmt::assert_eq!(error.to_bits(), expected.to_bits(), "error, n = {}, round {}", N, round);
                let right = fast.iter().zip(&twin).all(|(a, b)| same(*a, *b));
                defmt::assert!(right, "pull_row, n = {}, round {}", N, round);
            }
            None => defmt::assert!(fast == before, "pull_row has moved something, n = {}", N),
        }
    }
    pulled
}

pub(crate) fn floats<const N: usize>() {
    let pulled = pulls::<N>();
    // Other cores have no such kernel.
    let least = if cfg!(target_abi = "eabihf") { 8 } else { 0 };
    defmt::assert!(pulled >= least, "only {} rows of {} were pulled", pulled, N);
}

/// Ways that fit a word and some that do not.
fn integer_turns<const N: usize>() {
    for round in 0..ROUNDS {
        let mut numbers = Numbers::new(N, 3000 + round);
        let mut points = [[0_i32; N]; 3];
        let by = round % 33;
        points.iter_mut().flatten().for_each(|x| *x = numbers.integer() >> by.min(31));
        let [a, b, c] = &points;
        let right = turn::turn_sums(a, b, c) == turn::portable(a, b, c);
        defmt::assert!(right, "sums of a turn, n = {}, round {}", N, round);
    }
}

/// Features of an application may start at any even address.
#[repr(C, align(4))]
struct Unaligned<const N: usize>(i16, [i16; N]);

pub(crate) fn integers<const N: usize>() {
    integer_turns::<N>();
    for round in 0..ROUNDS {
        let mut numbers = Numbers::new(N, round);
        let (mut x, mut fast) = ([0_i16; N], [0; N]);
        fill(&mut numbers, Numbers::small_integer, &mut x);
        fill(&mut numbers, Numbers::integer, &mut fast);
        if round % 3 == 0 {
            x[..=N / 2].fill(i16::MIN);
        }
        let Unaligned(_, odd) = &Unaligned(1, x);
        defmt::assert!(odd.as_ptr().addr() % 4 == 2 && i16::row_sums(odd, &fast) == i16::row_sums(&x, &fast));
        match i16::row_sums(&x, &fast) {
            Some(sums) => defmt::assert!(sums == portable::row_sums(&x, &fast), "row_sums, n = {}", N),
            // The smallest cores' sums have no room for it.
            None => defmt::assert!(cfg!(not(has_mpu)) && x[N / 2] == i16::MIN, "no row_sums, n = {}", N),
        }
        for by in 0..=16 {
            // Few bits, for ties.
            let factor = (numbers.integer() >> (round % 3 * 8) << (round % 2 * 7)).max(-i32::MAX);
            let mut twin = fast;
            let saturated = i16::subtract_row(&mut fast, &x, factor, by);
            let expected = portable::subtract_row(&mut twin, &x, factor, by);
            defmt::assert!(fast == twin && saturated == expected, "subtract_row, n = {}, round {}", N, round);
        }
    }
}

/// A target of any size, or one that the weights almost give.
fn target_near(value: f32, numbers: &mut Numbers) -> f32 {
    let bits = numbers.bits();
    match bits % 8 {
        0 => 0.0,
        1 => [300.0, f32::NAN, f32::INFINITY, -1e-30][bits as usize >> 8 & 3],
        2 => f32::from_bits((bits & 0x807f_ffff) | (90 + (bits >> 8) % 48) << 23),
        3 => value,
        4 => value + f32::from_bits((bits & 0x8000_0000) | (95 + (bits >> 8) % 32) << 23),
        _ => value + f32::from_bits((bits & 0x807f_ffff) | (95 + (bits >> 8) % 32) << 23),
    }
}

/// So many that also what occurs once in a thousand rows does, such as an inverse that one step of Newton's method does not
/// give, and ties.
const ROWS: u64 = 6000;

/// A row as it is, beside one that is built. Returns whether it was pulled to.
#[inline(never)]
fn row<const N: usize, A, W: Copy + PartialEq>(
    (weight, bits): Format<W>,
    (x, weights): (&[i16; N], &[i32; N]),
    target: impl FnOnce(f32) -> f32,
    gain: f32,
) -> bool
where
    A: Backend<Weight = W, Scalar = f32, Units = bool, Raw<N> = [I1F15; N]>,
{
    let features = x.map(|x| f32::from(x) / 32_768.0);
    let (mut fast, mut twin) = (weights.map(weight), weights.map(weight));
    let target = target(A::value_of(&features, &twin).map_or(0.0, A::to_f32));
    let raw = x.map(I1F15::from_bits);
    let Some((error, saturated)) = A::pull_row(&mut fast, &Features::Raw(&raw), target, gain, true) else {
        defmt::assert!(fast.map(bits) == *weights, "pull_row has moved something, n = {}", N);
        return false;
    };
    let mut row = Empty::EMPTY;
    let built = A::encode(&mut row, &features).and_then(|()| A::set_target(&mut row, A::number(target)?));
    defmt::assert!(built.is_ok(), "a refused row was pulled to, n = {}", N);
    let residual = A::residual(&row, &twin);
    let expected = A::distance(&row, residual);
    let lost = A::pull(&mut twin, &row, residual, gain).unwrap_or(u32::MAX);
    defmt::assert_eq!(error.to_bits(), expected.to_bits(), "error, n = {}: {}, {} to {}", N, *x, *weights, target);
    defmt::assert!(fast == twin, "pull_row, n = {}: {}, {} to {}", N, *x, *weights, target);
    defmt::assert_eq!(saturated, lost, "saturated weights, n = {}: {}, {} to {}", N, *x, *weights, target);
    true
}

/// A format: weights from their bits, and back.
type Format<W> = (fn(i32) -> W, fn(W) -> i32);
const Q28_BITS: Format<FixedI32<U28>> = (FixedI32::from_bits, FixedI32::to_bits);
const Q24_BITS: Format<FixedI32<U24>> = (FixedI32::from_bits, FixedI32::to_bits);

/// Rows of all kinds.
fn rows<const N: usize>() -> u32 {
    let mut pulled = 0;
    for round in 0..ROWS {
        let mut numbers = Numbers::new(N, 4000 + round);
        let (mut x, mut w) = ([0_i16; N], [0_i32; N]);
        x.iter_mut().for_each(|x| *x = numbers.bits() as i16 >> (round % 13));
        // Few bits, for ties; the least number; powers of two.
        match round % 7 {
            0 => x.iter_mut().for_each(|x| *x = 1 << (*x as u32 % 15)),
            1 => x[N / 2] = if round % 2 == 0 { i16::MIN } else { -(1 << (round % 15)) },
            _ => {}
        }
        w.iter_mut().for_each(|w| *w = numbers.bits().cast_signed() >> (round / 3 % 10));
        if round % 14 == 0 {
            w.iter_mut().for_each(|w| *w &= !0xff_ffff);
        }
        let gain = [0.5, 0.25, 0.003, 0.297_301_77][numbers.bits() as usize % 4];
        let target = |value| target_near(value, &mut numbers);
        pulled += u32::from(if round % 8 == 7 {
            row::<N, Q24, _>(Q24_BITS, (&x, &w), target, gain)
        } else {
            row::<N, Q28, _>(Q28_BITS, (&x, &w), target, gain)
        });
    }
    pulled
}

/// Whether one step of Newton's method does not give the inverse of a norm of at most a word.
fn needs_correction(norm_squared: u32) -> bool {
    let divisor = u64::from(norm_squared << norm_squared.leading_zeros());
    let estimate = u64::from(u32::MAX) / (divisor >> 16);
    let excess = i64::from(((estimate * divisor) >> 8) as i32) * (2 * estimate).cast_signed() + (1 << 31);
    let step = ((estimate << 9).cast_signed() - (excess >> 32)).cast_unsigned();
    2 * (step * divisor).abs_diff(1 << 57) > divisor
}

/// Such rows, which are one in 250. A wrong last bit of an inverse is seen in few of the rows with it, so each has many
/// targets.
pub(crate) fn corrected_inverses() {
    let mut numbers = Numbers::new(2, 6000);
    for _ in 0..200 {
        let x = loop {
            let x = [numbers.bits() as i16 >> 1, numbers.bits() as i16 >> 1];
            let norm_squared = x.iter().map(|&x| (i32::from(x) * i32::from(x)).cast_unsigned()).sum();
            if norm_squared > 0 && needs_correction(norm_squared) {
                break x;
            }
        };
        for _ in 0..50 {
            let w = [0; 2].map(|_| numbers.bits().cast_signed());
            row::<2, Q28, _>(Q28_BITS, (&x, &w), |_| 0.0, 0.5);
        }
    }
}

/// Rows that need not be built give the same as those that are.
pub(crate) fn built_rows<const N: usize>() {
    let pulled = rows::<N>();
    defmt::assert!(pulled >= ROWS as u32 / 3, "only {} rows of {} were pulled to", pulled, N);
}

/// The statistics in the long run, with errors of all sizes, none at all, and counts at their limits.
pub(crate) fn errors() {
    let mut alarms = 0;
    for round in 0..2000 {
        let mut numbers = Numbers::new(1, 5000 + round);
        let mut number = |kind: u64| match (round + kind) % 5 {
            0 => 0.0,
            1 => f32::from_bits(numbers.bits() >> 1 & 0x7f7f_ffff),
            _ => f32::from_bits((numbers.bits() & 0x00ff_ffff) | 0x3f00_0000),
        };
        let (mean, excess, spread, error) = (number(0), number(1) * 8.0, number(2), number(3));
        let excess = if excess.is_finite() { excess } else { 9.0 };
        let rows = if round % 10 == 0 { u32::MAX } else { MEMORY + round as u32 };
        let mut fast = Errors { mean, excess, spread, rows, count: MEMORY };
        let mut twin = fast;
        let (alarm, expected) = (fast.observe(error), twin.observe_any(error, true));
        let words = |errors: Errors<f32>| [errors.mean, errors.excess, errors.spread].map(f32::to_bits);
        defmt::assert!(words(fast) == words(twin), "errors, round {}", round);
        defmt::assert!((alarm, fast.rows, fast.count) == (expected, twin.rows, twin.count), "errors, round {}", round);
        alarms += u32::from(alarm);
    }
    defmt::assert!((50..1950).contains(&alarms), "{} alarms", alarms);
}
