//! States of learned models.

use osculate::{LinearModel, Predictor, StateError, Streaming, StreamingConfig};
use osculate_host_tests::crc::crc;

use crate::{HEADER, reseal};

type Small = LinearModel<3, 2>;
const WEIGHTS: [[f32; 3]; 2] = [[0.5, -0.25, 8.0], [1.0, 0.0, -3.0]];

fn saved(model: &Small) -> Vec<u8> {
    let mut bytes = vec![0xaa; Small::BYTES];
    assert_eq!(model.save(&mut bytes), Ok(bytes.len()));
    bytes
}

#[test]
fn a_model_is_its_weights() {
    let bytes = saved(&Small::from_weights(WEIGHTS));
    assert_eq!(bytes.len(), HEADER + 6 * 4 + 4);
    // Version, owner, kind, arithmetic, inputs, length.
    assert_eq!(&bytes[..HEADER], b"OSCU\x02\x03\x01\x01\x03\x00\x18\x00\x00\x00");
    let numbers = bytes[HEADER..][..24].chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()));
    assert_eq!(numbers.collect::<Vec<_>>(), WEIGHTS.as_flattened());
    assert_eq!(bytes[38..], crc(&bytes[..38]).to_le_bytes());
}

#[test]
fn a_model_goes_on_with_its_own_gain() {
    let mut through = Small::new(0.5).with_weights(WEIGHTS);
    let mut resumed = Small::new(0.5);
    for row in 0..100 {
        let (x, y) = ([1.0, row as f32 / 64.0, -0.5], [row as f32 / 100.0, 0.25]);
        resumed.restore(&saved(&through)).unwrap();
        assert_eq!(resumed.learn(&x, &y), through.learn(&x, &y));
        assert_eq!((saved(&resumed), resumed), (saved(&through), through));
        resumed = Small::new(0.5);
    }
}

#[test]
fn what_is_no_state_of_the_model_is_refused() {
    let state = saved(&Small::from_weights(WEIGHTS));
    let mut other = Small::from_weights([[1.0; 3]; 2]);
    let before = other;
    let mut is_refused = |state: &[u8], reason| {
        assert_eq!(other.restore(state), Err(reason));
        assert_eq!(other, before);
    };
    for length in 0..state.len() {
        is_refused(&state[..length], StateError::NoState);
    }
    for bit in HEADER * 8..state.len() * 8 {
        let mut damaged = state.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        is_refused(&damaged, StateError::Damaged);
    }
    for number in 0..6 {
        let mut forged = state.clone();
        forged[HEADER + 4 * number..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
        reseal(&mut forged);
        is_refused(&forged, StateError::NonFinite);
    }
    let predictor = Predictor::new(Streaming::<f32, 3>::new(StreamingConfig::DEFAULT));
    let mut bytes = [0; 1024];
    let length = predictor.save(&mut bytes).unwrap();
    is_refused(&bytes[..length], StateError::OtherOwner);

    // As many numbers, or as many inputs, but not both.
    assert_eq!(LinearModel::<2, 3>::from_weights([[0.0; 2]; 3]).restore(&state), Err(StateError::OtherSize));
    assert_eq!(LinearModel::<3, 1>::from_weights([[0.0; 3]; 1]).restore(&state), Err(StateError::OtherSize));
    let mut predictor = predictor;
    assert_eq!(predictor.restore(&state), Err(StateError::OtherOwner));
    assert_eq!(before.save(&mut bytes[..Small::BYTES - 1]), Err(StateError::NoRoom));
}
