//! `tracking` with its defaults against filters that are tuned for each case, in worlds that stay, drift or jump.

use osculate::{Predictor, Tracking, TrackingConfig};
use osculate_lab::numbers::median;
use osculate_lab::text_table::Table;

use crate::jobs;
use crate::rules::{self, ARITHMETICS};
use crate::tuning::{self, Report, Roster};
use crate::worlds::{CASES, Case, Problem, ROWS, Rows};

/// The numbers of features.
pub const SIZES: [usize; 3] = [4, 10, 32];

/// The comparison with NLMS and RLS for these numbers of features, in every case: excess mean squared errors in units of the
/// noise's present variance.
pub fn rows(sizes: &[usize], seeds: u64) -> Vec<Report> {
    let task = |n: usize| CASES.map(|case| (Problem::stream(case, n), rules::filters as Roster));
    tuning::compare(&sizes.iter().flat_map(|n| task(*n)).collect::<Vec<_>>(), seeds)
}

/// The comparison with TD on a ring, for some of the first five cases: errors of the values, in the same units.
pub fn ring(cases: &[usize], seeds: u64) -> Vec<Report> {
    let task = |case: &usize| (Problem::ring(CASES[*case]), rules::bootstrapping as Roster);
    tuning::compare(&cases.iter().map(task).collect::<Vec<_>>(), seeds)
}

/// The error of `tracking` with columns in units from 10^-3 to 10^3: as they are, and with the online scaler.
pub fn units(seeds: u64) -> Vec<Report> {
    let task = |n| Problem::stream(CASES[0], n).columns();
    let tasks = [
        (task(4), rules::scaled::<4> as Roster),
        (task(10), rules::scaled::<10> as Roster),
        (task(32), rules::scaled::<32> as Roster),
    ];
    tuning::compare(&tasks, seeds)
}

/// How far the errors in an arithmetic are from those in f64: the median of error/error − 1 over the seeds, each with
/// itself, since seeds differ by more than arithmetics do.
pub fn apart(report: &Report, arithmetic: usize) -> f64 {
    let pairs = report.lines[arithmetic].by_seed.iter().zip(&report.lines[0].by_seed);
    median(pairs.map(|(error, exact)| error / exact).collect::<Vec<_>>()) - 1.0
}

/// Shares of the rows whose band of 95 % held, over all seeds.
#[derive(Clone, Copy, Debug)]
pub struct Coverage {
    /// The number of features.
    n: usize,
    /// The case.
    pub case: &'static str,
    /// The band for the next target.
    pub target: f64,
    /// The band for its mean.
    pub mean: f64,
}

/// Counts over the last ¾ of the rows of every seed, in f32, in every case.
pub fn coverage<const N: usize>(seeds: u64) -> Vec<Coverage> {
    jobs::all("bands", &CASES, |(case, name)| covered::<N>(*case, name, seeds))
}

fn covered<const N: usize>(case: Case, name: &'static str, seeds: u64) -> Coverage {
    let config = TrackingConfig { gamma: 0.0, ..TrackingConfig::DEFAULT };
    let (mut all, mut target, mut mean) = (0_u32, 0_u32, 0_u32);
    for seed in 0..seeds {
        let mut predictor = Predictor::new(Tracking::<f32, N>::new(config));
        for sample in Rows::new(case, N, seed) {
            let phi: &[f32; N] = (*sample.phi).try_into().expect("as many features as weights");
            if sample.counts {
                let value = predictor.value(phi).expect("a usable row");
                let band = predictor.band(phi).expect("a usable row").expect("rows were learned before");
                all += 1;
                target += u32::from((sample.target - value).abs() <= band.next);
                mean += u32::from((sample.mean - f64::from(value)).abs() <= f64::from(band.mean));
            }
            predictor.learn(sample.target, phi).expect("a usable row");
        }
    }
    let share = |held: u32| f64::from(held) / f64::from(all);
    Coverage { n: N, case: name, target: share(target), mean: share(mean) }
}

