//! The code in doc comments, and the items that it uses.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The code of examples as a flat list of tokens, without `use` lines: an import alone shows nothing.
pub(super) type Tokens = Vec<String>;

fn flatten(stream: TokenStream, tokens: &mut Tokens) {
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                tokens.push("(".into());
                flatten(group.stream(), tokens);
                tokens.push(")".into());
            }
            TokenTree::Ident(ident) => tokens.push(ident.to_string()),
            TokenTree::Punct(punct) => tokens.push(punct.as_char().into()),
            // String literals are not code.
            TokenTree::Literal(_) => tokens.push("literal".into()),
        }
    }
}

fn without_imports(tokens: Tokens) -> Tokens {
    let mut importing = false;
    let mut kept = Tokens::new();
    for token in tokens {
        importing |= token == "use";
        if !importing {
            kept.push(token);
        } else if token == ";" {
            importing = false;
        }
    }
    kept
}

/// The examples in a doc comment: Rust blocks that are compiled and expected to pass.
pub(super) fn examples(attributes: &[Attribute]) -> Tokens {
    let mut text = String::new();
    for attribute in attributes {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &pair.value
        {
            text += &(line.value() + "\n");
        }
    }
    let mut tokens = Tokens::new();
    // Every other piece between fences is a block that starts with its language.
    for block in text.split("```").skip(1).step_by(2) {
        let (language, code) = block.split_once('\n').unwrap_or((block, ""));
        if language.split(',').all(|word| ["", "rust", "should_panic", "no_run"].contains(&word.trim())) {
            flatten(code.parse().unwrap_or_else(|error| panic!("{error} in the example\n{code}")), &mut tokens);
        }
    }
    without_imports(tokens)
}

/// How an item is used.
pub(super) enum Use<'a> {
    /// In any way.
    Any,
    /// By its name.
    Name,
    /// `x.name(…)` or `Any::name`.
    Method,
    /// `Any::name`.
    OfTrait,
    /// `Type::name` or `Type::<…>::name`.
    OfType(&'a str),
}

impl Use<'_> {
    pub(super) fn is_in(&self, name: &str, tokens: &Tokens) -> bool {
        let named = |token: &str| token == name || matches!(self, Self::Any);
        tokens.iter().enumerate().any(|(at, token)| named(token) && self.is_at(at, tokens))
    }

    fn is_at(&self, at: usize, tokens: &Tokens) -> bool {
        let before = |n: usize| at.checked_sub(n).map_or("", |at| tokens[at].as_str());
        let after = tokens.get(at + 1).map_or("", String::as_str);
        let by_path = before(1) == ":" && before(2) == ":";
        match self {
            Self::Any => true,
            Self::Name => !["fn", "struct", "enum", "trait", "type", "."].contains(&before(1)),
            Self::Method => by_path || before(1) == "." && ["(", ":"].contains(&after),
            Self::OfTrait => by_path,
            Self::OfType(owner) => by_path && path_before(&tokens[..at - 2]) == Some(owner),
        }
    }
}

/// The last name of a path, ignoring any generic arguments after it.
fn path_before(tokens: &[String]) -> Option<&str> {
    let (mut end, mut open) = (tokens.len(), 0);
    for (at, token) in tokens.iter().enumerate().rev() {
        open += i32::from(token == ">") - i32::from(token == "<");
        if open == 0 {
            // Generic arguments are preceded by two colons.
            end = if token == "<" { at.checked_sub(2)? } else { at + 1 };
            break;
        }
    }
    tokens.get(end.checked_sub(1)?).map(String::as_str)
}
