//! Builds the matched toolchain: `core` for Cortex-M from the sources of the distribution's own compiler.
//!
//! For the layout of the folder and how it is found, see the lab's `toolchain::matched`.

use std::{fs, io, path::Path, process::Command};

use anyhow::{Context, Result, ensure};
use osculate_lab::toolchain::{
    TARGETS, ambient, ambient_sysroot,
    matched::{self, Compiler, FOLDER_PREFIX, distribution},
};

use super::{
    cache::{Cache, remove, write_script},
    step,
};

/// Where the compiler expects the sources of its library, relative to its sysroot `/usr`.
pub(super) const SOURCES: &str = "/usr/lib/rustlib/src/rust";

const MANIFEST: &str = "[package]\nname = \"empty\"\nedition = \"2024\"\n[workspace]\n";

/// Linked for every target before the toolchain is accepted. The division needs compiler_builtins.
const PROBE: &str = "#![no_std]\n#![no_main]\n
#[panic_handler]\nfn panic(_: &core::panic::PanicInfo) -> ! {\n    loop {}\n}\n
#[unsafe(no_mangle)]\nextern \"C\" fn _start(a: u64, b: u64) -> u64 {\n    a / b\n}\n";

/// Builds the toolchain for this compiler, unless it already exists.
///
/// It is built beside its final place and moved there at the end, so that an interrupted build leaves nothing that
/// could be mistaken for a toolchain.
pub(super) fn build(compiler: &Compiler) -> Result<()> {
    let folder = matched::folder(compiler).context("no cache folder: set HOME or XDG_CACHE_HOME")?;
    let Cache { folder: cache, .. } = &Cache::open()?;
    if matched::is_complete(&folder, compiler) {
        return Ok(());
    }
    let draft = cache.join("draft");
    remove(&draft)?;
    build_libraries(compiler, &draft)?;
    add_programs(compiler, &draft, &folder)?;
    check(&draft)?;
    remove(&draft.join("build"))?;
    fs::write(matched::stamp_file(&draft), compiler.stamp())?;
    remove_toolchains(cache)?;
    fs::rename(&draft, &folder)?;
    ensure!(matched::is_complete(&folder, compiler), "{} is not complete after its build", folder.display());
    Ok(())
}

/// Builds `core`, `alloc` and `compiler_builtins`, for all targets at once.
fn build_libraries(compiler: &Compiler, draft: &Path) -> Result<()> {
    let project = draft.join("build");
    fs::create_dir_all(project.join("src"))?;
    fs::write(project.join("Cargo.toml"), MANIFEST)?;
    fs::write(project.join("src/lib.rs"), "#![no_std]\n")?;
    let title = format!("build core and alloc for {} targets with rustc {}", TARGETS.len(), compiler.release);
    step::run_as(&title, &mut build_command(compiler, &project), None)?;
    for target in TARGETS {
        let libraries = draft.join("lib/rustlib").join(target).join("lib");
        fs::create_dir_all(&libraries)?;
        for file in project.join("target").join(target).join("release/deps").read_dir()? {
            let file = file?;
            let name = file.file_name();
            if is_library(&name.to_string_lossy()) {
                fs::rename(file.path(), libraries.join(name))?;
            }
        }
    }
    Ok(())
}

fn build_command(compiler: &Compiler, project: &Path) -> Command {
    let mut command = ambient(distribution("cargo"));
    // Bitcode, so that the firmware's LTO includes `core`; the official source path, so that no local path ends up in
    // panic messages.
    let flags = ["-Cembed-bitcode=yes".to_owned(), format!("--remap-path-prefix={SOURCES}=/rustc/{}", compiler.commit)];
    command
        .current_dir(project)
        .env("RUSTC", distribution("rustc"))
        .env("RUSTC_WRAPPER", "")
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        // build-std is unstable: this allows it with the distribution's stable compiler.
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["build", "--release", "-Zbuild-std=core,alloc", "--target-dir", "target"]);
    // The library's dependencies come with its sources, so the build needs no network.
    let vendored = Path::new(SOURCES).join("library/vendor");
    if vendored.is_dir() {
        command.args(["--config", "source.crates-io.replace-with='vendored'"]);
        command.arg("--config").arg(format!("source.vendored.directory='{}'", vendored.display()));
    }
    for target in TARGETS {
        command.args(["--target", target]);
    }
    command
}

