//! One function: its instructions, the stack it uses, and the calls it makes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use anyhow::{Context, Result, bail, ensure};

use super::Memory;
use super::instruction::{Instruction, LR, Operation, PC};
use super::registers::{Registers, Value};

/// No board has more memory than this: a function that seems to use it pushes in a loop.
const MOST: u32 = 64 << 20;

/// What is known about a function.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) range: Range<u32>,
    /// The most bytes of stack that it uses itself.
    pub(super) frame: u32,
    pub(super) calls: Vec<Call>,
    /// Whether it begins the stack anew where little of it is left.
    pub(super) restarts: bool,
    /// The numbers in it that may be addresses of functions.
    pub(super) pointers: BTreeSet<u32>,
}

/// A call, or a jump to another function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// Bytes of the caller's stack in use at that moment.
    pub(super) depth: u32,
    /// The function; `None` if its address is not known here.
    pub(super) to: Option<u32>,
}

/// Follows every path through a function.
struct Walk<'m> {
    memory: &'m Memory,
    body: Body,
    top_of_stack: u32,
    instructions: BTreeMap<u32, Instruction>,
    /// Those made conditional by an if-then instruction.
    conditional: BTreeSet<u32>,
    known: BTreeMap<u32, Registers>,
    open: Vec<u32>,
    calls: BTreeMap<u32, Call>,
}

impl Body {
    /// Decodes the function in a range.
    pub(super) fn of(memory: &Memory, range: Range<u32>, vectors: &[u32]) -> Result<Self> {
        let body =
            Self { range: range.clone(), frame: 0, calls: Vec::new(), restarts: false, pointers: BTreeSet::new() };
        let mut walk = Walk {
            memory,
            body,
            top_of_stack: vectors.first().copied().unwrap_or_default(),
            instructions: BTreeMap::new(),
            conditional: BTreeSet::new(),
            known: BTreeMap::new(),
            open: Vec::new(),
            calls: BTreeMap::new(),
        };
        walk.decode()?;
        walk.reach(range.start, Registers::at_entry())?;
        while let Some(address) = walk.open.pop() {
            walk.step(address).with_context(|| format!("at {address:#x}"))?;
        }
        let missed =
            walk.instructions.iter().find(|(address, it)| !walk.known.contains_key(address) && !it.is_padding());
        ensure!(missed.is_none(), "no path leads to {:#x}", missed.map_or(0, |(address, _)| *address));
        walk.body.calls = walk.calls.into_values().collect();
        Ok(walk.body)
    }
}

