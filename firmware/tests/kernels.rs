//! Are the fast kernels of this core bit-exact with their portable twins, and do they preserve their callers'
//! registers?
//!
//! Tested for every number of features from 1 to 67, to cover every block and every tail, with numbers of all sizes,
//! signs and kinds.
#![no_std]
#![no_main]

use osculate::arithmetic::backend::Scalar;
use osculate::arithmetic::kernels::{Aligned, FloatKernels, IntegerKernels, portable, sqrt};
use osculate_firmware as _;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;

mod registers;

/// Rounds per number of features, each with a different kind of numbers.
const ROUNDS: u64 = 8;

struct Numbers(Xoshiro128PlusPlus, u64);

impl Numbers {
    #[inline(never)]
    fn new(n: usize, round: u64) -> Self {
        Self(Xoshiro128PlusPlus::seed_from_u64(n as u64 * 64 + round), round)
    }

    /// Near 1; of all sizes, subnormals included; or, now and then, an infinity, a NaN or a zero.
    #[inline(never)]
    fn float(&mut self) -> f32 {
        let bits = self.0.next_u32();
        let near_one = f32::from_bits((bits & 0x80ff_ffff) | 0x3f00_0000);
        match (self.1, bits >> 8 & 15) {
            (0 | 1, _) => near_one,
            (2, _) => f32::from_bits(bits & 0x80ff_ffff),
            (3, _) => f32::from_bits(bits & !0x4000_0000),
            (4, 0) => [0.0, -0.0, f32::MAX, f32::MIN_POSITIVE][bits as usize % 4],
            (_, 1) => [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -0.0][bits as usize % 4],
            (5, _) => f32::from_bits(bits),
            _ => near_one,
        }
    }

    /// Of all sizes; or only the largest; or near the rounding boundary of a weight's upper half; or the same within 27
    /// bits.
    #[inline(never)]
    fn integer(&mut self) -> i32 {
        let bits = self.0.next_u32().cast_signed();
        match self.1 {
            0..3 => bits,
            3 => [i32::MIN, i32::MAX, -1, 0][bits as usize % 4],
            4 => 0x7fff_7ffe + (bits & 3),
            // What the M0 kernel calls narrow: up to 2²⁶.
            6 => bits >> 5,
            7 => [1 << 26, -(1 << 26), (1 << 13) - (1 << 26), (1 << 26) - (1 << 13) - 1][bits as usize % 4],
            _ => (bits & 0x7fff_0000) | [0x7fff, 0x8000][bits as usize % 2],
        }
    }

    fn small_integer(&mut self) -> i16 {
        let bits = self.0.next_u32() as i16;
        if self.1 < 3 { bits.max(-i16::MAX) } else { [i16::MAX, -i16::MAX, -1, 1][bits as usize % 4] }
    }
}

/// The same bits, or both NaN: payloads differ between chips, and nothing depends on them.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

// The twins are compiled once, not once per number of features.
#[inline(never)]
fn twin_dot(a: &[f32], b: &[f32]) -> f32 {
    portable::dot(a, b)
}

#[inline(never)]
fn twin_add(y: &mut [f32], p: f32, x: &[f32]) {
    portable::add_scaled(y, p, x);
}

#[inline(never)]
fn twin_dot_integer(a: &[i16], b: &[i32]) -> i64 {
    portable::dot_integer(a, b)
}

#[inline(never)]
fn twin_norm(a: &[i16]) -> u64 {
    portable::dot_integer(a, a) as u64
}

#[inline(never)]
fn twin_add_integer(y: &mut [i64], p: i32, x: &[i16]) {
    portable::add_scaled_integer(y, p, x);
}

#[inline(never)]
fn twin_largest(x: &[f32]) -> f32 {
    portable::largest(x)
}

#[inline(never)]
fn twin_scale(x: &mut [f32], exponent: i32) {
    for x in x {
        *x = x.scaled(exponent);
    }
}

#[inline(never)]
fn twin_multiply(x: &mut [f32], p: f32) {
    portable::multiply(x, p);
}

#[inline(never)]
fn twin_step_is_finite(w: &[f32], velocity: &[f32], g: &[f32], p: f32, q: f32) -> bool {
    portable::step_is_finite(w, velocity, g, p, q)
}

#[inline(never)]
fn twin_step(w: &mut [f32], velocity: &mut [f32], g: &[f32], p: f32, q: f32) {
    portable::step(w, velocity, g, p, q);
}

#[inline(never)]
fn twin_average_step(average: &mut [f32], w: &[f32], p: f32) -> usize {
    portable::average_step(average, w, p)
}

#[inline(never)]
fn twin_trace_step(trace: &mut [f32], sum: &mut [f32], x: &[f32], factors: [f32; 4]) {
    portable::trace_step(trace, sum, x, factors);
}

#[inline(never)]
fn check_floats(kernel: &str, n: usize, fast: &[f32], twin: &[f32]) {
    for (place, (fast, twin)) in fast.iter().zip(twin).enumerate() {
        defmt::assert!(same(*fast, *twin), "{}, n = {}, [{}]: {} is not {}", kernel, n, place, fast, twin);
    }
}

#[inline(never)]
fn check_integers(kernel: &str, n: usize, fast: &[i64], twin: &[i64]) {
    defmt::assert!(fast == twin, "{}, n = {}: {} is not {}", kernel, n, fast, twin);
}

#[inline(never)]
fn fill<T>(numbers: &mut Numbers, with: fn(&mut Numbers) -> T, places: &mut [T]) {
    for place in places {
        *place = with(numbers);
    }
}

