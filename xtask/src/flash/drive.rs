//! The USB drive that a board shows, and that takes a file to be flashed.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use osculate_lab::boards::Board;
use osculate_lab::firmware::APPLICATION;
use osculate_lab::image_files;

/// The files by which a drive says what it is: that of a UF2 boot ROM, and that of DAPLink.
const ABOUT: [&str; 2] = ["INFO_UF2.TXT", "DETAILS.TXT"];

/// The mounted drive of a board, where desktops mount drives; `root` is `/` except in tests.
///
/// # Errors
/// If there is none; says what to plug in.
pub(super) fn find(board: &Board, root: &Path) -> Result<PathBuf> {
    let label =
        board.drive.as_deref().with_context(|| format!("{} shows no USB drive: it needs a probe", board.name))?;
    let mut places = vec![root.join("media"), root.join("mnt"), root.join("Volumes")];
    // Per user.
    places.extend(["media", "run/media"].iter().flat_map(|place| folders(&root.join(place))));
    let mut wrong = String::new();
    for drive in places.iter().flat_map(|place| folders(place)).filter(|folder| is_named(folder, label)) {
        let about = ABOUT.iter().find_map(|file| fs::read_to_string(drive.join(file)).ok()).unwrap_or_default();
        // Both micro:bits show a drive of one name, and one would take the other's file.
        if board.drive_id.is_empty() || board.drive_id.iter().any(|id| about.contains(id)) {
            return Ok(drive);
        }
        wrong = format!(" ({} is that of another board)", drive.display());
    }
    let how = if board.uf2.is_some() { "hold its BOOTSEL button while you " } else { "" };
    bail!("no drive {label} of {} is mounted{wrong}: {how}plug in its USB cable", board.name)
}

fn folders(place: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// With a number if there are several: `MICROBIT1`, or on macOS `MICROBIT 1`.
fn is_named(folder: &Path, label: &str) -> bool {
    let rest = folder.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix(label));
    rest.is_some_and(|rest| rest.trim_start().chars().all(|digit| digit.is_ascii_digit()))
}

/// Copies the image, in the format that the drive takes.
pub(super) fn copy(board: &Board, elf: &[u8], drive: &Path) -> Result<()> {
    let (extension, bytes) = image_files::for_drive(board, elf)?;
    let name = format!("{APPLICATION}.{extension}");
    println!("copying {name} ({} bytes) to {}", bytes.len(), drive.display());
    let about = drive.join(ABOUT[0]);
    let is_boot_rom = about.exists();
    let written = File::create(drive.join(name)).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.sync_all()
    });
    // A Pico restarts, and its drive goes away, as soon as it has the last block.
    if !is_boot_rom || about.exists() {
        written.with_context(|| format!("cannot copy to {}", drive.display()))?;
    }
    println!("copied: the board restarts with it. If not, look for FAIL.TXT on the drive; the log needs a probe.");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICO: &str = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n";

    /// Looks for the drive of a board where there are these, each with its file and what that says.
    fn found(board: &str, drives: &[(&str, &str, &str)]) -> Result<String, String> {
        let root = tempfile::tempdir().unwrap();
        for (mount, file, text) in drives {
            fs::create_dir_all(root.path().join(mount)).unwrap();
            fs::write(root.path().join(mount).join(file), text).unwrap();
        }
        let drive = find(Board::named(board).unwrap(), root.path()).map_err(|error| error.to_string())?;
        Ok(drive.strip_prefix(root.path()).unwrap().display().to_string())
    }

    #[test]
    fn a_drive_is_found_wherever_desktops_mount_it_unless_it_is_that_of_another_board() {
        for mount in ["media/me/RPI-RP2", "run/media/me/RPI-RP2", "mnt/RPI-RP2", "Volumes/RPI-RP2", "media/me/RPI-RP21"]
        {
            assert_eq!(found("pico", &[(mount, "INFO_UF2.TXT", PICO)]).unwrap(), mount);
            assert!(found("pico2", &[(mount, "INFO_UF2.TXT", PICO)]).unwrap_err().contains("hold its BOOTSEL"));
        }
        assert!(found("pico", &[("media/me/RPI-RP2-backup", "INFO_UF2.TXT", PICO)]).is_err());
        assert!(found("netduinoplus2", &[]).unwrap_err().contains("it needs a probe"));
        let one = ("media/me/MICROBIT", "DETAILS.TXT", "Unique ID: 990000");
        assert!(found("microbit-v2", &[one]).unwrap_err().contains("is that of another board"));
        // The right one is found beside a wrong one.
        let other = ("media/me/MICROBIT1", "DETAILS.TXT", "Unique ID: 990600");
        assert_eq!(found("microbit-v2", &[one, other]).unwrap(), "media/me/MICROBIT1");
    }
}
