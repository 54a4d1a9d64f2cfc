//! Promise: no bit pattern does harm in any call. The detailed promises are in `src/lib.rs`; `cargo xtask dev torture` runs
//! for longer.

use osculate_fuzz::{ARITHMETICS, run, targets};
use osculate_lab::repository::runs_all;

/// Of each target in each arithmetic.
const CALLS: u64 = 27_000;
const MANY_CALLS: u64 = 1_000_000;

/// Results that must have occurred; otherwise the input was too tame or too wild.
const EVERYWHERE: &[(&str, &str)] = &[
    (
        "stored",
        "begun, step, step at, raw step, again, given row, NonFiniteFeature, NonFiniteTarget, no reward, \
         Full(Rows), Full(Steps), rows closed, Stepped, Skipped, Empty, restarted, config refused, into another size, \
         no room in another size",
    ),
    (
        "streaming",
        "begun, step, step at, raw step, again, given row, NonFiniteFeature, ZeroFeatures, NonFiniteTarget, no reward, \
         Full(Rows), rows closed, Stepped, Empty, restarted, config refused",
    ),
    (
        "tracking",
        "begun, step, step at, raw step, given row, NonFiniteFeature, ZeroFeatures, NonFiniteTarget, no reward, \
         rows closed, Stepped, Empty, restarted, config refused, another gain",
    ),
    ("direction", "Stepped, moved as it should"),
    (
        "agent",
        "acted, fallback, OutsideMap, NonFiniteFeature, Full(Rows), Full(Steps), missed, rows closed, \
         value, Stepped, Skipped, Empty, restarted, config refused, simulated, failed, Terminal, Truncated, Full",
    ),
    (
        "maps",
        "mapped, NonFiniteFeature, OutsideMap, bounds refused, radial basis refused, cosines, shares, polynomial, per action, scaled",
    ),
    ("models", "learned, NonFiniteFeature, NonFiniteTarget, TargetOutOfRange, config refused"),
    ("store", "boots, nothing boots, too long to boot, stored, too long to store, power cut, bit flipped"),
    ("replay-csv", "read as written, read, refused"),
    ("weather-csv", "read as written, read, refused"),
    (
        "messages",
        "Step, Known, Evening, Start, Stored, Faults, Stack, Moment, FanEpisode, Updates, Woken, Surprise, Boot, Done, \
         refused, part of a frame, a request by chance, frame refused, request found, line with a message, \
         line for people, line refused",
    ),
    ("bus", "nothing to do, done, NoAcknowledge(Address), NoAcknowledge(Data), ArbitrationLost, ClockHeld, DataHeld"),
    ("sensors", "believed, OutOfRange, Frozen, Jumping, reading, Absent, Bus, AllOnes, Starting"),
];

/// What has a state is saved and restored, too.
const WITH_A_STATE: [&str; 4] = ["stored", "streaming", "tracking", "agent"];
const STATES: &str = "restored, no room to save, damaged refused, forged, forged refused";

const FLOATS: &[(&str, &str)] = &[("stored", "Overflow"), ("streaming", "Overflow"), ("agent", "Overflow")];

const FIXED_POINT: &[(&str, &str)] = &[
    ("stored", "saturated, TargetOutOfRange"),
    ("streaming", "saturated, TargetOutOfRange"),
    ("tracking", "saturated, TargetOutOfRange"),
    ("direction", "saturated"),
    ("agent", "saturated"),
];

fn no_bits_harm(arithmetic: &str) {
    let index = ARITHMETICS.iter().position(|name| *name == arithmetic).unwrap();
    let also = if arithmetic.starts_with('f') { FLOATS } else { FIXED_POINT };
    let calls = if runs_all() { MANY_CALLS } else { CALLS };
    for target in targets().into_iter().filter(|target| target.is_in(index)) {
        let report = run(target, index, 1, calls, |_| ()).unwrap_or_else(|broken| panic!("{broken}"));
        println!("{:<11} {arithmetic:<4} {:>10}  {report}", target.name, report.calls);
        assert!(report.calls >= calls);
        let states = WITH_A_STATE.map(|name| (name, STATES));
        let expected = EVERYWHERE.iter().chain(also).chain(&states);
        for (_, expected) in expected.filter(|(name, _)| *name == target.name) {
            for what in expected.split(", ") {
                assert!(report.seen.contains_key(what), "{} never came to `{what}`", target.name);
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

/// Each life has a seed of its own, which tells all of it.
#[test]
fn a_seed_tells_all() {
    for target in targets() {
        let of = |seed, calls| run(target, 2, seed, calls, |_| ()).unwrap();
        assert_eq!(of(77, 1_000), of(77, 1_000), "{}", target.name);
        let (both, mut first) = (of(77, 1 + of(77, 1).calls), of(77, 1));
        first.add(&of(78, 1));
        assert_eq!(both, first, "{}", target.name);
    }
}
