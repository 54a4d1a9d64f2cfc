//! The required content of the pictures.

use std::fs;

use roxmltree::Document;
use tempfile::TempDir;

use super::{Files, charts, draw, sample};

fn drawn(evenings: u32) -> (Files, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("pictures");
    let run = sample::run_log(7, evenings);
    let files = draw(&run, &sample::neighbours(&run), "cargo xtask demo --seed 7 && echo <done>", &place).unwrap();
    (files, folder)
}

#[test]
fn the_svg_says_what_it_shows_and_the_page_needs_nothing_else() {
    let (files, _folder) = drawn(12);
    let svg = fs::read_to_string(&files.svg).unwrap();
    let document = Document::parse(&svg).unwrap();
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    // The evening with the window is the last but one.
    for label in [
        "Evening 1",
        "Evening 11: learned",
        "Evening 11: thermostat",
        "window open",
        "PI",
        "room",
        "tracking",
        "paper",
        "2 houses near the data sheet",
        "2 houses far from it",
    ] {
        assert!(texts.iter().any(|text| text.contains(label)), "{label} is missing");
    }
    let page = fs::read_to_string(&files.html).unwrap();
    assert!(page.contains("&lt;done&gt;") && page.contains("seed 7") && page.contains("<svg"));
    // On a narrow screen the picture keeps a readable size, and scrolls.
    assert!(page.contains("<div class=\"figure\">\n<svg") && page.contains(".figure { overflow-x: auto; }"));
    assert!(page.contains(".figure svg { min-width: 900px;"));
    // The namespace is not a link.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for link in ["http", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(link), "{link} in the page");
    }
}

#[test]
fn without_a_window_the_last_evening_is_shown() {
    let mut run = sample::run_log(7, 3);
    run.scene.window_open = None;
    let neighbours = sample::neighbours(&run);
    let svg = charts::svg(&run, &neighbours);
    assert!(svg.contains("Evening 3: learned") && svg.contains("Evening 3: thermostat") && !svg.contains("window"));
    // The first evening is shown anyway.
    run.scene.window_open = Some(1);
    let svg = charts::svg(&run, &neighbours);
    assert!(svg.contains("Evening 3: learned"));
    assert_eq!(svg.matches(">window open<").count(), 2, "in the first evening's chart, and in that of all evenings");
}

#[test]
fn a_single_evening_makes_a_picture_of_numbers_only() {
    let (files, _folder) = drawn(1);
    let svg = fs::read_to_string(&files.svg).unwrap();
    assert!(svg.len() > 10_000 && Document::parse(&svg).is_ok());
    for nonsense in ["NaN", "inf"] {
        assert!(!svg.contains(nonsense), "{nonsense} in the picture");
    }
}
