//! Memories for checkpoints, with any contents. There is no arithmetic in them.

use checkpoint_ring::StoreError;
use checkpoint_ring::models::{Part, TornEeprom, TornFlash};

use super::input::Fuzz;
use super::life::checksum;

/// Slots begin at multiples of it, in both memories.
const ALIGNMENT: usize = 32;

pub(super) fn live(fuzz: &mut Fuzz) {
    let seed = fuzz.any::<u64>();
    match fuzz.below(4) {
        0 => remember(fuzz, TornEeprom::<60>::new(seed)),
        1 => remember(fuzz, TornEeprom::<700>::new(seed)),
        2 => remember(fuzz, TornFlash::<300>::new(3, seed)),
        _ => remember(fuzz, TornFlash::<1500>::new(4, seed)),
    }
}

fn remember<P: Part>(fuzz: &mut Fuzz, mut part: P) {
    let is_forged = fill(fuzz, &mut part);
    let most = part.most_transactions().expect("the part is large enough");
    for _ in 0..16 {
        let (cells, before) = (part.cells().to_vec(), part.power().transactions());
        match fuzz.below(8) {
            0 => {
                let (at, bit) = (fuzz.below(cells.len() as u32) as usize, fuzz.below(8));
                part.cells()[at] ^= 1 << bit;
                fuzz.called("bit flipped");
            }
            1..4 => boot(fuzz, &mut part),
            _ => store(fuzz, &mut part, is_forged),
        }
        assert!(part.power().transactions() - before <= 2 * most, "more than {most} transactions a call");
    }
}

/// Fills a part with anything: erased, zero, random, or forged records. Returns whether their numbers may be so far
/// apart that none is the newest.
fn fill<P: Part>(fuzz: &mut Fuzz, part: &mut P) -> bool {
    let (kind, any_number, base) = (fuzz.below(4), fuzz.one_in(2), fuzz.any::<u32>());
    for at in (0..part.cells().len()).step_by(ALIGNMENT) {
        let bytes: [u8; ALIGNMENT] = match kind {
            0 => [0xff; ALIGNMENT],
            1 => [0; ALIGNMENT],
            _ => [(); ALIGNMENT].map(|()| fuzz.any()),
        };
        part.cells()[at..at + ALIGNMENT].copy_from_slice(&bytes);
    }
    for _ in 0..fuzz.below(12) {
        let number = if any_number { fuzz.any::<u32>() } else { base.wrapping_add(fuzz.below(1000)) };
        let length = fuzz.below(P::MOST as u32 + 40) as usize;
        let record = frame(number, &(0..length).map(|_| fuzz.any()).collect::<Vec<_>>());
        let at = fuzz.below((part.cells().len() / ALIGNMENT) as u32) as usize * ALIGNMENT;
        if let Some(cells) = part.cells().get_mut(at..at + record.len()) {
            cells.copy_from_slice(&record);
        }
    }
    any_number
}

fn frame(number: u32, payload: &[u8]) -> Vec<u8> {
    let mut frame = [number.to_le_bytes(), (payload.len() as u32).to_le_bytes()].concat();
    frame.extend(payload);
    frame.extend(checksum(&frame).to_le_bytes());
    frame
}

fn boot<P: Part>(fuzz: &mut Fuzz, part: &mut P) {
    let cells = part.cells().to_vec();
    let mut buffer = vec![0; if fuzz.one_in(4) { fuzz.below(P::MOST as u32) as usize } else { P::MOST + ALIGNMENT }];
    let mut checkpoints = part.boot().expect("the part is large enough");
    let what = match checkpoints.newest(&mut buffer) {
        Ok(None) => "nothing boots",
        Err(StoreError::TooLong) => "too long to boot",
        Err(why) => panic!("{why}"),
        Ok(Some(found)) => {
            let record = frame(found.sequence, found.bytes);
            let mut places = (0..cells.len()).step_by(ALIGNMENT);
            assert!(places.any(|at| cells[at..].starts_with(&record)), "number {} is not there", found.sequence);
            "boots"
        }
    };
    drop(checkpoints);
    assert_eq!(part.cells(), cells, "a boot has changed something");
    fuzz.called(what);
}

/// Stores anything; then the power may have failed.
fn store<P: Part>(fuzz: &mut Fuzz, part: &mut P, is_forged: bool) {
    let length = fuzz.below(P::MOST as u32 + 64) as usize;
    let bytes: Vec<u8> = (0..length).map(|_| fuzz.any()).collect();
    let is_cut = fuzz.one_in(2);
    if is_cut {
        part.power().cut_at(1 + u64::from(fuzz.below(20_000)));
    }
    let stored = part.boot().expect("the part is large enough").store(&bytes);
    part.power().restore();
    match stored {
        Ok(number) => {
            fuzz.called("stored");
            let mut buffer = vec![0; bytes.len()];
            let mut checkpoints = part.boot().expect("the part is large enough");
            let found = checkpoints.newest(&mut buffer);
            let boots = found
                .as_ref()
                .is_ok_and(|found| found.is_some_and(|found| (found.sequence, found.bytes) == (number, &bytes[..])));
            assert!(boots || is_forged, "{number} was stored, and {found:?} boots");
        }
        Err(StoreError::TooLong) => fuzz.called("too long to store"),
        Err(StoreError::Silent) if is_cut => fuzz.called("power cut"),
        Err(why) => panic!("{why}"),
    }
}
