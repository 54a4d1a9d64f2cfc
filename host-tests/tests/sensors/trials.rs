//! Thermometers with faults, and thermometers without.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::{Context, Result, bail, ensure};
use osculate_apps::fault::Fault;
use osculate_apps::line::Request;
use osculate_apps::room::Reading;
use osculate_apps::room::sensor::{ADDRESSES, ATTEMPTS, Thermometers};
use osculate_host_tests::worlds::faulty_bus::{FaultyBus, Injection, Kind};
use osculate_lab::room::plant::{Houses, Scene};
use osculate_lab::room::test_bed::{Bus, NoTime, TestBed};

/// Samples of a trial after the last in which a fault may begin.
const AFTER: u32 = 10;
/// Transactions at the start, one for each thermometer.
const BOOT: u32 = ADDRESSES.len() as u32;

/// Every kind of fault that shows at once, from every transaction of the start and of the first `samples` samples on,
/// for several durations, on each thermometer and on all of them. Returns how many there were.
pub(crate) fn faults(samples: u32) -> Result<u32> {
    let devices: Vec<_> = [None].into_iter().chain(ADDRESSES.map(Some)).collect();
    let mut tries = 0;
    for (from_transaction, kind) in (0..BOOT * (1 + samples)).flat_map(|from| Kind::ALL.map(|kind| (from, kind))) {
        // A first reading is not a jump, and equal readings are many before they are too many.
        let is_too_early = kind == Kind::Jumping && from_transaction < 2 * BOOT;
        if is_too_early || kind == Kind::Frozen {
            continue;
        }
        for address in &devices {
            // Outside it may well be 0 °C, and nobody can tell.
            if kind == Kind::AllZeros && address.is_none_or(|address| address == ADDRESSES[2]) {
                continue;
            }
            for transactions in [1, 2, 3, 4, 5, 9, 17] {
                let injection = Injection { kind, from_transaction, transactions };
                let has_met = trial(injection, *address, samples + AFTER);
                tries += u32::from(has_met.with_context(|| format!("{injection:?} on {address:?}"))?);
            }
        }
    }
    Ok(tries)
}

/// What a thermometer with this fault is to say.
pub(crate) fn name(kind: Kind) -> Fault {
    match kind {
        Kind::AddressNack => Fault::Absent,
        Kind::DataNack | Kind::BusError | Kind::ArbitrationLoss | Kind::Timeout => Fault::Bus,
        Kind::AllOnes => Fault::AllOnes,
        Kind::OutOfRange | Kind::AllZeros => Fault::OutOfRange,
        Kind::Jumping => Fault::Jumping,
        Kind::Frozen => Fault::Frozen,
    }
}

/// One fault: it is noticed in its sample, named and counted, sampling is bounded, and once it is over, the second sample is
/// right. Returns whether it has met a transaction of this device.
fn trial(injection: Injection, address: Option<u8>, samples: u32) -> Result<bool> {
    let (test_bed, bus) = first_evening(injection.from_transaction.into());
    bus.borrow_mut().inject(injection, address);
    let mut thermometers = Thermometers::new(&bus);
    thermometers.start(&mut NoTime);

    // On the bus a fault costs every attempt, or none is noticed; data that are wrong are wrong at once.
    let enough = if injection.kind.error().is_some() || injection.kind == Kind::AllOnes {
        if address.is_some() { ATTEMPTS } else { (ATTEMPTS - 1) * BOOT + 1 }
    } else {
        1
    };
    let (mut injected_before, mut failed) = (bus.borrow().injected(), 0);
    for sample in 0..samples {
        let (transactions, injected) = (bus.borrow().transactions(), bus.borrow().injected());
        let answer = thermometers.read();
        let transactions = bus.borrow().transactions() - transactions;
        let injected = bus.borrow().injected() - injected;
        match answer {
            Ok(reading) if reading != shown(&test_bed.borrow()) => bail!("a wrong reading in sample {sample}"),
            Ok(_) if injected >= enough => bail!("no fault in sample {sample}"),
            Err(Fault::Starting) if injected_before > 0 => {}
            Err(fault) if injected > 0 && fault == name(injection.kind) => {}
            Err(fault) => bail!("{fault:?} in sample {sample}, {injected} transactions after it began"),
            Ok(_) => {}
        }
        failed += u32::from(answer.is_err());
        ensure!(transactions <= ATTEMPTS * BOOT, "{transactions} transactions in sample {sample}");
        injected_before = injected;
        _ = test_bed.borrow_mut().apply(Request::Heat(1));
    }
    let counts = thermometers.faults();
    let named = u32::from(counts.of(name(injection.kind))) + u32::from(counts.of(Fault::Starting));
    ensure!(counts.total() >= failed && counts.total() == named, "{counts:?} for {failed} faults");
    Ok(bus.borrow().injected() > 0)
}

/// The first evening of a house, and its bus.
pub(crate) fn first_evening(seed: u64) -> (Rc<RefCell<TestBed>>, RefCell<FaultyBus<Bus>>) {
    let test_bed = Rc::new(RefCell::new(TestBed::new(Scene::new(seed))));
    _ = test_bed.borrow_mut().apply(Request::Begin(1));
    (test_bed.clone(), RefCell::new(FaultyBus::new(Bus(test_bed))))
}

/// The readings as they should be.
pub(crate) fn shown(test_bed: &TestBed) -> Reading {
    let [room, floor, outside] = test_bed.shown().map(|bits| f32::from(bits.cast_signed()) / 256.0);
    Reading { room, floor, outside }
}

/// A scene in which everything happens: a window is open on one evening, a carpet lies there on the last third.
pub(crate) fn eventful(seed: u64, houses: Houses, restarts: bool, evenings: u32) -> Scene {
    let window_open = Some(1 + (seed % u64::from(evenings.max(1))) as u32);
    Scene { houses, restarts, window_open, carpet: Some(evenings - evenings / 3), ..Scene::new(seed) }
}
