//! What the tables say, in a few lines.

use std::fmt::Write;

use osculate_lab::numbers::quartiles;

use crate::tuning::{Line, Report};

/// The rules that are compared with least squares.
const CLAIMED: [&str; 4] = ["predictable", "streaming", "tracking", "tracking(0)"];

/// How a rule compares with a rival.
fn against(rival: &Line, own: &Line) -> String {
    let pairs: Vec<f64> = own.by_seed.iter().zip(&rival.by_seed).map(|(own, rival)| own / rival).collect();
    let (low, high) = quartiles(pairs);
    format!(
        "{:<16} {:.2} times its error (seed by seed {low:.2} to {high:.2}) at 1/{:.1} of its MACs",
        own.name,
        own.errors[2] / rival.errors[2],
        rival.macs / own.macs,
    )
}

/// The library's rules against RLS and LSTD on the random MDP, if that is among the tables.
pub fn against_least_squares(reports: &[Report]) -> String {
    let mut text = String::new();
    let Some(mdp) = reports.iter().find(|report| report.problem.name == "random MDP") else { return text };
    for rival in ["RLS", "LSTD(lambda)"].iter().filter_map(|name| mdp.line(name)) {
        let (name, error, macs) = (&rival.name, rival.errors[2], rival.macs);
        let n = mdp.problem.n;
        _ = writeln!(
            text,
            "{name} on the random MDP, n = {n}, after 1000 episodes: {error:.3}, {macs:.0} MACs per row"
        );
        for rule in CLAIMED.iter().flat_map(|rule| ["f64", "q28"].map(|arithmetic| format!("{rule} {arithmetic}"))) {
            mdp.line(&rule).iter().for_each(|own| _ = writeln!(text, "  {}", against(rival, own)));
        }
        text.push('\n');
    }
    if let (Some(floor), Some(own), Some(rls)) = (mdp.floor, mdp.line("predictable q28"), mdp.line("RLS")) {
        let above = |line: &Line| (line.errors[2].powi(2) - floor * floor).max(0.0).sqrt();
        let times = above(own) / above(rls);
        _ = writeln!(
            text,
            "without what no w can explain ({floor:.3}), predictable q28 has {times:.2} times the error of RLS\n"
        );
    }
    text
}

/// By problem, the library's best rule and the rivals that are better.
pub fn losses(reports: &[Report]) -> String {
    let mut text =
        String::from("after 1000 episodes, the best rule of the library in q28, and the rivals that are better:\n");
    for report in reports {
        let ours = report.lines.iter().filter(|line| line.name.ends_with("q28"));
        let Some(best) = ours.min_by(|a, b| a.errors[2].total_cmp(&b.errors[2])) else { continue };
        let rivals = report.lines.iter().filter(|line| !line.ours && line.errors[2] < best.errors[2]);
        let better: Vec<&str> = rivals.map(|line| line.name.as_str()).collect();
        let better = if better.is_empty() { "none".into() } else { better.join("; ") };
        _ = writeln!(text, "  {}: {} {:.4}; better: {better}", report.problem.name, best.name, best.errors[2]);
    }
    text
}
