//! Selects the board (the one active `board-…` feature) and passes its memory map to the linker.

use std::{env, fs, path::PathBuf};

fn main() {
    // Reported like this, cargo ends the build with a one-line message instead of a panic's backtrace.
    if let Err(message) = prepare() {
        println!("cargo::error={message}");
    }
}

fn prepare() -> Result<(), String> {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let read = |file: &str| {
        println!("cargo::rerun-if-changed={file}");
        fs::read_to_string(folder.join(file)).map_err(|error| format!("cannot read firmware/{file}: {error}"))
    };

    let boards = read("boards.toml")?;
    let board = Board::chosen(&boards)?;
    let target = env::var("TARGET").unwrap();
    if target != board.value("target")? {
        return Err(format!(
            "board {0} needs `--target {1}`, not {target} (`cargo xtask` picks it by the board's name)",
            board.name,
            board.value("target")?
        ));
    }

    println!("cargo::rustc-check-cfg=cfg(family, values(any()))");
    if let Ok(family) = board.value("family") {
        println!("cargo::rustc-cfg=family=\"{family}\"");
    }
    match ["HOST", "RTT"].map(|talk| env::var_os(format!("CARGO_FEATURE_{talk}")).is_some()) {
        [true, false] | [false, true] => {}
        _ => return Err("choose one of the features `host` (for an emulator) and `rtt` (for a real board)".into()),
    }

    let chip = Chip::of(&board)?;
    println!("cargo::rustc-check-cfg=cfg(small_ram)");
    if chip.ram[1] < 0x40_0000 {
        println!("cargo::rustc-cfg=small_ram");
    }
    // `link.x` includes a file with this name. Chips that need nothing special have no map of their own.
    let map = board.value("memory").map_or_else(|_| Ok(MAP.to_owned()), read)?;
    fs::write(out.join("memory.x"), chip.symbols() + &map).map_err(|error| error.to_string())?;
    fs::write(out.join("chip.rs"), chip.constants()).map_err(|error| error.to_string())?;
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rustc-link-arg=-Tlink.x");
    if board.value("boot").is_ok_and(|boot| boot == "boot2") {
        // Places the second-stage boot loader, which embassy-rp brings.
        println!("cargo::rustc-link-arg=-Tlink-rp.x");
    }
    println!("cargo::rustc-link-arg=-Tdefmt.x");
    println!("cargo::rustc-check-cfg=cfg(has_mpu, armv8m)");
    if !target.starts_with("thumbv6m") {
        println!("cargo::rustc-cfg=has_mpu");
        // Room for the guard that the MPU keeps below the stack.
        fs::write(out.join("stack-guard.x"), read("memory/stack-guard.x")?).map_err(|error| error.to_string())?;
        println!("cargo::rustc-link-arg=-Tstack-guard.x");
    }
    if target.starts_with("thumbv8m") {
        println!("cargo::rustc-cfg=armv8m");
    }
    // Keeps sections at the addresses of the map even if these are not multiples of the linker's page size.
    println!("cargo::rustc-link-arg=--nmagic");
    // The compiler orders functions by hashes, which depend on the folder of this checkout. In that order, so would the
    // padding between functions, and the size of an image. By alignment, there is none.
    println!("cargo::rustc-link-arg=--sort-section=alignment");
    // Where the linker has put addresses, for the lab, which looks for functions that are called through pointers. It takes
    // no memory on the chip.
    println!("cargo::rustc-link-arg=--emit-relocs");
    // A symbol by which the lab identifies the board of a binary; it takes no memory on the chip.
    println!("cargo::rustc-link-arg=--defsym=__osculate_board_{}=0", board.name.replace('-', "_"));
    println!("cargo::rustc-env=OSCULATE_BOARD={}", board.name);
    Ok(())
}

/// The map of a chip with one memory for the program and one for data.
const MAP: &str = "MEMORY
{
  FLASH : ORIGIN = _flash_start, LENGTH = _program_bytes
  RAM : ORIGIN = _ram_start, LENGTH = _ram_bytes
}
";

