//! The room that learns: the device does what the host does, and it is the thermometers that it learns from.

use std::time::Duration;

use anyhow::Result;
use osculate_host_tests::lab::boards::Board;
use osculate_host_tests::room::bench::{Bench, Moment};
use osculate_host_tests::room::device::{Onlooker, Recorded, Run, Size};
use osculate_host_tests::room::host::{Arith, learn};
use osculate_host_tests::room::plant::Scene;
use osculate_host_tests::room::shared::agent::{Rule, Settings};
use osculate_host_tests::room::story::Evening;

#[derive(Default)]
struct Witness {
    steps: u32,
    evenings: Vec<Evening>,
    recorded: Vec<Vec<Recorded>>,
}

impl Onlooker for Witness {
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

    fn idle(&mut self) -> Result<()> {
        Ok(())
    }
}

fn run(arith: Arith, rule: Rule, evenings: u32) -> (Witness, Size, Vec<Evening>) {
    let settings = Settings { seed: 7, evenings, rule };
    let scene = Scene::new(7);
    let run = Run {
        board: &Board::all()[0],
        arith,
        settings,
        scene: scene.clone(),
        records: true,
        timeout: Duration::from_secs(120),
    };
    let mut witness = Witness::default();
    let size = run.learn(&mut witness).unwrap();
    let host = learn(Bench::new(scene), arith, &settings).unwrap();
    let host = host.trails.into_iter().zip(&host.told.evenings).map(|(trail, told)| Evening::of_host(trail, told));
    (witness, size, host.collect())
}

#[test]
fn the_device_learns_what_the_host_learns() {
    for (name, arith) in Arith::NAMES {
        for (rule_name, rule) in Rule::NAMES {
            let evenings = if rule == Rule::Paper { 20 } else { 5 };
            let (witness, size, host) = run(arith, rule, evenings);
            assert_eq!(witness.evenings.len(), evenings as usize);
            // Every step's temperatures and powers, and every bit of every evening's weights.
            assert!(witness.evenings == host, "{name} {rule_name}");
            let ram = size.statics + size.stack;
            println!(
                "{name} {rule_name}: {evenings} evenings, {} steps, every bit as on the host; {} B flash, {ram} B RAM",
                witness.steps, size.flash
            );
            assert!(size.flash <= 64 * 1024 && ram <= 16 * 1024, "{size:?}");
        }
    }
}
