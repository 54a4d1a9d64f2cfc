//! What the tables say, in a few lines.

use osculate_host_tests::rivals::{Line, Report, quartiles};

/// The rules that are compared with RLS.
const CLAIMED: [&str; 4] = ["predictable", "streaming", "tracking", "tracking(0)"];

/// What a row costs, by rule: n features, s steps and r first visits per episode.
pub(crate) fn costs(reports: &[Report], markdown: bool) {
    let Some(report) = reports.iter().find(|report| !report.problem.is_rows()) else { return };
    let line = |a: &str, b: &str, c: &str| {
        if markdown { println!("| {a} | {b} | {c} |") } else { println!("  {a:<14} {b:<28} {c}") }
    };
    println!(
        "{}multiply-accumulates per row: n features, s steps and r first visits per episode\n",
        if markdown { "### " } else { "" }
    );
    line("rule", "per row", "setting");
    if markdown {
        line("---", "---", "---");
    }
    for one in report.lines.iter().filter(|line| !line.name.ends_with("q28")) {
        let names: Vec<&str> = one.setting.iter().map(|(name, _)| *name).collect();
        let setting = if one.ours { "nothing to set".into() } else { names.join(", ") };
        line(one.name.trim_end_matches(" f64"), one.formula, &setting);
    }
    println!();
}

/// How a rule compares with a rival.
fn against(rival: &Line, own: &Line) -> String {
    let pairs: Vec<f64> = own.last.iter().zip(&rival.last).map(|(own, rival)| own / rival).collect();
    let (low, high) = quartiles(pairs);
    format!(
        "{:<16} {:.2} times its error (seed by seed {low:.2} to {high:.2}) at 1/{:.1} of its MACs",
        own.name,
        own.errors[2] / rival.errors[2],
        rival.cost.macs / own.cost.macs,
    )
}

/// Prints them.
pub(crate) fn print(reports: &[Report]) {
    if let Some(mdp) = reports.iter().find(|report| report.problem.name == "random MDP") {
        for rival in ["RLS", "LSTD(lambda)"].iter().filter_map(|name| mdp.line(name)) {
            let (name, [.., error], macs) = (&rival.name, rival.errors, rival.cost.macs);
            let n = mdp.problem.n;
            println!("{name} on the random MDP, n = {n}, after 1000 episodes: {error:.3}, {macs:.0} MACs per row");
            for rule in CLAIMED.iter().flat_map(|rule| ["f64", "q28"].map(|arithmetic| format!("{rule} {arithmetic}")))
            {
                mdp.line(&rule).iter().for_each(|own| println!("  {}", against(rival, own)));
            }
            println!();
        }
        if let (Some(floor), Some(own), Some(rls)) = (mdp.floor, mdp.line("predictable q28"), mdp.line("RLS")) {
            let above = |line: &Line| (line.errors[2].powi(2) - floor * floor).max(0.0).sqrt();
            let times = above(own) / above(rls);
            println!(
                "without what no w can explain ({floor:.3}), predictable q28 has {times:.2} times the error of RLS\n"
            );
        }
    }
    println!("after 1000 episodes, the best rule of the library in q28, and the rivals that are better:");
    for report in reports {
        let ours = report.lines.iter().filter(|line| line.name.ends_with("q28"));
        let Some(best) = ours.min_by(|a, b| a.errors[2].total_cmp(&b.errors[2])) else { continue };
        let rivals = report.lines.iter().filter(|line| !line.ours && line.errors[2] < best.errors[2]);
        let better: Vec<&str> = rivals.map(|line| line.name.as_str()).collect();
        let better = if better.is_empty() { "none".into() } else { better.join("; ") };
        println!("  {}: {} {:.4}; better: {better}", report.problem.name, best.name, best.errors[2]);
    }
}
