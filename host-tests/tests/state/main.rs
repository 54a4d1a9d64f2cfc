//! Promise: a saved state goes on bit for bit, from the middle of an episode, too. What is not a whole state of the same kind
//! is refused with the reason, and changes nothing. The bytes are those of `docs/checkpoint-format.md`.

mod bytes;
mod kinds;
mod layout;
mod refused;
mod resumed;
mod script;
mod subject;
