//! I have actions, and know roughly what one step does: a tank that should stay half full.

use osculate::{Agent, Exploration, Likely, LookAhead, Model, Streaming, StreamingConfig, features::RadialBasis};

struct Tank; // its level is in [−1, 1]; action 0 closes the valve, 1 opens it
impl Model for Tank {
    type State = [f32; 1];
    fn actions(&self, _: &[f32; 1]) -> usize {
        2
    }
    fn outcomes(&self, [level]: &[f32; 1], valve: usize) -> impl Iterator<Item = Likely<[f32; 1]>> {
        let next = level + [-0.1, 0.2][valve];
        [Likely { probability: 1.0, reward: -next * next, next: Some([next]) }].into_iter()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let policy = LookAhead::new(Tank, RadialBasis::new([[-1.0], [0.0], [1.0]], [0.7])?);
    let mut agent = Agent::new(Streaming::<f32, 3>::new(StreamingConfig::DEFAULT)?, policy, Exploration::NONE, 1)?;
    for _episode in 0..30 {
        let (mut level, mut valve) = (0.9, agent.begin(&[0.9])?);
        for _ in 0..40 {
            level += [-0.11, 0.19][valve]; // the real tank, not quite the model's
            valve = agent.step(-level * level, &[level])?;
        }
        println!("{:?}", agent.end().discounted_return);
    }
    Ok(())
}
