//! Rules, arithmetics and houses on the command line, by name.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use osculate_apps::choice::{Arith, Rule};
use osculate_lab::room::plant::Houses;

/// `paper`, `predictable`, …
pub(crate) fn rules() -> impl TypedValueParser<Value = Rule> {
    // The parser accepts no other name.
    PossibleValuesParser::new(Rule::NAMES.map(|(name, _)| name)).map(|name| Rule::named(&name).unwrap_or(Rule::Paper))
}

/// `f32` and `q28`: the arithmetics that the room's firmware can be built for.
pub(crate) fn arithmetics() -> impl TypedValueParser<Value = Arith> {
    let names = [Arith::F32, Arith::Q28].map(Arith::name);
    PossibleValuesParser::new(names).map(|name| if name == Arith::Q28.name() { Arith::Q28 } else { Arith::F32 })
}

/// `near` and `wild`.
pub(crate) fn houses() -> impl TypedValueParser<Value = Houses> {
    let names = Houses::ALL.map(Houses::name);
    PossibleValuesParser::new(names).map(|name| if name == Houses::Wild.name() { Houses::Wild } else { Houses::Near })
}
