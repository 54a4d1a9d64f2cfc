//! Why not … ? A picture for each.

use osculate_lab::drawing::ink::{AGENT, QUIET, THERMOSTAT};
use osculate_lab::drawing::{Axis, Line, Mark, Panel};

use super::Costs;
use crate::tuning::Report;

/// File, title and charts.
type Picture = (&'static str, &'static str, Vec<Panel>);

/// All of them; `spreads` has the equations in units that spread over 0, 1 and 2 decades.
pub(super) fn all(tables: &[Report], spreads: &[Report], room: &Costs) -> [Picture; 5] {
    [
        ("least-squares", "Why not least squares?", vec![units(tables, spreads)]),
        ("nlms", "Why not NLMS?", vec![nlms(tables)]),
        ("td", "Why not TD?", vec![td(tables)]),
        ("rls", "Why not RLS?", vec![cost(named(tables, "random MDP"))]),
        ("pi", "Why not a PI controller?", room.panels()),
    ]
}

fn named<'r>(tables: &'r [Report], problem: &str) -> &'r Report {
    tables.iter().find(|report| report.problem.name == problem).expect("a table for every problem")
}

/// Equations in units that spread over more and more decades.
fn units(tables: &[Report], spreads: &[Report]) -> Panel {
    let all = || spreads.iter().chain([named(tables, "steady rows, equations in any units")]);
    let line = |(rule, name): (&str, &str)| {
        Line::plain(name, (0_u32..).map(f64::from).zip(all().map(|report| report.error(rule))).collect())
    };
    let lines = [
        ("predictable q28", "predictable, q28"),
        ("RLS", "least squares"),
        ("RLS, unit rows", "least squares on unit rows"),
        ("MC-SGD", "stochastic gradient"),
        ("NLMS", "NLMS"),
    ];
    Panel::new(
        "It serves large equations first; every rival is tuned for every point",
        Axis::named("each equation times a factor of up to …", ["as they are", "10^±1", "10^±2", "10^±3"]),
        Axis::log("relative error of the values"),
        lines.map(line).into(),
    )
}

/// The errors of a rival against its setting, and those of `tracking`, all on the tuning seeds.
fn against(rival: &str, is_shown: fn(&[f64]) -> bool, problems: [(&Report, &str); 3], title: &str, x: &str) -> Panel {
    let mut lines = Vec::new();
    for (i, (report, name)) in problems.into_iter().enumerate() {
        let curve = report.line(rival).into_iter().flat_map(|line| &line.curve);
        let shown = curve.filter(|(setting, _)| is_shown(setting));
        // 10 stands for all that diverges.
        let points: Vec<(f64, f64)> = shown.map(|(setting, error)| (setting[0], error.min(10.0))).collect();
        // Columns in any units need the scaler.
        let ours = if report.problem.has_columns_in_units() { "scaled tracking f64" } else { "tracking f64" };
        let own = report.line(ours).map_or(f64::NAN, |line| line.curve[0].1);
        let ends = [points[0].0, points[points.len() - 1].0];
        lines.push(Line::plain(name, points).ink(i));
        lines.push(Line::plain(format!("tracking, {name}"), ends.map(|x| (x, own)).into()).ink(i));
    }
    Panel::new(title, Axis::log(x), Axis::log("relative error; 1 is a learner that says 0"), lines)
}

fn nlms(tables: &[Report]) -> Panel {
    let problems = [("steady rows", "steady"), ("drifting rows", "drifting"), ("jumping rows", "jumping")];
    let problems = problems.map(|(problem, name)| (named(tables, problem), name));
    let title = "Its best gain depends on the world; tracking finds its own";
    against("NLMS", |_| true, problems, title, "gain of NLMS")
}

fn td(tables: &[Report]) -> Panel {
    let problems = [
        ("Boyan's chain", "Boyan's chain"),
        ("random MDP", "random MDP"),
        ("random MDP, columns in any units", "MDP, any units"),
    ];
    let problems = problems.map(|(problem, name)| (named(tables, problem), name));
    let title = "A wrong step learns nothing, or diverges; tracking has none";
    against("TD(lambda)", |setting| setting[1] == 0.8 && setting[0] >= 1e-6, problems, title, "step of TD(0.8)")
}

/// What the error costs, on the random MDP.
fn cost(mdp: &Report) -> Panel {
    let mark = |line: &crate::tuning::Line| {
        let ink = match &*line.rule.name {
            "RLS" | "RLS, unit rows" | "LSTD(lambda)" => THERMOSTAT,
            _ if line.rule.ours => AGENT,
            _ => QUIET,
        };
        let name = line.rule.name.trim_end_matches(" q28");
        let name = format!("{name}  {:.3}, {:.0} words", line.error(), line.rule.words);
        Mark { name, at: (line.rule.macs, line.error()), ink }
    };
    let mut marks: Vec<Mark> = mdp.lines.iter().filter(|line| !line.rule.name.ends_with("f64")).map(mark).collect();
    // From the top, so that the lines to the names do not cross more than they must.
    marks.sort_by(|a, b| b.at.1.total_cmp(&a.at.1));
    Panel {
        marks,
        ..Panel::new(
            "Random MDP, 24 features, 1000 episodes; red: n × n numbers",
            Axis::log("multiply-accumulates per row"),
            Axis::log("relative error of the values"),
            Vec::new(),
        )
    }
}
