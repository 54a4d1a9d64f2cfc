//! `cargo xtask demo`: the firmware learns to heat a room in QEMU, and the host simulates the room.

mod many;
mod neighbours;
mod options;
mod picture;
#[cfg(test)]
mod sample;
mod summary;
mod view;

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write, stdout};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use osculate_apps::room::agent::{STEPS, Settings};
use osculate_lab::drawing;
use osculate_lab::emulation::TIMEOUT;
use osculate_lab::room::device::{Observer, Recorded, Run};
use osculate_lab::room::plant::Scene;
use osculate_lab::room::power_cut::PowerCut;
use osculate_lab::room::record;
use osculate_lab::room::run_log::{Baseline, Evening, LAST, RunLog};
use osculate_lab::room::test_bed::Moment;
use osculate_lab::room::weather::Recording;
use osculate_lab::waiting;

use self::neighbours::{HOUSES, Neighbours};
use self::view::{View, sentence};
use crate::{choice, repository, setup};

pub(crate) use options::Options;

/// The time of a step with `--watch`.
const WATCHED_STEP: Duration = Duration::from_millis(40);

/// Runs the baselines first, then the device, live; finally prints a table and the command to repeat the run, and draws
/// a picture.
pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(houses) = options.many {
        return many::run(&(options.seed..=options.seed.saturating_add(houses - 1)));
    }
    choice::ensure_folder(&options.json)?;
    choice::ensure_folder(&options.record)?;
    let board = options.board()?;
    let scene = scene(options)?;
    setup::ensure()?;

    let settings = Settings { seed: options.seed, evenings: options.evenings, rule: options.rule };
    let last = LAST.min(settings.evenings as usize);
    println!("other controllers first, in the same {} evenings; cost per step in the last {last}:", settings.evenings);
    let baselines = Baseline::all(&scene, settings.evenings)?;
    let costs = baselines.iter().map(|baseline| format!("{} {:.3}", baseline.name, baseline.last_cost()));
    println!("  {}", costs.collect::<Vec<_>>().join(", "));
    println!("the same in {HOUSES} houses of each kind, all rules, on this machine with the device's code:");
    let neighbours = Neighbours::visit(&scene, settings.evenings, options.arith, HOUSES)?;
    let most_steps = STEPS as u32 * settings.evenings;
    let run = Run {
        board,
        arith: options.arith,
        settings,
        scene,
        records: options.record.is_some(),
        // Ten times the time of a step on a busy machine.
        timeout: TIMEOUT + (Duration::from_millis(50) + options.pause(WATCHED_STEP)) * most_steps,
    };
    let building = format!("building the firmware for {} ({})", board.name, board.core);
    let elf = waiting::during(&building, || run.build())?;

    let place = format!("{} ({}) in QEMU", board.name, board.core);
    println!("seed {}, {}, rule {}, {place}", options.seed, run.arith.name(), settings.rule.name());
    let started = Instant::now();
    let view = View::new(settings.rule, settings.evenings, &baselines[0]);
    let pause = options.pause(WATCHED_STEP);
    let mut audience = Audience { view, pause, evenings: Vec::new(), recorded: Vec::new(), power_cut: None };
    let size = match options.power_cut {
        Some(evening) => run.learn_with_power_cut(&elf, evening, &mut audience),
        None => run.learn(&elf, &mut audience),
    }?;
    let took = started.elapsed();

    let Run { scene, arith, .. } = run;
    let Audience { evenings, recorded, power_cut, .. } = audience;
    let run = RunLog { scene, arith, rule: settings.rule, place, evenings, power_cut, baselines };
    let command = options.command();
    summary::print(&run, &neighbours, &size, took);
    if let Some(path) = &options.record {
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        record::write(&recorded, BufWriter::new(file))?;
        let again =
            options.replay(path).map_or_else(String::new, |command| format!("; `{command}` gives the same bits"));
        println!("recorded: {}{again}", path.display());
    }
    if let Some(path) = &options.json {
        fs::write(path, format!("{:#}\n", run.to_json()))
            .with_context(|| format!("cannot write {}", path.display()))?;
        println!("numbers:  {}", path.display());
    }
    let folder = options.pictures.clone().unwrap_or_else(|| repository().join("target").join("demo"));
    let picture = drawing::write(&picture::svg(&run, &neighbours), &folder, "room")?;
    println!("picture:  {}", picture.display());
    println!("repeat:   {command}");
    Ok(())
}

fn scene(options: &Options) -> Result<Scene> {
    let weather = options.weather.as_ref().map(|path| {
        let name = path.display();
        let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
        Recording::read(BufReader::new(file)).map(Arc::new).with_context(|| format!("{name}"))
    });
    let Options { seed, houses, restarts, window_open, carpet, power_cut, evenings: last, .. } = *options;
    for (event, evening) in [("window-open", window_open), ("carpet", carpet), ("power-cut", power_cut)] {
        let known = evening.is_none_or(|evening| (1..=last).contains(&evening));
        ensure!(known, "`--{event} {}`: there are the evenings 1 to {last}", evening.unwrap_or_default());
    }
    Ok(Scene { seed, houses, restarts, weather: weather.transpose()?, window_open, carpet })
}

/// Shows the run and records it.
struct Audience<'r> {
    view: View<'r>,
    pause: Duration,
    evenings: Vec<Evening>,
    recorded: Vec<Vec<Recorded>>,
    power_cut: Option<PowerCut>,
}

/// An error if nobody reads it any more.
fn show(text: &str) -> Result<()> {
    Ok(stdout().write_all(text.as_bytes()).and_then(|()| stdout().flush())?)
}

impl Observer for Audience<'_> {
    fn step(&mut self, evening: u32, _: u32, moment: &Moment) -> Result<()> {
        sleep(self.pause);
        show(&self.view.step(evening, moment))
    }

    fn evening(&mut self, evening: u32, told: Evening, recorded: Vec<Recorded>) -> Result<()> {
        show(&self.view.evening(evening, &told))?;
        // What the device forgot is not what it has learned from.
        if told.is_reported() {
            self.recorded.push(recorded);
        }
        self.evenings.push(told);
        Ok(())
    }

    fn power_cut(&mut self, cut: PowerCut) -> Result<()> {
        self.power_cut = Some(cut);
        show(&self.view.power_cut(&cut))?;
        let kept = cut.start.is_none_or(|start| start.evenings == cut.evening - 1);
        ensure!(kept, "{}: what it had learned is lost", sentence(&cut));
        Ok(())
    }
}
