//! The tables as they are printed, for a terminal and for documents.

use std::fmt::Write;

use super::{CHECKPOINTS, Line, Report, TUNING_SEEDS};

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
    match line.name.split(' ').next() {
        // Not to be better, but to be cheaper.
        Some("predictable") => return "c every 8th".into(),
        Some("tracking(0)") => return "lambda 0".into(),
        _ if line.ours => return "defaults".into(),
        _ => (),
    }
    line.setting.iter().map(|(_, value)| plain(*value)).collect::<Vec<_>>().join(", ")
}

/// 0.001 and 1e-6, as people write them.
fn plain(value: f64) -> String {
    if (1e-3..1e5).contains(&value) || value == 0.0 { format!("{value}") } else { format!("{value:e}") }
}

/// The cells of a line.
fn cells(line: &Line) -> [String; 8] {
    let [a, b, c] = line.errors.map(number);
    let (low, high) = line.quartiles;
    [
        line.name.clone(),
        setting(line),
        a,
        b,
        c,
        format!("{} to {}", number(low), number(high)),
        format!("{:.0}", line.cost.macs),
        format!("{:.0}", line.cost.words),
    ]
}

fn heading(report: &Report) -> [String; 8] {
    let [a, b, c] = CHECKPOINTS;
    let columns = if report.problem.is_prequential() {
        [format!("1-{a}"), format!("-{b}"), format!("-{c}")]
    } else {
        [a, b, c].map(|k| k.to_string())
    };
    let [a, b, c] = columns;
    ["rule", "setting", &a, &b, &c, "quartiles", "MAC/row", "words"].map(String::from)
}

/// What the numbers of a table are.
fn about(report: &Report) -> Vec<String> {
    let Report { problem, lengths, .. } = report;
    let mut lines = vec![format!("n = {}: {}", problem.n, problem.about)];
    let measure = if problem.is_prequential() {
        "relative error of the values of the rows to come, over these episodes"
    } else {
        "relative error of the values after this many episodes"
    };
    let floor = report.floor.filter(|floor| *floor > 1e-6).map(|floor| format!("; no w has less than {floor:.3}"));
    lines.push(measure.to_owned() + &floor.unwrap_or_default());
    lines.push(format!(
        "{:.1} steps and {:.1} first visits per episode, at most {} steps; medians of the seeds 0 to {}, tuned on {} to {}",
        lengths.steps,
        lengths.rows,
        lengths.longest,
        report.seeds - 1,
        TUNING_SEEDS.start,
        TUNING_SEEDS.end - 1
    ));
    lines
}

/// A table for a terminal, up to 100 columns wide.
pub fn text(report: &Report) -> String {
    let mut text = format!("{}\n", report.problem.name);
    for line in about(report) {
        for part in wrapped(&line, 98) {
            _ = writeln!(text, "  {part}");
        }
    }
    text.push('\n');
    let mut put = |cells: [String; 8]| {
        let [name, setting, a, b, c, spread, macs, words] = cells;
        let line = format!("{name:<19} {setting:<22}{a:>8}{b:>8}{c:>8}{macs:>8}{words:>6}  {spread}");
        _ = writeln!(text, "{}", line.trim_end());
    };
    put(heading(report));
    report.lines.iter().for_each(|line| put(cells(line)));
    text
}

/// A table for a document.
pub fn markdown(report: &Report) -> String {
    let mut text = format!("### {}\n\n", report.problem.name);
    for line in about(report) {
        _ = writeln!(text, "{line}.");
    }
    let row = |cells: [String; 8]| format!("| {} |\n", cells.join(" | "));
    text += "\n";
    text += &row(heading(report));
    text += "| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |\n";
    report.lines.iter().for_each(|line| text += &row(cells(line)));
    text
}

/// What a row costs, by rule: n features, s steps and r first visits per episode.
pub fn costs(reports: &[Report], markdown: bool) -> String {
    let Some(report) = reports.iter().find(|report| !report.problem.is_rows()) else { return String::new() };
    let line = |a: &str, b: &str, c: &str| {
        if markdown { format!("| {a} | {b} | {c} |\n") } else { format!("  {a:<14} {b:<28} {c}\n") }
    };
    let mut text = String::from(if markdown { "### " } else { "" });
    text += "multiply-accumulates per row: n features, s steps and r first visits per episode\n\n";
    text += &line("rule", "per row", "setting");
    if markdown {
        text += &line("---", "---", "---");
    }
    for one in report.lines.iter().filter(|line| !line.name.ends_with("q28")) {
        let names: Vec<&str> = one.setting.iter().map(|(name, _)| *name).collect();
        let setting = if one.ours { "nothing to set".into() } else { names.join(", ") };
        text += &line(one.name.trim_end_matches(" f64"), one.formula, &setting);
    }
    text + "\n"
}

fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.last_mut().expect("one at least");
        if !last.is_empty() && last.len() + 1 + word.len() > width {
            lines.push(word.into());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}
