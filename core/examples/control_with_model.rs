//! I have actions, and know what one step does, but not what it is worth: the way out of a corridor.

use osculate::{Agent, Branch, Exploration, LookAhead, Model, Tracking, TrackingConfig, features::OneHot};

struct Corridor; // places 0 to 7, and the exit behind the last one; action 0 waits, 1 goes on, both cost 1
impl Model for Corridor {
    type State = usize;
    fn actions(&self, _: &usize) -> usize {
        2
    }
    fn outcomes(&self, place: &usize, action: usize) -> impl Iterator<Item = Branch<usize>> {
        [Branch { probability: 1.0, reward: -1.0, next: Some(place + action).filter(|next| *next < 8) }].into_iter()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (learner, policy) = (Tracking::<f32, 8>::new(TrackingConfig::CONTROL), LookAhead::new(Corridor, OneHot));
    let mut agent = Agent::new(learner, policy, Exploration { start: 0.5, half_after: 4 }, 1);
    for _episode in 0..20 {
        let (mut place, mut action) = (0, agent.begin(&0)?);
        while place + action < 8 {
            place += action; // the device moves
            action = agent.step(-1.0, &place)?;
        }
        agent.finish_with(-1.0);
        println!("{} steps to the exit", agent.end().steps);
    }
    Ok(())
}
