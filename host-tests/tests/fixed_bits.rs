//! Promise: fixed point gives exactly the bits of its specification, read twice: in f64 and in `i128`.

use osculate::arithmetic::Features;
use osculate::{Arithmetic, Batch, Learner, LearnerConfig, Q24, Q24Wide, Q28, Q28Wide, Schedule, Verdict};
use osculate_host_tests::reference::fixed_model::Model;
use osculate_host_tests::reference::fixed_oracle::{Fate, Format, Input, Oracle, Report};
use osculate_host_tests::reference::{Gain, Parameters};
use osculate_host_tests::worlds::{Dice, row};

/// The room in a batch, and what the format with the least room for rows has.
const ROOM: usize = 128;
const MAX_ROWS: u32 = 64;
const UPDATES_PER_LEARNER: u32 = 25;
/// Features of special interest, in units of the row: at and around where one rounds up to the next power of two.
const EDGES: [f32; 8] = [1.0, -1.0, 0.999_999, -0.999_999, 0.999_985, -0.999_985, 0.0, 1e-5];

/// A fixed-point format under test.
trait Checked: Arithmetic<Scalar = f32> {
    const FORMAT: Format;
    /// Hands a row to the batch, whether the format takes it or not.
    fn push<const N: usize>(batch: &mut Batch<Self, N, ROOM>, row: &Input);
    fn bits(weight: Self::Weight) -> i32;
}

macro_rules! checked {
    ($($format:ident: $integer:ident, $feature_bits:literal, $fraction_bits:literal;)*) => {$(
        impl Checked for $format {
            const FORMAT: Format = Format { feature_bits: $feature_bits, fraction_bits: $fraction_bits };
            fn push<const N: usize>(batch: &mut Batch<Self, N, ROOM>, row: &Input) {
                let (features, target) = match row {
                    Input::Floats((phi, v)) => {
                        (Self::features(phi.as_slice().try_into().unwrap()), Self::target(*v))
                    }
                    Input::Integers { mantissas, exponent, target } => {
                        let mantissas: [$integer; N] = std::array::from_fn(|i| mantissas[i].try_into().unwrap());
                        let target = <Self as Arithmetic>::Target::from_bits(*target);
                        (Ok(Features::new(mantissas, *exponent)), Ok(target))
                    }
                };
                if let (Ok(features), Ok(target)) = (features, target) {
                    // The references say whether it should have been taken.
                    let _ = batch.push(&features, target);
                }
            }
            fn bits(weight: Self::Weight) -> i32 {
                weight.to_bits()
            }
        }
    )*};
}
checked! {
    Q28: i16, 15, 28;
    Q24: i16, 15, 24;
    Q28Wide: i32, 24, 28;
    Q24Wide: i32, 24, 24;
}

/// What the comparison has seen.
#[derive(Default)]
struct Seen {
    updates: u32,
    rows: u64,
    refused: u64,
    skipped: u32,
    saturated: u32,
}

/// A row of floats in a random unit, sometimes sparse or full of edges; `large` is a factor for the target.
fn float_row(dice: &mut Dice, n: usize, spread: u32, large: f32) -> Input {
    let unit = 2_f32.powi(dice.below(2 * spread + 1) as i32 - spread as i32);
    let mut phi = row(dice, n);
    let kind = dice.below(8);
    for x in &mut phi {
        match kind {
            0 if dice.below(3) > 0 => *x = 0.0,
            1 => *x = EDGES[dice.below(8) as usize],
            _ => {}
        }
        *x *= unit;
    }
    Input::Floats((phi, dice.uniform() * unit * 4.0 * large))
}

/// A row of integers of any length, the most negative one included.
fn integer_row(dice: &mut Dice, n: usize, feature_bits: i32, large: f32) -> Input {
    let width = if feature_bits == 15 { 16 } else { 32 };
    let dropped = 32 - width + dice.below(width);
    let exponent = dice.below(25) as i32 - 8;
    let mantissas = (0..n).map(|_| match dice.below(16) {
        0 => i32::MIN >> dropped,
        1 => i32::MAX >> dropped,
        _ => (dice.bits() as i32) >> dropped,
    });
    let mantissas: Vec<i32> = mantissas.collect();
    // V is about as long as the largest feature, so that the row is neither refused nor without a target.
    let lost = feature_bits - (32 - dropped as i32);
    let length = (32 + exponent - lost + 2 - dice.below(5) as i32 + large.log2() as i32).clamp(1, 64);
    let target = ((i64::from(dice.bits() as i32) << 32) | i64::from(dice.bits())) >> (64 - length);
    Input::Integers { mantissas, exponent, target }
}

