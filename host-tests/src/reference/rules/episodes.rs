//! The samples of an episode: which step waits for its reward, what is dropped, and when there is no more room.

use super::super::call::{Answer, Event, Phi, Report, Settings, State, Subject};
use super::iterate::Iterate;
use super::{Arithmetic, asked, value};

/// What a rule keeps of an episode.
pub trait Memory<A: Arithmetic>: Default {
    /// Whether this state has a row.
    fn knows(&self, state: u32) -> bool;
    /// The row that stands for a visited state, if it is still there.
    fn row_of(&self, state: u32) -> Option<&A::Row>;
    /// Whether a step fits, which wants a row if it is the first in its state.
    fn has_room(&self, iterate: &Iterate<A>, is_first: bool) -> bool;
    /// A step with its reward, and with a row if it is the first visit of its state.
    fn record(&mut self, iterate: &Iterate<A>, state: Option<u32>, row: Option<A::Row>, reward: A::Number);
    /// A row with its target.
    fn give(&mut self, iterate: &Iterate<A>, row: A::Row);
    /// The update at the end of an episode that was cut with this value, or not at all. Forgets the episode.
    fn update(&mut self, iterate: &mut Iterate<A>, cut: Option<A::Number>, dropped: u32) -> Report;
    /// The weights that predictions are made with.
    fn estimate<'i>(&self, iterate: &'i Iterate<A>) -> &'i [A::Number];
    /// Discards the episode.
    fn forget(&mut self);
}

/// A step that waits for its reward.
#[derive(Clone, Debug)]
struct Open<R> {
    state: Option<u32>,
    row: Option<R>,
    /// Its features are unusable, which has been counted.
    is_counted: bool,
}

/// A learner with episodes.
#[derive(Clone, Debug)]
pub struct Episodes<A: Arithmetic, M> {
    iterate: Iterate<A>,
    memory: M,
    open: Option<Open<A::Row>>,
    is_full: bool,
    dropped: u32,
}

impl<A: Arithmetic, M: Memory<A>> Episodes<A, M> {
    /// At w = 0, at rest.
    pub fn new(n: usize, arithmetic: A, settings: Settings) -> Self {
        let iterate = Iterate::new(n, arithmetic, settings);
        Self { iterate, memory: M::default(), open: None, is_full: false, dropped: 0 }
    }

    /// A step that does not fit ends the episode before it, whatever its features and its reward.
    fn open(&mut self, state: Option<u32>, phi: &Phi) -> Option<u32> {
        let Self { iterate, memory, .. } = self;
        let is_first = !state.is_some_and(|state| memory.knows(state));
        self.is_full |= !memory.has_room(iterate, is_first);
        if self.is_full {
            return None;
        }
        let (arithmetic, estimate) = (&iterate.arithmetic, memory.estimate(iterate));
        if !is_first {
            self.open = Some(Open { state, row: None, is_counted: false });
            return match state.and_then(|state| memory.row_of(state)) {
                Some(row) => Some(arithmetic.to_f32(arithmetic.value(row, estimate)).to_bits()),
                None => asked(arithmetic, phi, estimate),
            };
        }
        let row = arithmetic.encode(phi).ok();
        let prediction = row.as_ref().map(|row| arithmetic.to_f32(arithmetic.value(row, estimate)).to_bits());
        self.dropped += u32::from(row.is_none());
        self.open = Some(Open { state, is_counted: row.is_none(), row });
        prediction
    }

    fn close(&mut self, signal: Option<f32>) {
        let Some(Open { state, row, is_counted }) = self.open.take() else { return };
        match signal.and_then(|signal| self.iterate.arithmetic.number(signal)) {
            Some(reward) => self.memory.record(&self.iterate, state, row, reward),
            None => self.dropped += u32::from(!is_counted),
        }
    }

    fn learn(&mut self, target: f32, phi: &Phi) -> bool {
        self.is_full |= !self.memory.has_room(&self.iterate, true);
        if self.is_full {
            return false;
        }
        let arithmetic = &self.iterate.arithmetic;
        let row = arithmetic.encode(phi).ok().zip(arithmetic.number(target));
        let row = row.and_then(|(row, target)| arithmetic.aimed(row, target));
        let is_row = row.is_some();
        match row {
            Some(row) => self.memory.give(&self.iterate, row),
            None => self.dropped += 1,
        }
        is_row
    }

    fn end(&mut self, cut: Option<A::Number>) -> Answer {
        self.open = None;
        let report = self.memory.update(&mut self.iterate, cut, self.dropped);
        self.forget();
        Answer::Outcome(report)
    }

    fn forget(&mut self) {
        self.memory.forget();
        (self.open, self.is_full, self.dropped) = (None, false, 0);
    }
}

impl<A: Arithmetic, M: Memory<A>> Subject for Episodes<A, M> {
    fn take(&mut self, event: &Event) -> Answer {
        match event {
            Event::Begin(phi) => {
                self.forget();
                Answer::Prediction(self.open(None, phi))
            }
            Event::Step(signal, state, phi) => {
                self.close(*signal);
                Answer::Prediction(self.open(*state, phi))
            }
            Event::Last(signal) => {
                self.close(*signal);
                Answer::Nothing
            }
            Event::End => self.end(None),
            Event::Cut(phi) => self.end(value(&self.iterate.arithmetic, phi, &self.iterate.w)),
            Event::Learn(target, phi) => Answer::Learned(self.learn(*target, phi)),
            Event::Ask(phi) => {
                let Self { iterate, memory, .. } = self;
                Answer::Values([&iterate.w, memory.estimate(iterate)].map(|w| asked(&iterate.arithmetic, phi, w)))
            }
            Event::Restart => {
                let estimate = self.memory.estimate(&self.iterate).to_vec();
                self.iterate.restart(estimate);
                Answer::Nothing
            }
        }
    }

    fn state(&self) -> State {
        self.iterate.state()
    }
}
