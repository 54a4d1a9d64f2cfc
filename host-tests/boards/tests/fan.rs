//! Promise: an agent behaves the same regardless of its caller. In an interrupt, in an async task and in a loop it
//! takes the same actions and learns the same bits.

use osculate_apps::fan::{EPISODES, Fan, FanEpisode, SAMPLES, TOO_WARM};
use osculate_apps::message::Message;
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_lab::repository::runs_all;

/// Every episode of a fan that is called from a loop.
fn in_a_loop() -> Vec<FanEpisode> {
    let mut fan = Fan::NEW;
    let mut episodes = Vec::new();
    while !fan.is_done() {
        episodes.extend(fan.sample().unwrap());
    }
    episodes
}

/// The speeds of an episode, in time order.
fn speeds(blown: &FanEpisode) -> Vec<u8> {
    (0..SAMPLES).rev().map(|sample| (blown.speeds >> (2 * sample) & 3) as u8).collect()
}

#[test]
fn there_is_something_to_compare() {
    let episodes = in_a_loop();
    assert_eq!(episodes.len(), EPISODES as usize);
    for speed in 0..3 {
        let times: usize = episodes.iter().map(|blown| speeds(blown).iter().filter(|it| **it == speed).count()).sum();
        assert!(times > 100, "speed {speed} was chosen {times} times");
    }
    for two in episodes.windows(2) {
        assert!(two[0].speeds != two[1].speeds && two[0].weights != two[1].weights, "nothing happened in {two:?}");
    }
    assert_eq!(episodes, in_a_loop());
}

#[test]
fn where_it_is_too_warm_the_fan_runs_at_full_speed() {
    let (mut warmth, mut speed, mut times) = (1.0, 0, 0);
    for next in in_a_loop().iter().flat_map(speeds) {
        warmth += 0.05 - 0.1 * f32::from(speed) * warmth;
        times += u32::from(warmth > TOO_WARM);
        assert!(warmth <= TOO_WARM || next == 2, "speed {next} at {warmth}");
        speed = next;
    }
    println!("too warm {times} times");
    assert!(times > 5, "it was hardly ever too warm");
}

#[test]
fn in_an_interrupt() {
    as_in_a_loop("fan_systick", "mps2-an386", &[]);
}

#[test]
fn in_a_task() {
    as_in_a_loop("fan_task", "mps2-an385", &["embassy"]);
    if runs_all() {
        as_in_a_loop("fan_task", "microbit", &["embassy"]);
    }
}

/// Every speed and every bit of every weight, in every episode.
fn as_in_a_loop(binary: &str, board: &str, features: &[&str]) {
    let board = Board::named(board).unwrap();
    let elf = firmware::build(board, binary, features).unwrap();
    let log = Emulation::new(board, elf).run(|_| ()).unwrap().success().unwrap();
    let told = log.iter().filter_map(|line| line.told().unwrap());
    let mut told = told.filter(|message| !matches!(message, Message::Stack(_)));
    for (episode, expected) in (1..).zip(in_a_loop()) {
        let Some(Message::FanEpisode(blown)) = told.next() else { panic!("{binary}: there is no episode {episode}") };
        assert_eq!(speeds(&blown), speeds(&expected), "{binary} on {}: episode {episode}", board.name);
        assert_eq!(blown.weights, expected.weights, "{binary} on {}: episode {episode}", board.name);
    }
    assert_eq!(told.collect::<Vec<_>>(), [Message::Done]);
}
