//! All targets for libFuzzer, which needs `cargo fuzz` and a nightly compiler:
//! `OSCULATE_TARGET=tracking OSCULATE_ARITHMETIC=q28 cargo +nightly fuzz run any --features libfuzzer`.
//! What is not named is chosen by the first bytes.
#![no_main]

use std::env;

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use osculate_fuzz::{ARITHMETICS, targets};

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Unstructured::new(bytes);
    let mut choose = |variable: &str, names: &[&str]| {
        let named = env::var(variable).ok().and_then(|name| names.iter().position(|known| *known == name));
        named.unwrap_or_else(|| bytes.choose_index(names.len()).unwrap_or(0))
    };
    let targets = targets();
    let target = choose("OSCULATE_TARGET", &targets.iter().map(|target| target.name).collect::<Vec<_>>());
    let arithmetic = choose("OSCULATE_ARITHMETIC", &ARITHMETICS);
    targets[target].live(arithmetic, &mut bytes);
});
