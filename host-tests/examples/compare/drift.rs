//! `tracking` in worlds that stay, drift or jump.

use osculate_host_tests::drift::{
    ARITHMETICS, CASES, Cell, Coverage, MARKOV_CASES, MarkovCell, ROWS, SIZES, Tuned, Units, cell, coverage,
    markov_cell, units,
};
use serde_json::{Value, json};

use osculate_host_tests::jobs;

enum Job {
    Cell(usize, usize),
    Markov(usize),
    Coverage(usize, usize),
    Units(usize),
}

enum Done {
    Cell(Cell),
    Markov(MarkovCell),
    Coverage(Coverage),
    Units(Units),
}

/// Prints the tables and the verdict, and returns the numbers.
pub(crate) fn run(seeds: u64) -> Value {
    let columns = || 0..CASES.len();
    // The slow ones first, so that no core waits for the other at the end.
    let mut todo: Vec<Job> = SIZES.into_iter().rev().flat_map(|n| columns().map(move |i| Job::Cell(n, i))).collect();
    todo.extend((0..MARKOV_CASES.len()).map(Job::Markov));
    todo.extend(SIZES.into_iter().flat_map(|n| columns().map(move |i| Job::Coverage(n, i))));
    todo.extend(SIZES.map(Job::Units));
    let done = jobs::all(&todo, |job| match *job {
        Job::Cell(n, case) => Done::Cell(cell(n, CASES[case], seeds)),
        Job::Markov(case) => Done::Markov(markov_cell(case, seeds)),
        Job::Coverage(n, case) => Done::Coverage(coverage(n, CASES[case], seeds)),
        Job::Units(n) => Done::Units(units(n, seeds)),
    });
    let (mut cells, mut rings, mut bands, mut scales) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for one in done {
        match one {
            Done::Cell(cell) => cells.push(cell),
            Done::Markov(cell) => rings.push(cell),
            Done::Coverage(coverage) => bands.push(coverage),
            Done::Units(units) => scales.push(units),
        }
    }
    println!(
        "Excess mean squared error in units of the noise's variance, last 3/4 of {ROWS} rows, median of {seeds} seeds."
    );
    println!("tracking has its defaults everywhere; NLMS and RLS are tuned for every single number, on other seeds.");
    for n in SIZES {
        table(n, &cells.iter().filter(|cell| cell.n == n).collect::<Vec<_>>());
    }
    ring_table(&rings);
    unit_table(&scales);
    band_table(&bands);
    verdict(&cells, &rings);
    json!({
        "seeds": seeds,
        "rows": cells.iter().map(cell_json).collect::<Vec<_>>(),
        "ring": rings.iter().map(ring_json).collect::<Vec<_>>(),
        "units": scales.iter().map(|u| json!({ "n": u.n, "known": u.known, "unscaled": u.unscaled, "scaled": u.scaled }))
            .collect::<Vec<_>>(),
        "bands": bands.iter().map(|b| json!({ "n": b.n, "case": b.case, "target": b.target, "mean": b.mean }))
            .collect::<Vec<_>>(),
    })
}

/// One line: a name, and a number for each column.
fn line(name: &str, numbers: impl IntoIterator<Item = String>) {
    let numbers: String = numbers.into_iter().map(|number| format!(" {number:>11}")).collect();
    println!("  {name:<18}{numbers}");
}

fn error(error: f64) -> String {
    if error < 0.1 { format!("{error:.5}") } else { format!("{error:.4}") }
}

fn table(n: usize, cells: &[&Cell]) {
    println!();
    line(&format!("n = {n}"), cells.iter().map(|cell| cell.case.into()));
    for (i, arithmetic) in ARITHMETICS.iter().enumerate() {
        line(&format!("tracking, {arithmetic}"), cells.iter().map(|cell| error(cell.median(i))));
    }
    line("its mathematics", cells.iter().map(|cell| error(cell.reference)));
    line("NLMS, tuned", cells.iter().map(|cell| error(cell.nlms.error)));
    line("  its gain", cells.iter().map(|cell| cell.nlms.parameter.to_string()));
    line("RLS, tuned", cells.iter().map(|cell| error(cell.rls.error)));
    line("  its forgetting", cells.iter().map(|cell| cell.rls.parameter.to_string()));
    line("tracking / NLMS", cells.iter().map(|cell| format!("{:.2}", ratio(cell))));
}

