//! Applications that run on the boards and on the host from the same source, independent of registers and operating
//! system.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`room`] | a room that learns its own heating |
//! | [`nexting`] | predicts the next readings of a sensor |
//! | [`replay`] | recorded steps through a learner |
//! | [`fan`] | a fan without a model, for interrupt handlers and async tasks |
//! | [`bus`] | an I²C bus on two lines, bounded |
//! | [`shared_bus`] | several drivers on one I²C bus |
//! | [`plausible`] | which readings of a sensor to believe |
//! | [`fault`] | why there is no reading, and how often |
//! | [`choice`] | the rule and the arithmetic that a user chooses |
//! | [`failure`] | why an application had to give up |
//! | [`message`] | the messages from a device to the host |
//! | [`line`](mod@line) | the serial line between a device and its environment |
//! | [`boot`] | why a device started anew |
//! | [`store`] | checkpoints that survive a power cut |
//! | [`supervision`] | the stages of a loop, and who watches them |
//! | [`digest`] | a number that differs if anything differs |

#![no_std]
#![forbid(unsafe_code)]

pub mod boot;
pub mod bus;
pub mod choice;
pub mod digest;
pub mod failure;
pub mod fan;
pub mod fault;
pub mod line;
pub mod message;
pub mod nexting;
pub mod plausible;
pub mod replay;
pub mod room;
pub mod shared_bus;
pub mod store;
pub mod supervision;
