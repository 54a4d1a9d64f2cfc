//! φ·w and R + γV, against plain f64.

use osculate::RowError;
use osculate::arithmetic::backend::{Empty, Features, Persist};

use super::input::Fuzz;
use super::number::{Fuzzed, flaw};
use super::plain::Plain;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(16) {
        0 => value::<A, 0>(fuzz),
        1..9 => value::<A, 3>(fuzz),
        9 => value::<A, 128>(fuzz),
        _ => backup::<A>(fuzz),
    }
}

fn is_limit<A: Fuzzed>(number: A::Number) -> bool {
    A::LIMITS.is_some_and(|limits| limits.contains(&A::number_of(number)))
}

fn value<A: Fuzzed, const N: usize>(fuzz: &mut Fuzz) {
    let (phi, weights) = (fuzz.floats::<N>(), A::any_weights::<N>(fuzz));
    let (wide, flaw) = (phi.map(f64::from), flaw(&phi));
    let value = A::value_of(&phi, &weights);
    let plain = Plain::dot::<A, N>(&wide, &weights);
    match value {
        Ok(value) => {
            let number = A::number_of(value);
            assert!(number.is_finite() && flaw != Some(RowError::NonFiniteFeature), "{value:?}: {phi:?}");
            assert!(plain.is_near::<A>(number), "{value:?} instead of {:e}: {phi:?}", plain.value);
            fuzz.called(if is_limit::<A>(value) { "value at its limit" } else { "value" });
        }
        Err(error) => {
            let is_right = flaw == Some(error) || plain.is_out_of_range::<A>();
            assert!(is_right && error == RowError::NonFiniteFeature, "{error:?}: {phi:?}");
            fuzz.called("no value");
        }
    }
    let mut row = A::Row::<N>::EMPTY;
    let encoded = A::encode(&mut row, Features::Floats(&phi));
    assert_eq!(encoded.err(), flaw);
    if encoded.is_err() {
        assert_eq!(row, A::Row::<N>::EMPTY, "{phi:?} is in the row");
        return fuzz.called("bad features");
    }
    let of_row = A::value(&row, &weights);
    fuzz.called("value of a row");
    assert!(A::LIMITS.is_none() || Ok(of_row) == value, "{of_row:?} instead of {value:?}: {phi:?}");
    let plain = plain.of_row::<A, N>(&wide, &weights);
    assert!(plain.is_near::<A>(A::number_of(of_row)), "{of_row:?} instead of {:e}: {phi:?}", plain.value);
    // A refused target leaves the row unchanged.
    let (before, target) = (row.clone(), A::any_number(fuzz));
    let aimed = A::set_target(&mut row, target);
    fuzz.called(if aimed.is_ok() { "aimed" } else { "target refused" });
    assert!(target.is_valid() || aimed.is_err());
    assert!(aimed.is_ok() || row == before);
    assert!(A::value(&row, &weights) == of_row || A::number_of(of_row).is_nan(), "a target has no say");
}

fn backup<A: Fuzzed>(fuzz: &mut Fuzz) {
    let (reward, gamma, next) = (A::any_number(fuzz), fuzz.gamma(), A::any_number(fuzz));
    let sum = A::backup(reward, gamma.into(), next);
    let are_usable = reward.is_valid() && next.is_valid();
    assert_eq!(are_usable, A::number_of(reward).is_finite() && A::number_of(next).is_finite());
    if !(0.0..=1.0).contains(&gamma) {
        return fuzz.called("backup by no discount");
    }
    let plain = Plain::backup::<A>(reward, gamma, next);
    if are_usable {
        let number = A::number_of(sum);
        assert!(plain.is_near::<A>(number), "{sum:?} instead of {:e}: {reward:?} + {gamma:?} * {next:?}", plain.value);
        fuzz.called(if is_limit::<A>(sum) { "backup at its limit" } else { "backup" });
    } else {
        assert!(!sum.is_valid(), "{sum:?} of {reward:?} and {next:?}");
        fuzz.called("backup of no number");
    }
    from_float::<A>(fuzz);
}

/// Rewards and weights from floats. A number is accepted within rounding error or refused. A weight is clamped to the
/// nearest one.
fn from_float<A: Fuzzed>(fuzz: &mut Fuzz) {
    let wanted = fuzz.any_float();
    let is_beyond = A::LIMITS.is_some_and(|[least, most]| !(least..most).contains(&f64::from(wanted)));
    match A::number(wanted) {
        Ok(number) => {
            assert!(
                wanted.is_finite() && (A::number_of(number) - f64::from(wanted)).abs() <= A::UNIT,
                "{number:?} of {wanted}"
            );
            let rounded = A::to_f32(number);
            assert!(
                (f64::from(rounded) - A::number_of(number)).abs() <= f64::from(wanted.abs() * f32::EPSILON) + 1e-45
            );
        }
        Err(RowError::NonFiniteTarget) => assert!(!wanted.is_finite(), "{wanted}"),
        Err(error) => assert!(error == RowError::TargetOutOfRange && is_beyond, "{error:?}: {wanted}"),
    }
    fuzz.called("number");
    let weight: f64 = A::weight(wanted).into();
    let nearest = if wanted.is_nan() { 0.0 } else { f64::from(wanted).clamp(-A::WEIGHT_LIMIT, A::WEIGHT_LIMIT) };
    let nearest = nearest.clamp(f64::from(f32::MIN), f64::from(f32::MAX));
    assert!((weight - nearest).abs() <= A::WEIGHT_UNIT, "{weight} of {wanted}");
    fuzz.called("weight");
}
