//! Learns from a recorded trace and reports every bit of every update: the device's side of `cargo xtask replay`.
//!
//! The command line names two files on the host: the trace, and the file for the results (see `replay::format` for
//! both). The trace's header selects arithmetic and rule. Each combination has its own function, so that the stack
//! holds only one log. The log is on the stack, not in a static, because the smallest board has no room for two.
#![no_std]
#![no_main]

use core::ffi::CStr;

use cortex_m_rt::entry;
use osculate::{Arithmetic, Learner, Predictor, RowError, Space};
use osculate_apps::failure::Failure;
use osculate_apps::message::Message;
use osculate_apps::replay::Full;
use osculate_apps::replay::format::{
    Bits, DeviceRecord, Error, FEATURES, Header, MAGIC, MOST, Report, TraceRecord, Values, take_from_bytes, to_slice,
};
use osculate_apps::replay::rules::{self, Room, StepAt};
use osculate_apps::with_arithmetic;
use osculate_firmware::arguments::Arguments;
use osculate_firmware::host::File;
use osculate_firmware::{finish, send};
use serde::de::DeserializeOwned;

/// Steps and distinct states per episode in the log.
const fn log<A: Arithmetic>() -> (usize, usize) {
    match (cfg!(small_ram), size_of::<A::Weight>()) {
        (true, 8) => (64, 24),
        (true, _) => (256, 64),
        (false, _) => (16_384, 1_024),
    }
}

/// Words of 32 distinct states each, for the rule without a log.
const WORDS: usize = if cfg!(small_ram) { 128 } else { 2_048 };

/// What went wrong, for the log.
type Problem = &'static str;

#[entry]
fn main() -> ! {
    finish(replay().map_err(Failure))
}

fn replay() -> Result<(), Problem> {
    let (trace, results) = open()?;
    let mut trace = Trace { file: trace, buffer: [0; _], start: 0, end: 0 };
    let unknown = "the trace does not start with a header that this firmware knows";
    let (magic, header): ([u8; 4], Header) = trace.next(unknown)?;
    if magic != MAGIC {
        return Err(unknown);
    }
    if usize::from(header.features) > FEATURES {
        return Err("the trace has more than 32 features per step");
    }
    let mut run = Run { header, trace, results };
    with_arithmetic!(header.arith, A => run.learn::<A, { log::<A>().0 }, { log::<A>().1 }>())
}

/// The two files of the command line. Not inlined, so that its buffers are off the stack when the learning starts.
#[inline(never)]
fn open() -> Result<(File, File), Problem> {
    let arguments = Arguments::<512>::read().map_err(|Failure(problem)| problem)?;
    let mut arguments = arguments.words();
    let mut path = [0; 256];
    let mut next = |missing: Problem| {
        let argument = arguments.next().ok_or(missing)?.as_bytes();
        path.fill(0);
        path.get_mut(..argument.len()).ok_or("a path is longer than 255 bytes")?.copy_from_slice(argument);
        Ok::<_, Problem>(path)
    };
    let trace = next("the command line names no trace")?;
    let results = next("the command line names no file for results")?;
    let path = |bytes| CStr::from_bytes_until_nul(bytes).map_err(|_| "a path is longer than 255 bytes");
    let trace = File::open(path(&trace)?).map_err(|_| "cannot open the trace")?;
    let results = File::create(path(&results)?).map_err(|_| "cannot create the file for results")?;
    Ok((trace, results))
}

/// The trace, read in blocks: a semihosting call per record would take longer than learning from it.
struct Trace {
    file: File,
    buffer: [u8; 512],
    start: usize,
    end: usize,
}

impl Trace {
    /// The next record; `problem` if it is invalid.
    #[inline(never)]
    fn next<T: DeserializeOwned>(&mut self, problem: Problem) -> Result<T, Problem> {
        if self.end - self.start < MOST {
            self.fill()?;
        }
        match take_from_bytes(self.buffer.get(self.start..self.end).unwrap_or_default()) {
            Ok((record, rest)) => {
                self.start = self.end - rest.len();
                Ok(record)
            }
            Err(Error::DeserializeUnexpectedEnd) => Err("the trace ends too early"),
            Err(_) => Err(problem),
        }
    }

