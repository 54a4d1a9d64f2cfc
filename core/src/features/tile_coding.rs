//! Overlapping grids.

use super::{Bounds, FeatureMap, MapError};
use crate::arithmetic::RowError;

/// `TILINGS` grids over the same box, each with `TILES` tiles per coordinate and each slightly shifted.
///
/// A point lies in exactly one tile of every grid: `TILINGS` features are 1, and the others of the `N` = `TILINGS` ·
/// `TILES`^`D` are 0. Nearby points share tiles, so learning generalises between them; the more grids, the finer the
/// resolution. ‖φ‖² = `TILINGS` for every row.
///
/// A tile covers 1/(`TILES` − 1) of the box in each coordinate, since shifted grids must cover the box as well. Grid
/// k is shifted by (k·(2d + 1) mod `TILINGS`)/`TILINGS` of a tile along coordinate d: the usual shifts that are not all
/// diagonal. `TILINGS` should be a power of two and at least 4`D`.
///
/// **Order**: grid after grid; within a grid, the last coordinate varies fastest.
///
/// ```
/// use osculate::features::{Bounds, FeatureMap, TileCoding};
/// // Two grids of three tiles, each half of the box wide, the second one shifted by half a tile.
/// let map = TileCoding::<1, 2, 3, 6>::new(Bounds::UNIT);
/// assert_eq!(map.features(&[0.0]), Ok([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]));
/// assert_eq!(map.features(&[0.3]), Ok([1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
/// assert_eq!(map.features(&[1.0]), Ok([0.0, 0.0, 1.0, 0.0, 0.0, 1.0]));
/// ```
///
/// A wrong number of features does not compile:
///
/// ```compile_fail,E0080
/// # use osculate::features::{Bounds, TileCoding};
/// let map = TileCoding::<1, 2, 3, 7>::new(Bounds::UNIT);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileCoding<const D: usize, const TILINGS: usize, const TILES: usize, const N: usize> {
    bounds: Bounds<D>,
    /// In tiles.
    offsets: [[f32; D]; TILINGS],
}

impl<const D: usize, const TILINGS: usize, const TILES: usize, const N: usize> TileCoding<D, TILINGS, TILES, N> {
    /// Tiles in one grid.
    const GRID: usize = TILES.saturating_pow(D as u32);

    const fn check_sizes() {
        const {
            assert!(D >= 1 && TILINGS >= 1 && TILES >= 2, "tile coding needs a coordinate, a grid and two tiles");
            assert!(N == TILINGS.saturating_mul(Self::GRID), "N must be TILINGS * TILES^D");
            assert!(N < 1 << 24, "tile numbers must be exact in f32");
        }
    }

    /// Grids with the shifts described above.
    pub const fn new(bounds: Bounds<D>) -> Self {
        Self::check_sizes();
        let mut offsets = [[0.0; D]; TILINGS];
        let mut k = 0;
        while k < TILINGS {
            let mut d = 0;
            while d < D {
                // Both factors are below 2²⁴ for anything that fits into memory, and only their remainder matters.
                let step = (2 * d + 1) % TILINGS;
                offsets[k][d] = ((k as u64 * step as u64) % TILINGS as u64) as f32 / TILINGS as f32;
                d += 1;
            }
            k += 1;
        }
        Self { bounds, offsets }
    }

    /// Grids with custom shifts, in tiles, per grid and coordinate.
    ///
    /// ```
    /// use osculate::features::{Bounds, TileCoding};
    /// let map = TileCoding::<1, 2, 4, 8>::with_offsets(Bounds::UNIT, [[0.0], [0.25]]);
    /// assert_eq!(map.active_tiles(&[0.25]), Ok([0, 5]));
    /// ```
    ///
    /// # Panics
    /// If one is not in [0, 1); in a constant that is an error of the compiler.
    #[track_caller]
    pub const fn with_offsets(bounds: Bounds<D>, offsets: [[f32; D]; TILINGS]) -> Self {
        match Self::try_with_offsets(bounds, offsets) {
            Ok(map) => map,
            Err(error) => panic!("{}", error.message()),
        }
    }

