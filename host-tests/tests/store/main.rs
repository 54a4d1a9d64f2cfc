//! Promise: a power cut at any byte costs at most the checkpoint that was being written. What boots is complete, the
//! part wears evenly, and a failing part is reported within a bounded number of transactions.

mod budget;
mod device;
mod eeprom;
mod flash;
mod format;
mod ring;

use osculate_lab::survival::parts::Part;
use osculate_lab::survival::{Progress, Tally, bit_flips, power_cuts};

fn all_kept(tallies: &[Tally], tries: u64) {
    for tally in tallies {
        println!("{:>8} {:>3}  {}", tally.tries, tally.failures, tally.promise);
        assert_eq!(tally.failures, 0, "{}: {:?}", tally.promise, tally.first);
        assert!(tally.tries >= tries, "only {} tries: {}", tally.tries, tally.promise);
    }
}

#[test]
fn a_power_cut_at_any_byte_costs_at_most_the_newest_checkpoint() {
    all_kept(&power_cuts(21, &Progress::default()).unwrap(), 5_000);
}

#[test]
fn a_flipped_bit_is_detected() {
    all_kept(&bit_flips(4, &Progress::default()).unwrap(), 8 * 8192);
}

/// What boots: the sequence number, the bytes, and the number of damaged slots.
fn boots(part: &mut impl Part) -> Option<(u32, Vec<u8>, u32)> {
    let mut buffer = [0; 1000];
    let mut checkpoints = part.boot().unwrap();
    let found = checkpoints.newest(&mut buffer).unwrap();
    found.map(|found| (found.sequence, found.bytes.to_vec(), found.damaged))
}
