//! An agent inside an embassy task: it samples, learns and acts, and lets others run in between.
#![no_std]
#![no_main]

use embassy_executor::Spawner;
use embassy_futures::yield_now;
use osculate_apps::fan::Fan;
use osculate_apps::message::Message;
use osculate_firmware::{exit_failure, exit_success, send};

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    match blow() {
        Ok(task) => spawner.spawn(task),
        Err(_) => exit_failure(),
    }
}

#[embassy_executor::task]
async fn blow() {
    let mut fan = Fan::NEW;
    while !fan.is_done() {
        match fan.sample() {
            Ok(Some(episode)) => send(&Message::FanEpisode(episode)),
            Ok(None) => {}
            Err(_) => exit_failure(),
        }
        yield_now().await; // on a board with a timer: wait for its next tick
    }
    send(&Message::Done);
    exit_success()
}
