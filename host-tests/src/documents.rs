//! What the documents say.

use std::path::Path;
use std::{env, fs};

/// Asserts that a document of the repository has this sentence or row of a table, which a test has made of what it measured.
///
/// # Panics
/// With the sentence, if it is not there.
pub fn says(document: &str, sentence: &str) {
    // At run time, because cargo does not rebuild what was moved. Tests run in the folder of their package.
    let here = env::current_dir().expect("a folder to be in");
    let root = here.ancestors().find(|folder| folder.join("docs/claims.md").is_file()).unwrap_or(Path::new("."));
    let text = fs::read_to_string(root.join(document)).unwrap_or_else(|error| panic!("{document}: {error}"));
    assert!(text.contains(sentence), "{document} does not say: {sentence}");
}
