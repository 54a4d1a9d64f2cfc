//! Promise: a replay of a recording matches the learner itself, for every size, arithmetic and rule.

use std::fmt::Debug;

use osculate::{
    Arithmetic, Log, Predictor, Q24, Q28, Schedule, Stored, StoredConfig, Streaming, StreamingConfig, Tracking,
    TrackingConfig,
};
use osculate_board_tests::recording;
use osculate_host_tests::any_rule::AnyRule;
use osculate_host_tests::worlds::{Dice, row};
use osculate_lab::replay::format::{
    DeviceRecord, Error, FEATURES, MOST, Report, TraceRecord, take_from_bytes, to_extend,
};
use osculate_lab::replay::json::results;
use osculate_lab::replay::prequential::Prequential;
use osculate_lab::replay::trace::{Step, Trace};
use osculate_lab::replay::{Arith, Config, Job, Learned, Rule, Targets, host};
use serde::Serialize;
use serde::de::DeserializeOwned;

const RULES: [Rule; 5] = [Rule::Paper, Rule::Predictable, Rule::Streaming, Rule::Plain, Rule::Tracking];

fn learn(trace: &Trace, arith: Arith, config: Config) -> anyhow::Result<Vec<Learned>> {
    let mut updates = Vec::new();
    host::run(&Job { trace, arith, config }, &mut |learned| updates.push(learned))?;
    Ok(updates)
}

/// (That an option replaces its default, the tests of `cargo xtask replay` try.)
#[test]
fn defaults_are_the_rules_own() {
    // A recording is not discounted unless the user asks for it.
    let gamma = 1.0;
    assert_eq!(Config::new(Rule::Paper).stored(), Ok(StoredConfig { gamma, ..StoredConfig::PAPER }));
    assert_eq!(Config::new(Rule::Predictable).stored(), Ok(StoredConfig { gamma, ..StoredConfig::PREDICTABLE }));
    assert_eq!(Config::new(Rule::Plain).stored(), Ok(StoredConfig { gamma, ..StoredConfig::PLAIN }));
    let streaming = Config::new(Rule::Streaming).streaming();
    assert_eq!(streaming, Ok(StreamingConfig { gamma, ..StreamingConfig::DEFAULT }));
    let tracking = Config::new(Rule::Tracking).tracking();
    assert_eq!(tracking, Ok(TrackingConfig { gamma, ..TrackingConfig::DEFAULT }));
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
        let learned = learn(&recording(1, 1, 0, 60, Arith::F64), Arith::F64, config);
        assert!(learned.unwrap_err().to_string().contains(message), "{config:?}");
    }
}

/// Every report, with the bits of the weights and of the estimate after it.
type Updates = Vec<(Report, [Vec<u64>; 2])>;
type Unpadded = fn(&Trace, &Config) -> Updates;

/// The same with the exact number of features.
fn unpadded<A: Arithmetic, const N: usize>(trace: &Trace, config: &Config) -> Updates {
    match config.rule {
        Rule::Tracking => feed(trace, Tracking::<A, N>::new(config.tracking().unwrap())),
        Rule::Streaming => feed(trace, Streaming::<A, N, 2>::by_state(config.streaming().unwrap())),
        _ => feed(trace, Stored::new(config.stored().unwrap(), Log::<A, N, 256, 64>::NEW)),
    }
}

fn feed<A: Arithmetic, L, const N: usize>(trace: &Trace, learner: L) -> Updates
where
    L: AnyRule<A, N, Report: Into<Report>>,
{
    let mut predictor = Predictor::new(learner);
    let bits = |weights: &[A::Weight; N]| weights.iter().map(|w| A::bits(*w)).collect::<Vec<_>>();
    let updates = (0..trace.episodes()).map(|episode| {
        for Step { state, reward, features } in trace.episode(episode) {
            // Unusable steps are dropped and counted.
            _ = L::step_at(&mut predictor, state, None, features.try_into().unwrap());
            predictor.finish_with(reward);
        }
        (predictor.end().into(), [predictor.weights(), predictor.estimate()].map(bits))
    });
    updates.collect()
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
        let trace = recording(n as u64, n, 0, 60, arith);
        for rule in RULES {
            let config = Config { gamma: 0.9, ..Config::new(rule) };
            let learned = learn(&trace, arith, config).unwrap();
            let learned = learned.into_iter().map(|learned| (learned.report, [learned.weights, learned.estimate]));
            assert_eq!(learned.collect::<Vec<_>>(), unpadded(&trace, &config), "{n} features, {arith:?}, {rule:?}");
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
        let updates = learn(&large(250, 1_000), Arith::F32, Config::new(rule)).unwrap();
        assert_eq!((updates[0].report.summary().rows, updates[0].estimate.len()), (1_000, 250), "{rule:?}");
    }
    assert_eq!(
        learn(&large(512, 4_096), Arith::F64, Config::new(Rule::Paper)).unwrap()[0].report.summary().rows,
        4_096
    );
    assert_eq!(
        learn(&large(1, 100_000), Arith::F32, Config::new(Rule::Streaming)).unwrap()[0].report.summary().rows,
        100_000
    );

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
    for arith in Arith::ALL {
        let trace = recording(1, 3, 0, 60, arith);
        for rule in RULES {
            let learned = learn(&trace, arith, Config::new(rule)).unwrap();
            let updates: Vec<_> = learned.iter().map(|learned| learned.report).collect();
            let last = learned.last().unwrap();
            let job = Job { trace: &trace, arith, config: Config::new(rule) };
            let measured = Prequential { rows: 3, mse: 0.5, variance: f64::NAN, ..Prequential::default() };
            let text = results(&job, &updates, last, &measured);
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(json["updates"].as_array().unwrap().len(), 60);
            assert_eq!(json["prequential"].to_string(), r#"{"mse":0.5,"rows":3,"variance":null}"#);
            let [rows, step, error] =
                if rule.is_episodic() { ["tau", "theta", "g_norm"] } else { ["rows", "gain", "error"] };
            for (entry, report) in json["updates"].as_array().unwrap().iter().zip(&updates) {
                let told = report.summary();
                assert_eq!([&entry[rows], &entry["dropped"]], [told.rows, told.dropped]);
                assert_eq!([&entry[step], &entry[error]], [f64::from(told.step), f64::from(told.error)]);
            }
            for (i, bits) in last.weights.iter().enumerate() {
                let hex = json["weights_bits"][i].as_str().unwrap();
                assert_eq!((hex.len(), u64::from_str_radix(hex, 16)), (arith.bytes() * 2, Ok(*bits)));
                assert_eq!(json["weights"][i].as_f64(), Some(arith.weight(*bits)));
            }
            let average = json.get("averaged").map(|values| values[0].as_f64().unwrap());
            let wanted = matches!(rule, Rule::Predictable | Rule::Streaming).then(|| arith.weight(last.estimate[0]));
            assert_eq!(average, wanted, "{rule:?}");
        }
    }
    assert_eq!((Arith::Q28.weight(0xf000_0000), Arith::Q24.weight(0x0180_0000)), (-1.0, 1.5));
}

/// The longest records, with bit patterns that would not survive a decimal format. (All others `replay_parity` sends to devices
/// and back.)
#[test]
fn bytes_come_back_as_they_were() {
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
