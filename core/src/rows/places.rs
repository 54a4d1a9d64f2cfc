//! Where the row of a state is, without a search.

use super::entry::Visit;

/// For each of a few remainders of state numbers, the last row whose state has it.
///
/// States that are numbered from 0 and no more than the rows never share a remainder, and are found at once. Others are
/// searched for only if theirs is taken.
#[derive(Debug)]
pub(super) struct Places<'l>(pub(super) &'l mut [u8]);

/// No row yet.
const NONE: u8 = 0;
/// A row with a larger number than a byte can tell.
const FAR: u8 = u8::MAX;

impl Places<'_> {
    /// The row of a state, if it has one.
    #[inline]
    pub(super) fn find(&mut self, state: u32, visits: &[Visit]) -> Option<usize> {
        let search = || visits.iter().position(|visit| visit.state == state);
        match self.place(state).map_or(FAR, |place| *place) {
            NONE => None,
            FAR => search(),
            place => {
                let row = usize::from(place - 1);
                if visits.get(row).is_some_and(|visit| visit.state == state) { Some(row) } else { search() }
            }
        }
    }

    /// Remembers the row of a state.
    #[inline]
    pub(super) fn insert(&mut self, state: u32, row: usize) {
        if let Some(place) = self.place(state) {
            *place = u8::try_from(row + 1).unwrap_or(FAR);
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(NONE);
    }

    /// By a remainder that needs no division.
    #[inline]
    fn place(&mut self, state: u32) -> Option<&mut u8> {
        let mask = (1_usize << self.0.len().checked_ilog2()?) - 1;
        self.0.get_mut(state as usize & mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every lookup equals a search, whatever the numbers of the states and of the rows.
    #[test]
    fn a_row_is_found_where_a_search_finds_it() {
        // Searches of many rows take Miri minutes, and one of them has met every line.
        let all = [(32, 7), (1, 1), (24, 1), (32, 32), (300, 1), (300, 256)];
        for (length, stride) in all.into_iter().take(if cfg!(miri) { 1 } else { 6 }) {
            let (mut places, mut visits) = ([NONE; 300], [Visit::EMPTY; 290]);
            let mut places = Places(&mut places[..length]);
            for row in 0..290 {
                let state = row as u32 * stride;
                assert_eq!(places.find(state, &visits[..row]), None, "state {state}");
                visits[row].state = state;
                places.insert(state, row);
            }
            for (row, visit) in visits.iter().enumerate() {
                assert_eq!(places.find(visit.state, &visits), Some(row));
            }
            // A row that is gone is not found any more, and one that has moved is.
            visits.swap(3, 5);
            let rest = &visits[..289];
            assert_eq!((places.find(289 * stride, rest), places.find(5 * stride, rest)), (None, Some(3)));
            places.clear();
            assert_eq!(places.find(0, rest), None);
        }
    }
}
