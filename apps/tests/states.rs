//! What learners know can be sent like any other message: vectors as exact numbers, whatever the arithmetic.

use heapless::Vec;
use osculate::{Arithmetic, Episodic, Predictor, Q28, Streaming, StreamingConfig, Tracking, TrackingConfig};

type Vector = Vec<f64, 2>;

fn vector<W: Copy + Into<f64>>(weights: &[W; 2]) -> Vector {
    weights.iter().map(|&weight| weight.into()).collect()
}

fn tracking<A: Arithmetic>() {
    let mut predictor = Predictor::new(Tracking::<A, 2>::new(TrackingConfig::new(0.0)));
    for sample in 0..40 {
        predictor.learn(0.3 * sample as f32, &[0.1 * sample as f32, 1.0]).unwrap();
    }
    let (state, mut bytes) = (predictor.learner().state(), [0; 256]);
    let sent = postcard::to_slice(&state, &mut bytes).unwrap();
    type Told = ([Vector; 3], Option<f32>, [u16; 2], [f64; 3], u32, u16, [f64; 2], [f32; 2], u32);
    let (told, rest) = postcard::take_from_bytes::<Told>(sent).unwrap();
    let (weights, expected, gain, errors, count, probe, probe_errors, bounds, rows) = told;
    assert_eq!((weights, rest.len()), ([state.weights, state.slow, state.mark].map(vector), 0), "{}", A::NAME);
    assert_eq!((expected, probe_errors, bounds), (state.expected, state.probe_errors, state.value_bounds));
    assert_eq!((gain, errors[0], probe), ([state.gain_depth, state.rows_since_check], state.mean_error, 0));
    assert_eq!((count, rows), (40, 40));
}

fn streaming<A: Arithmetic>() {
    let mut predictor = Predictor::new(Streaming::<A, 2>::new(StreamingConfig::DEFAULT));
    for _ in 0..3 {
        predictor.learn(0.7, &[0.3, 1.0]).unwrap();
        predictor.end();
    }
    let (state, mut bytes) = (predictor.learner().state(), [0; 256]);
    let sent = postcard::to_slice(&state, &mut bytes).unwrap();
    let (told, rest) = postcard::take_from_bytes::<([Vector; 3], u32, [f64; 2], u32)>(sent).unwrap();
    let vectors = [state.weights, state.velocity, state.averaged].map(vector);
    assert_eq!((told, rest.len()), ((vectors, 3, state.past_lengths, state.past_episodes), 0), "{}", A::NAME);
    assert!(state.past_episodes > 0);
}

#[test]
fn states_are_sent_as_exact_numbers() {
    tracking::<f32>();
    tracking::<f64>();
    tracking::<Q28>();
    streaming::<f64>();
    streaming::<Q28>();
}