fn random_batch(dice: &mut Dice, n: usize, feature_bits: i32, is_wild: bool) -> Vec<Input> {
    let tau = 1 + dice.below(MAX_ROWS);
    let spread = [0, 6, 6, 24][dice.below(4) as usize];
    let large = if is_wild && dice.below(4) == 0 { 2_f32.powi(dice.below(20) as i32) } else { 1.0 };
    let has_integers = dice.below(4) == 0;
    (0..tau)
        .map(|_| match has_integers {
            true => integer_row(dice, n, feature_bits, large),
            false => float_row(dice, n, spread, large),
        })
        .collect()
}

/// As many rows as there is room for, with the largest features and the largest targets that are not refused, or just are.
///
/// Half of the batches have one feature per row, and send all weights to one end of their range; the others have all, and
/// see sums that come as near to the ends of their words as they can.
fn largest_batch(dice: &mut Dice, n: usize, feature_bits: i32, is_wild: bool) -> Vec<Input> {
    let largest = if feature_bits == 15 { i16::MAX.into() } else { i32::MAX };
    let (sign, has_one_feature) = (1 - 2 * i64::from(dice.below(2)), dice.below(2) == 0);
    let row = |i: usize| {
        let mantissas = (0..n).map(|j| match dice.below(64) {
            _ if has_one_feature && i % n != j => 0,
            0 => -largest - 1,
            1 if is_wild => -largest,
            _ => largest,
        });
        let mantissas = mantissas.collect();
        let target = (1_i64 << (46 + dice.below(11))) - i64::from(dice.below(2));
        Input::Integers { mantissas, exponent: 0, target: target * sign }
    };
    (0..ROOM).map(row).collect()
}

/// A learner under test, whatever its format and size: only what depends on them is compiled for each.
trait Subject {
    fn update(&mut self, rows: &[Input]) -> Report;
    /// Weights, then velocity.
    fn state(&self) -> [Vec<i32>; 2];
}

impl<A: Checked, const N: usize> Subject for Learner<A, N> {
    fn update(&mut self, rows: &[Input]) -> Report {
        let mut batch = Batch::<A, N, ROOM>::new();
        rows.iter().for_each(|row| A::push(&mut batch, row));
        let outcome = self.update(&batch);
        Report {
            tau: outcome.tau,
            saturated: outcome.saturated,
            g_norm: outcome.g_norm.to_bits(),
            theta: outcome.theta.to_bits(),
            fate: match outcome.verdict {
                Verdict::Stepped => Fate::Stepped,
                Verdict::Skipped => Fate::Skipped,
                Verdict::Empty => Fate::Empty,
                _ => Fate::Overflow,
            },
        }
    }

    fn state(&self) -> [Vec<i32>; 2] {
        [self.weights(), self.velocity()].map(|vector| vector.iter().map(|&x| A::bits(x)).collect())
    }
}

fn subject<A: Checked, const N: usize>(config: LearnerConfig<f32>) -> Box<dyn Subject> {
    Box::new(Learner::<A, N>::new(config).unwrap())
}

/// Makes a learner.
type New = fn(LearnerConfig<f32>) -> Box<dyn Subject>;
/// Makes a batch from n and the bits of a feature, a wild one if that is wanted.
type NextBatch = fn(&mut Dice, usize, i32, bool) -> Vec<Input>;

