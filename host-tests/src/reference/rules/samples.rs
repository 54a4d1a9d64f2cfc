//! The samples of tracking: which one waits for what, and what is dropped.

use super::super::call::{Answer, Event, Fate, Phi, Report, State, Subject, TrackingSettings};
use super::alarm::Finding;
use super::tracking::{Next, Tracking};
use super::{Arithmetic, Unusable, asked, value};

/// A sample that is not learned from yet.
#[derive(Clone, Debug)]
struct Pending<A: Arithmetic> {
    row: A::Row,
    /// Its signal, once that has come. Only bootstrapped targets wait any longer.
    reward: Option<A::Number>,
}

/// A tracking learner.
#[derive(Clone, Debug)]
pub struct Samples<A: Arithmetic> {
    tracking: Tracking<A>,
    pending: Option<Pending<A>>,
    tau: u32,
    dropped: u32,
    findings: [u32; 4],
}

impl<A: Arithmetic> Samples<A> {
    /// At w = 0.
    pub fn new(n: usize, arithmetic: A, settings: TrackingSettings) -> Self {
        let tracking = Tracking::at(vec![A::Number::default(); n], arithmetic, settings);
        Self { tracking, pending: None, tau: 0, dropped: 0, findings: [0; 4] }
    }

    /// Returns whether the row was learned from.
    fn learn(&mut self, row: &A::Row, reward: A::Number, next: &Next<'_, A>) -> bool {
        let finding = self.tracking.learn(row, reward, next);
        match finding {
            Finding::Usual => {}
            Finding::Refused => self.findings[0] += 1,
            Finding::Suspicion => self.findings[1] += 1,
            Finding::Change => self.findings[2] += 1,
            Finding::FalseAlarm => self.findings[3] += 1,
        }
        self.tau += u32::from(finding != Finding::Refused);
        finding != Finding::Refused
    }

    /// A sample was dropped.
    fn lose(&mut self) {
        self.dropped += 1;
        self.tracking.break_chain();
    }

    /// A signal, for the sample that waits for one.
    fn close(&mut self, signal: Option<f32>) {
        let Some(pending) = self.pending.take() else { return };
        if pending.reward.is_some() {
            self.pending = Some(pending);
            return;
        }
        let Some((signal, reward)) = signal.and_then(|x| Some((x, self.tracking.arithmetic.number(x)?))) else {
            return self.lose();
        };
        if self.tracking.settings.gamma > 0.0 {
            self.tracking.see(signal);
            self.pending = Some(Pending { reward: Some(reward), ..pending });
        } else if !self.learn(&pending.row, reward, &Next::Nothing) {
            self.lose();
        }
    }

    /// What follows the sample that waits for it; `None` if that is unusable.
    fn complete(&mut self, next: Option<Next<'_, A>>) {
        let Some(Pending { row, reward }) = self.pending.take() else { return };
        if !reward.zip(next).is_some_and(|(reward, next)| self.learn(&row, reward, &next)) {
            self.lose();
        }
    }

    fn open(&mut self, phi: &Phi) -> Answer {
        let row = match self.tracking.arithmetic.encode(phi) {
            Ok(row) => row,
            Err(unusable) => {
                self.complete((unusable == Unusable::Zeros).then(|| Next::Value(self.zero())));
                self.lose();
                return Answer::Prediction(None);
            }
        };
        self.complete(Some(Next::Row(&row)));
        let Tracking { arithmetic, w, .. } = &self.tracking;
        let prediction = arithmetic.to_f32(arithmetic.value(&row, w));
        self.pending = Some(Pending { row, reward: None });
        Answer::Prediction(Some(prediction.to_bits()))
    }

    fn zero(&self) -> A::Number {
        self.tracking.arithmetic.number(0.0).expect("every arithmetic has a 0")
    }

    fn end(&mut self) -> Answer {
        self.complete(Some(Next::Value(self.zero())));
        let (k, tau, dropped) = (self.tracking.rows, self.tau, self.dropped);
        let [g_norm, theta] = [self.tracking.alarm.mean, self.tracking.gain()].map(|x| (x as f32).to_bits());
        let saturated = std::mem::take(&mut self.tracking.saturated);
        (self.tau, self.dropped) = (0, 0);
        self.forget();
        let fate = if tau > 0 { Fate::Stepped } else { Fate::Empty };
        Answer::Outcome(Report { k, tau, dropped, saturated, g_norm, theta, fate })
    }

    fn forget(&mut self) {
        self.pending = None;
        self.tracking.break_chain();
    }
}

impl<A: Arithmetic> Subject for Samples<A> {
    fn take(&mut self, event: &Event) -> Answer {
        match event {
            Event::Begin(phi) => {
                self.forget();
                self.open(phi)
            }
            Event::Step(signal, _, phi) => {
                self.close(*signal);
                self.open(phi)
            }
            Event::Last(signal) => {
                self.close(*signal);
                Answer::Nothing
            }
            Event::End => self.end(),
            Event::Cut(phi) => {
                if self.pending.as_ref().is_some_and(|pending| pending.reward.is_some()) {
                    self.complete(value(&self.tracking.arithmetic, phi, &self.tracking.w).map(Next::Value));
                }
                self.end()
            }
            Event::Learn(target, phi) => {
                let arithmetic = &self.tracking.arithmetic;
                let given = arithmetic.encode(phi).ok().zip(arithmetic.number(*target));
                let is_learned = given.is_some_and(|(row, target)| self.learn(&row, target, &Next::Nothing));
                self.dropped += u32::from(!is_learned);
                Answer::Learned(is_learned)
            }
            Event::Ask(phi) => Answer::Values([asked(&self.tracking.arithmetic, phi, &self.tracking.w); 2]),
            Event::Restart => {
                let Tracking { arithmetic, settings, w, .. } = self.tracking.clone();
                self.tracking = Tracking::at(w, arithmetic, settings);
                Answer::Nothing
            }
        }
    }

    fn state(&self) -> State {
        self.tracking.state()
    }

    fn findings(&self) -> [u32; 4] {
        self.findings
    }
}
