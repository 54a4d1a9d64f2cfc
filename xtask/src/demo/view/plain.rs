//! One line per evening, for files and pipes.

use std::io::{ErrorKind, Write};

use anyhow::Result;
use osculate_lab::room::run_log::{Evening, cost};

use super::Header;
use super::stop::Stop;

/// Writes the line of an evening and flushes it.
pub(super) fn evening(out: &mut dyn Write, header: &Header, evening: u32, told: &Evening) -> Result<()> {
    match writeln!(out, "{}", line(header, evening, told)).and_then(|()| out.flush()) {
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
    format!(
        "evening {evening:>3}  {:>3} steps  cost {cost:.3}{against}  {} {:>7.3}  explored {:>2}  fallback {:>2}",
        told.trail.len(),
        header.step_name(),
        told.theta,
        told.explored,
        told.fallbacks
    )
}
