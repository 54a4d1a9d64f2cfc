//! An HTML page: the picture, the numbers, and how to reproduce them.

use osculate_lab::room::run_log::{LAST, RunLog};

use super::charts::{TITLE, headline};
use crate::demo::neighbours::{Neighbours, Row};
use osculate_lab::drawing::page::{self, row};
use osculate_lab::drawing::svg::escaped;

const STYLE: &str = "
body { max-width: 1200px; }
.figure { overflow-x: auto; }
.figure svg { min-width: 900px; width: 100%; height: auto; display: block; }
";

/// The whole page around the picture's SVG; `command` repeats the run.
pub(super) fn html(run: &RunLog, neighbours: &Neighbours, svg: &str, command: &str) -> String {
    let (headline, rows) = (escaped(&headline(run)), rows(run, neighbours));
    let (arith, rule, place) = (run.arith.name(), run.rule.name(), escaped(&run.place));
    let (seed, evenings, houses) = (run.scene.seed, run.evenings.len(), neighbours.houses);
    let last = evenings.min(LAST);
    let body = format!(
        r#"<div class="figure">
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
<p>{evenings} evenings, seed {seed}, {arith}, rule {rule}, run on {place}; the other houses on the host, with the same code.</p>
"#
    );
    page::html(TITLE, STYLE, &body, command)
}

/// A row for each controller.
fn rows(run: &RunLog, neighbours: &Neighbours) -> String {
    let told = |one: &Row| {
        let is_device = one.rule == Some(run.rule);
        let name = if is_device { format!("{}, on the device", one.name) } else { one.name.clone() };
        let [near, wild] = one.medians();
        let [here, near, wild] =
            [if is_device { run.last_cost() } else { one.here }, near, wild].map(|cost| format!("{cost:.3}"));
        row([&name, &here, &near, &wild])
    };
    neighbours.rows.iter().map(told).collect()
}
