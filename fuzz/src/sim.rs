//! The simulation loop, in worlds that are arbitrary tables and may fail.

use osculate::control::Policy;
use osculate::{Agent, End, Random, Sim, StopTest, Update, Verdict};
use osculate_host_tests::worlds::Dice;

use super::check::{counted, finite};
use super::episode::Course;
use super::input::Fuzz;
use super::number::Fuzzed;
use super::rules::{N, Rule};
use super::table::{Rows, Table, VisitAgent, Walker, any_agent};

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    any_agent::<A>(fuzz, Run);
}

struct Run;

impl<A: Fuzzed> VisitAgent<A> for Run {
    fn visit<L, P>(self, fuzz: &mut Fuzz, table: &Table, _: &Rows, mut agent: Agent<L, P>)
    where
        L: Rule<A, N>,
        P: Policy<A, N, Observation = u8>,
    {
        let (mut k, mut episodes, learns_at_end) = (0, 0, L::Course::HAS_EPISODES);
        while fuzz.goes_on() {
            let max_steps = fuzz.pick(&[0, 1, 5, 20, 40]);
            let fails_one_in = fuzz.pick(&[10, 100, u32::MAX]);
            let world = Walker { table, state: 0, dice: Dice::new(fuzz.any()), fails_one_in };
            let before = finite(&[agent.weights(), agent.estimate(), agent.learner().vectors()[0]]);
            let mut sim = Sim::new(&mut agent, world, max_steps);
            if learns_at_end && fuzz.one_in(8) {
                let (mut stop, most) = (StopTest::new(fuzz.any_float(), 0, fuzz.below(3)), fuzz.below(4));
                match L::until(&mut sim, &mut stop, most) {
                    None => unreachable!("every rule with episodes has it"),
                    Some(Ok(took)) => {
                        assert!(took.is_none_or(|took| took <= most));
                        assert_eq!(agent.episodes(), episodes + took.unwrap_or(most));
                        fuzz.called(if took.is_some() { "step small" } else { "until" });
                    }
                    Some(Err(_)) => {
                        assert!((episodes..episodes + most).contains(&agent.episodes()));
                        fuzz.called("failed");
                    }
                }
                // It is not reported how many of those had a row.
                agent.restart();
                (episodes, k) = (0, 0);
            } else {
                match sim.episode() {
                    Ok(episode) => {
                        let update = L::update(episode.report);
                        k = counted::<L::Course>(fuzz, &update, k);
                        episodes += 1;
                        assert!(episode.steps <= max_steps, "{episode:?}");
                        assert!(episode.explored + episode.fallbacks <= episode.steps, "{episode:?}");
                        assert!(episode.end != End::Truncated || episode.steps == max_steps, "{episode:?}");
                        assert!(episode.discounted_return.is_none_or(f32::is_finite), "{episode:?}");
                        assert!(episode.missed == 0 && (!learns_at_end || update.tau <= episode.steps), "{episode:?}");
                        fuzz.saw(match episode.end {
                            End::Terminal => "terminal",
                            End::Truncated => "step limit",
                            _ => "full",
                        });
                    }
                    Err(_) => {
                        let after = finite(&[agent.weights(), agent.estimate(), agent.learner().vectors()[0]]);
                        assert!(!learns_at_end || before == after, "an episode that failed was learned from");
                        assert!(fails_one_in < u32::MAX);
                        fuzz.called("failed");
                    }
                }
            }
            assert_eq!(agent.episodes(), episodes);
            assert!(!learns_at_end || agent.learner().updates() == k);
            finite(&[agent.weights(), agent.estimate()]);
        }
    }
}

/// Stop tests and random draws.
pub(super) fn draws(fuzz: &mut Fuzz) {
    let (mut random, bound) = (Random::new(fuzz.any()), fuzz.count());
    assert!(random.below(bound) < bound.max(1));
    fuzz.called("below");
    let (tolerance, least, needed) = (fuzz.any_float(), fuzz.below(4), fuzz.below(4));
    let mut stop = StopTest::new(tolerance, least, needed);
    let (g_norm, theta) = (fuzz.any_float(), fuzz.any_float());
    let mut hits = 0;
    for _ in 0..8 {
        let verdict = fuzz.pick(&[Verdict::Stepped, Verdict::Stepped, Verdict::Skipped, Verdict::Overflow]);
        let k = fuzz.below(6);
        let outcome = Update { k, tau: 1, dropped: 0, saturated: 0, g_norm, theta, verdict };
        let length = fuzz.any_float();
        if verdict == Verdict::Stepped {
            hits = if length <= tolerance { hits + 1 } else { 0 };
        }
        let is_small = stop.observe(&outcome, length);
        assert_eq!(is_small, outcome.k >= least && hits >= needed.max(1), "{stop:?} {outcome:?} {length:?}");
        fuzz.called(if is_small { "small step" } else { "no small step" });
    }
}
