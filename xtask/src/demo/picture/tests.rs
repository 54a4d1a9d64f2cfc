//! What the pictures must show.

use std::fs;
use std::path::PathBuf;

use resvg::tiny_skia::Pixmap;
use resvg::usvg::roxmltree::Document;

use super::{Files, draw, sample};

fn drawn(evenings: u32) -> (Files, PathBuf) {
    let folder = std::env::temp_dir().join(format!("osculate-picture-{}-{evenings}", std::process::id()));
    let files = draw(&sample::story(7, evenings), "cargo xtask demo --seed 7 && echo <done>", &folder).unwrap();
    (files, folder)
}

#[test]
fn the_svg_says_what_it_shows_and_the_page_needs_nothing_else() {
    let (files, folder) = drawn(12);
    let svg = fs::read_to_string(&files.svg).unwrap();
    let document = Document::parse(&svg).unwrap();
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    for label in ["Evening 1", "Evening 12: learned", "Evening 12: a thermostat", "window open", "PI, tuned", "room"] {
        assert!(texts.iter().any(|text| text.contains(label)), "{label} is missing");
    }
    let page = fs::read_to_string(&files.html).unwrap();
    assert!(page.contains("&lt;done&gt;") && page.contains("seed 7") && page.contains("<svg"));
    // The name space is no link.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for link in ["http", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(link), "{link} in the page");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_png_has_ink_on_it_also_after_one_evening() {
    let (files, folder) = drawn(1);
    let png = fs::read(&files.png).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 20_000, "{} bytes", png.len());
    let pixels = Pixmap::decode_png(&png).unwrap();
    let paper = pixels.pixels()[0];
    let inked = pixels.pixels().iter().filter(|pixel| **pixel != paper).count();
    assert!(inked > pixels.pixels().len() / 50, "{inked} pixels of {}", pixels.pixels().len());
    fs::remove_dir_all(folder).unwrap();
}
