//! Tiny images, assembled by hand, and what happens to them.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Result;
use osculate_lab::emulation::Pico;
use osculate_lab::image_files::{Content, uf2};
use osculate_lab::temporary::TemporaryFolder;

pub(crate) const FLASH: u32 = 0x1000_0000;
const SECOND_STAGE: usize = 256;
/// Where the ROM puts the second stage.
pub(crate) const CODE: u32 = 0x2004_1f00;

/// `b .`, and two instructions that tell the host something: `bkpt 0xab` asks it, `bkpt 1` is a mistake.
pub(crate) const LOOP: u16 = 0xe7fe;
pub(crate) const ASK_HOST: u16 = 0xbeab;
pub(crate) const BREAK: u16 = 0xbe01;
pub(crate) const WFI: u16 = 0xbf30;
pub(crate) const UNDEFINED: u16 = 0xde00;
pub(crate) const CPSID: u16 = 0xb672;

/// How a run ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stderr: String,
}

/// The first page of flash with these instructions and, after them, words for `ldr`; its checksum is right.
pub(crate) fn second_stage(code: &[u16], words: &[u32]) -> Vec<u8> {
    let mut bytes: Vec<u8> = code.iter().flat_map(|halfword| halfword.to_le_bytes()).collect();
    assert_eq!(bytes.len() % 4, 0, "the words are aligned");
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes.resize(SECOND_STAGE - 4, 0);
    let mut sum = u32::MAX;
    for byte in &bytes {
        sum ^= u32::from(*byte) << 24;
        for _ in 0..8 {
            sum = (sum << 1) ^ if sum >> 31 == 1 { 0x04c1_1db7 } else { 0 };
        }
    }
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// `ldr rR, [pc, …]` at this index of the code: the word of this number after `length` instructions.
pub(crate) fn load(register: u16, index: usize, length: usize, word: usize) -> u16 {
    let from = (2 * index + 4) & !3;
    0x4800 | register << 8 | ((2 * length + 4 * word - from) / 4) as u16
}

pub(crate) fn run_file(file: &[u8], pico: &Pico) -> Result<Ended> {
    let folder = TemporaryFolder::new()?;
    let image = folder.file("image.uf2")?;
    fs::write(&image, file)?;
    let mut command = pico.command(Path::new(&image), ["tiny", "word"].map(String::from).iter())?;
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill()?;
            break;
        }
        sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output()?;
    Ok(Ended { code: output.status.code(), stderr: String::from_utf8_lossy(&output.stderr).into_owned() })
}

/// The family of the RP2040 in UF2 files.
pub(crate) const RP2040: u32 = 0xe48b_ff56;

/// A UF2 file with these bytes at this address.
pub(crate) fn file(start: u32, bytes: &[u8], family: u32) -> Result<Vec<u8>> {
    let mut content = Content::default();
    content.add(start, bytes)?;
    Ok(uf2::write(&content, family))
}

pub(crate) fn run(code: &[u16], words: &[u32], pico: &Pico) -> Result<Ended> {
    run_file(&file(FLASH, &second_stage(code, words), RP2040)?, pico)
}
