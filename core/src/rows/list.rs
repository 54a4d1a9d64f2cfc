//! A bounded list.

/// An array, and how much of it is in use. Unlike a vector of `heapless` it has nothing to drop, so a `static` can hold it.
#[derive(Clone, Debug)]
pub(super) struct List<T, const CAPACITY: usize> {
    items: [T; CAPACITY],
    length: usize,
}

impl<T: Copy, const CAPACITY: usize> List<T, CAPACITY> {
    /// No items, in memory that is filled with these.
    #[inline(always)]
    pub(super) const fn new(filler: T) -> Self {
        Self { items: [filler; CAPACITY], length: 0 }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[T] {
        self.items.get(..self.length).unwrap_or_default()
    }

    #[inline]
    pub(super) fn as_mut_view(&mut self) -> ListView<'_, T> {
        ListView { items: &mut self.items, length: &mut self.length }
    }
}

/// A list of any capacity.
#[derive(Debug)]
pub(super) struct ListView<'l, T> {
    items: &'l mut [T],
    length: &'l mut usize,
}

impl<T: Copy> ListView<'_, T> {
    pub(super) fn len(&self) -> usize {
        *self.length
    }

    pub(super) fn capacity(&self) -> usize {
        self.items.len()
    }

    pub(super) fn is_full(&self) -> bool {
        *self.length >= self.items.len()
    }

    pub(super) fn as_slice(&self) -> &[T] {
        self.items.get(..*self.length).unwrap_or_default()
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
        self.items.get_mut(..*self.length).unwrap_or_default()
    }

    /// Adds an item if there is room.
    pub(super) fn push(&mut self, item: T) {
        if let Some(place) = self.items.get_mut(*self.length) {
            *place = item;
            *self.length += 1;
        }
    }

    /// Keeps this many items.
    pub(super) fn truncate(&mut self, length: usize) {
        *self.length = length.min(*self.length);
    }

    /// Forgets the last item.
    pub(super) fn pop(&mut self) {
        *self.length = self.length.saturating_sub(1);
    }
}
