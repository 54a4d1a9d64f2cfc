//! The simulation loop, in worlds that are arbitrary tables and may fail.

use osculate::control::Policy;
use osculate::learn::{Learner, Space};
use osculate::{Agent, End, Sim, StopTest};

use super::Fuzz;
use super::check::{counted, finite};
use super::layout::Laid;
use super::number::Fuzzed;
use super::table::{N, Rows, Table, Visit, Walker, any_agent};
use osculate_lab::dice::Dice;

pub(super) fn live<A: Fuzzed>(fuzz: &mut Fuzz) {
    any_agent::<A, Run>(fuzz);
}

struct Run;

impl Visit for Run {
    const TRACKS: bool = false;

    fn visit<A, L, P>(fuzz: &mut Fuzz, table: &Table, _: &Rows<'_>, mut agent: Agent<L, P>)
    where
        A: Fuzzed,
        L: Laid + Learner<Space = Space<A, N>>,
        P: Policy<A, N, Observation = u8>,
    {
        let (mut k, mut episodes) = (0, 0);
        for _ in 0..12 {
            let max_steps = fuzz.pick(&[0, 1, 5, 20, 40]);
            let fails_one_in = fuzz.pick(&[10, 100, u32::MAX]);
            let world = Walker { table, state: 0, dice: Dice::new(fuzz.word()), fails_one_in };
            let before = finite(&[agent.weights(), agent.estimate(), agent.learner().velocity()]);
            let mut sim = Sim::new(&mut agent, world, max_steps);
            if fuzz.one_in(8) {
                let (mut stop, most) = (StopTest::new(fuzz.any_float(), 0, fuzz.below(3)), fuzz.below(4));
                match sim.until(&mut stop, most) {
                    Ok(took) => {
                        assert!(took.is_none_or(|took| took <= most));
                        assert_eq!(agent.episodes(), episodes + took.unwrap_or(most));
                        fuzz.called(if took.is_some() { "step small" } else { "until" });
                    }
                    Err(_) => {
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
                        k = counted(fuzz, &episode.update, k);
                        episodes += 1;
                        assert!(episode.steps <= max_steps, "{episode:?}");
                        assert!(episode.explored + episode.fallbacks <= episode.steps, "{episode:?}");
                        assert!(episode.end != End::Cut || episode.steps == max_steps, "{episode:?}");
                        assert!(episode.discounted_return.is_none_or(f32::is_finite), "{episode:?}");
                        assert!(episode.missed == 0 && episode.update.tau <= episode.steps, "{episode:?}");
                        fuzz.saw(match episode.end {
                            End::Terminal => "terminal",
                            End::Cut => "step limit",
                            _ => "full",
                        });
                    }
                    Err(_) => {
                        let after = finite(&[agent.weights(), agent.estimate(), agent.learner().velocity()]);
                        assert_eq!(before, after, "an episode that failed was learned from");
                        assert!(fails_one_in < u32::MAX);
                        fuzz.called("failed");
                    }
                }
            }
            assert_eq!((agent.episodes(), agent.learner().updates()), (episodes, k));
            finite(&[agent.weights(), agent.estimate()]);
            if !fuzz.goes_on() {
                return;
            }
        }
    }
}
