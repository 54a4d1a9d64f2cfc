//! What an image puts into flash: bytes at addresses.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use object::LittleEndian;
use object::elf::PT_LOAD;
use object::read::elf::{ElfFile32, ProgramHeader};

/// What gaps are filled with: erased flash reads like this, so a padded byte is one that was never programmed.
pub const PADDING: u8 = 0xff;

/// Bytes at addresses. Parts neither overlap nor touch.
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
        if let Some((at, taken)) = self.parts.range(..=last).next_back()
            && u64::from(*at) + taken.len() as u64 > u64::from(start)
        {
            bail!("{start:#010x} to {last:#010x} overlaps what is already at {at:#010x}");
        }
        let mut bytes = bytes.to_vec();
        if let Some(after) = last.checked_add(1).and_then(|after| self.parts.remove(&after)) {
            bytes.extend(after);
        }
        match self.parts.range_mut(..start).next_back() {
            Some((at, before)) if at + before.len() as u32 == start => before.extend(bytes),
            _ => _ = self.parts.insert(start, bytes),
        }
        Ok(())
    }

    /// The parts, by address.
    pub fn parts(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.parts.iter().map(|(start, bytes)| (*start, bytes.as_slice()))
    }

    /// The number of bytes, without gaps.
    pub fn bytes(&self) -> u32 {
        self.parts.values().map(|bytes| bytes.len() as u32).sum()
    }

    /// The lowest address.
    pub fn start(&self) -> Option<u32> {
        self.parts.keys().next().copied()
    }

    /// The bytes at an address, if all of them are there.
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

    fn content(parts: &[(u32, &[u8])]) -> Content {
        let mut content = Content::default();
        for (start, bytes) in parts {
            content.add(*start, bytes).unwrap();
        }
        content
    }

    #[test]
    fn what_touches_is_one_part_in_whatever_order_it_comes() {
        let whole = content(&[(16, &[1, 2, 3, 4, 5, 6])]);
        assert_eq!(content(&[(20, &[5, 6]), (16, &[1, 2]), (18, &[3, 4]), (30, &[])]), whole);
        assert_eq!(whole.bytes(), 6);
        assert_eq!((whole.word(18), whole.word(19), whole.get(17, 2)), (Some(0x0605_0403), None, Some(&[2, 3][..])));
        assert_eq!((whole.start(), Content::default().start()), (Some(16), None));
    }

    #[test]
    fn two_things_in_one_place_are_refused() {
        for (start, length) in [(14, 3), (16, 1), (21, 4), (0, 100)] {
            let error = content(&[(16, &[0; 6])]).add(start, &vec![0; length]).unwrap_err().to_string();
            assert!(error.contains("overlaps what is already at 0x00000010"), "{error}");
        }
        assert!(Content::default().add(u32::MAX, &[1]).is_ok());
        let error = Content::default().add(u32::MAX, &[1, 2]).unwrap_err().to_string();
        assert!(error.contains("beyond 32 bits"), "{error}");
    }
}
