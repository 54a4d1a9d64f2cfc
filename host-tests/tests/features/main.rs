//! Promise: the feature maps compute the formulas in their documentation, in the order it states and as accurately;
//! what cannot be mapped is dropped; and what they give can be learned from.

mod formulas;
mod learning;

fn grid(from: f32, to: f32, steps: u16) -> impl Iterator<Item = f32> {
    (0..=steps).map(move |i| from + (to - from) * f32::from(i) / f32::from(steps))
}
