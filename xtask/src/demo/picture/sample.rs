//! A real run on this machine, for the tests of what shows it.

use osculate_lab::room::bench::Bench;
use osculate_lab::room::host::{Arith, learn};
use osculate_lab::room::plant::Scene;
use osculate_lab::room::shared::agent::{Rule, Settings};
use osculate_lab::room::story::{Baseline, Evening, Story};

/// A story of that many evenings, in the last but one of which a window is open.
pub(crate) fn story(seed: u64, evenings: u32) -> Story {
    let scene = Scene { window_open: Some(evenings - 1), ..Scene::new(seed) };
    let settings = Settings { seed, evenings, rule: Rule::Paper };
    let learned = learn(Bench::new(scene.clone()), Arith::F32, &settings).expect("the host's agent learns");
    let told = learned.told.evenings.iter().zip(learned.trails);
    let evenings = told.map(|(told, trail)| Evening::new(trail, told));
    Story {
        evenings: evenings.collect(),
        baselines: Baseline::all(&scene, &settings).expect("thermometers answer"),
        scene,
        arith: Arith::F32,
        rule: Rule::Paper,
        place: "this machine".to_owned(),
    }
}
