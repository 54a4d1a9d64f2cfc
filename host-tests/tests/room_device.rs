//! The room that learns, on the device in QEMU: the same bits as on the host, from emulated thermometers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::room::GAMMA;
use osculate_apps::room::agent::Settings;
use osculate_lab::bench::budget::{GROWTH, OTHER_COMPILER, compiler};
use osculate_lab::boards::Board;
use osculate_lab::documents::says;
use osculate_lab::replay::trace::Trace;
use osculate_lab::replay::{self, Config, Job};
use osculate_lab::room::device::{Observer, Recorded, Run};
use osculate_lab::room::host::learn;
use osculate_lab::room::plant::{Houses, Scene};
use osculate_lab::room::run_log::Evening;
use osculate_lab::room::test_bed::{Moment, TestBed};

const SEED: u64 = 7;
/// What the image may take with the rule that devices learn by.
const MOST_FLASH: f64 = 40.0 * 1024.0;

#[derive(Default)]
struct Witness {
    steps: u32,
    evenings: Vec<Evening>,
    recorded: Vec<Vec<Recorded>>,
    leaves_after: Option<u32>,
    panics_after: Option<u32>,
}

impl Observer for Witness {
    fn step(&mut self, _: u32, _: u32, _: &Moment) -> Result<()> {
        self.steps += 1;
        assert_ne!(self.panics_after, Some(self.steps), "too much");
        if self.leaves_after == Some(self.steps) {
            bail!("enough");
        }
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

fn run(arith: Arith, rule: Rule, evenings: u32) -> Run<'static> {
    let settings = Settings { seed: SEED, evenings, rule };
    let timeout = Duration::from_secs(120);
    // Far from the data sheet, so that the model has something to learn; then the house changes.
    let scene = Scene { houses: Houses::Wild, carpet: Some(4), ..Scene::new(SEED) };
    Run { board: &Board::all()[0], arith, settings, scene, records: true, timeout }
}

#[test]
fn the_device_learns_what_the_host_learns() {
    let tolerances = tolerances().unwrap();
    for arith in [Arith::F32, Arith::Q28] {
        for rule in [Rule::Tracking, Rule::Paper, Rule::Predictable, Rule::Streaming] {
            let (name, rule_name) = (arith.name(), rule.name());
            let evenings = if matches!(rule, Rule::Tracking | Rule::Paper) { 20 } else { 5 };
            let run = run(arith, rule, evenings);
            let mut witness = Witness::default();
            let size = run.learn(&run.build().unwrap(), &mut witness).unwrap();
            let host = learn(TestBed::new(run.scene.clone()), arith, &run.settings).unwrap();

            assert_eq!(witness.evenings.len(), evenings as usize);
            if evenings == 20 {
                says("docs/claims.md", &format!("20 evenings ({} steps) with", witness.steps)).unwrap();
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
            let [flash, all_rules, tracking, streaming, logged] = promised(arith);
            let told = match rule {
                Rule::Tracking => [flash, tracking],
                Rule::Streaming => [all_rules, streaming],
                _ => [all_rules, logged],
            };
            for ((is, told), tolerance) in [size.flash, ram].into_iter().zip(told).zip(tolerances) {
                let off = (is as f64 / told - 1.0).abs();
                assert!(off <= tolerance, "{name} {rule_name}: {size:?}, RAM {ram}, in docs/room.md {told}");
            }
            assert!(rule.is_episodic() || told[0] <= MOST_FLASH, "{name} {rule_name}: {told:?}");
        }
    }
}

/// The tolerances for flash and RAM relative to docs/room.md, whose sizes are those of this compiler. How deep the stack was
/// depends on when the serial line interrupts.
fn tolerances() -> Result<[f64; 2]> {
    Ok(if compiler()?.starts_with("1.95.") { [0.0, GROWTH] } else { [OTHER_COMPILER; 2] })
}

/// The sizes in docs/room.md: flash, flash with all rules, RAM with `tracking`, with `streaming`, and with a log.
fn promised(arith: Arith) -> [f64; 5] {
    let text = include_str!("../../docs/room.md");
    let (_, text) = text.split_once("The image takes ").expect("the page tells its size");
    let (text, _) = text.split_once(" bytes of RAM. ").expect("and RAM comes last");
    // A space separates thousands, as in 28 900.
    let mut numbers: Vec<String> = Vec::new();
    let mut goes_on = false;
    for word in text.split_whitespace() {
        let is_number = word.bytes().all(|digit| digit.is_ascii_digit());
        match numbers.last_mut().filter(|_| goes_on && word.len() == 3) {
            Some(number) if is_number => number.push_str(word),
            _ if is_number => numbers.push(word.into()),
            _ => {}
        }
        goes_on = is_number;
    }
    let numbers: Vec<f64> = numbers.iter().map(|number| number.parse().unwrap()).collect();
    // Flash and RAM in f32, then in fixed point; then in pairs of both: flash with all rules, and RAM with each kind.
    let [f32_flash, f32_ram, q28_flash, q28_ram, pairs @ ..] = &numbers[..] else { panic!("sizes: {numbers:?}") };
    let (flash, ram, second) = if arith == Arith::F32 { (f32_flash, f32_ram, 0) } else { (q28_flash, q28_ram, 1) };
    let [all_rules, streaming, logged] = pairs.chunks(2).map(|pair| pair[second]).collect::<Vec<_>>()[..] else {
        panic!("the page has {numbers:?} for the sizes of the image");
    };
    [*flash, all_rules, *ram, streaming, logged]
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

#[test]
fn whoever_leaves_takes_the_device_along() {
    let mut witness = Witness { leaves_after: Some(100), ..Witness::default() };
    let run = run(Arith::F32, Rule::Paper, 20);
    let error = run.learn(&run.build().unwrap(), &mut witness).unwrap_err();
    assert_eq!(error.to_string(), "enough");
}

/// Otherwise the device would wait for its next step until the timeout.
#[test]
fn a_panic_takes_the_device_along() {
    let mut witness = Witness { panics_after: Some(100), ..Witness::default() };
    let run = run(Arith::F32, Rule::Paper, 20);
    let elf = run.build().unwrap();
    let started = Instant::now();
    assert!(catch_unwind(AssertUnwindSafe(|| run.learn(&elf, &mut witness))).is_err());
    assert!(started.elapsed() < run.timeout / 2, "QEMU was not stopped, but ran into its timeout");
}
