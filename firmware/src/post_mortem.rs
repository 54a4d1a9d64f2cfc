//! The note that survives a reset: written when a run ends badly, read by the next one.
//!
//! It is in `.uninit`, which neither the start-up code nor a reset of the core touches. After power-on it holds
//! anything, so a note is believed only with its magic word and its digest.

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, Ordering};

use osculate_apps::boot::{Boot, Cause, Note};
use osculate_apps::supervision::Stage;

#[unsafe(link_section = ".uninit.post_mortem")]
static mut MEMORY: MaybeUninit<[u32; Note::WORDS]> = MaybeUninit::uninit();

/// How the previous run ended, if badly. To be called once at boot: it is told only once.
pub fn take() -> Option<Boot> {
    let unwanted = crate::board::unwanted_reset();
    // What was noted before a reset caused it, whatever else the chip says. (That may be older: an RP2040 forgets a reset
    // by its watchdog only when its power is cut.)
    if let (Note { cause: None, resets }, Some(cause)) = (read(), unwanted) {
        // The core could not count this reset before it happened.
        let resets = resets.saturating_add(1);
        write(&Note { cause: Some(cause), resets });
        crate::fault::stop_after(resets);
    }
    let Note { cause, resets } = read();
    write(&Note { cause: None, resets });
    cause.map(|cause| Boot { cause, resets })
}

/// The loop has come round: the next reset is the first of a new row.
pub(crate) fn round_completed() {
    let note = read();
    if note.resets > 0 {
        write(&Note { resets: 0, ..note });
    }
}

/// Leaves a note and returns how many resets in a row this makes. The first cause counts: what follows, follows from
/// it.
pub(crate) fn leave(cause: Cause) -> u32 {
    static LEFT: AtomicBool = AtomicBool::new(false);
    let Note { resets, .. } = read();
    if LEFT.load(Ordering::Relaxed) {
        return resets;
    }
    LEFT.store(true, Ordering::Relaxed);
    let resets = resets.saturating_add(1);
    write(&Note { cause: Some(cause), resets });
    resets
}

/// The stage that the loop is in, for watchdogs: some reset the chip without asking.
#[unsafe(link_section = ".uninit.stage")]
static mut STAGE: MaybeUninit<u32> = MaybeUninit::uninit();
/// Marks a stage: after power-on the memory holds anything.
const STAGE_MARK: u32 = 0x7374_6700;

/// Remembers the stage that is missing in this round.
pub(crate) fn remember(stage: Stage) {
    // SAFETY: a plain word; there is only one core.
    unsafe { (&raw mut STAGE).cast::<u32>().write_volatile(STAGE_MARK | stage as u32) }
}

/// The cause of what a watchdog does.
#[allow(dead_code, reason = "some boards have no watchdog")]
pub(crate) fn hang() -> Cause {
    // SAFETY: any bits are a word.
    let word = unsafe { (&raw const STAGE).cast::<u32>().read_volatile() };
    let stage = word.checked_sub(STAGE_MARK).and_then(|stage| Stage::ALL.get(stage as usize).copied());
    Cause::Hang(stage.unwrap_or(Stage::Act))
}

fn read() -> Note {
    // SAFETY: any bits are a word. A fault may interrupt `write`, but then the digest is wrong.
    Note::from_words(&unsafe { (&raw const MEMORY).cast::<[u32; Note::WORDS]>().read_volatile() }).unwrap_or_default()
}

fn write(note: &Note) {
    let Some(words) = note.to_words() else { return };
    // SAFETY: as in `read`; there is only one core.
    unsafe { (&raw mut MEMORY).cast::<[u32; Note::WORDS]>().write_volatile(words) }
}
