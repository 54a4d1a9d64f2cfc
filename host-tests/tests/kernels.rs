//! Promise: the fast kernels of every core give the bits of their portable twins, on that core.

use anyhow::Result;
use osculate_host_tests::lab::boards::{Board, Status};
use osculate_host_tests::lab::firmware;
use osculate_host_tests::lab::qemu::Qemu;

#[test]
fn fast_kernels_equal_their_twins_on_every_board() -> Result<()> {
    for board in Board::all().iter().filter(|board| board.status == Status::Run) {
        let elf = firmware::build_test(board, "kernels")?;
        let lines = Qemu::new(board, elf).run(|_| ())?.success()?;
        assert_eq!(lines.last().unwrap().message, "all tests passed!", "{}", board.name);
    }
    Ok(())
}
