//! Are the fast kernels of this core bit-exact with their portable twins, and do they preserve their callers'
//! registers? And does its FPU, or its soft-float library, compute as IEEE 754 specifies?
//!
//! Tested for every number of features that has another sequence of blocks and tails, and for a release for every one from
//! 1 to 67, with numbers of all sizes, signs and kinds.
#![no_std]
#![no_main]

use osculate::arithmetic::backend::{Empty, Row, Scalar};
use osculate::arithmetic::kernels::{Aligned, FloatKernels, FloatShift, integer, portable, sqrt};
use osculate_firmware as _;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;

/// Whether every number of features is tested, as `cargo xtask test --all` asks.
const ALL: bool = option_env!("OSCULATE_ALL").is_some();

/// Calls a function for every number of features.
macro_rules! sizes {
    ($check:ident($($argument:expr)?)) => {
        sizes!($check($($argument)?): 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28
            36 37 64 67 127 128);
        if crate::ALL {
            sizes!($check($($argument)?): 29 30 31 32 33 34 35 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56
                57 58 59 60 61 62 63 65 66);
        }
    };
    ($check:ident($argument:expr): $($n:literal)*) => { $($check::<$n>($argument);)* };
    ($check:ident(): $($n:literal)*) => { $($check::<$n>();)* };
}

mod registers;
#[cfg(not(target_abi = "eabihf"))]
mod soft;

/// Rounds per number of features, each with a different kind of numbers.
const ROUNDS: u64 = 8;

struct Numbers(Xoshiro128PlusPlus, u64);

impl Numbers {
    #[inline(never)]
    fn new(n: usize, round: u64) -> Self {
        Self(Xoshiro128PlusPlus::seed_from_u64(n as u64 * 64 + round), round)
    }

    /// Near 1; of all sizes, subnormals included; or, now and then, an infinity, a NaN or a zero; or only −0.
    #[inline(never)]
    fn float(&mut self) -> f32 {
        let bits = self.0.next_u32();
        let near_one = f32::from_bits((bits & 0x80ff_ffff) | 0x3f00_0000);
        match (self.1, bits >> 8 & 15) {
            (0 | 1, _) => near_one,
            (2, _) => f32::from_bits(bits & 0x80ff_ffff),
            (3, _) => f32::from_bits(bits & !0x4000_0000),
            (4, 0) => [0.0, -0.0, f32::MAX, f32::MIN_POSITIVE][bits as usize % 4],
            (4..ROUNDS, 1) => [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -0.0][bits as usize % 4],
            (5, _) => f32::from_bits(bits),
            (ROUNDS, _) => -0.0,
            _ => near_one,
        }
    }