/// The memories of the chip: one source for the linker and for the drivers.
struct Chip {
    flash: [u32; 2],
    ram: [u32; 2],
    store: u32,
}

impl Chip {
    fn of(board: &Board) -> Result<Self, String> {
        let store = if board.line("store").is_some() { board.numbers("store")? } else { [0] };
        Ok(Self { flash: board.numbers("flash")?, ram: board.numbers("ram")?, store: store[0] })
    }

    /// For memory maps: the flash in front of the store is the program's.
    fn symbols(&self) -> String {
        let Self { flash: [flash, bytes], ram: [ram, ram_bytes], store } = self;
        let program = bytes - store;
        format!(
            "_flash_start = {flash:#x};\n_program_bytes = {program:#x};\n_ram_start = {ram:#x};\n_ram_bytes = {ram_bytes:#x};\n"
        )
    }

    /// For drivers.
    fn constants(&self) -> String {
        let Self { flash: [flash, bytes], store, .. } = self;
        let constant = |what: &str, name: &str, value: u32| {
            format!(
                "/// {what}\n#[allow(dead_code, reason = \"not every board needs it\")]\npub(super) const {name}: u32 = {value:#x};\n"
            )
        };
        constant("The address of the chip's flash.", "FLASH_START", *flash)
            + &constant("The bytes of the chip's flash.", "FLASH_BYTES", *bytes)
            + &constant("The bytes at its end that are kept for checkpoints.", "STORE_BYTES", *store)
    }
}

/// A `[[board]]` of boards.toml, as text: a TOML parser would take longer to build than the firmware.
struct Board<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> Board<'a> {
    fn chosen(boards: &'a str) -> Result<Self, String> {
        let all = boards.split("[[board]]\n").skip(1).map(|text| Board { name: "", text });
        let all = all.map(|board| Ok(Board { name: board.value("name")?, ..board }));
        let all = all.collect::<Result<Vec<_>, String>>()?;
        let names = all.iter().map(|board| board.name).collect::<Vec<_>>().join(", ");

        let active = |board: &Board| {
            let feature = board.name.replace('-', "_").to_uppercase();
            env::var_os(format!("CARGO_FEATURE_BOARD_{feature}")).is_some()
        };
        let mut chosen = all.into_iter().filter(active);
        match (chosen.next(), chosen.next()) {
            (Some(board), None) => Ok(board),
            (None, _) => Err(format!("no board chosen: add `--features board-NAME`, NAME one of {names}")),
            (Some(one), Some(two)) => Err(format!(
                "two boards chosen, {} and {}: choose another than the default with \
                 `--no-default-features --features board-NAME`, NAME one of {names}",
                one.name, two.name
            )),
        }
    }

    /// What is behind the equals sign.
    fn line(&self, key: &str) -> Option<&'a str> {
        self.text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))
    }

    fn value(&self, key: &str) -> Result<&'a str, String> {
        let value = self.line(key).and_then(|value| value.strip_prefix('"')?.strip_suffix('"'));
        value.ok_or_else(|| format!("boards.toml: board `{}` has no line `{key} = \"…\"`", self.name))
    }

    /// Hexadecimal numbers, one or in brackets.
    fn numbers<const N: usize>(&self, key: &str) -> Result<[u32; N], String> {
        let wrong = || format!("boards.toml: board `{}` needs {N} hexadecimal numbers as its `{key}`", self.name);
        let line = self.line(key).ok_or_else(wrong)?;
        let numbers = line
            .trim_matches(['[', ']'])
            .split(", ")
            .map(|number| u32::from_str_radix(&number.strip_prefix("0x")?.replace('_', ""), 16).ok());
        numbers.collect::<Option<Vec<_>>>().and_then(|numbers| numbers.try_into().ok()).ok_or_else(wrong)
    }
}
