//! A real run on this machine, for the tests of pictures and views.

use osculate_apps::choice::{Arith, Rule};
use osculate_apps::room::agent::Settings;
use osculate_lab::room::host::learn;
use osculate_lab::room::plant::Scene;
use osculate_lab::room::run_log::{Baseline, RunLog};
use osculate_lab::room::test_bed::TestBed;

use crate::demo::neighbours::Neighbours;

/// A run with this many evenings; in the last but one, a window is open.
pub(super) fn run_log(seed: u64, evenings: u32) -> RunLog {
    let scene = Scene { window_open: Some(evenings - 1), ..Scene::new(seed) };
    let settings = Settings { seed, evenings, rule: Rule::Tracking };
    RunLog {
        evenings: learn(TestBed::new(scene.clone()), Arith::F32, &settings).expect("the host's agent learns"),
        baselines: Baseline::all(&scene, evenings).expect("thermometers answer"),
        scene,
        power_cut: None,
        arith: Arith::F32,
        rule: Rule::Tracking,
        place: "this machine".to_owned(),
    }
}

/// Every controller in two houses of each kind, beside a run.
pub(super) fn neighbours(run: &RunLog) -> Neighbours {
    Neighbours::visit(&run.scene, run.evenings.len() as u32, run.arith, 2).expect("thermometers answer")
}
