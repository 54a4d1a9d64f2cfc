//! Every kind of fault at every transaction of the room's bus: at boot, while it samples, and while it stores.

use anyhow::{Context, Result, ensure};
use checkpoint_ring::models::TornEeprom;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::room::agent::Settings;
use osculate_apps::room::occupant::BYTES;
use osculate_apps::room::sensor::{ADDRESSES, ATTEMPTS};
use osculate_apps::store::Origin;
use osculate_apps::supervision::Stage;
use osculate_host_tests::worlds::faulty_bus::{Injection, Kind};

use crate::home::{Event, Home, Life};
use crate::often;

/// Two evenings: boot, samples, a checkpoint, and all of it again.
const SETTINGS: Settings = Settings { seed: 4, evenings: 2, rule: Rule::Tracking };
/// How many transactions a fault lasts: one is retried, many are not, and some faults stay for good.
const LENGTHS: [u32; 3] = [1, 40, u32::MAX];

/// What is known about a sample.
#[derive(Default)]
struct Seen {
    /// Since the last stage was over.
    in_stage: u32,
    most_in_sample: u32,
    /// Thermometers whose last transaction gave nothing that could be believed.
    lost: [bool; 3],
    lost_samples: u32,
    learned_blindly: u32,
    heated_blindly: u32,
    /// Whether a thermometer was lost in this sample, and in the one before.
    blind: [bool; 2],
}

impl Seen {
    /// Divides the life of the room into samples.
    fn see(&mut self, event: Event, home: &Home, kind: Option<Kind>) {
        match event {
            Event::Transaction { address, is_spoiled, has_failed } => {
                self.in_stage += 1;
                if let Some(index) = ADDRESSES.iter().position(|known| *known == address) {
                    self.lost[index] = has_failed || is_spoiled && kind.is_some_and(|kind| shows(kind, index));
                }
                return;
            }
            Event::Learned => self.learned_blindly += u32::from(self.blind.contains(&true)),
            Event::Reached(Stage::Act) => {
                let heats = home.test_bed.borrow().trail().last().is_some_and(|moment| moment.power > 0.0);
                self.heated_blindly += u32::from(heats && self.blind[0]);
            }
            Event::Reached(Stage::Sample) => {
                self.most_in_sample = self.most_in_sample.max(self.in_stage);
                let blind = self.lost.contains(&true);
                self.blind = [blind, self.blind[0]];
                self.lost_samples += u32::from(blind);
            }
            _ => {}
        }
        if matches!(event, Event::Reached(_)) {
            self.in_stage = 0;
        }
    }
}

/// Whether a thermometer's data show at once that something is wrong. All zeros are 0 °C, which is no news outside;
/// frozen and jumping readings need others to compare with.
fn shows(kind: Kind, thermometer: usize) -> bool {
    match kind {
        Kind::AllOnes | Kind::OutOfRange => true,
        Kind::AllZeros => thermometer < 2,
        _ => false,
    }
}

/// The most samples without a reading, given those in which a thermometer was lost: it is configured in the next one, and
/// in the first one if that has failed at boot. Readings that need others to compare with are refused without being lost.
fn most_silences(kind: Kind, lost: u32) -> u32 {
    match kind {
        Kind::AllZeros | Kind::Frozen | Kind::Jumping => u32::MAX,
        _ => 2 * lost + 1,
    }
}

/// A life of the room with this EEPROM, and with this fault.
fn live(eeprom: TornEeprom<BYTES>, injection: Option<Injection>) -> (Seen, Life, Home) {
    let (home, mut seen) = (Home::new(SETTINGS.seed, eeprom), Seen::default());
    if let Some(injection) = injection {
        home.bus.borrow_mut().inject(injection, None);
    }
    let kind = injection.map(|injection| injection.kind);
    let life = home.live(Arith::F32, &SETTINGS, |event| seen.see(event, &home, kind));
    (seen, life, home)
}

/// At every transaction of a life, or at some: no hang, every evening is lived, the heater is off in the same sample, nothing
/// is learned from it, it is counted, and the next boot has the last checkpoint.
#[test]
fn faults_on_the_bus_are_safe_counted_and_not_learned_from() -> Result<()> {
    let (_, _, home) = live(TornEeprom::new(0), None);
    let at: Vec<u32> = (0..home.bus.borrow().transactions()).step_by(often(29, 1) as usize).collect();
    let mut tries = 0;
    for kind in Kind::ALL {
        for (from_transaction, transactions) in at.iter().flat_map(|at| LENGTHS.map(|length| (*at, length))) {
            let injection = Injection { kind, from_transaction, transactions };
            let (seen, life, home) = live(TornEeprom::new(0), Some(injection));
            // Every thermometer is configured or read, each in a few attempts.
            let (most, evenings) = (3 * ATTEMPTS, life.evenings.len() as u32);
            ensure!(evenings == SETTINGS.evenings, "{evenings} evenings; {injection:?}");
            ensure!(seen.most_in_sample <= most, "{} transactions in a sample; {injection:?}", seen.most_in_sample);
            ensure!(seen.heated_blindly == 0, "heated blindly {} times; {injection:?}", seen.heated_blindly);
            ensure!(seen.learned_blindly == 0, "learned blindly {} times; {injection:?}", seen.learned_blindly);
            let silences: u32 = life.evenings.iter().map(|(_, evening)| evening.silences).sum();
            let right = seen.lost_samples..=most_silences(kind, seen.lost_samples);
            ensure!(right.contains(&silences), "{silences} of {} counted; {injection:?}", seen.lost_samples);
            ensure!(life.faults > 0 || seen.lost_samples == 0, "no fault is counted; {injection:?}");
            let stored = life.stored.iter().filter_map(|stored| stored.ok()).max();
            let (_, after, _) = live(home.bus.into_inner().into_inner().eeprom, None);
            let origin = after.starts.first().context("it has not started")?.origin;
            let found = if let Origin::Checkpoint(sequence) = origin { Some(sequence) } else { None };
            ensure!(found >= stored, "{origin:?} after {stored:?}; {injection:?}");
            tries += 1;
        }
    }
    println!("{tries} faults on the bus");
    ensure!(tries >= 300, "only {tries} faults");
    Ok(())
}
