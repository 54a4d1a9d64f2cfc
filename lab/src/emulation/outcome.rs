//! How a run ended.

use anyhow::{Result, bail};

use crate::log::Line;

/// How the lines begin in which the runner of the Pico reports what happened.
const RESET: &str = "reset ";
const POWER_CUT: &str = "power cut: ";
const FLASH_OPERATIONS: &str = "flash operations: ";

/// How a run ended, and what it logged.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The complete log.
    pub lines: Vec<Line>,
    /// The exit code: 0 for success, 101 for a firmware failure, another for a failure of the emulator; `None` if it
    /// was killed.
    pub code: Option<i32>,
    pub(super) run: String,
    pub(super) emulator: &'static str,
    pub(super) stderr: String,
}

impl Outcome {
    /// The log of a run that succeeded.
    ///
    /// # Errors
    /// The [`reason`](Outcome::reason) and the end of the log, if it failed.
    pub fn success(self) -> Result<Vec<Line>> {
        let Some(reason) = self.reason() else { return Ok(self.lines) };
        let end = self.lines.iter().skip(self.lines.len().saturating_sub(20));
        bail!("{reason}; the end of its log:\n{}", end.map(|line| format!("  {line}\n")).collect::<String>());
    }

    /// Why it failed; `None` if it succeeded.
    pub fn reason(&self) -> Option<String> {
        let Outcome { run, emulator, .. } = self;
        let said: Vec<_> = self.stderr.trim().lines().filter(|line| !line.starts_with(FLASH_OPERATIONS)).collect();
        let said = said.join("\n");
        match self.code {
            Some(0) => None,
            Some(101) => Some(format!("{run} failed")),
            _ if said.contains("Lockup") => {
                Some(format!("{run} locked up: a fault inside a fault handler, most often a stack that left RAM"))
            }
            Some(code) => Some(format!("{emulator} ended {run} with code {code}: {said}")),
            None => Some(format!("{emulator} was killed while it ran {run}: {said}")),
        }
    }

    /// Where the power was cut, if it was: only the Pico's can be, by [`Cut`](super::Cut).
    pub fn power_cut(&self) -> Option<&str> {
        self.said(POWER_CUT).next()
    }

    /// The cause of each reset of the Pico, in order.
    pub fn resets(&self) -> Vec<&str> {
        self.said(RESET).filter_map(|line| Some(line.split_once(": ")?.1)).collect()
    }

    /// The operations on the flash of the Pico, in order: `erase` or `program`, and the number of bytes.
    pub fn flash_operations(&self) -> Vec<(String, u32)> {
        self.said(FLASH_OPERATIONS).last().and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default()
    }

    /// What follows this beginning, in each of the emulator's lines that has it.
    fn said<'a>(&'a self, beginning: &'a str) -> impl Iterator<Item = &'a str> {
        self.stderr.lines().filter_map(move |line| line.strip_prefix(beginning))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_is_read_from_the_emulators_lines() {
        let stderr = "reset 1: the watchdog was not fed\nreset 2: the firmware asked for it\n\
            power cut: in flash operation 2\nflash operations: [[\"erase\",4096],[\"program\",256]]\n";
        let outcome = Outcome {
            lines: Vec::new(),
            code: Some(3),
            run: "`a` on b".into(),
            emulator: "rp2040js",
            stderr: stderr.into(),
        };
        assert_eq!(outcome.power_cut(), Some("in flash operation 2"));
        assert_eq!(outcome.resets(), ["the watchdog was not fed", "the firmware asked for it"]);
        assert_eq!(outcome.flash_operations(), [("erase".to_owned(), 4096), ("program".to_owned(), 256)]);
        let reason = outcome.reason().unwrap();
        assert!(reason.starts_with("rp2040js ended `a` on b with code 3: ") && !reason.contains("4096"), "{reason}");
    }
}
