//! UF2 files: what a board's USB drive takes, and what the runner of the Pico loads.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use object::Endianness;
use object::elf::{FileHeader32, PT_LOAD};
use object::read::elf::{FileHeader, ProgramHeader};

const BLOCK: usize = 512;
const PAYLOAD: usize = 256;
/// Where the payload begins in a block.
const HEADER: usize = 32;
const MAGIC: [u32; 2] = [0x0a32_4655, 0x9e5d_5157];
const MAGIC_LAST: u32 = 0x0ab1_6f30;
/// The word for the size of the file holds the chip's family instead.
const HAS_FAMILY: u32 = 0x2000;

/// The UF2 file of an ELF file, for a chip of this family.
///
/// # Errors
/// If the file is not an ELF file for a 32-bit processor, or holds nothing to load.
pub fn uf2(elf: &[u8], family: u32) -> Result<Vec<u8>> {
    let header = FileHeader32::<Endianness>::parse(elf).context("this is no 32-bit ELF file")?;
    let endian = header.endian().context("this ELF file has no byte order")?;
    let mut parts = Vec::new();
    for segment in header.program_headers(endian, elf)? {
        if segment.p_type(endian) == PT_LOAD {
            let bytes = segment.data(endian, elf).ok().context("a segment lies outside of the ELF file")?;
            parts.push((segment.p_paddr(endian), bytes));
        }
    }
    uf2_of_parts(&parts, family)
}

/// The UF2 file of these bytes at these addresses. What lies between them in a page is erased flash.
///
/// # Errors
/// If there are no bytes.
pub fn uf2_of_parts(parts: &[(u32, &[u8])], family: u32) -> Result<Vec<u8>> {
    let mut pages = BTreeMap::new();
    for (start, bytes) in parts {
        for (address, byte) in (*start..).zip(*bytes) {
            let within = address as usize % PAYLOAD;
            pages.entry(address - within as u32).or_insert([0xff; PAYLOAD])[within] = *byte;
        }
    }
    ensure!(!pages.is_empty(), "there is nothing to load");
    let count = pages.len() as u32;
    let block = |(number, (address, page)): (usize, (&u32, &[u8; PAYLOAD]))| {
        let mut block = [0; BLOCK];
        let words = [MAGIC[0], MAGIC[1], HAS_FAMILY, *address, PAYLOAD as u32, number as u32, count, family];
        for (place, word) in block.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        block[HEADER..HEADER + PAYLOAD].copy_from_slice(page);
        block[BLOCK - 4..].copy_from_slice(&MAGIC_LAST.to_le_bytes());
        block
    };
    Ok(pages.iter().enumerate().flat_map(block).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_in_the_block_of_their_page() {
        let file = uf2_of_parts(&[(0x1000_01fe, &[1, 2, 3]), (0x1000_0000, &[4])], 0xe48b_ff56).unwrap();
        let word = |index: usize| u32::from_le_bytes(file[index..index + 4].try_into().unwrap());
        assert_eq!(file.len(), 3 * BLOCK);
        let addresses = [0, 1, 2].map(|block| word(block * BLOCK + 12));
        assert_eq!(addresses, [0x1000_0000, 0x1000_0100, 0x1000_0200]);
        assert_eq!(file[HEADER..HEADER + 2], [4, 0xff]);
        assert_eq!(file[BLOCK + HEADER + 0xfd..BLOCK + HEADER + 0x101], [0xff, 1, 2, 0]);
        assert_eq!(file[2 * BLOCK + HEADER..2 * BLOCK + HEADER + 2], [3, 0xff]);
    }

    #[test]
    fn what_cannot_be_loaded_is_refused() {
        assert!(uf2(b"no ELF file", 0).is_err());
        assert!(uf2_of_parts(&[], 0).is_err());
    }
}
