//! Numbers to bytes and back, little-endian.

use crate::arithmetic::backend::Empty;

/// Writes one number after another. Past the end of the buffer it only counts, so that the caller can detect the
/// overrun.
#[derive(Debug)]
pub struct Writer<'b> {
    bytes: &'b mut [u8],
    length: usize,
}

impl<'b> Writer<'b> {
    pub(crate) fn new(bytes: &'b mut [u8]) -> Self {
        Self { bytes, length: 0 }
    }

    // States are written rarely, and consist of many numbers: a call for each is a third of the code.
    #[inline(never)]
    fn put(&mut self, number: &[u8]) {
        let end = self.length + number.len();
        if let Some(place) = self.bytes.get_mut(self.length..end) {
            place.copy_from_slice(number);
        }
        self.length = end;
    }

    /// The number of bytes written, or needed if the buffer was too short.
    pub(crate) fn length(&self) -> usize {
        self.length
    }
}

/// Reads one number after another. Past the end it reads zeros; the length is checked before anything is read.
#[derive(Clone, Debug)]
pub struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    #[inline(never)]
    fn take(&mut self, number: &mut [u8]) {
        if let Some((bytes, rest)) = self.bytes.split_at_checked(number.len()) {
            number.copy_from_slice(bytes);
            self.bytes = rest;
        }
    }

    /// The next number.
    pub(crate) fn get<T: Persist + Default>(&mut self) -> T {
        let mut number = T::default();
        number.read(self);
        number
    }

    /// The number of bytes left.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len()
    }
}

/// A value that can be written to bytes and read back in place, bit for bit.
pub trait Persist {
    /// Its size in bytes.
    const BYTES: usize;
    /// Writes it.
    fn write(&self, writer: &mut Writer<'_>);
    /// Reads it.
    fn read(&mut self, reader: &mut Reader<'_>);
    /// Whether a learner can go on with it: floats are finite.
    fn is_valid(&self) -> bool {
        true
    }
}

macro_rules! numbers {
    ($($number:ident)+, $is_valid:expr) => { $(
        impl Persist for $number {
            const BYTES: usize = size_of::<Self>();
            fn write(&self, writer: &mut Writer<'_>) {
                writer.put(&self.to_le_bytes());
            }
            fn read(&mut self, reader: &mut Reader<'_>) {
                let mut bytes = [0; size_of::<Self>()];
                reader.take(&mut bytes);
                *self = Self::from_le_bytes(bytes);
            }
            fn is_valid(&self) -> bool {
                $is_valid(*self)
            }
        }
    )+ };
}
numbers!(u8 u16 u32 u64 i16 i32 i64, |_| true);
numbers!(f32 f64, Self::is_finite);

impl Persist for bool {
    const BYTES: usize = 1;
    fn write(&self, writer: &mut Writer<'_>) {
        u8::from(*self).write(writer);
    }
    fn read(&mut self, reader: &mut Reader<'_>) {
        *self = reader.get::<u8>() != 0;
    }
}

/// A 1 and the value, or a 0 and an empty one.
impl<T: Persist + Empty + Copy> Persist for Option<T> {
    const BYTES: usize = bool::BYTES + T::BYTES;
    fn write(&self, writer: &mut Writer<'_>) {
        self.is_some().write(writer);
        self.unwrap_or(T::EMPTY).write(writer);
    }
    fn read(&mut self, reader: &mut Reader<'_>) {
        let (some, mut value) = (reader.get::<bool>(), T::EMPTY);
        value.read(reader);
        *self = some.then_some(value);
    }
    fn is_valid(&self) -> bool {
        self.as_ref().is_none_or(T::is_valid)
    }
}

impl<T: Persist, const N: usize> Persist for [T; N] {
    const BYTES: usize = T::BYTES * N;
    fn write(&self, writer: &mut Writer<'_>) {
        self.iter().for_each(|element| element.write(writer));
    }
    fn read(&mut self, reader: &mut Reader<'_>) {
        self.iter_mut().for_each(|element| element.read(reader));
    }
    fn is_valid(&self) -> bool {
        self.iter().all(T::is_valid)
    }
}

/// Implements [`Persist`] field by field.
macro_rules! persist {
    ($name:ident<$t:ident, $n:ident>: $($($field:ident).+: $type:ty),+) => {
        impl<$t: $crate::state::Persist, const $n: usize> $crate::state::Persist for $name<$t, $n> {
            $crate::state::persist!(fields $($($field).+: $type),+);
        }
    };
    ($name:ident<$n:ident>: $($($field:ident).+: $type:ty),+) => {
        impl<const $n: usize> $crate::state::Persist for $name<$n> {
            $crate::state::persist!(fields $($($field).+: $type),+);
        }
    };
    ($name:ident: $($($field:ident).+: $type:ty),+) => {
        impl $crate::state::Persist for $name {
            $crate::state::persist!(fields $($($field).+: $type),+);
        }
    };
    (fields $($($field:ident).+: $type:ty),+) => {
        const BYTES: usize = 0 $(+ <$type as $crate::state::Persist>::BYTES)+;
        fn write(&self, writer: &mut $crate::state::Writer<'_>) {
            $($crate::state::Persist::write(&self.$($field).+, writer);)+
        }
        fn read(&mut self, reader: &mut $crate::state::Reader<'_>) {
            $($crate::state::Persist::read(&mut self.$($field).+, reader);)+
        }
    };
}
pub(crate) use persist;
