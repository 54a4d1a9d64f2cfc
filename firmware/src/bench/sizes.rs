//! Numbers of features that are measured: one list, for the bench firmware and for `cargo xtask bench`.

/// Hands all of them to a macro, since the firmware needs each at compile time.
#[cfg_attr(not(target_os = "none"), allow(unused_macros))]
macro_rules! with_sizes {
    ($then:ident) => {
        $then!(8, 10, 16, 30, 32, 64, 128)
    };
}

macro_rules! array {
    ($($n:literal),*) => { [$($n),*] };
}

/// All of them.
pub const SIZES: [u32; 7] = with_sizes!(array);