fn floats<const N: usize>() {
    for round in 0..ROUNDS {
        let mut numbers = Numbers::new(N, round);
        let (mut a, mut b, mut w, mut fast) = ([0.0; N], [0.0; N], [0.0; N], [0.0; N]);
        for vector in [&mut a, &mut b, &mut w, &mut fast] {
            fill(&mut numbers, Numbers::float, vector);
        }
        let (p, q) = (numbers.float(), numbers.float());
        let mut twin = fast;

        check_floats("dot", N, &[f32::dot(&a, &w)], &[twin_dot(&a, &w)]);
        check_floats("norm_squared", N, &[f32::norm_squared(&a)], &[twin_dot(&a, &a)]);
        check_floats("dot_pair", N, &f32::dot_pair([&a, &b], &w), &[twin_dot(&a, &w), twin_dot(&b, &w)]);
        check_floats("sqrt", N, &[sqrt(p)], &[libm::sqrtf(p)]);
        f32::add_scaled(&mut fast, p, &a);
        twin_add(&mut twin, p, &a);
        check_floats("add_scaled", N, &fast, &twin);
        f32::add_scaled_pair(&mut fast, [p, q], [&a, &b]);
        twin_add(&mut twin, p, &a);
        twin_add(&mut twin, q, &b);
        check_floats("add_scaled_pair", N, &fast, &twin);

        check_floats("largest", N, &[f32::largest(&a)], &[twin_largest(&a)]);
        let mut copied = [0.0; N];
        f32::copy(&mut copied, &a);
        check_floats("copy", N, &copied, &a);
        twin_add(&mut copied, -1.0, &b);
        check_floats("difference", N, &f32::difference(&a, &b), &copied);
        let exponent = numbers.integer() % 150;
        let mut twin_a = a;
        twin_scale(&mut twin_a, exponent);
        check_floats("scaled_all", N, &f32::scaled_all(&a, exponent), &twin_a);
        twin_a = a;
        f32::multiply(&mut a, p);
        twin_multiply(&mut twin_a, p);
        check_floats("multiply", N, &a, &twin_a);
        let (mut twin, mut twin_b) = (fast, b);
        let finite = f32::step_is_finite(&fast, &b, &w, p, q);
        defmt::assert_eq!(finite, twin_step_is_finite(&fast, &b, &w, p, q), "step, n = {}", N);
        f32::step(&mut fast, &mut b, &w, p, q);
        twin_step(&mut twin, &mut twin_b, &w, p, q);
        check_floats("weights of step", N, &fast, &twin);
        check_floats("velocity of step", N, &b, &twin_b);
        let (before, done) = (fast, f32::average_step(&mut fast, &w, p));
        let most = twin_average_step(&mut twin, &w, p);
        defmt::assert!(done <= most && most - done < 4, "average_step, n = {}: {} instead of {}", N, done, most);
        check_floats("average_step", N, &fast[..done], &twin[..done]);
        check_floats("the tail of average_step", N, &fast[done..], &before[done..]);
        let factors = [p, q, numbers.float(), numbers.float()];
        let (mut twin, mut twin_b) = (fast, b);
        f32::trace_step(&mut fast, &mut b, &a, factors);
        twin_trace_step(&mut twin, &mut twin_b, &a, factors);
        check_floats("trace of trace_step", N, &fast, &twin);
        check_floats("sum of trace_step", N, &b, &twin_b);
    }
}

fn integers<const N: usize>() {
    for round in 0..ROUNDS {
        let mut numbers = Numbers::new(N, round);
        let (mut a, mut b, mut w, mut fast) = (Aligned([0; N]), Aligned([0; N]), [0; N], [0; N]);
        fill(&mut numbers, Numbers::small_integer, &mut a.0);
        fill(&mut numbers, Numbers::small_integer, &mut b.0);
        fill(&mut numbers, Numbers::integer, &mut w);
        fill(&mut numbers, |numbers| i64::from(numbers.integer()) << 20, &mut fast);
        let (p, q) = (numbers.integer(), numbers.integer());
        let mut twin = fast;

        check_integers("norm_squared", N, &[i16::norm_squared(&a) as i64], &[twin_norm(&a.0) as i64]);
        let mut factor = i16::factor(&w);
        i16::prepare(&mut factor);
        let twins = [twin_dot_integer(&a.0, &w), twin_dot_integer(&b.0, &w)];
        check_integers("dot_pair", N, &i16::dot_pair([&a, &b], &factor), &twins);
        check_integers("dot", N, &[i16::dot(&a, &w), i16::dot(&b, &w)], &twins);
        i16::add_scaled_pair(&mut fast, [p, q], [&a, &b]);
        twin_add_integer(&mut twin, p, &a.0);
        twin_add_integer(&mut twin, q, &b.0);
        check_integers("add_scaled_pair", N, &fast, &twin);
        i16::add_scaled(&mut fast, p, &a);
        twin_add_integer(&mut twin, p, &a.0);
        check_integers("add_scaled", N, &fast, &twin);
    }
}

macro_rules! sizes {
    ($check:ident) => {
        sizes!($check: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37
            38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 127 128)
    };
    ($check:ident: $($n:literal)*) => { $($check::<$n>();)* };
}

#[defmt_test::tests]
mod tests {
    /// Runs first, so that a clobbered register is reported by name, not as some odd number further down.
    #[test]
    fn kernels_leave_the_registers_of_their_callers_alone() {
        super::registers::all();
    }

    #[test]
    fn float_kernels_equal_their_twins() {
        super::all_floats();
    }

    #[test]
    fn integer_kernels_equal_their_twins() {
        super::all_integers();
    }
}

fn all_floats() {
    // On other targets there are only the twins.
    #[cfg(target_abi = "eabihf")]
    sizes!(floats);
    #[cfg(not(target_abi = "eabihf"))]
    sizes!(floats: 1 2 3 4 5 6 7 8);
}

fn all_integers() {
    sizes!(integers);
}
