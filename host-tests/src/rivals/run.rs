//! Tuning on some seeds, and the comparison on others.

use super::{Contender, Cost, Lengths, Problem, Setting, TUNING_SEEDS, contenders};
use crate::drift::median;
use crate::jobs;

/// What every contender reached with every setting on one seed: errors at the checkpoints.
type Trial = Vec<Vec<[f64; 3]>>;

/// What all contenders reached on one seed, with one setting each.
#[derive(Clone, Debug)]
struct Outcomes {
    errors: Vec<[f64; 3]>,
    lengths: Lengths,
    floor: Option<f64>,
}

/// One line of a table.
#[derive(Clone, Debug)]
pub struct Line {
    /// The rule.
    pub name: String,
    /// Whether it is the library's.
    pub ours: bool,
    /// Its parameters, by name.
    pub setting: Vec<(&'static str, f64)>,
    /// The medians over the seeds of the errors at the checkpoints.
    pub errors: [f64; 3],
    /// The errors at the last checkpoint, by seed.
    pub last: Vec<f64>,
    /// The quartiles over the seeds of the error at the last checkpoint.
    pub quartiles: (f64, f64),
    /// Its cost.
    pub cost: Cost,
    /// The formula of its multiply-accumulates.
    pub formula: &'static str,
    /// The median error at the last checkpoint for every setting, on the tuning seeds.
    pub curve: Vec<(Setting, f64)>,
}

/// One table.
#[derive(Clone, Debug)]
pub struct Report {
    /// The problem.
    pub problem: Problem,
    /// How many seeds it comes from: 0, 1, 2, …
    pub seeds: u64,
    /// The lines.
    pub lines: Vec<Line>,
    /// The lengths of its episodes.
    pub lengths: Lengths,
    /// The least error that any w could have, the median over the seeds, where it is known.
    pub floor: Option<f64>,
}

impl Report {
    /// The line of a rule.
    pub fn line(&self, name: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.name == name)
    }
}

/// The tables of problems, from the seeds 0, 1, 2, …: tunes on all cores, then compares on all cores.
pub fn compare(problems: &[Problem], seeds: u64) -> Vec<Report> {
    let pairs = |seeds: std::ops::Range<u64>| -> Vec<(usize, u64)> {
        (0..problems.len()).flat_map(|i| seeds.clone().map(move |seed| (i, seed))).collect()
    };
    let tuning = pairs(TUNING_SEEDS);
    eprintln!("tuning the rivals");
    let trials = jobs::all(&tuning, |(i, seed)| trial(problems[*i], *seed));
    let trials: Vec<&[Trial]> = trials.chunks(TUNING_SEEDS.count()).collect();
    let chosen: Vec<Vec<usize>> =
        problems.iter().zip(&trials).map(|(problem, trials)| tune(*problem, trials)).collect();
    let showing = pairs(0..seeds);
    eprintln!("comparing on other seeds");
    let outcomes = jobs::all(&showing, |(i, seed)| show(problems[*i], &chosen[*i], *seed));
    let outcomes: Vec<&[Outcomes]> = outcomes.chunks(seeds as usize).collect();
    (0..problems.len()).map(|i| report(problems[i], trials[i], &chosen[i], outcomes[i])).collect()
}

/// Tries every setting of every contender on one tuning seed.
fn trial(problem: Problem, seed: u64) -> Trial {
    let data = problem.data(seed);
    let all = contenders(problem);
    all.iter().map(|one| one.grid.iter().map(|setting| data.errors(&mut *(one.make)(setting))).collect()).collect()
}

/// The setting with the least median error at the last checkpoint, by contender; among those within 1 % of it, the one
/// that was best on the way there.
fn tune(problem: Problem, trials: &[Trial]) -> Vec<usize> {
    assert_eq!(trials.len() as u64, TUNING_SEEDS.end - TUNING_SEEDS.start, "a trial for every tuning seed");
    let chosen = |(i, one): (usize, Contender)| {
        let error = |setting: usize, checkpoint: usize| {
            median(trials.iter().map(|trial| trial[i][setting][checkpoint]).collect())
        };
        let settings = 0..one.grid.len();
        let least = settings.clone().map(|setting| error(setting, 2)).fold(f64::INFINITY, f64::min);
        let close = settings.filter(|setting| error(*setting, 2) <= 1.01 * least);
        let before = |setting: usize| error(setting, 0) * error(setting, 1);
        close.min_by(|a, b| before(*a).total_cmp(&before(*b))).unwrap_or(0)
    };
    contenders(problem).into_iter().enumerate().map(chosen).collect()
}

/// Runs all contenders with the chosen settings on one seed.
fn show(problem: Problem, chosen: &[usize], seed: u64) -> Outcomes {
    let data = problem.data(seed);
    let all = contenders(problem);
    let errors =
        all.iter().zip(chosen).map(|(one, &setting)| data.errors(&mut *(one.make)(&one.grid[setting]))).collect();
    let count = data.episodes.len() as f64;
    let steps = data.episodes.iter().map(|episode| episode.steps.len());
    let rows: usize = data.episodes.iter().map(|one| one.steps.iter().filter(|step| step.first).count()).sum();
    let lengths = Lengths {
        steps: steps.clone().sum::<usize>() as f64 / count,
        rows: rows as f64 / count,
        longest: steps.max().unwrap_or(0),
    };
    Outcomes { errors, lengths, floor: data.floor() }
}

/// The table of a problem.
fn report(problem: Problem, trials: &[Trial], chosen: &[usize], outcomes: &[Outcomes]) -> Report {
    let count = outcomes.len() as f64;
    let lengths = Lengths {
        steps: outcomes.iter().map(|one| one.lengths.steps).sum::<f64>() / count,
        rows: outcomes.iter().map(|one| one.lengths.rows).sum::<f64>() / count,
        longest: outcomes.iter().map(|one| one.lengths.longest).max().unwrap_or(0),
    };
    let line = |(i, one): (usize, Contender)| {
        let errors = |checkpoint: usize| -> Vec<f64> { outcomes.iter().map(|o| o.errors[i][checkpoint]).collect() };
        let setting = one.parameters.iter().copied().zip(one.grid[chosen[i]].iter().copied()).collect();
        let on_tuning_seeds = |setting: usize| median(trials.iter().map(|trial| trial[i][setting][2]).collect());
        Line {
            ours: one.ours,
            setting,
            errors: [0, 1, 2].map(|checkpoint| median(errors(checkpoint))),
            last: errors(2),
            quartiles: quartiles(errors(2)),
            cost: (one.cost)(lengths),
            formula: one.formula,
            curve: one.grid.iter().cloned().zip((0..).map(on_tuning_seeds)).collect(),
            name: one.name,
        }
    };
    let lines = contenders(problem).into_iter().enumerate().map(line).collect();
    let floors: Option<Vec<f64>> = outcomes.iter().map(|one| one.floor).collect();
    Report { problem, seeds: outcomes.len() as u64, lines, lengths, floor: floors.map(median) }
}

/// The first and the third quartile.
pub fn quartiles(mut numbers: Vec<f64>) -> (f64, f64) {
    numbers.sort_by(f64::total_cmp);
    let at = |quarters: usize| numbers[quarters * (numbers.len() - 1) / 4];
    (at(1), at(3))
}
