//! What to do before a board can be flashed.

use osculate_lab::boards::Board;

use super::drive::Missing;
use super::probe::Probes;

/// Lets the user who is logged in open probes. The number makes it come before the rules that give such rights.
const RULES: &str = "/etc/udev/rules.d/69-probe-rs.rules";
/// The makers of probes, by their USB numbers.
const VENDORS: [(&str, &str); 4] = [
    ("0d28", "CMSIS-DAP: DAPLink, the micro:bits"),
    ("1366", "J-Link"),
    ("0483", "ST-Link"),
    ("2e8a", "Raspberry Pi Debug Probe"),
];

/// What is missing, and what to do about it: for a probe, for the drive, or for either.
pub(super) fn text(board: &Board, probes: Option<&Probes>, drive: Option<&Missing>) -> String {
    let mut lines = Vec::new();
    if let Some(probes) = probes {
        lines.extend(by_probe(board, probes));
    }
    if let Some(drive) = drive {
        lines.extend(by_drive(board, drive, probes.is_some()));
    }
    lines.push(format!("then again: cargo xtask flash --board {}", board.name));
    lines.join("\n")
}

fn by_probe(board: &Board, probes: &Probes) -> Vec<String> {
    let plug = match (&board.drive, board.uf2) {
        // A drive that is not a boot ROM's belongs to a probe on the board.
        (Some(_), None) => "plug in the board's own USB cable: a probe is on the board",
        _ => "connect a probe (CMSIS-DAP, J-Link, ST-Link, Raspberry Pi Debug Probe) to the board's SWD pins",
    };
    let mut lines = Vec::new();
    match probes {
        Probes::Found(_) => {}
        Probes::NoProgram => {
            lines.push("probe-rs is not installed. To flash by a debug probe and see the log:".into());
            lines.push("  cargo install probe-rs-tools --locked".into());
            lines.push(format!("  {plug}"));
        }
        Probes::NonePluggedIn => {
            lines.push("`probe-rs list` finds no debug probe:".into());
            lines.push(format!("  {plug}"));
        }
        Probes::Forbidden => lines.push("there is a debug probe, but this user may not open it.".into()),
        Probes::Failed(reason) => {
            lines.push(format!("`probe-rs list` failed ({reason}): run it by itself to see why, or install it again:"));
            lines.push("  cargo install probe-rs-tools --locked --force".into());
        }
    }
    if cfg!(target_os = "linux") && !matches!(probes, Probes::Failed(_)) {
        lines.extend(rules());
    }
    lines
}

fn rules() -> Vec<String> {
    let mut lines = vec![format!("  on Linux, once: create {RULES} (as root) with these lines")];
    for (vendor, who) in VENDORS {
        lines.push(format!("    # {who}"));
        lines.push(format!(
            r#"    SUBSYSTEM=="usb|hidraw", ATTRS{{idVendor}}=="{vendor}", MODE="0660", TAG+="uaccess""#
        ));
    }
    lines.push("  then `sudo udevadm control --reload && sudo udevadm trigger`, and plug it in again".into());
    lines
}

fn by_drive(board: &Board, missing: &Missing, is_second: bool) -> Vec<String> {
    let label = board.drive.as_deref().unwrap_or_default();
    let without = if is_second { "Or without a probe, and without a log: " } else { "" };
    let mut lines = Vec::new();
    match missing {
        Missing::NeverThere if is_second => {}
        Missing::NeverThere => lines.push(format!("{} shows no USB drive: use `--by probe`", board.name)),
        Missing::NotMounted { device: Some(device) } => {
            lines.push(format!("{without}the drive {label} is plugged in, but not mounted:"));
            lines.push(format!("  udisksctl mount -b {}", device.display()));
        }
        Missing::NotMounted { device: None } => {
            lines.push(format!("{without}no drive {label} is mounted:"));
            lines.push(format!("  {}", plug_in(board)));
        }
        Missing::Other { folder, says } => {
            lines.push(format!("{without}{} is not the drive of {}: {says}", folder.display(), board.name));
            lines.push(format!("  {}", plug_in(board)));
        }
    }
    lines
}

fn plug_in(board: &Board) -> &'static str {
    match board.uf2 {
        Some(_) => "hold the board's BOOTSEL button while you plug in its USB cable",
        None => "plug in the board's USB cable, that is all",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_gets_its_own_next_step() {
        let told = |board| {
            let missing = Missing::NotMounted { device: None };
            text(Board::named(board).unwrap(), Some(&Probes::NonePluggedIn), Some(&missing))
        };
        assert!(told("pico").contains("BOOTSEL") && told("pico").contains("SWD pins"));
        assert!(told("microbit-v2").contains("a probe is on the board") && !told("microbit-v2").contains("BOOTSEL"));
        let netduino = Board::named("netduinoplus2").unwrap();
        let told = text(netduino, Some(&Probes::NonePluggedIn), Some(&Missing::NeverThere));
        assert!(told.contains("SWD pins") && !told.contains("drive"), "{told}");
        assert!(text(netduino, None, Some(&Missing::NeverThere)).contains("use `--by probe`"));
    }
}
