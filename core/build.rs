//! Tells the kernels what the target's instruction set has. Rust does not say it by itself: `target_feature` is not
//! available for Arm on stable compilers, while the target's name and the features imply all of it.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(has_vfp, no_fpu, has_long_multiply, has_dsp, has_short_multiply, armv8m)");
    let target = env::var("TARGET").unwrap_or_default();
    let is = |prefix: &str| target.starts_with(prefix);
    // Single-precision VFP: every hard-float Cortex-M has it.
    if is("thumb") && target.ends_with("-none-eabihf") {
        println!("cargo::rustc-cfg=has_vfp");
    } else if is("thumb") {
        // Floats are functions of the compiler, also where a chip has an FPU that this target does not use.
        println!("cargo::rustc-cfg=no_fpu");
    }
    // SMLAL: 32 × 32 + 64 bits.
    if is("thumbv7m-none-") || is("thumbv7em-none-") || is("thumbv8m.main-none-") {
        println!("cargo::rustc-cfg=has_long_multiply");
    }
    let armv8m = is("thumbv8m.main-none-");
    if armv8m {
        println!("cargo::rustc-cfg=armv8m");
    }
    // SMLALD: two products of 16 bits at once. An Armv8-M core may lack them, and the target does not tell: the application does, by
    // a feature.
    if is("thumbv7em-none-") || armv8m && env::var_os("CARGO_FEATURE_ARMV8M_DSP").is_some() {
        println!("cargo::rustc-cfg=has_dsp");
    }
    // Nothing but MULS, 32 × 32 to 32 bits: products of 64 bits are made of parts.
    if is("thumbv6m-none-") || is("thumbv8m.base-none-") {
        println!("cargo::rustc-cfg=has_short_multiply");
    }
}
