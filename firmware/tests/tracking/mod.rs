//! Do the kernels of a tracking learner give the bits of a row that is scaled first, or leave everything alone?

use osculate::arithmetic::backend::Scalar;
use osculate::arithmetic::kernels::{FloatKernels, IntegerKernels, RowPull, portable, turn};

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
        match f32::pull_row(&mut fast, &x, RowPull { power, target, gain }) {
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

fn turns<const N: usize>() {
    for round in 0..ROUNDS {
        let mut numbers = Numbers::new(N, 2000 + round);
        let mut points = [[0.0_f32; N]; 3];
        points.iter_mut().flatten().for_each(|x| *x = of_kind(round, &mut numbers));
        let [a, b, c] = &points;
        let (before, after) = (f32::difference(b, a), f32::difference(c, b));
        let expected = [(&after, &before), (&before, &before), (&after, &after)].map(|(a, b)| portable::dot(a, b));
        if let Some(sums) = f32::turn_sums([a, b, c]) {
            let right = sums.iter().zip(&expected).all(|(a, b)| same(*a, *b));
            defmt::assert!(right, "turn, n = {}, round {}", N, round);
        }
    }
}

pub(crate) fn floats<const N: usize>() {
    turns::<N>();
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
        let ways = turn::ways(a, b, c);
        defmt::assert!(ways == turn::portable::ways(a, b, c), "ways, n = {}, round {}", N, round);
        let [Some(before), Some(after)] = ways.map(|way| way.leading_zeros().checked_sub(2)) else { continue };
        let right = turn::sums(a, b, c, [before, after]) == turn::portable::sums(a, b, c, [before, after]);
        defmt::assert!(right, "sums of a turn, n = {}, round {}", N, round);
    }
}

pub(crate) fn integers<const N: usize>() {
    integer_turns::<N>();
    for round in 0..ROUNDS {
        let mut numbers = Numbers::new(N, round);
        let (mut x, mut fast) = ([0_i16; N], [0; N]);
        fill(&mut numbers, Numbers::small_integer, &mut x);
        fill(&mut numbers, Numbers::integer, &mut fast);
        if round % 3 == 0 {
            x[N / 2] = i16::MIN;
        }
        let Some(sums) = i16::row_sums(&x, &fast) else { return };
        defmt::assert!(sums == portable::row_sums(&x, &fast), "row_sums, n = {}", N);
        for by in 0..=16 {
            // Few bits, for ties.
            let factor = numbers.integer() >> (round % 3 * 8) << (round % 2 * 7);
            let mut twin = fast;
            let saturated = i16::subtract_row(&mut fast, &x, factor, by);
            let expected = portable::subtract_row(&mut twin, &x, factor, by);
            defmt::assert!(fast == twin && saturated == expected, "subtract_row, n = {}, round {}", N, round);
        }
    }
}
