//! Finds the repository.

use std::env;
use std::path::{Path, PathBuf};

/// A file that every checkout has, and nothing else does.
const MARK: &str = "firmware/boards.toml";

/// The root of the repository that this program belongs to.
///
/// Determined at run time: cargo does not rebuild the members of a workspace that was copied or moved together with its
/// `target`, so a path from compile time may belong to another checkout.
pub fn repository() -> PathBuf {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Cargo sets this for everything it runs, tests included. The program's own path serves when it is started by hand.
    let now = [env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from), env::current_exe().ok()];
    now.iter().flatten().find_map(|place| above(place)).or_else(|| above(built_in)).unwrap_or(built_in).to_owned()
}

/// The innermost checkout that `place` is in.
fn above(place: &Path) -> Option<&Path> {
    place.ancestors().find(|folder| folder.join(MARK).is_file())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_place_belongs_to_the_innermost_checkout_around_it() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("copies/inner");
        for root in [outer.path(), &inner] {
            fs::create_dir_all(root.join("firmware")).unwrap();
            fs::write(root.join(MARK), "").unwrap();
        }
        assert_eq!(above(&inner.join("xtask")), Some(inner.as_path()));
        assert_eq!(above(&inner.join("target/debug/deps/a-test")), Some(inner.as_path()));
        assert_eq!(above(&outer.path().join("copies")), Some(outer.path()));
        assert_eq!(above(Path::new("/")), None);
    }

    #[test]
    fn this_test_runs_in_its_own_repository() {
        assert!(repository().join("lab/src/repository.rs").is_file());
    }
}

/// Whether tests run their long forms, which prove a release: `cargo xtask test --all`.
pub fn runs_all() -> bool {
    std::env::var_os("OSCULATE_ALL").is_some_and(|value| value == "1")
}
