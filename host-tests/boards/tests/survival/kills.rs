//! QEMU is killed while its device writes to an EEPROM, again and again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use osculate_host_tests::worlds::Dice;
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_lab::room::attached::{Attached, blank_eeprom};
use osculate_lab::temporary::TemporaryFolder;
use osculate_programs::keep::Found;
use osculate_programs::report::Report;

use crate::often;

#[test]
fn a_device_that_is_killed_while_it_stores_has_lost_nothing_else() -> Result<()> {
    let board = &Board::all()[0];
    let elf = firmware::build(board, "keep", &[])?;
    let folder = TemporaryFolder::new()?;
    let eeprom = folder.file("eeprom")?;
    blank_eeprom(&eeprom)?;
    let attached = Attached { eeprom: Some(&eeprom), ..Attached::default() };
    let (mut dice, mut found_torn, mut last) = (Dice::new(3), 0, 0);
    let kills = often(10, 100);
    for kill in 0..=kills {
        let stop = AtomicBool::new(false);
        let qemu = attached.add_to(Emulation::new(board, &elf).argument("1000000").stopper(&stop));
        let (mut found, mut stored, before) = (None, 0, last);
        let (after, later) = (dice.below(12), Duration::from_micros(dice.below(5000).into()));
        let ended = qemu.run(|line| {
            match line.reported() {
                Ok(Some(Report::Found(it))) => found = Some(it),
                Ok(Some(Report::Stored(Ok(sequence)))) => (stored, last) = (stored + 1, sequence),
                _ => {}
            }
            if found.is_some() && stored >= after {
                // A moment later it is anywhere in its next checkpoints.
                thread::sleep(later);
                stop.store(true, Ordering::Relaxed);
            }
        });
        // A kill is an error of the run, but the device must not have ended by itself.
        if let Ok(outcome) = ended {
            outcome.success().context("the device has ended by itself")?;
        }
        if kill > 0 {
            let found: Found = found.with_context(|| format!("kill {kill}: it found nothing at all"))?;
            found_torn += u32::from(found.damaged > 0);
            ensure!(found.is_intact, "kill {kill}: number {} is not what was stored", found.sequence);
            ensure!(found.sequence >= before, "kill {kill}: number {} after number {before}", found.sequence);
        }
    }
    println!("{kills} kills while it stores; {found_torn} boots found a torn checkpoint");
    ensure!(found_torn > 0, "no checkpoint was torn, so nothing was tried");
    Ok(())
}
