//! Promise: a replay of a recording matches the learner itself, for every size, arithmetic and rule.

use std::fmt::Debug;

use osculate::{
    Arithmetic, Log, Predictor, Q24, Q28, Schedule, Stored, StoredConfig, Streaming, StreamingConfig, Tracking,
    TrackingConfig, Verdict,
};
use osculate_board_tests::recording;
use osculate_host_tests::any_rule::AnyRule;
use osculate_host_tests::worlds::{Dice, row};
use osculate_lab::replay::format::{
    DeviceRecord, Error, FEATURES, Header, MOST, Report, TraceRecord, take_from_bytes, to_extend,
};
use osculate_lab::replay::json::results;
use osculate_lab::replay::prequential::Prequential;
use osculate_lab::replay::trace::{Step, Trace};
use osculate_lab::replay::{Arith, Config, Full, Job, Rule, Targets, host};
use serde::Serialize;
use serde::de::DeserializeOwned;

const RULES: [Rule; 5] = [Rule::Paper, Rule::Predictable, Rule::Streaming, Rule::Plain, Rule::Tracking];

/// Every report with the weights after it, and the last estimate.
type Learned = (Vec<(Report, Vec<u64>)>, Vec<u64>);

fn learn(trace: &Trace, arith: Arith, config: Config) -> anyhow::Result<Learned> {
    let mut updates = Vec::new();
    let job = Job { trace, arith, config };
    let mut estimate = Vec::new();
    host::run(&job, &mut |learned| {
        updates.push((learned.report, learned.weights.to_vec()));
        estimate = learned.estimate.to_vec();
    })?;
    Ok((updates, estimate))
}

#[test]
fn defaults_are_the_rules_own() {
    // A recording is not discounted unless the user asks for it.
    let gamma = 1.0;
    assert_eq!(Config::new(Rule::Paper).stored(), Ok(StoredConfig { gamma, ..StoredConfig::PAPER }));
    assert_eq!(Config::new(Rule::Predictable).stored(), Ok(StoredConfig { gamma, ..StoredConfig::PREDICTABLE }));
    let streaming = Config::new(Rule::Streaming).streaming();
    assert_eq!(streaming, Ok(StreamingConfig { gamma, ..StreamingConfig::DEFAULT }));
    assert_eq!(Config::new(Rule::Plain).stored(), Ok(StoredConfig { gamma, ..StoredConfig::PLAIN }));
    let tracking = Config::new(Rule::Tracking);
    assert_eq!(tracking.tracking(), Ok(TrackingConfig { gamma, ..TrackingConfig::DEFAULT }));
    let expected = TrackingConfig { gamma, lambda: 0.25, every: 3, ..TrackingConfig::DEFAULT };
    assert_eq!(Config { lambda: Some(0.25), every: Some(3), ..tracking }.tracking(), Ok(expected));
    let chosen =
        |rule| Config { eta: Some(Schedule::Constant(0.25)), beta: Some(0.125), gamma: 0.5, ..Config::new(rule) };
    let schedule = Schedule::Constant(0.25);
    let expected = StoredConfig { schedule, beta: 0.125, gamma: 0.5, skip_below: 0.0, ..StoredConfig::PAPER };
    assert_eq!(Config { skip_below: Some(0.0), ..chosen(Rule::Paper) }.stored(), Ok(expected));
    let expected = StreamingConfig { schedule, beta: 0.125, gamma: 0.5, ..StreamingConfig::DEFAULT };
    assert_eq!(chosen(Rule::Streaming).streaming(), Ok(expected));
}

