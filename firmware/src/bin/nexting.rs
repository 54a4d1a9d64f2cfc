//! Expects what the compass by a wheel will say: the device's side of `cargo xtask nexting`.
//!
//! The command line is the number of episodes. Before each reading a request goes out on the serial line, and the answer comes
//! when the wheel has turned.
#![no_std]
#![no_main]

use cortex_m_rt::entry;
use embedded_hal::i2c::I2c;
use osculate::{ConfigError, RowError};
use osculate_apps::line::{LineLost, Request, exchange};
use osculate_apps::message::Message;
use osculate_apps::nexting::{COMPASS, Moment, field, learn};
use osculate_firmware::board::mps2::Peripherals;
use osculate_firmware::{exit_failure, exit_success, send};
use semihosting::experimental::env;

/// What keeps the device from learning, for the log.
struct Problem(&'static str);

impl From<ConfigError> for Problem {
    fn from(_: ConfigError) -> Self {
        Self("a parameter of a learner makes no sense")
    }
}

impl From<RowError> for Problem {
    fn from(_: RowError) -> Self {
        Self("a reading of the compass cannot be learned from")
    }
}

impl From<LineLost> for Problem {
    fn from(_: LineLost) -> Self {
        Self("the serial line is gone")
    }
}

#[entry]
fn main() -> ! {
    match run() {
        Ok(()) => {
            defmt::info!("done");
            exit_success()
        }
        Err(Problem(problem)) => {
            defmt::error!("{=str}", problem);
            exit_failure()
        }
    }
}

fn run() -> Result<(), Problem> {
    let arguments = env::args::<64>().map_err(|_| Problem("the command line is too long"))?;
    let mut words = &arguments;
    let episodes = words.nth(1).and_then(|word| word.ok()?.parse().ok());
    let episodes = episodes.ok_or(Problem("arguments: EPISODES"))?;
    let Peripherals { mut i2c, mut uart, .. } = Peripherals::take().ok_or(Problem("the peripherals are in use"))?;
    let read = || {
        exchange(&mut uart, Request::Turn)?;
        let mut registers = [0; 6];
        let answer = i2c.write_read(COMPASS, &[3], &mut registers);
        answer.map_err(|_| Problem("the compass does not answer"))?;
        Ok(field(registers))
    };
    learn(episodes, read, |field, expected| send(&Message::Moment(Moment { field, expected })))
}