    #[cfg(not(target_abi = "eabihf"))]
    #[inline(never)]
    fn bits(&mut self) -> u32 {
        self.0.next_u32()
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

fn fill<T>(numbers: &mut Numbers, with: &mut dyn FnMut(&mut Numbers) -> T, places: &mut [T]) {
    places.iter_mut().for_each(|place| *place = with(numbers));
}

/// What kernels change in place.
#[derive(Clone, Copy)]
struct Changed<const N: usize> {
    y: [f32; N],
    z: [f32; N],
}

impl<const N: usize> Changed<N> {
    /// Whether a kernel and its twin change it alike.
    #[inline(never)]
    fn check(&mut self, kernel: &str, mut fast: impl FnMut(&mut Self), mut twin: impl FnMut(&mut Self)) {
        let mut twins = *self;
        fast(self);
        twin(&mut twins);
        check_floats(kernel, N, &self.y, &twins.y);
        check_floats(kernel, N, &self.z, &twins.z);
    }
}

/// A kernel and its twin, which have one name, of numbers that they do not change.
macro_rules! same_result {
    ($n:ident: $kernel:ident($($argument:expr),*)) => {
        check_floats(stringify!($kernel), $n, &[f32::$kernel($($argument),*)], &[portable::$kernel($($argument),*)]);
    };
}

/// A kernel and its twin, which have one name, of numbers that they change.
macro_rules! same_change {
    ($changed:ident: $kernel:ident($($argument:expr),*)) => {
        $changed.check(
            stringify!($kernel),
            |$changed| _ = f32::$kernel($($argument),*),
            |$changed| _ = portable::$kernel($($argument),*),
        );
    };
}

fn floats<const N: usize>() {
    for round in 0..=ROUNDS {
        let mut numbers = Numbers::new(N, round);
        let (mut a, mut b, mut w, mut y) = ([0.0; N], [0.0; N], [0.0; N], [0.0; N]);
        for vector in [&mut a, &mut b, &mut w, &mut y] {
            fill(&mut numbers, &mut Numbers::float, vector);
        }
        let [p, q, r, s] = [0; 4].map(|_| numbers.float());
        let mut pairs = [const { [Row::EMPTY, Row::EMPTY] }; 2];
        for row in pairs.as_flattened_mut() {
            fill(&mut numbers, &mut Numbers::float, &mut row.features);
            (row.target, row.norm_squared) = (numbers.float(), numbers.float());
        }
        // A sum that begins with 0 is 0 even if every product is −0.
        if round == ROUNDS {
            w = [1.0; N];
            pairs.as_flattened_mut().iter_mut().for_each(|row| (row.target, row.norm_squared) = (0.0, 1.0));
        }

        same_result!(N: dot(&a, &w));
        check_floats("norm_squared", N, &[f32::norm_squared(&a)], &[portable::dot(&a, &a)]);
        check_floats("dot_pair", N, &f32::dot_pair([&a, &b], &w), &[&a, &b].map(|row| portable::dot(row, &w)));
        check_floats("sqrt", N, &[sqrt(p)], &[libm::sqrtf(p)]);
        same_result!(N: largest(&a));
        check_floats("copied", N, &f32::copied(&a), &a);
        check_floats("difference", N, &f32::difference(&a, &b), &core::array::from_fn::<_, N, _>(|i| a[i] - b[i]));
        let exponent = numbers.integer() % 150;
        let mut scaled = [0.0; N];
        f32::scale_into(&mut scaled, &a, exponent);
        check_floats("scale_into", N, &scaled, &a.map(|x| x.scaled(exponent)));

        let mut it = Changed { y, z: b };
        same_change!(it: add_scaled(&mut it.y, p, &a));
        for targets in [false, true] {
            let mut sum = Changed { y, z: b };
            let twin = |sum: &mut Changed<N>| portable::add_projections(&mut sum.y, pairs.as_flattened(), &w, targets);
            sum.check("add_projections", |sum| f32::add_projections(&mut sum.y, &pairs, &w, targets), twin);
        }
        same_change!(it: multiply(&mut it.z, p));
        let finite = [f32::step_is_finite(&it.y, &it.z, &w, p, q), portable::step_is_finite(&it.y, &it.z, &w, p, q)];
        defmt::assert_eq!(finite[0], finite[1], "step, n = {}", N);
        same_change!(it: step(&mut it.y, &mut it.z, &w, p, q));
        // The kernel tells an overflow by its flag, which infinite numbers do not raise. Weights are finite.
        let usual = it.y.iter().chain(&w).all(|x| x.is_finite());
        let mut finite = [false; 2];
        let [fast, twin] = finite.each_mut();
        let by_kernel = |it: &mut Changed<N>| *fast = f32::average_step(&mut it.y, &w, p);
        it.check("average_step", by_kernel, |it| *twin = portable::average_step(&mut it.y, &w, p));
        defmt::assert!(!usual || finite[0] == finite[1], "average_step, n = {}", N);
        same_change!(it: trace_step(&mut it.y, &mut it.z, &a, [p, q, r, s]));
    }
}

fn integers<const N: usize>() {
    use portable::integers;
    for round in 0..ROUNDS {
        let mut numbers = Numbers::new(N, round);
        let (mut a, mut b, mut w, mut fast) = (Aligned([0; N]), Aligned([0; N]), [0; N], [0; N]);
        fill(&mut numbers, &mut Numbers::small_integer, &mut a.0);
        fill(&mut numbers, &mut Numbers::small_integer, &mut b.0);
        fill(&mut numbers, &mut Numbers::integer, &mut w);
        fill(&mut numbers, &mut |numbers| i64::from(numbers.integer()) << 20, &mut fast);
        let (p, q) = (numbers.integer(), numbers.integer());
        let mut twin = fast;

        check_integers("norm_squared", N, &[integer::norm_squared(&a) as i64], &[integers::norm_squared(&a) as i64]);
        let mut room = core::mem::MaybeUninit::uninit();
        let factor = integer::factor(&w, &mut room);
        let twins = [integers::dot(&a, &w), integers::dot(&b, &w)];
        check_integers("dot_pair", N, &integer::dot_pair([&a, &b], &factor), &twins);
        check_integers("dot", N, &[integer::dot(&a, &w), integer::dot(&b, &w)], &twins);
        integer::add_scaled_pair(&mut fast, [p, q], [&a, &b]);
        integers::add_scaled_pair(&mut twin, [p, q], [&a, &b]);
        check_integers("add_scaled_pair", N, &fast, &twin);
        integer::add_scaled(&mut fast, p, &a);
        integers::add_scaled(&mut twin, p, &a);
        check_integers("add_scaled", N, &fast, &twin);
    }
}

/// Vectors of every size of numbers, with every kind of factor: too many bits for a kernel, none left, and halves.
fn vectors_of<const N: usize>() {
    for round in 0..ROUNDS {
        let mut numbers = Numbers::new(N, round);
        for bits in 0..32 {
            let mut small = |numbers: &mut Numbers| numbers.integer() >> bits;
            let (mut w, mut v, mut g, mut wide) = ([0; N], [0; N], [0; N], [0; N]);
            fill(&mut numbers, &mut small, &mut w);
            fill(&mut numbers, &mut small, &mut v);
            fill(&mut numbers, &mut |numbers| numbers.integer() >> 7, &mut g);
            fill(&mut numbers, &mut |numbers| ((i64::from(numbers.integer()) << 20) + 5) >> bits, &mut wide);
            defmt::assert_eq!(integer::magnitudes(&wide), portable::vectors::magnitudes(&wide), "n = {}", N);
            let by = 1 + bits % 31;
            // Of up to 30 bits each when they are shifted, so that the sum of ten squares fits.
            let squared = wide.map(|x| x % (1 << (30 + by)));
            let sums = [integer::sum_of_squares(&squared, by), portable::vectors::sum_of_squares(&squared, by)];
            defmt::assert_eq!(sums[0], sums[1], "sum_of_squares, n = {}", N);
            let (mut fast, mut twin) = ([0; N], [0; N]);
            integer::shift_all(&wide, &mut fast, by);
            portable::vectors::shift_all(&wide, &mut twin, by);
            defmt::assert_eq!(fast, twin, "shift_all, n = {}", N);
            let mantissa = match round {
                0 => 1 << 23,
                1 => 3 << 22,
                _ => i64::from(numbers.integer() & 0xff_ffff | 1 << 23),
            };
            let Some(shift) = FloatShift::new((mantissa, -19 - bits as i32)) else { continue };
            let before = (w, v);
            let left = [integer::decay(&mut v, &shift), integer::step(&mut w, &mut v, &g, &shift)];
            let (mut twin_w, mut twin_v) = before;
            let twin_left = [
                portable::vectors::decay(&mut twin_v, &shift),
                portable::vectors::step(&mut twin_w, &mut twin_v, &g, &shift),
            ];
            defmt::assert_eq!((left, w, v), (twin_left, twin_w, twin_v), "decay, step, n = {}", N);
        }
    }
}

/// Whole passes over rows, against one row at a time, for which no core has a kernel. Some of them come with quotients that are too large for the kernels, or saturate. In every other
/// round all numbers have few bits, so that many quotients are halfway between two results.
fn passes<const N: usize>() {
    use osculate::arithmetic::backend::{Backend, Empty, Features};
    use osculate::{Arithmetic, Q28};
    for round in 0..ROUNDS {
        let mut numbers = Numbers::new(N, round);
        let few = |x: i32| if round % 2 == 1 { x >> 28 << 28 } else { x };
        let mut rows = [const { Empty::EMPTY }; 9];
        for row in &mut rows {
            let mut features = [0.0; N];
            fill(&mut numbers, &mut |numbers| few(numbers.integer()) as f32 / 1e9, &mut features);
            if round % 4 == 3 {
                features = [0.0; N];
            }
            features[0] = 1.0;
            Q28::encode(row, Features::Floats(&features)).unwrap();
            let places = (numbers.integer().cast_unsigned() >> 8) % 40;
            let target = match numbers.integer() & 3 {
                kind if round % 2 == 0 => numbers.integer() as f32 / [1e13, 1e10, 1e8, 1e3][kind as usize],
                // An odd number of the units of the numerator, at some place.
                _ => (few(numbers.integer()) >> 28 | 1) as f32 / (1_u64 << places) as f32,
            };
            // Too large for this row, now and then: it keeps 0.
            let _ = Q28::number(target).and_then(|target| Q28::set_target(row, target));
        }
        let mut weights = [Q28::weight(0.0); N];
        fill(&mut numbers, &mut |numbers| Q28::weight(few(numbers.integer()) as f32 / 3e8), &mut weights);
        if round % 4 == 3 {
            weights = [Q28::weight(0.0); N];
        }
        for count in 0..=rows.len() {
            let (mut fast, mut twin) = (Empty::EMPTY, Empty::EMPTY);
            Q28::accumulate_residuals(&mut fast, &rows[..count], &weights);
            rows[..count].chunks(1).for_each(|row| Q28::accumulate_residuals(&mut twin, row, &weights));
            defmt::assert!(fast == twin, "residuals, n = {}, {} rows", N, count);
            let direction = Q28::normalise_residuals(&fast).unwrap();
            let (mut fast, mut twin) = (Empty::EMPTY, Empty::EMPTY);
            Q28::accumulate_projections(&mut fast, &rows[..count], &direction);
            rows[..count].chunks(1).for_each(|row| Q28::accumulate_projections(&mut twin, row, &direction));
            defmt::assert!(fast == twin, "projections, n = {}, {} rows", N, count);
        }
    }
}

/// Of every length, for every shift; a third of them with few bits set, and so halfway between two results.
fn quotients() {
    for round in 0..ROUNDS {
        let mut numbers = Numbers::new(0, round);
        for length in 0..64 {
            for shift in -10..110 {
                let wide = i64::from(numbers.integer()) << 32 | i64::from(numbers.integer().cast_unsigned());
                let r = match shift % 3 {
                    0 => (wide >> 44 << 44) >> length,
                    _ => wide >> length,
                };
                let mantissa = match numbers.integer() & 7 {
                    0 => 1 << 25,
                    1 => 1 << 26,
                    2 => (1 << 25) + (1 << (numbers.integer() & 15)),
                    _ => (1 << 25) + (numbers.integer().cast_unsigned() >> 7),
                };
                let (fast, twin) =
                    (integer::quotient(r, mantissa, shift), portable::quotient::quotient(r, mantissa, shift));
                defmt::assert_eq!(fast, twin, "{} * {} / 2^{}", r, mantissa, shift);
            }
        }
    }
}

#[defmt_test::tests]
mod tests {
    use osculate_programs::float_cases;

    /// Runs first, so that a clobbered register is reported by name, not as some odd number further down.
    #[test]
    fn kernels_leave_the_registers_of_their_callers_alone() {
        super::registers::all();
    }

    /// The chip, or its soft-float library, computes `f32` exactly as IEEE 754 specifies.
    #[test]
    fn every_result_is_rounded_once() {
        let operate = |a, b| [a + b, a - b, a * b, a / b, libm::sqrtf(a)];
        defmt::assert_eq!(float_cases::digest(operate), float_cases::EXPECTED);
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
    #[cfg(target_abi = "eabihf")]
    sizes!(floats());
    // On other targets there are only the twins.
    #[cfg(not(target_abi = "eabihf"))]
    sizes!(floats(): 1 2 3 4 5 6 7 8);
    #[cfg(not(target_abi = "eabihf"))]
    soft::floats();
}

fn all_integers() {
    sizes!(integers());
    sizes!(vectors_of(): 1 2 3 10);
    sizes!(passes(): 1 2 7 10 33);
    sizes!(cosines(): 1 2 3 4 5 6 7 8 9 10 11 13 16 64 128);
    quotients();
    #[cfg(not(has_mpu))]
    soft::reciprocals();
}

/// Differences that fit a word and some that do not.
fn cosines<const N: usize>() {
    for round in 0..ROUNDS {
        let mut numbers = Numbers::new(N, 3000 + round);
        let mut points = [[0_i32; N]; 3];
        let by = round % 33;
        points.iter_mut().flatten().for_each(|x| *x = numbers.integer() >> by.min(31));
        let [a, b, c] = &points;
        let right = integer::cosine_sums(a, b, c) == portable::cosine::cosine_sums(a, b, c);
        defmt::assert!(right, "sums of a cosine, n = {}, round {}", N, round);
    }
}
