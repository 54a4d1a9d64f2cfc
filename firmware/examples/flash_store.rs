//! Stores checkpoints in the chip's flash, and recovers each of them as after a reset.
#![no_std]
#![no_main]

use checkpoint_ring::{Checkpoints, Flash, StoreError};
use cortex_m_rt::entry;
use osculate_apps::failure::Failure;
use osculate_firmware::board::nrf51;
use osculate_firmware::finish;

const MOST: usize = 300;
const PAGES: u32 = 0x1000;

/// More than the 12 slots.
const STORES: u32 = 40;

#[entry]
fn main() -> ! {
    finish(store())
}

fn store() -> Result<(), Failure> {
    let mut flash = nrf51::Flash::take().ok_or(Failure("the flash is taken"))?;
    let (mut first, mut buffer) = (0, [0; MOST]);
    for store in 1..=STORES {
        let mut bytes = [0; MOST];
        for (i, byte) in (0..).zip(&mut bytes) {
            *byte = store.wrapping_mul(151).wrapping_add(i) as u8;
        }
        let bytes = bytes.get(..(store * 89) as usize % (MOST + 1)).unwrap_or(&bytes);
        let sequence = boot(&mut flash)?.store(bytes).map_err(|why| Failure(why.text()))?;
        let mut checkpoints = boot(&mut flash)?;
        let found = checkpoints.newest(&mut buffer).map_err(|why| Failure(why.text()))?;
        let found = found.ok_or(Failure("nothing was kept"))?;
        if (found.sequence, found.bytes, found.damaged) != (sequence, bytes, 0) {
            return Err(Failure("something else was kept"));
        }
        if store == 1 {
            first = sequence;
        }
    }
    defmt::info!("{=u32} checkpoints stored, the first with number {=u32}", STORES, first);
    Ok(())
}

fn boot(flash: &mut nrf51::Flash) -> Result<Checkpoints<Flash<&mut nrf51::Flash, MOST>>, Failure> {
    let place = Flash::new(flash, 0..PAGES).map_err(|why: StoreError| Failure(why.text()))?;
    Ok(Checkpoints::new(place))
}
