//! Independent jobs on every core.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use osculate_lab::waiting;

/// The largest log of the experiments takes 2 MB, and may be built on the stack.
const STACK: usize = 64 << 20;

/// Does all jobs and shows how many are done; the results are in the order of the jobs.
pub(crate) fn all<T: Sync, R: Send>(what: &str, jobs: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let pairs: Vec<_> = jobs.iter().zip(&results).collect();
    waiting::counting(jobs.len(), what, |done| {
        let worker = || {
            while let Some((job, result)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                *result.lock().expect("each has one worker") = Some(work(job));
                done.fetch_add(1, Ordering::Relaxed);
            }
        };
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).expect("a thread can be started");
            }
        });
    });
    let result = |slot: Mutex<Option<R>>| slot.into_inner().ok().flatten().expect("every job was done");
    results.into_iter().map(result).collect()
}
