//! Promise: the fast kernels of every core are bit-exact with their portable versions, on that core, and preserve their
//! callers' registers.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_lab::repository::repository;

#[test]
fn fast_kernels_equal_their_twins_and_floats_are_floats_on_every_core() -> Result<()> {
    for board in Board::cores() {
        let elf = firmware::build_test(board, "kernels")?;
        let lines = Emulation::new(board, elf).run(|_| ())?.success()?;
        assert_eq!(lines.last().unwrap().message, "all tests passed!", "{}", board.name);
    }
    Ok(())
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.is_dir() { files.extend(sources(&path)?) } else { files.push(path) }
    }
    Ok(files)
}

/// The test on the target calls kernels by name, so it would miss a new kernel.
#[test]
fn every_kernel_in_assembly_is_looked_at() -> Result<()> {
    let root = repository();
    let folder = root.join("core/src/arithmetic/kernels");
    let looked_at = fs::read_to_string(root.join("firmware/tests/registers/mod.rs"))?;
    let mut seen = 0;
    for path in sources(&folder)? {
        let module = path.strip_prefix(&folder)?.components().next().unwrap().as_os_str().to_str().unwrap();
        for code in fs::read_to_string(&path)?.split("#[unsafe(naked)]").skip(1) {
            let name =
                code.split_once("fn ").and_then(|(_, code)| code.split_once(['(', '<'])).map(|(name, _)| name).unwrap();
            // By the name of its core or of its file, directly or by a pointer.
            let file = path.with_file_name(path.file_name().unwrap().to_str().unwrap().replace("mod.rs", ""));
            let file = file.file_stem().and_then(|stem| stem.to_str()).unwrap();
            let names = [module, file].map(|place| [" =>", "::<"].map(|then| format!("{place}::{name}{then}")));
            assert!(
                names.iter().flatten().any(|name| looked_at.contains(name)),
                "registers of {module}::{name} are not looked at"
            );
            seen += 1;
        }
    }
    assert!(seen >= 35, "only {seen} kernels: have they moved?");
    Ok(())
}
