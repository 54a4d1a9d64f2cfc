//! ST's STM32F405, the chip of the Netduino Plus 2, on its internal oscillator.
//!
//! Its sensor is at the other end of the serial line (PB6 sends, PB7 receives): QEMU has no working I²C on this chip. Nor
//! has it its flash controller, so nothing is stored.

use checkpoint_ring::Budget;
use osculate_apps::failure::Failure;
use osculate_apps::nexting::device::Device;
use osculate_apps::store::Forgetful;
use stm32f4xx_hal::gpio::{Output, PA10};
use stm32f4xx_hal::nb::block;
use stm32f4xx_hal::pac::{Peripherals, USART1};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Config;
use stm32f4xx_hal::serial::{self, Serial};

use super::lamp::Lamp;
use super::line::{Line, LineSensor, Port};
use crate::watchdog::{NoTimer, Watched};

/// The core has a unit for floats.
pub type Number = f32;
/// The device on this board.
type Own = Device<LineSensor<Line<Uart>>, Lamp<PA10<Output>>, Forgetful, Watched<NoTimer>>;

/// The board as a device of its own. Nobody knows how long the other end of the line takes, so no watchdog is started.
///
/// # Errors
/// If it was called before, or the serial line cannot be as fast as it should.
pub fn device() -> Result<Own, Failure> {
    let chip = Peripherals::take().ok_or(Failure("the board's peripherals are in use"))?;
    let mut clocks = chip.RCC.freeze(Config::hsi());
    let (port_a, port_b) = (chip.GPIOA.split(&mut clocks), chip.GPIOB.split(&mut clocks));
    let settings = serial::Config::default().baudrate(115_200.bps());
    let line = Serial::new(chip.USART1, (port_b.pb6, port_b.pb7), settings, &mut clocks);
    let line = line.map_err(|_| Failure("the serial line cannot be that fast"))?;
    Ok(Device {
        sensor: LineSensor::new(Line(Uart(line))),
        light: Lamp(port_a.pa10.into_push_pull_output()),
        keeper: Forgetful,
        budget: Budget::NEVER,
        supervisor: Watched::new(NoTimer),
    })
}

/// The serial line. The driver's traits are of an older version than those of the applications.
pub struct Uart(Serial<USART1>);

impl Port for Uart {
    fn send(&mut self, byte: u8) {
        // Sending has no errors.
        _ = block!(self.0.write(byte));
    }

    fn receive(&mut self) -> u8 {
        loop {
            // A byte that was disturbed is lost; the frame that it belongs to is skipped.
            if let Ok(byte) = block!(self.0.read()) {
                return byte;
            }
        }
    }

    fn flush(&mut self) {
        _ = block!(self.0.flush());
    }
}
