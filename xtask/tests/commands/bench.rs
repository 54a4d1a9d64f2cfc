//! `cargo xtask dev bench` from a user's view: what it prints is the same every time.

use std::thread;

use crate::{outcome, xtask};

#[test]
fn two_benches_at_once_print_the_same_bytes() {
    let measure = || outcome(&mut xtask("dev bench --board mps2-an386 --arith f32 --n 8 --quick")).unwrap();
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
    let page = outcome(&mut xtask("dev bench --markdown")).unwrap();
    for table in ["What a user gets", "Instructions per sample", "multiply-accumulate", "Bytes of flash", "Limits"] {
        assert!(page.contains(table), "{table} in\n{page}");
    }
}
