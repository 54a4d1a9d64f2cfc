//! A long life in a house that goes wrong all the time, on the device and on this machine.

use std::time::Duration;

use anyhow::{Context, Result};
use osculate::Q28;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::message::Message;
use osculate_apps::room::agent::Settings;
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_lab::tally::Tally;
use osculate_programs::report::Report;
use osculate_programs::soak::{Soaked, run};

const SEED: u32 = 12;
/// Reports in a life.
const REPORTS: u32 = 100;

/// Lives for this many samples in f32, and for as many in q28.
pub(crate) fn soak(samples: u32) -> Result<Vec<Tally>> {
    let mut same = Tally::new("samples with random faults and power cuts: host and device equal in every bit");
    let mut flat = Tally::new("samples with random faults and power cuts: the mark of the stack does not grow");
    for arith in [Arith::F32, Arith::Q28] {
        let host = on_host(arith, samples)?;
        let device = on_device(arith, samples)?;
        // Rare paths may be deeper, but after a tenth of the life all of them should have been taken.
        let mark = device.iter().take(device.len() / 10 + 1).map(|(_, stack)| *stack).max();
        let mut before = 0;
        for (i, (soaked, stack)) in device.iter().enumerate() {
            let expected = host.get(i);
            same.check(expected == Some(soaked), || {
                format!("{}: {soaked:?} on the device, {expected:?} on the host", arith.name())
            });
            flat.check(Some(*stack) <= mark, || {
                format!("{}: {stack} bytes after {} samples, {mark:?} before", arith.name(), soaked.samples)
            });
            // A report is about the samples since the last one.
            let since = u64::from(soaked.samples - before) - 1;
            (same.tries, flat.tries, before) = (same.tries + since, flat.tries + since, soaked.samples);
        }
        let reports = [device.len(), host.len()];
        same.check(reports[0] == reports[1], || format!("{}: {reports:?} reports on device and host", arith.name()));
    }
    Ok(vec![same, flat])
}

/// The reports of a life on this machine.
pub(crate) fn on_host(arith: Arith, samples: u32) -> Result<Vec<Soaked>> {
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
