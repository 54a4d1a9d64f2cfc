//! Promise: a note survives in memory as it was, and nothing else is ever taken for one.

use osculate_apps::boot::{Boot, Cause, CoreFault, Note, TAIL};
use osculate_apps::supervision::Stage;
use osculate_host_tests::worlds::Dice;

fn notes() -> Vec<Note> {
    let most = u32::MAX;
    let faults = CoreFault::ALL.map(|fault| Cause::Fault { fault, pc: most, lr: most, status: most });
    let overflows = [None, Some(most)].map(|pc| Cause::StackOverflow { pc, address: most });
    let others = [Cause::panic(&"x".repeat(99), most), Cause::Assertion, Cause::Interrupt(i16::MIN), Cause::Lockup];
    let causes = faults.into_iter().chain(overflows).chain(others).chain(Stage::ALL.map(Cause::Hang));
    let told = causes.map(|cause| Note { cause: Some(cause), resets: most });
    told.chain([Note::default(), Note { cause: None, resets: 5 }]).collect()
}

#[test]
fn a_note_comes_back_and_with_any_bit_flipped_it_does_not() {
    for note in notes() {
        let words = note.to_words().unwrap_or_else(|| panic!("no room for {note:?}"));
        assert_eq!(Note::from_words(&words).as_ref(), Some(&note));
        for bit in 0..32 * Note::WORDS {
            let mut flipped = words;
            flipped[bit / 32] ^= 1 << (bit % 32);
            assert_eq!(Note::from_words(&flipped), None, "bit {bit} of {note:?}");
        }
    }
}

#[test]
fn what_memory_holds_at_power_on_is_no_note() {
    for word in [0, u32::MAX, 0xcccc_cccc, 0x5555_5555, 0xaaaa_aaaa] {
        assert_eq!(Note::from_words(&[word; Note::WORDS]), None);
    }
    let magic = Note::default().to_words().unwrap()[0];
    let mut random = Dice::new(12);
    for _ in 0..100_000 {
        let mut words = [(); Note::WORDS].map(|()| random.bits());
        assert_eq!(Note::from_words(&words), None);
        // Even where the first word happens to be right.
        words[0] = magic;
        assert_eq!(Note::from_words(&words), None);
    }
}

#[test]
fn a_cause_is_told_in_words() {
    let told = |cause| Boot { cause, resets: 2 }.to_string();
    assert_eq!(told(Cause::panic("examples/faults.rs", 7)), "reset 2 in a row: panic at examples/faults.rs:7");
    let overflow = Cause::StackOverflow { pc: None, address: 0x2000_0020 };
    assert_eq!(told(overflow), "reset 2 in a row: stack overflow at 0x20000020");
    assert!(told(Cause::Hang(Stage::Learn)).contains("`learn`"));
    // The end of a long path is kept, and no letter is cut in two.
    for path in ["a/very/long/path/to/the/file/that/panicked.rs", "ä".repeat(99).as_str()] {
        let Cause::Panic { file, .. } = Cause::panic(path, 1) else { panic!("another cause") };
        assert!(path.ends_with(file.as_str()) && file.len() >= TAIL - 1, "{file}");
    }
}
