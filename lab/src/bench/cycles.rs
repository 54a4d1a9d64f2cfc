//! A model of cycles: QEMU lists every executed instruction, and this adds up the [cycles of each](super::timing).

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use osculate_programs::count::Stretch;
use thumb_audit::instruction::Instruction;

use super::device::{Count, bench, counts};
use super::timing::Core;
use crate::boards::Board;
use crate::elf::Elf;
use crate::toolchain::emulator::Emulator;

/// The work between two reads of the timer.
#[derive(Clone, Copy, Debug, Default)]
struct Region {
    instructions: u32,
    cycles: u32,
}

/// The model's cycles of every part, in the order of the counts that the device reports in the same run.
///
/// # Errors
/// If the board's core is not modelled, if the run fails, or if the trace and the device disagree on the number of
/// instructions.
pub fn model(board: &Board, elf: &Path, features: &[u32]) -> Result<Vec<(Count, u32)>> {
    let core = Core::of(board).with_context(|| format!("there is no model of the cycles of {}", board.core))?;
    let qemu = bench(board, elf, features).argument("trace").options(trace_options(Emulator::find()?.release()));
    let elf = Elf::read(elf)?;
    let mut trace = Trace::of(&elf, core)?;
    // Read as a stream: a file would take up to two gigabytes, and a full disk would truncate it silently.
    let outcome = qemu.run_traced(|_| (), |line| trace.push(line))?;
    assign(counts(&outcome.success()?)?, &trace.regions())
}

/// The options that make this release of QEMU list every instruction on stderr.
fn trace_options(release: (u32, u32)) -> impl Iterator<Item = &'static str> {
    // Renamed in 8.1; the old name was removed in 9.0.
    let single: &[_] = if release < (8, 1) { &["-singlestep"] } else { &["-accel", "tcg,one-insn-per-tb=on"] };
    single.iter().copied().chain(["-d", "exec,nochain"])
}

/// Adds up the regions that the device reports for each part.
fn assign(counts: Vec<Count>, regions: &[Region]) -> Result<Vec<(Count, u32)>> {
    let mut parts = Vec::new();
    for count in counts {
        let mut sum = Region::default();
        for Stretch { first, length, times } in count.stretches {
            let own = regions.get(first as usize..(first + length) as usize);
            let own = own.with_context(|| format!("the trace ends too early, after {} measurements", regions.len()))?;
            for region in own {
                sum.instructions += times * region.instructions;
                sum.cycles += times * region.cycles;
            }
        }
        ensure!(
            sum.instructions == count.instructions,
            "{} with {} features: {} instructions in the trace, {} counted",
            count.part.name(),
            count.n,
            sum.instructions,
            count.instructions
        );
        parts.push((count, sum.cycles));
    }
    Ok(parts)
}

/// Adds up the work between consecutive calls of `ticks`, the function that reads the timer before and after.
struct Trace<'e> {
    elf: &'e Elf,
    core: Core,
    ticks: Range<u32>,
    regions: Vec<Region>,
    current: Option<Region>,
    before: Option<u32>,
}

impl<'e> Trace<'e> {
    fn of(elf: &'e Elf, core: Core) -> Result<Self> {
        Ok(Self { elf, core, ticks: elf.function("5ticks")?, regions: Vec::new(), current: None, before: None })
    }

    /// Takes a line that QEMU writes; false if it is not part of the trace.
    fn push(&mut self, line: &str) -> bool {
        match program_counter(line) {
            // When QEMU stops to service its timers, it lists the next instruction twice.
            Some(pc) if self.before != Some(pc) => self.step(pc),
            Some(_) => {}
            None => {
                return ["Stopped execution of TB chain", "cpu_io_recompile: "].iter().any(|it| line.starts_with(it));
            }
        }
        true
    }

    fn step(&mut self, pc: u32) {
        let comes_next = self.ticks.contains(&pc);
        if let Some(last) = self.before {
            let came_before = self.ticks.contains(&last);
            let cycles = self.cycles(last, pc);
            if let Some(region) = self.current.as_mut().filter(|_| !came_before) {
                region.instructions += 1;
                region.cycles += cycles;
            }
            match (came_before, comes_next) {
                (true, false) => self.current = Some(Region::default()),
                (false, true) => self.regions.extend(self.current.take()),
                _ => {}
            }
        }
        self.before = Some(pc);
    }

    /// The cycles of the instruction at `pc` if the next one is at `next`.
    fn cycles(&self, pc: u32, next: u32) -> u32 {
        let decoded = self.elf.code(pc).and_then(|first| Instruction::decode(pc, first, self.elf.code(pc + 2)));
        // What is not code of this image, or not known, is counted as one: the cycles are a model anyway.
        decoded.map_or(1, |it| self.core.cycles(it.class, next != pc + it.length))
    }

    fn regions(self) -> Vec<Region> {
        // Every other region is the code between two measurements, from the return of `ticks` to its next call.
        let mut inside = self.regions.into_iter().step_by(2).collect::<Vec<_>>();
        // As the device does: subtract the overhead of an empty call and its return.
        let overhead = inside.first().copied().unwrap_or_default();
        for region in &mut inside {
            region.instructions -= overhead.instructions;
            region.cycles -= overhead.cycles;
        }
        inside
    }
}

/// The address of the next instruction, from `Trace 0: HOST [BASE/PC/FLAGS/…] name`.
fn program_counter(line: &str) -> Option<u32> {
    u32::from_str_radix(line.strip_prefix("Trace ")?.split('/').nth(1)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_for_single_instructions_is_the_one_that_the_release_knows() {
        let options = |release| trace_options(release).collect::<Vec<_>>().join(" ");
        for old in [(6, 0), (7, 2), (8, 0)] {
            assert_eq!(options(old), "-singlestep -d exec,nochain");
        }
        for new in [(8, 1), (9, 0), (10, 0)] {
            assert_eq!(options(new), "-accel tcg,one-insn-per-tb=on -d exec,nochain");
        }
    }

    #[test]
    fn the_program_counter_is_read_as_every_release_writes_it() {
        let seven = "Trace 0: 0x7f1464000440 [00800408/0001a40c/00000110/ff020201] __defmt_default_timestamp";
        let ten = "Trace 0: 0x7fb42c0002c0 [00800408/000000000001a40c/00000110/ff020601] a/b";
        assert_eq!([seven, ten].map(program_counter), [Some(0x1a40c); 2]);
        for other in
            ["Stopped execution of TB chain before 0x7f14 [0001a40c] a/b/c", "qemu-system-arm: a/00000001/b", ""]
        {
            assert_eq!(program_counter(other), None, "{other}");
        }
    }
}
