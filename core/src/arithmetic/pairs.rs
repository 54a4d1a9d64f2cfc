//! Rows two by two, so that a pair shares the loads of what both are multiplied with.

/// The next row and the one after it, or the last of an odd number alone.
#[inline(always)]
pub(super) fn next_pair<R>(rows: &mut impl Iterator<Item = R>) -> Option<(R, Option<R>)> {
    Some((rows.next()?, rows.next()))
}
