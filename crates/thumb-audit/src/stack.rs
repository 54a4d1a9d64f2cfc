//! How deep the stack can get.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::body::Call;
use crate::graph::{circle, components};
use crate::{Audit, Error};

/// What the core saves at an exception: eight words, with a floating-point unit eighteen more, and a word that aligns.
const EXCEPTION: u32 = 36;
const EXCEPTION_WITH_FPU: u32 = 108;

/// The handler of panics, by the end of its name. It may log, and a logger may panic, so it can reach itself. It is assumed
/// that it ends the program when it is entered again.
const PANIC_HANDLER: &str = "rust_begin_unwind";

/// How often a function that can reach itself is counted. Once would be too little: a panic is formatted with its message,
/// which is formatted in turn, through pointers.
const OPEN: u32 = 2;

/// What is said after a bound that assumes something.
pub const ASSUMPTION: &str = "if no call through a pointer recurses more than once";

/// The deepest stack of a function and everything it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// In bytes.
    pub bytes: u32,
    /// The calls that lead there, each with the bytes of its own.
    pub path: Vec<(String, u32)>,
    /// The functions that call through a pointer, and are assumed to reach every function whose address is taken.
    pub indirect: BTreeSet<String>,
    /// The functions that reach each other if a call through a pointer reaches every such function. Which of them it
    /// does reach is not known, so the bound assumes that none of these is open more than twice at a time; then they
    /// take no more than twice the sum of all. Empty if nothing has to be assumed.
    pub assumed: BTreeSet<String>,
}

/// An exception handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// Its place in the table of vectors: 2 is the non-maskable interrupt, 3 the hard fault, 16 the first interrupt.
    pub number: usize,
    /// Its stack, with what the core saves before it.
    pub bound: Bound,
}

/// The bounds of functions, found from those that call nothing on.
struct Search<'i> {
    image: &'i Audit,
    known: BTreeMap<u32, Bound>,
}

impl Audit {
    /// The largest bound of the functions whose names pass, with everything they call.
    ///
    /// # Errors
    /// If there is no such function, or there is a recursion among the calls (named).
    pub fn stack(&self, name: impl Fn(&str) -> bool) -> Result<Bound, Error> {
        let mut deepest: Option<Bound> = None;
        for (start, _) in self.functions.iter().filter(|(_, function)| name(&function.name)) {
            let bound = self.bound(*start)?;
            if deepest.as_ref().is_none_or(|deepest| bound.bytes > deepest.bytes) {
                deepest = Some(bound);
            }
        }
        deepest.ok_or(Error::NoSuchName)
    }

    /// The bound from the reset on, without exceptions.
    ///
    /// # Errors
    /// As for [`stack`](Self::stack).
    pub fn stack_from_reset(&self) -> Result<Bound, Error> {
        self.bound(self.vectors.get(1).map_or(0, |reset| reset & !1))
    }

    /// The bounds of all exception handlers.
    ///
    /// # Errors
    /// As for [`stack`](Self::stack).
    pub fn handlers(&self) -> Result<Vec<Handler>, Error> {
        let saved = if self.has_fpu { EXCEPTION_WITH_FPU } else { EXCEPTION };
        let vectors = self.vectors.iter().enumerate().skip(2).filter(|(_, address)| **address != 0);
        let mut search = Search { image: self, known: BTreeMap::new() };
        let handler = |(number, address): (usize, &u32)| {
            let mut bound = search.bound(address & !1)?;
            bound.bytes += saved;
            bound.path.insert(0, ("(saved by the core)".into(), saved));
            Ok(Handler { number, bound })
        };
        vectors.map(handler).collect()
    }

    /// The bound of everything: from the reset on, interrupted by the deepest handler of the priority that all have by
    /// default, that by the hard fault, and that by the non-maskable interrupt.
    ///
    /// # Errors
    /// As for [`stack`](Self::stack).
    pub fn stack_with_exceptions(&self) -> Result<u32, Error> {
        let handlers = self.handlers()?;
        let deepest = |chosen: fn(usize) -> bool| {
            let bytes = handlers.iter().filter(|handler| chosen(handler.number)).map(|handler| handler.bound.bytes);
            bytes.max().unwrap_or(0)
        };
        let nested = deepest(|number| number > 3) + deepest(|number| number == 3) + deepest(|number| number == 2);
        Ok(self.stack_from_reset()?.bytes + nested)
    }

