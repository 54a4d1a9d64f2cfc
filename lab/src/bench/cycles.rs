//! A timing model of the Cortex-M4: QEMU lists every executed instruction, and this adds up the cycles of each.
//!
//! Cycles, from Arm's technical reference manuals of the core and its FPU, for memory without wait states:
//!
//! | instruction | cycles |
//! | --- | --- |
//! | LDR, STR and their kin, VLDR, VSTR | 2 |
//! | LDRD, STRD | 3 |
//! | LDM, STM, PUSH, POP, VLDM, VSTM of n words | 1 + n |
//! | a branch that is taken, a call, a return | 3 |
//! | SDIV, UDIV | 12 |
//! | VDIV, VSQRT | 14 |
//! | VMLA and its kin | 3 |
//! | VMOV of two words | 2 |
//! | all others, multiplications of 64 bits among them | 1 |
//!
//! Not modelled: consecutive loads overlap (the model counts too many), and an FPU result is not ready for the very
//! next instruction (it counts too few). Use the model to compare code; it is no promise about a chip.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use osculate_apps::count::Stretch;

use super::device::{Count, DETERMINISTIC, counts};
use crate::boards::Board;
use crate::elf::Elf;
use crate::emulation::Emulation;
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
/// If the run fails, or if the trace and the device disagree on the number of instructions.
pub fn model(board: &Board, elf: &Path, features: &[u32]) -> Result<Vec<(Count, u32)>> {
    let qemu = Emulation::new(board, elf).argument("trace").options(DETERMINISTIC).timeout(Duration::from_secs(300));
    let qemu = features.iter().fold(qemu, |qemu, n| qemu.argument(n.to_string()));
    let qemu = qemu.options(trace_options(Emulator::find()?.release()));
    let elf = Elf::read(elf)?;
    let mut trace = Trace::of(&elf)?;
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
    ticks: Range<u32>,
    regions: Vec<Region>,
    current: Option<Region>,
    before: Option<u32>,
}

impl<'e> Trace<'e> {
    fn of(elf: &'e Elf) -> Result<Self> {
        Ok(Self { elf, ticks: elf.function("5ticks")?, regions: Vec::new(), current: None, before: None })
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
            if let Some(region) = self.current.as_mut().filter(|_| !came_before) {
                region.instructions += 1;
                region.cycles += cycles(self.elf, last, pc);
            }
            match (came_before, comes_next) {
                (true, false) => self.current = Some(Region::default()),
                (false, true) => self.regions.extend(self.current.take()),
                _ => {}
            }
        }
        self.before = Some(pc);
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

/// The cycles of the instruction at `pc` if the next one is at `next`.
fn cycles(elf: &Elf, pc: u32, next: u32) -> u32 {
    let first = elf.code(pc).unwrap_or(0);
    let wide = first >> 11 >= 0b11101;
    let taken = next != pc + if wide { 4 } else { 2 };
    let second = if wide { elf.code(pc + 2).unwrap_or(0) } else { 0 };
    let own = if wide { wide_cycles(first, second) } else { narrow_cycles(first) };
    // A load into the program counter takes its own time plus that of a branch.
    if taken { own.max(1) + 2 } else { own }
}

fn narrow_cycles(code: u16) -> u32 {
    let listed = u32::from(code & 0xff).count_ones();
    match code >> 12 {
        // Loads relative to the program counter; by register, by offset, relative to the stack.
        4 if code >> 11 == 0b01001 => 2,
        5..=9 => 2,
        // PUSH and POP, with or without the ninth register.
        11 if code & 0x0600 == 0x0400 => 1 + listed + u32::from(code >> 8 & 1),
        // STM and LDM.
        12 => 1 + listed,
        _ => 1,
    }
}

fn wide_cycles(first: u16, second: u16) -> u32 {
    let top = first >> 4;
    match first >> 9 {
        // Load and store multiple; double.
        0b111_0100 if first & 0x40 == 0 => 1 + u32::from(second).count_ones(),
        0b111_0100 => 3,
        // Load and store single.
        0b111_1100 => 2,
        // Divisions, signed and unsigned; long multiplications take one.
        0b111_1101 if top == 0xfb9 || top == 0xfbb => 12,
        // FPU loads and stores, and moves of two words.
        0b111_0110 if second >> 9 & 7 == 0b101 => match first >> 4 & 0x1f {
            0b00100 | 0b00101 => 2,
            pubw if pubw & 0b10010 == 0b10000 => 2,
            _ => 1 + u32::from(second & 0xff),
        },
        // FPU arithmetic.
        0b111_0111 if second >> 9 & 7 == 0b101 && first & 0x100 == 0 && second & 0x10 == 0 => {
            match (first >> 4 & 0b1011, second >> 6 & 1) {
                (0b1000, _) => 14,
                (0b1011, 1) if first & 0xf == 1 && second & 0x80 != 0 => 14,
                // VMLA, VMLS and their negatives.
                (0b0000 | 0b0001, _) => 3,
                _ => 1,
            }
        }
        _ => 1,
    }
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

    #[test]
    fn classes_of_instructions() {
        // As an assembler encodes them.
        assert_eq!(narrow_cycles(0x6800), 2, "ldr r0, [r0]");
        assert_eq!(narrow_cycles(0xb5f0), 6, "push {{r4-r7, lr}}");
        assert_eq!(narrow_cycles(0xc90c), 3, "ldmia r1!, {{r2, r3}}");
        assert_eq!(narrow_cycles(0x1840), 1, "adds r0, r0, r1");
        assert_eq!(wide_cycles(0xecb0, 0x2a0c), 13, "vldmia r0!, {{s4-s15}}");
        assert_eq!(wide_cycles(0xed2d, 0x8b10), 17, "vpush {{d8-d15}}");
        assert_eq!(wide_cycles(0xed90, 0x0a00), 2, "vldr s0, [r0]");
        assert_eq!(wide_cycles(0xee20, 0x0a01), 1, "vmul.f32 s0, s0, s2");
        assert_eq!(wide_cycles(0xee30, 0x0a01), 1, "vadd.f32 s0, s0, s2");
        assert_eq!(wide_cycles(0xee00, 0x0a01), 3, "vmla.f32 s0, s0, s2");
        assert_eq!(wide_cycles(0xee80, 0x0a01), 14, "vdiv.f32 s0, s0, s2");
        assert_eq!(wide_cycles(0xeeb1, 0x0ac0), 14, "vsqrt.f32 s0, s0");
        assert_eq!(wide_cycles(0xec41, 0x0b10), 2, "vmov d0, r0, r1");
        assert_eq!(wide_cycles(0xe8b2, 0x0f00), 5, "ldmia r2!, {{r8-r11}}");
        assert_eq!(wide_cycles(0xe9d0, 0x0100), 3, "ldrd r0, r1, [r0]");
        assert_eq!(wide_cycles(0xfbc2, 0x0103), 1, "smlal r0, r1, r2, r3");
        assert_eq!(wide_cycles(0xfbb0, 0xf0f1), 12, "udiv r0, r0, r1");
        assert_eq!(wide_cycles(0xf8d0, 0x0004), 2, "ldr.w r0, [r0, #4]");
    }
}
