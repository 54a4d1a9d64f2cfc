//! Applications that run on the boards and on the host from the same source, independent of registers and operating
//! system.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`room`] | a room that learns its own heating |
//! | [`nexting`] | predicts the next readings of a sensor |
//! | [`grid`] | a small decision problem with a known solution |
//! | [`replay`] | recorded steps through a learner |
//! | [`fan`] | a fan without a model, for interrupt handlers and async tasks |
//! | [`drift`] | a stream that drifts and jumps, learned from at every sample |
//! | [`resume`] | saves and restores at every step |
//! | [`bus`] | an I²C bus on two lines, bounded |
//! | [`shared_bus`] | several drivers on one I²C bus |
//! | [`plausible`] | which readings of a sensor to believe |
//! | [`fault`] | why there is no reading, and how often |
//! | [`soak`] | the room in a house that goes wrong all the time |
//! | [`keep`] | stores checkpoints, to be interrupted |
//! | [`choice`] | the rule and the arithmetic that a user chooses |
//! | [`failure`] | why an application had to give up |
//! | [`message`] | the messages from a device to the host |
//! | [`line`](mod@line) | the serial line between a device and its environment |
//! | [`boot`] | why a device started anew |
//! | [`count`] | the cost of a part of the learner |
//! | [`store`] | checkpoints that survive a power cut |
//! | [`supervision`] | the stages of a loop, and who watches them |
//! | [`sizes`] | the numbers of features that are measured |
//! | [`digest`] | a number that differs if anything differs |
//! | [`float_cases`] | the floating-point facts that everything relies on |

#![no_std]
#![forbid(unsafe_code)]

pub mod boot;
pub mod bus;
pub mod choice;
pub mod count;
pub mod digest;
pub mod drift;
pub mod failure;
pub mod fan;
pub mod fault;
pub mod float_cases;
pub mod grid;
pub mod keep;
pub mod line;
pub mod message;
pub mod nexting;
pub mod plausible;
pub mod replay;
pub mod resume;
pub mod room;
pub mod shared_bus;
pub mod sizes;
pub mod soak;
pub mod store;
pub mod supervision;
