//! Rivals are tuned on some seeds; all contenders are then compared on others.

use std::ops::Range;

use osculate_lab::numbers::{median, quartiles};
use serde::Serialize;

use crate::contender::Contender;
use crate::jobs;
use crate::worlds::Problem;

/// Rivals are tuned on these seeds; what is shown comes from the seeds from 0 on.
pub const TUNING_SEEDS: Range<u64> = 1_000..1_004;

/// The parameters of a rule, in the order of their names.
pub type Setting = Vec<f64>;

/// How long the episodes of a problem are.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Lengths {
    /// Steps per episode, the mean.
    pub steps: f64,
    /// First visits per episode, the mean: what Monte Carlo rules call rows.
    pub rows: f64,
    /// Steps of the longest episode: what a log must have room for.
    pub longest: usize,
}

/// Makes a new learner with a setting.
pub(crate) type Make = Box<dyn Fn(&[f64]) -> Box<dyn Contender> + Send + Sync>;

/// A rule with the settings to choose from, and what it costs. Derived, rule by rule, from what its update computes.
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Whether it is the library's: nothing to tune.
    pub(crate) ours: bool,
    /// The names of its parameters.
    pub(crate) parameters: &'static [&'static str],
    /// The settings that are tried.
    pub grid: Vec<Setting>,
    pub(crate) make: Make,
    /// Its multiply-accumulates per row: n features, and s steps with r first visits per episode.
    pub(crate) formula: &'static str,
    /// The same as a number: an addition and a product at most; roots, divisions and exponentials are not in it.
    pub(crate) macs: f64,
    /// What it remembers, in words of 32 bits.
    pub(crate) words: f64,
}

impl Entry {
    /// Its name, parameters, settings, cost (formula, MACs, words), and who makes it.
    pub(crate) fn new(
        name: impl Into<String>,
        parameters: &'static [&'static str],
        grid: Vec<Setting>,
        (formula, macs, words): (&'static str, f64, f64),
        make: Make,
    ) -> Self {
        Self { name: name.into(), ours: false, parameters, grid, make, formula, macs, words }
    }

    /// One whose cost is not asked for.
    pub(crate) fn free(name: &str, grid: Vec<Setting>, make: Make) -> Self {
        Self::new(name, &["setting"], grid, ("", 0.0, 0.0), make)
    }
}

/// One line of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The rule.
    #[serde(rename = "rule")]
    pub name: String,
    /// Whether it is the library's.
    pub ours: bool,
    /// Its parameters, by name.
    pub setting: Vec<(&'static str, f64)>,
    /// The medians over the seeds of the errors at the checkpoints.
    pub errors: Vec<f64>,
    /// The errors at the last checkpoint, by seed.
    pub by_seed: Vec<f64>,
    /// The quartiles of these.
    pub quartiles: (f64, f64),
    /// Its multiply-accumulates per row.
    #[serde(rename = "macs_per_row")]
    pub macs: f64,
    /// What it remembers.
    pub words: f64,
    /// The formula of its multiply-accumulates.
    pub formula: &'static str,
    /// The median error at the last checkpoint for every setting, on the tuning seeds.
    pub curve: Vec<(Setting, f64)>,
    /// How many numbers saturated, in all runs.
    pub saturated: u32,
}

/// One table.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The problem.
    #[serde(flatten)]
    pub problem: Problem,
    /// How many seeds it comes from: 0, 1, 2, …
    pub seeds: u64,
    /// The lines.
    #[serde(rename = "rules")]
    pub lines: Vec<Line>,
    /// The lengths of its episodes.
    #[serde(flatten)]
    pub lengths: Lengths,
    /// The least error that any w could have, the median over the seeds, where it is known.
    pub floor: Option<f64>,
}

impl Report {
    /// The line of a rule.
    pub fn line(&self, name: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.name == name)
    }

    /// The error of a rule at the last checkpoint.
    ///
    /// # Panics
    /// If it did not take part.
    pub fn error(&self, rule: &str) -> f64 {
        let line = self.line(rule).unwrap_or_else(|| panic!("no {rule} in {}", self.problem.name));
        line.errors[line.errors.len() - 1]
    }
}

/// Who takes part in a problem, with costs for episodes of these lengths.
pub type Roster = fn(&Problem, Lengths) -> Vec<Entry>;

/// Errors at the checkpoints, by contender and setting, on one seed.
type Trial = Vec<Vec<Vec<f64>>>;

/// The tables of problems, from the seeds 0, 1, 2, …: tunes on all cores, then compares on all cores.
pub fn compare(tasks: &[(Problem, Roster)], seeds: u64) -> Vec<Report> {
    let trials = jobs::all("tuning the rivals", &pairs(tasks, TUNING_SEEDS), |((problem, roster), seed)| -> Trial {
        let data = problem.data(*seed);
        let all = roster(problem, Lengths::default());
        all.iter().map(|one| one.grid.iter().map(|s| data.errors(&mut *(one.make)(s))).collect()).collect()
    });
    let trials: Vec<&[Trial]> = trials.chunks(TUNING_SEEDS.count()).collect();
    let chosen: Vec<Vec<usize>> = tasks.iter().zip(&trials).map(|(task, trials)| tune(task, trials)).collect();
    let mut reports = show(tasks, &chosen, seeds);
    for (report, trials) in reports.iter_mut().zip(&trials) {
        for (i, line) in report.lines.iter_mut().enumerate() {
            let error =
                |setting: usize| median(trials.iter().map(|trial| last(&trial[i][setting])).collect::<Vec<_>>());
            line.curve.iter_mut().enumerate().for_each(|(setting, point)| point.1 = error(setting));
        }
    }
    reports
}

