//! Kills, hangs and missing devices, on the room's device in QEMU.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use osculate_apps::boot::Cause;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::line::Request;
use osculate_apps::room::agent::Settings;
use osculate_apps::store::Origin;
use osculate_apps::supervision::Stage;

use super::often;
use super::past::{Past, requests, whole};
use osculate_host_tests::worlds::Dice;
use osculate_lab::boards::Board;
use osculate_lab::room::attached::{Attached, blank_eeprom};
use osculate_lab::room::device::Run;
use osculate_lab::room::plant::{Houses, Scene};
use osculate_lab::temporary::TemporaryFolder;

fn run(arith: Arith, seed: u64, evenings: u32) -> Run<'static> {
    let settings = Settings { seed, evenings, rule: Rule::Tracking };
    let scene = Scene { houses: Houses::Wild, ..Scene::new(seed) };
    Run { board: &Board::all()[0], arith, settings, scene, records: false, timeout: Duration::from_secs(120) }
}

/// The file of an EEPROM as delivered.
fn with_eeprom(folder: &TemporaryFolder) -> Result<String> {
    let eeprom = folder.file("eeprom")?;
    blank_eeprom(&eeprom)?;
    Ok(eeprom)
}

/// At random points of the room.
#[test]
fn a_device_that_is_killed_goes_on_bit_for_bit() -> Result<()> {
    let folder = TemporaryFolder::new()?;
    let mut dice = Dice::new(1);
    let points = often(4, 40);
    for point in 0..points {
        let run = run(if point % 2 == 0 { Arith::F32 } else { Arith::Q28 }, u64::from(point % 4), 6);
        let (elf, whole) = (run.build()?, whole(&run)?);
        let attached = Attached { eeprom: Some(&with_eeprom(&folder)?), ..Attached::default() };
        let at = 1 + dice.below(requests(&whole) as u32) as usize;
        let mut past = Past::new(&run);
        past.live(&run, &elf, &attached, Some(at))?;
        let stored = past.told.len() as u32;
        past.live(&run, &elf, &attached, None)?;
        let evenings = past.starts.get(1).map(|start| start.evenings);
        // The checkpoint of the last evening may be complete before its report is read.
        let is_next = evenings == Some(stored) || evenings == Some(stored + 1);
        ensure!(is_next, "killed at request {at}: {:?} after {stored} evenings", past.starts);
        past.compare(&whole).with_context(|| format!("killed at request {at}"))?;
    }
    println!("{points} kills at random points");
    Ok(())
}

/// It ends in a reset by the watchdog.
#[test]
fn a_hang_at_any_stage_is_ended_and_told() -> Result<()> {
    let folder = TemporaryFolder::new()?;
    let run = run(Arith::F32, 5, 4);
    let (elf, whole) = (run.build()?, whole(&run)?);
    let rounds = requests(&whole) as u32;
    let mut dice = Dice::new(2);
    let times = often(1, 10);
    for (stage, time) in Stage::ALL.into_iter().flat_map(|stage| (0..times).map(move |time| (stage, time))) {
        // Once right after the first checkpoint.
        let stores = time == 0 && stage == Stage::Store;
        let at = if stores { whole[0].trail.len() as u32 + 1 } else { 1 + dice.below(rounds - 1) };
        let words = ["hang", stage.name(), &at.to_string()].map(String::from).to_vec();
        let attached = Attached { eeprom: Some(&with_eeprom(&folder)?), words, counted: true, ..Attached::default() };
        let mut past = Past::new(&run);
        past.live(&run, &elf, &attached, None)?;
        let place = format!("{}, round {at}", stage.name());
        let causes: Vec<_> = past.boots.iter().map(|boot| &boot.cause).collect();
        ensure!(causes == [&Cause::Hang(stage)], "{place}: the next boot says {causes:?}");
        ensure!(past.starts.len() == 2, "{place}: it started {} times", past.starts.len());
        let (origin, behind) = (past.starts[1].origin, past.starts[1].evenings);
        ensure!(behind == 0 || matches!(origin, Origin::Checkpoint(_)), "{place}: it goes on from {origin:?}");
        past.compare(&whole).context(place)?;
    }
    println!("{} hangs", Stage::ALL.len() as u32 * times);
    Ok(())
}

/// Without some or all thermometers: heater off, nothing learned, counted, no hang. Without an EEPROM: learns as with one, and
/// says that nothing is stored.
#[test]
fn missing_devices_are_survived() -> Result<()> {
    let run = run(Arith::F32, 3, 2);
    let (elf, whole) = (run.build()?, whole(&run)?);
    for missing in [&[0][..], &[1], &[2], &[0, 1, 2]] {
        without_thermometers(&run, &elf, missing).with_context(|| format!("without {missing:?}"))?;
    }
    let mut past = Past::new(&run);
    past.live(&run, &elf, &Attached::default(), None)?;
    ensure!(matches!(past.starts[0].origin, Origin::Unreadable(_)), "it starts from {:?}", past.starts[0]);
    ensure!(past.stored[0] == 0, "it says that it has stored something");
    past.compare(&whole)
}

fn without_thermometers(run: &Run<'_>, elf: &Path, missing: &[usize]) -> Result<()> {
    let folder = TemporaryFolder::new()?;
    let eeprom = with_eeprom(&folder)?;
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