    /// Fills the buffer.
    #[inline(never)]
    fn fill(&mut self) -> Result<(), Problem> {
        // Always so; said for the compiler, which would check it with a panic otherwise.
        if self.start <= self.end && self.end <= self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
        }
        self.end -= core::mem::take(&mut self.start);
        loop {
            let free = self.buffer.get_mut(self.end..).unwrap_or_default();
            match self.file.read(free).map_err(|_| "cannot read the trace")? {
                0 => return Ok(()),
                count => self.end += count,
            }
        }
    }
}

/// A replay whose files are open and whose header is read.
struct Run {
    header: Header,
    trace: Trace,
    results: File,
}

/// The host has checked the parameters, so no learner should refuse them.
const UNUSABLE: Problem = "the parameters in the trace's header do not go together";

impl Run {
    #[inline(never)]
    fn learn<A: Arithmetic, const STEPS: usize, const ROWS: usize>(&mut self) -> Result<(), Problem> {
        let Header { config, features, .. } = self.header;
        Room::<STEPS, ROWS, WORDS>.run::<A, _, FEATURES>(&config, features, self).map_err(|_| UNUSABLE)?
    }

    #[inline(never)]
    fn tell(&mut self, told: &DeviceRecord) -> Result<(), Problem> {
        let mut buffer = [0; MOST];
        let bytes = to_slice(told, &mut buffer).map_err(|_| "a result is too long")?;
        self.results.write(bytes).map_err(|_| "cannot write the results")
    }
}

impl<A: Arithmetic> rules::Run<A, FEATURES> for &mut Run {
    type Output = Result<(), Problem>;

    fn run<L>(self, learner: L, step_at: StepAt<L, FEATURES>, [steps, states]: [usize; 2]) -> Result<(), Problem>
    where
        L: Learner<Space = Space<A, FEATURES>, Report: Into<Report>>,
    {
        let mut predictor = Predictor::new(learner);
        let used = usize::from(self.header.features).min(FEATURES);
        let tells = !self.header.config.rule.is_episodic();
        for episode in 1..=self.header.episodes {
            let mut expected = Values::new();
            loop {
                match self.trace.next("a step makes no sense")? {
                    TraceRecord::Step { reward, state, mut features } => {
                        if features.len() != used {
                            return Err("a step has another number of features than the header says");
                        }
                        // Padded with zeros, which change no bit of any result.
                        _ = features.resize_default(FEATURES);
                        let features = features.into_array().map_err(|_| "a step has too many features")?;
                        // Other unusable rows are dropped and counted.
                        let value = step_at(&mut predictor, state, reward, &features);
                        if let Err(RowError::Full(limit)) = value {
                            return self.tell(&DeviceRecord::Full(Full::new(limit, steps, states)));
                        }
                        // Many in one record: each takes a semihosting call.
                        if tells && expected.push(value.unwrap_or(f32::NAN)).is_ok() && expected.is_full() {
                            self.tell(&DeviceRecord::Expected(core::mem::take(&mut expected)))?;
                        }
                    }
                    TraceRecord::End { reward } => {
                        predictor.finish_with(reward);
                        break;
                    }
                }
            }
            if !expected.is_empty() {
                self.tell(&DeviceRecord::Expected(expected))?;
            }
            let report = predictor.end().into();
            self.tell(&DeviceRecord::Weights(bits::<A>(predictor.weights(), used)))?;
            self.tell(&DeviceRecord::Estimate(bits::<A>(predictor.estimate(), used)))?;
            self.tell(&DeviceRecord::Report(report))?;
            if episode % 256 == 0 {
                send(&Message::Updates(episode));
            }
        }
        self.tell(&DeviceRecord::End)
    }
}

/// Not inlined, so that every rule shares it.
#[inline(never)]
fn bits<A: Arithmetic>(weights: &[A::Weight; FEATURES], used: usize) -> Bits {
    weights.iter().take(used).map(|weight| A::bits(*weight)).collect()
}
