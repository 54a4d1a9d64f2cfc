//! Which sample waits for what, and what is dropped.

use super::super::fixed::Phi;
use super::{Answer, Event, Learned, Next, Numbers, Report, Unusable};

/// A sample that is not learned from yet.
#[derive(Clone, Debug)]
struct Pending<A: Numbers> {
    row: A::Row,
    /// Its signal, once that has come. Only bootstrapped targets wait any longer.
    reward: Option<A::Number>,
}

/// A tracking learner.
#[derive(Clone, Debug)]
pub struct Tracking<A: Numbers> {
    numbers: A,
    bootstraps: bool,
    pending: Option<Pending<A>>,
    tau: u32,
    dropped: u32,
    findings: [u32; 4],
}

impl<A: Numbers> Tracking<A> {
    /// At the start.
    pub fn new(numbers: A, gamma: f32) -> Self {
        let bootstraps = gamma > 0.0;
        Self { numbers, bootstraps, pending: None, tau: 0, dropped: 0, findings: [0; 4] }
    }

    /// The arithmetic.
    pub fn numbers(&self) -> &A {
        &self.numbers
    }

    /// How many rows were refused, and how many probes began, replaced w, and ended without that.
    pub fn findings(&self) -> [u32; 4] {
        self.findings
    }

    /// One call.
    pub fn take(&mut self, event: &Event) -> Answer {
        match event {
            Event::Begin(phi) => {
                self.forget();
                self.open(phi)
            }
            Event::Step(signal, phi) => {
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
                    let value = match self.numbers.encode(phi) {
                        Ok(row) => Some(self.numbers.value(&row)),
                        Err(Unusable::Zeros) => self.numbers.number(0.0),
                        Err(Unusable::NotFinite) => None,
                    };
                    match value {
                        Some(value) => self.complete(Next::Value(value)),
                        None => {
                            self.pending = None;
                            self.lose();
                        }
                    }
                }
                self.end()
            }
            Event::Learn(target, phi) => {
                let given = self.numbers.encode(phi).ok().zip(self.numbers.number(*target));
                let learned = given.is_some_and(|(row, target)| self.learn(&row, target, Next::Nothing));
                self.dropped += u32::from(!learned);
                Answer::Learned(learned)
            }
            Event::Restart => {
                self.numbers.restart();
                Answer::Nothing
            }
        }
    }

    fn learn(&mut self, row: &A::Row, reward: A::Number, next: Next<'_, A::Row, A::Number>) -> bool {
        let learned = self.numbers.learn(row, reward, next);
        match learned {
            Learned::Usual => {}
            Learned::Refused => self.findings[0] += 1,
            Learned::Suspicion => self.findings[1] += 1,
            Learned::Change => self.findings[2] += 1,
            Learned::FalseAlarm => self.findings[3] += 1,
        }
        self.tau += u32::from(learned != Learned::Refused);
        learned != Learned::Refused
    }

    /// A sample was dropped.
    fn lose(&mut self) {
        self.dropped += 1;
        self.numbers.break_chain();
    }

    /// A signal, for the sample that waits for one.
    fn close(&mut self, signal: Option<f32>) {
        let Some(pending) = self.pending.take() else { return };
        if pending.reward.is_some() {
            self.pending = Some(pending);
            return;
        }
        let Some((signal, reward)) = signal.and_then(|signal| Some((signal, self.numbers.number(signal)?))) else {
            return self.lose();
        };
        if self.bootstraps {
            self.numbers.see(signal);
            self.pending = Some(Pending { reward: Some(reward), ..pending });
        } else if !self.learn(&pending.row, reward, Next::Nothing) {
            self.lose();
        }
    }

    /// What follows the sample that waits for it.
    fn complete(&mut self, next: Next<'_, A::Row, A::Number>) {
        if let Some(Pending { row, reward }) = self.pending.take()
            && !reward.is_some_and(|reward| self.learn(&row, reward, next))
        {
            self.lose();
        }
    }

    fn open(&mut self, phi: &Phi) -> Answer {
        match self.numbers.encode(phi) {
            Ok(row) => {
                self.complete(Next::Row(&row));
                let value = self.numbers.value(&row);
                self.pending = Some(Pending { row, reward: None });
                Answer::Prediction(Some(self.numbers.to_f32(value).to_bits()))
            }
            Err(Unusable::Zeros) => {
                self.complete(Next::Value(self.zero()));
                self.lose();
                Answer::Prediction(None)
            }
            Err(Unusable::NotFinite) => {
                if self.pending.take().is_some() {
                    self.lose();
                }
                self.lose();
                Answer::Prediction(None)
            }
        }
    }

    fn zero(&self) -> A::Number {
        self.numbers.number(0.0).expect("every arithmetic has a 0")
    }

    fn end(&mut self) -> Answer {
        self.complete(Next::Value(self.zero()));
        let (k, mean_error, gain, saturated) = self.numbers.report();
        let [mean_error, gain] = [mean_error, gain].map(f32::to_bits);
        let report = Report { k, tau: self.tau, dropped: self.dropped, saturated, mean_error, gain };
        (self.tau, self.dropped) = (0, 0);
        self.forget();
        Answer::Outcome(report)
    }

    fn forget(&mut self) {
        self.pending = None;
        self.numbers.break_chain();
    }
}
