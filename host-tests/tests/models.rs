//! Promise: models that are learned on the device are bit-exact with f64 references that are rounded after every
//! operation, for rows of every size; they find the numbers of the world, and refuse what would spoil them.

use osculate::{LeastSquares, LinearModel, RowError};
use osculate_host_tests::reference::least_squares;
use osculate_host_tests::reference::linear_model::{self, Flaw};
use osculate_host_tests::worlds::Dice;

/// How a learner of rows fared.
#[derive(Debug, Default)]
struct Tally {
    rows: u32,
    learned: u32,
    refused: u32,
    subnormal: u32,
    huge: u32,
}

/// A number of any magnitude, near a common one, or special.
fn number(dice: &mut Dice, scale: i32, spread: u32) -> f32 {
    let exponent = scale + dice.below(2 * spread + 1) as i32 - spread as i32;
    // Two factors: 2^−149 is not a normal number.
    let uniform = dice.uniform() * 2_f32.powi(exponent / 2) * 2_f32.powi(exponent - exponent / 2);
    match dice.below(200) {
        0 => [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-45][dice.below(6) as usize],
        1..6 => 0.0,
        _ => uniform,
    }
}

fn numbers<const K: usize>(dice: &mut Dice, scale: i32) -> [f32; K] {
    let spread = [0, 2, 40, 120][dice.below(4) as usize];
    if dice.below(100) == 0 { [0.0; K] } else { [(); K].map(|()| number(dice, scale, spread)) }
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

fn error(flaw: Flaw) -> RowError {
    match flaw {
        Flaw::Input => RowError::NonFiniteFeature,
        Flaw::NoInput => RowError::ZeroFeatures,
        Flaw::Output => RowError::NonFiniteTarget,
        Flaw::Range => RowError::TargetOutOfRange,
    }
}

/// Sizes of inputs and of weights, from below the smallest f32 to above the largest one.
fn sizes(dice: &mut Dice) -> [i32; 2] {
    [(); 2].map(|()| [dice.below(281) as i32 - 152, dice.below(81) as i32 - 40][dice.below(2) as usize])
}

impl Tally {
    /// Every bit of W after a row, which has changed nothing if it was refused.
    fn check<const INPUTS: usize, const OUTPUTS: usize>(
        &mut self,
        [before, after]: [&LinearModel<INPUTS, OUTPUTS>; 2],
        expected: &[Vec<f32>],
        (x, y): (&[f32; INPUTS], &[f32; OUTPUTS]),
        [given, right]: [Result<(), RowError>; 2],
    ) {
        assert_eq!(given, right, "{x:?} {y:?} by {before:?}");
        assert_eq!(bits(after.weights().as_flattened()), bits(&expected.concat()), "{x:?} {y:?} by {before:?}");
        let same = bits(after.weights().as_flattened()) == bits(before.weights().as_flattened());
        assert!(given.is_ok() || same, "{x:?} {y:?} by {before:?}");
        self.rows += 1;
        self.learned += u32::from(!same);
        self.refused += u32::from(given.is_err());
        self.subnormal += u32::from(x.iter().any(|x| x.is_subnormal()));
        self.huge += u32::from(x.iter().any(|x| x.is_finite() && x.abs() > 1e30));
    }

    fn is_enough(&self) {
        println!("{self:?}");
        assert!(self.rows >= 100_000 && self.learned > 50_000 && self.refused > 5_000, "{self:?}");
        assert!(self.subnormal > 5_000 && self.huge > 5_000, "{self:?}");
    }
}

fn linear_model<const INPUTS: usize, const OUTPUTS: usize>(models: u64, tally: &mut Tally) {
    for seed in 0..models {
        let mut dice = Dice::new(seed);
        let gain = [1.0 / 32.0, 1.0 / 32.0, 0.3, 1.0, 1.9][dice.below(5) as usize];
        let [unit, worth] = sizes(&mut dice);
        let weights =
            [(); OUTPUTS].map(|()| numbers(&mut dice, worth).map(|w| if f32::is_finite(w) { w } else { 1.0 }));
        let mut ours = LinearModel::<INPUTS, OUTPUTS>::new(gain).with_weights(weights);
        let mut theirs = linear_model::LinearModel::new(&weights.each_ref().map(|row| &row[..]), gain);
        for _ in 0..40 {
            let (x, y) = (numbers(&mut dice, unit), numbers(&mut dice, unit + worth));
            let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            let predicted = ours.predict(&x).into_iter().zip(theirs.predict(&x)).all(|(a, b)| same(a, b));
            assert!(predicted, "{x:?} by {ours:?}");
            let before = ours;
            let learned = [ours.learn(&x, &y), theirs.learn(&x, &y).map_err(error)];
            tally.check([&before, &ours], &theirs.weights(), (&x, &y), learned);
        }
    }
}

#[test]
fn a_linear_model_equals_the_rounded_reference() {
    let mut tally = Tally::default();
    linear_model::<1, 1>(500, &mut tally);
    linear_model::<4, 2>(1000, &mut tally);
    linear_model::<7, 3>(500, &mut tally);
    linear_model::<9, 1>(500, &mut tally);
    tally.is_enough();
}

fn least_squares<const INPUTS: usize, const OUTPUTS: usize>(models: u64, tally: &mut Tally) {
    for seed in 0..models {
        let mut dice = Dice::new(seed);
        let [unit, worth] = sizes(&mut dice);
        let mut ours = LeastSquares::<INPUTS, OUTPUTS>::new();
        let mut theirs = least_squares::LeastSquares::new(INPUTS, OUTPUTS);
        for _ in 0..100 {
            let (x, y) = (numbers(&mut dice, unit), numbers(&mut dice, unit + worth));
            let before = ours;
            let learned = [ours.learn(&x, &y), theirs.learn(&x, &y).map_err(error)];
            tally.check([before.model(), ours.model()], &theirs.weights(), (&x, &y), learned);
            assert!(learned[0].is_ok() || ours == before, "{x:?} {y:?} by {before:?}");
        }
    }
}

#[test]
fn least_squares_equal_the_rounded_reference() {
    let mut tally = Tally::default();
    least_squares::<1, 1>(300, &mut tally);
    least_squares::<4, 2>(500, &mut tally);
    least_squares::<7, 3>(300, &mut tally);
    tally.is_enough();
}

/// Rows as in a room: inputs that move together, one that hardly moves, and noise.
struct Heating {
    dice: Dice,
    slow: [f32; 2],
}

impl Heating {
    const WORLD: [[f32; 4]; 2] = [[0.3, -0.4, 0.1, 0.05], [0.02, 0.3, 0.25, -0.1]];

    fn row(&mut self, noise: f32) -> ([f32; 4], [f32; 2]) {
        self.slow[0] = 0.98 * self.slow[0] + 0.1 * self.dice.uniform();
        self.slow[1] = 0.999 * self.slow[1] + 0.02 * self.dice.uniform();
        let x = [self.dice.below(4) as f32 / 3.0, self.slow[0], self.slow[1], 0.25];
        let y = Self::WORLD.map(|w| x.iter().zip(w).map(|(x, w)| x * w).sum::<f32>() + noise * self.dice.uniform());
        (x, y)
    }
}

/// The root of the mean square of W − W*.
fn distance(model: &LinearModel<4, 2>) -> f32 {
    let differences = model.weights().as_flattened().iter().zip(Heating::WORLD.as_flattened()).map(|(a, b)| a - b);
    (differences.map(|d| d * d).sum::<f32>() / 8.0).sqrt()
}

#[test]
fn from_nothing_least_squares_are_there_long_before_a_linear_model() {
    for seed in 0..20 {
        let mut heating = Heating { dice: Dice::new(seed), slow: [0.3, -0.5] };
        let mut squares = LeastSquares::new();
        let mut linear = LinearModel::from_weights([[0.0; 4]; 2]);
        for rows in 1..=1000 {
            let (x, y) = heating.row(0.02);
            squares.learn(&x, &y).unwrap();
            linear.learn(&x, &y).unwrap();
            let [squares, linear] = [squares.model(), &linear].map(distance);
            assert!(![100, 1000].contains(&rows) || 2.0 * squares < linear, "{rows} rows: {squares} and {linear}");
        }
    }
}

/// P shrinks no further than its rounding errors allow, so that what has changed after a long time is found as well.
#[test]
fn least_squares_stay_for_good() {
    let mut heating = Heating { dice: Dice::new(1), slow: [0.3, -0.5] };
    let mut squares = LeastSquares::new();
    let mut learn = |rows, sign: f32| {
        for _ in 0..rows {
            let (x, y) = heating.row(0.02);
            squares.learn(&x, &y.map(|y| sign * y)).unwrap();
            // The same again and again says nothing about most directions.
            squares.learn(&[1.0, 0.0, 0.0, 0.0], &[0.3, 0.02].map(|y| sign * y)).unwrap();
        }
        *squares.model()
    };
    let early = learn(500_000, -1.0);
    assert!(distance(&early) > 0.4, "{early:?}");
    let late = learn(5_000, 1.0);
    assert!(distance(&late) < 0.01, "{} after the change", distance(&late));
}

#[test]
fn a_row_times_a_power_of_two_is_the_same_row() {
    let mut dice = Dice::new(1);
    let mut models = [-60, 0, 60].map(|exponent| (exponent, LinearModel::from_weights([[0.5, 0.25, -1.0]; 2])));
    for _ in 0..1000 {
        let (x, y) = ([(); 3].map(|()| dice.uniform()), [(); 2].map(|()| dice.uniform()));
        for (exponent, model) in &mut models {
            let scaled = |x: f32| x * 2_f32.powi(*exponent);
            model.learn(&x.map(scaled), &y.map(scaled)).unwrap();
        }
    }
    assert_eq!(models[0].1.weights(), models[1].1.weights());
    assert_eq!(models[2].1.weights(), models[1].1.weights());
}
