//! A thermometer's reading as something to predict: a finger on the chip is to show.

/// How fast the usual temperature follows: by this share of the distance per reading.
const FOLLOWS: f32 = 1.0 / 1024.0;
/// Degrees that count as 1.
const DEGREES: f32 = 8.0;

/// Turns temperatures into readings.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Warmth {
    /// The usual temperature, and the last one.
    known: Option<(f32, f32)>,
}

impl Warmth {
    /// How much warmer than usual it is, and how fast it becomes warmer; both small numbers.
    pub(super) fn of(&mut self, celsius: f32) -> [f32; 2] {
        let (usual, last) = self.known.unwrap_or((celsius, celsius));
        self.known = Some((usual + FOLLOWS * (celsius - usual), celsius));
        [celsius - usual, 4.0 * (celsius - last)].map(|degrees| (degrees / DEGREES).clamp(-2.0, 2.0))
    }
}
