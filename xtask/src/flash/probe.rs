//! probe-rs, the program that talks to debug probes.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use osculate_lab::boards::Board;
use osculate_lab::toolchain::{ambient, on_path};
use signal_hook::consts::SIGINT;
use signal_hook::flag;

use crate::build::shown;

const PROGRAM: &str = "probe-rs";
/// How long a list of probes may take. It takes some 0.1 s.
const PATIENCE: Duration = Duration::from_secs(3);

/// The probes that can be used now.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Probes {
    /// At least one, with this program.
    Found(PathBuf),
    /// probe-rs is not on the PATH.
    NoProgram,
    /// Nothing is plugged in, or nothing that this user may see.
    NonePluggedIn,
    /// There are some, but this user may not open them.
    Forbidden,
    /// probe-rs does not list them, for the reason given.
    Failed(String),
}

impl Probes {
    /// Asks probe-rs.
    pub(super) fn find() -> Result<Self> {
        let Some(program) = on_path(PROGRAM) else { return Ok(Probes::NoProgram) };
        let mut list = ambient(&program);
        list.arg("list").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = list.spawn().with_context(|| format!("cannot start {}", program.display()))?;
        let mut output = child.stdout.take().context("no output of probe-rs")?;
        let reader = thread::spawn(move || {
            let mut text = Vec::new();
            output.read_to_end(&mut text).map(|_| text)
        });
        let started = Instant::now();
        let status = loop {
            match child.try_wait()? {
                Some(status) => break status,
                None if started.elapsed() > PATIENCE => {
                    child.kill().and_then(|()| child.wait().map(|_| ())).context("cannot stop `probe-rs list`")?;
                    return Ok(Probes::Failed(format!("no answer after {} s", PATIENCE.as_secs())));
                }
                None => thread::sleep(Duration::from_millis(10)),
            }
        };
        if !status.success() {
            return Ok(Probes::Failed(status.to_string()));
        }
        let text = reader.join().ok().context("the output of probe-rs was lost")??;
        Ok(Self::listed(&String::from_utf8_lossy(&text), program))
    }

    /// Reads lines like `[0]: BBC micro:bit CMSIS-DAP -- 0d28:0204:9904… (CMSIS-DAP)`, with ` (inaccessible)` at the
    /// end if this user may not open it.
    fn listed(text: &str, program: PathBuf) -> Self {
        let is_probe = |line: &&str| {
            let number = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
            number.is_some_and(|(number, _)| number.parse::<u32>().is_ok())
        };
        let mut probes = text.lines().filter(is_probe).peekable();
        if probes.peek().is_none() {
            return Probes::NonePluggedIn;
        }
        let usable = probes.any(|line| !line.trim_end().ends_with("(inaccessible)"));
        if usable { Probes::Found(program) } else { Probes::Forbidden }
    }
}

/// The firmware handles its resets and faults itself; probe-rs would stop at them.
const GO_ON: [&str; 2] = ["--no-catch-reset", "--no-catch-hardfault"];

/// Flashes, and shows the log until the user stops it.
pub(super) fn run(program: &Path, board: &Board, elf: &Path) -> Result<()> {
    let chip = board.chip.as_deref().with_context(|| format!("{} has no chip to flash", board.name))?;
    println!("flashing {} by its probe, then showing its log; Ctrl-C stops the log, not the board", board.name);
    println!("  probe-rs run --chip {chip} {} {}", GO_ON.join(" "), shown(elf).display());
    // Ctrl-C goes to both of us: probe-rs lets go of the chip, and we wait for that.
    let stopped = Arc::new(AtomicBool::new(false));
    flag::register(SIGINT, stopped.clone()).context("cannot listen to signals")?;
    // As the user would start it: its settings may be in the environment.
    let status = Command::new(program).args(["run", "--chip", chip]).args(GO_ON).arg(elf).status();
    let status = status.with_context(|| format!("cannot start {}", program.display()))?;
    if !status.success() && !stopped.load(Ordering::Relaxed) {
        bail!(
            "probe-rs failed ({status}), see above. If it does not reach the chip, check the cable, the board's power, \
             and that `probe-rs list` shows the probe of this board"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_probe_rs_prints_it() {
        let listed = |text: &str| Probes::listed(text, "probe-rs".into());
        assert_eq!(listed("No debug probes were found.\n"), Probes::NonePluggedIn);
        assert_eq!(listed(""), Probes::NonePluggedIn);
        let found = "The following debug probes were found:\n[0]: J-Link -- 1366:1015:000683 (J-Link)\n";
        assert_eq!(listed(found), Probes::Found("probe-rs".into()));
        let forbidden = format!("{} (inaccessible)\n", found.trim_end());
        assert_eq!(listed(&forbidden), Probes::Forbidden);
        assert_eq!(listed(&(forbidden + "[1]: STLink V2 -- 0483:3748\n")), Probes::Found("probe-rs".into()));
    }
}
