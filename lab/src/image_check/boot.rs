//! What a chip finds at the start of its flash: its table of vectors, and what its boot ROM wants besides.

use crc::{CRC_32_MPEG_2, Crc};

use crate::boards::{Board, Boot};
use crate::image_files::Content;

/// The second stage of the RP2040's boot ROM, with the checksum in its last four bytes.
const BOOT2: usize = 256;
/// How far into the flash the RP2350's boot ROM looks for the first block.
const LOOKED_AT: u32 = 4096;
const BLOCK_BEGIN: u32 = 0xffff_ded3;
const BLOCK_END: u32 = 0xab12_3579;
/// The most words that a block may have for the boot ROM to take it.
const BLOCK_WORDS: u32 = 160;
/// More blocks than any image needs.
const MOST_BLOCKS: usize = 16;
/// The kinds of items in a block: what the image is, and the one that ends the list.
const IMAGE_TYPE: u32 = 0x42;
const LAST: u32 = 0xff;
/// An executable, in the secure state, for Arm, on an RP2350.
const EXECUTABLE: u32 = 0x1021;

/// Vectors that every core here has: the stack pointer, the reset, and the core's own exceptions.
const VECTORS: u32 = 16;

pub(super) fn complaints(board: &Board, content: &Content) -> Vec<String> {
    let start = board.flash.start;
    let mut complaints = Vec::new();
    let vectors = match board.boot {
        Boot::Vectors | Boot::ImageDef => start,
        Boot::Boot2 => {
            complaints.extend(boot2(start, content).err());
            start + BOOT2 as u32
        }
    };
    if board.boot == Boot::ImageDef {
        complaints.extend(image_def(start, content).err());
    }
    complaints.extend(table(vectors, board, content));
    complaints
}

fn table(start: u32, board: &Board, content: &Content) -> Vec<String> {
    let words: Option<Vec<u32>> = (0..VECTORS).map(|number| content.word(start + 4 * number)).collect();
    let Some(words) = words else {
        return vec![format!("nothing is loaded to {start:#010x}, where this chip looks for its table of vectors")];
    };
    let (ram, program) = (board.ram, board.program());
    let stack = words[0];
    let outside = format!("the RAM is {:#010x} to {:#010x}", ram.start, ram.end());
    // The core subtracts before it writes, so the first address after the RAM is right.
    let is_outside = stack <= ram.start || stack > ram.end();
    let faults =
        [(is_outside, &*outside), (stack % 8 != 0, "no multiple of 8")].into_iter().filter(|(is_one, _)| *is_one);
    let faults = faults.map(|(_, why)| format!("the stack begins at {stack:#010x} (at {start:#010x}): {why}"));
    let handlers = (1..).zip(words.iter().skip(1)).filter_map(|(number, word)| {
        let why = match number {
            // Zero is a vector that the core does not have.
            2.. if *word == 0 => return None,
            _ if word % 2 == 0 => "even, so no Thumb code",
            1 if !(program.start..program.end()).contains(word) => "outside the flash for the program",
            1 if content.get(word - 1, 2).is_none() => "where nothing is loaded",
            _ => return None,
        };
        let name = if number == 1 { "the reset vector".to_owned() } else { format!("vector {number}") };
        Some(format!("{name} is {word:#010x} (at {:#010x}): {why}", start + 4 * number))
    });
    faults.chain(handlers).collect()
}

fn boot2(start: u32, content: &Content) -> Result<(), String> {
    let Some((code, sum)) = content.get(start, BOOT2).and_then(<[u8]>::split_last_chunk) else {
        return Err(format!("no boot2: the boot ROM wants {BOOT2} bytes at {start:#010x}"));
    };
    let (found, right) = (u32::from_le_bytes(*sum), Crc::<u32>::new(&CRC_32_MPEG_2).checksum(code));
    if found == right {
        return Ok(());
    }
    Err(format!(
        "boot2 at {start:#010x} has the checksum {found:#010x}, not {right:#010x}: the boot ROM would not start it"
    ))
}

/// Follows the blocks around: each says where the next one is, the last one leads to the first, and there is one that
/// says that this is a program.
fn image_def(start: u32, content: &Content) -> Result<(), String> {
    let looked_at = (start..start + LOOKED_AT).step_by(4);
    let first = looked_at.into_iter().find(|address| content.word(*address) == Some(BLOCK_BEGIN));
    let first = first.ok_or_else(|| {
        format!(
            "no image definition: the boot ROM looks for {BLOCK_BEGIN:#010x} within {LOOKED_AT} bytes of {start:#010x}"
        )
    })?;
    let mut address = first;
    let mut kinds = Vec::new();
    for _ in 0..MOST_BLOCKS {
        let (next, kind) = block(address, content)?;
        kinds.extend(kind);
        if next == first {
            let other = kinds.iter().find(|kind| **kind != EXECUTABLE);
            return match (kinds.as_slice(), other) {
                ([], _) => Err(format!("the blocks from {first:#010x} on do not say that this is a program")),
                (_, Some(kind)) => Err(format!(
                    "the image definition at {first:#010x} says {kind:#06x}: a secure program for an Arm core of an \
                     RP2350 is {EXECUTABLE:#06x}"
                )),
                _ => Ok(()),
            };
        }
        address = next;
    }
    Err(format!("the blocks from {first:#010x} on do not lead back to the first"))
}

/// Where the block after this one is, and what kind of image this one describes, if it does.
fn block(address: u32, content: &Content) -> Result<(u32, Option<u32>), String> {
    let wrong = |what: &str| Err(format!("the block at {address:#010x} {what}"));
    let word = |at: u32| content.word(address.wrapping_add(4 * at));
    if word(0) != Some(BLOCK_BEGIN) {
        return wrong(&format!("does not begin with {BLOCK_BEGIN:#010x}"));
    }
    let (mut at, mut kind) = (1, None);
    while at < BLOCK_WORDS {
        let Some(item) = word(at) else { return wrong("is cut short") };
        let size = if item & 0x80 == 0 { item >> 8 & 0xff } else { item >> 8 & 0xffff };
        match item & 0xff {
            LAST if size != at - 1 => return wrong(&format!("has {} words of items, and says {size}", at - 1)),
            LAST if word(at + 2) != Some(BLOCK_END) => return wrong(&format!("does not end with {BLOCK_END:#010x}")),
            LAST => {
                let next = word(at + 1).unwrap_or(0);
                return Ok((address.wrapping_add(next), kind));
            }
            IMAGE_TYPE => kind = Some(item >> 16),
            _ => {}
        }
        if size == 0 {
            return wrong(&format!("has an item without a size at {:#010x}", address + 4 * at));
        }
        at += size;
    }
    wrong("does not end")
}
