//! Running a firmware binary in QEMU.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::boards::Board;
use super::log::{Line, LogTable};
use super::toolchain;

/// The longest a run may take, unless [`Qemu::timeout`] says otherwise.
pub const TIMEOUT: Duration = Duration::from_secs(60);
/// How often a run looks at its [stopper](Qemu::stopper).
const PAUSE: Duration = Duration::from_millis(20);

/// A run of a firmware binary, before it starts.
#[derive(Clone, Debug)]
pub struct Qemu<'b> {
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
    /// The log, complete.
    pub lines: Vec<Line>,
    /// The exit code: 0 for success, 101 for a failure of the firmware, 1 for one of QEMU; `None` where QEMU was killed.
    pub code: Option<i32>,
    run: String,
    stderr: String,
}

impl<'b> Qemu<'b> {
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

    /// Where the board's first serial line leads to, as QEMU's `-serial` takes it; otherwise nowhere.
    #[must_use]
    pub fn serial(mut self, line: impl Into<OsString>) -> Self {
        self.serial = line.into();
        self
    }

    /// The run ends with an error soon after the flag is set.
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

    /// Runs to the end. Hands each line of the log to `on_line` as it arrives.
    ///
    /// QEMU is gone when this returns, and also when `on_line` panics.
    ///
    /// # Errors
    /// Where QEMU is missing or does not start, and where the run takes longer than its timeout. A firmware that fails
    /// is no error here: see [`Outcome::success`].
    pub fn run(&self, mut on_line: impl FnMut(&Line)) -> Result<Outcome> {
        let elf = fs::read(&self.elf).with_context(|| format!("cannot read {}", self.elf.display()))?;
        let table = LogTable::of_elf(&elf)?;
        let mut decoder = table.decoder();
        let mut lines = Vec::new();

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
            match running.stdout.recv_timeout(patience) {
                Ok(bytes) => decoder.push(&bytes, |line| {
                    on_line(&line);
                    lines.push(line);
                }),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break true,
            }
        };
        let status = if in_time { running.exit_status(deadline)? } else { None };
        let stderr = running.stop();
        let Some(status) = status else {
            let last = lines.last().map_or("it logged nothing".into(), |line| format!("the last log line: {line}"));
            bail!("{} was still running after {:?}, so QEMU was stopped; {last}", self.name(), self.timeout);
        };
        Ok(Outcome { lines, code: status.code(), run: self.name(), stderr })
    }

    fn name(&self) -> String {
        format!("`{}` on {}", self.bin(), self.board.name)
    }

    /// The binary's name, without the hash that cargo appends to the files of tests.
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
        // Always with the binary's name as argument 0: QEMU's default is the file's path, which would let the firmware
        // see on which computer it runs.
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

/// Where `setpriv` (util-linux) is there, the kernel ends QEMU when this process dies, even by SIGKILL, when no
/// destructor runs. Without it such a QEMU stays; the firmware in it may spin for ever.
fn tied_to_this_process(program: PathBuf) -> Command {
    const ARGUMENTS: [&str; 2] = ["--pdeathsig", "KILL"];
    static AVAILABLE: LazyLock<bool> = LazyLock::new(|| {
        let mut probe = Command::new("setpriv");
        probe.args(ARGUMENTS).arg("true").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    });
    if !*AVAILABLE {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(ARGUMENTS).arg(program);
    command
}

/// A QEMU that is killed when this is dropped.
struct Running {
    child: Child,
    stdout: Receiver<Vec<u8>>,
    stderr: Option<JoinHandle<String>>,
}

impl Running {
    fn start(mut command: Command) -> Result<Running> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        let mut stdout = child.stdout.take().context("QEMU has no stdout")?;
        let mut stderr = child.stderr.take().context("QEMU has no stderr")?;

        // Bounded: a firmware that logs faster than its log is handled waits, instead of filling our memory.
        let (sender, receiver) = sync_channel(64);
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let stderr = thread::spawn(move || {
            let mut text = Vec::new();
            // What was read before an error is still worth showing.
            _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Ok(Running { child, stdout: receiver, stderr: Some(stderr) })
    }

    /// Waits for the exit that follows the end of stdout at once, unless QEMU hangs in it.
    fn exit_status(&mut self, deadline: Instant) -> Result<Option<ExitStatus>> {
        loop {
            let status = self.child.try_wait().context("cannot wait for QEMU")?;
            if status.is_some() || Instant::now() >= deadline {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends QEMU, if it has not ended, and returns what it said on stderr.
    fn stop(mut self) -> String {
        self.kill();
        self.stderr.take().and_then(|thread| thread.join().ok()).unwrap_or_default()
    }

    fn kill(&mut self) {
        // Both fail only where there is nothing left to end.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Outcome {
    /// The log of a run that succeeded.
    ///
    /// # Errors
    /// The [`reason`](Outcome::reason) and the end of the log, where it failed.
    pub fn success(self) -> Result<Vec<Line>> {
        let Some(reason) = self.reason() else { return Ok(self.lines) };
        let end = self.lines.iter().skip(self.lines.len().saturating_sub(20));
        bail!("{reason}; the end of its log:\n{}", end.map(|line| format!("  {line}\n")).collect::<String>());
    }

    /// Why it failed; `None` where it succeeded.
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
