//! Nexting: the device predicts its compass correctly, and bit for bit as the host does.

use osculate_apps::nexting::{GAMMAS, STEPS};
use osculate_lab::boards::Board;
use osculate_lab::nexting::{COMPASS_SINCE, on_device, on_host, unforeseen};
use osculate_lab::toolchain::emulator::Emulator;

#[test]
fn what_is_expected_comes() {
    let moments = on_host(1, 20).unwrap();
    for (scale, gamma) in GAMMAS.iter().enumerate() {
        // The last episode has no future to compare with.
        let unforeseen = unforeseen(&moments, scale, 18);
        println!("gamma {gamma}: {:.2} % of the variance is not foreseen", 100.0 * unforeseen);
        assert!(unforeseen < 0.1, "gamma {gamma}: {unforeseen}");
    }
}

#[test]
fn the_device_expects_what_the_host_expects() {
    let device = on_device(&Board::all()[0], 1, 3, |_| Ok(()));
    if Emulator::find().unwrap().release() < COMPASS_SINCE {
        let error = device.unwrap_err().to_string();
        assert!(error.contains("has no compass"), "{error}");
        return;
    }
    let device = device.unwrap();
    assert_eq!(device.len(), 3 * STEPS as usize);
    assert!(device == on_host(1, 3).unwrap());
}

/// It is short, and the front page shows it verbatim.
#[test]
fn the_application_is_on_the_front_page() {
    let source = include_str!("../../apps/src/nexting.rs");
    let application = &source[source.find("pub fn learn").unwrap()..];
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    let lines = application.lines().filter(is_code).count();
    assert!(lines <= 25, "{lines} lines");
    assert!(include_str!("../../README.md").contains(application));
}
