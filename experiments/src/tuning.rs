//! Rivals are tuned on some seeds; all contenders are then compared on others.

use std::ops::Range;

use osculate_lab::jobs;
use osculate_lab::numbers::{median, quartiles};
use serde::Serialize;

use crate::contender::Contender;
use crate::worlds::Problem;

/// Rivals are tuned on these seeds; what is shown comes from the seeds from 0 on.
pub(crate) const TUNING_SEEDS: Range<u64> = 1_000..1_004;

/// The parameters of a rule, in the order of their names.
pub(crate) type Setting = Vec<f64>;

/// How long the episodes of a problem are.
#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct Lengths {
    /// Steps per episode, the mean.
    pub(crate) steps: f64,
    /// First visits per episode, the mean: what Monte Carlo rules call rows.
    pub(crate) rows: f64,
    /// Steps of the longest episode: what a log must have room for.
    pub(crate) longest: usize,
}

/// Makes a new learner with a setting.
type Make = dyn Fn(&[f64]) -> Contender + Send + Sync;

/// A rule with the settings to choose from, and what it costs. Derived, rule by rule, from what its update computes.
#[derive(Serialize)]
pub(crate) struct Entry {
    #[serde(rename = "rule")]
    pub(crate) name: String,
    /// Whether it is the library's: nothing to tune.
    pub(crate) ours: bool,
    #[serde(skip)]
    pub(crate) parameters: &'static [&'static str],
    /// The settings that are tried.
    #[serde(skip)]
    pub(crate) grid: Vec<Setting>,
    #[serde(skip)]
    pub(crate) make: Box<Make>,
    /// Its multiply-accumulates per row: n features, and s steps with r first visits per episode.
    pub(crate) formula: String,
    /// The same as a number: an addition and a product at most; roots, divisions and exponentials are not in it.
    #[serde(rename = "macs_per_row")]
    pub(crate) macs: f64,
    /// What it remembers, in words of 32 bits.
    pub(crate) words: f64,
}

impl Entry {
    /// A rival, by its name, parameters and settings. Nobody asks what it costs.
    pub(crate) fn new(
        name: impl Into<String>,
        parameters: &'static [&'static str],
        grid: Vec<Setting>,
        make: impl Fn(&[f64]) -> Contender + Send + Sync + 'static,
    ) -> Self {
        let (name, make) = (name.into(), Box::new(make));
        Self { name, ours: false, parameters, grid, make, formula: String::new(), macs: 0.0, words: 0.0 }
    }

    /// One without anything to choose.
    pub(crate) fn fixed(name: impl Into<String>, make: impl Fn() -> Contender + Send + Sync + 'static) -> Self {
        Self::new(name, &[], vec![Vec::new()], move |_| make())
    }

    /// With costs in multiples of n² and n: multiply-accumulates, what comes on top of them, and words beside those of a log.
    pub(crate) fn costs(self, n: usize, macs: [f64; 2], more: &str, words: [f64; 2]) -> Self {
        let n = n as f64;
        let number = |[square, linear]: [f64; 2]| square * n * n + linear * n;
        let square = if macs[0] == 0.0 { String::new() } else { format!("{}n^2 + ", macs[0]) };
        let formula = format!("{square}{}n{more}", macs[1]);
        Self { formula, macs: number(macs), words: number(words) + self.words, ..self }
    }
}

/// One line of a table.
#[derive(Serialize)]
pub(crate) struct Line {
    #[serde(flatten)]
    pub(crate) rule: Entry,
    /// The parameters that were chosen, by name.
    pub(crate) setting: Vec<(&'static str, f64)>,
    /// The medians over the seeds of the errors at the checkpoints.
    pub(crate) errors: Vec<f64>,
    /// The errors at the last checkpoint, and their quartiles.
    pub(crate) by_seed: Vec<f64>,
    pub(crate) quartiles: (f64, f64),
    /// The median error at the last checkpoint for every setting, on the tuning seeds.
    pub(crate) curve: Vec<(Setting, f64)>,
    /// How many numbers saturated, in all runs.
    pub(crate) saturated: u32,
}

/// One table.
#[derive(Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    pub(crate) problem: Problem,
    /// How many seeds it comes from: 0, 1, 2, …
    pub(crate) seeds: u64,
    #[serde(rename = "rules")]
    pub(crate) lines: Vec<Line>,
    #[serde(flatten)]
    pub(crate) lengths: Lengths,
    /// The least error that any w could have, the median over the seeds, where it is known.
    pub(crate) floor: Option<f64>,
}

impl Line {
    /// The error at the last checkpoint.
    pub(crate) fn error(&self) -> f64 {
        self.errors[self.errors.len() - 1]
    }
}

impl Report {
    pub(crate) fn line(&self, name: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.rule.name == name)
    }

    /// The error of a rule at the last checkpoint.
    pub(crate) fn error(&self, rule: &str) -> f64 {
        self.line(rule).unwrap_or_else(|| panic!("no {rule} in {}", self.problem.name)).error()
    }
}

/// Who takes part in a problem, with costs for episodes of these lengths.
pub(crate) type Roster = fn(&Problem, Lengths) -> Vec<Entry>;
/// A problem and who takes part.
pub(crate) type Task = (Problem, Roster);

