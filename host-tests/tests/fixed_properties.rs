//! Promises of fixed point: no unit of a row matters, nothing drifts, the toy problem is exact.

use osculate::arithmetic::{Features, RowInteger};
use osculate::{Arithmetic, Batch, Learner, LearnerConfig, Q24, Q24Wide, Q28, Q28Wide, Schedule, Verdict};
use osculate_host_tests::reference::closed_form;
use osculate_host_tests::worlds::{Dice, row};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseResult};

const N: usize = 6;
const T: usize = 12;

/// Every bit of a learner's weights and velocity.
fn bits<A: Arithmetic, const N: usize>(learner: &Learner<A, N>) -> Vec<u64> {
    let number = |&x: &A::Weight| -> u64 { Into::<f64>::into(x).to_bits() };
    learner.weights().iter().chain(learner.velocity()).map(number).collect()
}

fn twins<A: Arithmetic<Scalar = f32>>(one: &Batch<A, N, T>, other: &Batch<A, N, T>) -> TestCaseResult {
    for schedule in [Schedule::Harmonic, Schedule::Constant(1.0)] {
        let config = LearnerConfig { schedule, ..LearnerConfig::default() };
        let (mut here, mut there) = (Learner::<A, N>::new(config).unwrap(), Learner::<A, N>::new(config).unwrap());
        for _ in 0..8 {
            prop_assert_eq!(here.update(one), there.update(other));
            prop_assert_eq!(bits(&here), bits(&there));
        }
    }
    Ok(())
}

/// Floats times 2^s, then held in integers.
fn scaled_floats<A: Arithmetic<Scalar = f32>>(rows: &[([f32; N], f32)], powers: &[i32]) -> TestCaseResult {
    let (mut one, mut other) = (Batch::<A, N, T>::new(), Batch::<A, N, T>::new());
    for ((phi, v), &power) in rows.iter().zip(powers) {
        let unit = 2_f32.powi(power);
        one.push(&A::features(phi).unwrap(), A::target(*v).unwrap()).unwrap();
        other.push(&A::features(&phi.map(|x| x * unit)).unwrap(), A::target(v * unit).unwrap()).unwrap();
    }
    twins(&one, &other)
}

/// Integers, times 2^s by their exponent, and of those some bits by themselves.
fn scaled_integers<A, R>(rows: &[([i16; N], i32)], powers: &[(i32, u32)]) -> TestCaseResult
where
    R: RowInteger + From<i16>,
    A: Arithmetic<Scalar = f32, Features<N> = Features<R, N>>,
{
    let (mut one, mut other) = (Batch::<A, N, T>::new(), Batch::<A, N, T>::new());
    for ((mantissas, v), &(power, bits)) in rows.iter().zip(powers) {
        // V in steps of 2^−20: it survives a division by 2^12, in steps of 2^−32.
        let target = |power: i32| A::target(*v as f32 * 2_f32.powi(power - 20)).unwrap();
        let held = |mantissas: &[i16; N], exponent| Features::new(mantissas.map(R::from), exponent);
        one.push(&held(mantissas, 0), target(0)).unwrap();
        other.push(&held(&mantissas.map(|m| m << bits), power - bits as i32), target(power)).unwrap();
    }
    twins(&one, &other)
}

