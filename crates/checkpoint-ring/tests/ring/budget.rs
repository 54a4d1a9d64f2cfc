//! The write budget.

use checkpoint_ring::{Budget, Endurance, Life, TooOften};

const LIFE: Life = Life { years: 10, samples_per_day: 86_400 };

#[test]
fn a_part_outlives_the_device() {
    for endurance in [Endurance::eeprom(11), Endurance { cycles: 10_000, slots: 24 }, Endurance { cycles: 1, slots: 2 }]
    {
        let samples = u64::from(LIFE.years) * 366 * u64::from(LIFE.samples_per_day);
        let most = u64::from(endurance.cycles) * u64::from(endurance.slots);
        let TooOften { least } = Budget::try_new(0, endurance, LIFE).unwrap_err();
        assert!(least * most >= samples && (least - 1) * most < samples, "{endurance:?}");
        assert_eq!(Budget::try_new(least as u32 - 1, endurance, LIFE), Err(TooOften { least }));
        assert!(Budget::try_new(least as u32, endurance, LIFE).is_ok());
    }
}

#[test]
fn extremes_are_computed_without_overflow() {
    let worst = Life { years: u16::MAX, samples_per_day: u32::MAX };
    let least = u64::from(u16::MAX) * 366 * u64::from(u32::MAX);
    assert_eq!(Budget::try_new(1, Endurance { cycles: 1, slots: 1 }, worst), Err(TooOften { least }));
    let none = Endurance { cycles: 0, slots: 1 };
    assert_eq!(Budget::try_new(u32::MAX, none, LIFE), Err(TooOften { least: u64::MAX }));
    let endless = Endurance { cycles: u32::MAX, slots: u32::MAX };
    assert_eq!(Budget::try_new(0, endless, LIFE), Err(TooOften { least: 1 }));
    assert!(Budget::try_new(1, endless, LIFE).is_ok_and(|mut budget| budget.due() && budget.due()));
}

#[test]
fn a_device_that_keeps_resetting_never_stores_more_often() {
    let every = 60;
    for samples_per_boot in 1..200 {
        let (mut samples, mut stores) = (0, 0);
        for _ in 0..50 {
            let mut budget = Budget::try_new(every, Endurance::eeprom(11), LIFE).unwrap();
            stores += (0..samples_per_boot).filter(|_| budget.due()).count();
            samples += samples_per_boot;
        }
        assert!(stores <= samples / 60, "{stores} in {samples}");
        assert_eq!(stores, 50 * (samples_per_boot / 60));
    }
}
