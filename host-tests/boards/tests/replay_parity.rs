//! Promise: a device is bit-exact with the host, for every rule, in every arithmetic, on every core.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use osculate_board_tests::recording;
use osculate_host_tests::documents::says;
use osculate_host_tests::worlds::{Dice, row};
use osculate_lab::boards::Board;
use osculate_lab::emulation::Emulation;
use osculate_lab::firmware;
use osculate_lab::replay::format::{Header, MAGIC, Report, take_from_bytes, to_extend};
use osculate_lab::replay::trace::Trace;
use osculate_lab::replay::{Arith, Config, Job, Learned, OnUpdate, Rule, Schedule, Targets, device, host};
use osculate_lab::repository::runs_all;
use osculate_lab::temporary::TemporaryFolder;

/// Episodes of each case: for a change, and for a release.
fn episodes() -> u64 {
    if runs_all() { 128 } else { 32 }
}

/// The number of features, how many powers of two their units may differ by either way, and the configuration.
fn cases() -> [(usize, i32, Config); 12] {
    let base = |rule, gamma| Config { gamma, ..Config::new(rule) };
    [
        (32, 10, base(Rule::Paper, 0.0)),
        (1, 6, base(Rule::Predictable, 0.0)),
        (3, 1, base(Rule::Streaming, 0.0)),
        (8, 6, Config { eta: Some(Schedule::Constant(0.75)), ..base(Rule::Plain, 0.0) }),
        (7, 2, Config { skip_below: Some(0.125), ..base(Rule::Paper, 0.9) }),
        (31, 6, Config { targets: Targets::OneStep, ..base(Rule::Predictable, 0.9) }),
        (32, 6, Config { eta: Some(Schedule::Harmonic), beta: Some(0.25), ..base(Rule::Streaming, 0.9) }),
        (16, 0, Config { targets: Targets::OneStep, ..base(Rule::Plain, 1.0) }),
        (32, 6, base(Rule::Tracking, 0.0)),
        (9, 2, Config { lambda: Some(0.5), every: Some(8), ..base(Rule::Tracking, 0.9) }),
        (30, 10, base(Rule::Tracking, 0.95)),
        (2, 1, Config { lambda: Some(0.0), ..base(Rule::Tracking, 1.0) }),
    ]
}

/// A test for each board, so that they run in parallel.
macro_rules! boards {
    ($($board:ident: $name:literal, $ariths:expr;)*) => {$(
        #[test]
        fn $board() {
            compare($name, &$ariths);
        }
    )*};
}
boards! {
    microbit: "microbit", [Arith::F32, Arith::Q28, Arith::Q24, Arith::F64];
    // The core has no unit for floats: these are the numbers that it is good at.
    pico: "pico", [Arith::Q28];
    netduinoplus2: "netduinoplus2", [Arith::F32, Arith::Q28];
    mps2_an385: "mps2-an385", [Arith::F32, Arith::Q28, Arith::Q24];
    mps2_an386: "mps2-an386", Arith::ALL;
    mps2_an500: "mps2-an500", [Arith::F32, Arith::Q28, Arith::Q24];
    mps2_an505: "mps2-an505", [Arith::F32, Arith::Q28, Arith::Q24];
    // The DSP extension is for fixed point only.
    mps2_an505_dsp: "mps2-an505-dsp", [Arith::Q28, Arith::Q24];
}

/// Every case in every arithmetic.
fn compare(board: &str, ariths: &[Arith]) {
    if !Board::named(board).unwrap().is_tried() {
        return println!("{board}: for a release");
    }
    let device = Device::new(board);
    // For a change, floats and one fixed-point format are enough.
    for &arith in ariths.iter().filter(|arith| runs_all() || matches!(arith, Arith::F32 | Arith::Q28)) {
        let start = Instant::now();
        let mut fates = BTreeMap::<String, u32>::new();
        let (mut count, mut tracked) = (0, 0);
        for (seed, (n, units, config)) in cases().into_iter().enumerate() {
            let trace = recorded(seed as u64, n, units, arith);
            let updates = device.same_bits(&Job { trace: &trace, arith, config });
            count += updates.len();
            for update in updates {
                match update {
                    Report::Tracking(report) => tracked += report.rows,
                    Report::Update(update) => {
                        *fates.entry(format!("{:?}", update.verdict).to_lowercase()).or_default() += 1;
                    }
                }
                *fates.entry("dropped".into()).or_default() += update.summary().dropped;
                *fates.entry("saturated".into()).or_default() += update.summary().saturated;
            }
        }
        let took = start.elapsed().as_secs_f32();
        println!(
            "{board}, {}: {count} updates, {tracked} rows of tracking, every bit equal; {fates:?}; {took:.1} s",
            arith.name()
        );
        // Episodes in f64 are too short for so many rows.
        assert!(count as u64 > 8 * episodes() && (u64::from(tracked) >= 80 * episodes() || arith == Arith::F64));
        if runs_all() && arith != Arith::F64 {
            says("docs/claims.md", &format!("{count} of {count} updates each"));
        }
        // Otherwise the cases cover less than they should.
        let seen = |fate: &str| fates.get(fate).is_some_and(|count| *count > 0);
        let float = matches!(arith, Arith::F32 | Arith::F64);
        for fate in ["stepped", "skipped", "empty", "dropped"] {
            assert!(seen(fate), "{}: nothing was {fate}", arith.name());
        }
        // Recordings hold f32 numbers, and their sums fit in f64.
        assert_eq!(seen("overflow"), arith == Arith::F32, "{}", arith.name());
        assert_eq!(seen("saturated"), !float, "{}", arith.name());
    }
}