fn ring_table(rings: &[MarkovCell]) {
    println!(
        "\nA walk on a ring, gamma = 0.9, lambda = 0.8, 25 states, 10 features: error of the values, the same units.\n"
    );
    line("", rings.iter().map(|cell| cell.case.into()));
    for (i, arithmetic) in ARITHMETICS.iter().enumerate() {
        line(&format!("tracking, {arithmetic}"), rings.iter().map(|cell| error(cell.tracking[i])));
    }
    line("its mathematics", rings.iter().map(|cell| error(cell.reference)));
    line("TD, tuned", rings.iter().map(|cell| error(cell.td.error)));
    line("  its step", rings.iter().map(|cell| cell.td.parameter.to_string()));
    line("tracking / TD", rings.iter().map(|cell| format!("{:.2}", cell.tracking[0] / cell.td.error)));
}

fn unit_table(scales: &[Units]) {
    println!("\nColumns in units from 10^-3 to 10^3, stationary, f32.\n");
    line("", ["known factors", "unscaled", "scaled"].map(String::from));
    for one in scales {
        line(&format!("n = {}", one.n), [one.known, one.unscaled, one.scaled].map(error));
    }
}

fn band_table(bands: &[Coverage]) {
    println!("\nShare of the rows within the bands of 95 %, f32: the next target / its mean.\n");
    line("", CASES.map(|(_, name)| name.into()));
    for n in SIZES {
        let of_n = bands.iter().filter(|band| band.n == n);
        line(&format!("n = {n}"), of_n.map(|band| format!("{:.3}/{:.3}", band.target, band.mean)));
    }
}

/// `tracking` in its first arithmetic against NLMS.
fn ratio(cell: &Cell) -> f64 {
    cell.median(0) / cell.nlms.error
}

fn verdict(cells: &[Cell], rings: &[MarkovCell]) {
    let Some(worst) = cells.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b))) else { return };
    let below = cells.iter().filter(|cell| ratio(cell) < 1.0).count();
    println!("\nworst against the tuned NLMS: {:.2} times ({}, n = {})", ratio(worst), worst.case, worst.n);
    println!("below the tuned NLMS: {below} of {} cells", cells.len());
    let below = rings.iter().filter(|cell| cell.tracking[0] < cell.td.error).count();
    println!("below the tuned TD: {below} of {} cells", rings.len());
    for (i, arithmetic) in ARITHMETICS.iter().enumerate().skip(1) {
        let apart = |cell: &Cell| cell.apart(i).abs();
        let Some(farthest) = cells.iter().max_by(|a, b| apart(a).total_cmp(&apart(b))) else { return };
        println!(
            "{arithmetic} against {}, seed by seed: {:.2} % apart at most ({}, n = {})",
            ARITHMETICS[0],
            100.0 * apart(farthest),
            farthest.case,
            farthest.n
        );
        for cell in cells.iter().filter(|cell| cell.saturated[i] > 0) {
            println!("  {} numbers saturated ({}, n = {})", cell.saturated[i], cell.case, cell.n);
        }
    }
}

fn tuned_json(tuned: &Tuned) -> Value {
    json!({ "parameter": tuned.parameter, "error": tuned.error })
}

fn cell_json(cell: &Cell) -> Value {
    let by_arithmetic = |values: Vec<Value>| -> Value {
        ARITHMETICS.iter().map(|name| (*name).to_owned()).zip(values).collect::<serde_json::Map<_, _>>().into()
    };
    json!({
        "n": cell.n,
        "case": cell.case,
        "tracking": by_arithmetic(cell.tracking.iter().map(|error| json!(error)).collect()),
        "saturated": by_arithmetic(cell.saturated.iter().map(|count| json!(count)).collect()),
        "mathematics": cell.reference,
        "nlms": tuned_json(&cell.nlms),
        "rls": tuned_json(&cell.rls),
    })
}

fn ring_json(cell: &MarkovCell) -> Value {
    json!({ "case": cell.case, "tracking": cell.tracking, "td": tuned_json(&cell.td) })
}
