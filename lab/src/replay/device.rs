//! Learning from a trace on a board in QEMU.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::format::{END, FULL, UPDATE, Update};
use super::{Full, Job, OnUpdate};
use crate::boards::Board;
use crate::qemu::{Qemu, TIMEOUT};
use crate::temporary::TemporaryFolder;

/// Features per step that the firmware has room for.
pub const FEATURES: usize = 32;

/// Learns on `board`, where `elf` is its firmware `replay`.
///
/// `on_progress` hears now and then how many updates are done; `on_update` hears of all of them, when the device is done.
///
/// # Errors
/// Where the parameters do not go together, there are too many features, an episode is too long for the board, or the device fails or hangs.
pub fn run(
    board: &Board,
    elf: &Path,
    job: &Job<'_>,
    mut on_progress: impl FnMut(u32),
    on_update: OnUpdate<'_>,
) -> Result<()> {
    job.config.check(job.arith)?;
    let n = job.trace.features();
    ensure!(n <= FEATURES, "{n} features per step; a board takes at most {FEATURES}, `--on host` more");
    let folder = TemporaryFolder::new()?;
    let (trace, results) = (folder.file("trace")?, folder.file("results")?);
    fs::write(&trace, job.to_bytes()?).with_context(|| format!("cannot write {trace}"))?;

    // The slowest core takes a tenth of this for a step.
    let timeout = TIMEOUT + Duration::from_millis(2) * job.trace.steps().try_into().unwrap_or(u32::MAX);
    let run = Qemu::new(board, elf).argument(&trace).argument(&results).timeout(timeout).run(|line| {
        if let Some(count) = line.message.strip_prefix("updates ").and_then(|count| count.parse().ok()) {
            on_progress(count);
        }
    })?;
    run.success()?;

    let bytes = fs::read(&results).with_context(|| format!("cannot read {results}"))?;
    let mut results = Results { rest: &bytes, job };
    let mut updates = 0;
    loop {
        match results.next().with_context(|| format!("the results of {} make no sense", board.name))? {
            Record::Update(update, weights, averaged) => on_update(&update, &weights, &averaged),
            Record::Full(full) => return Err(job.trace.too_long(updates, full, &board.name)),
            Record::End => {
                let all = job.trace.episodes();
                ensure!(updates == all, "{} has made {updates} updates, not {all}", board.name);
                return Ok(());
            }
        }
        updates += 1;
    }
}

/// What a device has to say.
enum Record {
    Update(Update, Vec<u64>, Vec<u64>),
    End,
    Full(Full),
}

/// A device's results, read record by record.
struct Results<'b> {
    rest: &'b [u8],
    job: &'b Job<'b>,
}

impl Results<'_> {
    fn next(&mut self) -> Result<Record> {
        match self.rest.first() {
            Some(&UPDATE) => {
                let update = Update::from_bytes(&self.take()?).context("an unknown verdict")?;
                Ok(Record::Update(update, self.weights()?, self.weights()?))
            }
            Some(&END) => Ok(Record::End),
            Some(&FULL) => Ok(Record::Full(Full::from_bytes(&self.take()?).context("an unknown limit")?)),
            Some(other) => bail!("an unknown record {other}"),
            None => bail!("they end too early"),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk().context("they end too early")?;
        self.rest = rest;
        Ok(*bytes)
    }

    fn weights(&mut self) -> Result<Vec<u64>> {
        let Job { trace, arith, .. } = *self.job;
        let weight = |_| match arith.bytes() {
            8 => Ok(u64::from_le_bytes(self.take()?)),
            _ => Ok(u32::from_le_bytes(self.take()?).into()),
        };
        (0..trace.features()).map(weight).collect()
    }
}
