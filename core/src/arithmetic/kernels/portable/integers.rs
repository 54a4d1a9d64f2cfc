//! The loops over the integers of rows.

use core::mem::MaybeUninit;

use super::super::{Aligned, FixedRow, Numerator};

/// The common factor of all rows in a pass.
pub type Factor<'w, const N: usize> = &'w [i32; N];
/// Where it is, if it is not the plain integers.
pub type Room<const N: usize> = ();

/// From plain integers, ready for multiplication.
#[inline]
pub fn factor<'w, const N: usize>(w: &'w [i32; N], _: &'w mut MaybeUninit<Room<N>>) -> Factor<'w, N> {
    w
}

/// a · b of integers, exactly.
#[inline]
fn product(a: &[i16], b: impl Iterator<Item = i32>) -> i64 {
    a.iter().zip(b).map(|(&a, b)| i64::from(a) * i64::from(b)).sum()
}

/// x · x.
pub fn norm_squared<const N: usize>(x: &Aligned<N>) -> u64 {
    product(&x.0, x.0.iter().map(|&x| x.into())) as u64
}

/// x · w.
#[inline(never)]
pub fn dot<const N: usize>(x: &Aligned<N>, w: &[i32; N]) -> i64 {
    product(&x.0, w.iter().copied())
}

/// a · w and b · w.
#[inline]
pub fn dot_pair<const N: usize>(rows: [&Aligned<N>; 2], w: &Factor<'_, N>) -> [i64; 2] {
    rows.map(|row| product(&row.0, w.iter().copied()))
}

/// sum ← sum + factor · x.
#[inline(never)]
pub fn add_scaled<const N: usize>(sum: &mut [i64; N], factor: i32, x: &Aligned<N>) {
    add(sum, factor, x);
}

#[inline]
fn add<const N: usize>(sum: &mut [i64; N], factor: i32, x: &Aligned<N>) {
    for (sum, &x) in sum.iter_mut().zip(&x.0) {
        *sum += i64::from(factor) * i64::from(x);
    }
}

/// sum ← sum + p · a + q · b.
#[inline]
pub fn add_scaled_pair<const N: usize>(sum: &mut [i64; N], [p, q]: [i32; 2], [a, b]: [&Aligned<N>; 2]) {
    add(sum, p, a);
    add(sum, q, b);
}

/// Whether [`add_rows`] does anything.
pub const ADDS_ROWS: bool = false;

/// sum ← sum + q · φ for the leading rows, with their quotients q. Returns how many rows are left: one of the next two has a
/// quotient of too many bits.
#[inline]
pub fn add_rows<const N: usize>(_: &mut [i64; N], rows: &[FixedRow<N>], _: &Factor<'_, N>, _: Numerator) -> usize {
    rows.len()
}
