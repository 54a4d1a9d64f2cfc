//! A page that needs nothing else: no network, and its colours in light and dark.

use super::ink;
use super::svg::escaped;

const STYLE: &str = "
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; font: 16px/1.55 'Noto Sans', 'Segoe UI', Helvetica, Arial, sans-serif; overflow-wrap: break-word; }
figure { margin: 0; }
figcaption, p { max-width: 46rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: left; padding: 0.3rem 1rem 0.3rem 0; border-bottom: 1px solid; vertical-align: top; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
pre { padding: 0.8rem 1rem; overflow-x: auto; border: 1px solid; border-radius: 6px; }
";

/// The page: its title, what its style has beside that of all pages, what is on it, and the command that repeats it.
pub fn html(title: &str, style: &str, body: &str, command: &str) -> String {
    let (title, command) = (escaped(title), escaped(command));
    let style = [STYLE, style, &ink::page_css()].concat();
    format!(
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}<p>The same again:</p>
<pre>{command}</pre>
</body>
</html>
"#
    )
}

/// A row of a table: text escaped, except that backticks become code, numbers kept together.
pub fn row<const K: usize>(cells: [&str; K]) -> String {
    let cell = |text: &str| {
        let is_number = text.starts_with(|c: char| c.is_ascii_digit() || "≤≥>–−-".contains(c));
        format!("<td{}>{}</td>", if is_number { " class=\"number\"" } else { "" }, code(text))
    };
    format!("<tr>{}</tr>\n", cells.map(cell).concat())
}

/// Escaped, with backticks as in the documentation.
pub fn code(text: &str) -> String {
    let text = escaped(text);
    let tagged =
        |(index, part): (usize, &str)| if index % 2 == 1 { format!("<code>{part}</code>") } else { part.into() };
    text.split('`').enumerate().map(tagged).collect()
}
