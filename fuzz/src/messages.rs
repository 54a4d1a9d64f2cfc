//! What a device says, and what it asks on its line.

use osculate_apps::line::{Answer, Frames, MOST, Request, frame};
use osculate_apps::message::{self, Message, from_bytes, to_bytes};
use osculate_lab::log::Line;

use super::input::Fuzz;

/// The number of kinds of messages.
const KINDS: u32 = 14;

pub(super) fn live(fuzz: &mut Fuzz) {
    match fuzz.below(16) {
        0 => frames(fuzz),
        1 | 2 => log_line(fuzz),
        _ => message(fuzz),
    }
}

/// Promise 13. Any bytes may begin with a message, of arbitrary contents.
fn message(fuzz: &mut Fuzz) {
    let mut bytes = [0; message::MOST + 8];
    // Small numbers, which are choices, and short ones are more frequent than in random bytes.
    let bound = fuzz.pick(&[6, 128, 256]);
    bytes.fill_with(|| if fuzz.one_in(4) { fuzz.any() } else { fuzz.below(bound) as u8 });
    bytes[0] = if fuzz.one_in(16) { bytes[0] } else { fuzz.below(KINDS) as u8 };
    let lengths = (0..=bytes.len()).filter(|length| from_bytes::<Message>(&bytes[..*length]).is_ok());
    let lengths: Vec<_> = lengths.collect();
    let [length] = lengths[..] else {
        assert!(lengths.is_empty(), "messages of {lengths:?} bytes in {bytes:?}");
        return fuzz.called("refused");
    };
    let again = |bytes: &[u8]| {
        let message: Message = from_bytes(bytes).expect("it is a message");
        let mut buffer = [0; message::MOST];
        let written = to_bytes(&message, &mut buffer).expect("there is room for it").to_vec();
        (written, message)
    };
    // The same number may be written in more bytes than it needs; once written by a device, all bits come back.
    let (written, message) = again(&bytes[..length]);
    assert!(written.len() <= length && again(&written).0 == written, "{bytes:?}");
    let name = format!("{message:?}");
    let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    fuzz.called(name.to_owned());
}

/// What was lost on a line does not take along what follows.
fn frames(fuzz: &mut Fuzz) {
    let mut frames = Frames::new();
    for _ in 0..fuzz.below(20) {
        let byte = if fuzz.one_in(2) { fuzz.below(6) as u8 } else { fuzz.any() };
        fuzz.called(match frames.push::<Request>(byte) {
            Ok(None) => "part of a frame",
            Ok(Some(_)) => "a request by chance",
            Err(_) => "frame refused",
        });
    }
    _ = frames.push::<Request>(0);
    let number = fuzz.count();
    let requests = [Request::Begin(number), Request::Heat(number as u8), Request::Turn, Request::Sample];
    let request = fuzz.pick(&requests);
    let mut buffer = [0; MOST];
    let bytes = frame(&request, &mut buffer).expect("there is room for it");
    let found: Vec<Request> = bytes.iter().filter_map(|byte| frames.push(*byte).unwrap_or(None)).collect();
    assert_eq!(found, [request]);
    let mut answers = Frames::new();
    let bytes = frame(&request.answer(), &mut buffer).expect("there is room for it");
    let found: Vec<Answer> = bytes.iter().filter_map(|byte| answers.push(*byte).unwrap_or(None)).collect();
    assert_eq!(found, [request.answer()]);
    fuzz.called("request found");
}

/// A line of the log is a message, text for people, or refused.
fn log_line(fuzz: &mut Fuzz) {
    let pieces = ["message [", "0d", "06, 07", "ff", ", ", "]", "zz", "é", "+1"];
    let length = fuzz.below(6);
    let middle: String = (0..length).map(|_| fuzz.pick(&pieces)).collect();
    let message = if fuzz.one_in(2) { format!("message [{middle}]") } else { middle };
    let is_ours = message.starts_with("message [") && message.ends_with(']');
    let line = Line { level: None, message, location: None };
    let told = line.told();
    assert!(!line.to_string().is_empty() || line.message.is_empty());
    assert!(is_ours || matches!(told, Ok(None)), "{line:?}");
    fuzz.called(match told {
        Ok(Some(_)) => "line with a message",
        Ok(None) => "line for people",
        Err(_) => "line refused",
    });
}
