//! Independent jobs on every core.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::waiting;

/// The largest learner of a job takes some 2 MB, and may be built on the stack.
const STACK: usize = 64 << 20;

/// Does all jobs; the results are in the order of the jobs.
pub fn all<T: Sync, R: Send + Sync>(jobs: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Vec<OnceLock<R>> = jobs.iter().map(|_| OnceLock::new()).collect();
    let worker = || {
        while let Some((job, result)) = jobs.iter().zip(&results).nth(next.fetch_add(1, Ordering::Relaxed)) {
            result.get_or_init(|| work(job));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).expect("a thread can be started");
        }
    });
    results.into_iter().map(|result| result.into_inner().expect("every job was done")).collect()
}

/// The same, and shows how many are done.
pub fn counted<T: Sync, R: Send + Sync>(what: &str, jobs: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    waiting::counting(jobs.len(), what, |done| {
        all(jobs, |job| {
            let result = work(job);
            done.fetch_add(1, Ordering::Relaxed);
            result
        })
    })
}
