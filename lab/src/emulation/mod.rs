//! Running a firmware binary in QEMU.

mod running;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use self::running::{Output, Running, tied_to_this_process};
use super::boards::Board;
use super::log::{Line, LogTable};
use super::toolchain;

/// The longest a run may take, unless set by [`Emulation::timeout`].
pub const TIMEOUT: Duration = Duration::from_secs(60);
/// How often a run polls its [stopper](Emulation::stopper).
const PAUSE: Duration = Duration::from_millis(20);

/// A run of a firmware binary, not yet started.
#[derive(Clone, Debug)]
pub struct Emulation<'b> {
    board: &'b Board,
    elf: PathBuf,
    arguments: Vec<String>,
    options: Vec<OsString>,
    serial: OsString,
    timeout: Duration,
    stopper: Option<&'b AtomicBool>,
}

/// How a run ended, and what it logged.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The complete log.
    pub lines: Vec<Line>,
    /// The exit code: 0 for success, 101 for a firmware failure, 1 for a QEMU failure; `None` if QEMU was killed.
    pub code: Option<i32>,
    run: String,
    stderr: String,
}

impl<'b> Emulation<'b> {
    /// A run of `elf` on `board`.
    pub fn new(board: &'b Board, elf: impl Into<PathBuf>) -> Self {
        Self {
            board,
            elf: elf.into(),
            arguments: Vec::new(),
            options: Vec::new(),
            serial: "null".into(),
            timeout: TIMEOUT,
            stopper: None,
        }
    }

    /// Adds an argument to the firmware's command line, after the binary's name.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds options to QEMU's own command line: devices, `-icount`, a QMP socket.
    #[must_use]
    pub fn options<O: Into<OsString>>(mut self, options: impl IntoIterator<Item = O>) -> Self {
        self.options.extend(options.into_iter().map(Into::into));
        self
    }

    /// Connects the board's first serial line, with the syntax of QEMU's `-serial`; by default it is not connected.
    #[must_use]
    pub fn serial(mut self, line: impl Into<OsString>) -> Self {
        self.serial = line.into();
        self
    }

    /// The run ends with an error soon after this flag is set.
    #[must_use]
    pub fn stopper(mut self, flag: &'b AtomicBool) -> Self {
        self.stopper = Some(flag);
        self
    }

    /// Replaces the [`TIMEOUT`].
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Runs to the end. Passes each line of the log to `on_line` as it arrives.
    ///
    /// QEMU has ended when this returns, even if `on_line` panics.
    ///
    /// # Errors
    /// If QEMU is missing or does not start, or if the run exceeds its timeout. A firmware that fails is not an error
    /// here: see [`Outcome::success`].
    pub fn run(&self, on_line: impl FnMut(&Line)) -> Result<Outcome> {
        self.run_traced(on_line, |_| false)
    }

    /// As [`run`](Self::run), and also passes on each line of QEMU's own output, such as the instructions listed by `-d
    /// exec`. Lines that `on_trace` consumes, by returning true, are not kept.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_traced(
        &self,
        mut on_line: impl FnMut(&Line),
        mut on_trace: impl FnMut(&str) -> bool,
    ) -> Result<Outcome> {
        let elf = fs::read(&self.elf).with_context(|| format!("cannot read {}", self.elf.display()))?;
        let table = LogTable::of_elf(&elf)?;
        let mut decoder = table.decoder();
        let mut lines = Vec::new();
        let (mut unfinished, mut stderr) = (Vec::new(), String::new());

        let deadline = Instant::now() + self.timeout;
        let mut running = Running::start(self.command()?)?;
        let in_time = loop {
            if self.stopper.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                bail!("{} was stopped", self.name());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break false;
            }
            let patience = if self.stopper.is_some() { left.min(PAUSE) } else { left };
            match running.output.recv_timeout(patience) {
                Ok(Output::Log(bytes)) => decoder.push(&bytes, |line| {
                    on_line(&line);
                    lines.push(line);
                }),
                Ok(Output::Stderr(bytes)) => {
                    unfinished.extend(bytes);
                    take_lines(&mut unfinished, |line| {
                        if !on_trace(line) {
                            stderr += line;
                            stderr.push('\n');
                        }
                    });
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break true,
            }
        };
        stderr += &String::from_utf8_lossy(&unfinished);
        let status = if in_time { running.exit_status(deadline)? } else { None };
        drop(running);
        let Some(status) = status else {
            let last = lines.last().map_or("it logged nothing".into(), |line| format!("the last log line: {line}"));
            bail!("{} was still running after {:?}, so QEMU was stopped; {last}", self.name(), self.timeout);
        };
        Ok(Outcome { lines, code: status.code(), run: self.name(), stderr })
    }

    fn name(&self) -> String {
        format!("`{}` on {}", self.bin(), self.board.name)
    }

    /// The binary's name, without the hash that cargo appends to test binaries.
    fn bin(&self) -> String {
        let stem = self.elf.file_stem().unwrap_or_default().to_string_lossy();
        let is_hash = |text: &str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match stem.rsplit_once('-') {
            Some((name, hash)) if is_hash(hash) => name.into(),
            _ => stem.into_owned(),
        }
    }

    fn command(&self) -> Result<Command> {
        let machine = self.board.machine.as_ref();
        let machine = machine.with_context(|| format!("QEMU has no machine for the board {}", self.board.name))?;
        // Always with the binary's name as argument 0: QEMU's default is the file's path, which would make the firmware
        // depend on the computer it runs on.
        let mut semihosting = String::from("enable=on,target=native");
        for argument in [&self.bin()].into_iter().chain(&self.arguments) {
            ensure!(
                !argument.contains([' ', '\t']),
                "QEMU would split the firmware's argument `{argument}` at its blank"
            );
            semihosting += &format!(",arg={}", argument.replace(',', ",,"));
        }
        let mut command = tied_to_this_process(toolchain::qemu()?);
        command.args(["-M", machine, "-display", "none", "-monitor", "none", "-serial"]).arg(&self.serial);
        command.args(["-semihosting-config", &semihosting]).args(&self.options).arg("-kernel").arg(&self.elf);
        Ok(command)
    }
}

/// Takes the complete lines out of the buffer and leaves the remainder.
fn take_lines(read: &mut Vec<u8>, mut on_line: impl FnMut(&str)) {
    let Some(end) = read.iter().rposition(|byte| *byte == b'\n') else { return };
    let complete: Vec<u8> = read.drain(..=end).collect();
    String::from_utf8_lossy(&complete).lines().for_each(&mut on_line);
}

impl Outcome {
    /// The log of a run that succeeded.
    ///
    /// # Errors
    /// The [`reason`](Outcome::reason) and the end of the log, if it failed.
    pub fn success(self) -> Result<Vec<Line>> {
        let Some(reason) = self.reason() else { return Ok(self.lines) };
        let end = self.lines.iter().skip(self.lines.len().saturating_sub(20));
        bail!("{reason}; the end of its log:\n{}", end.map(|line| format!("  {line}\n")).collect::<String>());
    }

    /// Why it failed; `None` if it succeeded.
    pub fn reason(&self) -> Option<String> {
        let Outcome { run, .. } = self;
        let stderr = self.stderr.trim();
        match self.code {
            Some(0) => None,
            Some(101) => Some(format!("{run} failed")),
            Some(code) => Some(format!("QEMU ended {run} with code {code}: {stderr}")),
            None if stderr.contains("Lockup") => {
                Some(format!("{run} locked up: a fault inside a fault handler, most often a stack that left RAM"))
            }
            None => Some(format!("QEMU was killed while it ran {run}: {stderr}")),
        }
    }
}
