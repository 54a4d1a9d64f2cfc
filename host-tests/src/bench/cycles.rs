//! A model of the Cortex-M4's time: QEMU tells which instructions ran, one by one, and this adds up what each takes.
//!
//! Cycles, from Arm's technical reference manual of the core and its FPU, memory without wait states:
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
//! What it leaves out: that loads in a row overlap (it counts too many), and that a result of the FPU is not ready for the
//! very next instruction (it counts too few). It is a model to compare code by, and no promise about a chip.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::device::{Count, DETERMINISTIC, parse_lines};
use crate::lab::boards::Board;
use crate::lab::elf::Elf;
use crate::lab::qemu::Qemu;

/// What ran between two looks at the timer.
#[derive(Clone, Copy, Debug, Default)]
struct Region {
    instructions: u32,
    cycles: u32,
}

/// The model's cycles of every part, in the order of the counts that the device reports in such a run.
///
/// # Errors
/// Where the run fails, or where the instructions in the trace are not as many as the device has counted.
pub fn model(board: &Board, elf: &Path, features: &[u32]) -> Result<Vec<(Count, u32)>> {
    let trace = elf.with_extension("trace");
    let qemu = Qemu::new(board, elf).argument("trace").options(DETERMINISTIC).timeout(Duration::from_secs(300));
    let qemu = features.iter().fold(qemu, |qemu, n| qemu.argument(n.to_string()));
    let qemu = qemu.options(["-singlestep", "-d", "exec,nochain", "-D"]).options([trace.as_os_str()]);
    let result = qemu.run(|_| ()).and_then(|outcome| parse_lines(outcome.success()?));
    let regions = result.and_then(|counts| Ok((counts, regions(&Elf::read(elf)?, &trace)?)));
    // Some hundred megabytes: gone in any case.
    _ = std::fs::remove_file(&trace);
    let (counts, regions) = regions?;
    assign(counts, &regions)
}

/// Which regions make a part: the device's `bench/parts.rs` measures in this order.
fn assign(counts: Vec<Count>, regions: &[Region]) -> Result<Vec<(Count, u32)>> {
    // The first four calibrate.
    let mut rest = regions.iter().skip(4);
    let mut take = |n: usize| -> Result<Vec<Region>> {
        let taken: Vec<_> = rest.by_ref().take(n).copied().collect();
        ensure!(taken.len() == n, "the trace ends too early");
        Ok(taken)
    };
    let mut projection = Vec::new();
    let mut parts = Vec::new();
    for count in counts {
        let own = match count.kernel.as_str() {
            // ‖φ‖² of one row stands for all.
            "pass1" => {
                let norm = take(1)?[0];
                projection = take(1)?;
                (0..32).map(|_| norm).chain(projection.iter().copied()).collect()
            }
            "pass1_cached" => projection.clone(),
            // The first episode only warms up; the last region is its end.
            "episode" => take(32)?.into_iter().take(0).chain(take(33)?).collect(),
            _ => take(1)?,
        };
        let instructions: u32 = own.iter().map(|region| region.instructions).sum();
        ensure!(
            instructions == count.instructions,
            "{} with {} features: {instructions} instructions in the trace, {} counted",
            count.kernel,
            count.n,
            count.instructions
        );
        parts.push((count, own.iter().map(|region| region.cycles).sum()));
    }
    Ok(parts)
}

/// Adds up what runs between `ticks` and `ticks`, the function that looks at the timer before and after.
fn regions(elf: &Elf, trace: &Path) -> Result<Vec<Region>> {
    let ticks = elf.function("5ticks")?;
    let file = BufReader::new(File::open(trace).context("QEMU has left no trace")?);
    let mut regions = Vec::new();
    let mut current: Option<Region> = None;
    let mut before: Option<u32> = None;
    for line in file.lines() {
        let line = line.context("the trace is unreadable")?;
        // `Trace 0: HOST [FLAGS/PC/…] name`
        let Some(pc) = line.split('/').nth(1).and_then(|pc| u32::from_str_radix(pc, 16).ok()) else { continue };
        // Where QEMU stops to look after its timers, it says twice which instruction comes next.
        if before == Some(pc) {
            continue;
        }
        if let (Some(region), Some(last)) = (current.as_mut(), before)
            && !ticks.contains(&last)
        {
            region.instructions += 1;
            region.cycles += cycles(elf, last, pc);
        }
        match before {
            Some(last) if ticks.contains(&last) && !ticks.contains(&pc) => current = Some(Region::default()),
            Some(last) if !ticks.contains(&last) && ticks.contains(&pc) => regions.extend(current.take()),
            _ => {}
        }
        before = Some(pc);
    }
    // Leaving `ticks` for good looks like work, and so does what follows until the next call of it.
    let mut inside = regions.into_iter().step_by(2).collect::<Vec<_>>();
    // As the device does: less the call of nothing, and its return.
    let overhead = inside.first().copied().unwrap_or_default();
    for region in &mut inside {
        region.instructions -= overhead.instructions;
        region.cycles -= overhead.cycles;
    }
    Ok(inside)
}

/// What the instruction at `pc` takes, if the next one is at `next`.
fn cycles(elf: &Elf, pc: u32, next: u32) -> u32 {
    let first = elf.code(pc).unwrap_or(0);
    let wide = first >> 11 >= 0b11101;
    let taken = next != pc + if wide { 4 } else { 2 };
    let second = if wide { elf.code(pc + 2).unwrap_or(0) } else { 0 };
    let own = if wide { wide_cycles(first, second) } else { narrow_cycles(first) };
    // One that loads the program counter takes its time, and then that of a branch.
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
        // Divisions, signed and unsigned; other long multiplications take one.
        0b111_1101 if top == 0xfb9 || top == 0xfbb => 12,
        // The FPU's loads and stores, and moves of two words.
        0b111_0110 if second >> 9 & 7 == 0b101 => match first >> 4 & 0x1f {
            0b00100 | 0b00101 => 2,
            pubw if pubw & 0b10010 == 0b10000 => 2,
            _ => 1 + u32::from(second & 0xff),
        },
        // The FPU's arithmetic.
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
