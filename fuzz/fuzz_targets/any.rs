//! All targets for libFuzzer, which needs `cargo fuzz` and a nightly compiler:
//! `OSCULATE_TARGET=tracking OSCULATE_ARITHMETIC=q28 cargo +nightly fuzz run any --features libfuzzer`.
//! What is not named is chosen by the first bytes.
#![no_main]

use std::env;

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use osculate_fuzz::{ARITHMETICS, TARGETS};

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Unstructured::new(bytes);
    let mut choose = |variable: &str, names: &[&str]| {
        let named = env::var(variable).ok().and_then(|name| names.iter().position(|known| *known == name));
        named.unwrap_or_else(|| bytes.choose_index(names.len()).unwrap_or(0))
    };
    let target = choose("OSCULATE_TARGET", &TARGETS.each_ref().map(|target| target.name));
    let arithmetic = choose("OSCULATE_ARITHMETIC", &ARITHMETICS);
    TARGETS[target].live(arithmetic, &mut bytes);
});
