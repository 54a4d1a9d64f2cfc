//! Reads what the `parity` firmware reports while it learns.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::boards::Board;
use super::qemu::Qemu;

/// One update as the device reports it.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceUpdate {
    /// The update's number.
    pub k: u32,
    /// Rows learned from.
    pub tau: u32,
    /// Rows dropped.
    pub dropped: u32,
    /// ϑ.
    pub theta: f32,
    /// ‖g‖.
    pub g_norm: f32,
    /// w after the update.
    pub weights: Vec<f32>,
}

impl DeviceUpdate {
    /// From `update K TAU DROPPED THETA G_NORM [W, …]`, floats as their bits in hexadecimal.
    fn parse(line: &str) -> Result<Self> {
        let text = line.replace(['[', ']', ','], " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        ensure!(words.len() > 6, "too short");
        let number = |i: usize| words[i].parse().with_context(|| format!("`{}` is no number", words[i]));
        let float = |word: &&str| {
            let bits = u32::from_str_radix(word, 16).with_context(|| format!("`{word}` is not hexadecimal"))?;
            anyhow::Ok(f32::from_bits(bits))
        };
        Ok(Self {
            k: number(1)?,
            tau: number(2)?,
            dropped: number(3)?,
            theta: float(&words[4])?,
            g_norm: float(&words[5])?,
            weights: words[6..].iter().map(float).collect::<Result<_>>()?,
        })
    }
}

/// Runs the `parity` firmware and hands over each update as it happens.
///
/// # Errors
/// Where the device fails, hangs or says something else than updates.
pub fn run(board: &Board, elf: &Path, mut on_update: impl FnMut(DeviceUpdate)) -> Result<()> {
    let mut unreadable = Ok(());
    let outcome = Qemu::new(board, elf).run(|line| {
        if !line.message.starts_with("update ") {
            return;
        }
        match DeviceUpdate::parse(&line.message) {
            Ok(update) => on_update(update),
            Err(error) => unreadable = Err(error.context(format!("the device said: {}", line.message))),
        }
    })?;
    let lines = outcome.success()?;
    ensure!(lines.last().is_some_and(|line| line.message == "done"), "the device stopped before it was done");
    unreadable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_its_own_format() {
        let update = DeviceUpdate::parse("update 3 16 1 3f800000 40000000 [bf800000, 00000000]").unwrap();
        assert_eq!((update.k, update.tau, update.dropped, update.theta, update.g_norm), (3, 16, 1, 1.0, 2.0));
        assert_eq!(update.weights, [-1.0, 0.0]);
        assert!(DeviceUpdate::parse("update 3 16 1 zzz 0 [0]").is_err());
        assert!(DeviceUpdate::parse("update 3").is_err());
    }
}