fn pairs(tasks: &[(Problem, Roster)], seeds: Range<u64>) -> Vec<((Problem, Roster), u64)> {
    tasks.iter().flat_map(|task| seeds.clone().map(|seed| (task.clone(), seed))).collect()
}

fn last(errors: &[f64]) -> f64 {
    errors[errors.len() - 1]
}

/// The setting with the least median error at the last checkpoint, by contender; where there are earlier ones, that which
/// was best on the way among those within 1 % of it.
fn tune((problem, roster): &(Problem, Roster), trials: &[Trial]) -> Vec<usize> {
    let chosen = |(i, one): (usize, Entry)| {
        let error = |setting: usize, checkpoint: usize| {
            median(trials.iter().map(|trial| trial[i][setting][checkpoint]).collect::<Vec<_>>())
        };
        let (settings, last) = (0..one.grid.len(), trials[0][i][0].len() - 1);
        let least = settings.clone().map(|setting| error(setting, last)).fold(f64::INFINITY, f64::min);
        let most = if last == 0 { least } else { 1.01 * least };
        let close = settings.filter(|setting| error(*setting, last) <= most);
        let before = |setting: usize| (0..last).map(|checkpoint| error(setting, checkpoint)).product::<f64>();
        close.min_by(|a, b| before(*a).total_cmp(&before(*b))).unwrap_or(0)
    };
    roster(problem, Lengths::default()).into_iter().enumerate().map(chosen).collect()
}

/// The tables with settings that were chosen before, by task and contender.
pub fn show(tasks: &[(Problem, Roster)], chosen: &[Vec<usize>], seeds: u64) -> Vec<Report> {
    let jobs: Vec<_> = tasks.iter().zip(chosen).flat_map(|task| (0..seeds).map(move |seed| (task, seed))).collect();
    let outcomes = jobs::all("comparing on other seeds", &jobs, |(((problem, roster), chosen), seed)| {
        let data = problem.data(*seed);
        let run = |(one, &setting): (&Entry, &usize)| {
            let mut contender = (one.make)(&one.grid[setting]);
            (data.errors(&mut *contender), contender.saturated())
        };
        let all = roster(problem, Lengths::default());
        Outcome { runs: all.iter().zip(*chosen).map(run).collect(), lengths: data.lengths(), floor: data.floor() }
    });
    let outcomes = outcomes.chunks(seeds as usize);
    tasks.iter().zip(chosen).zip(outcomes).map(|((task, chosen), outcomes)| report(task, chosen, outcomes)).collect()
}

/// What all contenders reached on one seed, with one setting each.
struct Outcome {
    runs: Vec<(Vec<f64>, u32)>,
    lengths: Lengths,
    floor: Option<f64>,
}

fn report((problem, roster): &(Problem, Roster), chosen: &[usize], outcomes: &[Outcome]) -> Report {
    let count = outcomes.len() as f64;
    let lengths = Lengths {
        steps: outcomes.iter().map(|one| one.lengths.steps).sum::<f64>() / count,
        rows: outcomes.iter().map(|one| one.lengths.rows).sum::<f64>() / count,
        longest: outcomes.iter().map(|one| one.lengths.longest).max().unwrap_or(0),
    };
    let line = |(i, one): (usize, Entry)| {
        let runs = || outcomes.iter().map(move |outcome| &outcome.runs[i]);
        let errors = |checkpoint: usize| -> Vec<f64> { runs().map(|(errors, _)| errors[checkpoint]).collect() };
        let checkpoints = outcomes[0].runs[i].0.len();
        let by_seed = errors(checkpoints - 1);
        Line {
            ours: one.ours,
            setting: one.parameters.iter().copied().zip(one.grid[chosen[i]].iter().copied()).collect(),
            errors: (0..checkpoints).map(|checkpoint| median(errors(checkpoint))).collect(),
            quartiles: quartiles(by_seed.clone()),
            by_seed,
            macs: one.macs,
            words: one.words,
            formula: one.formula,
            curve: one.grid.into_iter().map(|setting| (setting, f64::NAN)).collect(),
            saturated: runs().map(|(_, saturated)| saturated).sum(),
            name: one.name,
        }
    };
    let lines = roster(problem, lengths).into_iter().enumerate().map(line).collect();
    let floors: Option<Vec<f64>> = outcomes.iter().map(|one| one.floor).collect();
    Report { problem: problem.clone(), seeds: outcomes.len() as u64, lines, lengths, floor: floors.map(median) }
}