/// Runs one learner and both references side by side.
fn compare(new: New, n: usize, format: Format, next_batch: NextBatch, seed: u64, seen: &mut Seen) {
    let mut dice = Dice::new(seed);
    let (schedule, gain) = match dice.below(4) {
        0 => (Schedule::Harmonic, Gain::Harmonic),
        1 => (Schedule::ThreeQuarters, Gain::ThreeQuarters),
        2 => (Schedule::Constant(0.3), Gain::Constant(0.3)),
        _ => (Schedule::Constant(1.0), Gain::Constant(1.0)),
    };
    let beta = [0.0, 0.5, 0.9][dice.below(3) as usize];
    let skip_below = [1e-6, 0.0, 0.05][dice.below(3) as usize];
    let is_wild = dice.below(2) == 0;
    let parameters = Parameters { gain, beta: beta.into(), skip_below: skip_below.into() };
    let mut learner = new(LearnerConfig { schedule, beta, skip_below, ..LearnerConfig::default() });
    let mut model = Model::new(n, format, parameters);
    let mut oracle = Oracle::new(n, format, parameters);
    for update in 1..=UPDATES_PER_LEARNER {
        let rows = next_batch(&mut dice, n, format.feature_bits, is_wild);
        let report = learner.update(&rows);
        let place = || format!("seed {seed}, n {n}, update {update}");
        let expected = model.update(&rows);
        assert_eq!(oracle.update(&rows), expected, "oracle and model, {}", place());
        assert_eq!(report, expected, "core and model, {}", place());
        let references = [(&model.w, &oracle.w), (&model.velocity, &oracle.velocity)];
        for (ours, (model, oracle)) in learner.state().iter().zip(references) {
            assert!(oracle.iter().zip(model).all(|(&x, &y)| x == y as i128), "oracle and model, {}", place());
            assert!(ours.iter().zip(model).all(|(&x, &y)| f64::from(x) == y), "core and model, {}", place());
        }
        seen.updates += 1;
        seen.rows += rows.len() as u64;
        seen.refused += rows.len() as u64 - u64::from(report.tau);
        seen.skipped += u32::from(report.fate == Fate::Skipped);
        seen.saturated += u32::from(report.saturated > 0);
    }
}

macro_rules! by_size {
    ($format:ident: $($n:literal)*) => { &[$(($n, subject::<$format, $n>)),*] };
}

fn every_size<A: Checked>() -> &'static [(usize, New)] {
    by_size!(A: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
}

/// Fewer, because each takes its time to compile, and what depends on the size does not depend on the format.
fn some_sizes<A: Checked>() -> &'static [(usize, New)] {
    by_size!(A: 1 2 3 4 5 7 8 12 16 17 25 31 32)
}

fn run<A: Checked>(name: &str, updates: u32, sizes: &[(usize, New)], first_seed: u64) {
    let mut seen = Seen::default();
    let mut seed = first_seed;
    while seen.updates < updates {
        let (n, new) = sizes[seed as usize % sizes.len()];
        compare(new, n, A::FORMAT, random_batch, seed, &mut seen);
        seed += 1;
    }
    let count = sizes.len();
    let Seen { updates, rows, refused, skipped, saturated } = seen;
    println!(
        "{name}: {updates} whole updates, {count} sizes n in 1..=32, tau in 1..={MAX_ROWS}: every bit equal in core, f64 model \
         and i128 oracle; {saturated} updates saturated, {skipped} were skipped, {refused} of {rows} rows refused"
    );
    // Otherwise the comparison has missed the corners.
    assert!(saturated > updates / 100 && skipped > updates / 100 && refused > rows / 1_000);
}

#[test]
fn q28_equals_model_and_oracle() {
    run::<Q28>("Q28", 100_000, every_size::<Q28>(), 0);
}

#[test]
fn q24_equals_model_and_oracle() {
    run::<Q24>("Q24", 100_000, every_size::<Q24>(), 1 << 32);
}

#[test]
fn q28_wide_equals_model_and_oracle() {
    run::<Q28Wide>("Q28Wide", 20_000, some_sizes::<Q28Wide>(), 2 << 32);
}

#[test]
fn q24_wide_equals_model_and_oracle() {
    run::<Q24Wide>("Q24Wide", 20_000, some_sizes::<Q24Wide>(), 3 << 32);
}

#[test]
fn the_largest_sums_do_not_overflow() {
    fn run<A: Checked>() -> Seen {
        let mut seen = Seen::default();
        (0..20).for_each(|seed| compare(subject::<A, 128>, 128, A::FORMAT, largest_batch, seed, &mut seen));
        seen
    }
    for seen in [run::<Q28>(), run::<Q24>(), run::<Q28Wide>(), run::<Q24Wide>()] {
        let Seen { updates, rows, refused, saturated, .. } = seen;
        println!(
            "{updates} updates, n = 128, tau up to {ROOM}: {saturated} saturated, {refused} of {rows} rows refused"
        );
        assert!(saturated > updates / 4 && (rows / 20..rows / 20 * 19).contains(&refused));
    }
}
