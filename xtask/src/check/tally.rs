//! How many tests have passed, from what test runners print.

use std::fmt;

/// Tests of all runners whose output was looked at: libtest's, and `defmt-test`'s on the target.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    passed: u32,
    failed: u32,
    /// Tests on the target that have begun since the last of them was known to have passed.
    begun: u32,
    last_test: Option<String>,
    unfinished: Vec<u8>,
}

impl Tally {
    /// Takes a piece of output into account.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.unfinished.extend(bytes);
        while let Some(end) = self.unfinished.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.unfinished.drain(..=end).collect();
            self.line(String::from_utf8_lossy(&line).trim());
        }
    }

    fn line(&mut self, line: &str) {
        if let Some(counts) = line.strip_prefix("test result: ") {
            let count = |what: &str| {
                let (before, _) = counts.split_once(what)?;
                before.rsplit([' ', ';']).find(|word| !word.is_empty())?.parse::<u32>().ok()
            };
            self.passed += count(" passed").unwrap_or(0);
            self.failed += count(" failed").unwrap_or(0);
        } else if let Some((name, _)) = line.strip_prefix("test ").and_then(|test| test.split_once(" ... ")) {
            self.last_test = Some(name.to_owned());
        } else if let Some((_, name)) = line.split_once(") running `") {
            self.begun += 1;
            self.last_test = name.split('`').next().map(str::to_owned);
        } else if line.contains("all tests passed!") {
            self.passed += std::mem::take(&mut self.begun);
        }
    }

    /// The test that was last heard of.
    pub(crate) fn last_test(&self) -> Option<&str> {
        self.last_test.as_deref()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One on the target that has begun and is not known to have passed has failed: it ends its binary.
        write!(f, "{} passed, {} failed", self.passed, self.failed + self.begun.min(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libtest_and_defmt_test_are_added_up() {
        let mut tally = Tally::default();
        tally.push(b"test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.1s\n");
        tally.push(b"INFO  (1/2) running `floats`...\nINFO  (2/2) running `integers`...\nINFO  all tests");
        assert_eq!(tally.to_string(), "12 passed, 1 failed", "nobody knows yet that they have passed");
        tally.push(b" passed!\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n");
        assert_eq!(tally.to_string(), "15 passed, 2 failed");
        assert_eq!(tally.last_test(), Some("integers"));
    }
}
