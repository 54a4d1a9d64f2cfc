//! Kills, hangs and missing devices, on the room's device in QEMU.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use osculate_apps::boot::Cause;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::line::Request;
use osculate_apps::room::agent::Settings;
use osculate_apps::store::Origin;
use osculate_apps::supervision::Stage;

use super::past::{Past, requests, whole};
use osculate_host_tests::worlds::Dice;
use osculate_lab::boards::Board;
use osculate_lab::room::attached::{Attached, blank_eeprom};
use osculate_lab::room::device::Run;
use osculate_lab::room::plant::{Houses, Scene};
use osculate_lab::tally::Tally;
use osculate_lab::temporary::TemporaryFolder;

fn run(arith: Arith, seed: u64, evenings: u32) -> Run<'static> {
    let settings = Settings { seed, evenings, rule: Rule::Tracking };
    let scene = Scene { houses: Houses::Wild, ..Scene::new(seed) };
    Run { board: &Board::all()[0], arith, settings, scene, records: false, timeout: Duration::from_secs(120) }
}

/// Kills QEMU at this many random points of the room, and starts it again.
pub(crate) fn kills_in_the_room(points: u32) -> Result<Vec<Tally>> {
    let mut tally = Tally::new("killed at a random point, the room goes on from its checkpoint bit for bit");
    let folder = TemporaryFolder::new()?;
    let eeprom = folder.file("eeprom")?;
    let mut dice = Dice::new(1);
    for point in 0..points {
        let run = run(if point % 2 == 0 { Arith::F32 } else { Arith::Q28 }, u64::from(point % 4), 6);
        let (elf, whole) = (run.build()?, whole(&run)?);
        blank_eeprom(&eeprom)?;
        let attached = Attached { eeprom: Some(&eeprom), ..Attached::default() };
        let at = 1 + dice.below(requests(&whole) as u32) as usize;
        let mut past = Past::new(&run);
        let lived = past.live(&run, &elf, &attached, Some(at)).and_then(|()| {
            let stored = past.told.len() as u32;
            past.live(&run, &elf, &attached, None)?;
            let start = past.starts.get(1).copied();
            let evenings = start.map(|start| start.evenings);
            // The checkpoint of the last evening may be complete before its report is read.
            ensure!(evenings == Some(stored) || evenings == Some(stored + 1), "{start:?} after {stored} evenings");
            past.compare(&whole)
        });
        tally.count(lived.map_err(|error| format!("at request {at}: {error:#}")));
    }
    Ok(vec![tally])
}

/// Lets the device hang at each stage of its loop, this many times.
pub(crate) fn hangs(times: u32) -> Result<Vec<Tally>> {
    let mut tally =
        Tally::new("a hang at any stage ends in a watchdog reset, is told, and goes on from the checkpoint");
    let folder = TemporaryFolder::new()?;
    let eeprom = folder.file("eeprom")?;
    let run = run(Arith::F32, 5, 4);
    let (elf, whole) = (run.build()?, whole(&run)?);
    let rounds = requests(&whole) as u32;
    let mut dice = Dice::new(2);
    for stage in Stage::ALL {
        for time in 0..times {
            blank_eeprom(&eeprom)?;
            // Once right after the first checkpoint.
            let stores = time == 0 && stage == Stage::Store;
            let at = if stores { whole[0].trail.len() as u32 + 1 } else { 1 + dice.below(rounds - 1) };
            let words = ["hang", stage.name(), &at.to_string()].map(String::from).to_vec();
            let attached = Attached { eeprom: Some(&eeprom), words, counted: true, ..Attached::default() };
            let mut past = Past::new(&run);
            let lived = past.live(&run, &elf, &attached, None).and_then(|()| {
                let causes: Vec<_> = past.boots.iter().map(|boot| &boot.cause).collect();
                ensure!(causes == [&Cause::Hang(stage)], "the next boot says {causes:?}");
                ensure!(past.starts.len() == 2, "it started {} times", past.starts.len());
                let (origin, behind) = (past.starts[1].origin, past.starts[1].evenings);
                ensure!(behind == 0 || matches!(origin, Origin::Checkpoint(_)), "it goes on from {origin:?}");
                past.compare(&whole)
            });
            tally.count(lived.map_err(|error| format!("{}, round {at}: {error:#}", stage.name())));
        }
    }
    Ok(vec![tally])
}

/// Runs the device without its EEPROM, and without some or all of its thermometers.
pub(crate) fn absent_devices() -> Result<Vec<Tally>> {
    let mut safe = Tally::new("a missing thermometer: heater off, nothing learned, counted, no hang");
    let mut alone = Tally::new("a missing EEPROM: learns as with one, and says that nothing is stored");
    let run = run(Arith::F32, 3, 2);
    let (elf, whole) = (run.build()?, whole(&run)?);
    for missing in [&[0][..], &[1], &[2], &[0, 1, 2]] {
        safe.count(
            without_thermometers(&run, &elf, missing).map_err(|error| format!("without {missing:?}: {error:#}")),
        );
    }
    let mut past = Past::new(&run);
    let lived = past.live(&run, &elf, &Attached::default(), None).and_then(|()| {
        ensure!(matches!(past.starts[0].origin, Origin::Unreadable(_)), "it starts from {:?}", past.starts[0]);
        ensure!(past.stored[0] == 0, "it says that it has stored something");
        past.compare(&whole)
    });
    alone.count(lived.map_err(|error| format!("{error:#}")));
    Ok(vec![safe, alone])
}

fn without_thermometers(run: &Run<'_>, elf: &Path, missing: &[usize]) -> Result<()> {
    let folder = TemporaryFolder::new()?;
    let eeprom = folder.file("eeprom")?;
    blank_eeprom(&eeprom)?;
    let mut past = Past::new(run);
    let thermometers = [0, 1, 2].map(|number| !missing.contains(&number));
    past.live(run, elf, &Attached { thermometers, eeprom: Some(&eeprom), ..Attached::default() }, None)?;
    let heated = past.requests.iter().filter(|request| matches!(request, Request::Heat(1..)));
    ensure!(heated.count() == 0, "the heater was on");
    ensure!(past.told.len() == run.settings.evenings as usize, "it has reported {} evenings", past.told.len());
    let (first, samples) = (&past.told[0].1, past.requests.len() as u32);
    ensure!(first.weights.iter().all(|bits| *bits == 0), "the weights have moved");
    for (_, evening) in &past.told {
        ensure!(evening.model == first.model && evening.weights == first.weights, "something was learned");
    }
    let silences: u32 = past.told.iter().map(|(_, evening)| evening.silences).sum();
    ensure!(silences == samples, "{silences} of {samples} samples are counted");
    ensure!(past.faults.total() >= samples, "{} faults in {samples} samples", past.faults.total());
    Ok(())
}
