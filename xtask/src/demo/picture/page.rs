//! An HTML page: the picture, the numbers, and how to reproduce them.

use osculate_lab::room::run_log::{LAST, RunLog};

use super::figure::{TITLE, headline};
use crate::demo::neighbours::Neighbours;
use osculate_lab::drawing::ink;
use osculate_lab::drawing::svg::escaped;

const STYLE: &str = "
:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 1.5rem; max-width: 1200px; font: 16px/1.55 'Noto Sans', 'Segoe UI', Helvetica, Arial, sans-serif; }
.figure { overflow-x: auto; }
.figure svg { min-width: 900px; width: 100%; height: auto; display: block; }
table { border-collapse: collapse; margin: 1.2rem 0; }
th, td { text-align: left; padding: 0.3rem 1.4rem 0.3rem 0; border-bottom: 1px solid; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
pre { padding: 0.8rem 1rem; overflow-x: auto; border: 1px solid; border-radius: 6px; }
p { max-width: 46rem; }
";

/// The whole page around the picture's SVG; `command` repeats the run.
pub(super) fn html(run: &RunLog, neighbours: &Neighbours, svg: &str, command: &str) -> String {
    let style = STYLE.to_owned() + &ink::page_css();
    let (headline, rows) = (escaped(&headline(run)), rows(run, neighbours));
    let (arith, rule, place) = (run.arith.name(), run.rule.name(), escaped(&run.place));
    let (seed, evenings, command) = (run.scene.seed, run.evenings.len(), escaped(command));
    let (last, houses) = (evenings.min(LAST), neighbours.houses);
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
<div class="figure">
{svg}</div>
<p>{headline}</p>
<table>
<tr><th>cost per step, mean of the last {last} evenings</th><th>this house</th><th>median of {houses} near houses</th><th>median of {houses} wild houses</th></tr>
{rows}</table>
<p>Heat goes into the floor first and reaches the room an hour later. A controller that waits for the room to be warm
has heated too much, and one that looks one step ahead never heats. The agent reads three thermometers, chooses between off, half and full
every five minutes, and learns what its states are worth and how its house behaves; where the room is more than 1 °C off,
the thermostat acts. The other controllers had the same house,
the same weather and the same thermometers. In the picture, the shaded area is the distance to the set-point, which is
most of what an evening costs.</p>
<p>{evenings} evenings, seed {seed}, {arith}, rule {rule}, run on {place}; the other houses on the host, with the same code. The same again:</p>
<pre>{command}</pre>
</body>
</html>
"#
    )
}

fn rows(run: &RunLog, neighbours: &Neighbours) -> String {
    let mut rows = String::new();
    for row in &neighbours.rows {
        let [near, wild] = row.medians();
        let device = row.rule == Some(run.rule);
        let (name, here) = (&row.name, if device { run.last_cost() } else { row.here });
        let name = if device { format!("<b>{name}, on the device</b>") } else { name.clone() };
        let numbers = [here, near, wild].map(|cost| format!("<td class=\"number\">{cost:.3}</td>")).concat();
        rows += &format!("<tr><td>{name}</td>{numbers}</tr>\n");
    }
    rows
}
