//! How linear a cost is.

/// A straight line fitted to costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The part it describes.
    pub title: String,
    /// The independent variable.
    pub variable: &'static str,
    /// Instructions at zero.
    pub constant: f64,
    /// Instructions per unit of the variable.
    pub slope: f64,
    /// The largest distance of a measurement from the line, relative to the line.
    pub worst: f64,
}

impl Fit {
    /// By least squares of relative deviations, so that small sizes weigh as much as large ones.
    pub(super) fn through(title: String, variable: &'static str, points: &[(u32, u32)]) -> Self {
        let mut sums = [0.0; 5];
        for &(x, y) in points {
            let (x, y) = (f64::from(x), f64::from(y));
            let weight = 1.0 / (y * y);
            for (sum, term) in sums.iter_mut().zip([1.0, x, x * x, y, x * y]) {
                *sum += weight * term;
            }
        }
        let [w, x, xx, y, xy] = sums;
        let slope = (w * xy - x * y) / (w * xx - x * x);
        let constant = (y - slope * x) / w;
        let deviation = |&(x, y): &(u32, u32)| (f64::from(y) / (constant + slope * f64::from(x)) - 1.0).abs();
        let worst = points.iter().map(deviation).fold(0.0, f64::max);
        Self { title, variable, constant, slope, worst }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_and_so_is_what_leaves_it() {
        let straight = Fit::through(String::new(), "n", &[(8, 26), (16, 42), (32, 74)]);
        assert!(
            (straight.constant - 10.0).abs() < 1e-9 && (straight.slope - 2.0).abs() < 1e-9 && straight.worst < 1e-9
        );
        let bent = Fit::through(String::new(), "n", &[(8, 64), (16, 256), (32, 1024)]);
        assert!(bent.worst > 0.2);
    }
}
