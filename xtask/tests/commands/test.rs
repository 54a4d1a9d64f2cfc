//! `cargo xtask test` with a fake cargo: its output, counts and exit code.

use std::env;
use std::process::Output;

use crate::machines::Machine;
use crate::xtask;

/// Runs it with a cargo that answers the host and on-target tests as the scripts say, and succeeds at everything else.
fn tested(host: &str, target: &str) -> (Output, String) {
    let machine = Machine::with(&[]);
    let script = format!(
        "case \"$*\" in\n*--workspace*) {host} ;;\ntest*) {target} ;;\n*) echo \"   Compiling $1\" >&2 ;;\nesac"
    );
    machine.program("cargo", &script);
    let path = env::var_os("PATH").unwrap();
    let path = env::join_paths([machine.path("bin")].into_iter().chain(env::split_paths(&path))).unwrap();
    let output = xtask("test").env("PATH", path).output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

const PASSES: &str = "echo 'test result: ok. 3 passed; 0 failed; 1 ignored'";

#[test]
fn it_says_how_long_and_where_it_is_and_counts_the_tests() {
    let (output, text) = tested(&format!("{PASSES}; {PASSES}; echo to stderr >&2"), PASSES);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let first = text.lines().next().unwrap();
    let parts: usize = first.split(' ').next().unwrap().parse().unwrap();
    assert!(first.starts_with(&format!("{parts} parts: ")) && first.contains("minutes"), "{text}");
    for part in 1..=parts {
        assert!(text.contains(&format!("\n==> part {part} of {parts}, after ")), "{text}");
    }
    assert!(text.contains("building the firmware for mps2-an386 (Cortex-M4F)"), "{text}");
    assert!(text.ends_with("\n9 passed, 0 failed\n"), "{text}");
    assert!(text.contains("\n   Compiling build\n") && text.contains("\nto stderr\n"), "{text}");
}

#[test]
fn what_fails_is_counted_and_named_and_the_rest_still_runs() {
    let fails = "echo 'test result: FAILED. 5 passed; 2 failed; 0 ignored'; exit 101";
    for (host, target, named) in [(fails, PASSES, "the host's tests"), (PASSES, fails, "the on-target tests")] {
        let (output, text) = tested(host, target);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.ends_with("\n8 passed, 2 failed\n"), "{text}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(&format!("error: failed: {named}")), "{errors}");
    }
    // It does not compile, or it reports success but has run nothing.
    for host in ["exit 101", "true"] {
        let (output, text) = tested(host, "true");
        assert_eq!(output.status.code(), Some(1));
        assert!(text.ends_with("\n0 passed, 0 failed\n"), "{text}");
    }
}
