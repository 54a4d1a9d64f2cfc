//! Everything that a user of the library can name: its modules, and their public items that are not hidden from the
//! documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::Ident;
use syn::{Attribute, Item, Meta, Type, UseTree, Visibility};

use crate::examples::{Tokens, examples};

/// A file, or a module within one.
pub(super) struct Module {
    pub(super) file: PathBuf,
    /// The examples in its own documentation.
    pub(super) examples: Tokens,
    pub(super) items: Vec<Item>,
    children: BTreeMap<String, Module>,
}

/// A module, as a path of names.
pub(super) type Place = Vec<String>;

/// What a name refers to.
enum Found {
    Item(Place, String),
    Module(Place),
}

impl Module {
    /// The library with this root file.
    pub(super) fn load(file: &Path) -> Self {
        let parsed = syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap();
        let folder = match file.file_stem().and_then(|stem| stem.to_str()) {
            Some("lib" | "mod") => file.with_file_name(""),
            _ => file.with_extension(""),
        };
        Self::new(file.into(), &folder, examples(&parsed.attrs), parsed.items)
    }

    pub(super) fn new(file: PathBuf, folder: &Path, examples_here: Tokens, mut items: Vec<Item>) -> Self {
        let mut children = BTreeMap::new();
        for item in &mut items {
            let Item::Mod(module) = item else { continue };
            let name = module.ident.to_string();
            let child = match module.content.take() {
                Some((_, items)) => Self::new(file.clone(), &folder.join(&name), examples(&module.attrs), items),
                None => {
                    let alone = folder.join(format!("{name}.rs"));
                    let with_others = folder.join(&name).join("mod.rs");
                    Self::load(if alone.exists() { &alone } else { &with_others })
                }
            };
            children.insert(name, child);
        }
        Self { file, examples: examples_here, items, children }
    }

    fn at(&self, place: &[String]) -> &Self {
        place.iter().fold(self, |module, name| &module.children[name])
    }

    /// All modules, each with its path.
    pub(super) fn all(&self) -> Vec<(Place, &Self)> {
        let mut all = vec![(Place::new(), self)];
        for (name, child) in &self.children {
            let within = child.all().into_iter();
            all.extend(within.map(|(place, module)| ([vec![name.clone()], place].concat(), module)));
        }
        all
    }

    /// The items that can be named from outside, by defining module and name.
    pub(super) fn public_items(&self) -> BTreeSet<(Place, String)> {
        let mut shown = BTreeSet::new();
        self.show(&Place::new(), &mut shown);
        shown
    }

    fn show(&self, place: &Place, shown: &mut BTreeSet<(Place, String)>) {
        for item in &self.at(place).items {
            let Some((visibility, attributes)) = access(item) else { continue };
            if !is_public(visibility) || is_hidden(attributes) {
                continue;
            }
            match item {
                Item::Mod(module) => self.show(&[&place[..], &[module.ident.to_string()]].concat(), shown),
                Item::Use(item) => {
                    for (path, _) in leaves(&item.tree) {
                        match self.find(place, &path) {
                            Some(Found::Item(place, name)) => _ = shown.insert((place, name)),
                            Some(Found::Module(place)) => self.show(&place, shown),
                            // From another crate.
                            None => {}
                        }
                    }
                }
                _ => _ = name(item).map(|name| shown.insert((place.clone(), name.to_string()))),
            }
        }
    }

    /// The module that defines the type of an `impl`.
    pub(super) fn owner(&self, place: &Place, of: &Type) -> Option<(Place, String)> {
        let Type::Path(path) = of else { return None };
        let path: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        match self.find(place, &path)? {
            Found::Item(place, name) => Some((place, name)),
            Found::Module(_) => None,
        }
    }

    fn find(&self, from: &Place, path: &[String]) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        let module = self.at(from);
        let there = match first.as_str() {
            "crate" => Place::new(),
            "self" => from.clone(),
            "super" => from.split_last()?.1.to_vec(),
            child if module.children.contains_key(child) => [&from[..], &[child.into()]].concat(),
            own if rest.is_empty() && module.items.iter().any(|item| name(item).is_some_and(|name| name == own)) => {
                return Some(Found::Item(from.clone(), own.into()));
            }
            imported => {
                let imports =
                    module.items.iter().filter_map(|item| if let Item::Use(item) = item { Some(item) } else { None });
                let (path, _) = imports.flat_map(|item| leaves(&item.tree)).find(|(_, name)| name == imported)?;
                // Following an import by its own name would not terminate.
                return if path[..] == [imported] { None } else { self.find(from, &[&path[..], rest].concat()) };
            }
        };
        if rest.is_empty() { Some(Found::Module(there)) } else { self.find(&there, rest) }
    }
}

/// The paths that a `use` imports, each with its local name.
fn leaves(tree: &UseTree) -> Vec<(Vec<String>, String)> {
    match tree {
        UseTree::Path(path) => {
            let longer = |(rest, name): (Vec<String>, String)| ([vec![path.ident.to_string()], rest].concat(), name);
            leaves(&path.tree).into_iter().map(longer).collect()
        }
        UseTree::Name(name) if name.ident == "self" => Vec::new(),
        UseTree::Name(name) => vec![(vec![name.ident.to_string()], name.ident.to_string())],
        UseTree::Rename(rename) => vec![(vec![rename.ident.to_string()], rename.rename.to_string())],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        UseTree::Glob(_) => panic!("what a glob imports is not looked for"),
    }
}

/// Not `pub(crate)` or narrower.
pub(super) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Public only for other crates of this project.
pub(super) fn is_hidden(attributes: &[Attribute]) -> bool {
    let hides = |attribute: &Attribute| matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("doc") && list.tokens.to_string() == "hidden");
    attributes.iter().any(hides)
}

/// The name of an item that needs an example.
pub(super) fn name(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

/// The visibility of an item, and its attributes.
pub(super) fn access(item: &Item) -> Option<(&Visibility, &[Attribute])> {
    match item {
        Item::Const(item) => Some((&item.vis, &item.attrs)),
        Item::Enum(item) => Some((&item.vis, &item.attrs)),
        Item::Fn(item) => Some((&item.vis, &item.attrs)),
        Item::Mod(item) => Some((&item.vis, &item.attrs)),
        Item::Static(item) => Some((&item.vis, &item.attrs)),
        Item::Struct(item) => Some((&item.vis, &item.attrs)),
        Item::Trait(item) => Some((&item.vis, &item.attrs)),
        Item::Type(item) => Some((&item.vis, &item.attrs)),
        Item::Union(item) => Some((&item.vis, &item.attrs)),
        Item::Use(item) => Some((&item.vis, &item.attrs)),
        _ => None,
    }
}
