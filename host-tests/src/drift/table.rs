//! One cell of the table: a case with n features, over many seeds.

use super::contestants::{self, Contestant};
use super::{Case, Nlms, Problem, Rls, TUNING_SEEDS};

/// The numbers of features.
pub const SIZES: [usize; 3] = [4, 10, 32];

/// A rival with the parameter that did best on the tuning seeds.
#[derive(Clone, Copy, Debug)]
pub struct Tuned {
    /// Its gain, step or forgetting factor.
    pub parameter: f64,
    /// The median error on the seeds of the comparison.
    pub error: f64,
}

/// Errors: excess mean squared error in units of the noise's present variance. Medians, where there is one number for
/// all seeds.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The number of features.
    pub n: usize,
    /// The case.
    pub case: &'static str,
    /// `tracking` by arithmetic, as [`ARITHMETICS`](super::ARITHMETICS) lists them, and by seed.
    pub tracking: Vec<Vec<f64>>,
    /// Its mathematics.
    pub reference: f64,
    /// NLMS.
    pub nlms: Tuned,
    /// RLS.
    pub rls: Tuned,
    /// Numbers that saturated, by arithmetic, in all runs.
    pub saturated: Vec<u32>,
}

impl Cell {
    /// The median error of `tracking` in an arithmetic.
    pub fn median(&self, arithmetic: usize) -> f64 {
        median(self.tracking[arithmetic].clone())
    }

    /// How far the errors in an arithmetic are from those in the first one: the median of error/error − 1 over the
    /// seeds, each with itself, since seeds differ by more than arithmetics do.
    pub fn apart(&self, arithmetic: usize) -> f64 {
        let pairs = self.tracking[arithmetic].iter().zip(&self.tracking[0]);
        median(pairs.map(|(error, exact)| error / exact).collect()) - 1.0
    }
}

type Contestants = Vec<Box<dyn Contestant>>;

/// Runs the comparison for one cell.
pub fn cell(n: usize, (case, name): (Case, &'static str), seeds: u64) -> Cell {
    let nlms = best(Nlms::GAINS, |gain| Box::new(Nlms::new(n, gain)), n, case);
    let rls = best(Rls::FACTORS, |factor| Box::new(Rls::new(n, factor)), n, case);
    let mut saturated = vec![0; contestants::ARITHMETICS.len()];
    let runs = (0..seeds).map(|seed| {
        let mut all: Contestants = contestants::tracking(n).into();
        all.push(contestants::reference(n));
        all.push(Box::new(Nlms::new(n, nlms)));
        all.push(Box::new(Rls::new(n, rls)));
        let errors = run(&mut all, Problem::new(case, n, seed));
        saturated.iter_mut().zip(&mut all).for_each(|(sum, one)| *sum += one.saturated());
        errors
    });
    let columns = columns(runs);
    let [tracking @ .., reference, nlms_errors, rls_errors] = columns.as_slice() else {
        unreachable!("three follow the arithmetics")
    };
    Cell {
        n,
        case: name,
        tracking: tracking.to_vec(),
        reference: median(reference.clone()),
        nlms: Tuned { parameter: nlms, error: median(nlms_errors.clone()) },
        rls: Tuned { parameter: rls, error: median(rls_errors.clone()) },
        saturated,
    }
}

/// The parameter with the least median error on the tuning seeds.
fn best<const K: usize>(parameters: [f64; K], new: impl Fn(f64) -> Box<dyn Contestant>, n: usize, case: Case) -> f64 {
    let run_seed = |seed| run(&mut parameters.map(&new), Problem::new(case, n, seed));
    least(&parameters, &medians(TUNING_SEEDS.map(run_seed)))
}

/// The parameter with the least error.
pub(super) fn least(parameters: &[f64], errors: &[f64]) -> f64 {
    let pairs = parameters.iter().zip(errors).filter(|(_, error)| error.is_finite());
    *pairs.min_by(|a, b| a.1.total_cmp(b.1)).expect("some parameter learns").0
}

/// The mean excess error of each contestant, all on the same rows.
fn run(all: &mut [Box<dyn Contestant>], problem: Problem) -> Vec<f64> {
    let (mut errors, mut rows) = (vec![0.0; all.len()], 0.0);
    for sample in problem {
        if sample.counts {
            rows += 1.0;
            for (error, one) in errors.iter_mut().zip(all.iter()) {
                *error += (one.value(&sample.phi) - sample.mean).powi(2) / sample.variance;
            }
        }
        all.iter_mut().for_each(|one| one.learn(&sample.phi, sample.target));
    }
    errors.iter().map(|error| error / rows).collect()
}

/// The columns of a table that is given by rows.
fn columns(rows: impl Iterator<Item = Vec<f64>>) -> Vec<Vec<f64>> {
    let rows: Vec<Vec<f64>> = rows.collect();
    let width = rows.first().map_or(0, Vec::len);
    (0..width).map(|i| rows.iter().map(|row| row[i]).collect()).collect()
}

/// The median of each column.
pub(super) fn medians(rows: impl Iterator<Item = Vec<f64>>) -> Vec<f64> {
    columns(rows).into_iter().map(median).collect()
}

/// The median, NaN of nothing.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    match (numbers.len(), numbers.len() / 2) {
        (0, _) => f64::NAN,
        (odd, middle) if odd % 2 == 1 => numbers[middle],
        (_, middle) => f64::midpoint(numbers[middle - 1], numbers[middle]),
    }
}
