//! The runner of the Pico ends every program, and says why: images of a few instructions that go wrong.
//!
//! They are assembled by hand and run as the second stage of the boot loader, the first 256 bytes of flash, which the
//! ROM starts in SRAM.

mod tiny;

use std::fs;

use anyhow::{Result, ensure};
use osculate_lab::emulation::{Cut, Pico};
use osculate_lab::temporary::TemporaryFolder;

use self::tiny::*;

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
fn an_exit_is_an_exit() -> Result<()> {
    for (reason, expected) in [(0x2_0026, 0), (0x2_0023, 1)] {
        let (code, words) = exit(reason);
        let ended = run(&code, &words, &Pico::default())?;
        assert_eq!(ended.code, Some(expected), "{}", ended.stderr);
        assert_eq!(ended.stderr, "flash operations: []\n");
    }
    Ok(())
}

#[test]
fn a_file_that_is_not_for_this_chip_is_refused() -> Result<()> {
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
fn a_second_stage_with_a_wrong_checksum_is_not_started() -> Result<()> {
    let (code, words) = exit(0x2_0026);
    let mut page = second_stage(&code, &words);
    page[100] ^= 1;
    let ended = run_file(&file(FLASH, &page, RP2040)?, &Pico::default())?;
    assert!(ended.code == Some(4) && ended.stderr.contains("checksum"), "{}", ended.stderr);
    Ok(())
}

#[test]
fn a_program_that_goes_astray_ends() -> Result<()> {
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
fn a_core_that_nothing_can_wake_ends() -> Result<()> {
    ends_with(&[WFI, LOOP], &[], &format!("the core sleeps at {CODE:#010x}, and nothing can wake it"))?;
    ends_with(&[CPSID, LOOP], &[], "the core loops at 0x20041f02, and nothing can end it")?;
    ends_with(&[LOOP, LOOP], &[], "the core loops at 0x20041f00, and nothing can end it")
}

#[test]
fn a_breakpoint_and_an_unknown_request_end() -> Result<()> {
    ends_with(&[BREAK, LOOP], &[], &format!("breakpoint 1 at {CODE:#010x}, and no debugger"))?;
    ends_with(&[load(0, 0, 4, 0), ASK_HOST, LOOP, LOOP], &[0x77], "no semihosting operation 0x77")
}

/// AIRCR is written with the key and SYSRESETREQ.
#[test]
fn a_boot_loop_ends() -> Result<()> {
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
fn the_watchdog_wakes_a_core_that_sleeps_forever() -> Result<()> {
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

/// SYS_GET_CMDLINE into SRAM, then SYS_OPEN and SYS_WRITE of the line to standard output.
#[test]
fn the_firmware_is_told_its_command_line() -> Result<()> {
    const LENGTH: usize = 16;
    let load = |register, index, word| load(register, index, LENGTH, word);
    let code = [
        load(0, 0, 0),  // SYS_GET_CMDLINE
        load(1, 1, 1),  // its block
        ASK_HOST,       // the words 2 and 3 are a buffer and its size, then the length
        load(0, 3, 4),  // SYS_OPEN
        load(1, 4, 5),  // its block, the words 6 to 8: name, mode, length of the name
        ASK_HOST,       // r0 is the handle
        load(1, 6, 10), // the block of SYS_WRITE, the words 11 to 13
        0x6008,         // str r0, [r1]
        load(2, 8, 3),  // the length of the line, which the host wrote
        0x608a,         // str r2, [r1, #8]
        load(0, 10, 14),
        ASK_HOST, // SYS_WRITE
        load(0, 12, 15),
        load(1, 13, 16),
        ASK_HOST, // SYS_EXIT
        LOOP,
    ];
    let word = |number: u32| CODE + 2 * LENGTH as u32 + 4 * number;
    let name = u32::from_le_bytes(*b":tt\0");
    let words = [
        0x15,
        word(2),
        0x2000_0000,
        64,
        0x01,
        word(6),
        word(9),
        4,
        3,
        name,
        word(11),
        0,
        0x2000_0000,
        0,
        0x05,
        0x18,
        0x2_0026,
    ];
    let ended = run(&code, &words, &Pico::default())?;
    assert_eq!((ended.code, &*ended.stdout), (Some(0), "tiny word"), "{}", ended.stderr);
    Ok(())
}

#[test]
fn the_flash_is_kept_and_a_power_cut_leaves_it_half_done() -> Result<()> {
    let folder = TemporaryFolder::new()?;
    let file = folder.file("flash.bin")?;
    let (code, words) = erase();
    let start = FLASH_BYTES - 4096;
    for (cut, erased, code_expected) in [(Some(0), 0, 3), (Some(100), 100, 3), (Some(4096), 4096, 3), (None, 4096, 0)] {
        fs::write(&file, vec![0x5a; FLASH_BYTES])?;
        let pico =
            Pico { flash: Some((&file).into()), cut: cut.map(|bytes| Cut { operation: 1, bytes }), ..Pico::default() };
        let ended = run(&code, &words, &pico)?;
        assert_eq!(ended.code, Some(code_expected), "{}", ended.stderr);
        assert!(ended.stderr.ends_with("flash operations: [[\"erase\",4096]]\n"), "{}", ended.stderr);
        assert_eq!(ended.stderr.contains("power cut: in flash operation 1"), cut.is_some(), "{}", ended.stderr);
        let kept = fs::read(&file)?;
        assert_eq!(kept[..SECOND_STAGE], second_stage(&code, &words));
        assert!(kept[SECOND_STAGE..start].iter().all(|byte| *byte == 0x5a));
        assert!(kept[start..start + erased].iter().all(|byte| *byte == 0xff));
        assert!(kept[start + erased..].iter().all(|byte| *byte == 0x5a));
    }
    Ok(())
}

#[test]
fn a_flash_file_of_another_size_is_refused() -> Result<()> {
    let folder = TemporaryFolder::new()?;
    let file = folder.file("flash.bin")?;
    fs::write(&file, [0; 100])?;
    let (code, words) = exit(0x2_0026);
    let ended = run(&code, &words, &Pico { flash: Some((&file).into()), ..Pico::default() })?;
    assert!(ended.code == Some(2) && ended.stderr.contains("has 100 bytes"), "{}", ended.stderr);
    assert_eq!(fs::read(&file)?, [0; 100]);
    Ok(())
}
