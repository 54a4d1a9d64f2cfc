//! Predicts the readings of a compass beside a wheel: the device's side of `cargo xtask nexting`.
//!
//! The command line is the rule and the number of steps. Before each reading, a request goes out on the serial line; the answer
//! comes once the wheel has turned.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use embedded_hal::i2c::I2c;
use osculate_apps::choice::Rule;
use osculate_apps::failure::Failure;
use osculate_apps::line::{Request, exchange};
use osculate_apps::message::Message;
use osculate_apps::nexting::{COMPASS, field, learn};
use osculate_firmware::arguments::Arguments;
use osculate_firmware::board::mps2::Peripherals;
use osculate_firmware::{finish, send};

#[entry]
fn main() -> ! {
    finish(run())
}

fn run() -> Result<(), Failure> {
    let arguments = Arguments::<64>::read()?;
    let mut words = arguments.words();
    let (rule, steps) = (words.next().and_then(Rule::named), words.next().and_then(|word| word.parse().ok()));
    let (rule, steps) = rule.zip(steps).ok_or(Failure("arguments: RULE STEPS"))?;
    let Peripherals { mut i2c, mut uart, .. } = Peripherals::take().ok_or(Failure("the peripherals are in use"))?;
    let read = || {
        exchange(&mut uart, Request::Turn)?;
        let mut registers = [0; 6];
        let answer = i2c.write_read(COMPASS, &[3], &mut registers);
        answer.map_err(|_| Failure("the compass does not answer"))?;
        Ok(field(registers))
    };
    learn(rule, steps, read, |moment| send(&Message::Moment(moment)))
}