fn config() -> ProptestConfig {
    let from_environment = ProptestConfig::default().rng_seed;
    let rng_seed = if from_environment == RngSeed::Random { RngSeed::Fixed(21) } else { from_environment };
    ProptestConfig { cases: 2_000, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

fn float_rows() -> impl Strategy<Value = Vec<([f32; N], f32)>> {
    let features = proptest::array::uniform6(-1.0_f32..1.0)
        .prop_filter("not all near zero", |phi: &[f32; N]| phi.iter().any(|x| x.abs() > 1e-2));
    // In steps of 2^−20 again, up to ±2.
    let target = (-(1_i32 << 21)..=1 << 21).prop_map(|v| v as f32 / 1_048_576.0);
    proptest::collection::vec((features, target), 1..=T)
}

fn integer_rows() -> impl Strategy<Value = Vec<([i16; N], i32)>> {
    let mantissas = proptest::array::uniform6(-1024_i16..=1023)
        .prop_filter("not all near zero", |mantissas: &[i16; N]| mantissas.iter().any(|m| m.unsigned_abs() > 16));
    proptest::collection::vec((mantissas, -(1_i32 << 14)..=1 << 14), 1..=T)
}

proptest! {
    // A fixed seed: the same cases on every machine. PROPTEST_RNG_SEED=… tries others.
    #![proptest_config(config())]

    #[test]
    fn units_of_a_row_do_not_matter(rows in float_rows(), powers in proptest::collection::vec(-12_i32..=12, T)) {
        scaled_floats::<Q28>(&rows, &powers)?;
        scaled_floats::<Q24>(&rows, &powers)?;
        scaled_floats::<Q28Wide>(&rows, &powers)?;
        scaled_floats::<Q24Wide>(&rows, &powers)?;
    }

    #[test]
    fn exponents_of_a_row_do_not_matter(
        rows in integer_rows(),
        powers in proptest::collection::vec((-12_i32..=12, 0_u32..=5), T),
    ) {
        scaled_integers::<Q28, i16>(&rows, &powers)?;
        scaled_integers::<Q24, i16>(&rows, &powers)?;
        scaled_integers::<Q28Wide, i32>(&rows, &powers)?;
        scaled_integers::<Q24Wide, i32>(&rows, &powers)?;
    }
}

/// Sets weights 1, 2, … in motion, then asks only for weight 0, which already has the value asked for: g is exactly 0.
/// Returns after how many updates all stood still, of a million.
fn updates_until_rest<A: Arithmetic<Scalar = f32>>(beta: f32, seed: u64) -> u32 {
    const UPDATES: u32 = 1_000_000;
    let config = LearnerConfig { schedule: Schedule::Constant(1.0), beta, skip_below: 0.0, ..LearnerConfig::default() };
    let mut learner = Learner::<A, N>::new(config).unwrap();
    let mut dice = Dice::new(seed);
    let mut batch = Batch::<A, N, T>::new();
    for _ in 0..3 {
        let mut phi: [f32; N] = row(&mut dice, N).try_into().unwrap();
        phi[0] = 0.0;
        batch.push(&A::features(&phi).unwrap(), A::target(dice.uniform()).unwrap()).unwrap();
        assert_eq!(learner.update(&batch).verdict, Verdict::Stepped);
    }
    let mut still = Batch::<A, N, T>::new();
    let mut only_first = [0.0; N];
    only_first[0] = 1.0;
    still.push(&A::features(&only_first).unwrap(), A::target(0.0).unwrap()).unwrap();
    let (mut rest, mut last) = (0, bits(&learner));
    assert!(last[N + 1..].iter().all(|&v| v != 0), "all but one are in motion");
    for k in 1..=UPDATES {
        let outcome = learner.update(&still);
        assert_eq!((outcome.verdict, outcome.g_norm), (Verdict::Stepped, 0.0));
        let now = bits(&learner);
        if now != last {
            rest = k;
            last = now;
        }
    }
    assert!(last[N..].iter().all(|&v| v == 0), "the velocity is zero in the end");
    rest
}

fn comes_to_rest<A: Arithmetic<Scalar = f32>>(name: &str) {
    for beta in [0.5, 0.9] {
        let rest = updates_until_rest::<A>(beta, 5);
        println!("{name}, beta = {beta}: at rest after {rest} of 1000000 updates without a gradient");
        // 31 bits of velocity are gone after 31/log₂(1/β) updates, and the last few units one by one.
        assert!(f64::from(rest) < 31.0 / -f64::from(beta).log2() + 10.0);
    }
}

#[test]
fn without_a_gradient_everything_comes_to_rest() {
    comes_to_rest::<Q28>("Q28");
    comes_to_rest::<Q24>("Q24");
    comes_to_rest::<Q28Wide>("Q28Wide");
    comes_to_rest::<Q24Wide>("Q24Wide");
}

fn toy<A: Arithmetic<Scalar = f32>>() -> f64 {
    let mut learner = Learner::<A, 1>::default();
    let mut batch = Batch::<A, 1, 2>::new();
    for (phi, v) in [(1.0, 2.0), (2.0, 1.0)] {
        batch.push(&A::features(&[phi]).unwrap(), A::target(v).unwrap()).unwrap();
    }
    for _ in 0..100 {
        learner.update(&batch);
    }
    learner.weights()[0].into()
}

#[test]
fn the_toy_problem_is_solved_exactly() {
    assert_eq!([toy::<f32>(), toy::<Q28>(), toy::<Q24>(), toy::<Q28Wide>(), toy::<Q24Wide>()], [1.25; 5]);
    let least_squares = closed_form::least_squares(&[(vec![1.0], 2.0), (vec![2.0], 1.0)]);
    assert!((least_squares[0] - 0.8).abs() < 1e-15, "what it is not");
}

/// Fills a batch with rows that all pull as hard as a row can, first up and then down; the rows that it took. A sum that
/// is too narrow for them panics here, since overflow is checked.
fn pulled<A: Arithmetic, const ROOM: usize>() -> usize {
    // All bits of a feature are used, as far as any format has them.
    let features = A::features(&[1.999]).unwrap();
    let fits = |target: &f32| Batch::<A, 1, 1>::new().push(&features, A::target(*target).unwrap()).is_ok();
    let far = (0..31).rev().map(|exponent| 2_f32.powi(exponent)).find(fits).unwrap();
    let mut learner = Learner::<A, 1>::default();
    let mut batch = Box::new(Batch::<A, 1, ROOM>::new());
    let taken = [far, -far].map(|target| {
        batch.clear();
        let taken = (0..ROOM).filter(|_| batch.push(&features, A::target(target).unwrap()).is_ok()).count();
        let before: f64 = learner.weights()[0].into();
        assert_eq!(learner.update(&*batch).verdict, Verdict::Stepped);
        let after = learner.weights()[0].into();
        assert!((after - before) * f64::from(target) > 0.0, "from {before} to {after}, towards {target}");
        taken
    });
    assert_eq!(taken[0], taken[1]);
    taken[0]
}

#[test]
fn a_batch_takes_no_more_rows_than_its_sums_have_room_for() {
    // A row adds at most 2³¹·2²⁴ to a sum of 63 bits and a sign, or 2³¹·2¹⁵ with 16 bits; half of it is kept free.
    assert_eq!([pulled::<Q28Wide, 1000>(), pulled::<Q24Wide, 1000>()], [1 << 7; 2]);
    // Batches are built on the stack, and these have more than a test has.
    let deep = std::thread::Builder::new().stack_size(64 << 20);
    let taken = deep.spawn(|| [pulled::<Q28, 100_000>(), pulled::<Q24, 100_000>()]).unwrap().join().unwrap();
    assert_eq!(taken, [1 << 16; 2]);
}
