//! The flash of a micro:bit, emulated by QEMU.

use std::fs;

use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_lab::survival::parts::{Part, TornFlash};
use osculate_lab::temporary::TemporaryFolder;

/// Runs `flash_store` with these contents of the last pages, or with those of QEMU, which are all zero.
fn run(pages: Option<&[u8]>) -> Vec<String> {
    let board = Board::named("microbit").unwrap();
    let elf = firmware::build(board, "flash_store", &[]).unwrap();
    let folder = TemporaryFolder::new().unwrap();
    let mut qemu = Emulation::new(board, elf);
    let store = board.program().start + board.program().bytes;
    if let Some(pages) = pages {
        let file = folder.file("pages").unwrap();
        fs::write(&file, pages).unwrap();
        qemu = qemu.options(["-device".into(), format!("loader,file={file},addr={store:#x},force-raw=on")]);
    }
    let log = qemu.run(|_| ()).unwrap().success().unwrap();
    log.into_iter().map(|line| line.message).collect()
}

#[test]
fn a_device_stores_in_flash_that_was_never_erased() {
    assert_eq!(run(None), ["40 checkpoints stored, the first with number 1", "done"]);
}

#[test]
fn a_device_goes_on_where_this_machine_has_stored() {
    let mut part = TornFlash::<300>::new(4, 1);
    for store in 1..=29 {
        assert_eq!(part.boot().unwrap().store(&[store as u8; 300]), Ok(store));
    }
    assert_eq!(run(Some(part.cells())), ["40 checkpoints stored, the first with number 30", "done"]);
}
