//! What the rules reach, and that the documents say so. What proves a release but not a change runs with `OSCULATE_ALL=1`,
//! which `cargo xtask test --all` sets: the documents' tables, all of their seeds and problems. To accept a change there:
//! `UPDATE_DOCS=1 OSCULATE_ALL=1 cargo test -p osculate-experiments`.

mod control;
mod drift;
mod paper;
mod rivals;
mod rules;
