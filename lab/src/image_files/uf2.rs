//! UF2: blocks of 512 bytes that carry 256 each. What the drive of a Raspberry Pi Pico takes.
//!
//! Its boot ROM programs pages of 256 bytes and erases sectors of 4 KiB. The RP2040 counts sectors by the *number* of a
//! block, as if no page were left out. So every sector that is begun is written from its first page, and to its last one
//! if another follows. What an image does not use there is filled with [`PADDING`].

use std::collections::BTreeMap;

use super::content::{Content, PADDING};

const PAGE: u32 = 256;
const SECTOR: u32 = 4096;
const BLOCK: usize = 512;

const BEGIN: [u32; 2] = [0x0a32_4655, 0x9e5d_5157];
const END: u32 = 0x0ab1_6f30;
/// The last word of the header names the chip.
const HAS_FAMILY: u32 = 0x2000;

/// The bytes of a file for chips of this family.
pub fn write(content: &Content, family: u32) -> Vec<u8> {
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
    file
}

fn pages(content: &Content) -> BTreeMap<u32, [u8; PAGE as usize]> {
    let mut pages = BTreeMap::new();
    let empty = [PADDING; PAGE as usize];
    for (address, byte) in content.bytes() {
        pages.entry(address - address % PAGE).or_insert(empty)[(address % PAGE) as usize] = byte;
    }
    let last = pages.keys().next_back().copied().unwrap_or(0);
    let used: Vec<u32> = pages.keys().copied().collect();
    for address in used {
        let sector = address - address % SECTOR;
        for page in (sector..=last).step_by(PAGE as usize).take((SECTOR / PAGE) as usize) {
            pages.entry(page).or_insert(empty);
        }
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: usize = 32;

    #[test]
    fn every_sector_but_the_last_is_whole_and_begins_at_its_first_page() {
        let mut content = Content::default();
        content.add(0x1000_0104, &[1, 2, 3]).unwrap();
        content.add(0x1000_2fff, &[4, 5]).unwrap();
        let file = write(&content, 0xe48b_ff56);
        let blocks: Vec<[u32; 128]> = file
            .chunks_exact(BLOCK)
            .map(|block| std::array::from_fn(|at| u32::from_le_bytes(block[4 * at..][..4].try_into().unwrap())))
            .collect();
        let pages = (0x1000_0000..0x1000_1000).chain(0x1000_2000..0x1000_3100).step_by(256);
        assert!(blocks.iter().map(|block| block[3]).eq(pages), "{:x?}", blocks.iter().map(|block| block[3]));
        for (number, block) in (0..).zip(&blocks) {
            let head = [0x0a32_4655, 0x9e5d_5157, 0x2000, block[3], 256, number, 33, 0xe48b_ff56];
            assert_eq!((&block[..8], block[127]), (&head[..], 0x0ab1_6f30));
        }
        let data = |block: usize, at: usize| &file[block * BLOCK + DATA + at..][..5];
        assert_eq!(data(1, 3), [PADDING, 1, 2, 3, PADDING]);
        assert_eq!(
            (data(31, 251), data(32, 0)),
            (&[PADDING, PADDING, PADDING, PADDING, 4][..], &[5, 255, 255, 255, 255][..])
        );
    }
}
