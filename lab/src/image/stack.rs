//! How deep the stack can get.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, Result, bail};

use super::Image;

/// What the core saves at an exception: eight words, with a floating-point unit eighteen more, and a word that aligns.
const EXCEPTION: u32 = 36;
const EXCEPTION_WITH_FPU: u32 = 108;

/// The deepest stack of a function and everything it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// In bytes.
    pub bytes: u32,
    /// The calls that lead there, each with the bytes of its own.
    pub path: Vec<(String, u32)>,
    /// The functions that call through a pointer, and are assumed to reach every function whose address is taken.
    pub indirect: BTreeSet<String>,
}

/// An exception handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// Its place in the table of vectors: 2 is the non-maskable interrupt, 3 the hard fault, 16 the first interrupt.
    pub number: usize,
    /// Its stack, with what the core saves before it.
    pub bound: Bound,
}

struct Search<'i> {
    image: &'i Image,
    known: BTreeMap<u32, Bound>,
    /// The calls that are open, to notice recursion.
    path: Vec<u32>,
}

impl Image {
    /// The largest bound of the functions whose names pass, with everything they call.
    ///
    /// # Errors
    /// If there is no such function, or there is a recursion among the calls (named).
    pub fn stack(&self, name: impl Fn(&str) -> bool) -> Result<Bound> {
        let mut deepest: Option<Bound> = None;
        for (start, _) in self.functions.iter().filter(|(_, function)| name(&function.name)) {
            let bound = self.bound(*start)?;
            if deepest.as_ref().is_none_or(|deepest| bound.bytes > deepest.bytes) {
                deepest = Some(bound);
            }
        }
        deepest.context("the image has no such function")
    }

    /// The bound from the reset on, without exceptions.
    ///
    /// # Errors
    /// As for [`stack`](Self::stack).
    pub fn stack_from_reset(&self) -> Result<Bound> {
        self.bound(self.vectors.get(1).context("no reset vector")? & !1)
    }

    /// The bounds of all exception handlers.
    ///
    /// # Errors
    /// As for [`stack`](Self::stack).
    pub fn handlers(&self) -> Result<Vec<Handler>> {
        let saved = if self.has_fpu { EXCEPTION_WITH_FPU } else { EXCEPTION };
        let vectors = self.vectors.iter().enumerate().skip(2).filter(|(_, address)| **address != 0);
        let handler = |(number, address): (usize, &u32)| {
            let mut bound = self.bound(address & !1)?;
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
    pub fn stack_with_exceptions(&self) -> Result<u32> {
        let handlers = self.handlers()?;
        let deepest = |chosen: fn(usize) -> bool| {
            let bytes = handlers.iter().filter(|handler| chosen(handler.number)).map(|handler| handler.bound.bytes);
            bytes.max().unwrap_or(0)
        };
        let nested = deepest(|number| number > 3) + deepest(|number| number == 3) + deepest(|number| number == 2);
        Ok(self.stack_from_reset()?.bytes + nested)
    }

    fn bound(&self, start: u32) -> Result<Bound> {
        Search { image: self, known: BTreeMap::new(), path: Vec::new() }.bound(start)
    }
}

impl Search<'_> {
    fn bound(&mut self, start: u32) -> Result<Bound> {
        if let Some(bound) = self.known.get(&start) {
            return Ok(bound.clone());
        }
        if let Some(first) = self.path.iter().position(|open| *open == start) {
            let circle: Vec<_> = self.path.iter().skip(first).chain([&start]).map(|at| self.image.name(*at)).collect();
            bail!("recursion: {}", circle.join(" → "));
        }
        let function = self.image.functions.get(&start);
        let function = function.with_context(|| format!("a call to {start:#x}, where no function begins"))?;
        self.path.push(start);
        let body = &function.body;
        let mut deepest = (body.frame, Vec::new(), body.frame);
        let mut indirect = BTreeSet::new();
        // What a fault handler calls after it has begun the stack anew is not on top of what was there.
        for call in body.calls.iter().filter(|_| !body.restarts) {
            let callees: Vec<u32> = match call.to {
                Some(to) => vec![to],
                None => {
                    indirect.insert(function.name.clone());
                    self.image.pointed_at.iter().copied().collect()
                }
            };
            for callee in callees {
                let below = self.bound(callee)?;
                indirect.extend(below.indirect);
                if call.depth + below.bytes > deepest.0 {
                    deepest = (call.depth + below.bytes, below.path, call.depth);
                }
            }
        }
        self.path.pop();
        let (bytes, mut path, own) = deepest;
        path.insert(0, (function.name.clone(), own));
        let bound = Bound { bytes, path, indirect };
        self.known.insert(start, bound.clone());
        Ok(bound)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} bytes", self.bytes)?;
        for (name, bytes) in &self.path {
            writeln!(f, "{bytes:8}  {name}")?;
        }
        for name in &self.indirect {
            writeln!(f, "          {name} calls through a pointer")?;
        }
        Ok(())
    }
}
