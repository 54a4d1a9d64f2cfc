//! Promise: every public item of the library is used in an example that compiles.
//!
//! That examples compile and hold is what `cargo test --doc` checks; here is checked that there are any. A type or trait is
//! shown by any code block of its own documentation. Whatever else there is has to be called, in its own documentation or
//! in that of its type, trait, `impl` or module; and what takes no `self`, by the name of its type.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use osculate_lab::repository::repository;
use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::{Attribute, Expr, ExprLit, ImplItem, Item, Lit, Meta, Signature, TraitItem, Type, Visibility};

/// The code of examples as a flat row of tokens, without `use` lines: an import alone shows nothing.
type Tokens = Vec<String>;

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
            // Text is no code.
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

/// The examples in a documentation comment: the blocks of Rust that are compiled and not meant to fail.
fn examples(attributes: &[Attribute]) -> Tokens {
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
    // Every other piece between fences is a block, and begins with its language.
    for block in text.split("```").skip(1).step_by(2) {
        let (language, code) = block.split_once('\n').unwrap_or((block, ""));
        if language.split(',').all(|word| ["", "rust", "should_panic", "no_run"].contains(&word.trim())) {
            flatten(code.parse().unwrap_or_else(|error| panic!("{error} in the example\n{code}")), &mut tokens);
        }
    }
    without_imports(tokens)
}

/// How an item is used.
enum Use<'a> {
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
    fn is_in(&self, name: &str, tokens: &Tokens) -> bool {
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

/// The name that a path ends in, whatever the generic arguments after it.
fn path_before(tokens: &[String]) -> Option<&str> {
    let (mut end, mut open) = (tokens.len(), 0);
    for (at, token) in tokens.iter().enumerate().rev() {
        open += i32::from(token == ">") - i32::from(token == "<");
        if open == 0 {
            // With arguments, two colons stand before them.
            end = if token == "<" { at.checked_sub(2)? } else { at + 1 };
            break;
        }
    }
    tokens.get(end.checked_sub(1)?).map(String::as_str)
}

/// Looks through the items of one file.
#[derive(Default)]
struct Search {
    seen: usize,
    /// Lines and names of what is not shown.
    missing: Vec<(usize, String)>,
}

impl Search {
    fn check(&mut self, name: &Ident, owner: Option<&str>, usage: Use, examples: &[&Tokens]) {
        self.seen += 1;
        let text = name.to_string();
        if !examples.iter().any(|tokens| usage.is_in(&text, tokens)) {
            let path = owner.map_or(text.clone(), |owner| format!("{owner}::{text}"));
            self.missing.push((name.span().start().line, path));
        }
    }

    fn items(&mut self, items: &[Item], of_module: &Tokens) {
        let of_types: HashMap<_, _> = items.iter().filter_map(named).map(|(name, tokens, _)| (name, tokens)).collect();
        for item in items {
            if let Some((name, tokens, true)) = named(item) {
                // Values and methods of a type can be shown without its name.
                let called = matches!(item, Item::Fn(_) | Item::Const(_) | Item::Static(_));
                let usage = if called || tokens.is_empty() { Use::Name } else { Use::Any };
                self.check(name, None, usage, &[&tokens, of_module]);
            }
            match item {
                Item::Trait(item) if is_public(&item.vis) => {
                    let owner = item.ident.to_string();
                    let of_trait = examples(&item.attrs);
                    for item in &item.items {
                        let (name, attributes, usage) = match item {
                            TraitItem::Fn(item) => (&item.sig.ident, &item.attrs, usage(&item.sig, Use::OfTrait)),
                            TraitItem::Const(item) => (&item.ident, &item.attrs, Use::OfTrait),
                            _ => continue,
                        };
                        self.check(name, Some(&owner), usage, &[&examples(attributes), &of_trait, of_module]);
                    }
                }
                Item::Impl(item) if item.trait_.is_none() => {
                    let Type::Path(path) = &*item.self_ty else { continue };
                    let Some(owner) = path.path.segments.last().map(|segment| &segment.ident) else { continue };
                    let owner_text = owner.to_string();
                    let of_impl = examples(&item.attrs);
                    let none = Tokens::new();
                    let of_type = of_types.get(owner).unwrap_or(&none);
                    for item in &item.items {
                        let of_owner = Use::OfType(&owner_text);
                        let (name, attributes, usage) = match item {
                            ImplItem::Fn(item) if is_public(&item.vis) => {
                                (&item.sig.ident, &item.attrs, usage(&item.sig, of_owner))
                            }
                            ImplItem::Const(item) if is_public(&item.vis) => (&item.ident, &item.attrs, of_owner),
                            _ => continue,
                        };
                        let around = [&examples(attributes), &of_impl, of_type, of_module];
                        self.check(name, Some(&owner_text), usage, &around);
                    }
                }
                // What is private here cannot be named from outside; modules in files of their own are met there.
                Item::Mod(item) if is_public(&item.vis) => {
                    if let Some((_, items)) = &item.content {
                        self.items(items, &examples(&item.attrs));
                    }
                }
                _ => {}
            }
        }
    }
}

fn usage<'a>(signature: &Signature, without_self: Use<'a>) -> Use<'a> {
    if signature.receiver().is_some() { Use::Method } else { without_self }
}

