//! Promise: everything that the documentation pages name exists: files and folders, and, on the page that maps the
//! paper to the code, every item in its file.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use osculate_lab::repository::repository;
use syn::{Fields, ImplItem, Item, TraitItem, Type};

/// The folders whose files are named by their path from the root.
const FOLDERS: [&str; 7] = ["apps/", "core/", "docs/", "firmware/", "host-tests/", "lab/", "xtask/"];

/// The text in backticks in a line.
fn code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn is_path(word: &str) -> bool {
    FOLDERS.iter().any(|folder| word.starts_with(folder)) && !word.contains(' ')
}

/// The items of a page: each one that follows a file, a colon and possibly other items, as in "`file.rs`: `one`,
/// `Type::two`".
fn named(page: &str) -> Vec<(&str, &str)> {
    let mut items = Vec::new();
    for line in page.lines() {
        let mut file = None;
        // Splitting at backticks alternates between text and code.
        let mut parts = line.split('`');
        let mut before = parts.next().unwrap_or_default();
        while let (Some(code), Some(after)) = (parts.next(), parts.next()) {
            file = match file {
                _ if is_path(code) => (after == ": ").then_some(code),
                Some(file) if before == ": " || before == ", " => {
                    items.push((file, code));
                    Some(file)
                }
                _ => None,
            };
            before = after;
        }
    }
    items
}

/// Every item of a source file, and its members as `Owner::name`: methods, fields, variants.
fn items(source: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in syn::parse_file(source).unwrap().items {
        let (owner, parts): (String, Vec<String>) = match item {
            Item::Fn(item) => (item.sig.ident.to_string(), Vec::new()),
            Item::Struct(item) => (item.ident.to_string(), fields(&item.fields)),
            Item::Enum(item) => {
                (item.ident.to_string(), item.variants.iter().map(|variant| variant.ident.to_string()).collect())
            }
            Item::Trait(item) => {
                let functions = item.items.iter().filter_map(|item| match item {
                    TraitItem::Fn(item) => Some(item.sig.ident.to_string()),
                    _ => None,
                });
                (item.ident.to_string(), functions.collect())
            }
            Item::Impl(item) => {
                let Type::Path(path) = &*item.self_ty else { continue };
                let parts = item.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(item) => Some(item.sig.ident.to_string()),
                    ImplItem::Const(item) => Some(item.ident.to_string()),
                    _ => None,
                });
                let parts = parts.collect();
                (path.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default(), parts)
            }
            _ => continue,
        };
        names.extend(parts.iter().map(|part| format!("{owner}::{part}")));
        names.insert(owner);
    }
    names
}

fn fields(fields: &Fields) -> Vec<String> {
    fields.iter().filter_map(|field| field.ident.as_ref()).map(ToString::to_string).collect()
}

#[test]
fn every_item_of_the_paper_map_is_in_its_file() {
    let page = fs::read_to_string(repository().join("docs/paper-map.md")).unwrap();
    let named = named(&page);
    for (file, item) in &named {
        let source = fs::read_to_string(repository().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(items(&source).contains(*item), "docs/paper-map.md: {file} has no {item}");
    }
    println!("items of the paper map that are where it says: {}", named.len());
    assert!(named.len() >= 25, "only {} items: has the page another form?", named.len());
}

/// The lines of a page that begin with one of these cells.
fn rows<'a>(page: &'a str, first: &'a str) -> impl Iterator<Item = &'a str> {
    page.lines().filter(move |line| line.split('|').nth(1).is_some_and(|cell| cell.trim().starts_with(first)))
}

/// The numbers in a cell such as "TP 6–8" or "SIM 11, 12".
fn numbers(cell: &str) -> Vec<u32> {
    let parts: Vec<Vec<u32>> = cell
        .split(", ")
        .map(|part| part.split('–').filter_map(|number| number.trim().parse().ok()).collect())
        .collect();
    parts.iter().flat_map(|ends| ends.first().zip(ends.last())).flat_map(|(first, last)| *first..=*last).collect()
}

/// The algorithms of the paper have 12 and 14 numbered lines.
#[test]
fn every_line_of_the_algorithms_is_mapped() {
    let page = fs::read_to_string(repository().join("docs/paper-map.md")).unwrap();
    for (algorithm, last) in [("SIM ", 12), ("TP ", 14)] {
        let rows: Vec<&str> = rows(&page, algorithm).collect();
        for row in &rows {
            assert!(!named(row).is_empty(), "no item in: {row}");
        }
        let cells = rows.iter().filter_map(|row| row.split('|').nth(1)?.trim().strip_prefix(algorithm));
        assert_eq!(cells.flat_map(numbers).collect::<Vec<_>>(), Vec::from_iter(1..=last), "algorithm {algorithm}");
    }
    assert_eq!(numbers("1, 2"), [1, 2]);
    assert_eq!(numbers("6–8"), [6, 7, 8]);
}

/// The figures of the paper by what their rows begin with; the first four, β and the toy example are experiments.
const FIGURES: [&str; 8] = [
    "1a, ",
    "1b, ",
    "illustration of the curvature step",
    "2a, ",
    "2b, ",
    "appendix, comparison of β, non-stochastic and stochastic",
    "toy example",
    "illustrations of least squares as a projection and of the distances to hyperplanes",
];

#[test]
fn every_figure_is_mapped_and_every_picture_is_in_the_map() {
    let page = fs::read_to_string(repository().join("docs/paper-map.md")).unwrap();
    for figure in FIGURES {
        let row = rows(&page, figure).next().unwrap_or_else(|| panic!("there is no {figure}"));
        assert!(!named(row).is_empty(), "no item in: {row}");
    }
    let pictures: BTreeSet<&str> = page.lines().flat_map(code).filter_map(|word| word.strip_suffix(".svg")).collect();
    assert_eq!(pictures, BTreeSet::from(osculate_host_tests::paper::FIGURES));
}

#[test]
fn every_path_in_the_documentation_is_there() {
    let mut pages: Vec<PathBuf> = vec![repository().join("README.md"), repository().join("CHANGELOG.md")];
    pages.extend(fs::read_dir(repository().join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    let mut seen = 0;
    for page in pages.iter().filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        let text = fs::read_to_string(page).unwrap();
        for path in text.lines().flat_map(code).filter(|word| is_path(word)) {
            assert!(repository().join(path).exists(), "{}: there is no {path}", page.display());
            seen += 1;
        }
    }
    println!("paths in the documentation that are there: {seen}");
    assert!(seen >= 25, "only {seen} paths");
}

#[test]
fn items_are_read_from_a_page_and_from_a_source() {
    let page = "| a | `core/a.rs`: `one`, `Two::three`; `docs/b` with `Four` | `five` |\n`core/c.rs`: six, `seven`";
    assert_eq!(named(page), [("core/a.rs", "one"), ("core/a.rs", "Two::three")]);
    let source = "fn one() {} struct Two { three: u8 } impl Two { fn four() {} const FIVE: u8 = 5; } enum Five { Six } mod m { fn seven() {} }";
    assert_eq!(
        Vec::from_iter(items(source)),
        ["Five", "Five::Six", "Two", "Two::FIVE", "Two::four", "Two::three", "one"]
    );
}
