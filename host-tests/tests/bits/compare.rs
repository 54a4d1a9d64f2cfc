//! Runs the library and all its references side by side, one learner after another.

use osculate_host_tests::reference::call::{Answer, Event, Fate, State, Subject};
use osculate_host_tests::worlds::Dice;

use crate::plan::Plan;
use crate::story::{Story, once_in, one_of};
use crate::subject::{Checked, New};

/// A diverging learner is abandoned when its weights have grown to this.
const DIVERGED: f64 = (1_u64 << 60) as f64;

/// Begins the story of a learner of n features.
pub(crate) type Begin = fn(&mut Dice, usize) -> Story;

/// Counts over the whole comparison.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Updates, or steps of tracking.
    pub(crate) updates: u32,
    pub(crate) learners: u32,
    /// Learners with a limit at an edge.
    pub(crate) edges: u32,
    pub(crate) rows: u64,
    pub(crate) dropped: u64,
    pub(crate) skipped: u32,
    pub(crate) empty: u32,
    pub(crate) refused: u32,
    pub(crate) capped: u32,
    pub(crate) saturated: u32,
    pub(crate) restarts: u32,
    /// Rows with their targets.
    pub(crate) given: u32,
    pub(crate) ends: u32,
    pub(crate) cuts: u32,
    pub(crate) suspicions: u32,
    pub(crate) changes: u32,
    pub(crate) false_alarms: u32,
    /// Checks that changed the gain to one below the largest.
    pub(crate) lower_gains: u32,
}

impl Seen {
    fn note(&mut self, event: &Event, answer: Answer, plan: Plan) {
        match event {
            Event::End => self.ends += 1,
            Event::Cut(_) => self.cuts += 1,
            Event::Learn(..) => self.given += 1,
            Event::Restart => self.restarts += 1,
            _ => {}
        }
        let Answer::Outcome(report) = answer else { return };
        self.rows += u64::from(report.tau);
        self.dropped += u64::from(report.dropped);
        self.skipped += u32::from(report.fate == Fate::Skipped);
        self.empty += u32::from(report.fate == Fate::Empty);
        self.refused += u32::from(report.fate == Fate::Refused);
        self.saturated += u32::from(report.saturated > 0);
        let is_at_cap = plan.cap().is_some_and(|cap| cap.to_bits() == report.theta);
        self.capped += u32::from(is_at_cap && report.fate == Fate::Stepped);
    }

    /// Asserts that the cases that may go wrong have occurred: counts, and the least that they should be.
    pub(crate) fn expect(&self, what: &str, counts: &[(&str, u32, u32)]) {
        println!("{what}: every bit equal; {self:?}");
        for &(name, count, least) in counts {
            assert!(count > least, "{what}: only {count} {name}; {self:?}");
        }
    }

    /// Asserts that more than so many of 100 000 updates were of a kind.
    #[track_caller]
    pub(crate) fn has(&self, count: u32, least: u32) -> &Self {
        assert!(count > self.updates / (100_000 / least), "{count}; {self:?}");
        self
    }
}

/// Takes an event everywhere, and compares every bit of what can be seen then.
fn agreed(subjects: &mut [Box<dyn Subject>], event: &Event, place: impl Fn() -> String) -> Answer {
    let (first, others) = subjects.split_first_mut().expect("there is something to compare");
    let answer = first.take(event);
    for (i, other) in others.iter_mut().enumerate() {
        assert_eq!(answer, other.take(event), "reference {i} after {event:?}, {}", place());
    }
    answer
}

fn agreed_state(subjects: &[Box<dyn Subject>], place: impl Fn() -> String) -> State {
    let state = subjects[0].state();
    for (i, other) in subjects[1..].iter().enumerate() {
        assert_eq!(state, other.state(), "reference {i}, {}", place());
    }
    state
}

/// The library and its references.
fn subjects<A: Checked>(n: usize, new: New, plan: Plan) -> Vec<Box<dyn Subject>> {
    std::iter::once(new(plan)).chain(A::references(n, plan)).collect()
}

/// A cap next to the first ϑ above 1 that it could limit, or a threshold next to the first length that is compared with
/// it: one bit below, at it, and one bit above. One rounding decides there.
pub(crate) fn edges<A: Checked>(n: usize, begin: Begin, seed: u64) -> Option<[Plan; 3]> {
    let mut dice = Dice::new(seed);
    let mut story = begin(&mut dice, n);
    let plan = story.plan.with_limit(None);
    let mut trial = A::references(n, plan).remove(0);
    for _ in 0..story.length.min(25) {
        for event in (story.next)(&mut dice) {
            let Answer::Outcome(report) = trial.take(&event) else { continue };
            let (bits, least) = if plan.is_plain() { (report.g_norm, 0.0) } else { (report.theta, 1.0) };
            let limit = f32::from_bits(bits);
            if limit > least && limit < f32::MAX && report.fate == Fate::Stepped {
                return Some([limit.next_down(), limit, limit.next_up()].map(|limit| plan.with_limit(Some(limit))));
            }
        }
    }
    None
}

/// Compares at least this many updates, with learners of all these sizes.
pub(crate) fn run<A: Checked>(sizes: &[(usize, New)], begin: Begin, updates: u32, first_seed: u64) -> Seen {
    let mut seen = Seen::default();
    for seed in first_seed.. {
        let (n, new) = sizes[seed as usize % sizes.len()];
        live::<A>((n, new), begin, seed, &mut seen);
        if seen.updates >= updates {
            break;
        }
    }
    seen
}

/// Compares the whole life of a learner. One in six has its limit at an edge.
pub(crate) fn live<A: Checked>((n, new): (usize, New), begin: Begin, seed: u64, seen: &mut Seen) {
    let mut dice = Dice::new(seed);
    let mut story = begin(&mut dice, n);
    let mut other_dice = Dice::new(!seed);
    if story.plan.has_episodes() && once_in(&mut other_dice, 6) {
        let edges = edges::<A>(n, begin, seed);
        seen.edges += u32::from(edges.is_some());
        story.plan = edges.map_or(story.plan, |plans| one_of(&mut other_dice, &plans));
    }
    play::<A>((n, new), story, dice, seen, seed);
}

/// The same with a story that has begun.
pub(crate) fn play<A: Checked>((n, new): (usize, New), mut story: Story, mut dice: Dice, seen: &mut Seen, seed: u64) {
    let plan = story.plan;
    let mut subjects = subjects::<A>(n, new, plan);
    let has_episodes = plan.has_episodes();
    let mut has_diverged = false;
    seen.learners += 1;
    for update in 0..story.length {
        for event in &(story.next)(&mut dice) {
            let place = || format!("{}, seed {seed}, n {n}, update {update}, {plan:?}", A::NAME);
            let answer = agreed(&mut subjects, event, place);
            seen.note(event, answer, plan);
            // Between the ends of episodes, a rule that has them learns nothing.
            if has_episodes && !matches!(event, Event::End | Event::Cut(_) | Event::Restart) {
                continue;
            }
            let state = agreed_state(&subjects, place);
            seen.lower_gains +=
                u32::from(matches!(plan, Plan::Tracking(_)) && state.counts[1] == 0 && state.counts[0] > 0);
            has_diverged |= state.vectors[0].iter().any(|&w| A::size(w) > DIVERGED);
        }
        seen.updates += 1;
        if has_diverged {
            break;
        }
    }
    let [refused, suspicions, changes, false_alarms] = subjects[1].findings();
    seen.refused += refused;
    seen.suspicions += suspicions;
    seen.changes += changes;
    seen.false_alarms += false_alarms;
}
