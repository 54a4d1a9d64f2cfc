//! The boards of `firmware/boards.toml`.

use std::sync::LazyLock;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::repository::runs_all;
use crate::toolchain::rp2040js;

static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct File {
        board: Vec<Board>,
    }
    let file = toml::from_str::<File>(include_str!("../../firmware/boards.toml"));
    file.unwrap_or_else(|error| panic!("firmware/boards.toml: {error}")).board
});

/// A board the firmware can be built for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// The name a user types.
    pub name: String,
    /// What it is called in a shop.
    pub title: String,
    /// The compiler target.
    pub target: String,
    /// The processor, for display.
    pub core: String,
    /// The folder in `firmware/src/board` with its drivers, if it has any.
    pub family: Option<String>,
    /// A memory map for the linker, relative to `firmware`, if the chip needs a special one.
    pub memory: Option<String>,
    /// The chip's memory for the program.
    pub flash: Region,
    /// The chip's memory for data.
    pub ram: Region,
    /// Bytes at the end of the flash that are kept for checkpoints.
    #[serde(default)]
    pub store: u32,
    /// What the chip looks for at the start of the flash.
    #[serde(default)]
    pub boot: Boot,
    /// The most bytes of flash that the application may take.
    pub most_flash: Option<u32>,
    /// The most bytes of RAM that the application's statics may take.
    pub most_ram: Option<u32>,
    /// The program that runs it, if there is one.
    pub emulator: Option<Emulator>,
    /// QEMU's name of the board.
    pub machine: Option<String>,
    /// probe-rs's name of the chip, if there is a real board to flash.
    pub chip: Option<String>,
    /// The name of the USB drive that a real board shows.
    pub drive: Option<String>,
    /// What a file on the drive says of the board, one of these.
    #[serde(default)]
    pub drive_id: Vec<String>,
    /// The chip's family in UF2 files, if its drive takes these.
    pub uf2: Option<u32>,
    /// Whether the board has a bus for sensors that the firmware can use.
    #[serde(default)]
    pub sensors: bool,
    /// How far support for the board is proven.
    pub status: Status,
}

/// A memory of a chip.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(from = "(u32, u32)")]
pub struct Region {
    /// Its first address.
    pub start: u32,
    /// Its size.
    pub bytes: u32,
}

impl Region {
    /// The address after its last one.
    pub fn end(self) -> u32 {
        self.start + self.bytes
    }
}

impl From<(u32, u32)> for Region {
    fn from((start, bytes): (u32, u32)) -> Self {
        Self { start, bytes }
    }
}

/// What a chip looks for at the start of its flash.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Boot {
    /// The table of vectors: the core starts there.
    #[default]
    Vectors,
    /// The second stage of the RP2040's boot ROM, with a checksum; the table of vectors is behind it.
    Boot2,
    /// The table of vectors, and after it a block that describes the image to the RP2350's boot ROM.
    ImageDef,
}

/// A program that runs the firmware of a board.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum Emulator {
    /// `qemu-system-arm`.
    #[serde(rename = "QEMU")]
    Qemu,
    /// The emulator of the RP2040 of this name, on node.
    #[serde(rename = "rp2040js")]
    Rp2040js,
}

/// How far support for a board is proven.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Its tests run, in its emulator.
    Run,
    /// The firmware links for it and its image is checked, but nothing has ever run it.
    Links,
    /// Not even linked yet.
    Planned,
}

/// The M7 runs the code of the M4F, and so does the Netduino; the others only link.
const FOR_RELEASES: [&str; 5] = ["mps2-an500", "netduinoplus2", "pico2", "microbit-v2", "nrf52840-dk"];

impl Board {
    /// Every board, the default one first.
    pub fn all() -> &'static [Board] {
        &BOARDS
    }

    /// Those that run in QEMU, one for each core: where only the core matters, the others would say the same again.
    pub fn cores() -> impl Iterator<Item = &'static Board> {
        let runs = |board: &&Board| board.status == Status::Run && board.emulator == Some(Emulator::Qemu);
        let is_first = |board: &&Board| {
            BOARDS.iter().find(|other| other.core == board.core).is_some_and(|first| first.name == board.name)
        };
        BOARDS.iter().filter(runs).filter(is_first)
    }

    /// Whether the tests try it: for a release every board, for a change those that run code of their own.
    pub fn is_tried(&self) -> bool {
        runs_all() || !FOR_RELEASES.contains(&self.name.as_str())
    }

    /// The board of this name.
    ///
    /// # Errors
    /// If there is no such board; lists the known names.
    pub fn named(name: &str) -> Result<&'static Board> {
        let known = || BOARDS.iter().map(|board| board.name.as_str()).collect::<Vec<_>>().join(", ");
        let board = BOARDS.iter().find(|board| board.name == name);
        board.with_context(|| format!("there is no board `{name}`; the boards are {}", known()))
    }

    /// The board a firmware ELF file was built for, from the symbol that `firmware/build.rs` adds.
    ///
    /// # Errors
    /// If the file names no known board.
    pub fn of_elf(elf: &[u8]) -> Result<&'static Board> {
        let board = BOARDS.iter().find(|board| {
            let symbol = format!("__osculate_board_{}\0", board.name.replace('-', "_"));
            elf.windows(symbol.len()).any(|bytes| bytes == symbol.as_bytes())
        });
        board.context("this file names no board: is it an ELF file built in firmware/?")
    }

    /// The boards that the firmware can be built for: all but the planned ones.
    pub fn buildable() -> impl Iterator<Item = &'static Board> {
        BOARDS.iter().filter(|board| board.status != Status::Planned)
    }

    /// Whether its tests can run on this machine: the Pico's emulator may be [left out](rp2040js::LEFT_OUT).
    pub fn runs_here(&self) -> bool {
        let left_out = self.emulator == Some(Emulator::Rp2040js) && rp2040js::is_left_out();
        self.status == Status::Run && !left_out
    }

    /// The flash for the program, without what is kept for checkpoints.
    pub fn program(&self) -> Region {
        Region { start: self.flash.start, bytes: self.flash.bytes - self.store }
    }

    /// The cargo feature of `osculate-firmware` that chooses this board.
    pub fn feature(&self) -> String {
        format!("board-{}", self.name)
    }
}