impl Walk<'_> {
    /// All instructions, in the order of their addresses.
    fn decode(&mut self) -> Result<()> {
        for part in self.memory.code(self.body.range.clone()) {
            let (mut address, mut conditional) = (part.start, 0);
            while address < part.end {
                let first = self.memory.halfword(address).context("code outside of the image")?;
                let instruction = Instruction::decode(address, first, self.memory.halfword(address + 2));
                let instruction =
                    instruction.with_context(|| format!("unknown instruction {first:04x} at {address:#x}"))?;
                if conditional > 0 {
                    self.conditional.insert(address);
                    conditional -= 1;
                }
                if let Operation::IfThen { count } = instruction.operation {
                    conditional = count;
                }
                self.instructions.insert(address, instruction);
                address += instruction.length;
            }
        }
        Ok(())
    }

    /// A path leads to this address of the function.
    fn reach(&mut self, address: u32, registers: Registers) -> Result<()> {
        ensure!(self.instructions.contains_key(&address), "a path leads to {address:#x}, which is no instruction");
        let depth = registers.depth().context("the stack pointer becomes a number that is not known")?;
        ensure!(depth < MOST, "the stack grows in a loop");
        self.body.frame = self.body.frame.max(depth);
        let joined = match self.known.get(&address) {
            Some(known) => known.join(&registers),
            None => registers,
        };
        if self.known.get(&address) != Some(&joined) {
            self.known.insert(address, joined);
            self.open.push(address);
        }
        Ok(())
    }

    fn step(&mut self, address: u32) -> Result<()> {
        let (Some(instruction), Some(before)) = (self.instructions.get(&address), self.known.get(&address)) else {
            bail!("no instruction");
        };
        let (instruction, before) = (*instruction, before.clone());
        let next = address + instruction.length;
        let mut after = before.clone();
        after.apply(instruction.operation, self.memory);
        // A pointer is moved in two halves, unless it is a literal. Other numbers may look like one, but are none.
        if let Operation::Top { to, .. } = instruction.operation
            && self.memory.relocated.contains(&address)
        {
            self.body.pointers.extend(number(&after, to));
        }
        let continues = match instruction.operation {
            Operation::Branch { to, always } => {
                self.jump(address, to, &before)?;
                !always
            }
            // A Cortex-M0 has no farther jump within a function than this.
            Operation::Call { to } if to != self.body.range.start && self.body.range.contains(&to) => {
                after.after_call();
                self.reach(to, after.clone())?;
                false
            }
            Operation::Call { to } => {
                self.call(address, Some(to), &before)?;
                after.after_call();
                self.may_return_to(next)
            }
            Operation::CallRegister { register } => {
                self.call(address, number(&before, register), &before)?;
                after.after_call();
                self.may_return_to(next)
            }
            Operation::JumpRegister { register: LR } => false,
            Operation::JumpRegister { register } => {
                self.call(address, number(&before, register), &before)?;
                false
            }
            Operation::JumpIntoTable => {
                for to in self.table_targets(next)? {
                    self.reach(to, before.clone())?;
                }
                false
            }
            Operation::Stack { loads, .. } => {
                // The frame is at its largest before a return.
                self.body.frame = self.body.frame.max(after.depth().context("the stack pointer is not known")?);
                loads >> PC & 1 == 0
            }
            Operation::JumpTable { wide } => {
                for to in self.relative_targets(next, next, wide)? {
                    self.reach(to, before.clone())?;
                }
                false
            }
            Operation::AddToPc { register } => {
                let (table, wide) = self.table_of_distances(address, register);
                // Without a base, the table follows; one of halfwords is aligned to words.
                let padding = self.instructions.get(&next).filter(|it| it.is_padding()).map_or(0, |it| it.length);
                // The program counter reads as two instructions ahead.
                for to in self.relative_targets(table.unwrap_or(next + padding), next + 2, wide)? {
                    self.reach(to, before.clone())?;
                }
                false
            }
            Operation::SetStack { from } => {
                ensure!(
                    number(&before, from) == Some(self.top_of_stack),
                    "the stack pointer is set to an unknown place"
                );
                self.body.restarts = true;
                true
            }
            Operation::Trap => false,
            _ => true,
        };
        if self.conditional.contains(&address) {
            self.reach(next, before)?;
        }
        if continues {
            self.reach(next, after)?;
        }
        Ok(())
    }

    /// Whether a call may return here: behind one that never does there may be data, or the end, after padding.
    fn may_return_to(&self, next: u32) -> bool {
        match self.instructions.get(&next) {
            Some(padding) if padding.is_padding() => self.may_return_to(next + padding.length),
            found => found.is_some(),
        }
    }

    fn jump(&mut self, at: u32, to: u32, registers: &Registers) -> Result<()> {
        if self.body.range.contains(&to) {
            self.reach(to, registers.clone())
        } else {
            self.call(at, Some(to), registers)
        }
    }

    fn call(&mut self, at: u32, to: Option<u32>, registers: &Registers) -> Result<()> {
        let depth = registers.depth().context("the stack pointer is not known")?;
        let to = to.map(|address| address & !1);
        let call = self.calls.entry(at).or_insert(Call { depth, to });
        // Where paths meet, the deeper stack counts, and a function that differs is unknown.
        call.depth = call.depth.max(depth);
        if call.to != to {
            call.to = None;
        }
        Ok(())
    }

    /// The targets in a table of distances from a base. It ends where the first of them begins, or before.
    fn relative_targets(&self, table: u32, base: u32, wide: bool) -> Result<Vec<u32>> {
        let (mut targets, mut end) = (Vec::new(), self.body.range.end);
        for address in (table..).step_by(if wide { 2 } else { 1 }) {
            if address >= end || self.memory.is_code(address) {
                break;
            }
            let distance = match wide {
                true => self.memory.halfword(address).map(u32::from),
                false => self.memory.bytes::<1>(address).map(|[byte]| byte.into()),
            };
            let to = base + 2 * distance.context("a jump table outside of the image")?;
            // Behind the table there may be a byte that fills up the last halfword, and a pool of literals.
            if !self.instructions.contains_key(&to) {
                break;
            }
            end = end.min(to);
            targets.push(to);
        }
        ensure!(!targets.is_empty(), "a jump without a table");
        Ok(targets)
    }

    /// The targets of a jump into a table that follows it: addresses, or branches.
    fn table_targets(&self, next: u32) -> Result<Vec<u32>> {
        let is_branch = |at: &u32| {
            let found = self.instructions.get(at);
            found.is_some_and(|it| it.length == 4 && matches!(it.operation, Operation::Branch { always: true, .. }))
        };
        let table = (next + 3) & !3;
        let branches: Vec<u32> = (table..).step_by(4).take_while(is_branch).collect();
        // A pool of literals may be in front of the addresses.
        let data = (table..self.body.range.end).step_by(4).take_while(|address| !self.memory.is_code(*address));
        let odd = data.filter_map(|address| self.memory.word(address)).filter(|word| word % 2 == 1);
        let addresses = odd.map(|word| word - 1).filter(|to| self.instructions.contains_key(to));
        let targets: Vec<u32> = branches.into_iter().chain(addresses).collect();
        ensure!(!targets.is_empty(), "a jump without a table");
        Ok(targets)
    }

    /// The table that a distance was loaded from just before it is doubled and added to the program counter, if its
    /// address is known, and whether it consists of halfwords.
    fn table_of_distances(&self, address: u32, register: u8) -> (Option<u32>, bool) {
        for (at, _) in self.instructions.range(..address).rev().take(3) {
            let Some(code) = self.memory.halfword(*at).filter(|code| code & 7 == u16::from(register)) else { continue };
            let base = |field: u16| self.known.get(at).and_then(|before| number(before, (code >> field & 7) as u8));
            match (code >> 11, code >> 9) {
                // `ldrh register, [base, #…]`
                (0b10001, _) => return (None, true),
                // `ldrh register, [base, index]`, `ldrb register, [base, index]`
                (_, wide @ (0b010_1101 | 0b010_1110)) => return (base(3).or(base(6)), wide == 0b010_1101),
                _ => {}
            }
        }
        (None, false)
    }
}

fn number(registers: &Registers, register: u8) -> Option<u32> {
    match registers.get(register) {
        Value::Number(number) => Some(number),
        _ => None,
    }
}
