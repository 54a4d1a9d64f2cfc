//! Promise: no release image of an application contains a panic. Read from the linked code, for floats and fixed point,
//! on a core with an FPU and on the smallest one.

use osculate_board_tests::image;

/// Board, binary and features. `drift`, `resume`, `replay` and `fan_systick` contain f32 and fixed point.
const IMAGES: [(&str, &str, &[&str]); 14] = [
    ("mps2-an386", "room", &[]),
    ("mps2-an386", "room", &["fixed-point"]),
    ("mps2-an386", "room", &["episodes"]),
    ("mps2-an386", "room", &["fixed-point", "episodes"]),
    ("mps2-an386", "nexting", &[]),
    ("mps2-an386", "drift", &[]),
    ("mps2-an386", "resume", &[]),
    ("mps2-an386", "replay", &[]),
    ("mps2-an386", "fan_systick", &[]),
    ("microbit", "drift", &[]),
    ("microbit", "resume", &[]),
    ("microbit", "replay", &[]),
    ("microbit", "fan_systick", &[]),
    ("microbit", "grid", &[]),
];

#[test]
fn no_application_can_panic() {
    let mut guilty = Vec::new();
    for (board, binary, features) in IMAGES {
        let image = image(board, binary, features);
        assert!(image.names().count() > 30, "`{binary}` on {board} has only {} functions", image.names().count());
        guilty.extend(image.panics().iter().map(|path| format!("`{binary}` on {board}: {path}")));
    }
    assert!(guilty.is_empty(), "{guilty:#?}");
}

/// Without this, a search that finds nothing would pass, too.
#[test]
fn a_binary_that_panics_on_purpose_is_found_guilty() {
    for board in ["mps2-an386", "microbit"] {
        let panics = image(board, "faults", &[]).panics();
        println!("{panics:#?}");
        for end in ["core::panicking::panic_fmt", "_defmt_panic"] {
            let found = panics.iter().any(|path| path.starts_with("Reset → main → ") && path.ends_with(end));
            assert!(found, "{board}: {panics:#?}");
        }
    }
}
