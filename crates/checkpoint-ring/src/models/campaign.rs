//! Checkpoints, while the power fails and while bits flip.

use std::format;
use std::prelude::v1::*;

use super::{Part, Random};
use crate::StoreError;

/// What was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// A power cut in a write: the new checkpoint or the one before must boot.
    Cut,
    /// The write after that: its checkpoint must boot.
    NextWrite,
    /// A second cut, in the write after the first: the new checkpoint or what has booted after the first must boot.
    SecondCut,
    /// A flipped bit: the newest checkpoint or the one before must boot, unchanged.
    FlippedBit,
}

/// A checkpoint as it was stored: its sequence number and its bytes.
type Stored = (u32, Vec<u8>);

/// The life of a part whose power fails again and again. What happened in each try goes to a function that counts.
#[derive(Debug)]
pub struct Campaign<P> {
    part: P,
    before: Option<Stored>,
    writes: u32,
    random: Random,
}

impl<P: Part> Campaign<P> {
    /// The life of an empty part. The contents of its checkpoints depend on the seed.
    pub fn new(part: P, seed: u64) -> Self {
        Self { part, before: None, writes: 0, random: Random(seed) }
    }

    /// Stores this many checkpoints, with nothing wrong.
    ///
    /// # Errors
    /// If the part fails.
    pub fn store(&mut self, checkpoints: u32) -> Result<(), StoreError> {
        for _ in 0..checkpoints {
            self.before = Some(store(&mut self.part, self.random.payload::<P>())?);
            self.writes += 1;
        }
        Ok(())
    }

    /// The power fails at every step of the next write. The life goes on after one of these cuts, or without any.
    ///
    /// # Errors
    /// If the part fails while nothing is wrong with its power.
    pub fn cut_everywhere(&mut self, tried: &mut impl FnMut(Tried, Result<(), String>)) -> Result<(), StoreError> {
        let bytes = self.random.payload::<P>();
        let Uncut { whole, stored, steps, boot } = uncut(&self.part, &bytes)?;
        let goes_on_after = self.random.below(2 * steps as usize);
        let mut next = (whole, Some(stored.clone()));
        for step in 1..=steps {
            let mut torn = self.part.clone();
            let boots = cut(&mut torn, boot + step, &bytes);
            let place = || format!("{} of up to {} bytes, write {}, step {step}", P::NAME, P::MOST, self.writes);
            tried(Tried::Cut, one_of(&boots, [Some(&stored), self.before.as_ref()], place));
            if step == goes_on_after as u64 {
                next = (torn.clone(), boots.unwrap_or_default());
            }
            let again = store(&mut torn, self.random.payload::<P>());
            let kept = again.map_err(|why| format!("{}: {why}", place()));
            tried(Tried::NextWrite, kept.and_then(|stored| one_of(&newest(&mut torn), [Some(&stored)], place)));
        }
        (self.part, self.before) = next;
        self.writes += 1;
        Ok(())
    }

    /// The power fails at every step of the next write, and then at every step of the one after it.
    ///
    /// # Errors
    /// If the part fails while nothing is wrong with its power.
    pub fn cut_twice(&mut self, tried: &mut impl FnMut(Tried, Result<(), String>)) -> Result<(), StoreError> {
        let (first, second) = (self.random.payload::<P>(), self.random.payload::<P>());
        let Uncut { steps, boot, .. } = uncut(&self.part, &first)?;
        for step in 1..=steps {
            let mut torn = self.part.clone();
            let before = cut(&mut torn, boot + step, &first)?;
            let Uncut { stored, steps, boot, .. } = uncut(&torn, &second)?;
            for again in 1..=steps {
                let boots = cut(&mut torn.clone(), boot + again, &second);
                let place = || format!("{}, steps {step} and {again}", P::NAME);
                tried(Tried::SecondCut, one_of(&boots, [Some(&stored), before.as_ref()], place));
            }
        }
        Ok(())
    }

    /// Stores two checkpoints; then every bit of everything stored is flipped, one after the other.
    ///
    /// # Errors
    /// If the part fails while no bit is flipped.
    pub fn flip_every_bit(&mut self, tried: &mut impl FnMut(Tried, Result<(), String>)) -> Result<(), StoreError> {
        self.store(1)?;
        let before = self.before.clone();
        self.store(1)?;
        for at in 0..self.part.cells().len() {
            for bit in 0..8 {
                self.part.cells()[at] ^= 1 << bit;
                let boots = newest(&mut self.part);
                self.part.cells()[at] ^= 1 << bit;
                let place = || format!("{}, bit {bit} of byte {at}", P::NAME);
                tried(Tried::FlippedBit, one_of(&boots, [self.before.as_ref(), before.as_ref()], place));
            }
        }
        Ok(())
    }
}

/// A write that nothing disturbs.
struct Uncut<P> {
    whole: P,
    stored: Stored,
    /// Its steps.
    steps: u64,
    /// The steps before it, in which the device boots.
    boot: u64,
}

fn uncut<P: Part>(part: &P, bytes: &[u8]) -> Result<Uncut<P>, StoreError> {
    let mut whole = part.clone();
    let begin = whole.power().steps();
    newest(&mut whole)?;
    let boot = whole.power().steps() - begin;
    let mut whole = part.clone();
    let stored = store(&mut whole, bytes.to_vec())?;
    let steps = whole.power().steps() - begin - boot;
    Ok(Uncut { whole, stored, steps, boot })
}

/// Boots and stores while the power fails at a step, and boots again.
fn cut<P: Part>(part: &mut P, step: u64, bytes: &[u8]) -> Result<Option<Stored>, StoreError> {
    part.power().cut_at(step);
    // It fails, unless all that is missing is the rest of the last byte read.
    _ = store(part, bytes.to_vec());
    part.power().restore();
    newest(part)
}

/// Boots, reads the newest checkpoint, and stores another.
fn store<P: Part>(part: &mut P, bytes: Vec<u8>) -> Result<Stored, StoreError> {
    let mut checkpoints = part.boot()?;
    checkpoints.newest(&mut vec![0; P::MOST])?;
    Ok((checkpoints.store(&bytes)?, bytes))
}

fn newest<P: Part>(part: &mut P) -> Result<Option<Stored>, StoreError> {
    Ok(part.boots()?.map(|(sequence, bytes, _)| (sequence, bytes)))
}

impl Random {
    /// Bytes of a random length, sometimes the longest, sometimes all erased or all zero.
    fn payload<P: Part>(&mut self) -> Vec<u8> {
        let length = if self.below(8) == 0 { P::MOST } else { self.below(P::MOST + 1) };
        let kind = self.below(8);
        let byte = |_| match kind {
            0 => 0,
            1 => 0xff,
            _ => self.bits() as u8,
        };
        (0..length).map(byte).collect()
    }
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
