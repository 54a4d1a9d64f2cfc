//! Finds the repository.

use std::env;
use std::path::{Path, PathBuf};

/// A file that every checkout has, and nothing else does.
const MARK: &str = "firmware/boards.toml";

/// The root of the repository that this program belongs to.
///
/// Determined at run time, from what cargo sets for everything it runs: cargo does not rebuild the members of a workspace
/// that was copied or moved together with its `target`, so a path from compile time may belong to another checkout.
pub fn repository() -> PathBuf {
    let place = env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    above(&place).unwrap_or(&place).to_owned()
}

/// The innermost checkout that `place` is in.
fn above(place: &Path) -> Option<&Path> {
    place.ancestors().find(|folder| folder.join(MARK).is_file())
}

/// Whether tests run their long forms, which prove a release: `cargo xtask test --all`.
pub fn runs_all() -> bool {
    env::var_os("OSCULATE_ALL").is_some_and(|value| value == "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_belongs_to_the_innermost_checkout_around_it() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("copies/inner");
        for root in [outer.path(), &inner] {
            std::fs::create_dir_all(root.join("firmware")).unwrap();
            std::fs::write(root.join(MARK), "").unwrap();
        }
        assert_eq!(above(&inner.join("xtask")), Some(inner.as_path()));
        assert_eq!(above(&outer.path().join("copies")), Some(outer.path()));
        assert_eq!(above(Path::new("/")), None);
        assert!(repository().join("lab/src/repository.rs").is_file());
    }
}
