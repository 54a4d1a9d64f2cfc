//! The text output of a replay.

use osculate::{Schedule, TrackingConfig, Update, Verdict};
use osculate_lab::replay::format::{Report, Summary};
use osculate_lab::replay::json::verdict;
use osculate_lab::replay::prequential::Prequential;
use osculate_lab::replay::{Arith, Config, Job, Rule, Targets};

/// The parameters in use, defaults included.
pub(super) fn parameters(config: &Config) -> String {
    if let (Rule::Tracking, Ok(learner)) = (config.rule, config.tracking()) {
        let TrackingConfig { gamma, lambda, gain, least_gain, every, .. } = learner;
        let lambda = if gamma > 0.0 { format!(", lambda {lambda}") } else { String::new() };
        return format!("tracking, gain {gain} to {least_gain}, every {every} rows{lambda}, gamma {gamma}");
    }
    let rule = config.rule.name();
    let (schedule, beta, skip) = match (config.stored(), config.streaming()) {
        (Ok(own), _) => (own.schedule, own.beta, own.skip_below),
        (_, Ok(own)) => (own.schedule, own.beta, 0.0),
        _ => return rule.into(),
    };
    let eta = match schedule {
        Schedule::Harmonic => "1/k".into(),
        Schedule::ThreeQuarters => "k^-3/4".into(),
        Schedule::Constant(gain) => format!("{gain}"),
        other => format!("{other:?}"),
    };
    let targets = match config.targets {
        Targets::MonteCarlo => "Monte Carlo",
        Targets::OneStep => "one-step",
    };
    format!("{rule}, eta {eta}, beta {beta}, gamma {}, skip below {skip}, {targets} targets", config.gamma)
}

/// Prints the first and last reports, every power of two between them, and a summary of all.
pub(super) fn episodes(rule: Rule, reports: &[Report]) {
    let [count, step, error] = if rule.is_episodic() { ["k", "theta", "|g|"] } else { ["all rows", "gain", "error"] };
    println!("\n episode {count:>8}   rows  dropped {step:>11} {error:>11}");
    let mut last = 0;
    for (index, report) in reports.iter().enumerate() {
        let number = index + 1;
        if number > 8 && number + 4 <= reports.len() && !number.is_power_of_two() {
            continue;
        }
        if number > last + 1 {
            println!("     ...");
        }
        last = number;
        let (count, remark) = match report {
            Report::Update(Update { k, verdict: Verdict::Stepped, .. }) => (*k, String::new()),
            Report::Update(update) => (update.k, verdict(update.verdict)),
            Report::Tracking(report) => (report.all_rows, if report.rows > 0 { "" } else { "empty" }.into()),
        };
        let Summary { rows, dropped, step, error, .. } = report.summary();
        println!("{number:>8} {count:>8} {rows:>6} {dropped:>8} {step:>11.4e} {error:>11.4e}  {remark}");
    }
    let sum = |part: fn(Summary) -> u32| reports.iter().map(|report| u64::from(part(report.summary()))).sum::<u64>();
    let (dropped, saturated) = (sum(|all| all.dropped), sum(|all| all.saturated));
    let lost = format!("{dropped} steps dropped; {saturated} numbers saturated");
    if !rule.is_episodic() {
        return println!("\n{} rows in {} episodes; {lost}", sum(|all| all.rows), reports.len());
    }
    let count = |wanted: Verdict| {
        reports.iter().filter(|report| matches!(report, Report::Update(update) if update.verdict == wanted)).count()
    };
    println!(
        "\n{} updates: {} stepped, {} skipped, {} empty, {} out of range; {lost}",
        reports.len(),
        count(Verdict::Stepped),
        count(Verdict::Skipped),
        count(Verdict::Empty),
        count(Verdict::Overflow),
    );
}

/// Prints the weights or their average.
pub(super) fn weights(name: &str, arith: Arith, bits: &[u64]) {
    const MOST: usize = 32;
    println!("\n{name}");
    let weights: Vec<f64> = bits.iter().take(MOST).map(|bits| arith.weight(*bits)).collect();
    let near_one = weights.iter().all(|w| *w == 0.0 || (1e-3..1e4).contains(&w.abs()));
    let text = |w: &f64| if near_one { format!(" {w:>12.6}") } else { format!(" {w:>12.4e}") };
    for line in weights.chunks(8) {
        println!("{}", line.iter().map(text).collect::<String>());
    }
    if bits.len() > MOST {
        println!("  and {} more: `--json OUT` writes all", bits.len() - MOST);
    }
}

/// How well it learned, in a sentence.
pub(super) fn learned(job: &Job<'_>, prequential: &Prequential) -> String {
    /// With fewer rows than this, the fraction of the variance is chance.
    const FEW: usize = 8;
    let Prequential { rows, mse, mean, earlier, .. } = *prequential;
    if rows == 0 {
        return "no row was learned from, so there is nothing to say about how well it learned".into();
    }
    let error = format!("mean squared error {mse:.3e}");
    if job.trace.episodes() == 1 && job.config.rule.is_episodic() {
        return format!("there is only one episode, predicted before anything was learned: {error}");
    }
    if rows < FEW {
        return format!("{rows} rows are too few to say how well it learned: {error}");
    }
    let returns = match job.config.targets {
        Targets::MonteCarlo => "",
        Targets::OneStep => "; returns are Monte Carlo's, also where one-step targets are learned",
    };
    let which =
        format!("(rows {} to {}, each predicted before it was learned from{returns})", earlier + 1, earlier + rows);
    match prequential.explained() {
        None => format!("every return is {mean}: {error} {which}"),
        Some(share) if share <= 0.0 => {
            let times = format!("{:.2} times the returns' variance", 1.0 - share);
            format!("explained nothing: the mean squared error is {times} {which}; try another rule or other features")
        }
        Some(share) => {
            // Rounded down near the top: only a perfect result may read 100 %.
            let percent = if share > 0.99 { (share * 1000.0).floor() / 10.0 } else { (share * 100.0).round() };
            format!("explained {percent} % of the returns' variance {which}")
        }
    }
}