    /// The functions that [`stack_with_exceptions`](Self::stack_with_exceptions) assumes something about: see
    /// [`Bound::assumed`].
    ///
    /// # Errors
    /// As for [`stack`](Self::stack).
    pub fn assumed(&self) -> Result<BTreeSet<String>, Error> {
        let handlers = self.handlers()?.into_iter().flat_map(|handler| handler.bound.assumed);
        Ok(self.stack_from_reset()?.assumed.into_iter().chain(handlers).collect())
    }

    fn bound(&self, start: u32) -> Result<Bound, Error> {
        Search { image: self, known: BTreeMap::new() }.bound(start)
    }

    /// The calls that are on top of what a function has on the stack.
    fn stacked(&self, start: u32) -> impl Iterator<Item = &Call> {
        // What a fault handler calls after it has begun the stack anew is not on top of what was there.
        let restarts = self.functions.get(&start).is_some_and(|function| function.body.restarts);
        self.calls(start).filter(move |_| !restarts)
    }
}

impl Search<'_> {
    fn bound(&mut self, start: u32) -> Result<Bound, Error> {
        let (image, known) = (self.image, &self.known);
        let below = |from| {
            if known.contains_key(&from) {
                BTreeSet::new()
            } else {
                image.stacked(from).flat_map(|call| image.targets(call)).collect()
            }
        };
        for members in components(start, below) {
            if members.iter().any(|member| !self.known.contains_key(member)) {
                self.add(&members)?;
            }
        }
        self.known.get(&start).cloned().ok_or(Error::NoFunction(start))
    }

    /// The bound of functions that can reach each other, after everything else that they call.
    ///
    /// One function that does not call itself is the usual case. Others are assumed to be open at most twice each: at
    /// the worst they all are, and the last of them is at its deepest. Those that call each other without a pointer are
    /// a recursion, unless it leads through the handler of panics.
    fn add(&mut self, members: &[u32]) -> Result<(), Error> {
        let image = self.image;
        let direct = |from| image.stacked(from).filter_map(|call| call.to).collect();
        let others: Vec<u32> = members.iter().copied().filter(|at| !image.name(*at).ends_with(PANIC_HANDLER)).collect();
        if let Some(circle) = circle(&others, direct) {
            return Err(Error::Recursion(circle.iter().map(|at| image.name(*at).into()).collect()));
        }
        let (mut indirect, mut assumed) = (BTreeSet::new(), BTreeSet::new());
        // For each: its bytes while another one is open above it, and its deepest end.
        let mut each = Vec::new();
        for start in members {
            let function = image.functions.get(start);
            let function = function.ok_or(Error::NoFunction(*start))?;
            let frame = function.body.frame;
            let (mut inside, mut end) = (0, (frame, frame, &[][..]));
            for call in image.stacked(*start) {
                if call.to.is_none() {
                    indirect.insert(function.name.clone());
                }
                for callee in image.targets(call) {
                    if members.contains(&callee) {
                        assumed.extend(members.iter().map(|member| image.name(*member).to_owned()));
                        inside = inside.max(call.depth);
                    } else {
                        let below = self.known.get(&callee).ok_or(Error::NoFunction(callee))?;
                        indirect.extend(below.indirect.iter().cloned());
                        assumed.extend(below.assumed.iter().cloned());
                        if call.depth + below.bytes > end.0 {
                            end = (call.depth + below.bytes, call.depth, &below.path);
                        }
                    }
                }
            }
            each.push((&function.name, inside, end));
        }
        let all = OPEN * each.iter().map(|(_, inside, _)| inside).sum::<u32>();
        let deepest = each.iter().enumerate().rev().max_by_key(|(_, (_, inside, end))| all - inside + end.0);
        let (last, (name, inside, (end, own, below))) = deepest.ok_or(Error::NoSuchName)?;
        let bytes = all - inside + end;
        let others = each.iter().enumerate().filter(|(at, _)| *at != last);
        let mut path: Vec<_> = others.map(|(_, (name, inside, _))| (name.to_string(), OPEN * inside)).collect();
        path.push((name.to_string(), (OPEN - 1) * inside + own));
        path.extend_from_slice(below);
        let bound = Bound { bytes, path, indirect, assumed };
        self.known.extend(members.iter().map(|start| (*start, bound.clone())));
        Ok(())
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let condition = if self.assumed.is_empty() { String::new() } else { format!(", {ASSUMPTION}") };
        writeln!(f, "{} bytes{condition}", self.bytes)?;
        for (name, bytes) in &self.path {
            writeln!(f, "{bytes:8}  {name}")?;
        }
        for name in &self.indirect {
            writeln!(f, "          {name} calls through a pointer")?;
        }
        for name in &self.assumed {
            writeln!(f, "          {name} is counted twice")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Function;
    use crate::body::Body;

    /// Functions with a frame and calls: bytes in use, and where to; `None` is through a pointer.
    type Crafted = (u32, &'static str, u32, &'static [(u32, Option<u32>)]);
    type Functions = [Crafted];

    fn image(functions: &Functions, pointed_at: &[u32]) -> Audit {
        let function = |(start, name, frame, calls): &Crafted| {
            let calls = calls.iter().map(|(depth, to)| Call { depth: *depth, to: *to }).collect();
            let body =
                Body { range: *start..start + 2, frame: *frame, calls, restarts: false, pointers: BTreeSet::new() };
            (*start, Function { name: (*name).into(), body })
        };
        Audit {
            functions: functions.iter().map(function).collect(),
            pointed_at: pointed_at.iter().copied().collect(),
            vectors: vec![0x2000_1000, 0x11],
            has_fpu: false,
            stack_size: 0x1000,
        }
    }

    #[test]
    fn a_circle_of_direct_calls_is_named_even_among_pointers() {
        let calls: &Functions = &[
            (0x10, "main", 8, &[(8, Some(0x20))]),
            (0x20, "even", 16, &[(16, Some(0x30)), (4, None)]),
            (0x30, "odd", 16, &[(16, Some(0x20))]),
        ];
        let error = image(calls, &[0x30]).stack_from_reset().unwrap_err().to_string();
        assert_eq!(error, "recursion: even → odd → even");
    }

    #[test]
    fn a_circle_through_a_pointer_takes_twice_the_sum_and_what_it_calls() {
        let calls: &Functions = &[
            (0x10, "main", 8, &[(8, Some(0x20))]),
            (0x20, "format", 100, &[(24, None)]),
            (0x30, "show", 40, &[(40, Some(0x20)), (10, Some(0x40))]),
            (0x40, "copy", 50, &[]),
        ];
        let bound = image(calls, &[0x30]).stack_from_reset().unwrap();
        // Twice 24 + 40, but `format` is the last: 100 instead of 24.
        assert_eq!(bound.bytes, 8 + 2 * (24 + 40) - 24 + 100);
        assert_eq!(bound.path.iter().map(|(_, bytes)| bytes).sum::<u32>(), bound.bytes);
        assert_eq!(bound.assumed, BTreeSet::from(["format".into(), "show".into()]));
        assert!(bound.to_string().starts_with("212 bytes, if no call through a pointer recurses more than once\n"));

        // Without the way back nothing is assumed, and the deepest path counts.
        let bound = image(calls, &[0x40]).stack_from_reset().unwrap();
        assert_eq!((bound.bytes, bound.assumed.len()), (8 + 100, 0));
        assert!(bound.to_string().starts_with("108 bytes\n"));
    }

    #[test]
    fn a_logger_that_panics_is_no_recursion() {
        let calls: &Functions = &[
            (0x10, "main", 8, &[(8, Some(0x20))]),
            (0x20, "__rustc::rust_begin_unwind", 30, &[(30, Some(0x30))]),
            (0x30, "log", 20, &[(20, Some(0x20))]),
        ];
        let bound = image(calls, &[]).stack_from_reset().unwrap();
        assert_eq!((bound.bytes, bound.assumed.len()), (8 + 2 * (30 + 20), 2));
    }
}
