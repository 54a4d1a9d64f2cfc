//! The text output of a replay.

use osculate::{Schedule, TrackingConfig, Verdict};
use osculate_lab::replay::format::Update;
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
    let (learner, rule) = (config.stored(), config.rule.name());
    let eta = match learner.schedule {
        Schedule::Harmonic => "1/k".into(),
        Schedule::ThreeQuarters => "k^-3/4".into(),
        Schedule::Constant(gain) => format!("{gain}"),
        other => format!("{other:?}"),
    };
    let targets = match config.targets {
        Targets::MonteCarlo => "Monte Carlo",
        Targets::OneStep => "one-step",
    };
    let (beta, gamma, skip) = (learner.beta, learner.gamma, learner.skip_below);
    format!("{rule}, eta {eta}, beta {beta}, gamma {gamma}, skip below {skip}, {targets} targets")
}

/// Prints the first and last updates, every power of two between them, and a summary of all.
pub(super) fn updates(rule: Rule, updates: &[Update]) {
    let [step, error] = if rule.is_episodic() { ["theta", "|g|"] } else { ["gain", "error"] };
    println!("\n  update      k   rows  dropped {step:>11} {error:>11}");
    let mut last = 0;
    for (index, update) in updates.iter().enumerate() {
        let number = index + 1;
        if number > 8 && number + 4 <= updates.len() && !number.is_power_of_two() {
            continue;
        }
        if number > last + 1 {
            println!("     ...");
        }
        last = number;
        let Update { k, tau, dropped, theta, g_norm, .. } = update;
        let remark = if update.verdict == Verdict::Stepped { "" } else { verdict(update.verdict) };
        println!("{number:>8} {k:>6} {tau:>6} {dropped:>8} {theta:>11.4e} {g_norm:>11.4e}  {remark}");
    }
    let count = |wanted: Verdict| updates.iter().filter(|update| update.verdict == wanted).count();
    let sum = |part: fn(&Update) -> u32| updates.iter().map(|update| u64::from(part(update))).sum::<u64>();
    println!(
        "\n{} updates: {} stepped, {} skipped, {} empty, {} out of range; {} steps dropped; {} numbers saturated",
        updates.len(),
        count(Verdict::Stepped),
        count(Verdict::Skipped),
        count(Verdict::Empty),
        count(Verdict::Overflow),
        sum(|update| update.dropped),
        sum(|update| update.saturated),
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
