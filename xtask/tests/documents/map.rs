//! What the pages name is there: files and folders, and, on the page that maps the paper to the code, every item in its
//! file.

use std::collections::BTreeSet;

use osculate_lab::repository::repository;

use crate::{defined, pages, read};

/// The text in backticks in a line.
fn code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// A path from the root of the repository, whose first folder is there.
fn is_path(word: &str) -> bool {
    let first = word.split_once('/').map_or("", |(first, _)| first);
    let is_plain = |name: &str| name.bytes().all(|c| c.is_ascii_lowercase() || c == b'-');
    !first.is_empty()
        && is_plain(first)
        && first != "target"
        && !word.contains(' ')
        && repository().join(first).is_dir()
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

/// Whether a source file defines an item, or a member that is named after its type.
fn has(source: &str, item: &str) -> bool {
    let (owner, name) = item.rsplit_once("::").unwrap_or((item, item));
    let is_owner = |line: &str| {
        defined(line) == Some(owner)
            || line.starts_with("impl")
                && line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == owner)
    };
    // The block of an item ends where a line begins with a brace.
    let mut lines = source.lines();
    while lines.by_ref().any(|line| !line.starts_with(' ') && is_owner(line)) {
        if owner == name
            || lines.by_ref().take_while(|line| !line.starts_with('}')).any(|line| defined(line) == Some(name))
        {
            return true;
        }
    }
    false
}

#[test]
fn every_item_of_the_paper_map_is_in_its_file() {
    let page = read("docs/paper-map.md");
    let named = named(&page);
    for (file, item) in &named {
        assert!(has(&read(file), item), "docs/paper-map.md: {file} has no {item}");
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
    let ends = |part: &str| part.split('–').filter_map(|number| number.trim().parse().ok()).collect::<Vec<u32>>();
    cell.split(", ").map(ends).filter_map(|ends| Some(*ends.first()?..=*ends.last()?)).flatten().collect()
}

/// The algorithms of the paper have 12 and 14 numbered lines.
#[test]
fn every_line_of_the_algorithms_is_mapped() {
    let page = read("docs/paper-map.md");
    for (algorithm, last) in [("SIM ", 12), ("TP ", 14)] {
        let rows: Vec<&str> = rows(&page, algorithm).collect();
        assert!(rows.iter().all(|row| !named(row).is_empty()), "no item in one of {rows:?}");
        let cells = rows.iter().filter_map(|row| row.split('|').nth(1)?.trim().strip_prefix(algorithm));
        assert_eq!(cells.flat_map(numbers).collect::<Vec<_>>(), Vec::from_iter(1..=last), "algorithm {algorithm}");
    }
    assert_eq!((numbers("1, 2"), numbers("6–8")), (vec![1, 2], vec![6, 7, 8]));
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
fn every_figure_is_mapped_and_every_picture_is_on_its_page() {
    let page = read("docs/paper-map.md");
    for figure in FIGURES {
        let row = rows(&page, figure).next().unwrap_or_else(|| panic!("there is no {figure}"));
        assert!(!named(row).is_empty(), "no item in: {row}");
    }
    let pictures: BTreeSet<&str> = page.lines().flat_map(code).filter_map(|word| word.strip_suffix(".svg")).collect();
    let paper = read("docs/paper.md");
    let table = paper.split("<!-- from here: cargo xtask paper -->\n").nth(1).expect("the table of what figures show");
    let figures = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    assert_eq!(pictures, figures.filter_map(|row| Some(row.split('|').nth(1)?.trim())).collect());
}

#[test]
fn every_path_on_the_pages_is_there() {
    let mut seen = 0;
    for (page, text) in pages() {
        for path in text.lines().flat_map(code).filter(|word| is_path(word)) {
            assert!(repository().join(path).exists(), "{page}: there is no {path}");
            seen += 1;
        }
    }
    println!("paths on the pages that are there: {seen}");
    assert!(seen >= 25, "only {seen} paths");
}

#[test]
fn items_are_read_from_a_page_and_from_a_source() {
    let page = "| a | `core/a.rs`: `one`, `Two::three`; `docs/b` with `Four` | `five` |\n`core/c.rs`: six, `seven`";
    assert_eq!(named(page), [("core/a.rs", "one"), ("core/a.rs", "Two::three")]);
    let source = "pub fn one() {\n    two();\n}\n\nimpl<A> Three<A> {\n    pub const fn four() {}\n}\n\nenum Five {\n    Six,\n}\n";
    assert!(["one", "Three::four", "Five", "Five::Six"].iter().all(|item| has(source, item)));
    assert!(!["two", "four", "Five::four", "Three::Six"].iter().any(|item| has(source, item)));
}
