//! The Cortex-M targets from Debian's packages, for machines on which rustup cannot download them.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use osculate_lab::toolchain::{ambient, answer, matched::Compiler};

use super::{
    apt::is_installed,
    matched::{self, SOURCES},
    packages::{Installer, Manager},
    rights::Becoming,
    step,
};

/// The oldest compiler that builds this workspace, from its manifest.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Debian has two mutually exclusive compilers: the release's own, and a current one for its web browsers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Plain,
    Web,
}

impl Family {
    /// The installed one, or else the current one.
    fn installed() -> Self {
        if is_installed("rustc") { Family::Plain } else { Family::Web }
    }
}

/// A part of the compiler: a file that shows it is installed, and its package in either family.
struct Part {
    file: &'static str,
    plain: &'static str,
    web: &'static str,
}

const PARTS: [Part; 5] = [
    Part { file: "/usr/bin/rustc", plain: "rustc", web: "rustc-web" },
    Part { file: "/usr/bin/cargo", plain: "cargo", web: "cargo-web" },
    Part { file: "/usr/bin/lld", plain: "lld", web: "lld" },
    Part { file: "/usr/bin/clippy-driver", plain: "rust-clippy", web: "rust-web-clippy" },
    Part { file: "/usr/lib/rustlib/src/rust/library/core", plain: "rust-src", web: "rust-web-src" },
];

/// The package with this rustup component.
pub(super) fn lint_package(component: &str) -> &'static str {
    match (component, Family::installed()) {
        ("rustfmt", Family::Plain) => "rustfmt",
        ("rustfmt", Family::Web) => "rustfmt-web",
        (_, Family::Plain) => "rust-clippy",
        (_, Family::Web) => "rust-web-clippy",
    }
}

/// Installs the missing parts of Debian's compiler and builds the matched toolchain around it.
///
/// # Errors
/// If something is in the way; says what, and which command helps.
pub(super) fn bring_targets(installer: &mut Installer) -> Result<()> {
    ensure!(installer.manager() == Some(Manager::Apt), "only rustup and Debian's packages have them");
    matched::build(&bring_compiler(installer)?)
}

fn bring_compiler(installer: &mut Installer) -> Result<Compiler> {
    let present = Compiler::find();
    let packages = missing(Family::installed(), present.as_ref().map(|compiler| &*compiler.release), exists);
    if !packages.is_empty() {
        install(installer, &packages)?;
    }
    let compiler = Compiler::find().context("Debian's rustc is installed and does not run")?;
    if is_older(&compiler.release, OLDEST) {
        let current: Vec<_> = PARTS.iter().map(|part| part.web).collect();
        bail!(
            "Debian's rustc is {}, osculate needs {OLDEST}. Some releases have a newer one that takes its place:\n  {}",
            compiler.release,
            Manager::Apt.by_hand(&current, Becoming::find())
        );
    }
    if !sources_are_of(&compiler.release) {
        bail!("the sources in {SOURCES} are not those of Debian's rustc {}: run `apt-get upgrade`", compiler.release);
    }
    Ok(compiler)
}

fn install(installer: &mut Installer, packages: &[&str]) -> Result<()> {
    step::say("note", format_args!("Debian's compiler can build them; missing: {}", packages.join(" ")));
    installer.install(packages).map_err(|refusal| {
        let unknown: Vec<_> = packages.iter().copied().filter(|package| !is_known(package)).collect();
        if unknown.is_empty() {
            return anyhow!("{refusal}. {}", refusal.advice(packages, Becoming::find()));
        }
        anyhow!("this release of Debian has no package {}", unknown.join(", "))
    })
}

/// The packages to install. A compiler that is too old, or sources of another version, count as missing: installing
/// them again brings the newest.
fn missing(family: Family, release: Option<&str>, exists: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let outdated = release.is_some_and(|release| is_older(release, OLDEST));
    let is_missing = |part: &&Part| {
        let versioned = part.web != "lld";
        !exists(part.file) || (outdated && versioned)
    };
    let package = |part: &Part| if family == Family::Plain { part.plain } else { part.web };
    PARTS.iter().filter(is_missing).map(package).collect()
}

fn exists(file: &str) -> bool {
    Path::new(file).exists()
}

/// Debian keeps the sources in a folder named after their version.
fn sources_are_of(release: &str) -> bool {
    let folder = Path::new(SOURCES).canonicalize().ok();
    folder.is_some_and(|folder| folder.ends_with(format!("rustc-{release}")))
}

fn is_known(package: &str) -> bool {
    answer(ambient("apt-cache").args(["show", package])).is_some_and(|text| !text.is_empty())
}

/// Compares version numbers such as `1.96.0` and `1.93`; parts that are not numbers count as 0.
fn is_older(version: &str, than: &str) -> bool {
    let numbers = |text: &str| {
        let mut parts = text.split(['.', '-']).map(|part| part.parse::<u32>().unwrap_or(0));
        std::array::from_fn::<_, 3, _>(|_| parts.next().unwrap_or(0))
    };
    numbers(version) < numbers(than)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_missing_is_installed() {
        let all = ["rustc-web", "cargo-web", "lld", "rust-web-clippy", "rust-web-src"];
        assert_eq!(missing(Family::Web, None, |_| false), all);
        assert_eq!(missing(Family::Web, Some("1.96.0"), |_| true), [""; 0]);
        assert_eq!(missing(Family::Web, Some("1.96.0"), |file| file != "/usr/bin/lld"), ["lld"]);
        assert_eq!(missing(Family::Plain, Some("1.99.0"), |file| file.starts_with("/usr/bin")), ["rust-src"]);
    }

    #[test]
    fn an_old_compiler_is_renewed_with_all_that_must_match_it() {
        let renewed = missing(Family::Web, Some("1.85.0"), |_| true);
        assert_eq!(renewed, ["rustc-web", "cargo-web", "rust-web-clippy", "rust-web-src"]);
    }

    #[test]
    fn versions_compare_as_numbers() {
        assert!(is_older("1.9.0", "1.93"));
        assert!(is_older("1.92.9", "1.93"));
        assert!(!is_older("1.93.0", "1.93"));
        assert!(!is_older("1.100.0-nightly", "1.93"));
    }
}
