//! Nexting: the device predicts its compass correctly, and bit for bit as the host does.

use osculate_apps::choice::Rule;
use osculate_apps::nexting::GAMMAS;
use osculate_lab::boards::Board;
use osculate_lab::nexting::{COMPASS_SINCE, STEPS, WINDOWS, covered, on_device, on_host, unforeseen};
use osculate_lab::toolchain::emulator::Emulator;

#[test]
fn what_is_expected_comes_and_a_change_is_followed() {
    let [tracking, streaming] = [Rule::Tracking, Rule::Streaming].map(|rule| on_host(rule, 1, STEPS).unwrap());
    for (scale, gamma) in GAMMAS.iter().enumerate() {
        let missed = |moments| WINDOWS.map(|steps| unforeseen(moments, scale, steps));
        let ([before, during, after], others) = (missed(&tracking), missed(&streaming));
        println!(
            "gamma {gamma}: {:.4?} of the variance not foreseen, {others:.4?} with episodes",
            [before, during, after]
        );
        assert!(before < 0.03 && 10.0 * before < others[0], "gamma {gamma}: {before}, {others:?}");
        // The wheel is another, so what was learned is wrong; later, most of it is learned anew.
        assert!(during > 10.0 * before, "gamma {gamma}: {during}");
        assert!(after < 0.06 && after < during / 2.0 && after < others[2] / 2.0, "gamma {gamma}: {after}, {others:?}");
    }
}

#[test]
fn a_band_holds_what_it_says() {
    let moments = on_host(Rule::Tracking, 1, STEPS).unwrap();
    let shares = WINDOWS.map(|steps| covered(&moments, steps).unwrap());
    println!("{shares:.3?} of the readings are within the band");
    let [before, during, after] = shares;
    // Right after the change, the errors are larger than the band has learned.
    assert!((0.93..0.97).contains(&before) && (0.93..0.97).contains(&after) && during > 0.85, "{shares:?}");
    assert_eq!(covered(&on_host(Rule::Streaming, 1, STEPS).unwrap(), 500..2000), None);
}

#[test]
fn the_device_expects_what_the_host_expects() {
    // Tracking beyond the change of the wheel, where a probe may replace the weights.
    for (rule, steps) in [(Rule::Tracking, 3000), (Rule::Streaming, 768)] {
        let device = on_device(&Board::all()[0], rule, 1, steps, |_| Ok(()));
        if Emulator::find().unwrap().release() < COMPASS_SINCE {
            let error = device.unwrap_err().to_string();
            assert!(error.contains("has no compass"), "{error}");
            return;
        }
        let device = device.unwrap();
        assert_eq!(device.len(), steps as usize);
        assert!(device == on_host(rule, 1, steps).unwrap(), "{rule:?}");
    }
}

/// It is short, and the front page shows it verbatim.
#[test]
fn the_application_is_on_the_front_page() {
    let source = include_str!("../../apps/src/nexting/stream.rs");
    let application = &source[source.find("pub fn learn").unwrap()..];
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    let lines = application.lines().filter(is_code).count();
    assert!(lines <= 25, "{lines} lines");
    assert!(include_str!("../../README.md").contains(application));
}
