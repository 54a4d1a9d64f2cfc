//! `cargo xtask dev bench` from a user's view: what it prints is the same every time.

use std::process::Command;
use std::thread;

fn bench(arguments: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    let output = command.args(["dev", "bench"]).args(arguments.split_whitespace()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn two_benches_at_once_print_the_same_bytes() {
    let measure = || bench("--board mps2-an386 --arith f32 --n 8 --quick");
    let (one, other) = thread::scope(|scope| {
        let one = scope.spawn(measure);
        let other = measure();
        (one.join().unwrap(), other)
    });
    assert_eq!(one, other);
    for part in
        ["pass1, instructions", "update_near", "plain_row", "naive_pass1", "track_step_raw, stack", "\nNot as in"]
    {
        assert!(one.contains(part), "{part} in\n{one}");
    }
}

#[test]
fn the_page_is_printed_without_measuring() {
    let page = bench("--markdown");
    for table in ["What a user gets", "Instructions per sample", "multiply-accumulate", "Bytes of flash", "Limits"] {
        assert!(page.contains(table), "{table} in\n{page}");
    }
}
