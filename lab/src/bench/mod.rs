//! Measures the firmware: instructions, cycles by a model, stack, flash, RAM.

pub mod cycles;
pub mod device;
pub mod limits;
pub mod page;
pub mod report;
pub mod size;
pub mod timing;

use anyhow::{Context, Result};
pub use osculate_programs::sizes::SIZES;

use self::report::{Report, cost, flash, memory};
use crate::boards::Board;
use crate::firmware;
use crate::toolchain::{ambient, answer};

/// Boards and arithmetics whose numbers are in the budget: those of every run of the tests, and those of a release.
pub const MEASURED: [(&str, &str); 5] = [
    ("mps2-an386", "f32"),
    ("mps2-an386", "q28"),
    ("microbit", "q28"),
    ("mps2-an385", "q28"),
    ("mps2-an505-dsp", "q28"),
];
/// How many of [`MEASURED`] every run of the tests measures.
pub const OFTEN: usize = 3;

/// How much is measured of a board and an arithmetic.
pub struct Scope<'a> {
    /// Numbers of features whose instructions are counted.
    pub features: &'a [u32],
    /// Numbers of features whose cycles are added up by the model.
    pub cycles: &'a [u32],
    /// Numbers of features whose learners are measured in bytes.
    pub memory: &'a [u32],
    /// Whether the flash of programs is measured.
    pub flash: bool,
}

impl Report {
    /// Without numbers, for this machine's compiler.
    ///
    /// # Errors
    /// If no compiler is found.
    pub fn new() -> Result<Self> {
        let text = answer(ambient("rustc").arg("--version")).context("rustc does not tell its version")?;
        Ok(Self { compiler: text.split_whitespace().nth(1).unwrap_or_default().into(), ..Self::default() })
    }

    /// Measures a board in an arithmetic.
    ///
    /// # Errors
    /// If something cannot be built or run.
    pub fn measure(&mut self, board: &Board, arith: &str, scope: &Scope<'_>) -> Result<()> {
        let name = &board.name;
        let elf = firmware::build(board, "bench", size::features(arith))?;
        if !scope.features.is_empty() {
            for count in device::run(board, &elf, scope.features)? {
                let of = cost(name, arith, count.n, count.part);
                self.add(of.clone(), "instructions", count.instructions);
                self.add(of, "stack", count.stack);
            }
        }
        if !scope.cycles.is_empty() {
            for (count, cycles) in cycles::model(board, &elf, scope.cycles)? {
                self.add(cost(name, arith, count.n, count.part), "cycles", cycles);
            }
        }
        if !scope.memory.is_empty() {
            for (n, bytes) in size::ram(board, &elf, scope.memory)? {
                for (learner, bytes) in ["stored", "streaming", "tracking"].into_iter().zip(bytes) {
                    self.add(memory(name, arith, n), learner, bytes);
                }
            }
        }
        for program in size::PROGRAMS.into_iter().filter(|_| scope.flash) {
            self.add(flash(name, arith), program, size::measure(board, arith, program)?);
        }
        Ok(())
    }
}
