//! Rules and arithmetics on the command line, by name.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use osculate_apps::choice::{Arith, Rule};

/// `paper`, `predictable`, …
pub(crate) fn rules() -> impl TypedValueParser<Value = Rule> {
    named(|_| true)
}

/// The rules that learn from episodes.
pub(crate) fn episodic_rules() -> impl TypedValueParser<Value = Rule> {
    named(Rule::is_episodic)
}

/// The rules that need no log of an episode.
pub(crate) fn rules_without_log() -> impl TypedValueParser<Value = Rule> {
    named(|rule| matches!(rule, Rule::Streaming | Rule::Tracking))
}

fn named(choice: fn(Rule) -> bool) -> impl TypedValueParser<Value = Rule> {
    let names = Rule::NAMES.into_iter().filter(|(_, rule)| choice(*rule)).map(|(name, _)| name);
    // The parser accepts no other name.
    PossibleValuesParser::new(names).map(|name| Rule::named(&name).unwrap_or(Rule::Paper))
}

/// `f32` and `q28`: the arithmetics that the room's firmware can be built for.
pub(crate) fn arithmetics() -> impl TypedValueParser<Value = Arith> {
    let names = [Arith::F32, Arith::Q28].map(Arith::name);
    PossibleValuesParser::new(names).map(|name| if name == Arith::Q28.name() { Arith::Q28 } else { Arith::F32 })
}
