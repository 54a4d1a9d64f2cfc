//! Large digits, three lines high.

/// The lines of a number; unknown characters are left out.
pub(super) fn lines(number: &str) -> [String; 3] {
    let mut lines = [const { String::new() }; 3];
    for letter in number.chars() {
        for (line, part) in lines.iter_mut().zip(shape(letter)) {
            line.push_str(part);
        }
    }
    lines
}

fn shape(letter: char) -> [&'static str; 3] {
    match letter {
        '0' => ["┏━┓", "┃ ┃", "┗━┛"],
        '1' => [" ╻ ", " ┃ ", " ╹ "],
        '2' => ["╺━┓", "┏━┛", "┗━╸"],
        '3' => ["╺━┓", "╺━┫", "╺━┛"],
        '4' => ["╻ ╻", "┗━┫", "  ╹"],
        '5' => ["┏━╸", "┗━┓", "╺━┛"],
        '6' => ["┏━╸", "┣━┓", "┗━┛"],
        '7' => ["╺━┓", "  ┃", "  ╹"],
        '8' => ["┏━┓", "┣━┫", "┗━┛"],
        '9' => ["┏━┓", "┗━┫", "╺━┛"],
        '.' => [" ", " ", "•"],
        '-' => ["  ", "╺╸", "  "],
        '°' => [" °", "  ", "  "],
        _ => ["", "", ""],
    }
}
