//! Public items, and whether an example shows them.

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;

use proc_macro2::Ident;
use syn::{Attribute, ImplItem, Item, ItemImpl, ItemTrait, Signature, TraitItem};

use crate::examples::{Tokens, Use, examples};
use crate::library::{Module, Place, access, is_hidden, is_public, name};

/// A public item.
pub(super) struct PublicItem {
    file: PathBuf,
    pub(super) line: usize,
    /// Its name, prefixed with that of its type or trait.
    pub(super) path: String,
    pub(super) kind: &'static str,
    /// Whether an example shows it.
    pub(super) shown: bool,
}

impl fmt::Display for PublicItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.path)
    }
}

/// All public items of a library.
pub(super) fn search(library: &Module) -> Vec<PublicItem> {
    let public = library.public_items();
    let modules = library.all();
    let of_items: HashMap<(Place, String), Tokens> = modules
        .iter()
        .flat_map(|(place, module)| module.items.iter().map(move |item| (place, item)))
        .filter_map(|(place, item)| Some(((place.clone(), name(item)?.to_string()), examples(access(item)?.1))))
        .collect();
    let mut found = Vec::new();
    for (place, module) in &modules {
        let mut search = Search { module, found: &mut found };
        for item in &module.items {
            let named = name(item).filter(|name| public.contains(&(place.clone(), name.to_string())));
            if let Some(name) = named {
                search.item(item, name, &of_items[&(place.clone(), name.to_string())]);
            }
            match item {
                Item::Trait(item) if named.is_some() => search.trait_items(item),
                Item::Impl(item) if item.trait_.is_none() => {
                    if let Some(owner) = library.owner(place, &item.self_ty).filter(|owner| public.contains(owner)) {
                        search.methods(item, &owner.1, &of_items[&owner]);
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// Searches the items of one module.
struct Search<'l> {
    module: &'l Module,
    found: &'l mut Vec<PublicItem>,
}

impl Search<'_> {
    fn add(&mut self, name: &Ident, owner: Option<&str>, kind: &'static str, usage: &Use, around: &[&Tokens]) {
        let text = name.to_string();
        let shown = around.iter().copied().chain([&self.module.examples]).any(|tokens| usage.is_in(&text, tokens));
        let path = owner.map_or(text.clone(), |owner| format!("{owner}::{text}"));
        let (file, line) = (self.module.file.clone(), name.span().start().line);
        self.found.push(PublicItem { file, line, path, kind, shown });
    }

    fn item(&mut self, item: &Item, name: &Ident, of_item: &Tokens) {
        // Values and methods of a type can be shown without its name.
        let called = matches!(item, Item::Fn(_) | Item::Const(_) | Item::Static(_));
        let usage = if called || of_item.is_empty() { Use::Name } else { Use::Any };
        self.add(name, None, kind(item), &usage, &[of_item]);
    }

    fn trait_items(&mut self, item: &ItemTrait) {
        let (owner, of_trait) = (item.ident.to_string(), examples(&item.attrs));
        for item in &item.items {
            let (name, attributes, kind, usage): (_, &[Attribute], _, _) = match item {
                TraitItem::Fn(item) => (&item.sig.ident, &item.attrs, "trait method", usage(&item.sig, Use::OfTrait)),
                TraitItem::Const(item) => (&item.ident, &item.attrs, "trait constant", Use::OfTrait),
                _ => continue,
            };
            if !is_hidden(attributes) {
                self.add(name, Some(&owner), kind, &usage, &[&examples(attributes), &of_trait]);
            }
        }
    }

    fn methods(&mut self, item: &ItemImpl, owner: &str, of_type: &Tokens) {
        let of_impl = examples(&item.attrs);
        for item in &item.items {
            let of_owner = Use::OfType(owner);
            let (name, attributes, kind, usage): (_, &[Attribute], _, _) = match item {
                ImplItem::Fn(item) if is_public(&item.vis) => {
                    (&item.sig.ident, &item.attrs, "method", usage(&item.sig, of_owner))
                }
                ImplItem::Const(item) if is_public(&item.vis) => {
                    (&item.ident, &item.attrs, "associated constant", of_owner)
                }
                _ => continue,
            };
            if !is_hidden(attributes) {
                self.add(name, Some(owner), kind, &usage, &[&examples(attributes), &of_impl, of_type]);
            }
        }
    }
}

fn usage<'a>(signature: &Signature, without_self: Use<'a>) -> Use<'a> {
    if signature.receiver().is_some() { Use::Method } else { without_self }
}

fn kind(item: &Item) -> &'static str {
    match item {
        Item::Const(_) | Item::Static(_) => "constant",
        Item::Enum(_) => "enum",
        Item::Fn(_) => "function",
        Item::Trait(_) => "trait",
        Item::Type(_) => "type alias",
        _ => "struct",
    }
}
