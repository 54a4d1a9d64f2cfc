//! Promise: the room's device goes on after power cuts, hangs and faults of its bus; and a device that fails says why, at
//! once and after its reset. With `OSCULATE_ALL=1` (`cargo xtask dev torture`) everything is tried many times. (That a
//! checkpoint survives a power cut at any byte, the tests of the crate `checkpoint-ring` try.)

mod bus_faults;
mod checkpoints;
mod faults;
mod home;
mod kills;
mod past;
mod resets;
mod soak;

use std::time::Duration;

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::room::agent::Settings;
use osculate_lab::boards::Board;
use osculate_lab::repository::runs_all;
use osculate_lab::room::device::Run;
use osculate_lab::room::plant::Scene;
use osculate_lab::room::run_log::Evening;
use osculate_lab::tally::Tally;

use bus_faults::bus_faults;
use faults::{causes, overflows};
use kills::kills_while_storing;
use past::{Past, whole};
use resets::{absent_devices, hangs, kills_in_the_room};
use soak::{on_host, soak};

/// Prints what was tried, at least this often each, and fails if anything has failed.
fn hold(tallies: &[Tally], least: u64) {
    for tally in tallies {
        println!("{} tries, {} failures: {}", tally.tries, tally.failures, tally.promise);
        assert_eq!((tally.failures, &tally.first), (0, &None), "{}", tally.promise);
        assert!(tally.tries >= least, "{} tries: {}", tally.tries, tally.promise);
    }
}

/// How often something is tried: for a change, and for a release.
fn often(change: u32, release: u32) -> u32 {
    if runs_all() { release } else { change }
}

/// The default board and the smallest, or every core.
fn boards() -> Vec<&'static Board> {
    let all = Board::cores();
    all.filter(|board| runs_all() || ["mps2-an386", "microbit"].contains(&board.name.as_str())).collect()
}

/// A test for what is tried, each of it at least this often.
macro_rules! held {
    ($($test:ident: $tried:expr, $least:expr;)*) => {$(
        #[test]
        fn $test() -> Result<()> {
            hold(&$tried?, $least);
            Ok(())
        }
    )*};
}
held! {
    a_stack_overflow_is_named_and_told: overflows(&boards()), boards().len() as u64;
    faults_on_the_bus_are_safe_counted_and_not_learned_from: bus_faults(often(29, 1)), 300;
    missing_devices_are_survived: absent_devices(), 1;
    a_device_that_is_killed_goes_on_bit_for_bit: kills_in_the_room(often(4, 40)), 4;
    a_hang_at_any_stage_is_ended_and_told: hangs(often(1, 10)), 5;
}

#[test]
fn every_cause_is_named_and_told() -> Result<()> {
    let tallies = causes(&boards())?;
    hold(&tallies, 1);
    let tries: Vec<_> = tallies.iter().map(|tally| tally.tries).collect();
    let boards = boards();
    let (all, watched) = (boards.len() as u64, boards.iter().filter(|board| board.sensors).count() as u64);
    assert_eq!(tries, [6 * all, 2 * 5 * watched, watched, 2 * all, all]);
    Ok(())
}

#[test]
fn a_device_that_is_killed_while_it_stores_has_lost_nothing_else() -> Result<()> {
    let (tally, torn) = kills_while_storing(often(10, 100))?;
    println!("{torn} boots found a torn checkpoint");
    assert!(torn > 0, "no checkpoint was torn, so nothing was tried");
    hold(&[tally], 10);
    Ok(())
}

/// Otherwise the tests of kills and hangs could not fail.
#[test]
fn an_evening_that_differs_from_the_uninterrupted_run_is_noticed() -> Result<()> {
    let settings = Settings { seed: 1, evenings: 3, rule: Rule::Tracking };
    let (board, arith, scene) = (&Board::all()[0], Arith::F32, Scene::new(1));
    let run = Run { board, arith, settings, scene, records: false, timeout: Duration::from_secs(1) };
    let whole = whole(&run)?;
    let mut past = Past::new(&run);
    past.told = (1..).zip(whole.clone()).collect();
    past.compare(&whole)?;
    let changes: [fn(&mut Evening); 3] =
        [|it| it.weights[9] ^= 1, |it| it.model[7] ^= 1, |it| it.trail[60].room = it.trail[60].room.next_up()];
    for (index, change) in changes.into_iter().enumerate() {
        change(&mut past.told[index].1);
        let error = past.compare(&whole).unwrap_err().to_string();
        assert!(error.contains(&format!("evening {} differs", index + 1)), "{error}");
        past.told[index].1 = whole[index].clone();
    }
    past.told.pop();
    assert_eq!(past.compare(&whole).unwrap_err().to_string(), "it ended after evening 2 of 3");
    Ok(())
}

#[test]
fn a_long_life_is_the_same_on_host_and_device() -> Result<()> {
    hold(&soak(often(20_000, 1_000_000))?, 40_000);
    let last = on_host(Arith::F32, 20_000)?.pop().expect("a report");
    // Otherwise nothing was tried.
    assert!(last.boots > 5 && last.resumed > 5 && last.faults > 500, "{last:?}");
    Ok(())
}
