//! The required content of the pictures and the page.

use std::fs;

use roxmltree::Document;
use serde_json::json;

use super::figures::Figure;
use super::{missing, picture, table, write};

fn sample() -> Vec<Figure> {
    let line = |name: &str, ink: Option<usize>| json!({ "name": name, "points": [[1.0, 0.5], [10.0, 0.05], [100.0, 0.0]], "band": [[1.0, 0.4, 0.6], [10.0, 0.01, 0.1]], "ink": ink });
    let panel = |title: &str, log: bool| {
        json!({
            "title": title, "x": { "label": "episodes k", "log": log }, "y": { "label": "relative error", "log": log },
            "lines": [line("one <rule>", None), line("another", Some(0))],
        })
    };
    let claim = |measured: f64, met: bool, required: bool| {
        json!({ "what": "a number", "must": "at_most", "limit": 70.0, "measured": measured, "met": met, "required": required,
            "cells": ["≤ 70", measured.to_string(), if met { "yes" } else { "NO" }] })
    };
    let figure = |id: &str, claims: serde_json::Value| {
        json!({
            "id": id, "title": "A title", "caption": "What `tracking` does & why.", "rules": ["one"], "seeds": [0, 1],
            "panels": [panel("a", true), panel("b", false), panel("c", true)], "claims": claims,
            "results": [{ "quantity": "error", "rule": "one", "median": 0.5, "least": 0.25, "most": null }],
        })
    };
    let figures = json!([
        figure("1a", json!([claim(54.5, true, true)])),
        figure("2a", json!([claim(80.0, false, false), claim(90.0, false, true)])),
    ]);
    serde_json::from_value(figures).unwrap()
}

#[test]
fn figures_are_labelled_and_the_page_needs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("paper");
    fs::create_dir(&out).unwrap();
    let page = fs::read_to_string(write(&sample(), "cargo xtask paper", &out).unwrap()).unwrap();
    for id in ["1a", "2a"] {
        let svg = fs::read_to_string(out.join(id).with_extension("svg")).unwrap();
        let document = Document::parse(&svg).unwrap();
        let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
        for label in ["A title", "episodes k", "relative error", "one <rule>", "another", "10", "0.1"] {
            assert!(texts.contains(&label), "{label} is missing in {id}");
        }
        assert!(svg.contains("prefers-color-scheme: dark") && !svg.contains("NaN") && !svg.contains("inf"));
        // Nothing is drawn outside of the picture.
        let root = document.root_element();
        let number =
            |node: roxmltree::Node<'_, '_>, name: &str| node.attribute(name).and_then(|text| text.parse::<f64>().ok());
        for node in document.descendants().filter(|node| node.has_tag_name("text")) {
            assert!(number(node, "x").unwrap() < number(root, "width").unwrap());
            assert!(number(node, "y").unwrap() < number(root, "height").unwrap());
        }
    }
    assert!(page.contains("<code>tracking</code> does &amp; why") && page.matches("<svg").count() == 6);
    assert!(page.contains("width=device-width") && page.contains("prefers-color-scheme: dark"));
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for link in ["http", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(link), "{link} in the page");
    }
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary[0]["must_show"][0]["measured"], 54.5);
    assert!(summary[1]["results"][0]["median"] == 0.5 && summary[0].get("panels").is_none());
}

#[test]
fn only_what_is_required_and_not_shown_is_an_error() {
    let figures = sample();
    assert_eq!(missing(&figures), ["2a: a number is 90, must be ≤ 70"]);
    let table = table(&figures);
    assert!(table.contains("| 1a ") && table.contains("| NO ") && table.contains("| ≤ 70 "), "{table}");
}

#[test]
fn each_colour_has_different_dashes_for_its_lines() {
    let svg = picture::of_panel(&sample()[0].panels[0]);
    assert_eq!(svg.matches("stroke-dasharray=\"7 4\"").count(), 2, "the second line and its legend entry");
}
