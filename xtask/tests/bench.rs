//! `cargo xtask dev bench` from a user's view: what it prints is the same every time.

use std::fs;
use std::process::{Command, Output};
use std::thread;

fn bench(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab")).args(["dev", "bench"]).args(arguments.split_whitespace()).output().unwrap()
}

/// Everything that a run of a small bench tells, with the cycles of the model and flash.
fn told(json: &std::path::Path) -> (String, String) {
    let output = bench(&format!("--board mps2-an386 --arith f32 --n 8 --json {}", json.display()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), fs::read_to_string(json).unwrap())
}

#[test]
fn two_benches_at_once_print_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = thread::scope(|scope| {
        let one = scope.spawn(|| told(&folder.path().join("one.json")));
        let other = told(&folder.path().join("other.json"));
        (one.join().unwrap(), other)
    });
    assert_eq!(one, other);
    let (shown, json) = one;
    for part in ["pass1", "update_near", "plain_row", "naive_pass1", "track_step"] {
        assert!(shown.contains(part) && json.contains(part), "{part} in\n{shown}");
    }
    assert!(json.contains("\"model_cycles\":") && !json.contains("\"model_cycles\":null"), "{json}");
    assert!(json.contains("\"program\":\"tracking\"") && shown.contains("recommended"), "{json}");

    // What it wrote can be compared with.
    let base = folder.path().join("one.json");
    let output = bench(&format!("--board mps2-an386 --arith f32 --n 8 --quick --compare {}", base.display()));
    assert!(String::from_utf8(output.stdout).unwrap().ends_with("nothing has changed\n"));
}

#[test]
fn what_it_does_not_know_is_refused() {
    for (arguments, reason) in [
        ("--n 20", "the bench measures 8, 10, 16, 30, 32, 64, 128 features"),
        ("--arith f16", "there is no bench in `f16`; there are f32, q28"),
        ("--board toaster", "toaster"),
        ("--opt-level z", "recommended"),
        ("--compare nothing.json", "cannot read nothing.json"),
    ] {
        let output = bench(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(reason), "{arguments}: {said}");
    }
}
