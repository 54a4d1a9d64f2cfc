//! Planning two hours ahead, by the agent's own model: the best of all plans of 6 blocks of 4 steps.

use osculate_apps::room::model::House;
use osculate_apps::room::{POWERS, PRICE, Reading, SET_POINT};

const BLOCKS: usize = 6;
const BLOCK: usize = 4;

/// What a block at one level does to a room and a floor. The model is linear, so three readings tell it for all.
struct Block {
    /// The price of its power.
    price: f32,
    /// The room after each step: a constant, and what a °C more of room and of floor at the beginning adds.
    rooms: [[f32; 3]; BLOCK],
    /// The floor at the end, in the same way.
    floor: [f32; 3],
}

impl Block {
    fn new(house: &House, from: &Reading, level: usize) -> Self {
        let run = |mut reading: Reading| {
            [(); BLOCK].map(|()| {
                reading = house.after(&reading, level);
                [reading.room, reading.floor]
            })
        };
        let (plain, room, floor) = (
            run(*from),
            run(Reading { room: from.room + 1.0, ..*from }),
            run(Reading { floor: from.floor + 1.0, ..*from }),
        );
        let of = |step: usize, which: usize| {
            let constant = plain[step][which];
            [constant, room[step][which] - constant, floor[step][which] - constant]
        };
        let price = PRICE * POWERS[level] * BLOCK as f32;
        Self { price, rooms: std::array::from_fn(|step| of(step, 0)), floor: of(BLOCK - 1, 1) }
    }
}

/// The first level of the best plan.
pub(super) fn level(house: &House, reading: &Reading) -> usize {
    let all = std::array::from_fn(|level| Block::new(house, reading, level));
    search(&all, reading, [0.0; 2], BLOCKS, f32::INFINITY).map_or(0, |(_, level)| level)
}

/// The cheapest plan's cost and its first level, if it costs less than `bound`. `start` is where the plan begins:
/// °C of room and floor more than those that the blocks were made for.
fn search(
    all: &[Block; POWERS.len()],
    from: &Reading,
    start: [f32; 2],
    blocks: usize,
    bound: f32,
) -> Option<(f32, usize)> {
    let mut best = None;
    for (level, block) in all.iter().enumerate() {
        let bound = best.map_or(bound, |(cost, _)| cost);
        let at = |[constant, room, floor]: [f32; 3]| constant + room * start[0] + floor * start[1];
        let rooms = block.rooms.map(at);
        let mut cost = block.price + rooms.map(|room| (room - SET_POINT).abs()).iter().sum::<f32>();
        // What comes later cannot make it cheaper.
        if cost >= bound {
            continue;
        }
        if blocks > 1 {
            let start = [rooms[BLOCK - 1] - from.room, at(block.floor) - from.floor];
            let Some((rest, _)) = search(all, from, start, blocks - 1, bound - cost) else { continue };
            cost += rest;
        }
        if cost < bound {
            best = Some((cost, level));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use osculate::Random;

    use super::*;

    /// The cheapest of all plans, each simulated step by step.
    fn by_trying_all(house: &House, from: &Reading) -> (f32, [usize; BLOCKS]) {
        let plans = (0..3_usize.pow(BLOCKS as u32)).map(|number| {
            let levels: [usize; BLOCKS] = std::array::from_fn(|block| number / 3_usize.pow(block as u32) % 3);
            let (mut reading, mut cost) = (*from, 0.0);
            for level in levels {
                for _ in 0..BLOCK {
                    reading = house.after(&reading, level);
                    cost += (reading.room - SET_POINT).abs() + PRICE * POWERS[level];
                }
            }
            (cost, levels)
        });
        plans.min_by(|(a, _), (b, _)| a.total_cmp(b)).unwrap()
    }

    #[test]
    fn no_plan_is_cheaper_than_the_one_found() {
        let (mut dice, mut house) = (Random::new(3), House::of_data_sheet());
        let mut between = |low: f32, high: f32| low + (high - low) * dice.below(1 << 16) as f32 / 65536.0;
        let mut first = [0; 3];
        for _ in 0..200 {
            let from = Reading { room: between(18.0, 24.0), floor: between(18.0, 32.0), outside: between(-8.0, 12.0) };
            let all = std::array::from_fn(|level| Block::new(&house, &from, level));
            let (cost, level) = search(&all, &from, [0.0; 2], BLOCKS, f32::INFINITY).unwrap();
            let (cheapest, plan) = by_trying_all(&house, &from);
            assert!((cost - cheapest).abs() < 1e-3 * cheapest, "{cost} found, {cheapest} with {plan:?}");
            first[level] += 1;
            // Another house next time.
            let after =
                Reading { room: from.room + between(-0.3, 0.3), floor: from.floor + between(-0.3, 0.3), ..from };
            house.learn(&from, level, &after);
        }
        assert!(first.iter().all(|times| *times > 0), "{first:?}");
    }
}
