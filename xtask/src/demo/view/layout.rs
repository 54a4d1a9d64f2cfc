//! The layout of the screen.

use osculate_apps::room::SET_POINT;
use osculate_lab::room::run_log::LAST;
use osculate_lab::room::test_bed::Moment;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{LineGauge, Paragraph};

use super::state::ViewState;
use super::{charts, digits};
use crate::demo::power_cut::{fitting, sentence};

/// Palette colours that are readable on black and on white.
pub(super) const AGENT: Color = Color::Indexed(32);
/// Thermostat, one step ahead, PI and planning.
pub(super) const BASELINES: [Color; 4] =
    [Color::Indexed(166), Color::Indexed(139), Color::Indexed(35), Color::Indexed(178)];
pub(super) const QUIET: Color = Color::Indexed(244);

/// Below this size, only text is shown.
const ROOMY: (u16, u16) = (64, 20);

/// Draws everything that fits.
pub(super) fn draw(frame: &mut Frame<'_>, state: &ViewState) {
    let area = frame.area();
    if area.width < ROOMY.0 || area.height < ROOMY.1 {
        frame.render_widget(Paragraph::new(words(state)), area);
        return;
    }
    let air = u16::from(area.height >= 28);
    let heights = [1, air, 4, air].map(Constraint::Length).into_iter();
    let updates = updated(state, area.width.saturating_sub(2).into());
    let last = [air, 6, updates.len() as u16, air, 1].map(Constraint::Length);
    let heights = heights.chain([Constraint::Min(6)]).chain(last);
    let [title, _, tiles, _, pictures, _, table, update, _, progress] =
        Layout::vertical(heights).horizontal_margin(1).areas(area);

    frame.render_widget(Paragraph::new(headline(state, title.width.into())), title);
    draw_tiles(frame, state, tiles);
    let [left, right] = Layout::horizontal([Constraint::Fill(1); 2]).areas(pictures);
    frame.render_widget(charts::evening(state).chart(), left);
    frame.render_widget(charts::learning(state).chart(), right);
    frame.render_widget(Paragraph::new(costs(state)), table);
    frame.render_widget(Paragraph::new(updates), update);
    draw_progress(frame, state, progress);
}

/// The title of the run, with as many details as fit.
fn headline(state: &ViewState, width: usize) -> Line<'static> {
    const TITLE: &str = "A room that learns its heating";
    let header = &state.header;
    let board_alone = header.place.split(" (").next().unwrap_or_default();
    let run =
        |place: &str| format!("seed {}, {}, rule {}, {place}", header.seed, header.arith.name(), header.rule.name());
    let candidates = [run(&header.place), run(board_alone), format!("seed {}", header.seed), String::new()];
    let fits = |particulars: &String| TITLE.len() + 3 + particulars.chars().count() <= width;
    let particulars = candidates.into_iter().find(fits).unwrap_or_default();
    Line::from(vec![TITLE.bold(), format!("   {particulars}").fg(QUIET)])
}

fn draw_tiles(frame: &mut Frame<'_>, state: &ViewState, area: Rect) {
    let tiles: [Rect; 4] = Layout::horizontal([Constraint::Fill(1); 4]).areas(area);
    let now = state.trail.last();
    let temperatures = [
        (format!("room, aim {SET_POINT:.0}°"), now.map(|moment| moment.room), Style::new().fg(AGENT).bold()),
        ("floor".to_owned(), now.map(|moment| moment.floor), Style::new()),
        ("outside".to_owned(), now.map(|moment| moment.outside), Style::new()),
    ];
    for ((name, celsius, style), tile) in temperatures.into_iter().zip(tiles) {
        let mut lines = vec![Line::from(name.fg(QUIET))];
        let number = degrees(celsius);
        lines.extend(digits::lines(&number).map(|line| Line::styled(line, style)));
        frame.render_widget(Paragraph::new(lines), tile);
    }
    let power = now.map_or(0.0, |moment| moment.power);
    let mean = state.trail.iter().map(|moment| moment.power).sum::<f64>() / state.trail.len().max(1) as f64;
    let lit = (power * 12.0).round() as usize;
    let heater = [
        Line::from("heater".fg(QUIET)),
        Line::from(heating(now).bold()),
        Line::from(vec!["█".repeat(lit).fg(BASELINES[0]), "░".repeat(12 - lit).fg(QUIET)]),
        Line::from(format!("{:.0} % this evening", mean * 100.0)),
    ];
    frame.render_widget(Paragraph::new(heater.to_vec()), tiles[3]);
}