#[test]
fn parameters_that_do_not_go_together_are_refused() {
    let (base, tracking) = (Config::new(Rule::Paper), Config::new(Rule::Tracking));
    for (config, message) in [
        (Config { gamma: 1.5, ..base }, "gamma must be in [0, 1]"),
        (Config { gamma: f32::NAN, ..base }, "gamma must be in [0, 1]"),
        (Config { gamma: -0.1, ..Config::new(Rule::Streaming) }, "gamma must be in [0, 1]"),
        (Config { beta: Some(1.0), ..base }, "beta must be in [0, 1)"),
        (Config { skip_below: Some(-1.0), ..base }, "skip_below must be finite"),
        (Config { eta: Some(Schedule::Constant(0.0)), ..base }, "gain must be"),
        (Config { targets: Targets::OneStep, ..Config::new(Rule::Streaming) }, "td0 needs `predictable`"),
        (Config { skip_below: Some(1e-6), ..Config::new(Rule::Streaming) }, "never skips"),
        (Config { lambda: Some(0.5), ..base }, "`--lambda` is for `tracking` only"),
        (Config { every: Some(8), ..Config::new(Rule::Streaming) }, "`--every` is for `tracking` only"),
        (Config { eta: Some(Schedule::Harmonic), ..tracking }, "`--eta` is not for `tracking`"),
        (Config { beta: Some(0.5), ..tracking }, "`--beta` is not for `tracking`"),
        (Config { skip_below: Some(0.0), ..tracking }, "`--epsilon-skip` is not for `tracking`"),
        (Config { targets: Targets::OneStep, ..tracking }, "follow from `--lambda`"),
        (Config { lambda: Some(1.5), ..tracking }, "lambda must be in [0, 1]"),
        (Config { every: Some(0), ..tracking }, "every must be at least 1"),
    ] {
        let error = config.check().unwrap_err();
        assert!(error.to_string().contains(message), "{config:?}: {error}");
        // A refused configuration is not used for learning, either.
        let learned = learn(&random_trace(1, 1), Arith::F64, config);
        assert!(learned.unwrap_err().to_string().contains(message), "{config:?}");
    }
}

/// 60 episodes with repeated states and some unusable steps.
fn random_trace(seed: u64, n: usize) -> Trace {
    recording(seed, n, 60, |_| None)
}

type Unpadded = fn(&Trace, &Config) -> Learned;

/// The same with the exact number of features.
fn unpadded<A: Arithmetic, const N: usize>(trace: &Trace, config: &Config) -> Learned {
    match config.rule {
        Rule::Tracking => feed(trace, Tracking::<A, N>::new(config.tracking().unwrap())),
        Rule::Streaming => feed(trace, Streaming::<A, N, 1>::by_state(config.streaming().unwrap())),
        _ => feed(trace, Stored::new(config.stored().unwrap(), Log::<A, N, 64, 32>::NEW)),
    }
}

fn feed<A: Arithmetic, L: AnyRule<A, N, Report: Into<Report>>, const N: usize>(trace: &Trace, learner: L) -> Learned {
    let mut predictor = Predictor::new(learner);
    let bits = |weights: &[A::Weight; N]| weights.iter().map(|w| A::bits(*w)).collect::<Vec<_>>();
    let updates = (0..trace.episodes()).map(|episode| {
        for Step { state, reward, features } in trace.episode(episode) {
            // Unusable steps are dropped and counted.
            _ = L::step_at(&mut predictor, state, None, features.try_into().unwrap());
            predictor.finish_with(reward);
        }
        (predictor.end().into(), bits(predictor.weights()))
    });
    let updates = updates.collect();
    (updates, bits(predictor.estimate()))
}

#[test]
fn zeros_at_the_end_change_no_bit() {
    // Every possible remainder of lanes, for arithmetics whose sums have lanes. In fixed point the sums are exact.
    let cases: [(Arith, usize, Unpadded); 9] = [
        (Arith::F32, 1, unpadded::<f32, 1>),
        (Arith::F32, 2, unpadded::<f32, 2>),
        (Arith::F32, 3, unpadded::<f32, 3>),
        (Arith::F32, 5, unpadded::<f32, 5>),
        (Arith::F32, 33, unpadded::<f32, 33>),
        (Arith::F64, 3, unpadded::<f64, 3>),
        (Arith::Q28, 3, unpadded::<Q28, 3>),
        (Arith::Q28, 33, unpadded::<Q28, 33>),
        (Arith::Q24, 5, unpadded::<Q24, 5>),
    ];
    for (arith, n, unpadded) in cases {
        let trace = random_trace(n as u64, n);
        for rule in RULES {
            let config = Config { gamma: 0.9, ..Config::new(rule) };
            let learned = learn(&trace, arith, config).unwrap();
            assert_eq!(learned, unpadded(&trace, &config), "{n} features, {arith:?}, {rule:?}");
        }
    }
}

