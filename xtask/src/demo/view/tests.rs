//! The output on screens of all sizes, and without a screen.

use std::io::{self, Write};

use osculate_apps::choice::Rule;
use osculate_apps::room::telemetry::Start;
use osculate_apps::store::Origin;
use osculate_lab::room::power_cut::PowerCut;
use osculate_lab::room::run_log::{Evening, RunLog};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::state::ViewState;
use super::{Header, Stop, layout, plain};
use crate::demo::picture::sample;

fn header(run: &RunLog) -> Header {
    Header {
        seed: run.scene.seed,
        arith: run.arith,
        rule: run.rule,
        place: run.place.clone(),
        evenings: run.evenings.len() as u32,
        baselines: run.baselines.each_ref().map(Into::into),
    }
}

fn shown(state: &ViewState, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| layout::draw(frame, state)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn every_screen_shows_evening_and_cost_at_every_time() {
    let run = sample::run_log(7, 3);
    let mut state = ViewState::new(header(&run));
    let sizes = [(100, 30), (80, 24), (64, 20), (200, 70), (20, 5), (1, 1), (300, 2), (2, 300)];
    for (width, height) in sizes {
        shown(&state, width, height);
    }
    for (evening, told) in (1_u32..).zip(&run.evenings) {
        for moment in &told.trail {
            state.step(evening, moment);
        }
        for (width, height) in sizes {
            let screen = shown(&state, width, height);
            if width >= 20 && height >= 5 {
                assert!(screen.contains(&format!("evening {evening} of 3")), "{screen}");
                assert!(screen.contains(&format!("{:.2}", state.cost().unwrap())), "{screen}");
            }
        }
        state.evening(told);
    }
    assert_eq!(state.progress(), 1.0);
    let screen = shown(&state, 80, 24);
    for word in ["thermostat", "PI ", "one step ahead", "planning", "gain", "q quits", "heater", "outside", "seed 7"] {
        assert!(screen.contains(word), "{word} is missing:\n{screen}");
    }
}

#[test]
fn a_power_cut_is_shown_and_is_no_update() {
    let run = sample::run_log(7, 2);
    let mut state = ViewState::new(header(&run));
    state.evening(&run.evenings[0]);
    let updated = shown(&state, 80, 24).lines().find(|line| line.contains("last update")).unwrap().to_owned();
    state.evening(&Evening { trail: run.evenings[1].trail.clone(), ..Evening::default() });
    let start = Start { origin: Origin::Checkpoint(21), evenings: 21 };
    state.power_cut = Some(PowerCut { evening: 22, steps: 40, start: Some(start) });
    let (cut, kept) = ("power cut in evening 22 after 40 steps", "checkpoint 21 restored, 21 evenings kept");
    for (width, height) in [(200, 70), (82, 24), (80, 24), (64, 20), (90, 19)] {
        let screen = shown(&state, width, height);
        assert!(screen.contains(kept) && screen.contains("q quits"), "{width} × {height}:\n{screen}");
        assert_eq!(screen.contains(cut), width > 80, "{width} × {height}:\n{screen}");
    }
    state.power_cut = Some(PowerCut { evening: 22, steps: 40, start: None });
    assert!(shown(&state, 64, 20).contains(cut));
    assert!(shown(&state, 80, 24).contains(&updated));
}

#[test]
fn degrees_have_a_tenth_and_no_negative_zero() {
    let shown = [Some(-0.04), Some(-0.06), Some(20.96), None].map(super::layout::degrees);
    assert_eq!(shown, ["0.0°", "-0.1°", "21.0°", "-"]);
}

#[test]
fn no_word_of_the_title_is_cut() {
    let run = sample::run_log(7, 2);
    let place = "mps2-an386 (Cortex-M4F) in QEMU".to_owned();
    let seeds = [1, u64::MAX];
    for (seed, width) in seeds.into_iter().flat_map(|seed| (64..=120).map(move |width| (seed, width))) {
        let state = ViewState::new(Header { seed, place: place.clone(), rule: Rule::Predictable, ..header(&run) });
        let screen = shown(&state, width, 24);
        let title = screen.lines().next().unwrap().trim_matches(['"', ' ']).replace("   ", ", ");
        let seed = format!("seed {seed}");
        let whole = ["A room that learns its heating", &seed, "f32", "rule predictable", &place, "mps2-an386"];
        assert!(title.split(", ").all(|part| whole.contains(&part)), "{width} columns: {title}");
        assert!(width < 80 || seed.len() > 10 || title.ends_with("mps2-an386") || title.ends_with("QEMU"), "{title}");
    }
}

#[test]
fn without_a_screen_each_evening_is_one_line() {
    let run = sample::run_log(7, 3);
    let (header, mut out) = (header(&run), Vec::new());
    for (evening, told) in (1_u32..).zip(&run.evenings) {
        plain::evening(&mut out, &header, evening, told).unwrap();
    }
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(
        text.lines().all(|line| line.starts_with("evening ") && line.contains("% against the thermostat")),
        "{text}"
    );
    assert!(text.is_ascii() && !text.contains('\x1b'), "{text}");
}

#[test]
fn a_closed_pipe_is_a_stop_and_no_failure() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let run = sample::run_log(7, 2);
    let error = plain::evening(&mut Closed, &header(&run), 1, &run.evenings[0]).unwrap_err();
    assert_eq!(error.downcast_ref(), Some(&Stop::PipeClosed));
}
