//! Promise: a file that is flashed holds exactly what was linked, and an image that cannot start on its board is not
//! flashed. Every check has been seen to fail.

mod crafted;

mod chips;
mod layout;