/// Prints the tables and the verdict.
pub fn run(seeds: u64) {
    let (rows, rings, units) = (rows(&SIZES, seeds), ring(&[0, 1, 2, 3, 4], seeds), units(seeds));
    let bands = [coverage::<4>(seeds), coverage::<10>(seeds), coverage::<32>(seeds)];
    println!(
        "Excess mean squared error in units of the noise's variance, last 3/4 of {ROWS} rows, median of {seeds} seeds."
    );
    println!("tracking has its defaults everywhere; NLMS and RLS are tuned for every single number, on other seeds.");
    for of_size in rows.chunks(CASES.len()) {
        println!("\n{}", table(format!("n = {}", of_size[0].problem.n), of_size, &["NLMS", "RLS"]).text());
    }
    println!(
        "A walk on a ring, gamma = 0.9, lambda = 0.8, 25 states, 10 features: error of the values, the same units.\n"
    );
    println!("{}", table(String::new(), &rings, &["TD"]).text());

    println!("Columns in units from 10^-3 to 10^3, stationary, f32.\n");
    let mut table = Table::new("lrrr", ["", "known factors", "unscaled", "scaled"]);
    for (report, known) in units.iter().zip(rows.chunks(CASES.len())) {
        let errors = [known[0].error("f32"), report.error("unscaled"), report.error("scaled")];
        table.row([format!("n = {}", report.problem.n)].into_iter().chain(errors.map(error)));
    }
    println!("{}", table.text());

    println!("Share of the rows within the bands of 95 %, f32: the next target / its mean.\n");
    let mut table = Table::new("lrrrrrrrr", [""].into_iter().chain(CASES.map(|(_, name)| name)));
    for of_size in &bands {
        let held = of_size.iter().map(|band| format!("{:.3}/{:.3}", band.target, band.mean));
        table.row([format!("n = {}", of_size[0].n)].into_iter().chain(held));
    }
    println!("{}", table.text());
    verdict(&rows, &rings);
}

fn error(error: f64) -> String {
    if error < 0.1 { format!("{error:.5}") } else { format!("{error:.4}") }
}

/// A column for each report, and lines for `tracking` and for its rivals.
fn table(title: String, reports: &[Report], rivals: &[&str]) -> Table {
    let aligns = &"lrrrrrrrr"[..=reports.len()];
    let mut table = Table::new(aligns, [title].into_iter().chain(reports.iter().map(|one| one.problem.name.into())));
    let mut line = |name: String, cell: &dyn Fn(&Report) -> String| {
        table.row([name].into_iter().chain(reports.iter().map(cell)));
    };
    for arithmetic in ARITHMETICS {
        line(format!("tracking, {arithmetic}"), &|report| error(report.error(arithmetic)));
    }
    for rival in rivals {
        line(format!("{rival}, tuned"), &|report| error(report.error(rival)));
        line("  its setting".into(), &|report| {
            report.line(rival).map_or(String::new(), |line| line.setting[0].1.to_string())
        });
    }
    line(format!("tracking / {}", rivals[0]), &|report| {
        format!("{:.2}", report.error("f64") / report.error(rivals[0]))
    });
    table
}

fn verdict(rows: &[Report], rings: &[Report]) {
    let ratio = |report: &Report| report.error("f64") / report.error("NLMS");
    let Some(worst) = rows.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b))) else { return };
    let below = rows.iter().filter(|report| ratio(report) < 1.0).count();
    let (name, n) = (worst.problem.name, worst.problem.n);
    println!("worst against the tuned NLMS: {:.2} times ({name}, n = {n})", ratio(worst));
    println!("below the tuned NLMS: {below} of {} cells", rows.len());
    let below = rings.iter().filter(|report| report.error("f64") < report.error("TD")).count();
    println!("below the tuned TD: {below} of {} cells", rings.len());
    for (i, arithmetic) in ARITHMETICS.iter().enumerate().skip(1) {
        let far = |report: &Report| apart(report, i).abs();
        let Some(farthest) = rows.iter().max_by(|a, b| far(a).total_cmp(&far(b))) else { return };
        let (name, n) = (farthest.problem.name, farthest.problem.n);
        let percent = 100.0 * far(farthest);
        println!("{arithmetic} against f64, seed by seed: {percent:.2} % apart at most ({name}, n = {n})");
        for report in rows.iter().filter(|report| report.lines[i].saturated > 0) {
            let (name, n) = (report.problem.name, report.problem.n);
            println!("  {} numbers saturated ({name}, n = {n})", report.lines[i].saturated);
        }
    }
}
