//! Promise: no bit pattern does harm in any call. The detailed promises are in `src/lib.rs`; `cargo xtask dev fuzz` runs
//! for longer.

use xtask_fuzz::{ARITHMETICS, SURFACES};

const SEED: u64 = 1;
/// Of each surface: a million per arithmetic.
const CALLS: u64 = 60_000;

/// Results that must have occurred; otherwise the input was too tame or too wild.
const EVERYWHERE: &[(&str, &str)] = &[
    (
        "stored",
        "begun, step, step at, raw step, again, given row, given row refused, bad features, no reward, full, \
         rows closed, cut, stepped, skipped, empty, restarted, config refused",
    ),
    (
        "streaming",
        "begun, step, step at, raw step, again, given row, given row refused, bad features, no reward, full, \
         rows closed, stepped, empty, restarted, config refused",
    ),
    (
        "tracking",
        "begun, step, raw step, given row, given row refused, bad features, no reward, rows closed, cut, stepped, empty, \
         restarted, saved, config refused, probed",
    ),
    ("huge-rewards", "stepped, moved as it should"),
    (
        "agent",
        "acted, fallback, not mapped, bad features, full, missed, rows closed, cut, terminal, value, no value, stepped, \
         skipped, empty, restarted, config refused",
    ),
    ("sim", "terminal, step limit, full, failed, stepped, step small, until, config refused"),
    (
        "states",
        "restored, no room to save, into another size, no room in another size, refused by a stranger, \
         damaged, forged, forgery refused",
    ),
    ("values", "value, no value, value of a row, bad features, raw, backup, backup by no discount, target refused"),
    ("maps", "mapped, not mapped, bounds refused, radial basis refused, per action, factors"),
    ("schedules", "below, small step"),
    ("models", "learned, bad inputs, bad outputs, out of range, restored, no room to save, damaged, config refused"),
    ("store", "boots, nothing boots, too long to boot, stored, too long to store, power cut, bit flipped"),
    ("replay-csv", "read as written, read, refused"),
    ("weather-csv", "read as written, read, refused"),
    (
        "messages",
        "step, known, evening, start, stored, found, soaked, faults, stack, moment, trail, walk, policy, count, memory, \
         blown, resumed, drifted, updates, boot, done, \
         refused, part of a frame, a request by chance, frame refused, request found, line with a message, \
         line for people, line refused",
    ),
    ("bus", "nothing to do, done, no address, no acknowledgement, arbitration lost, clock held, data held"),
    (
        "sensors",
        "believed, no number, out of range, frozen, jumping, reading, absent, bus, all ones, starting, implausible",
    ),
];

const FLOATS: &[(&str, &str)] = &[
    ("stored", "overflowed"),
    ("streaming", "overflowed"),
    ("agent", "overflowed"),
    ("sim", "overflowed"),
    ("values", "backup of no number"),
];

const FIXED_POINT: &[(&str, &str)] = &[
    ("stored", "saturated"),
    ("streaming", "saturated"),
    ("tracking", "saturated"),
    ("huge-rewards", "saturated"),
    ("sim", "saturated"),
    ("values", "value at its limit, backup at its limit"),
];

fn no_bits_harm(arithmetic: &str) {
    let index = ARITHMETICS.iter().position(|name| *name == arithmetic).unwrap();
    let also = if arithmetic.starts_with('f') { FLOATS } else { FIXED_POINT };
    for surface in &SURFACES {
        let report = xtask_fuzz::run(surface, index, SEED, CALLS).unwrap_or_else(|broken| panic!("{broken}"));
        println!("{:<13} {arithmetic:<10} {:>10}  {report}", surface.name, report.calls);
        assert!(report.calls >= CALLS);
        for (_, expected) in EVERYWHERE.iter().chain(also).filter(|(name, _)| *name == surface.name) {
            for what in expected.split(", ") {
                assert!(report.seen(what) > 0, "{} never came to `{what}`", surface.name);
            }
        }
    }
}

#[test]
fn no_bits_harm_f32() {
    no_bits_harm("f32");
}

#[test]
fn no_bits_harm_f64() {
    no_bits_harm("f64");
}

#[test]
fn no_bits_harm_q28() {
    no_bits_harm("q28");
}

#[test]
fn no_bits_harm_q24() {
    no_bits_harm("q24");
}

#[test]
fn a_seed_tells_all() {
    for surface in &SURFACES {
        let run = |calls| xtask_fuzz::run(surface, 2, 77, calls).unwrap_or_else(|broken| panic!("{broken}"));
        assert_eq!(run(1_000), run(1_000), "{}", surface.name);
    }
}
