//! An agent inside an interrupt: the timer samples, learns and acts, and the main program sleeps.
#![no_std]
#![no_main]

use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::{entry, exception};
use cortex_m_stack::{repaint_stack, stack_painted, stack_size};
use osculate_apps::fan::Fan;
use osculate_apps::message::Message;
use osculate_firmware::{exit_failure, exit_success, send};

#[entry]
fn main() -> ! {
    repaint_stack();
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit_failure() };
    let mut timer = peripherals.SYST;
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(20_000);
    timer.clear_current();
    timer.enable_counter();
    timer.enable_interrupt();
    loop {
        cortex_m::asm::wfi();
    }
}

#[exception]
fn SysTick() {
    // Constructed at compile time. Only this handler can access it.
    static mut FAN: Fan = Fan::NEW;
    match FAN.sample() {
        Ok(Some(episode)) => send(&Message::FanEpisode(episode)),
        Ok(None) => {}
        Err(_) => exit_failure(),
    }
    if FAN.is_done() {
        send(&Message::Stack(stack_size() - stack_painted()));
        send(&Message::Done);
        exit_success()
    }
}
