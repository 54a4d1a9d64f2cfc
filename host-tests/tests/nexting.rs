//! Nexting: the device expects of its compass what then really comes, and what the host expects, bit for bit.

use osculate_host_tests::lab::boards::Board;
use osculate_host_tests::nexting::shared::{GAMMAS, STEPS};
use osculate_host_tests::nexting::{Moment, on_device, on_host, truth};

/// The part of the truth's variance that is not foreseen in the last but one episode.
fn unforeseen(moments: &[Moment], scale: usize) -> f64 {
    let truth = truth(moments, GAMMAS[scale]);
    let steps = STEPS as usize;
    let range = moments.len() - 2 * steps..moments.len() - steps;
    let mean = truth[range.clone()].iter().sum::<f64>() / steps as f64;
    let error: f64 = range.clone().map(|t| (f64::from(moments[t].expected[scale]) - truth[t]).powi(2)).sum();
    error / range.map(|t| (truth[t] - mean).powi(2)).sum::<f64>()
}

#[test]
fn what_is_expected_comes() {
    let moments = on_host(1, 30).unwrap();
    for (scale, gamma) in GAMMAS.iter().enumerate() {
        let unforeseen = unforeseen(&moments, scale);
        println!("gamma {gamma}: {:.2} % of the variance is not foreseen", 100.0 * unforeseen);
        assert!(unforeseen < 0.1, "gamma {gamma}: {unforeseen}");
    }
}

#[test]
fn the_device_expects_what_the_host_expects() {
    let device = on_device(&Board::all()[0], 1, 3, |_| Ok(())).unwrap();
    assert_eq!(device.len(), 3 * STEPS as usize);
    assert!(device == on_host(1, 3).unwrap());
}
