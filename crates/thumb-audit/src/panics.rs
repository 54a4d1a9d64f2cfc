//! What leads to a panic.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Audit, graph};

/// What panics are made of, in the names of functions. Every panic of Rust ends in one of `core::panicking`, which is
/// never inlined, and in the handler; one of defmt ends in its own handler. The others lead there and nowhere else, so
/// that those who call them are the ones to name.
const PANIC: [&str; 9] = [
    "core::panicking::",
    "rust_begin_unwind",
    "_defmt_panic",
    "defmt::export::panic",
    "core::option::unwrap_failed",
    "core::option::expect_failed",
    "core::result::unwrap_failed",
    "core::slice::index::slice_index_fail",
    "core::cell::panic_",
];

impl Audit {
    /// Every function that is part of a panic, with its direct callers outside of the panic itself and a shortest path
    /// to it from the reset or from a handler, in words. The linker drops what nothing refers to, so even one without a
    /// path is a reason to look.
    pub fn panics(&self) -> Vec<String> {
        let is_panic = |start: &u32| PANIC.iter().any(|part| self.name(*start).contains(part));
        let mut callers = BTreeMap::<_, BTreeSet<_>>::new();
        for caller in self.functions.keys() {
            for callee in self.callees(*caller) {
                callers.entry(callee).or_default().insert(*caller);
            }
        }
        let mut found = Vec::new();
        for panic in self.functions.keys().filter(|start| is_panic(start)) {
            let Some(callers) = callers.get(panic) else {
                found.push(format!("{} is linked, but nothing calls it", self.name(*panic)));
                continue;
            };
            for caller in callers.iter().filter(|caller| !is_panic(caller)) {
                let roots = self.vectors.iter().skip(1).filter(|address| **address != 0).map(|address| address & !1);
                let path = match graph::path(roots.collect(), *caller, |from| self.callees(from)) {
                    Some(path) => path.iter().map(|start| self.name(*start)).collect::<Vec<_>>().join(" → "),
                    None => format!("(no path found) {}", self.name(*caller)),
                };
                found.push(format!("{path} → {}", self.name(*panic)));
            }
        }
        found
    }
}
