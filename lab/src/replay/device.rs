//! Learning from a trace on a board in its emulator.

use std::fs;
use std::mem::take;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use osculate_apps::message::Message;

pub use super::format::FEATURES;
use super::format::{DeviceRecord, take_from_bytes};
use super::{Job, Learned, OnUpdate};
use crate::boards::Board;
use crate::emulation::{Emulation, TIMEOUT};
use crate::temporary::TemporaryFolder;

/// Learns on `board`; `elf` is the firmware `replay` built for it.
///
/// `on_progress` is called now and then with the number of updates done. `on_update` is called for every update once
/// the device is done.
///
/// # Errors
/// If the parameters are inconsistent, there are too many features, an episode is too long for the board, or the device
/// fails or hangs.
pub fn run(
    board: &Board,
    elf: &Path,
    job: &Job<'_>,
    mut on_progress: impl FnMut(u32),
    on_update: OnUpdate<'_>,
) -> Result<()> {
    job.config.check()?;
    let n = job.trace.features();
    ensure!(n <= FEATURES, "{n} features per step; a board takes at most {FEATURES}, `--on host` more");
    let folder = TemporaryFolder::new()?;
    let (trace, results) = (folder.file("trace")?, folder.file("results")?);
    fs::write(&trace, job.to_bytes()?).with_context(|| format!("cannot write {trace}"))?;

    // The slowest core takes a tenth of this per step.
    let timeout = TIMEOUT + Duration::from_millis(2) * job.trace.steps().try_into().unwrap_or(u32::MAX);
    let run = Emulation::new(board, elf).argument(&trace).argument(&results).timeout(timeout).run(|line| {
        if let Ok(Some(Message::Updates(count))) = line.told() {
            on_progress(count);
        }
    })?;
    run.success()?;

    let bytes = fs::read(&results).with_context(|| format!("cannot read {results}"))?;
    let (mut rest, mut updates) = (&bytes[..], 0);
    let (mut expected, mut weights, mut estimate) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let (record, after) =
            take_from_bytes(rest).with_context(|| format!("the results of {} make no sense", board.name))?;
        rest = after;
        match record {
            DeviceRecord::Expected(values) => expected.extend(values),
            DeviceRecord::Weights(bits) => weights.extend(bits),
            DeviceRecord::Estimate(bits) => estimate.extend(bits),
            DeviceRecord::Report(report) => {
                let (weights, estimate) = (take(&mut weights), take(&mut estimate));
                let all = [&weights, &estimate].iter().all(|bits| bits.len() == n);
                ensure!(all, "the results of {} have an update without its weights", board.name);
                on_update(Learned { report, weights, estimate, expected: take(&mut expected) });
                updates += 1;
            }
            DeviceRecord::Full(full) => return Err(job.trace.too_long(updates, full, &board.name)),
            DeviceRecord::End => {
                let all = job.trace.episodes();
                ensure!(updates == all, "{} has made {updates} updates, not {all}", board.name);
                return Ok(());
            }
        }
    }
}