#[test]
fn large_problems_fit_and_what_does_not_is_an_error() {
    let large = |n: usize, tau: u32| {
        let mut dice = Dice::new(9);
        let mut trace = Trace::new(n);
        trace.begin_episode(2);
        (0..tau).for_each(|state| trace.push(state, row(&mut dice, n + 1)));
        trace
    };
    for rule in RULES {
        let (updates, estimate) = learn(&large(250, 1_000), Arith::F32, Config::new(rule)).unwrap();
        assert_eq!((updates[0].0.rows(), estimate.len()), (1_000, 250), "{rule:?}");
    }
    assert_eq!(learn(&large(512, 4_096), Arith::F64, Config::new(Rule::Paper)).unwrap().0[0].0.rows(), 4_096);
    assert_eq!(learn(&large(1, 100_000), Arith::F32, Config::new(Rule::Streaming)).unwrap().0[0].0.rows(), 100_000);

    for (trace, arith, rule, message) in [
        (large(513, 1), Arith::F32, Rule::Paper, "513 features per step; f32 has at most 512"),
        (large(129, 1), Arith::Q28, Rule::Paper, "129 features per step; q28 has at most 128"),
        (large(1, 4_097), Arith::F32, Rule::Paper, "line 2 has more than 4096 different states, the limit on host"),
    ] {
        let error = learn(&trace, arith, Config::new(rule)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn json_has_the_bits_and_their_exact_decimals() {
    let trace = random_trace(1, 3);
    for arith in Arith::ALL {
        for rule in RULES {
            let (updates, estimate) = learn(&trace, arith, Config::new(rule)).unwrap();
            let (updates, weights): (Vec<_>, Vec<_>) = updates.into_iter().unzip();
            let weights = weights.last().unwrap();
            let job = Job { trace: &trace, arith, config: Config::new(rule) };
            let measured = Prequential { rows: 3, mse: 0.5, variance: f64::NAN, ..Prequential::default() };
            let text = results(&job, &updates, weights, &estimate, &measured);
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(json["updates"].as_array().unwrap().len(), 60);
            assert_eq!(json["prequential"].to_string(), r#"{"mse":0.5,"rows":3,"variance":null}"#);
            let [rows, step, error] =
                if rule.is_episodic() { ["tau", "theta", "g_norm"] } else { ["rows", "gain", "error"] };
            for (entry, report) in json["updates"].as_array().unwrap().iter().zip(&updates) {
                assert_eq!([&entry[rows], &entry["dropped"]], [report.rows(), report.dropped()]);
                assert_eq!(entry[step].as_f64(), Some(report.step().into()));
                assert_eq!(entry[error].as_f64(), Some(report.error().into()));
            }
            for (i, bits) in weights.iter().enumerate() {
                let hex = json["weights_bits"][i].as_str().unwrap();
                assert_eq!((hex.len(), u64::from_str_radix(hex, 16)), (arith.bytes() * 2, Ok(*bits)));
                assert_eq!(json["weights"][i].as_f64(), Some(arith.weight(*bits)));
            }
            let average = json.get("averaged").map(|values| values[0].as_f64().unwrap());
            let wanted = matches!(rule, Rule::Predictable | Rule::Streaming).then(|| arith.weight(estimate[0]));
            assert_eq!(average, wanted, "{rule:?}");
        }
    }
    assert_eq!((Arith::Q28.weight(0xf000_0000), Arith::Q24.weight(0x0180_0000)), (-1.0, 1.5));
}

/// The longest records, with bit patterns that would not survive a decimal format. (What a header says of parameters, and
/// what is told of updates, `replay_parity` sends to devices and back.)
#[test]
fn bytes_come_back_as_they_were() {
    let eta = Some(Schedule::Constant(0.3));
    let config = Config { eta, beta: Some(0.1), lambda: Some(0.9), every: Some(u16::MAX), ..Config::new(Rule::Paper) };
    there_and_back(Header { arith: Arith::Q24, config, features: 300, episodes: 70_000 });
    let (verdict, theta, g_norm) = (Verdict::Overflow, f32::from_bits(1), -0.0);
    let update = osculate::Update { verdict, k: 1, tau: 2, dropped: 3, saturated: 1 << 31, theta, g_norm };
    there_and_back(DeviceRecord::Report(Report::Update(update)));
    there_and_back(DeviceRecord::Full(Full::Steps(70_000)));
    there_and_back(TraceRecord::End { reward: Some(f32::MIN_POSITIVE) });
    let bits = [u64::MAX; FEATURES].into_iter().collect();
    assert!(there_and_back(DeviceRecord::Weights(bits)) <= MOST);
    let features = [-0.0; FEATURES].into_iter().collect();
    let step = TraceRecord::Step { reward: Some(f32::from_bits(1)), state: u32::MAX, features };
    assert!(there_and_back(step) <= MOST);
}

/// Asserts that a record round-trips through its bytes, and that fewer bytes are refused. Returns their number.
fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(record: T) -> usize {
    let bytes: Vec<u8> = to_extend(&record, Vec::new()).unwrap();
    assert_eq!(take_from_bytes(&bytes), Ok((record, &[][..])));
    for cut in 0..bytes.len() {
        assert_eq!(take_from_bytes::<T>(&bytes[..cut]), Err(Error::DeserializeUnexpectedEnd));
    }
    bytes.len()
}
