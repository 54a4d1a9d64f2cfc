//! The numbers of features that the bench firmware measures and `cargo xtask dev bench` requests.

/// Passes all of them to a macro, since the firmware needs each at compile time.
#[macro_export]
macro_rules! with_sizes {
    ($then:ident) => {
        $then!(8, 10, 16, 64)
    };
}

macro_rules! array {
    ($($n:literal),*) => { [$($n),*] };
}

/// All of them.
pub const SIZES: [u32; 4] = with_sizes!(array);
