//! I have actions, and no model: a fan that learns which of its three speeds is worth the noise.

use osculate::features::{PerAction, Polynomial};
use osculate::{ActionValues, Agent, Exploration, Tracking, TrackingConfig};

const WARMTH: Polynomial<1, 1, 2> = Polynomial::new(); // 1 and the warmth, for each of three speeds: six features

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let too_warm = |warmth: &[f32; 1], _: usize| (warmth[0] > 1.2).then_some(2); // then a simple rule acts: full speed
    let policy = ActionValues::new(3, PerAction::new(WARMTH)).within(too_warm);
    let learner = Tracking::<f32, 6>::new(TrackingConfig { gamma: 0.9, ..TrackingConfig::CONTROL });
    let mut agent = Agent::new(learner, policy, Exploration { start: 0.5, half_after: 40 }, 7);
    for evening in 1..=200 {
        let (mut warmth, mut cost) = (1.0, 0.0);
        let mut speed = agent.begin(&[warmth])?;
        for _ in 0..60 {
            warmth += 0.05 - 0.1 * speed as f32 * warmth; // your device: here, what the fan does
            let reward = -warmth * warmth - 0.05 * speed as f32;
            cost -= reward;
            speed = agent.step(reward, &[warmth])?;
        }
        agent.end();
        if evening % 40 == 0 {
            println!("evening {evening:3}: cost {cost:.2}, speed {} where it is warm", agent.greedy(&[1.0]));
        }
    }
    Ok(())
}
