//! The pictures of the documents, rendered to pixels by the program itself.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use resvg::tiny_skia::Pixmap;

fn draw(file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask-png")).arg(file).output().unwrap()
}

#[test]
fn the_documents_pictures_have_ink_on_them() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for name in ["room", "nexting"] {
        let copy = folder.join(name).with_extension("svg");
        fs::copy(docs.join(name).with_extension("svg"), &copy).unwrap();
        let output = draw(&copy);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let pixels = Pixmap::load_png(copy.with_extension("png")).unwrap();
        let paper = pixels.pixels()[0];
        let inked = pixels.pixels().iter().filter(|pixel| **pixel != paper).count();
        assert!(inked > pixels.pixels().len() / 50, "{name}: {inked} pixels of {}", pixels.pixels().len());
    }
}

#[test]
fn what_is_no_picture_is_refused_by_name() {
    for (name, text) in [("broken.svg", Some("<svg")), ("absent.svg", None)] {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if let Some(text) = text {
            fs::write(&file, text).unwrap();
        }
        let output = draw(&file);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains(name));
        assert!(!file.with_extension("png").exists());
    }
}
