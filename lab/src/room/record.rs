//! Evenings as a file that `cargo xtask replay` reads.

use std::io::{Result, Write};

use super::device::Recorded;
use osculate_apps::room::features::N;

/// Writes every step as the device learned from it. Decimals are the shortest that round-trip to the same bits.
pub fn write(evenings: &[Vec<Recorded>], mut file: impl Write) -> Result<()> {
    let features: Vec<String> = (0..N).map(|feature| format!("phi{feature}")).collect();
    writeln!(file, "episode,state,reward,{}", features.join(","))?;
    for (evening, steps) in evenings.iter().enumerate() {
        for Recorded { row, reward, features } in steps {
            write!(file, "{},{row},{reward}", evening + 1)?;
            for feature in features {
                write!(file, ",{feature}")?;
            }
            writeln!(file)?;
        }
    }
    file.flush()
}
