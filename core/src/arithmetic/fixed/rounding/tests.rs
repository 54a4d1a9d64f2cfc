//! Tests of the integers.

use super::*;
use crate::arithmetic::kernels::portable::words::{product_of_halves, root_of_word_by_float};

/// Miri is far too slow for a million rounds, and checks memory use, not the numbers.
const ROUNDS: u32 = if cfg!(miri) { 200 } else { 1_000_000 };

#[test]
fn shifts_round_to_even() {
    let halves = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5].map(|x| round_shift(x, 1));
    assert_eq!(halves, [-2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2]);
    assert_eq!([round_shift(i64::MIN, 63), round_shift(i64::MAX, 63), round_shift(i64::MIN, 64)], [-1, 1, 0]);
    assert_eq!(round_shift(i64::MAX, 1), 1 << 62);
}

#[test]
fn left_shifts_know_their_range() {
    assert_eq!(scale(1, 62), 1 << 62);
    assert_eq!([scale(1, 63), scale(-1, 64), scale(-1, 63)], [i64::MAX, i64::MIN, i64::MIN]);
    assert_eq!(scale(0, 1000), 0);
    assert_eq!(scale(-3, -1), -2);
    assert_eq!(scale_clipped(-1, 40), Clipped { value: i32::MIN, saturated: true });
}

#[test]
fn scaled_numbers_are_shifted_ones() {
    let mut noise = 1_u64;
    for round in 0..ROUNDS {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Few bits, for ties, and those at either end.
        let x = noise.cast_signed() >> (round % 64) << (round / 64 % 7 * 9);
        let by = (round / 64 % 131) as i32;
        assert_eq!(scale(x, -by), round_shift(x, by.unsigned_abs()), "{x} / 2^{by}");
        let wide = i128::from(x) << by.min(64);
        assert_eq!(i128::from(scale(x, by)), wide.clamp(i64::MIN.into(), i64::MAX.into()), "{x} * 2^{by}");
    }
}

#[test]
fn floats_of_integers_are_rounded_once() {
    let mut noise = 1_u64;
    for round in 0..ROUNDS {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = noise.cast_signed() >> (round % 64) << (round / 64 % 5 * 9);
        assert_eq!(float(x, -46).to_bits(), (x as f32).scaled(-46).to_bits(), "{x}");
    }
    assert_eq!([i64::MIN, i64::MAX, -1, 0, 1].map(|x| float(x, 0)), [i64::MIN, i64::MAX, -1, 0, 1].map(|x| x as f32));
}

#[test]
fn word_shifts_round_like_shifts() {
    let mut noise = 1_u64;
    for round in 0..ROUNDS {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (factor, x) = ((noise >> 33) as i32 - (1 << 30), (noise as u32 >> 1).cast_signed() - (1 << 30));
        // Few bits, for ties.
        let (factor, x) = (factor >> (round % 30), x >> (round / 30 % 30) << (round % 7));
        let power = -(round as i32 % 80);
        let expected = round_shift(i64::from(factor) * i64::from(x), power.unsigned_abs());
        match WordShift::new(factor.into(), power) {
            Some(shift) => assert_eq!(i64::from(shift.times(x)), expected, "{factor} * {x} * 2^{power}"),
            None => assert!(power > -33),
        }
    }
}

#[test]
fn words_of_halves_are_words_of_products() {
    let mut noise = 1_u64;
    let check = |a: i32, b: i32| {
        let whole = i64::from(a) * i64::from(b);
        assert_eq!(product_of_halves(a, b), ((whole >> 32) as i32, whole as u32), "{a} * {b}");
    };
    for round in 0..ROUNDS {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (a, b) = ((noise >> 32) as i32, (noise >> 8) as i32);
        check(a >> (round % 31), b >> (round % 29) << (round % 32));
    }
    let limits = [i32::MIN, i32::MIN + 1, -65_537, -65_536, -65_535, -1, 0, 1, 0xffff, 0x1_0000, i32::MAX];
    limits.iter().for_each(|&a| limits.iter().for_each(|&b| check(a, b)));
}

#[test]
fn products_with_floats_round_like_shifts() {
    let mut noise = 1_u64;
    let mut settled = 0;
    for round in 0..ROUNDS {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mantissa = (noise >> 39) as i64 - (1 << 24);
        let mantissa = mantissa >> (round % 24) << (round % 5).min(round % 24);
        let x = (noise >> 8) as i32 >> (round / 24 % 32) << (round % 3);
        let power = -(round as i32 % 75);
        let Some(result) = FloatShift::new((mantissa, power)).and_then(|shift| shift.times(x)) else { continue };
        let expected = round_shift(mantissa * i64::from(x), power.unsigned_abs());
        assert_eq!(i64::from(result), expected, "{mantissa} * {x} * 2^{power}");
        assert!(result.unsigned_abs() <= 1 << 30);
        settled += 1;
    }
    assert!(settled > ROUNDS / 3, "{settled}");
}

