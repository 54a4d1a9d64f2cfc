//! Functions that can reach each other: the strongly connected components of the graph of calls.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::iter::successors;

/// The components of what a function reaches, itself included, in an order in which every component comes after those
/// that it calls. A component's members are in ascending order. (R. Tarjan, "Depth-first search and linear graph
/// algorithms", 1972.)
pub(crate) fn components(start: u32, callees: impl Fn(u32) -> BTreeSet<u32>) -> Vec<Vec<u32>> {
    let mut search = Search { callees, order: BTreeMap::new(), lowest: BTreeMap::new(), open: vec![], found: vec![] };
    search.visit(start);
    search.found
}

/// A way back to where a path among the members began, through the calls given; the first one is the last one, too.
pub(crate) fn circle(members: &[u32], callees: impl Fn(u32) -> BTreeSet<u32>) -> Option<Vec<u32>> {
    let inside = |from| callees(from).into_iter().filter(|callee| members.contains(callee)).collect();
    members.iter().find_map(|start| {
        let back = path(inside(*start), *start, inside)?;
        Some([*start].into_iter().chain(back).collect())
    })
}

/// A shortest path from one of these, itself included, to a function.
pub(crate) fn path(from: BTreeSet<u32>, to: u32, callees: impl Fn(u32) -> BTreeSet<u32>) -> Option<Vec<u32>> {
    let mut before: BTreeMap<u32, Option<u32>> = from.iter().map(|start| (*start, None)).collect();
    let mut open = VecDeque::from_iter(from);
    while let Some(start) = open.pop_front() {
        if start == to {
            let mut path: Vec<u32> = successors(Some(start), |start| before.get(start).copied()?).collect();
            path.reverse();
            return Some(path);
        }
        for callee in callees(start) {
            before.entry(callee).or_insert_with(|| {
                open.push_back(callee);
                Some(start)
            });
        }
    }
    None
}

struct Search<F> {
    callees: F,
    /// When a function was first seen.
    order: BTreeMap<u32, usize>,
    /// The earliest function that is still open and that a function reaches; absent once its component is complete.
    lowest: BTreeMap<u32, usize>,
    /// Those whose component is not complete yet.
    open: Vec<u32>,
    found: Vec<Vec<u32>>,
}

impl<F: Fn(u32) -> BTreeSet<u32>> Search<F> {
    fn visit(&mut self, start: u32) {
        let order = self.order.len();
        self.order.insert(start, order);
        self.open.push(start);
        let mut lowest = order;
        self.lowest.insert(start, lowest);
        for callee in (self.callees)(start) {
            if !self.order.contains_key(&callee) {
                self.visit(callee);
            }
            // One that is not open any more cannot lead back here.
            lowest = lowest.min(self.lowest.get(&callee).copied().unwrap_or(lowest));
        }
        self.lowest.insert(start, lowest);
        if lowest == order {
            let first = self.open.iter().position(|open| *open == start).unwrap_or(0);
            let mut members = self.open.split_off(first);
            members.iter().for_each(|member| _ = self.lowest.remove(member));
            members.sort_unstable();
            self.found.push(members);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(calls: &'static [(u32, &'static [u32])]) -> impl Fn(u32) -> BTreeSet<u32> {
        move |from| calls.iter().filter(|(start, _)| *start == from).flat_map(|(_, to)| to.iter().copied()).collect()
    }

    #[test]
    fn without_circles_each_function_is_alone_and_after_its_callees() {
        let diamond = graph(&[(1, &[2, 3]), (2, &[4]), (3, &[4]), (9, &[1])]);
        assert_eq!(components(1, &diamond), [[4], [2], [3], [1]]);
        assert_eq!(circle(&[1, 2, 3, 4], diamond), None);
    }

    #[test]
    fn circles_that_touch_are_one_component() {
        // 2 → 3 → 2 and 3 → 4 → 3 share 3; 5 → 6 → 5 is called by them, and calls 7.
        let calls = graph(&[(1, &[2]), (2, &[3]), (3, &[2, 4]), (4, &[3, 5]), (5, &[6]), (6, &[5, 7]), (7, &[])]);
        assert_eq!(components(1, &calls), [vec![7], vec![5, 6], vec![2, 3, 4], vec![1]]);
        assert_eq!(circle(&[2, 3, 4], &calls), Some(vec![2, 3, 2]));
        assert_eq!(circle(&[5, 6], &calls), Some(vec![5, 6, 5]));
    }

    #[test]
    fn a_circle_is_found_from_wherever_it_is_entered() {
        let calls = graph(&[(1, &[1]), (5, &[3]), (3, &[4]), (4, &[5])]);
        assert_eq!(components(1, &calls), [[1]]);
        assert_eq!(circle(&[1], &calls), Some(vec![1, 1]));
        for start in [3, 4, 5] {
            assert_eq!(components(start, &calls), [[3, 4, 5]]);
        }
        assert_eq!(circle(&[3, 4, 5], &calls), Some(vec![3, 4, 5, 3]));
    }
}
