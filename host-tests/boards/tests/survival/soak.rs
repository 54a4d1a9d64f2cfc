//! A long life in a house that goes wrong all the time, on the device and on this machine.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use osculate::Q28;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::message::Message;
use osculate_apps::room::agent::Settings;
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_programs::report::Report;
use osculate_programs::soak::{Soaked, run};

use crate::often;

const SEED: u32 = 12;
/// Reports in a life.
const REPORTS: u32 = 100;

/// In f32 and in q28: every bit, and the mark of the stack does not grow.
#[test]
fn a_long_life_is_the_same_on_host_and_device() -> Result<()> {
    let samples = often(20_000, 1_000_000);
    for arith in [Arith::F32, Arith::Q28] {
        let (host, device) = (on_host(arith, samples)?, on_device(arith, samples)?);
        let (told, marks): (Vec<Soaked>, Vec<u32>) = device.into_iter().unzip();
        for (here, there) in host.iter().zip(&told) {
            ensure!(here == there, "{}: {there:?} on the device, {here:?} on the host", arith.name());
        }
        let last = host.last().context("no report")?;
        ensure!(told.len() == host.len() && last.samples == samples, "{}: it ends early", arith.name());
        // Rare paths may be deeper, but after a tenth of the life all of them should have been taken.
        let (early, late) = marks.split_at(marks.len() / 10 + 1);
        ensure!(late.iter().max() <= early.iter().max(), "{}: the stack grows: {marks:?}", arith.name());
        println!("{}: {samples} samples, every bit equal; stack {:?}", arith.name(), early.iter().max());
        // Otherwise nothing was tried.
        ensure!(last.boots > 5 && last.resumed > 5 && last.faults > 500, "{last:?}");
    }
    Ok(())
}

/// The reports of a life on this machine.
fn on_host(arith: Arith, samples: u32) -> Result<Vec<Soaked>> {
    let settings = Settings { seed: SEED.into(), evenings: u32::MAX, rule: Rule::Tracking };
    let mut reports = Vec::new();
    let life = if arith == Arith::Q28 { run::<Q28> } else { run::<f32> };
    life(&settings, samples, samples / REPORTS, &mut |soaked| reports.push(soaked))?;
    Ok(reports)
}

fn on_device(arith: Arith, samples: u32) -> Result<Vec<(Soaked, u32)>> {
    let board = &Board::all()[0];
    let elf = firmware::build(board, "soak", &[])?;
    let mut qemu = Emulation::new(board, elf).timeout(Duration::from_secs(60) + Duration::from_millis(2) * samples);
    for word in [arith.name(), &SEED.to_string(), &samples.to_string(), &(samples / REPORTS).to_string()] {
        qemu = qemu.argument(word);
    }
    let (mut reports, mut waiting) = (Vec::new(), None);
    for line in qemu.run(|_| ())?.success()? {
        if let Some(Report::Soaked(soaked)) = line.reported()? {
            waiting = Some(soaked);
        } else if let Some(Message::Stack(bytes)) = line.told()? {
            reports.push((waiting.take().context("a mark without a report")?, bytes));
        }
    }
    Ok(reports)
}
