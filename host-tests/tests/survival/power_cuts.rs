//! Checkpoints, while the power fails and while bits flip: the campaigns of `checkpoint_ring`, counted.

use anyhow::Result;
use checkpoint_ring::models::{Campaign, Part, TornEeprom, TornFlash, Tried};
use osculate_lab::tally::Tally;

const SEED: u64 = 20;

/// The parts and lengths of checkpoints that are tried.
const WORLDS: u32 = 7;

/// The promises of each part, in the order of [`Tried`].
const EEPROM: [&str; 4] = [
    "EEPROM, power cut at every byte of a write: the new checkpoint or the one before boots",
    "EEPROM, the write after that: its checkpoint boots",
    "EEPROM, a second cut at every byte of that: the new checkpoint or the one before boots",
    "EEPROM, every single bit flipped: the newest checkpoint or the one before boots, unchanged",
];
const FLASH: [&str; 4] = [
    "flash, power cut at every byte and in every erase: the new checkpoint or the one before boots",
    "flash, the write after that: its checkpoint boots",
    "flash, a second cut in that: the new checkpoint or the one before boots",
    "flash, every single bit flipped: the newest checkpoint or the one before boots, unchanged",
];

struct Promises([Tally; 4]);

/// The power fails at every step of this many writes, and twice in a row at every pair of steps of one more.
pub(crate) fn power_cuts(writes: u32) -> Result<Vec<Tally>> {
    let each = writes.div_ceil(WORLDS);
    let [mut eeprom, mut flash] = [EEPROM, FLASH].map(|promises| Promises(promises.map(Tally::new)));
    eeprom.live(TornEeprom::<60>::new(1), each)?;
    eeprom.live(TornEeprom::<300>::new(2), each)?;
    eeprom.live(TornEeprom::<700>::new(3), each)?;
    flash.live(TornFlash::<60>::new(3, 4), each)?;
    flash.live(TornFlash::<300>::new(8, 5), each)?;
    flash.live(TornFlash::<700>::new(2, 6), each)?;
    flash.live(TornFlash::<1500>::new(4, 7), each)?;
    eeprom.cut_twice(TornEeprom::<100>::new(8))?;
    flash.cut_twice(TornFlash::<100>::new(2, 9))?;
    Ok([eeprom, flash].into_iter().flat_map(|part| part.0.into_iter().take(3)).collect())
}

/// Every bit of everything stored is flipped, one after the other, after this many checkpoints.
pub(crate) fn bit_flips(records: u32) -> Result<Vec<Tally>> {
    let [mut eeprom, mut flash] = [EEPROM, FLASH].map(|promises| Promises(promises.map(Tally::new)));
    eeprom.flip(TornEeprom::<300>::new(1), records)?;
    flash.flip(TornFlash::<300>::new(8, 2), records)?;
    Ok([eeprom, flash].into_iter().flat_map(|part| part.0.into_iter().skip(3)).collect())
}

impl Promises {
    fn count(&mut self, tried: Tried, result: Result<(), String>) {
        self.0[tried as usize].count(result);
    }

    fn live(&mut self, part: impl Part, writes: u32) -> Result<()> {
        let mut campaign = Campaign::new(part, SEED);
        for _ in 0..writes {
            campaign.cut_everywhere(&mut |tried, result| self.count(tried, result))?;
        }
        Ok(())
    }

    fn cut_twice(&mut self, part: impl Part) -> Result<()> {
        let mut campaign = Campaign::new(part, SEED);
        // Both pages of flash are full, so both writes begin with an erase.
        campaign.store(16)?;
        campaign.cut_twice(&mut |tried, result| self.count(tried, result))?;
        Ok(())
    }

    fn flip(&mut self, part: impl Part, records: u32) -> Result<()> {
        let mut campaign = Campaign::new(part, SEED);
        campaign.store(records.saturating_sub(2))?;
        campaign.flip_every_bit(&mut |tried, result| self.count(tried, result))?;
        Ok(())
    }
}
