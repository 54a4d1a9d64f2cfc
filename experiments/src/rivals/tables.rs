//! The tables as they are printed, for a terminal and for documents, and what they say in a few lines.

use std::fmt::Write;

use osculate_lab::numbers::quartiles;
use osculate_lab::text_table::Table;

use crate::tuning::{Line, Report, TUNING_SEEDS};

/// Three digits, or what has become of it.
fn number(error: f64) -> String {
    match error {
        error if !error.is_finite() || error > 1e4 => "diverges".into(),
        error if error < 0.01 => format!("{error:.5}"),
        error if error < 1.0 => format!("{error:.3}"),
        error if error < 10.0 => format!("{error:.2}"),
        error => format!("{error:.0}"),
    }
}

fn setting(line: &Line) -> String {
    match line.rule.name.split(' ').next() {
        // Not to be better, but to be cheaper.
        Some("predictable") => "c every 8th".into(),
        Some("tracking(0)") => "lambda 0".into(),
        _ if line.rule.ours => "defaults".into(),
        _ => plain(&Vec::from_iter(line.setting.iter().map(|(_, value)| *value))),
    }
}

/// 0.001 and 1e-6, as people write them.
pub(super) fn plain(setting: &[f64]) -> String {
    let value = |value: &f64| {
        if (1e-3..1e5).contains(value) || *value == 0.0 { format!("{value}") } else { format!("{value:e}") }
    };
    setting.iter().map(value).collect::<Vec<_>>().join(", ")
}

fn table(report: &Report) -> Table {
    let columns = if report.problem.is_prequential() { ["1-10", "-100", "-1000"] } else { ["10", "100", "1000"] };
    let [a, b, c] = columns;
    let mut table = Table::new("llrrrlrr", ["rule", "setting", a, b, c, "quartiles", "MAC/row", "words"]);
    for line in &report.lines {
        let (low, high) = line.quartiles;
        let mut cells = vec![line.rule.name.clone(), setting(line)];
        cells.extend(line.errors.iter().copied().map(number));
        cells.push(format!("{} to {}", number(low), number(high)));
        cells.extend([line.rule.macs, line.rule.words].map(|number| format!("{number:.0}")));
        table.row(cells);
    }
    table
}

/// What the numbers of a table are.
fn about(report: &Report) -> [String; 3] {
    let Report { problem, lengths, .. } = report;
    let measure = if problem.is_prequential() {
        "relative error of the values of the rows to come, over these episodes"
    } else {
        "relative error of the values after this many episodes"
    };
    let floor = report.floor.filter(|floor| *floor > 1e-6).map(|floor| format!("; no w has less than {floor:.3}"));
    [
        format!("n = {}: {}", problem.n, problem.about),
        measure.to_owned() + &floor.unwrap_or_default(),
        format!(
            "{:.1} steps and {:.1} first visits per episode, at most {} steps; medians of the seeds 0 to {}, tuned on {} to {}",
            lengths.steps,
            lengths.rows,
            lengths.longest,
            report.seeds - 1,
            TUNING_SEEDS.start,
            TUNING_SEEDS.end - 1
        ),
    ]
}

/// A table below its title, for a document or for a terminal.
pub(super) fn titled(title: &str, table: &Table, markdown: bool) -> String {
    if markdown { format!("### {title}\n\n{}", table.markdown()) } else { format!("{title}\n\n{}", table.text()) }
}

/// A whole table.
pub(crate) fn told(report: &Report, markdown: bool) -> String {
    let name = report.problem.name;
    let title = if markdown {
        format!("{name}\n\n{}.", about(report).join(".\n"))
    } else {
        format!("{name}\n  {}", about(report).join("\n  "))
    };
    titled(&title, &table(report), markdown)
}

/// What a row costs, by rule: n features, s steps and r first visits per episode.
pub(crate) fn costs(reports: &[Report], markdown: bool) -> String {
    let Some(report) = reports.iter().find(|report| !report.problem.is_rows()) else { return String::new() };
    let mut table = Table::new("lll", ["rule", "per row", "setting"]);
    for one in report.lines.iter().filter(|line| !line.rule.name.ends_with("q28")) {
        let names: Vec<&str> = one.setting.iter().map(|(name, _)| *name).collect();
        let setting = if one.rule.ours { "nothing to set".into() } else { names.join(", ") };
        table.row([one.rule.name.trim_end_matches(" f64"), &one.rule.formula, &setting]);
    }
    let title = "multiply-accumulates per row: n features, s steps and r first visits per episode";
    titled(title, &table, markdown) + "\n"
}

/// The rules that are compared with least squares.
const CLAIMED: [&str; 4] = ["predictable", "streaming", "tracking", "tracking(0)"];

/// How a rule compares with a rival.
fn against(rival: &Line, own: &Line) -> String {
    let pairs: Vec<f64> = own.by_seed.iter().zip(&rival.by_seed).map(|(own, rival)| own / rival).collect();
    let (low, high) = quartiles(pairs);
    format!(
        "{:<16} {:.2} times its error (seed by seed {low:.2} to {high:.2}) at 1/{:.1} of its MACs",
        own.rule.name,
        own.error() / rival.error(),
        rival.rule.macs / own.rule.macs,
    )
}

/// The library's rules against RLS and LSTD on the random MDP, if that is among the tables.
pub(crate) fn against_least_squares(reports: &[Report]) -> String {
    let mut text = String::new();
    let Some(mdp) = reports.iter().find(|report| report.problem.name == "random MDP") else { return text };
    for rival in ["RLS", "LSTD(lambda)"].iter().filter_map(|name| mdp.line(name)) {
        let (name, error, macs) = (&rival.rule.name, rival.error(), rival.rule.macs);
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
        let above = |line: &Line| (line.error().powi(2) - floor * floor).max(0.0).sqrt();
        let times = above(own) / above(rls);
        _ = writeln!(
            text,
            "without what no w can explain ({floor:.3}), predictable q28 has {times:.2} times the error of RLS\n"
        );
    }
    text
}

/// By problem, the library's best rule and the rivals that are better.
pub(crate) fn losses(reports: &[Report]) -> String {
    let mut text =
        String::from("after 1000 episodes, the best rule of the library in q28, and the rivals that are better:\n");
    for report in reports {
        let ours = report.lines.iter().filter(|line| line.rule.name.ends_with("q28"));
        let Some(best) = ours.min_by(|a, b| a.error().total_cmp(&b.error())) else { continue };
        let rivals = report.lines.iter().filter(|line| !line.rule.ours && line.error() < best.error());
        let better: Vec<&str> = rivals.map(|line| line.rule.name.as_str()).collect();
        let better = if better.is_empty() { "none".into() } else { better.join("; ") };
        _ = writeln!(text, "  {}: {} {:.4}; better: {better}", report.problem.name, best.rule.name, best.error());
    }
    text
}