/// What happened on one seed: errors at the checkpoints and saturated numbers, by contender and setting.
struct Trial {
    runs: Vec<Vec<(Vec<f64>, u32)>>,
    lengths: Lengths,
    floor: Option<f64>,
}

/// Runs every task with every seed on all cores; which settings of a contender, by the numbers of the task and its own.
fn trials(
    what: &str,
    tasks: &[Task],
    seeds: Range<u64>,
    settings: impl Fn(usize, usize, &Entry) -> Range<usize> + Sync,
) -> Vec<Vec<Trial>> {
    let jobs: Vec<_> = (0..tasks.len()).flat_map(|task| seeds.clone().map(move |seed| (task, seed))).collect();
    let mut all = jobs::counted(what, &jobs, |&(task, seed)| {
        let (problem, roster) = &tasks[task];
        let data = problem.data(seed);
        let run = |one: &Entry, setting: usize| {
            let mut contender = (one.make)(&one.grid[setting]);
            (data.errors(&mut contender), contender.learned.saturated)
        };
        let runs = |(i, one): (usize, Entry)| settings(task, i, &one).map(|setting| run(&one, setting)).collect();
        let runs = roster(problem, Lengths::default()).into_iter().enumerate().map(runs).collect();
        Trial { runs, lengths: data.lengths(), floor: data.floor() }
    })
    .into_iter();
    tasks.iter().map(|_| all.by_ref().take(seeds.clone().count()).collect()).collect()
}

/// The median error of a contender with a setting at a checkpoint.
fn error(trials: &[Trial], contender: usize, setting: usize, checkpoint: usize) -> f64 {
    median(trials.iter().map(|trial| trial.runs[contender][setting].0[checkpoint]).collect::<Vec<_>>())
}

/// The number of the last checkpoint.
fn last(trials: &[Trial]) -> usize {
    trials[0].runs[0][0].0.len() - 1
}

/// The tables of problems, from the seeds 0, 1, 2, …: tunes, then compares.
pub(crate) fn compare(tasks: &[Task], seeds: u64) -> Vec<Report> {
    let trials = trials("worlds, tuning the rivals", tasks, TUNING_SEEDS, |_, _, one| 0..one.grid.len());
    let tuned = |trials: &Vec<Trial>| (0..trials[0].runs.len()).map(|i| tune(trials, i)).collect();
    let mut reports = show(tasks, &trials.iter().map(tuned).collect::<Vec<_>>(), seeds);
    for (report, trials) in reports.iter_mut().zip(&trials) {
        for (i, line) in report.lines.iter_mut().enumerate() {
            let points = line.curve.iter_mut().enumerate();
            points.for_each(|(setting, point)| point.1 = error(trials, i, setting, last(trials)));
        }
    }
    reports
}

/// The setting of a contender with the least median error at the last checkpoint; where there are earlier ones, that which
/// was best on the way among those within 1 % of it.
fn tune(trials: &[Trial], contender: usize) -> usize {
    let (settings, last) = (0..trials[0].runs[contender].len(), last(trials));
    let error = |setting, checkpoint| error(trials, contender, setting, checkpoint);
    let least = settings.clone().map(|setting| error(setting, last)).fold(f64::INFINITY, f64::min);
    let most = if last == 0 { least } else { 1.01 * least };
    let close = settings.filter(|setting| error(*setting, last) <= most);
    let before = |setting: usize| (0..last).map(|checkpoint| error(setting, checkpoint)).product::<f64>();
    close.min_by(|a, b| before(*a).total_cmp(&before(*b))).unwrap_or(0)
}

/// The tables with settings that were chosen before, by task and contender.
pub(crate) fn show(tasks: &[Task], chosen: &[Vec<usize>], seeds: u64) -> Vec<Report> {
    let trials =
        trials("worlds, comparing on other seeds", tasks, 0..seeds, |task, i, _| chosen[task][i]..chosen[task][i] + 1);
    tasks.iter().zip(chosen).zip(&trials).map(|((task, chosen), trials)| report(task, chosen, trials)).collect()
}

fn report((problem, roster): &Task, chosen: &[usize], trials: &[Trial]) -> Report {
    let count = trials.len() as f64;
    let lengths = Lengths {
        steps: trials.iter().map(|one| one.lengths.steps).sum::<f64>() / count,
        rows: trials.iter().map(|one| one.lengths.rows).sum::<f64>() / count,
        longest: trials.iter().map(|one| one.lengths.longest).max().unwrap_or(0),
    };
    let line = |(i, rule): (usize, Entry)| {
        let by_seed: Vec<f64> = trials.iter().map(|trial| trial.runs[i][0].0[last(trials)]).collect();
        Line {
            setting: rule.parameters.iter().copied().zip(rule.grid[chosen[i]].iter().copied()).collect(),
            errors: (0..=last(trials)).map(|checkpoint| error(trials, i, 0, checkpoint)).collect(),
            quartiles: quartiles(by_seed.clone()),
            by_seed,
            curve: rule.grid.iter().map(|setting| (setting.clone(), f64::NAN)).collect(),
            saturated: trials.iter().map(|trial| trial.runs[i][0].1).sum(),
            rule,
        }
    };
    let lines = roster(problem, lengths).into_iter().enumerate().map(line).collect();
    let floors: Option<Vec<f64>> = trials.iter().map(|one| one.floor).collect();
    Report { problem: problem.clone(), seeds: trials.len() as u64, lines, lengths, floor: floors.map(median) }
}