/// A board with its firmware.
struct Device {
    board: &'static Board,
    elf: PathBuf,
}

impl Device {
    fn new(name: &str) -> Self {
        let board = Board::named(name).unwrap();
        Self { board, elf: firmware::build(board, "replay", &[]).unwrap() }
    }

    fn run(&self, job: &Job<'_>, on_update: OnUpdate<'_>) -> Result<()> {
        device::run(self.board, &self.elf, job, |_| (), on_update)
    }

    /// Learns on host and board, and compares everything that they report.
    fn same_bits(&self, job: &Job<'_>) -> Vec<Report> {
        let mut expected = Vec::new();
        host::run(job, &mut |learned| expected.push(everything(learned))).unwrap();
        let mut got = Vec::new();
        self.run(job, &mut |learned| got.push(everything(learned))).unwrap();

        let place = format!("{}, {}, {:?}", self.board.name, job.arith.name(), job.config);
        assert_eq!(got.len(), expected.len(), "{place}: updates");
        for (number, (got, expected)) in (1..).zip(got.iter().zip(&expected)) {
            // As text, where zeros have signs and no two numbers are the same.
            assert_eq!(format!("{got:x?}"), format!("{expected:x?}"), "{place}: update {number}");
        }
        expected.into_iter().map(|(update, _)| update).collect()
    }
}

/// The report, and the bits of all numbers.
fn everything(Learned { report, weights, estimate, expected }: Learned) -> (Report, Vec<u64>) {
    let expected = expected.iter().map(|value| value.to_bits().into()).collect();
    (report, [weights, estimate, expected].concat())
}

/// A recording whose last episode is out of range. Last, since a float at its limits learns nothing more.
fn recorded(seed: u64, n: usize, units: i32, arith: Arith) -> Trace {
    let mut trace = recording(seed, n, units, episodes(), arith);
    // The sum of these rows is out of range. In fixed point one of 64 bits wrapped once, and the weights went up to their
    // limits instead of down.
    trace.begin_episode(episodes());
    let rewards = match arith {
        Arith::F32 | Arith::F64 => [f32::MAX; 3],
        Arith::Q28 => [1.0, -4_194_302.5, 0.0],
        Arith::Q24 => [1.0, -67_108_840.0, 0.0],
    };
    for (state, reward) in (0..).zip(rewards) {
        trace.push(state, [reward].into_iter().chain((0..n).map(|_| 1.0)));
    }
    trace
}

#[test]
fn a_long_episode_runs_on_16_kib() {
    const STATES: u32 = 1_000;
    let n = 16;
    let mut dice = Dice::new(1);
    let features: Vec<_> = (0..STATES).map(|_| row(&mut dice, n)).collect();
    let mut trace = Trace::new(n);
    let most = if runs_all() { 100_000 } else { 10_000 };
    for (episode, steps) in [100, most, 100].into_iter().enumerate() {
        trace.begin_episode(episode as u64);
        for _ in 0..steps {
            let state = dice.below(STATES);
            let reward = dice.uniform() / 8.0;
            trace.push(state, [reward].into_iter().chain(features[state as usize].iter().copied()));
        }
    }
    let device = Device::new("microbit");
    let ariths = [Arith::F32, Arith::Q28, Arith::Q24].into_iter();
    for (arith, rule) in ariths.flat_map(|arith| [(arith, Rule::Streaming), (arith, Rule::Tracking)]) {
        let config = Config { gamma: 0.9, ..Config::new(rule) };
        let updates = device.same_bits(&Job { trace: &trace, arith, config });
        assert!(updates.iter().all(|report| report.summary().rows > 0 && report.summary().dropped == 0));
        // Every visit is a row for tracking.
        assert_eq!(updates[1].summary().rows, if rule == Rule::Tracking { most } else { STATES });
        println!("microbit, {}, {rule:?}: an episode of {most} steps, every bit equal; {:?}", arith.name(), updates[1]);
    }
}

