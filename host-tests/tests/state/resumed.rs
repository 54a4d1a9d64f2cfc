//! Saves after every step of a run, restores into another value, and continues.

use osculate::{Limit, RowError, StateError, Verdict};

use crate::kinds::{Kind, Owner, fixed, floats};
use crate::script::{STEPS, script};
use crate::subject::Seen;

/// All states of a run, from before its first step to after its last, and the result of each step.
fn run(kind: &Kind) -> (Vec<Vec<u8>>, Vec<Seen>) {
    let mut subject = kind.subject();
    let mut states = vec![subject.save()];
    let mut seen = Vec::new();
    for sample in script(3) {
        seen.push(subject.take(&sample));
        states.push(subject.save());
    }
    (states, seen)
}

fn goes_on(kind: &Kind) {
    let (script, other) = (script(3), script(2));
    let (states, seen) = run(kind);
    let stepped = seen.iter().filter_map(|seen| seen.outcome).filter(|outcome| outcome.verdict == Verdict::Stepped);
    assert!(stepped.count() >= 5, "{}: too little is learned", kind.name());
    assert!(seen.iter().any(|seen| seen.answer.is_err()), "{}: too little goes wrong", kind.name());
    if kind.owner == Owner::Predictor && kind.rule.has_log() {
        let is_full = |limit| seen.iter().any(|seen| seen.answer == Err(RowError::Full(limit)));
        assert!(is_full(Limit::Steps) && is_full(Limit::Rows), "{}: no log is full", kind.name());
    }
    let dropped: u32 = seen.iter().filter_map(|seen| seen.outcome).map(|outcome| outcome.dropped).sum();
    assert!(dropped >= 5, "{}: too little goes wrong", kind.name());
    for step in 0..=STEPS {
        let mut resumed = kind.subject();
        // A value with a past of its own forgets it.
        if step % 2 == 1 {
            other.iter().take(step).for_each(|sample| _ = resumed.take(sample));
        }
        resumed.restore(&states[step]).unwrap();
        for after in step..STEPS {
            assert_eq!(resumed.take(&script[after]), seen[after], "{}: saved at {step}, at {after}", kind.name());
        }
        assert_eq!(resumed.save(), states[STEPS], "{}: saved at {step}, in the end", kind.name());
    }
}

#[test]
fn floats_go_on_from_every_step() {
    floats().iter().for_each(goes_on);
}

#[test]
fn fixed_point_goes_on_from_every_step() {
    fixed().iter().for_each(goes_on);
}

#[test]
fn a_buffer_of_the_right_length_is_enough_and_of_one_byte_less_is_not() {
    for kind in floats().iter().chain(&fixed()) {
        let mut subject = kind.subject();
        let mut longest = 0;
        for sample in script(1) {
            _ = subject.take(&sample);
            let state = subject.save();
            longest = longest.max(state.len());
            let mut bytes = vec![0; state.len()];
            assert_eq!(subject.save_to(&mut bytes), Ok(state.len()));
            assert_eq!(bytes, state, "whatever was in the buffer before");
            assert_eq!(subject.save_to(&mut bytes[1..]), Err(StateError::NoRoom));
        }
        assert_eq!(subject.save_to(&mut []), Err(StateError::NoRoom));
        assert!(longest * 2 > subject.most_bytes(), "{}: {longest} of {}", kind.name(), subject.most_bytes());
    }
}
