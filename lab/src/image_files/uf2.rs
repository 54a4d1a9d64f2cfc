//! UF2: blocks of 512 bytes that carry 256 each. What the drive of a Raspberry Pi Pico takes.
//!
//! Its boot ROM programs pages of 256 bytes and erases sectors of 4 KiB. The RP2040 counts sectors by the *number* of a
//! block, as if no page were left out. So every sector that is begun is written from its first page, and to its last one
//! if another follows. What an image does not use there is filled with [`PADDING`].

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use super::content::{Content, PADDING};

const PAGE: u32 = 256;
const SECTOR: u32 = 4096;
const BLOCK: usize = 512;
const DATA: usize = 32;

const BEGIN: [u32; 2] = [0x0a32_4655, 0x9e5d_5157];
const END: u32 = 0x0ab1_6f30;
/// The last word of the header names the chip.
const HAS_FAMILY: u32 = 0x2000;

/// The bytes of a file for chips of this family.
///
/// # Errors
/// If there is nothing to write.
pub fn write(content: &Content, family: u32) -> Result<Vec<u8>> {
    content.start().context("there is nothing to write")?;
    let pages = pages(content);
    let mut file = Vec::new();
    for (number, (address, page)) in pages.iter().enumerate() {
        let header = [BEGIN[0], BEGIN[1], HAS_FAMILY, *address, PAGE, number as u32, pages.len() as u32, family];
        let start = file.len();
        file.extend(header.iter().flat_map(|word| word.to_le_bytes()));
        file.extend(page);
        file.resize(start + BLOCK - 4, 0);
        file.extend(END.to_le_bytes());
    }
    Ok(file)
}

fn pages(content: &Content) -> BTreeMap<u32, Vec<u8>> {
    let mut pages = BTreeMap::new();
    let empty = || vec![PADDING; PAGE as usize];
    for (start, bytes) in content.parts() {
        for (address, byte) in (start..=u32::MAX).zip(bytes) {
            let page: &mut Vec<u8> = pages.entry(address - address % PAGE).or_insert_with(empty);
            page[(address % PAGE) as usize] = *byte;
        }
    }
    let last = pages.keys().next_back().copied().unwrap_or(0);
    let used: Vec<u32> = pages.keys().copied().collect();
    for address in used {
        let sector = address - address % SECTOR;
        for page in (sector..=last).step_by(PAGE as usize).take((SECTOR / PAGE) as usize) {
            pages.entry(page).or_insert_with(empty);
        }
    }
    pages
}

/// What a file for chips of this family holds.
///
/// # Errors
/// The block, and what is wrong with it: also what a boot ROM would refuse, or answer by erasing a wrong sector.
pub fn read(file: &[u8], family: u32) -> Result<Content> {
    let (blocks, []) = file.as_chunks::<BLOCK>() else {
        bail!("the file is cut short: {} bytes are no multiple of {BLOCK}", file.len());
    };
    ensure!(!blocks.is_empty(), "the file is empty");
    let mut content = Content::default();
    let mut sectors = BTreeMap::new();
    for (number, block) in blocks.iter().enumerate() {
        let mut add = || {
            let word = |at: usize| block[4 * at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
            ensure!([word(0), word(1)] == BEGIN, "does not begin like a block of UF2");
            ensure!(word(127) == END, "does not end like a block of UF2");
            ensure!(word(2) == 0x2000, "has the flags {:#x}: only the one for a family belongs there", word(2));
            let (address, size) = (word(3), word(4));
            ensure!(size == 256, "carries {size} bytes: a boot ROM takes 256");
            ensure!(address % size == 0, "is for {address:#010x}: a page begins at a multiple of {size}");
            ensure!(word(5) as usize == number, "has the number {}", word(5));
            ensure!(word(6) as usize == blocks.len(), "says that there are {}, not {}", word(6), blocks.len());
            ensure!(word(7) == family, "is for the family {:#010x}, not {family:#010x}", word(7));
            // Both are erased together, since sixteen pages are a sector.
            let sector = *sectors.entry(number / 16).or_insert(address / 4096);
            ensure!(
                sector == address / 4096,
                "is for {address:#010x}, which the boot ROM takes for a part of the sector at {:#010x}",
                sector * 4096
            );
            content.add(address, &block[DATA..DATA + 256])
        };
        add().with_context(|| format!("block {number}"))?;
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: u32 = 0xe48b_ff56;

    fn written() -> Vec<u8> {
        let mut content = Content::default();
        content.add(0x1000_0104, &[1, 2, 3]).unwrap();
        content.add(0x1000_2fff, &[4, 5]).unwrap();
        write(&content, FAMILY).unwrap()
    }

    #[test]
    fn every_sector_but_the_last_is_whole_and_begins_at_its_first_page() {
        let content = read(&written(), FAMILY).unwrap();
        let parts: Vec<_> = content.parts().map(|(start, bytes)| (start, bytes.len())).collect();
        assert_eq!(parts, [(0x1000_0000, 4096), (0x1000_2000, 4096 + 256)]);
        assert_eq!(content.get(0x1000_0103, 5), Some(&[PADDING, 1, 2, 3, PADDING][..]));
        assert_eq!(content.get(0x1000_2ffe, 4), Some(&[PADDING, 4, 5, PADDING][..]));
        assert!(content.get(0x1000_0000, 0x104).unwrap().iter().all(|byte| *byte == PADDING));
    }

    #[test]
    fn what_a_boot_rom_would_not_take_is_refused() {
        for (at, bytes, complaint) in [
            (512, &[0][..], "block 1: does not begin"),
            (1023, &[0xff], "block 1: does not end"),
            (8, &[1], "block 0: has the flags 0x2001"),
            (16, &[0, 2], "block 0: carries 512 bytes"),
            (12, &[4], "block 0: is for 0x10000004: a page begins"),
            (512 + 20, &[2], "block 1: has the number 2"),
            (24, &[7], "block 0: says that there are 7, not 33"),
            (28, &[0x59], "block 0: is for the family 0xe48bff59, not 0xe48bff56"),
            (512 + 13, &[0x20], "takes for a part of the sector at 0x10000000"),
            (512 + 13, &[0], "overlaps"),
        ] {
            let mut file = written();
            file[at..at + bytes.len()].copy_from_slice(bytes);
            let error = format!("{:#}", read(&file, FAMILY).unwrap_err());
            assert!(error.contains(complaint), "{error}, not {complaint}");
        }
        assert!(read(&written()[..700], FAMILY).unwrap_err().to_string().contains("cut short"));
        assert!(read(&written()[512..], FAMILY).is_err());
        assert!(read(&[], FAMILY).is_err());
    }
}
