//! An emulator's process and its output.

use std::io::{ErrorKind, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// A piece of its output, cut at an arbitrary place.
pub(super) enum Output {
    /// The firmware's log.
    Log(Vec<u8>),
    /// The emulator's own messages.
    Stderr(Vec<u8>),
}

/// An emulator that is killed when this is dropped.
pub(super) struct Running {
    child: Child,
    /// Ends when the emulator does.
    pub(super) output: Receiver<Output>,
}

impl Running {
    pub(super) fn start(mut command: Command) -> Result<Running> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        let stdout = child.stdout.take().context("the emulator has no stdout")?;
        let stderr = child.stderr.take().context("the emulator has no stderr")?;
        // Bounded: if the emulator writes faster than its output is handled, it blocks instead of filling our memory.
        let (sender, output) = sync_channel(64);
        pass_on(stdout, Output::Log, sender.clone());
        pass_on(stderr, Output::Stderr, sender);
        Ok(Running { child, output })
    }

    /// Waits for the emulator to exit, which happens right after the end of its output unless it hangs.
    pub(super) fn exit_status(&mut self, deadline: Instant) -> Result<Option<ExitStatus>> {
        loop {
            let status = self.child.try_wait().context("cannot wait for the emulator")?;
            if status.is_some() || Instant::now() >= deadline {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if there is nothing left to end.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Forwards everything read from `pipe` until the receiver is gone.
fn pass_on(mut pipe: impl Read + Send + 'static, kind: fn(Vec<u8>) -> Output, sender: SyncSender<Output>) {
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        loop {
            match pipe.read(&mut buffer) {
                Ok(count @ 1..) => {
                    if sender.send(kind(buffer[..count].to_vec())).is_err() {
                        return;
                    }
                }
                // By a signal: there may be more.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return,
            }
        }
    });
}

/// If `setpriv` (util-linux) is available, the kernel ends the emulator when this process dies, even by SIGKILL, when
/// no destructor runs. Without it the emulator is orphaned, and its firmware may spin forever.
pub(super) fn tied_to_this_process(program: PathBuf) -> Command {
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
