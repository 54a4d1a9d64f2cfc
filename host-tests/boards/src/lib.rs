//! What must hold on boards is in `tests`. Here is what several of them share.

use osculate_host_tests::worlds::{Dice, row};
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_lab::replay::Arith;
use osculate_lab::replay::trace::Trace;
use osculate_programs::report::Report;
use thumb_audit::Audit;

/// What a program reports on a board that starts it with this argument, if it has one.
///
/// # Panics
/// If it fails.
pub fn reports(board: &Board, program: &str, argument: Option<u32>) -> Vec<Report> {
    let elf = firmware::build(board, program, &[]).unwrap();
    let mut run = Emulation::new(board, elf);
    if let Some(argument) = argument {
        run = run.argument(argument.to_string());
    }
    let log = run.run(|_| ()).unwrap().success().unwrap();
    log.iter().filter_map(|line| line.reported().unwrap()).collect()
}

/// The linked code of a program.
///
/// # Panics
/// If it cannot be built or read.
pub fn image(board: &str, program: &str, features: &[&str]) -> Audit {
    let elf = firmware::build(Board::named(board).unwrap(), program, features).unwrap();
    Audit::read(&elf).unwrap_or_else(|error| panic!("`{program}` on {board}: {error:#}"))
}

/// A recording of what a learner might see: repeated states, noise, and some unusable steps. From state to state, the units of
/// features differ by up to so many powers of two either way. An episode is at most as long as fits on the smallest board.
pub fn recording(seed: u64, n: usize, units: i32, episodes: u64, arith: Arith) -> Trace {
    let (most_steps, most_states) = match arith {
        Arith::F64 => (64, 24),
        _ => (256, 64),
    };
    let mut dice = Dice::new(seed);
    let truth = row(&mut dice, n);
    let mut trace = Trace::new(n);
    for episode in 0..episodes {
        trace.begin_episode(episode);
        // Mostly short, sometimes as long as fits.
        let states = if episode % 64 == 9 { most_states } else { 1 + dice.below(most_states) / (1 << dice.below(4)) };
        let repeats =
            if episode % 64 == 9 { most_steps - states } else { dice.below(states.min(most_steps - states) + 1) };
        let mut visited = Vec::new();
        for step in 0..states + repeats {
            let new = (visited.len() as u32) < states && (step < states / 2 || dice.below(2) == 0 || repeats == 0);
            let left = states + repeats - step == states - visited.len() as u32;
            let state = if new || left || visited.is_empty() {
                let unit = f64::from(dice.below(2 * units as u32 + 1) as i32 - units).exp2();
                visited.push((row(&mut dice, n), unit));
                visited.len() - 1
            } else {
                dice.below(visited.len() as u32) as usize
            };
            let (phi, unit) = &visited[state];
            let value: f64 = phi.iter().zip(&truth).map(|(x, w)| f64::from(x * w)).sum();
            let mut values = vec![(value + f64::from(dice.uniform()) / 16.0) * unit];
            values.extend(phi.iter().map(|x| f64::from(*x) * unit));
            let fate = if episode == 7 { 3 } else { dice.below(240) };
            match fate {
                0 => values[1] = f64::NAN,
                1 => values[n] = f64::INFINITY,
                2 => values[1..].fill(0.0),
                3 => values[0] = f64::NAN,
                4 => values[0] = f64::NEG_INFINITY,
                // 2³¹ and above are out of range in fixed point.
                5 if !matches!(arith, Arith::F32 | Arith::F64) => values[0] = 5e9,
                _ => {}
            }
            trace.push(state as u32, values.iter().map(|x| *x as f32));
        }
    }
    trace
}
