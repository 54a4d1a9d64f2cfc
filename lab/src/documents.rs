//! The parts of the documents that a command prints: what stands between `<!-- from here: COMMAND -->` and
//! `<!-- until here -->`. Tests compare them, and write them anew when a change is meant.

use std::path::Path;
use std::sync::Mutex;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::repository::repository;

/// Set to accept what is printed: the documents are then written instead of compared.
pub const ACCEPT: &str = "UPDATE_DOCS";
const UNTIL: &str = "<!-- until here -->\n";

/// The tests of one file run at the same time, and a document has more than one part.
static WRITING: Mutex<()> = Mutex::new(());

/// Whether the documents are to be written anew.
pub fn accepting() -> bool {
    env::var_os(ACCEPT).is_some()
}

/// A document of the repository.
///
/// # Errors
/// If it cannot be read.
pub fn read(document: &str) -> Result<String> {
    fs::read_to_string(repository().join(document)).with_context(|| format!("cannot read {document}"))
}

/// Compares a part of a document with what its command prints; with [`ACCEPT`], makes it so.
///
/// # Errors
/// The first line that differs, or that the document has no such part.
pub fn compare(document: &str, command: &str, printed: &str) -> Result<()> {
    let _alone = WRITING.lock();
    compare_in(&repository(), document, command, printed, accepting())
}

/// Terminal output as a document has it.
pub fn fenced(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_end())
}

fn compare_in(root: &Path, document: &str, command: &str, printed: &str, accept: bool) -> Result<()> {
    let path = root.join(document);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {document}"))?;
    let from = format!("<!-- from here: {command} -->\n");
    let missing = || format!("{document} has no part between `{}` and `{}`", from.trim(), UNTIL.trim());
    let (before, rest) = text.split_once(&from).with_context(missing)?;
    let (part, after) = rest.split_once(UNTIL).with_context(missing)?;
    let printed = printed.trim_end().to_owned() + "\n";
    if part == printed {
        return Ok(());
    }
    if accept {
        println!("{document}: what `{command}` prints is new");
        return fs::write(&path, [before, &from, &printed, UNTIL, after].concat())
            .with_context(|| format!("cannot write {document}"));
    }
    let pairs = part.lines().map(Some).chain([None]).zip(printed.lines().map(Some).chain([None]));
    let (old, new) = pairs.into_iter().find(|(old, new)| old != new).unwrap_or_default();
    bail!(
        "{document} is not what `{command}` prints:\n  document: {}\n  printed:  {}\n{ACCEPT}=1 with the same test accepts what is printed",
        old.unwrap_or("(nothing more)"),
        new.unwrap_or("(nothing more)")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Page\n\n<!-- from here: a -->\n| 1 |\n| 2 |\n<!-- until here -->\nText.\n<!-- from here: b -->\n<!-- until here -->\n";

    #[test]
    fn a_part_is_compared_and_written_and_the_rest_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.md");
        fs::write(&path, PAGE).unwrap();
        let compare = |command, printed, accept| compare_in(folder.path(), "page.md", command, printed, accept);
        assert!(compare("a", "| 1 |\n| 2 |\n\n", false).is_ok());
        for (printed, line) in
            [("| 1 |\n| 3 |", "| 3 |"), ("| 1 |", "(nothing more)"), ("| 1 |\n| 2 |\n| 4 |", "| 4 |")]
        {
            let error = compare("a", printed, false).unwrap_err().to_string();
            assert!(error.contains(&format!("printed:  {line}\n")), "{error}");
        }
        assert!(compare("c", "", true).unwrap_err().to_string().contains("from here: c"));
        assert_eq!(fs::read_to_string(&path).unwrap(), PAGE);
        assert!(compare("b", "| 5 |", true).is_ok() && compare("b", "| 5 |", false).is_ok());
        assert_eq!(fs::read_to_string(&path).unwrap(), PAGE.replace("b -->\n", "b -->\n| 5 |\n"));
    }
}
