//! The runner of the Pico ends every program, and says why: images of a few instructions that go wrong. (That it tells the
//! firmware its command line, `replay_parity` needs; that it keeps the flash, and cuts its power anywhere, `pico`.)
//!
//! They are assembled by hand and run as the second stage of the boot loader, the first 256 bytes of flash, which the
//! ROM starts in SRAM.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use osculate_lab::emulation::Pico;
use osculate_lab::image_files::{Content, uf2};
use osculate_lab::temporary::TemporaryFolder;

const FLASH: u32 = 0x1000_0000;
const SECOND_STAGE: usize = 256;
/// Where the ROM puts the second stage.
const CODE: u32 = 0x2004_1f00;

/// `b .`, and two instructions that tell the host something: `bkpt 0xab` asks it, `bkpt 1` is a mistake.
const LOOP: u16 = 0xe7fe;
const ASK_HOST: u16 = 0xbeab;
const BREAK: u16 = 0xbe01;
const WFI: u16 = 0xbf30;
const UNDEFINED: u16 = 0xde00;
const CPSID: u16 = 0xb672;

/// How a run ended.
struct Ended {
    code: Option<i32>,
    stderr: String,
}

/// The first page of flash with these instructions and, after them, words for `ldr`; its checksum is right.
fn second_stage(code: &[u16], words: &[u32]) -> Vec<u8> {
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
fn load(register: u16, index: usize, length: usize, word: usize) -> u16 {
    let from = (2 * index + 4) & !3;
    0x4800 | register << 8 | ((2 * length + 4 * word - from) / 4) as u16
}

fn run_file(file: &[u8], pico: &Pico) -> Result<Ended> {
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
const RP2040: u32 = 0xe48b_ff56;

/// A UF2 file with these bytes at this address.
fn file(start: u32, bytes: &[u8], family: u32) -> Result<Vec<u8>> {
    let mut content = Content::default();
    content.add(start, bytes)?;
    Ok(uf2::write(&content, family))
}

fn run(code: &[u16], words: &[u32], pico: &Pico) -> Result<Ended> {
    run_file(&file(FLASH, &second_stage(code, words), RP2040)?, pico)
}

/// Runs what must end by the runner's own decision, with this text.
fn ends_with(code: &[u16], words: &[u32], text: &str) -> Result<()> {
    let Ended { code, stderr, .. } = run(code, words, &Pico::default())?;
    ensure!(code == Some(4) && stderr.contains(text), "not `{text}` but {code:?}: {stderr}");
    Ok(())
}

/// `SYS_EXIT` with this reason.
fn exit(reason: u32) -> ([u16; 4], [u32; 2]) {
    ([load(0, 0, 4, 0), load(1, 1, 4, 1), ASK_HOST, LOOP], [0x18, reason])
}

#[test]
fn pico_an_exit_is_an_exit() -> Result<()> {
    for (reason, expected) in [(0x2_0026, 0), (0x2_0023, 1)] {
        let (code, words) = exit(reason);
        let ended = run(&code, &words, &Pico::default())?;
        assert_eq!(ended.code, Some(expected), "{}", ended.stderr);
        assert_eq!(ended.stderr, "flash operations: []\n");
    }
    Ok(())
}

#[test]
fn pico_a_file_that_is_not_for_this_chip_is_refused() -> Result<()> {
    let (code, words) = exit(0x2_0026);
    let page = second_stage(&code, &words);
    let good = file(FLASH, &page, RP2040)?;
    let changed = |at: usize, byte: u8| {
        let mut file = good.clone();
        file[at] = byte;
        file
    };
    for (file, text) in [
        (file(FLASH, &page, 0xe48b_ff59)?, "the family 0xe48bff59"),
        (file(0x2000_0000, &page, RP2040)?, "do not fit in the flash"),
        (changed(0, 0), "magic"),
        (changed(511, 0), "magic"),
        (changed(9, 0), "no family"),
        (good[..511].to_vec(), "511 bytes"),
        (Vec::new(), "0 bytes"),
    ] {
        let ended = run_file(&file, &Pico::default())?;
        assert!(ended.code == Some(2) && ended.stderr.contains(text), "{text}: {:?} {}", ended.code, ended.stderr);
        assert!(ended.stderr.contains("no UF2 file for the RP2040"), "{}", ended.stderr);
    }
    Ok(())
}

#[test]
fn pico_a_second_stage_with_a_wrong_checksum_is_not_started() -> Result<()> {
    let (code, words) = exit(0x2_0026);
    let mut page = second_stage(&code, &words);
    page[100] ^= 1;
    let ended = run_file(&file(FLASH, &page, RP2040)?, &Pico::default())?;
    assert!(ended.code == Some(4) && ended.stderr.contains("checksum"), "{}", ended.stderr);
    Ok(())
}

#[test]
fn pico_a_program_that_goes_astray_ends() -> Result<()> {
    // There are no handlers: the fault itself leads into nowhere, and the core locks up.
    let jump = [load(0, 0, 2, 0), 0x4700];
    for target in [0x3000_0001, 0x4005_8001, 0x1010_0001, 0x1500_0001] {
        ends_with(&jump, &[target], &format!("HardFault at {:#010x}", target - 1))?;
        ends_with(&jump, &[target], "Lockup")?;
    }
    ends_with(&[UNDEFINED, LOOP], &[], &format!("HardFault at {CODE:#010x}: undefined instruction"))?;
    // A load from an address between words, and stores to ROM and to nowhere.
    ends_with(&[load(0, 0, 4, 0), 0x6800, LOOP, LOOP], &[0x2000_0002], "not 32 bit aligned")?;
    ends_with(&[load(0, 0, 4, 0), 0x6000, LOOP, LOOP], &[0], "in ROM")?;
    ends_with(&[load(0, 0, 4, 0), 0x6000, LOOP, LOOP], &[0x2100_0000], "undefined address")?;
    // A stack that leaves RAM: the frame of the fault cannot be written, either.
    ends_with(&[load(0, 0, 4, 0), 0x4685, 0xb410, LOOP], &[0x2000_0000], "the stack has left RAM")
}

#[test]
fn pico_a_core_that_nothing_can_wake_ends() -> Result<()> {
    ends_with(&[WFI, LOOP], &[], &format!("the core sleeps at {CODE:#010x}, and nothing can wake it"))?;
    ends_with(&[CPSID, LOOP], &[], "the core loops at 0x20041f02, and nothing can end it")?;
    ends_with(&[LOOP, LOOP], &[], "the core loops at 0x20041f00, and nothing can end it")
}

#[test]
fn pico_a_breakpoint_and_an_unknown_request_end() -> Result<()> {
    ends_with(&[BREAK, LOOP], &[], &format!("breakpoint 1 at {CODE:#010x}, and no debugger"))?;
    ends_with(&[load(0, 0, 4, 0), ASK_HOST, LOOP, LOOP], &[0x77], "no semihosting operation 0x77")
}

/// AIRCR is written with the key and SYSRESETREQ.
#[test]
fn pico_a_boot_loop_ends() -> Result<()> {
    let code = [load(0, 0, 4, 0), load(1, 1, 4, 1), 0x6001, LOOP];
    let pico = Pico { most_resets: Some(3), ..Pico::default() };
    let ended = run(&code, &[0xe000_ed0c, 0x05fa_0004], &pico)?;
    assert!(ended.code == Some(4) && ended.stderr.contains("a boot loop: more than 3 resets"), "{}", ended.stderr);
    assert_eq!(ended.stderr.matches(": the firmware asked for it").count(), 4, "{}", ended.stderr);
    Ok(())
}

/// The watchdog is loaded and enabled, and the core sleeps. In the second life its reason is not 0, and the program
/// exits.
#[test]
fn pico_the_watchdog_wakes_a_core_that_sleeps_forever() -> Result<()> {
    let code = [
        load(0, 0, 12, 0), // r0 = WATCHDOG
        0x6881,            // ldr r1, [r0, #8]: REASON
        0x2900,            // cmp r1, #0
        0xd104,            // bne to the exit
        load(1, 4, 12, 1), // r1 = 1000 µs, which the chip counts twice
        0x6041,            // str r1, [r0, #4]: LOAD
        load(1, 6, 12, 2), // r1 = ENABLE
        0x6001,            // str r1, [r0, #0]: CTRL
        WFI,
        load(0, 9, 12, 3), // SYS_EXIT
        load(1, 10, 12, 4),
        ASK_HOST,
    ];
    let ended = run(&code, &[0x4005_8000, 2000, 0x4000_0000, 0x18, 0x2_0026], &Pico::default())?;
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(ended.stderr, "reset 1: the watchdog was not fed\nflash operations: []\n");
    Ok(())
}
