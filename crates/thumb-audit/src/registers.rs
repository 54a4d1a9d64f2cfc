//! What is known about the registers at one place of a function.

use std::collections::BTreeMap;

use crate::instruction::{LR, Operation, PC, SP};
use crate::memory::Memory;

/// What is known about a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Unknown,
    Number(u32),
    /// The stack pointer at the entry of the function, plus this many bytes.
    Stack(i32),
}

impl From<Option<u32>> for Value {
    fn from(number: Option<u32>) -> Self {
        number.map_or(Value::Unknown, Value::Number)
    }
}

/// All registers except the program counter, and the numbers that were spilled to the stack: the only number that a
/// Cortex-M0 calls a function by is often one of those. A slot that holds one is believed to be written by nothing but
/// instructions relative to the stack pointer, as compilers do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Registers {
    registers: [Value; 15],
    /// By their distance from the stack pointer at the entry.
    spilled: BTreeMap<i32, u32>,
}

/// The registers that a call may change: r0 to r3, r12 and the link register.
const SCRATCH: u16 = 0b1111 | 1 << 12 | 1 << LR;

impl Registers {
    /// At the entry of a function.
    pub(crate) fn at_entry() -> Self {
        let mut registers = [Value::Unknown; 15];
        registers[usize::from(SP)] = Value::Stack(0);
        Self { registers, spilled: BTreeMap::new() }
    }

    fn get(&self, register: u8) -> Value {
        self.registers.get(usize::from(register)).copied().unwrap_or(Value::Unknown)
    }

    /// The number in a register, if it is known.
    pub(crate) fn number(&self, register: u8) -> Option<u32> {
        match self.get(register) {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// A place on the stack, this many bytes above the stack pointer, by its distance from that at the entry.
    fn place(&self, offset: i32) -> Option<i32> {
        match self.get(SP) {
            Value::Stack(pointer) => Some(pointer.wrapping_add(offset)),
            _ => None,
        }
    }

    /// Bytes of stack in use by the function; `None` if that is not known.
    pub(crate) fn depth(&self) -> Option<u32> {
        self.place(0).and_then(|top| u32::try_from(-top).ok())
    }

    fn set(&mut self, register: u8, value: Value) {
        if let Some(place) = self.registers.get_mut(usize::from(register)) {
            *place = value;
        }
    }

    fn forget(&mut self, registers: u16) {
        for register in (0..PC).filter(|register| registers >> register & 1 == 1) {
            self.set(register, Value::Unknown);
        }
    }

    /// After a call has returned.
    pub(crate) fn after_call(&mut self) {
        self.forget(SCRATCH);
    }

    /// After an instruction.
    pub(crate) fn apply(&mut self, operation: Operation, memory: &Memory) {
        match operation {
            Operation::Writes(registers) => self.forget(registers),
            Operation::Constant { to, value } => self.set(to, Value::Number(value)),
            Operation::Top { to, value } => self.set(to, self.number(to).map(|low| value << 16 | low & 0xffff).into()),
            Operation::Literal { to, address } => self.set(to, memory.word(address).into()),
            Operation::Add { to, from, amount } => self.set(to, sum(self.get(from), Value::Number(amount as u32))),
            Operation::AddRegister { to, left, right } => self.set(to, sum(self.get(left), self.get(right))),
            Operation::SubtractRegister { to, left, right } => {
                let negative = self.number(right).map(u32::wrapping_neg);
                self.set(to, sum(self.get(left), negative.into()));
            }
            // That is a move.
            Operation::ShiftLeft { to, from, by: 0 } => self.set(to, self.get(from)),
            Operation::ShiftLeft { to, from, by } => self.set(to, self.number(from).map(|number| number << by).into()),
            Operation::Spill { from, offset } => {
                if let Some(place) = self.place(offset) {
                    match self.number(from) {
                        Some(number) => self.spilled.insert(place, number),
                        None => self.spilled.remove(&place),
                    };
                }
            }
            Operation::Reload { to, offset } => {
                let kept = self.place(offset).and_then(|place| self.spilled.get(&place).copied());
                self.set(to, kept.into());
            }
            Operation::Stack { by, loads } => {
                self.forget(loads);
                self.set(SP, sum(self.get(SP), Value::Number(by as u32)));
            }
            _ => {}
        }
    }

    /// What is known where two paths meet: the deeper stack, and what they agree on.
    pub(crate) fn join(&self, other: &Self) -> Self {
        let mut joined = self.clone();
        joined.spilled.retain(|place, number| other.spilled.get(place) == Some(number));
        for (one, two) in joined.registers.iter_mut().zip(&other.registers) {
            if one != two {
                *one = Value::Unknown;
            }
        }
        if let (Value::Stack(one), Value::Stack(two)) = (self.get(SP), other.get(SP)) {
            joined.set(SP, Value::Stack(one.min(two)));
        }
        joined
    }
}

fn sum(left: Value, right: Value) -> Value {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => Value::Number(left.wrapping_add(right)),
        (Value::Stack(offset), Value::Number(number)) | (Value::Number(number), Value::Stack(offset)) => {
            Value::Stack(offset.wrapping_add(number as i32))
        }
        _ => Value::Unknown,
    }
}
