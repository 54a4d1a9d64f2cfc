//! Promise: a saved state continues bit for bit, even from the middle of an episode. Anything but a complete state of
//! the same kind is refused with the reason, and changes nothing. The bytes are those of `docs/checkpoint-format.md`.

mod bytes;
mod kinds;
mod layout;
mod models;
mod refused;
mod resumed;
mod script;
mod subject;