    /// The same for shifts that are known only at run time.
    ///
    /// ```
    /// use osculate::features::{Bounds, MapError, TileCoding};
    /// let shift = 1.0; // from a command line
    /// assert_eq!(TileCoding::<1, 1, 2, 2>::try_with_offsets(Bounds::UNIT, [[shift]]), Err(MapError::Offset));
    /// ```
    ///
    /// # Errors
    /// [`MapError::Offset`] if one is not in [0, 1).
    pub const fn try_with_offsets(bounds: Bounds<D>, offsets: [[f32; D]; TILINGS]) -> Result<Self, MapError> {
        Self::check_sizes();
        let mut k = 0;
        while k < TILINGS {
            let mut d = 0;
            while d < D {
                if !(offsets[k][d] >= 0.0 && offsets[k][d] < 1.0) {
                    return Err(MapError::Offset);
                }
                d += 1;
            }
            k += 1;
        }
        Ok(Self { bounds, offsets })
    }

    /// The indices of the features that are 1, in ascending order: enough to compute φ·w.
    ///
    /// ```
    /// use osculate::RowError;
    /// use osculate::features::{Bounds, TileCoding};
    /// static MAP: TileCoding<2, 4, 5, 100> = TileCoding::new(Bounds::UNIT);
    /// let weights = [0.25; 100];
    /// let value: f32 = MAP.active_tiles(&[0.5, 0.7])?.iter().map(|&i| weights[i]).sum();
    /// assert_eq!(value, 1.0);
    /// assert_eq!(MAP.active_tiles(&[0.5, 1.1]), Err(RowError::OutsideMap));
    /// # Ok::<(), RowError>(())
    /// ```
    ///
    /// # Errors
    /// [`RowError`] if a coordinate is not finite, or not within its bounds.
    pub fn active_tiles(&self, coordinates: &[f32; D]) -> Result<[usize; TILINGS], RowError> {
        let unit = self.bounds.finite_unit_coordinates(coordinates)?;
        if !self.bounds.contain(coordinates) {
            return Err(RowError::OutsideMap);
        }
        let positions = unit.map(|u| u * (TILES - 1) as f32);
        let mut grid = 0;
        Ok(self.offsets.each_ref().map(|offsets| {
            let tile = positions.iter().zip(offsets).fold(0, |tile, (position, offset)| {
                // Not negative, so truncation is a floor. Only an offset within rounding of 1 reaches the limit.
                tile * TILES + ((position + offset) as usize).min(TILES - 1)
            });
            let first = grid;
            grid += Self::GRID;
            first + tile
        }))
    }
}

impl<const D: usize, const TILINGS: usize, const TILES: usize, const N: usize> FeatureMap<N>
    for TileCoding<D, TILINGS, TILES, N>
{
    type Observation = [f32; D];

    fn features(&self, coordinates: &[f32; D]) -> Result<[f32; N], RowError> {
        let active = self.active_tiles(coordinates)?;
        let mut phi = [0.0; N];
        for tile in active {
            // Every index is below N, but the compiler cannot see that: `get_mut` avoids a panic path.
            if let Some(x) = phi.get_mut(tile) {
                *x = 1.0;
            }
        }
        Ok(phi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_are_all_different_along_each_coordinate() {
        let map = TileCoding::<2, 8, 2, 32>::new(Bounds::UNIT);
        let along = |d: usize| map.offsets.map(|offsets| offsets[d] * 8.0);
        assert_eq!(along(0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(along(1), [0.0, 3.0, 6.0, 1.0, 4.0, 7.0, 2.0, 5.0]);
    }

    #[test]
    fn an_offset_next_to_one_stays_in_the_grid() {
        let almost_one = f32::from_bits(1.0_f32.to_bits() - 1);
        let map = TileCoding::<1, 1, 9, 9>::with_offsets(Bounds::UNIT, [[almost_one]]);
        assert_eq!(map.active_tiles(&[1.0]), Ok([8]));
        for offset in [1.0, -0.1, f32::NAN] {
            assert_eq!(
                TileCoding::<1, 1, 9, 9>::try_with_offsets(Bounds::UNIT, [[offset]]),
                Err(MapError::Offset),
                "{offset}"
            );
        }
    }

    #[test]
    fn outside_is_told_from_nowhere() {
        let map = TileCoding::<2, 2, 2, 8>::new(Bounds::UNIT);
        assert_eq!(map.active_tiles(&[f32::NAN, 0.5]), Err(RowError::NonFiniteFeature));
        assert_eq!(map.active_tiles(&[0.5, f32::INFINITY]), Err(RowError::NonFiniteFeature));
        assert_eq!(map.active_tiles(&[0.5, -f32::MIN_POSITIVE]), Err(RowError::OutsideMap));
        assert_eq!(map.features(&[2.0, 0.5]), Err(RowError::OutsideMap));
    }
}
