//! Work that ends in a figure, in pieces that any core may do.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use super::figure::Figure;

/// The largest log of these experiments takes 2 MB, and may be built on the stack.
const STACK: usize = 64 << 20;

type Job = Box<dyn FnOnce() + Send>;

/// Jobs, and the figure that is made from their results.
pub struct Experiment {
    jobs: Vec<Job>,
    figure: Box<dyn FnOnce() -> Figure>,
}

impl Experiment {
    /// One job per input; `figure` gets the results in the order of the inputs.
    pub fn new<T: Send + 'static, R: Send + 'static>(
        inputs: impl IntoIterator<Item = T>,
        work: impl Fn(T) -> R + Send + Sync + 'static,
        figure: impl FnOnce(Vec<R>) -> Figure + 'static,
    ) -> Self {
        let inputs: Vec<T> = inputs.into_iter().collect();
        let results: Arc<Mutex<Vec<Option<R>>>> = Arc::new(Mutex::new(inputs.iter().map(|_| None).collect()));
        let work = Arc::new(work);
        let job = |(index, input): (usize, T)| -> Job {
            let (results, work) = (Arc::clone(&results), Arc::clone(&work));
            Box::new(move || {
                let result = work(input);
                results.lock().expect("no job panics while it holds this")[index] = Some(result);
            })
        };
        let jobs = inputs.into_iter().enumerate().map(job).collect();
        let finish = move || {
            let mut results = results.lock().expect("all jobs are done");
            figure(results.iter_mut().map(|slot| slot.take().expect("every job was done")).collect())
        };
        Self { jobs, figure: Box::new(finish) }
    }

    /// The number of its jobs.
    pub fn jobs(&self) -> usize {
        self.jobs.len()
    }
}

/// Does all jobs on every core, calling `done` after each one; then makes the figures.
pub fn run(mut experiments: Vec<Experiment>, done: impl Fn() + Sync) -> Vec<Figure> {
    let jobs: Vec<Mutex<Option<Job>>> = experiments
        .iter_mut()
        .flat_map(|experiment| experiment.jobs.drain(..))
        .map(|job| Mutex::new(Some(job)))
        .collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(slot) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(job) = slot.lock().expect("each has one worker").take() {
                job();
                done();
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).expect("a thread can be started");
        }
    });
    experiments.into_iter().map(|experiment| (experiment.figure)()).collect()
}
