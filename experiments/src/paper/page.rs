//! The page: every figure with its caption, what it must show, and its numbers.

use osculate_lab::drawing::page::{self, code, row};
use osculate_lab::drawing::picture;
use osculate_lab::numbers::short;

use super::{Figure, claims};
use crate::curves::Summary;

const TITLE: &str = "The paper's figures, made by this code";

const STYLE: &str = "
body { max-width: 1040px; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 0.2rem; }
h2 small { font-weight: 400; opacity: 0.65; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 0 1rem; }
.charts svg { width: 100%; max-width: 600px; height: auto; display: block; }
table { font-size: 0.9rem; }
.scroll { overflow-x: auto; }
@media (max-width: 480px) { table { font-size: 0.8rem; } th, td { padding-right: 0.4rem; } }
summary { cursor: pointer; }
";

/// The whole page; `command` repeats it.
pub(super) fn html(figures: &[Figure], command: &str) -> String {
    let claim = |cells: &Vec<String>| row([0, 1, 2, 3, 4].map(|i| cells[i].as_str()));
    let claims: String = claims(figures).rows().iter().map(claim).collect();
    let figures: String = figures.iter().map(section).collect();
    let body = format!(
        r#"<h1>{TITLE}</h1>
<p>Rahul Madhavan and Hemanta Makwana, <i>Scale Invariant Monte Carlo under Linear Function Approximation with Curvature based
Step-size</i>: every experiment of the paper, and some that it leaves open, run by the learners of this crate on this machine, in
f64, f32 and fixed point.</p>
{figures}<h2>What the figures must show</h2>
<div class="scroll">
<table>
<tr><th>figure</th><th>measured quantity</th><th>must be</th><th>is</th><th></th></tr>
{claims}</table>
</div>
"#
    );
    page::html(TITLE, STYLE, &body, command)
}

fn section(figure: &Figure) -> String {
    let charts: String = figure.panels.iter().map(|panel| picture(None, std::slice::from_ref(panel))).collect();
    let (id, title, caption) = (figure.id, code(figure.title), code(&figure.caption));
    let result = |one: &Summary| {
        let [median, least, most] = [one.median, one.least, one.most].map(short);
        row([&one.quantity, &one.rule, &median, &format!("{least} … {most}")])
    };
    let results: String = figure.results.iter().map(result).collect();
    format!(
        "<h2>{title} <small>{id}</small></h2>\n<figure>\n<div class=\"charts\">\n{charts}</div>\n<figcaption>{caption}</figcaption>\n</figure>\n\
         <details><summary>numbers</summary>\n<div class=\"scroll\">\n<table>\n<tr><th>quantity</th><th>rule</th><th>median</th><th>from … to</th></tr>\n\
         {results}</table>\n</div>\n</details>\n"
    )
}
