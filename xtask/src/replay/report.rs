//! What a replay shows to people.

use std::fmt::Display;

use anyhow::Result;
use osculate::{Schedule, Verdict};
use osculate_host_tests::replay::format::Update;
use osculate_host_tests::replay::json::verdict;
use osculate_host_tests::replay::{Arith, Config, Replayed, Rule, Targets};

/// The parameters that are learned with, defaults included.
pub(super) fn parameters(arith: Arith, config: &Config) -> Result<String> {
    if arith == Arith::F64 { parameters_in::<f64>(config) } else { parameters_in::<f32>(config) }
}

fn parameters_in<A: Replayed<Scalar: Display>>(config: &Config) -> Result<String> {
    let learner = config.learner::<A>()?;
    let rule = match config.rule {
        Rule::Paper => "paper",
        Rule::Predictable => "predictable",
        Rule::Streaming => "streaming",
        Rule::Plain => "plain",
    };
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
    let (beta, gamma, skip) = (learner.beta, A::scalar(config.gamma), learner.skip_below);
    Ok(format!("{rule}, eta {eta}, beta {beta}, gamma {gamma}, skip below {skip}, {targets} targets"))
}

/// The first and the last updates, every power of two between them, and what became of all.
pub(super) fn updates(arith: Arith, updates: &[Update]) {
    println!("\n  update      k   rows  dropped       theta         |g|");
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
        let Update { k, tau, dropped, .. } = update;
        let (theta, g_norm) = (arith.scalar(update.theta), arith.scalar(update.g_norm));
        let remark = if update.verdict == Verdict::Stepped { "" } else { verdict(update.verdict) };
        println!("{number:>8} {k:>6} {tau:>6} {dropped:>8} {theta:>11.4e} {g_norm:>11.4e}  {remark}");
    }
    let count = |wanted: Verdict| updates.iter().filter(|update| update.verdict == wanted).count();
    let sum = |part: fn(&Update) -> u32| updates.iter().map(|update| u64::from(part(update))).sum::<u64>();
    println!(
        "\n{} updates: {} stepped, {} skipped, {} empty, {} out of range; {} steps dropped; {} numbers cut to the range",
        updates.len(),
        count(Verdict::Stepped),
        count(Verdict::Skipped),
        count(Verdict::Empty),
        count(Verdict::Overflow),
        sum(|update| update.dropped),
        sum(|update| update.saturated),
    );
}

/// Weights or their average.
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
