//! Maps values to positions in the picture.

/// A range of values mapped to a range of positions, evenly or by their logarithms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    values: (f64, f64),
    places: (f64, f64),
    is_log: bool,
}

impl Scale {
    /// Evenly.
    pub(super) fn linear(values: (f64, f64), places: (f64, f64)) -> Self {
        Self { values, places, is_log: false }
    }

    /// By logarithms. Both ends of the range must be positive.
    pub(super) fn logarithmic(values: (f64, f64), places: (f64, f64)) -> Self {
        Self { values, places, is_log: true }
    }

    /// The position of a value, clamped to the range.
    pub(super) fn at(&self, value: f64) -> f64 {
        let ((low, high), (from, to)) = (self.values, self.places);
        let value = value.clamp(low, high);
        let share = if self.is_log { (value / low).ln() / (high / low).ln() } else { (value - low) / (high - low) };
        from + share * (to - from)
    }
}

/// Moves positions apart until neighbours are at least `gap` apart, keeping their order.
pub(super) fn apart(places: &mut [f64], gap: f64) {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    // Each round splits the missing distance between two neighbours; a few rounds settle a handful of labels.
    for _ in 0..100 {
        for pair in order.windows(2) {
            let missing = gap - (places[pair[1]] - places[pair[0]]);
            if missing > 0.0 {
                places[pair[0]] -= missing / 2.0;
                places[pair[1]] += missing / 2.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Scale, apart};

    #[test]
    fn values_have_their_places() {
        let scale = Scale::linear((10.0, 20.0), (100.0, 0.0));
        assert_eq!([scale.at(10.0), scale.at(15.0), scale.at(99.0)], [100.0, 50.0, 0.0]);
        let scale = Scale::logarithmic((1.0, 10_000.0), (0.0, 100.0));
        assert!((scale.at(100.0) - 50.0).abs() < 1e-9 && scale.at(0.0) == 0.0);
    }

    #[test]
    fn labels_do_not_touch() {
        let mut places = [10.0, 11.0, 100.0, 9.0];
        apart(&mut places, 15.0);
        assert!(places[3] + 14.9 < places[0] && places[0] + 14.9 < places[1] && places[1] < 60.0);
        assert_eq!(places[2], 100.0);
    }
}
