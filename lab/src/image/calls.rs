//! Who reaches whom.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Image;

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

impl Image {
    /// Every function that is part of a panic, with its direct callers outside of the panic itself and a shortest path
    /// to it from the reset or from a handler, in words. The linker drops what nothing refers to, so even one without a
    /// path is a reason to look.
    pub fn panics(&self) -> Vec<String> {
        let is_panic = |start: &u32| PANIC.iter().any(|part| self.name(*start).contains(part));
        let panics: Vec<u32> = self.functions.keys().copied().filter(is_panic).collect();
        let callers = self.callers();
        let mut found = Vec::new();
        for panic in panics {
            let none = BTreeSet::new();
            let direct = callers.get(&panic).unwrap_or(&none).iter().filter(|caller| !is_panic(caller));
            for caller in direct {
                let path = match self.path(*caller) {
                    Some(path) => path.iter().map(|start| self.name(*start)).collect::<Vec<_>>().join(" → "),
                    None => format!("(no path found) {}", self.name(*caller)),
                };
                found.push(format!("{path} → {}", self.name(panic)));
            }
            if !callers.contains_key(&panic) {
                found.push(format!("{} is linked, but nothing calls it", self.name(panic)));
            }
        }
        found
    }

    /// The functions that a function may call next.
    pub(super) fn callees(&self, start: u32) -> BTreeSet<u32> {
        let mut callees = BTreeSet::new();
        for call in self.functions.get(&start).iter().flat_map(|function| &function.body.calls) {
            match call.to {
                Some(to) => _ = callees.insert(to),
                None => callees.extend(&self.pointed_at),
            }
        }
        callees
    }

    fn callers(&self) -> BTreeMap<u32, BTreeSet<u32>> {
        let mut callers = BTreeMap::<_, BTreeSet<_>>::new();
        for caller in self.functions.keys() {
            for callee in self.callees(*caller) {
                callers.entry(callee).or_default().insert(*caller);
            }
        }
        callers
    }

    /// A shortest path from where the core may begin.
    fn path(&self, to: u32) -> Option<Vec<u32>> {
        let mut from: BTreeMap<u32, Option<u32>> = self.roots().map(|root| (root, None)).collect();
        let mut open: VecDeque<u32> = from.keys().copied().collect();
        while let Some(start) = open.pop_front() {
            if start == to {
                let mut path: Vec<u32> =
                    std::iter::successors(Some(start), |start| from.get(start).copied()?).collect();
                path.reverse();
                return Some(path);
            }
            for callee in self.callees(start) {
                from.entry(callee).or_insert_with(|| {
                    open.push_back(callee);
                    Some(start)
                });
            }
        }
        None
    }
}
