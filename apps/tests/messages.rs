//! Promise: what a device tells and asks comes back from its bytes as it was, every bit of it, and from nothing less.

use checkpoint_ring::StoreError;
use osculate::{StateError, Update, Verdict};
use osculate_apps::boot::{Boot, Cause, CoreFault};
use osculate_apps::fan::FanEpisode;
use osculate_apps::fault::{self, FaultCounts};
use osculate_apps::line::{self, Answer, Frames, LineLost, Request};
use osculate_apps::message::{MOST, Message, from_bytes, to_bytes};
use osculate_apps::nexting::Moment;
use osculate_apps::replay::format::Report;
use osculate_apps::room::telemetry::{Evening, Known, Recorded, Start};
use osculate_apps::store::Origin;
use osculate_apps::supervision::Stage;

/// Every cause of a reset, each as long as it can be.
fn causes() -> impl Iterator<Item = Cause> {
    let most = u32::MAX;
    let faults = CoreFault::ALL.map(|fault| Cause::Fault { fault, pc: most, lr: most, status: most });
    let overflows = [None, Some(most)].map(|pc| Cause::StackOverflow { pc, address: most });
    let others = [Cause::panic(&"x".repeat(99), most), Cause::Assertion, Cause::Interrupt(i16::MIN), Cause::Lockup];
    faults.into_iter().chain(overflows).chain(others).chain(Stage::ALL.map(Cause::Hang))
}

/// Every kind of message, each as long as it can be.
fn longest() -> Vec<Message> {
    let most = u32::MAX;
    let (theta, g_norm) = (f32::MIN_POSITIVE, -0.0);
    let verdict = Verdict::Overflow;
    let update = Update { verdict, k: most, tau: most, dropped: most, saturated: most, theta, g_norm };
    let mut faults = FaultCounts::new();
    for fault in fault::Fault::ALL {
        (0..=u16::MAX).for_each(|_| faults.add(fault));
    }
    let mut all = vec![
        Message::Step(Recorded { row: u16::MAX, reward: f32::from_bits(1), features: [f32::NEG_INFINITY; _] }),
        Message::Known(Known { model: [[f32::MAX; 4]; 2], holding: -0.0 }),
        Message::Evening(Evening {
            steps: most,
            explored: most,
            fallbacks: most,
            silences: most,
            report: Report::Update(update),
            weights: [most; _],
        }),
        Message::Start(Start { origin: Origin::Checkpoint(most), evenings: most }),
        Message::Start(Start { origin: Origin::Refused(StateError::NonFinite), evenings: most }),
        Message::Start(Start { origin: Origin::Unreadable(StoreError::NoPlace), evenings: most }),
        Message::Stored(Ok(most)),
        Message::Stored(Err(StoreError::NoPlace)),
        Message::Faults(faults),
        Message::Stack(most),
        Message::Moment(Moment { field: [-0.0, f32::MAX], expected: [f32::EPSILON; 4], band: Some(1.0) }),
        Message::FanEpisode(FanEpisode { speeds: u128::MAX, weights: [most; _] }),
        Message::Updates(most),
        Message::Woken { origin: Origin::Refused(StateError::NonFinite), samples: most },
        Message::Surprise(f32::MAX),
        Message::Done,
    ];
    all.extend(causes().map(|cause| Message::Boot(Boot { cause, resets: most })));
    all
}

#[test]
fn every_message_comes_back_whole_and_a_part_of_it_is_refused() {
    let mut most = 0;
    for message in longest() {
        let mut buffer = [0; MOST];
        let bytes = to_bytes(&message, &mut buffer).unwrap();
        most = most.max(bytes.len());
        assert_eq!(from_bytes(bytes), Ok(message.clone()));
        for cut in 0..bytes.len() {
            assert!(from_bytes::<Message>(&bytes[..cut]).is_err(), "{cut} bytes of {message:?}");
        }
        let more = [bytes, &[0]].concat();
        assert!(from_bytes::<Message>(&more).is_err(), "a byte too many after {message:?}");
    }
    println!("the longest has {most} bytes, and there is room for {MOST}");
    assert!(from_bytes::<Message>(&[99]).is_err(), "a kind that does not exist");
}

#[test]
fn a_float_keeps_its_bits_even_where_it_is_no_number() {
    for bits in [0x7fc0_0001, 0xffc1_2345, 0x8000_0000, 1] {
        let message = Message::Moment(Moment { field: [f32::from_bits(bits); 2], expected: [0.0; 4], band: None });
        let mut buffer = [0; MOST];
        let Ok(Message::Moment(moment)) = from_bytes(to_bytes(&message, &mut buffer).unwrap()) else {
            panic!("another message came back")
        };
        assert_eq!(moment.field.map(f32::to_bits), [bits; 2]);
    }
}

#[test]
fn requests_are_found_in_the_bytes_of_a_line() {
    let requests = [
        Request::Begin(1),
        Request::Begin(u32::MAX),
        Request::Heat(0),
        Request::Heat(2),
        Request::Heat(255),
        Request::Turn,
    ];
    let bytes: Vec<u8> =
        requests.iter().flat_map(|it| line::frame(it, &mut [0; line::MOST]).unwrap().to_vec()).collect();
    let mut frames = Frames::new();
    let found: Vec<Request> = bytes.iter().filter_map(|byte| frames.push(*byte).unwrap()).collect();
    assert_eq!(found, requests);
    assert!(frames.push::<Request>(99).is_ok_and(|found| found.is_none()));
    assert_eq!(frames.push::<Request>(0), Err(LineLost), "no such frame");
    // What is lost does not take along what follows.
    let found: Vec<Request> = bytes.iter().filter_map(|byte| frames.push(*byte).unwrap()).collect();
    assert_eq!(found, requests);
    let mut answer = [0; line::MOST];
    let answer = line::frame(&Answer::Over, &mut answer).unwrap();
    assert_eq!(answer.iter().filter(|byte| **byte == 0).count(), 1, "a zero ends it, and is nowhere else");
}

/// After a reset there may be the end of a frame on the line, and the answer to another request.
#[test]
fn a_device_waits_for_its_own_answer_and_reads_nothing_beyond_it() {
    let frame = |answer: Answer| line::frame(&answer, &mut [0; line::MOST]).unwrap().to_vec();
    let (over, begun) = (frame(Answer::Over), frame(Answer::Begun(3)));
    let late = [&over[1..], &[99, 99, 0], &[1; 3 * line::MOST], &[0], &frame(Answer::Begun(2))].concat();
    let rest = b"rest";
    for (expected, other, own) in [(Answer::Over, &begun, &over), (Answer::Begun(3), &over, &begun)] {
        let bytes = [&late, other, own, &rest[..]].concat();
        let mut line = bytes.as_slice();
        assert_eq!(line::wait(&mut line, expected), Ok(()));
        assert_eq!(line, rest);
    }
    assert_eq!(line::wait(&mut late.as_slice(), Answer::Over), Err(LineLost), "the line has ended");
}
