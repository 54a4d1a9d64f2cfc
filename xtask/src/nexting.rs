//! `cargo xtask nexting`: the smallest example. A device predicts its compass, and the host compares.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Result, ensure};
use clap::Args;
use osculate_apps::choice::Rule;
use osculate_apps::nexting::GAMMAS;
use osculate_lab::boards::{Board, Status};
use osculate_lab::drawing::{self, Axis, Line, Panel, picture};
use osculate_lab::firmware;
use osculate_lab::nexting::{CHANGE, Moment, STEPS, WINDOWS, covered, on_device, on_host, truth, unforeseen};
use osculate_lab::numbers::{least, most};
use osculate_lab::waiting;

use crate::{repository, setup};

/// Watch a device in its emulator predict its sensor on four time scales
#[derive(Args)]
pub(crate) struct Options {
    /// The seed of the wheel's jitter and the compass's noise
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A board of firmware/boards.toml that an emulator runs: see `cargo xtask boards`
    #[arg(long, default_value = "mps2-an386")]
    board: String,
    /// The folder for the picture [default: target/nexting]
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
}

/// Learns on the device, compares with the ground truth, and draws.
pub(crate) fn run(options: &Options) -> Result<()> {
    let board = Board::named(&options.board)?;
    let able = Board::all().iter().filter(|board| board.status == Status::Run && board.family.is_some());
    let names: Vec<_> = able.map(|board| board.name.as_str()).collect();
    ensure!(names.contains(&&*board.name), "no emulator runs {}; choose one of {}", board.name, names.join(", "));
    setup::ensure_for(board)?;
    let building = format!("building the firmware for {} ({})", board.name, board.core);
    waiting::during(&building, || firmware::build(board, "nexting", &[]))?;
    let moments = waiting::counting(STEPS as usize, "steps", |done| {
        on_device(board, options.seed, STEPS, |steps| done.store(steps, Ordering::Relaxed))
    })?;

    // The same readings on this machine, by the rule that cuts the stream into episodes.
    let others = on_host(Rule::Streaming, options.seed, STEPS)?;
    report(&[(Rule::Tracking, &moments), (Rule::Streaming, &others)]);
    let folder = options.pictures.clone().unwrap_or_else(|| repository().join("target").join("nexting"));
    let svg = drawing::write(&svg(&moments), &folder, "nexting")?;
    println!("\npicture:  {}", svg.display());
    println!("repeat:   cargo xtask nexting --board {} --seed {}", board.name, options.seed);
    Ok(())
}

/// What was not foreseen with each rule before the wheel is changed, then, and later.
fn report(runs: &[(Rule, &[Moment])]) {
    let columns = |cells: [String; 3]| cells.map(|cell| format!("{cell:>15}")).concat();
    println!("\nhow much of the compass's future was not foreseen, as a share of its variance;");
    println!("at step {CHANGE} another wheel takes the place of the first\n");
    let steps = WINDOWS.map(|steps| format!("{}–{}", steps.start, steps.end));
    println!("  {:<10} {:>8} {:>12}{}", "rule", "gamma", "steps ahead", columns(steps));
    for (rule, moments) in runs {
        for (scale, gamma) in GAMMAS.iter().enumerate() {
            let missed = WINDOWS.map(|steps| format!("{:.4}", unforeseen(moments, scale, steps)));
            println!("  {:<10} {gamma:>8} {:>12}{}", rule.name(), 1.0 / (1.0 - gamma), columns(missed));
        }
        if let [Some(before), Some(then), Some(later)] = WINDOWS.map(|steps| covered(moments, steps)) {
            let shares = [before, then, later].map(|share| format!("{:.1} %", 100.0 * share));
            println!("  {:<10} {:>21}{}", rule.name(), "in the band of 95 %", columns(shares));
        }
    }
}

/// The columns, with their headings. The first one is long enough to see the slow time scales recover.
const COLUMNS: [(&str, Range<usize>); 2] = [("Another wheel takes its place", 2440..2700), ("Later", 5360..5460)];

/// Draws both parts of a run.
fn svg(moments: &[Moment]) -> String {
    let scales = 0..GAMMAS.len();
    let panels = scales.flat_map(|scale| COLUMNS.map(|(heading, steps)| panel(moments, scale, heading, steps)));
    picture(Some("A device that knows what comes next: a compass beside a turning wheel"), &panels.collect::<Vec<_>>())
}

/// A time scale in one column.
fn panel(moments: &[Moment], scale: usize, heading: &str, steps: Range<usize>) -> Panel {
    let gamma = GAMMAS[scale];
    let ahead = 1.0 / (1.0 - gamma);
    let ahead = if ahead == 1.0 { "the next step".into() } else { format!("{ahead} steps ahead") };
    let truth = truth(moments, gamma);
    let expected = |step: usize| f64::from(moments[step].expected[scale]);
    let points = |value: &dyn Fn(usize) -> f64| steps.clone().map(|step| (step as f64, value(step))).collect();
    // Only the next step has a band.
    let edges = |step: usize| {
        let (middle, side) = (expected(step), f64::from(moments[step].band?));
        Some((step as f64, middle - side, middle + side))
    };
    let band = if scale == 0 { steps.clone().filter_map(edges).collect() } else { Vec::new() };
    let name =
        if band.is_empty() { "expected, on the device" } else { "expected, on the device; 95 % come in its band" };
    let mut lines = vec![
        Line::plain("what came", points(&|step| truth[step])).ink(5),
        Line { band, ..Line::plain(name, points(&expected)).ink(0) },
    ];
    if steps.contains(&(CHANGE as usize)) {
        let change = f64::from(CHANGE);
        let ends = [least(&truth[steps.clone()]), most(&truth[steps.clone()])];
        lines.push(Line::plain("the change", ends.map(|end| (change, end)).to_vec()).ink(1));
    }
    // Slow time scales have small swings, so each has its own axis, the same in both columns.
    let shown = COLUMNS.into_iter().flat_map(|(_, steps)| steps).flat_map(|step| [truth[step], expected(step)]);
    let y = Axis::linear(format!("γ = {gamma}")).covering(shown);
    Panel::new(format!("{heading}: {ahead}"), Axis::linear("step"), y, lines)
}
