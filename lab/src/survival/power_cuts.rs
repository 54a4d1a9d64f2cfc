//! Checkpoints, while the power fails and while bits flip.

use anyhow::{Result, ensure};
use osculate_apps::store::StoreError;

use super::parts::{FLASH_PAGE, Part, TornEeprom, TornFlash};
use super::{Progress, Tally};
use crate::dice::Dice;

const SEED: u64 = 20;

/// The parts and lengths of checkpoints that are tried.
const WORLDS: u32 = 7;

/// A checkpoint as it was stored: its sequence number and its bytes.
type Stored = (u32, Vec<u8>);

/// The power fails at every step of this many writes, and twice in a row at every pair of steps of one more.
///
/// # Errors
/// If a part fails while nothing is wrong with its power.
pub fn power_cuts(writes: u32, progress: &Progress) -> Result<Vec<Tally>> {
    let each = writes.div_ceil(WORLDS);
    progress.begin(u64::from(each * WORLDS) + 2);
    let mut eeprom = Cuts {
        once: Tally::new("EEPROM, power cut at every byte of a write: the new checkpoint or the one before boots"),
        after: Tally::new("EEPROM, the write after that: its checkpoint boots"),
        twice: Tally::new("EEPROM, a second cut at every byte of that: the new checkpoint or the one before boots"),
    };
    let mut flash = Cuts {
        once: Tally::new(
            "flash, power cut at every byte and in every erase: the new checkpoint or the one before boots",
        ),
        after: Tally::new("flash, the write after that: its checkpoint boots"),
        twice: Tally::new("flash, a second cut in that: the new checkpoint or the one before boots"),
    };
    eeprom.live(TornEeprom::<60>::new(1), each, progress)?;
    eeprom.live(TornEeprom::<300>::new(2), each, progress)?;
    eeprom.live(TornEeprom::<700>::new(3), each, progress)?;
    flash.live(TornFlash::<60>::new(3, 4), each, progress)?;
    flash.live(TornFlash::<300>::new(8, 5), each, progress)?;
    flash.live(TornFlash::<700>::new(2, 6), each, progress)?;
    flash.live(TornFlash::<1500>::new(4, 7), each, progress)?;
    eeprom.cut_twice(TornEeprom::<100>::new(8), progress)?;
    flash.cut_twice(TornFlash::<100>::new(2, 9), progress)?;
    Ok([eeprom, flash].into_iter().flat_map(|cuts| [cuts.once, cuts.after, cuts.twice]).collect())
}

/// Every bit of everything stored is flipped, one after the other, after this many checkpoints.
///
/// # Errors
/// If a part fails while no bit is flipped.
pub fn bit_flips(records: u32, progress: &Progress) -> Result<Vec<Tally>> {
    progress.begin(2 * 8 * FLASH_PAGE as u64);
    let mut eeprom =
        Tally::new("EEPROM, every single bit flipped: the newest checkpoint or the one before boots, unchanged");
    let mut flash =
        Tally::new("flash, every single bit flipped: the newest checkpoint or the one before boots, unchanged");
    flip(TornEeprom::<300>::new(1), records, &mut eeprom, progress)?;
    flip(TornFlash::<300>::new(8, 2), records, &mut flash, progress)?;
    Ok(vec![eeprom, flash])
}

fn flip<P: Part>(mut part: P, records: u32, tally: &mut Tally, progress: &Progress) -> Result<()> {
    ensure!(records >= 2, "there is no checkpoint before the newest");
    let mut dice = Dice::new(SEED);
    let mut stored = Vec::new();
    for _ in 0..records {
        stored.push(store::<P>(&mut part, any_bytes::<P>(&mut dice))?);
    }
    for at in 0..part.cells().len() {
        for bit in 0..8 {
            part.cells()[at] ^= 1 << bit;
            let boots = newest(&mut part);
            part.cells()[at] ^= 1 << bit;
            tally.count(one_of(&boots, stored.iter().rev().take(2).map(Some), || format!("bit {bit} of byte {at}")));
        }
        progress.add(1);
    }
    Ok(())
}

struct Cuts {
    once: Tally,
    after: Tally,
    twice: Tally,
}

