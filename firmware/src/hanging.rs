//! A loop that stops on purpose, as a fault would stop it.

use osculate_apps::supervision::{Stage, Supervisor};

/// Stops at a stage, when it has been reached this many times.
#[derive(Debug)]
pub struct Hanging<S> {
    /// Who watches the loop.
    pub supervisor: S,
    /// Where to stop; `None` to go on.
    pub hang: Option<(Stage, u32)>,
}

impl<S: Supervisor> Supervisor for Hanging<S> {
    fn reached(&mut self, stage: Stage) {
        if let Some((_, left)) = self.hang.as_mut().filter(|(at, _)| *at == stage) {
            *left = left.saturating_sub(1);
            if *left == 0 {
                loop {
                    cortex_m::asm::nop();
                }
            }
        }
        self.supervisor.reached(stage);
    }
}
