//! Text files that people might pass, and what may have happened to them.

use super::Fuzz;

/// What tables are made of, and what breaks them.
const PIECES: [&str; 32] = [
    ",",
    "\n",
    "\r\n",
    "\"",
    "\"\"",
    " ",
    "\t",
    "0",
    "1",
    "-1",
    "7.5",
    "1e39",
    "-1e308",
    "1.7e308",
    "NaN",
    "inf",
    "1e-320",
    "9223372036854775808",
    "-9223372036854775808",
    "episode",
    "state",
    "reward",
    "phi0",
    "hour",
    "time",
    "celsius",
    "fahrenheit",
    "2024-02-29 13:00",
    "0000-00-00T24:60:61Z",
    "\u{feff}",
    "é",
    "\0",
];

impl Fuzz {
    /// Arbitrary bytes, or arbitrary pieces of tables.
    pub(super) fn any_file(&mut self) -> Vec<u8> {
        let length = self.below(40);
        let bytes = self.one_in(4);
        let mut file = Vec::new();
        for _ in 0..length {
            if bytes {
                file.push(self.word() as u8);
            } else {
                file.extend(self.pick(&PIECES).as_bytes());
            }
        }
        file
    }

    /// A valid file with a few bytes or pieces changed, taken out or put in, or cut off.
    pub(super) fn damaged_file(&mut self, file: &str) -> Vec<u8> {
        let mut file = file.as_bytes().to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(file.len() as u32 + 1) as usize;
            let until = (at + self.below(3) as usize).min(file.len());
            match self.below(8) {
                0 => file.truncate(at),
                1 => drop(file.splice(at..until, [self.word() as u8])),
                2 => drop(file.splice(at..until, [])),
                3 => file.rotate_left(at),
                _ => {
                    let piece = self.pick(&PIECES);
                    file.splice(at..until, piece.bytes());
                }
            }
        }
        file
    }

    /// A number as people write it.
    pub(super) fn written(&mut self) -> (f32, String) {
        let x = if self.is_wild() { self.any_float() } else { self.float() };
        let text = match self.below(4) {
            0 => format!("{x:e}"),
            1 => format!(" \"{x}\" "),
            _ => format!("{x}"),
        };
        (x, text)
    }

    /// The end of a line, and perhaps an empty line.
    pub(super) fn line_end(&mut self) -> &'static str {
        self.pick(&["\n", "\n", "\r\n", "\n\n", " \n"])
    }
}

/// Checks that an error names a line that exists, or says that there is too little.
pub(super) fn says_where(error: &anyhow::Error, file: &[u8], too_little: &[&str]) {
    let message = format!("{error:#}");
    let lines = 1 + file.iter().filter(|byte| **byte == b'\n').count();
    let number = message.strip_prefix("line ").map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
    let number = number.flatten().and_then(|number| number.parse::<usize>().ok());
    let is_said = number.is_some_and(|number| (1..=lines).contains(&number));
    assert!(is_said || too_little.iter().any(|text| message.contains(text)), "{message} in {file:?}");
}