#[test]
fn what_does_not_fit_is_an_error_that_names_the_limit() {
    let device = Device::new("microbit");
    let refused = |n: usize, steps: u32, states: u32, arith, rule| {
        let mut trace = Trace::new(n);
        for line in [2, 4] {
            trace.begin_episode(line);
            for step in 0..if line == 2 { 2 } else { steps } {
                trace.push(step % states, (0..=n).map(|_| 1.0));
            }
        }
        let job = Job { trace: &trace, arith, config: Config::new(rule) };
        device.run(&job, &mut |_| ()).unwrap_err().to_string()
    };
    for (arith, steps, states) in [(Arith::F32, 256, 64), (Arith::Q28, 256, 64), (Arith::F64, 64, 24)] {
        let error = refused(1, steps + 1, 1, arith, Rule::Paper);
        assert!(error.contains(&format!("line 4 has more than {steps} steps, the limit on microbit")), "{error}");
        let error = refused(32, states + 1, states + 1, arith, Rule::Paper);
        assert!(error.contains(&format!("line 4 has more than {states} different states")), "{error}");
    }
    let error = refused(1, 4_097, 4_097, Arith::F32, Rule::Streaming);
    assert!(error.contains("line 4 has more than 4096 different states"), "{error}");
    let error = refused(33, 1, 1, Arith::F32, Rule::Paper);
    assert!(error.contains("33 features per step; a board takes at most 32"), "{error}");
}

#[test]
fn a_damaged_trace_is_reported_by_the_device() {
    let mut trace = Trace::new(2);
    trace.begin_episode(2);
    trace.push(0, [1.0, 2.0, 3.0]);
    let job = Job { trace: &trace, arith: Arith::F32, config: Config::new(Rule::Paper) };
    let bytes = job.to_bytes().unwrap();
    let ((_, header), steps): (([u8; 4], Header), _) = take_from_bytes(&bytes).unwrap();
    let with = |magic: [u8; 4], header: Header| to_extend(&(magic, header), Vec::new()).unwrap();
    let changed = |change: fn(&mut Header)| {
        let mut header = header;
        change(&mut header);
        [&with(MAGIC, header), steps].concat()
    };
    let mut unknown = bytes.clone();
    unknown[MAGIC.len()] = 99;
    let mut another = bytes.clone();
    another[bytes.len() - steps.len()] = 99;
    let Device { board, elf } = Device::new("mps2-an386");
    let folder = TemporaryFolder::new().unwrap();
    let path = |name: &str| folder.file(name).unwrap();
    let run = |bytes: &[u8]| {
        std::fs::write(path("trace"), bytes).unwrap();
        let outcome =
            Emulation::new(board, &elf).argument(path("trace")).argument(path("results")).run(|_| ()).unwrap();
        outcome.success().map_err(|error| error.to_string())
    };
    assert!(run(&bytes).is_ok());
    for (bytes, message) in [
        (Vec::new(), "the trace ends too early"),
        (bytes[..10].to_vec(), "the trace ends too early"),
        (bytes[..bytes.len() - 1].to_vec(), "the trace ends too early"),
        (with(*b"OSR0", header), "does not start with a header"),
        (unknown, "does not start with a header"),
        (another, "a step makes no sense"),
        (changed(|header| header.features = 33), "more than 32 features"),
        (changed(|header| header.features = 3), "another number of features"),
        (changed(|header| header.config.gamma = f32::NAN), "do not go together"),
        (changed(|header| header.episodes = 2), "the trace ends too early"),
    ] {
        let error = run(&bytes).unwrap_err();
        assert!(error.contains(message), "{message}: {error}");
    }
    let nothing = Emulation::new(board, &elf).run(|_| ()).unwrap().success().unwrap_err().to_string();
    assert!(nothing.contains("names no trace"), "{nothing}");
    let missing = Emulation::new(board, &elf).argument(path("none")).argument(path("results")).run(|_| ()).unwrap();
    assert!(missing.success().unwrap_err().to_string().contains("cannot open the trace"));
}
