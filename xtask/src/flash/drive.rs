//! The USB drive that a board shows, and that takes a file to be flashed.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use osculate_lab::boards::Board;
use osculate_lab::firmware::APPLICATION;
use osculate_lab::image_files::Format;

/// The files by which a drive says what it is: that of a UF2 boot ROM, and that of DAPLink.
const ABOUT: [&str; 2] = ["INFO_UF2.TXT", "DETAILS.TXT"];

/// The mounted drive of a board.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Drive {
    folder: PathBuf,
}

/// Why there is no drive to copy to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// This board shows none.
    NeverThere,
    /// None is mounted.
    NotMounted {
        /// Its device file, if it is plugged in all the same.
        device: Option<PathBuf>,
    },
    /// It is that of another board.
    Other {
        folder: PathBuf,
        /// What it says of itself.
        says: String,
    },
}

/// Looks where desktops mount drives; `root` is `/` except in tests.
pub(super) fn find(board: &Board, root: &Path) -> Result<Drive, Missing> {
    let label = board.drive.as_deref().ok_or(Missing::NeverThere)?;
    let mut places = vec![root.join("media"), root.join("mnt"), root.join("Volumes")];
    // Per user.
    places.extend(["media", "run/media"].iter().flat_map(|place| folders(&root.join(place))));
    let mounted = places.iter().flat_map(|place| folders(place)).filter(|folder| is_named(folder, label));
    let mut other = None;
    for folder in mounted {
        match says(board, &folder) {
            Ok(()) => return Ok(Drive { folder }),
            Err(says) => other = Some(Missing::Other { folder, says }),
        }
    }
    let device = root.join("dev/disk/by-label").join(label);
    Err(other.unwrap_or(Missing::NotMounted { device: device.exists().then_some(device) }))
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

/// Whether the drive says that it is this board's; otherwise what it says.
fn says(board: &Board, folder: &Path) -> Result<(), String> {
    if board.drive_id.is_empty() {
        return Ok(());
    }
    let about = ABOUT.iter().find_map(|file| Some((file, fs::read(folder.join(file)).ok()?)));
    let Some((file, text)) = about else { return Err(format!("it has neither {}", ABOUT.join(" nor "))) };
    let text = String::from_utf8_lossy(&text);
    if board.drive_id.iter().any(|id| text.contains(id.as_str())) {
        return Ok(());
    }
    let line = text.lines().find(|line| line.starts_with("Board-ID:") || line.starts_with("Unique ID:"));
    Err(format!("its {file} says `{}`", line.unwrap_or("nothing about a board").trim()))
}

impl Drive {
    /// Copies the image, in the format that the drive takes.
    pub(super) fn copy(&self, board: &Board, elf: &[u8]) -> Result<()> {
        let format = Format::of_drive(board);
        let name = format!("{APPLICATION}.{}", format.extension());
        // Read back here and not from the drive: that is a window to the chip's flash, and forgets its files.
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let file = folder.path().join(&name);
        let bytes = format.save(board, elf, &file)?;
        println!("copying {name} ({bytes} bytes) to {}", self.folder.display());
        let copied = self.write(&name, &fs::read(&file)?);
        copied.with_context(|| format!("cannot copy to {}", self.folder.display()))?;
        match format {
            Format::Uf2 => println!(
                "copied: the board restarts with it; if its drive comes back instead, copy again.\n\
                 Its log needs a debug probe: `--by probe`."
            ),
            _ => println!(
                "copied: the board restarts with it in a few seconds; if not, look for FAIL.TXT on the drive.\n\
                 Its log comes by the same USB cable, with probe-rs: `--by probe`."
            ),
        }
        Ok(())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let about = self.folder.join(ABOUT[0]);
        let is_boot_rom = about.exists();
        let mut file = File::create(self.folder.join(name))?;
        file.write_all(bytes)?;
        match file.sync_all() {
            // A Pico restarts, and its drive goes away, as soon as it has the last block.
            Err(_) if is_boot_rom && !about.exists() => Ok(()),
            synced => Ok(synced?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(board: &str) -> &'static Board {
        Board::named(board).unwrap()
    }

    /// A root with one mounted drive.
    fn root(mount: &str, file: &str, text: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join(mount);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), text).unwrap();
        root
    }

    const PICO: &str = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n";

    #[test]
    fn a_drive_is_found_wherever_desktops_mount_it() {
        for mount in ["media/me/RPI-RP2", "run/media/me/RPI-RP2", "mnt/RPI-RP2", "Volumes/RPI-RP2", "media/me/RPI-RP21"]
        {
            let root = root(mount, "INFO_UF2.TXT", PICO);
            assert_eq!(find(named("pico"), root.path()), Ok(Drive { folder: root.path().join(mount) }));
            assert_eq!(find(named("pico2"), root.path()), Err(Missing::NotMounted { device: None }));
        }
        let root = root("media/me/RPI-RP2-backup", "INFO_UF2.TXT", PICO);
        assert_eq!(find(named("pico"), root.path()), Err(Missing::NotMounted { device: None }));
        assert_eq!(find(named("netduinoplus2"), root.path()), Err(Missing::NeverThere));
        fs::create_dir_all(root.path().join("dev/disk/by-label/RPI-RP2")).unwrap();
        let device = Some(root.path().join("dev/disk/by-label/RPI-RP2"));
        assert_eq!(find(named("pico"), root.path()), Err(Missing::NotMounted { device }));
    }

    /// Both micro:bits show a drive of one name, and one would take the other's file.
    #[test]
    fn the_drive_of_another_board_is_not_used() {
        let v1 = root("media/me/MICROBIT", "DETAILS.TXT", "# DAPLink\r\nUnique ID: 990000\r\n");
        assert!(find(named("microbit"), v1.path()).is_ok());
        let Err(Missing::Other { says, .. }) = find(named("microbit-v2"), v1.path()) else { panic!("it is used") };
        assert_eq!(says, "its DETAILS.TXT says `Unique ID: 990000`");
        let folder = root("mnt/MICROBIT", "photo.jpg", "");
        let Err(Missing::Other { says, .. }) = find(named("microbit"), folder.path()) else { panic!("it is used") };
        assert_eq!(says, "it has neither INFO_UF2.TXT nor DETAILS.TXT");
        // The right one is found beside a wrong one.
        let both = root("media/me/MICROBIT", "DETAILS.TXT", "Unique ID: 990000");
        fs::create_dir_all(both.path().join("media/me/MICROBIT1")).unwrap();
        fs::write(both.path().join("media/me/MICROBIT1/DETAILS.TXT"), "Unique ID: 990600").unwrap();
        assert!(find(named("microbit-v2"), both.path()).is_ok());
    }
}