/// Not `pub(crate)` nor anything narrower.
fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The name and examples of an item that needs some, and whether it is public.
fn named(item: &Item) -> Option<(&Ident, Tokens, bool)> {
    let (name, attributes, visibility) = match item {
        Item::Const(item) => (&item.ident, &item.attrs, &item.vis),
        Item::Enum(item) => (&item.ident, &item.attrs, &item.vis),
        Item::Fn(item) => (&item.sig.ident, &item.attrs, &item.vis),
        Item::Static(item) => (&item.ident, &item.attrs, &item.vis),
        Item::Struct(item) => (&item.ident, &item.attrs, &item.vis),
        Item::Trait(item) => (&item.ident, &item.attrs, &item.vis),
        Item::Type(item) => (&item.ident, &item.attrs, &item.vis),
        Item::Union(item) => (&item.ident, &item.attrs, &item.vis),
        _ => return None,
    };
    Some((name, examples(attributes), is_public(visibility)))
}

fn search(source: &str) -> Search {
    let file = syn::parse_file(source).unwrap();
    let mut search = Search::default();
    search.items(&file.items, &examples(&file.attrs));
    search
}

/// The modules in files of their own that a file hides from the documentation: public for other crates of this project.
fn hidden_modules(source: &str) -> Vec<String> {
    let file = syn::parse_file(source).unwrap();
    let is_hidden = |attribute: &Attribute| matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("doc") && list.tokens.to_string() == "hidden");
    let modules = file.items.iter().filter_map(|item| if let Item::Mod(item) = item { Some(item) } else { None });
    modules.filter(|item| item.attrs.iter().any(is_hidden)).map(|item| item.ident.to_string()).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let of = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    paths.into_iter().flat_map(of).filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn every_public_item_is_used_in_an_example() {
    let library = repository().join("core/src");
    let read = |path: &PathBuf| std::fs::read_to_string(path).unwrap();
    let (mut seen, mut missing) = (0, Vec::new());
    let all = sources(&library);
    let hidden: Vec<String> = all.iter().flat_map(|path| hidden_modules(&read(path))).collect();
    let is_hidden =
        |path: &&PathBuf| path.components().any(|part| hidden.iter().any(|name| part.as_os_str() == &**name));
    for path in all.iter().filter(|path| !is_hidden(path)) {
        let found = search(&read(path));
        let name = path.strip_prefix(&library).unwrap().display();
        seen += found.seen;
        missing.extend(found.missing.into_iter().map(|(line, item)| format!("core/src/{name}:{line}: {item}")));
    }
    println!("public items in examples: {} of {seen}", seen - missing.len());
    assert!(missing.is_empty(), "{} of {seen} are in no example:\n{}", missing.len(), missing.join("\n"));
    assert!(seen > 150, "only {seen} items: was the library looked through?");
}

#[test]
fn what_is_in_no_example_is_found() {
    let source = r#"
        /// ```
        /// use osculate::{Forgotten, Shown};
        /// let shown = Shown::<f32, 2>::new().grown(3);
        /// assert_eq!(Other::empty().shrunk, Shown::LEAST, "forgotten()");
        /// ```
        pub struct Shown;
        impl Shown {
            pub const LEAST: Self = Self;
            pub fn new() -> Self { Self }
            pub fn grown(self, by: u32) -> Self { self }
            pub fn empty() -> Self { Self }
            pub fn shrunk(self) -> Self { self }
            pub(crate) fn hidden(self) {}
        }
        /// ```compile_fail
        /// Forgotten;
        /// ```
        pub struct Forgotten;
        impl Default for Forgotten { fn default() -> Self { Self } }
        /// ```
        /// impl Habit for Shown { fn defined(&self) {} }
        /// Shown.called();
        /// ```
        pub trait Habit { fn called(&self); fn defined(&self); }
        mod private { pub fn inner() {} }
        #[cfg(test)]
        mod tests { pub fn helper() {} }
    "#;
    let found = search(source);
    let missing = found.missing.iter().map(|(line, item)| format!("{line} {item}"));
    let expected = ["12 Shown::empty", "13 Shown::shrunk", "19 Forgotten", "25 Habit::defined"];
    assert_eq!((found.seen, missing.collect::<Vec<_>>()), (10, expected.map(String::from).to_vec()));
}
