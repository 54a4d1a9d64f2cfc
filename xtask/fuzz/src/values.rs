//! φ·w and R + γV, against plain f64.

use osculate::RowError;

use super::Fuzz;
use super::check::{Plain, is_discount};
use super::number::Fuzzed;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    match fuzz.below(16) {
        0 => value::<A, 0>(fuzz),
        1..9 => value::<A, 3>(fuzz),
        9 => value::<A, 128>(fuzz),
        _ => backup::<A>(fuzz),
    }
}

fn value<A: Fuzzed, const N: usize>(fuzz: &mut Fuzz) {
    let Ok(features) = A::any_features::<N>(fuzz) else { return fuzz.called("no features") };
    let weights = A::any_weights::<N>(fuzz);
    let value = A::value(&features, &weights);
    let flaw = A::flaw(&features);
    let plain = Plain::dot::<A, N>(&features, &weights);
    assert!(flaw.is_some() || plain.is_near::<A>(value), "{value:?} instead of {:e}: {features:?}", plain.value);
    fuzz.called("value");
    if A::LIMITS.is_some_and(|limits| limits.contains(&A::number(value))) {
        fuzz.saw("value at its limit");
    }
    let row = A::admit(&features);
    assert_eq!(row.as_ref().err(), flaw.as_ref());
    let Ok(mut row) = row else { return fuzz.called("bad features") };
    let of_row = A::row_value(&row, &weights);
    fuzz.called("value of a row");
    assert!(A::LIMITS.is_none() || of_row == value, "{of_row:?} instead of {value:?}: {features:?}");
    let plain = plain.of_row::<A, N>(&features, &weights);
    assert!(plain.is_near::<A>(of_row), "{of_row:?} instead of {:e}: {features:?}", plain.value);
    // A target that is refused leaves the row as it was.
    let (before, target) = (row.clone(), A::any_target(fuzz));
    let aimed = A::aim(&mut row, target);
    fuzz.called(if aimed.is_ok() { "aimed" } else { "target refused" });
    assert!(A::number(target).is_finite() || aimed.is_err());
    assert!(aimed.is_ok() || format!("{row:?}") == format!("{before:?}"));
    assert_eq!(A::row_value(&row, &weights) == of_row, A::number(of_row) == A::number(of_row), "a target has no say");
}

fn backup<A: Fuzzed>(fuzz: &mut Fuzz) {
    let (reward, gamma, next) = (A::any_target(fuzz), fuzz.gamma::<A::Scalar>(), A::any_target(fuzz));
    let sum = A::backup(reward, gamma, next);
    let are_usable = A::is_usable(reward) && A::is_usable(next);
    assert_eq!(are_usable, A::number(reward).is_finite() && A::number(next).is_finite());
    if !is_discount(gamma) {
        return fuzz.called("backup by no discount");
    }
    let plain = Plain::backup::<A>(reward, gamma, next);
    if are_usable {
        assert!(plain.is_near::<A>(sum), "{sum:?} instead of {:e}: {reward:?} + {gamma:?} * {next:?}", plain.value);
        fuzz.called("backup");
        if A::LIMITS.is_some_and(|limits| limits.contains(&A::number(sum))) {
            fuzz.saw("backup at its limit");
        }
    } else {
        assert!(!A::is_usable(sum), "{sum:?} of {reward:?} and {next:?}");
        fuzz.called("backup of no number");
    }
    from_floats::<A>(fuzz);
}

/// Rewards and features from floats: held as they are, within their rounding, or refused.
fn from_floats<A: Fuzzed>(fuzz: &mut Fuzz) {
    let wanted = fuzz.floats::<3>();
    let is_finite = wanted.iter().all(|x| x.is_finite());
    match A::features(&wanted) {
        Ok(features) if !is_finite => assert_eq!(A::flaw(&features), Some(RowError::NonFiniteFeature)),
        Ok(features) => {
            let bound = A::FEATURE * wanted.iter().fold(0.0, |most: f64, x| most.max(x.abs().into()));
            let off = A::plain(&features).0.into_iter().zip(wanted).map(|(x, wanted)| (x - f64::from(wanted)).abs());
            assert!(off.fold(0.0, f64::max) <= bound, "{features:?} of {wanted:?}");
        }
        Err(error) => assert!(error == RowError::NonFiniteFeature && !is_finite, "{error:?}: {wanted:?}"),
    }
    fuzz.called("features");
    let wanted = fuzz.any_float();
    match A::target(wanted) {
        Ok(target) if !wanted.is_finite() => assert!(!A::is_usable(target), "{target:?} of {wanted}"),
        Ok(target) => assert!((A::number(target) - f64::from(wanted)).abs() <= A::UNIT, "{target:?} of {wanted}"),
        Err(error) => {
            let is_beyond = A::LIMITS.is_some_and(|[least, most]| !(least..most).contains(&f64::from(wanted)));
            assert!(!wanted.is_finite() || is_beyond, "{error:?}: {wanted}");
        }
    }
    fuzz.called("target");
}