impl Cuts {
    /// The power fails at every step of many writes to one part.
    fn live<P: Part>(&mut self, mut part: P, writes: u32, progress: &Progress) -> Result<()> {
        let mut dice = Dice::new(SEED);
        let mut before = None;
        for write in 0..writes {
            let bytes = any_bytes::<P>(&mut dice);
            let Steps { whole, stored, steps, boot } = uncut(&part, &bytes)?;
            let life_goes_on = dice.below(2 * steps as u32);
            let mut next = (whole, Some(stored.clone()));
            for step in 1..=steps {
                let mut torn = part.clone();
                torn.cut_at(boot + step);
                // It fails, unless all that is missing is the rest of the last byte read.
                _ = store(&mut torn, bytes.clone());
                torn.restore_power();
                let boots = newest(&mut torn);
                let place = || format!("{} of up to {} bytes, write {write}, step {step}", P::NAME, P::MOST);
                self.once.count(one_of(&boots, [Some(&stored), before.as_ref()], place));
                if step == u64::from(life_goes_on) {
                    next = (torn.clone(), boots.unwrap_or_default());
                }
                let again = store(&mut torn, any_bytes::<P>(&mut dice));
                let kept = again.map_err(|why| format!("{}: {why}", place()));
                self.after.count(kept.and_then(|stored| one_of(&newest(&mut torn), [Some(&stored)], place)));
            }
            (part, before) = next;
            progress.add(1);
        }
        Ok(())
    }

    /// The power fails at every step of a write, and then at every step of the next.
    fn cut_twice<P: Part>(&mut self, mut part: P, progress: &Progress) -> Result<()> {
        let mut dice = Dice::new(SEED);
        // Both pages of flash are full, so both writes begin with an erase.
        for _ in 0..16 {
            store(&mut part, any_bytes::<P>(&mut dice))?;
        }
        let (first, second) = (any_bytes::<P>(&mut dice), any_bytes::<P>(&mut dice));
        let Steps { steps, boot, .. } = uncut(&part, &first)?;
        for step in 1..=steps {
            let mut torn = part.clone();
            torn.cut_at(boot + step);
            _ = store(&mut torn, first.clone());
            torn.restore_power();
            let before = newest(&mut torn)?;
            let Steps { stored, steps, boot, .. } = uncut(&torn, &second)?;
            for again in 1..=steps {
                let mut torn = torn.clone();
                torn.cut_at(boot + again);
                _ = store(&mut torn, second.clone());
                torn.restore_power();
                let place = || format!("{}, steps {step} and {again}", P::NAME);
                self.twice.count(one_of(&newest(&mut torn), [Some(&stored), before.as_ref()], place));
            }
        }
        progress.add(1);
        Ok(())
    }
}

/// A write that nothing disturbs.
struct Steps<P> {
    whole: P,
    stored: Stored,
    /// Its steps.
    steps: u64,
    /// The steps before it, in which the device boots.
    boot: u64,
}

fn uncut<P: Part>(part: &P, bytes: &[u8]) -> Result<Steps<P>> {
    let mut whole = part.clone();
    let begin = whole.steps();
    newest(&mut whole)?;
    let boot = whole.steps() - begin;
    let mut whole = part.clone();
    let stored = store(&mut whole, bytes.to_vec())?;
    let steps = whole.steps() - begin - boot;
    Ok(Steps { whole, stored, steps, boot })
}

/// Boots, reads the newest checkpoint, and stores another.
fn store<P: Part>(part: &mut P, bytes: Vec<u8>) -> Result<Stored, StoreError> {
    let mut checkpoints = part.boot()?;
    checkpoints.newest(&mut vec![0; P::MOST])?;
    Ok((checkpoints.store(&bytes)?, bytes))
}

/// Boots, and reads the newest checkpoint.
fn newest<P: Part>(part: &mut P) -> Result<Option<Stored>, StoreError> {
    let mut buffer = vec![0; P::MOST];
    let found = part.boot()?.newest(&mut buffer)?;
    Ok(found.map(|found| (found.sequence, found.bytes.to_vec())))
}

/// Random bytes of a random length, sometimes the longest, sometimes all erased or all zero.
fn any_bytes<P: Part>(dice: &mut Dice) -> Vec<u8> {
    let length = if dice.below(8) == 0 { P::MOST } else { dice.below(P::MOST as u32 + 1) as usize };
    let kind = dice.below(8);
    let byte = |_| match kind {
        0 => 0,
        1 => 0xff,
        _ => dice.bits() as u8,
    };
    (0..length).map(byte).collect()
}

/// Whether what boots is one of these.
fn one_of<'s>(
    boots: &Result<Option<Stored>, StoreError>,
    allowed: impl IntoIterator<Item = Option<&'s Stored>>,
    place: impl Fn() -> String,
) -> Result<(), String> {
    match boots {
        Err(why) => Err(format!("{}: {why}", place())),
        Ok(boots) if allowed.into_iter().any(|allowed| allowed == boots.as_ref()) => Ok(()),
        Ok(None) => Err(format!("{}: nothing boots", place())),
        Ok(Some((sequence, _))) => Err(format!("{}: number {sequence} boots", place())),
    }
}
