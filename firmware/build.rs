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

    // `link.x` includes a file with this name.
    fs::write(out.join("memory.x"), read(board.value("memory")?)?).map_err(|error| error.to_string())?;
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rustc-link-arg=-Tlink.x");
    if board.name == "pico" {
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
    // Where the linker has put addresses, for the lab, which looks for functions that are called through pointers. It takes
    // no memory on the chip.
    println!("cargo::rustc-link-arg=--emit-relocs");
    // A symbol by which the lab identifies the board of a binary; it takes no memory on the chip.
    println!("cargo::rustc-link-arg=--defsym=__osculate_board_{}=0", board.name.replace('-', "_"));
    println!("cargo::rustc-env=OSCULATE_BOARD={}", board.name);
    Ok(())
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

    fn value(&self, key: &str) -> Result<&'a str, String> {
        self.text
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'))
            .ok_or_else(|| format!("boards.toml: board `{}` has no line `{key} = \"…\"`", self.name))
    }
}
