//! The room that learns, on the device in QEMU: the same bits as on the host, from emulated thermometers.

use std::time::Duration;

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::room::GAMMA;
use osculate_apps::room::agent::Settings;
use osculate_host_tests::documents::says;
use osculate_lab::boards::Board;
use osculate_lab::replay::trace::Trace;
use osculate_lab::replay::{self, Config, Job};
use osculate_lab::repository::runs_all;
use osculate_lab::room::device::{Observer, Recorded, Run};
use osculate_lab::room::host::learn;
use osculate_lab::room::plant::{Houses, Scene};
use osculate_lab::room::run_log::Evening;
use osculate_lab::room::test_bed::{Moment, TestBed};

const SEED: u64 = 7;
/// Bytes of flash and of RAM that the image takes at most, as docs/room.md says.
fn promised(rule: Rule) -> [usize; 2] {
    match rule {
        Rule::Tracking => [40 << 10, 4 << 10],
        Rule::Streaming => [56 << 10, 4 << 10],
        _ => [56 << 10, 9 << 10],
    }
}

#[derive(Default)]
struct Witness {
    steps: u32,
    evenings: Vec<Evening>,
    recorded: Vec<Vec<Recorded>>,
}

impl Observer for Witness {
    fn step(&mut self, _: u32, _: u32, _: &Moment) -> Result<()> {
        self.steps += 1;
        Ok(())
    }

    fn evening(&mut self, number: u32, told: Evening, recorded: Vec<Recorded>) -> Result<()> {
        assert_eq!(number as usize, self.evenings.len() + 1);
        self.evenings.push(told);
        self.recorded.push(recorded);
        Ok(())
    }
}

fn run(arith: Arith, rule: Rule, evenings: u32) -> Run<'static> {
    let settings = Settings { seed: SEED, evenings, rule };
    let timeout = Duration::from_secs(120);
    // Far from the data sheet, so that the model has something to learn; then the house changes.
    let scene = Scene { houses: Houses::Wild, carpet: Some(4), ..Scene::new(SEED) };
    Run { board: &Board::all()[0], arith, settings, scene, records: true, timeout }
}

#[test]
fn the_device_learns_what_the_host_learns() {
    for arith in [Arith::F32, Arith::Q28] {
        for rule in [Rule::Tracking, Rule::Paper, Rule::Predictable, Rule::Streaming] {
            // For a change: the default rule, and one that has episodes.
            if !runs_all() && (rule, arith) != (Rule::Paper, Arith::Q28) && rule != Rule::Tracking {
                continue;
            }
            let (name, rule_name) = (arith.name(), rule.name());
            let evenings = if runs_all() && matches!(rule, Rule::Tracking | Rule::Paper) { 20 } else { 5 };
            let run = run(arith, rule, evenings);
            let mut witness = Witness::default();
            let size = run.learn(&run.build().unwrap(), &mut witness).unwrap();
            let host = learn(TestBed::new(run.scene.clone()), arith, &run.settings).unwrap();

            assert_eq!(witness.evenings.len(), evenings as usize);
            if evenings == 20 {
                says("docs/claims.md", &format!("20 evenings ({} steps) with", witness.steps));
            }
            // Every step's temperatures and powers, and every bit of every evening's weights and model.
            assert!(witness.evenings == host, "{name} {rule_name}");
            assert!(host.iter().any(|evening| evening.fallbacks > 0), "the thermostat has acted");
            assert_ne!(host[0].model, host[1].model);
            if rule.is_episodic() {
                assert_eq!(replayed(&witness, arith, rule), witness.evenings.last().unwrap().weights);
            }
            let ram = size.statics + size.stack;
            println!(
                "{name} {rule_name}: {evenings} evenings, {} steps: every bit as on the host{}; {} B flash, {ram} B RAM",
                witness.steps,
                if rule.is_episodic() { ", and as in a replay of what was recorded" } else { "" },
                size.flash
            );
            let [most_flash, most_ram] = promised(rule);
            assert!(size.flash <= most_flash && ram <= most_ram, "{name} {rule_name}: {size:?}, RAM {ram}");
        }
    }
}

/// The bits of the weights after learning again from the device's recording.
fn replayed(witness: &Witness, arith: Arith, rule: Rule) -> Vec<u32> {
    let mut trace = Trace::new(witness.recorded[0][0].features.len());
    for evening in &witness.recorded {
        trace.begin_episode(0);
        for Recorded { row, reward, features } in evening {
            trace.push((*row).into(), [reward].into_iter().chain(features).copied());
        }
    }
    let config = Config { gamma: GAMMA, ..Config::new(rule) };
    let mut weights = Vec::new();
    let job = Job { trace: &trace, arith, config };
    replay::host::run(&job, &mut |learned| weights = learned.weights.iter().map(|bits| *bits as u32).collect())
        .unwrap();
    weights
}
