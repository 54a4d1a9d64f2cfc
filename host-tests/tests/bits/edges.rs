//! Cases that one rounding decides: a cap next to the ratio that it clamps, a threshold next to the length compared
//! with it.

use osculate_host_tests::reference::call::{Rule, Settings, Targets};
use osculate_host_tests::worlds::Dice;

use crate::compare::{Begin, Seen, edges, play};
use crate::plan::{Plan, ROOM, stored};
use crate::story::{Episodes, Story};

const LEARNERS: u64 = 12_000;

/// The first few updates of a learner that always measures.
fn brief<const LENGTH: u32>(dice: &mut Dice, n: usize, rule: Rule, plan: fn(Settings) -> Plan) -> Story {
    let settings = stored(dice, None, &[rule], Targets::MonteCarlo, [ROOM; 2]);
    let plan = plan(Settings { skip_below: 0.0, curvature_every: 1, ..settings });
    Story { length: LENGTH, ..Episodes::story(dice, n, plan, None) }
}

/// Compares learners with their limits at all edges. Returns how many have any.
fn met(begin: Begin, count: fn(&Seen) -> u32, is_counted: [bool; 3]) -> u32 {
    let mut met = 0;
    for seed in 0..LEARNERS {
        let (n, new) = crate::some_sizes::<f32>()[seed as usize % 5];
        let Some(plans) = edges::<f32>(n, begin, seed) else { continue };
        met += 1;
        for (plan, is_counted) in plans.into_iter().zip(is_counted) {
            let (mut dice, mut seen) = (Dice::new(seed), Seen::default());
            let story = Story { plan, ..begin(&mut dice, n) };
            play::<f32>((n, new), story, dice, &mut seen, seed);
            assert_eq!(count(&seen) > 0, is_counted, "{plan:?}, seed {seed}");
        }
    }
    met
}

#[test]
fn a_cap_holds_to_the_last_bit() {
    // Past curvature is first known after one episode, in streaming after two.
    let stored: Begin = |dice, n| brief::<2>(dice, n, Rule::Predictable, Plan::Stored);
    let streaming: Begin = |dice, n| brief::<3>(dice, n, Rule::Predictable, Plan::Streaming);
    let [stored, streaming] = [stored, streaming].map(|begin| met(begin, |seen| seen.capped, [true, true, false]));
    println!("a cap next to past curvature: {stored} of predictable and {streaming} of streaming, all of them held");
    assert!(stored > 500 && streaming > 500);
}

#[test]
fn a_threshold_holds_to_the_last_bit() {
    let begin: Begin = |dice, n| brief::<1>(dice, n, Rule::Plain, Plan::Stored);
    let met = met(begin, |seen| seen.skipped, [false, false, true]);
    println!("a threshold next to the length of g: {met} of plain, all of them held");
    assert!(met > 10_000);
}