fn is_library(file: &str) -> bool {
    let crates = ["libcore-", "liballoc-", "libcompiler_builtins-"];
    file.ends_with(".rlib") && crates.iter().any(|name| file.starts_with(name))
}

/// Adds the distribution's programs, set up to use `folder` (the final place of the draft), and what host builds need.
fn add_programs(compiler: &Compiler, draft: &Path, folder: &Path) -> Result<()> {
    let bin = draft.join("bin");
    fs::create_dir_all(&bin)?;
    let folder = quoted(folder);
    // A symlink is not enough for rustc: it would report the distribution's own sysroot.
    for program in ["rustc", "rustdoc"] {
        write_script(
            &bin.join(program),
            &format!("exec {} --sysroot {folder} \"$@\"", quoted(&distribution(program))),
        )?;
    }
    for program in ["cargo-clippy", "clippy-driver"] {
        write_script(&bin.join(program), &format!("SYSROOT={folder} exec {} \"$@\"", quoted(&distribution(program))))?;
    }
    symlink(&distribution("cargo"), &bin.join("cargo"))?;
    add_rustfmt(&bin)?;

    let rustlib = draft.join("lib/rustlib");
    let host = rustlib.join(&compiler.host);
    fs::create_dir_all(host.join("bin"))?;
    let distributed = Path::new("/usr/lib/rustlib");
    symlink(&distributed.join(&compiler.host).join("lib"), &host.join("lib"))?;
    symlink(&distribution("lld"), &matched::linker_file(draft, compiler))?;
    for shared in ["etc", "src"] {
        symlink(&distributed.join(shared), &rustlib.join(shared))?;
    }
    Ok(())
}

/// Any rustfmt will do. With it, `cargo fmt` works even if rustup makes this toolchain the active one.
fn add_rustfmt(bin: &Path) -> Result<()> {
    let ambient = ambient_sysroot().map(|sysroot| sysroot.join("bin"));
    for program in ["cargo-fmt", "rustfmt"] {
        let candidates = [Some(distribution(program)), ambient.as_ref().map(|folder| folder.join(program))];
        if let Some(found) = candidates.into_iter().flatten().find(|path| path.is_file()) {
            symlink(&found, &bin.join(program))?;
        }
    }
    Ok(())
}

/// Links a program for every target with the draft toolchain.
fn check(draft: &Path) -> Result<()> {
    let source = draft.join("build/probe.rs");
    fs::write(&source, PROBE)?;
    for target in TARGETS {
        let mut command = ambient(distribution("rustc"));
        command.args(["--edition=2024", "-Cpanic=abort", "--target", target]).arg("--sysroot").arg(draft);
        command.arg("-o").arg(draft.join("build/probe")).arg(&source);
        let output = command.output()?;
        ensure!(
            output.status.success(),
            "a program for {target} does not link with the new toolchain:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(())
}

/// Removes toolchains of earlier compilers, which can never be used again.
fn remove_toolchains(cache: &Path) -> io::Result<()> {
    for entry in cache.read_dir()? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(FOLDER_PREFIX) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Quoted as one shell word.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', "'\\''"))
}

#[cfg(unix)]
fn symlink(original: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(original, link)
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_three_libraries_are_taken() {
        assert!(is_library("libcore-a0e16196043908d2.rlib"));
        assert!(is_library("libcompiler_builtins-af00246b1a9f0e9a.rlib"));
        assert!(!is_library("libcore-a0e16196043908d2.rmeta"));
        assert!(!is_library("libempty-0c8e64143a726ee4.rlib"));
    }

    #[test]
    fn a_folder_with_any_name_is_one_word_for_the_shell() {
        assert_eq!(quoted(Path::new("/home/o'neil/my cache")), r"'/home/o'\''neil/my cache'");
    }
}
