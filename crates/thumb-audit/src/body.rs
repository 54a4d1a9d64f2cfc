//! One function: its instructions, the stack it uses, and the calls it makes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::instruction::{Instruction, LR, Operation, PC};
use crate::memory::Memory;
use crate::registers::Registers;

/// Why code cannot be followed.
type Why = &'static str;

const UNKNOWN_STACK: Why = "cannot follow the stack pointer";
const NO_TABLE: Why = "a jump without a table";

/// No board has more memory than this: a function that seems to use it pushes in a loop.
const MOST: u32 = 64 << 20;

/// What is known about a function.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) range: Range<u32>,
    /// The most bytes of stack that it uses itself.
    pub(crate) frame: u32,
    pub(crate) calls: Vec<Call>,
    /// Whether it begins the stack anew where little of it is left.
    pub(crate) restarts: bool,
    /// The numbers in it that may be addresses of functions.
    pub(crate) pointers: BTreeSet<u32>,
}

/// A call, or a jump to another function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// Bytes of the caller's stack in use at that moment.
    pub(crate) depth: u32,
    /// The function; `None` if its address is not known here.
    pub(crate) to: Option<u32>,
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
    pub(crate) fn of(memory: &Memory, range: Range<u32>, vectors: &[u32]) -> Result<Self, (u32, Why)> {
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
        walk.reach(range.start, Registers::at_entry()).map_err(|why| (range.start, why))?;
        while let Some(address) = walk.open.pop() {
            walk.step(address).map_err(|why| (address, why))?;
        }
        let missed =
            walk.instructions.iter().find(|(address, it)| !walk.known.contains_key(address) && !it.is_padding());
        if let Some((address, _)) = missed {
            return Err((*address, "no path leads here"));
        }
        walk.body.calls = walk.calls.into_values().collect();
        Ok(walk.body)
    }
}

impl Walk<'_> {
    /// All instructions, in the order of their addresses.
    fn decode(&mut self) -> Result<(), (u32, Why)> {
        for part in self.memory.code(self.body.range.clone()) {
            let (mut address, mut conditional) = (part.start, 0);
            while address < part.end {
                let first = self.memory.halfword(address).ok_or((address, "code outside of the image"))?;
                let instruction = Instruction::decode(address, first, self.memory.halfword(address + 2));
                let instruction = instruction.ok_or((address, "an unknown instruction"))?;
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
    fn reach(&mut self, address: u32, registers: Registers) -> Result<(), Why> {
        if !self.instructions.contains_key(&address) {
            return Err("leads to what is no instruction");
        }
        let depth = registers.depth().ok_or(UNKNOWN_STACK)?;
        if depth >= MOST {
            return Err("the stack grows in a loop");
        }
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

    /// Paths lead to all of these, and not on.
    fn reach_all(&mut self, targets: Vec<u32>, registers: &Registers) -> Result<bool, Why> {
        targets.into_iter().try_for_each(|to| self.reach(to, registers.clone())).map(|()| false)
    }

    fn step(&mut self, address: u32) -> Result<(), Why> {
        let (Some(instruction), Some(before)) = (self.instructions.get(&address), self.known.get(&address)) else {
            return Err("leads to what is no instruction");
        };
        let (instruction, before) = (*instruction, before.clone());
        let next = address + instruction.length;
        let mut after = before.clone();
        after.apply(instruction.operation, self.memory);
        // A pointer is moved in two halves, unless it is a literal. Other numbers may look like one, but are none.
        if let Operation::Top { to, .. } = instruction.operation
            && self.memory.relocated.contains(&address)
        {
            self.body.pointers.extend(after.number(to));
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
                self.call(address, before.number(register), &before)?;
                after.after_call();
                self.may_return_to(next)
            }
            Operation::JumpRegister { register: LR } => false,
            Operation::JumpRegister { register } => {
                self.call(address, before.number(register), &before)?;
                false
            }
            Operation::JumpIntoTable => self.reach_all(self.table_targets(next)?, &before)?,
            Operation::Stack { loads, .. } => {
                // The frame is at its largest before a return.
                self.body.frame = self.body.frame.max(after.depth().ok_or(UNKNOWN_STACK)?);
                loads >> PC & 1 == 0
            }
            Operation::JumpTable { wide } => self.reach_all(self.relative_targets(next, next, wide)?, &before)?,
            Operation::AddToPc { register } => {
                let (table, wide) = self.table_of_distances(address, register);
                // Without a base, the table follows; one of halfwords is aligned to words.
                let padding = self.instructions.get(&next).filter(|it| it.is_padding()).map_or(0, |it| it.length);
                // The program counter reads as two instructions ahead.
                let targets = self.relative_targets(table.unwrap_or(next + padding), next + 2, wide)?;
                self.reach_all(targets, &before)?
            }
            Operation::SetStack { from } => {
                if before.number(from) != Some(self.top_of_stack) {
                    return Err(UNKNOWN_STACK);
                }
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

    fn jump(&mut self, at: u32, to: u32, registers: &Registers) -> Result<(), Why> {
        if self.body.range.contains(&to) {
            self.reach(to, registers.clone())
        } else {
            self.call(at, Some(to), registers)
        }
    }

    fn call(&mut self, at: u32, to: Option<u32>, registers: &Registers) -> Result<(), Why> {
        let depth = registers.depth().ok_or(UNKNOWN_STACK)?;
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
    fn relative_targets(&self, table: u32, base: u32, wide: bool) -> Result<Vec<u32>, Why> {
        let (mut targets, mut end) = (Vec::new(), self.body.range.end);
        for address in (table..).step_by(if wide { 2 } else { 1 }) {
            if address >= end || self.memory.is_code(address) {
                break;
            }
            let distance = match wide {
                true => self.memory.halfword(address).map(u32::from),
                false => self.memory.bytes::<1>(address).map(|[byte]| byte.into()),
            };
            let to = base + 2 * distance.ok_or(NO_TABLE)?;
            // Behind the table there may be a byte that fills up the last halfword, and a pool of literals.
            if !self.instructions.contains_key(&to) {
                break;
            }
            end = end.min(to);
            targets.push(to);
        }
        if targets.is_empty() { Err(NO_TABLE) } else { Ok(targets) }
    }

    /// The targets of a jump into a table that follows it: addresses, or branches.
    fn table_targets(&self, next: u32) -> Result<Vec<u32>, Why> {
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
        if targets.is_empty() { Err(NO_TABLE) } else { Ok(targets) }
    }

    /// The table that a distance was loaded from just before it is doubled and added to the program counter, if its
    /// address is known, and whether it consists of halfwords.
    fn table_of_distances(&self, address: u32, register: u8) -> (Option<u32>, bool) {
        for (at, _) in self.instructions.range(..address).rev().take(3) {
            let Some(code) = self.memory.halfword(*at).filter(|code| code & 7 == u16::from(register)) else { continue };
            let base = |field: u16| self.known.get(at).and_then(|before| before.number((code >> field & 7) as u8));
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
