//! Running a firmware binary in the emulator of its board: QEMU or rp2040js.

mod outcome;
mod pico;
mod running;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

pub use self::outcome::Outcome;
pub use self::pico::{Cut, Pico};
use self::running::{Output, Running, tied_to_this_process};
use super::boards::{Board, Emulator};
use super::image_files::{Content, uf2};
use super::log::{Line, LogTable};
use super::temporary::TemporaryFolder;
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
    /// Where the board's first serial line leads, with the syntax of QEMU's `-serial`; by default nowhere.
    pub(crate) serial: Option<String>,
    pico: Option<Pico>,
    timeout: Duration,
    stopper: Option<&'b AtomicBool>,
}

impl<'b> Emulation<'b> {
    /// A run of `elf` on `board`.
    pub fn new(board: &'b Board, elf: impl Into<PathBuf>) -> Self {
        Self {
            board,
            elf: elf.into(),
            arguments: Vec::new(),
            options: Vec::new(),
            serial: None,
            pico: None,
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

    /// Adds options to QEMU's own command line: devices, `-icount`, a QMP socket. Only for boards that QEMU runs.
    #[must_use]
    pub fn options<O: Into<OsString>>(mut self, options: impl IntoIterator<Item = O>) -> Self {
        self.options.extend(options.into_iter().map(Into::into));
        self
    }

    /// What is around the Pico, and what happens to it. Only for boards that rp2040js runs.
    #[must_use]
    pub fn pico(mut self, pico: &Pico) -> Self {
        self.pico = Some(pico.clone());
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
    /// The emulator has ended when this returns, even if `on_line` panics.
    ///
    /// # Errors
    /// If the emulator is missing or does not start, or if the run exceeds its timeout. A firmware that fails is not an
    /// error here: see [`Outcome::success`].
    pub fn run(&self, on_line: impl FnMut(&Line)) -> Result<Outcome> {
        self.run_traced(on_line, |_| false)
    }

    /// As [`run`](Self::run), and also passes on each line of the emulator's own output, such as the instructions
    /// listed by QEMU's `-d exec`. Lines that `on_trace` consumes, by returning true, are not kept.
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
        let emulator = self.emulator()?;
        // The image that rp2040js reads is deleted after the run.
        let folder = TemporaryFolder::new()?;
        let command = match emulator {
            Emulator::Qemu => self.qemu()?,
            Emulator::Rp2040js => self.rp2040js(&elf, &folder)?,
        };
        let mut running = Running::start(command)?;
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
            bail!(
                "{} was still running after {:?}, so {} was stopped; {last}",
                self.name(),
                self.timeout,
                name_of(emulator)
            );
        };
        Ok(Outcome { lines, code: status.code(), run: self.name(), emulator: name_of(emulator), stderr })
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

    fn emulator(&self) -> Result<Emulator> {
        self.board.emulator.with_context(|| format!("no emulator runs the board {}", self.board.name))
    }

    /// The firmware's command line: always with the binary's name as argument 0. QEMU's default is the file's path,
    /// which would make the firmware depend on the computer it runs on.
    fn line(&self) -> Result<Vec<String>> {
        let line: Vec<_> = [self.bin()].into_iter().chain(self.arguments.iter().cloned()).collect();
        let split = line.iter().find(|word| word.contains([' ', '\t']));
        ensure!(
            split.is_none(),
            "the firmware would split its argument `{}` at the blank",
            split.map_or("", |word| word)
        );
        Ok(line)
    }

    fn qemu(&self) -> Result<Command> {
        ensure!(self.pico.is_none(), "the board {} is no Pico", self.board.name);
        let machine = self.board.machine.as_ref();
        let machine = machine.with_context(|| format!("QEMU has no machine for the board {}", self.board.name))?;
        let mut semihosting = String::from("enable=on,target=native");
        for argument in self.line()? {
            semihosting += &format!(",arg={}", argument.replace(',', ",,"));
        }
        let mut command = tied_to_this_process(toolchain::emulator::Emulator::find()?.program);
        let serial = self.serial.as_deref().unwrap_or("null");
        command.args(["-M", machine, "-display", "none", "-monitor", "none", "-serial"]).arg(serial);
        command.args(["-semihosting-config", &semihosting]).args(&self.options).arg("-kernel").arg(&self.elf);
        Ok(command)
    }

    fn rp2040js(&self, elf: &[u8], folder: &TemporaryFolder) -> Result<Command> {
        ensure!(
            self.options.is_empty() && self.serial.is_none(),
            "rp2040js, which runs the board {}, has no options of QEMU and no serial line",
            self.board.name
        );
        let image = PathBuf::from(folder.file("image.uf2")?);
        let family = self.board.uf2.with_context(|| format!("the board {} takes no UF2 files", self.board.name))?;
        fs::write(&image, uf2::write(&Content::of_elf(elf)?, family))
            .with_context(|| format!("cannot write {}", image.display()))?;
        self.pico.clone().unwrap_or_default().command(&image, self.line()?.iter())
    }
}

/// For people.
fn name_of(emulator: Emulator) -> &'static str {
    match emulator {
        Emulator::Qemu => "QEMU",
        Emulator::Rp2040js => "rp2040js",
    }
}

/// Takes the complete lines out of the buffer and leaves the remainder.
fn take_lines(read: &mut Vec<u8>, mut on_line: impl FnMut(&str)) {
    let Some(end) = read.iter().rposition(|byte| *byte == b'\n') else { return };
    let complete: Vec<u8> = read.drain(..=end).collect();
    String::from_utf8_lossy(&complete).lines().for_each(&mut on_line);
}
