//! Parses cargo's output during a build.

/// A line, or a progress line that cargo overwrites in place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// The progress: `57 of 214 (syn, serde_core)`.
    Done(String),
    /// A status line; the count is enough.
    Status,
    /// Everything else, such as a warning, an error, or waiting for another cargo.
    Message(String),
}

/// The prefixes of cargo's ordinary status lines.
const STATUS: [&str; 7] = ["Compiling", "Finished", "Downloading", "Downloaded", "Updating", "Locking", "Adding"];

/// Takes the complete pieces out of the buffer.
pub(crate) fn pieces(read: &mut Vec<u8>) -> Vec<Piece> {
    let Some(end) = read.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) else { return Vec::new() };
    let complete: Vec<u8> = read.drain(..=end).collect();
    let text = String::from_utf8_lossy(&complete);
    text.split(['\n', '\r']).filter(|piece| !is_blank(piece)).map(piece).collect()
}

fn piece(text: &str) -> Piece {
    let text = text.replace("\x1b[K", "");
    match text.split_whitespace().next() {
        Some("Building") => count(&text).map_or(Piece::Status, Piece::Done),
        Some(word) if STATUS.contains(&word) => Piece::Status,
        _ => Piece::Message(text),
    }
}

/// cargo clears its line with blanks or with a terminal escape.
fn is_blank(text: &str) -> bool {
    text.replace("\x1b[K", "").trim().is_empty()
}

/// Parses `Building [====>   ] 57/214: syn, …`.
fn count(text: &str) -> Option<String> {
    let (_, after) = text.split_once("] ")?;
    let (counts, names) = after.split_once(':').unwrap_or((after, ""));
    let (done, all) = counts.split_once('/')?;
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let (done, all) = (number(done)?, number(all)?);
    let names = names.trim();
    Some(if names.is_empty() { format!("{done} of {all}") } else { format!("{done} of {all} ({names})") })
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    fn read(text: &str) -> Vec<Piece> {
        pieces(&mut text.as_bytes().to_vec())
    }

    #[test]
    fn the_count_is_read_and_lines_about_single_crates_are_not_shown() {
        let text = "   Compiling syn v2.0.119\n    Building [=====>      ] 57/214: syn, serde_core...\r\x1b[K    Finished `dev`\n";
        assert_eq!(read(text), [Piece::Status, Piece::Done("57 of 214 (syn, serde_core...)".into()), Piece::Status]);
        assert_eq!(read("    Building [=>   ] 3/9\r"), [Piece::Done("3 of 9".into())]);
        assert_eq!(read("    Building [=>   ] soon\r"), [Piece::Status]);
    }

    #[test]
    fn what_a_person_should_see_is_passed_on() {
        let text =
            "warning: unused import\n --> src/main.rs:1:1\n    Blocking waiting for file lock on build directory\n";
        let shown =
            ["warning: unused import", " --> src/main.rs:1:1", "    Blocking waiting for file lock on build directory"];
        assert_eq!(read(text), shown.map(|line| Piece::Message(line.into())));
    }

    #[test]
    fn half_a_line_waits_for_its_end() {
        let mut bytes = b"    Compil".to_vec();
        assert_eq!(pieces(&mut bytes), []);
        bytes.extend(b"ing syn\nerror: a");
        assert_eq!(pieces(&mut bytes), [Piece::Status]);
        assert_eq!(bytes, b"error: a");
    }
}
