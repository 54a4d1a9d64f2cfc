//! What an image puts into flash: bytes at addresses.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use object::LittleEndian;
use object::elf::PT_LOAD;
use object::read::elf::{ElfFile32, ProgramHeader};

/// What gaps are filled with: erased flash reads like this, so a padded byte is one that was never programmed.
pub const PADDING: u8 = 0xff;

/// Bytes at addresses, in parts that do not overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    parts: BTreeMap<u32, Vec<u8>>,
}

impl Content {
    /// What an ELF file loads, at the addresses where it is stored and not where it is used: the initial values of
    /// statics are in flash.
    ///
    /// # Errors
    /// If this is no ELF file for a 32-bit core, loads nothing, or loads two things to one place.
    pub fn of_elf(elf: &[u8]) -> Result<Self> {
        let file = ElfFile32::<LittleEndian>::parse(elf).context("no ELF file of a 32-bit, little-endian core")?;
        let mut content = Self::default();
        for segment in file.elf_program_headers() {
            if segment.p_type(LittleEndian) != PT_LOAD || segment.p_filesz(LittleEndian) == 0 {
                continue;
            }
            let start = segment.p_paddr(LittleEndian);
            let data = segment.data(LittleEndian, elf).ok();
            let data =
                data.with_context(|| format!("the ELF file is cut short: the bytes of {start:#010x} are missing"))?;
            content.add(start, data)?;
        }
        ensure!(!content.parts.is_empty(), "the ELF file loads nothing");
        Ok(content)
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// If some of their addresses are taken, or are beyond the last address there is.
    pub fn add(&mut self, start: u32, bytes: &[u8]) -> Result<()> {
        let Some(last) = bytes.len().checked_sub(1) else { return Ok(()) };
        let last = u32::try_from(last).ok().and_then(|last| start.checked_add(last));
        let last = last.with_context(|| format!("{} bytes at {start:#010x} are beyond 32 bits", bytes.len()))?;
        if let Some((at, taken)) = self.parts.range(..=last).next_back() {
            let is_free = u64::from(*at) + taken.len() as u64 <= u64::from(start);
            ensure!(is_free, "{start:#010x} to {last:#010x} overlaps what is already at {at:#010x}");
        }
        self.parts.insert(start, bytes.to_vec());
        Ok(())
    }

    /// The parts, by address.
    pub fn parts(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.parts.iter().map(|(start, bytes)| (*start, bytes.as_slice()))
    }

    /// Every byte with its address, in order.
    pub fn bytes(&self) -> impl Iterator<Item = (u32, u8)> {
        self.parts().flat_map(|(start, bytes)| (start..=u32::MAX).zip(bytes.iter().copied()))
    }

    /// The bytes at an address, if all of them are there, in one part.
    pub fn get(&self, address: u32, count: usize) -> Option<&[u8]> {
        let (start, bytes) = self.parts.range(..=address).next_back()?;
        let at = (address - start) as usize;
        bytes.get(at..at.checked_add(count)?)
    }

    /// The word at an address.
    pub fn word(&self, address: u32) -> Option<u32> {
        self.get(address, 4)?.first_chunk().copied().map(u32::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_things_in_one_place_are_refused() {
        let mut content = Content::default();
        content.add(16, &[1, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!(
            (content.word(18), content.word(19), content.bytes().last()),
            (Some(0x0605_0403), None, Some((21, 6)))
        );
        for (start, length) in [(14, 3), (16, 1), (21, 4), (0, 100)] {
            let error = content.add(start, &vec![0; length]).unwrap_err().to_string();
            assert!(error.contains("overlaps what is already at 0x00000010"), "{error}");
        }
        assert!(
            content.add(22, &[7]).is_ok() && content.add(14, &[0; 2]).is_ok() && content.add(u32::MAX, &[1]).is_ok()
        );
        let error = Content::default().add(u32::MAX, &[1, 2]).unwrap_err().to_string();
        assert!(error.contains("beyond 32 bits"), "{error}");
    }
}