#[test]
fn roots_are_roots() {
    let check = |x: u64| assert_eq!(u64::from(isqrt(x)), x.isqrt(), "{x}");
    let mut noise = 1_u64;
    for round in 0..ROUNDS {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        check((noise >> (round % 64) << (round % 64)) | (1 << (62 + round % 2)));
        // Squares and their neighbours.
        let root = (noise >> 32 >> (round % 33)) | (1 << 31);
        [root * root, root * root - u64::from(root > 1 << 31), root * root + 2 * root].into_iter().for_each(check);
    }
    [1 << 62, (1 << 62) + 1, 1 << 63, u64::MAX, u64::MAX - 1, u64::MAX << 32, (u64::MAX << 32) - 1]
        .into_iter()
        .for_each(check);
}

#[test]
fn roots_by_floats_are_roots() {
    // Every square, and the words before and behind it.
    for root in (1 << 15..1_u32 << 16).step_by(if cfg!(miri) { 1000 } else { 1 }) {
        let square = root * root;
        let (before, behind) = if root > 1 << 15 { (square - 1, root - 1) } else { (square, root) };
        assert_eq!(root_of_word_by_float(before).0, behind);
        assert_eq!(root_of_word_by_float(square), (root, 0));
        assert_eq!(root_of_word_by_float(square + 2 * root), (root, 2 * root));
        assert_eq!(root_of_word_by_float(square + root), root_of_word(square + root));
    }
}

#[test]
fn reciprocals_are_rounded_quotients() {
    let check = |divisor: u32| {
        let (quotient, rest) = ((1_u64 << 57) / u64::from(divisor), (1_u64 << 57) % u64::from(divisor));
        let up = 2 * rest > u64::from(divisor) || (2 * rest == u64::from(divisor) && quotient & 1 == 1);
        let expected = (quotient + u64::from(up)) as u32;
        assert_eq!(reciprocal(divisor), expected, "{divisor}");
    };
    let mut noise = 1_u64;
    for round in 0..ROUNDS {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        check(((noise >> 32) as u32 >> (round % 31) << (round % 31)) | HALF_WORD);
        check(((noise >> 32) as u32 >> (round % 32)) | HALF_WORD);
    }
    let ends = if cfg!(miri) { 100 } else { 70_000 };
    (0..ends).for_each(|i| check(HALF_WORD + i));
    (0..ends).for_each(|i| check(u32::MAX - i));
}

#[test]
fn inverse_is_near() {
    for s in [1, 2, 3, 5, 7, 1000, (1 << 30) + 1, (1 << 36) - 1, u64::from(u32::MAX), (1 << 33) - 1, 1 << 56] {
        let inverse = Inverse::of(s);
        let value = f64::from(inverse.mantissa)
            * crate::arithmetic::scalar::Scalar::scaled(1.0_f64, -i32::from(inverse.exponent));
        assert!((value * s as f64 - 1.0).abs() < 1.0 / f64::from(1 << 25), "{s}");
        assert!((1 << 25..=1 << 26).contains(&inverse.mantissa), "{s}");
    }
    let mut noise = 1_u64;
    for _ in 0..ROUNDS {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (length, by) = ((noise >> 58) as u32, (noise >> 50 & 0xff) as i32 - 128);
        // Every length, and many halfway cases: few bits set, or all of them.
        let r = (noise << 14).cast_signed() >> length;
        let r = if noise & 64 == 0 { r } else { (r >> 20 << 20) + (noise & 1) as i64 };
        let inverse = Inverse::of(noise >> (noise & 63) | 1);
        assert_eq!(inverse.times(r, by), inverse.times_any(r, by), "{r} / {inverse:?} * 2^{by}");
    }
    for r in [i64::MIN, i64::MAX, 0, -1] {
        for by in -100..200 {
            assert_eq!(Inverse::of(1).times(r, by), Inverse::of(1).times_any(r, by), "{r} * 2^{by}");
        }
    }
    assert_eq!(Inverse::of(4).times(20, 0), Clipped { value: 5, saturated: false });
    assert_eq!(Inverse::of(4).times(-10, 0), Clipped { value: -2, saturated: false });
}
