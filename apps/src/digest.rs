//! A short number that differs if anything differs.

/// FNV-1a, 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Digest(u64);

impl Digest {
    /// Of nothing.
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    /// The number.
    pub const fn value(self) -> u64 {
        self.0
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}
