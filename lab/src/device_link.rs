//! A device in QEMU, with its serial line and control socket connected to this program, to close a control loop.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use osculate_apps::line::{Answer, Frames, MOST, Request, frame};

use super::emulation::{Emulation, Outcome};
use super::log::Line;
use super::qmp::Qmp;
use super::temporary::TemporaryFolder;

/// How long QEMU may take to connect: it loads the whole firmware first, perhaps on a busy machine.
const CONNECTS_WITHIN: Duration = Duration::from_secs(20);
/// How long QEMU may take to answer a command.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// How often a wait checks whether to go on.
const PAUSE: Duration = Duration::from_millis(20);

/// The host's end of the loop.
#[derive(Debug)]
pub struct DeviceLink {
    /// The control socket.
    pub qmp: Qmp,
    /// The firmware's log, line by line.
    pub log: Receiver<Line>,
    line: UnixStream,
    frames: Frames,
}

/// Runs a firmware in QEMU, with `body` connected to it. QEMU has ended when this returns, whatever the result.
///
/// # Errors
/// The firmware's error if it failed, since any error of `body` follows from it; otherwise that of `body`.
pub fn run<T>(qemu: Emulation<'_>, body: impl FnOnce(&mut DeviceLink) -> Result<T>) -> Result<T> {
    let folder = TemporaryFolder::new()?;
    let (line, monitor) = (folder.file("line")?, folder.file("monitor")?);
    let listen = |path: &str| {
        let listener = UnixListener::bind(path).with_context(|| format!("cannot open the socket {path}"))?;
        listener.set_nonblocking(true)?;
        anyhow::Ok(listener)
    };
    let listeners = [listen(&line)?, listen(&monitor)?];
    let stop = AtomicBool::new(false);
    let qemu = qemu.options(["-chardev", &format!("socket,id=line,path={line}"), "-qmp", &format!("unix:{monitor}")]);
    let mut qemu = qemu.stopper(&stop);
    qemu.serial = Some("chardev:line".into());
    thread::scope(|scope| {
        // Stops QEMU even if `body` panics: the scope would wait for it otherwise.
        let stopping = SetOnDrop(&stop);
        let (sender, log) = channel();
        let running = scope.spawn(move || qemu.run(|line| _ = sender.send(line.clone())));
        let is_gone = || running.is_finished();
        let result = (|| {
            let [line, monitor] = [(&listeners[0], PAUSE), (&listeners[1], ANSWERS_WITHIN)]
                .map(|(listener, patience)| connection(listener, patience, is_gone));
            body(&mut DeviceLink { line: line?, frames: Frames::new(), qmp: Qmp::new(monitor?)?, log })
        })();
        // A device that failed has closed its line. It is about to exit and report why.
        let patience = Instant::now() + 10 * PAUSE;
        while result.is_err() && !is_gone() && Instant::now() < patience {
            thread::sleep(PAUSE / 4);
        }
        let ended_by_itself = is_gone();
        if result.is_err() {
            drop(stopping);
        } else {
            // The device may still have to finish on its own.
            std::mem::forget(stopping);
        }
        let outcome = running.join().unwrap_or_else(|panic| resume_unwind(panic));
        let failure = outcome.and_then(Outcome::success).err();
        match (result, failure) {
            (Ok(value), None) => Ok(value),
            (Ok(_), Some(failure)) => Err(failure),
            (Err(_), Some(failure)) if ended_by_itself => Err(failure),
            (Err(error), _) => Err(error),
        }
    })
}

impl DeviceLink {
    /// The next request of the device; `None` if the device is gone.
    ///
    /// While there is none, `idle` is called periodically. An error from it ends the wait.
    ///
    /// # Errors
    /// The error of `idle`, or an unknown request.
    pub fn receive(&mut self, mut idle: impl FnMut() -> Result<()>) -> Result<Option<Request>> {
        let mut byte = [0];
        loop {
            match self.line.read(&mut byte) {
                Ok(0) => return Ok(None),
                Ok(_) => {
                    if let Some(request) = self.frames.push(byte[0])? {
                        return Ok(Some(request));
                    }
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => idle()?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return Ok(None),
                Err(error) => return Err(error).context("the device's line"),
            }
        }
    }

    /// Sends an answer.
    pub fn send(&mut self, answer: Answer) -> Result<()> {
        self.line.write_all(frame(&answer, &mut [0; MOST])?).context("the device's line")
    }
}

fn connection(listener: &UnixListener, patience: Duration, is_hopeless: impl Fn() -> bool) -> Result<UnixStream> {
    let deadline = Instant::now() + CONNECTS_WITHIN;
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                stream.set_read_timeout(Some(patience))?;
                return Ok(stream);
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock && !is_hopeless() && Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(_) => bail!("QEMU has not connected its line and control socket"),
        }
    }
}

struct SetOnDrop<'f>(&'f AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
