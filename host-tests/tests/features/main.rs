//! Promise: the feature maps compute their documented formulas, in the documented order and with the documented
//! accuracy, and the features can be learned from. (Observations without features are refused: the target `maps` of
//! `fuzz`.)

mod formulas;
mod learning;

fn grid(from: f32, to: f32, steps: u16) -> impl Iterator<Item = f32> {
    (0..=steps).map(move |i| from + (to - from) * f32::from(i) / f32::from(steps))
}
