//! One line per evening and power cut, for files and pipes.

use std::io::{ErrorKind, Write};

use anyhow::Result;
use osculate_lab::room::power_cut::PowerCut;
use osculate_lab::room::run_log::{Evening, cost};

use super::Header;
use super::stop::Stop;
use crate::demo::power_cut::sentence;

/// Writes the line of an evening and flushes it.
pub(super) fn evening(out: &mut dyn Write, header: &Header, evening: u32, told: &Evening) -> Result<()> {
    write(out, &line(header, evening, told))
}

/// Writes the line of a power cut and flushes it.
pub(super) fn power_cut(out: &mut dyn Write, cut: &PowerCut) -> Result<()> {
    write(out, &sentence(cut))
}

fn write(out: &mut dyn Write, line: &str) -> Result<()> {
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Stop::PipeClosed.into()),
        written => Ok(written?),
    }
}

fn line(header: &Header, evening: u32, told: &Evening) -> String {
    let cost = cost(&told.trail);
    let thermostat = &header.baselines[0];
    let against = thermostat.of(evening).map_or_else(String::new, |theirs| {
        format!("  {:>+5.0} % against the {}", (cost / theirs - 1.0) * 100.0, thermostat.name)
    });
    let report = if told.is_reported() {
        let Evening { theta, explored, fallbacks, .. } = told;
        format!("{} {theta:>7.3}  explored {explored:>2}  fallback {fallbacks:>2}", header.step_name())
    } else {
        "power cut".to_owned()
    };
    format!("evening {evening:>3}  {:>3} steps  cost {cost:.3}{against}  {report}", told.trail.len())
}
