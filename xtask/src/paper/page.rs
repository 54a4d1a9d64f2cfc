//! The page: every figure with its caption, what it must show, and its numbers.

use osculate_lab::numbers::short;

use super::figures::{Claim, Figure};
use super::picture;
use crate::drawing::ink;
use crate::drawing::svg::escaped;

pub(super) const TITLE: &str = "The paper's figures, made by this code";

const STYLE: &str = "
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 1040px; font: 16px/1.55 'Noto Sans', 'Segoe UI', Helvetica, Arial, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 0.2rem; }
h2 small { font-weight: 400; opacity: 0.65; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 0 1rem; }
.charts svg { width: 100%; max-width: 600px; height: auto; display: block; }
figure { margin: 0; }
figcaption, p { max-width: 46rem; }
table { border-collapse: collapse; margin: 0.8rem 0; font-size: 0.9rem; }
th, td { text-align: left; padding: 0.25rem 0.7rem 0.25rem 0; border-bottom: 1px solid; vertical-align: top; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
@media (max-width: 480px) { table { font-size: 0.8rem; } th, td { padding-right: 0.4rem; } }
summary { cursor: pointer; }
pre { padding: 0.8rem 1rem; overflow-x: auto; border: 1px solid; border-radius: 6px; }
";

/// The whole page; `command` repeats it.
pub(super) fn html(figures: &[Figure], command: &str) -> String {
    let style = STYLE.to_owned() + &ink::page_css();
    let claims: String =
        figures.iter().flat_map(|figure| figure.claims.iter().map(move |claim| row(&figure.id, claim))).collect();
    let figures: String = figures.iter().map(section).collect();
    let command = escaped(command);
    format!(
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{TITLE}</title>
<style>{style}</style>
</head>
<body>
<h1>{TITLE}</h1>
<p>Rahul Madhavan and Hemanta Makwana, <i>Scale Invariant Monte Carlo under Linear Function Approximation with Curvature based
Step-size</i>: every experiment of the paper, and some that it leaves open, run by the learners of this crate on this machine, in
f64, f32 and fixed point.</p>
{figures}<h2>What the figures must show</h2>
<div class="scroll">
<table>
<tr><th>figure</th><th>measured quantity</th><th>must be</th><th>is</th><th></th></tr>
{claims}</table>
</div>
<p>The same again:</p>
<pre>{command}</pre>
</body>
</html>
"#
    )
}

fn row(id: &str, claim: &Claim) -> String {
    let what = escaped(&claim.what);
    let [bound, measured, verdict] = claim.cells.each_ref().map(|cell| escaped(cell));
    format!(
        "<tr><td class=\"number\">{id}</td><td>{what}</td><td class=\"number\">{bound}</td><td class=\"number\">{measured}</td><td>{verdict}</td></tr>\n"
    )
}

fn section(figure: &Figure) -> String {
    let charts: String = figure.panels.iter().map(picture::of_panel).collect();
    let (id, title) = (escaped(&figure.id), escaped(&figure.title));
    let caption = code(&escaped(&figure.caption));
    let results: String = figure.results.iter().map(result).collect();
    format!(
        "<h2>{title} <small>{id}</small></h2>\n<figure>\n<div class=\"charts\">\n{charts}</div>\n<figcaption>{caption}</figcaption>\n</figure>\n\
         <details><summary>numbers</summary>\n<div class=\"scroll\">\n<table>\n<tr><th>quantity</th><th>rule</th><th>median</th><th>from … to</th></tr>\n\
         {results}</table>\n</div>\n</details>\n"
    )
}

/// Backticks as in the documentation.
fn code(text: &str) -> String {
    let tagged =
        |(index, part): (usize, &str)| if index % 2 == 1 { format!("<code>{part}</code>") } else { part.into() };
    text.split('`').enumerate().map(tagged).collect()
}

fn result(result: &serde_json::Value) -> String {
    let text = |key: &str| escaped(result[key].as_str().unwrap_or_default());
    let value = |key: &str| result[key].as_f64().map_or("–".into(), short);
    format!(
        "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{} … {}</td></tr>\n",
        text("quantity"),
        text("rule"),
        value("median"),
        value("least"),
        value("most")
    )
}