/// The state of the heater.
fn heating(moment: Option<&Moment>) -> String {
    match moment.map(|moment| moment.power) {
        None => "-".to_owned(),
        Some(power) if power <= 0.0 => "off".to_owned(),
        Some(power) if power >= 1.0 => "full".to_owned(),
        Some(0.5) => "half".to_owned(),
        Some(power) => format!("{:.0} %", power * 100.0),
    }
}

/// The costs of all controllers, which is also the legend of the chart.
fn costs(state: &ViewState) -> Vec<Line<'static>> {
    let own = state.last_cost();
    let last = state.costs.len().clamp(1, LAST);
    let heading = format!("{:<18}{:>14}{:>14}", "cost per step", "tonight so far", format!("last {last}"));
    let mut lines = vec![Line::from(format!("{heading}{:>20}", "learned against it").fg(QUIET))];
    lines.push(row("learned", AGENT, state.cost(), own, None).bold());
    for (index, (baseline, colour)) in state.header.baselines.iter().zip(BASELINES).enumerate() {
        let (now, past) = (baseline.so_far(state.evening, state.trail.len()), state.baseline_last_cost(index));
        let against = own.zip(past).map(|(own, past)| (own / past - 1.0) * 100.0);
        lines.push(row(baseline.name, colour, now, past, against));
    }
    lines
}

fn row(name: &str, colour: Color, now: Option<f64>, past: Option<f64>, against: Option<f64>) -> Line<'static> {
    let number = |cost: Option<f64>| cost.map_or_else(|| "-".to_owned(), |cost| format!("{cost:.2}"));
    let against = against.map_or_else(String::new, |percent| format!("{percent:+.0} %"));
    let numbers = format!("{:>14}{:>14}{against:>20}", number(now), number(past));
    Line::from(vec![Span::from("● ").fg(colour), format!("{name:<16}").fg(colour), Span::from(numbers)])
}

/// The last update, and the power cut if there was one.
fn updated(state: &ViewState, width: usize) -> Vec<Line<'static>> {
    let words = state.update.map_or_else(
        || "nothing learned yet".to_owned(),
        |update| {
            let (step, theta) = (state.header.step_name(), update.theta);
            let (explored, fallbacks, steps) = (update.explored, update.fallbacks, update.steps);
            let chosen = format!("explored {explored} of {steps} steps, {fallbacks} under the thermostat");
            format!("last update: {step} {theta:.3}, {chosen}")
        },
    );
    let mut lines = vec![Line::from(words.fg(QUIET))];
    lines.extend(state.power_cut.as_ref().map(|cut| Line::from(fitting(cut, width).bold())));
    lines
}

fn draw_progress(frame: &mut Frame<'_>, state: &ViewState, area: Rect) {
    let [bar, key] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(9)]).areas(area);
    let gauge = LineGauge::default().ratio(state.progress()).label(format!("{:<17}", evening(state)));
    let gauge = gauge.filled_symbol("█").unfilled_symbol("░");
    frame.render_widget(gauge.filled_style(AGENT).unfilled_style(QUIET), bar);
    frame.render_widget(Paragraph::new("  q quits".fg(QUIET)), key);
}

fn evening(state: &ViewState) -> String {
    format!("evening {} of {}", state.evening, state.header.evenings)
}

/// To one decimal, and never as -0.0.
pub(super) fn degrees(celsius: Option<f64>) -> String {
    celsius.map_or_else(|| "-".to_owned(), |celsius| format!("{:.1}°", (celsius * 10.0).round() / 10.0 + 0.0))
}

/// The most important values first, one per line.
fn words(state: &ViewState) -> Vec<Line<'static>> {
    let number = |cost: Option<f64>| cost.map_or_else(|| "-".to_owned(), |cost| format!("{cost:.2}"));
    let degrees = |value: fn(&Moment) -> f64| degrees(state.trail.last().map(value));
    let mut lines = vec![
        evening(state),
        format!("cost {}", number(state.cost())),
        format!("room {}", degrees(|moment| moment.room)),
        format!("heater {}", heating(state.trail.last())),
        "q quits".to_owned(),
        format!("floor {}", degrees(|moment| moment.floor)),
        format!("outside {}", degrees(|moment| moment.outside)),
        format!("last evenings {}", number(state.last_cost())),
    ];
    for (index, baseline) in state.header.baselines.iter().enumerate() {
        lines.push(format!("{} {}", baseline.name, number(state.baseline_last_cost(index))));
    }
    lines.push(
        state.update.map_or_else(String::new, |update| format!("{} {:.3}", state.header.step_name(), update.theta)),
    );
    lines.extend(state.power_cut.as_ref().map(sentence));
    lines.into_iter().map(Line::from).collect()
}
