//! Faults that occurred only on the boards, or differently from the host.

use osculate_lab::boards::Board;
use osculate_lab::firmware;
use osculate_lab::replay::trace::Trace;
use osculate_lab::replay::{Arith, Config, Job, OnUpdate, Rule, device, host};

/// The last weight, and the number of values that saturated.
fn learned(arith: Arith, run: impl FnOnce(OnUpdate<'_>)) -> (f64, u32) {
    let mut last = (0, 0);
    run(&mut |learned| last = (learned.weights[0], learned.report.saturated()));
    let fraction = if arith == Arith::Q28 { 28 } else { 24 };
    (f64::from(last.0 as u32 as i32) / f64::from(1 << fraction), last.1)
}

/// One sensor glitch wrapped the 64-bit sum on every board: the weight went up to its limit instead of down.
#[test]
fn a_huge_negative_reward_takes_the_weight_down_on_every_board() {
    for (arith, huge) in [(Arith::Q28, -4_194_302.5), (Arith::Q24, -67_108_840.0)] {
        let mut trace = Trace::new(1);
        for (episode, rewards) in [&[1.0][..], &[huge, 0.0]].into_iter().enumerate() {
            trace.begin_episode(episode as u64);
            (0..).zip(rewards).for_each(|(state, reward)| trace.push(state, [*reward, 1.0]));
        }
        let job = Job { trace: &trace, arith, config: Config::new(Rule::Streaming) };
        let here = learned(arith, |keep| host::run(&job, keep).unwrap());
        assert!(here.0 < -6.0 && here.1 > 0, "{}: {here:?}", arith.name());
        for board in Board::cores().filter(|board| board.is_tried()) {
            let elf = firmware::build(board, "replay", &[]).unwrap();
            let there = learned(arith, |keep| device::run(board, &elf, &job, |_| (), keep).unwrap());
            assert_eq!(there, here, "{}, {}", board.name, arith.name());
        }
    }
}
