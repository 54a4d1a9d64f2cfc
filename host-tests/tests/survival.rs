//! Promise: the room's device goes on after power cuts, hangs and faults of its bus. `cargo xtask dev torture` tries longer.

use std::time::Duration;

use anyhow::Result;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::room::agent::Settings;
use osculate_lab::boards::Board;
use osculate_lab::room::device::Run;
use osculate_lab::room::plant::Scene;
use osculate_lab::room::run_log::Evening;
use osculate_lab::survival::bus_faults::bus_faults;
use osculate_lab::survival::kills::kills_while_storing;
use osculate_lab::survival::resets::{absent_devices, hangs, kills_in_the_room};
use osculate_lab::survival::room::{Past, whole};
use osculate_lab::survival::soak::{on_host, soak};
use osculate_lab::survival::{Progress, Tally};

/// Prints what was tried, at least this often each, and fails if anything has failed.
fn hold(tallies: &[Tally], least: u64) {
    for tally in tallies {
        println!("{} tries, {} failures: {}", tally.tries, tally.failures, tally.promise);
        assert_eq!((tally.failures, &tally.first), (0, &None), "{}", tally.promise);
        assert!(tally.tries >= least, "{} tries: {}", tally.tries, tally.promise);
    }
}

#[test]
fn faults_on_the_bus_are_safe_counted_and_not_learned_from() -> Result<()> {
    hold(&bus_faults(5, &Progress::default())?, 1_500);
    Ok(())
}

#[test]
fn missing_devices_are_survived() -> Result<()> {
    hold(&absent_devices(&Progress::default())?, 1);
    Ok(())
}

#[test]
fn a_device_that_is_killed_while_it_stores_has_lost_nothing_else() -> Result<()> {
    let (tally, torn) = kills_while_storing(20, &Progress::default())?;
    println!("{torn} boots found a torn checkpoint");
    assert!(torn > 0, "no checkpoint was torn, so nothing was tried");
    hold(&[tally], 20);
    Ok(())
}

#[test]
fn a_device_that_is_killed_goes_on_bit_for_bit() -> Result<()> {
    hold(&kills_in_the_room(4, &Progress::default())?, 4);
    Ok(())
}

/// Otherwise the test above could not fail.
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
fn a_hang_at_any_stage_is_ended_and_told() -> Result<()> {
    hold(&hangs(1, &Progress::default())?, 5);
    Ok(())
}

#[test]
fn a_long_life_is_the_same_on_host_and_device() -> Result<()> {
    hold(&soak(20_000, &Progress::default())?, 40_000);
    let last = on_host(Arith::F32, 20_000)?.pop().expect("a report");
    // Otherwise nothing was tried.
    assert!(last.boots > 5 && last.resumed > 5 && last.faults > 500, "{last:?}");
    Ok(())
}
