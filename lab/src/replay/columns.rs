//! Checks the features of a recording for suspicious columns.

use super::trace::Trace;

/// A warning is given if the magnitudes of columns differ by more than this.
const FACTOR: f64 = 64.0;
/// How many columns a warning names.
const NAMED: usize = 8;

/// Warnings, each a sentence: columns whose largest magnitudes differ by more than 2⁶, and columns that are always 0.
pub fn warnings(trace: &Trace) -> Vec<String> {
    let mut sizes = vec![0.0_f64; trace.features()];
    for step in (0..trace.episodes()).flat_map(|episode| trace.episode(episode)) {
        for (size, x) in sizes.iter_mut().zip(step.features).filter(|(_, x)| x.is_finite()) {
            *size = size.max(x.abs().into());
        }
    }
    let zero: Vec<_> =
        (0..sizes.len()).filter(|column| sizes[*column] == 0.0).map(|column| format!("phi{column}")).collect();
    different(&sizes).into_iter().chain(always_zero(&zero)).collect()
}

fn different(sizes: &[f64]) -> Option<String> {
    let mut order: Vec<usize> = (0..sizes.len()).filter(|column| sizes[*column] > 0.0).collect();
    order.sort_by(|a, b| sizes[*a].total_cmp(&sizes[*b]));
    let (&small, &large) = order.first().zip(order.last())?;
    let factor = sizes[large] / sizes[small];
    if factor <= FACTOR {
        return None;
    }
    // Scale towards the median column, so that a single odd one is the one to change. At least one end of the range is
    // 2³ or more away from it.
    let middle = sizes[order[order.len() / 2]];
    let power = |column: usize| (middle / sizes[column]).log2().round();
    let advice = (0..sizes.len()).filter(|column| sizes[*column] > 0.0 && power(*column).abs() >= 3.0);
    let advice = listed(advice.map(|column| format!("phi{column} by 2^{}", power(column))).collect());
    let (least, most) = (number(sizes[small]), number(sizes[large]));
    Some(format!(
        "the columns differ in size by a factor of {}: phi{small} reaches {least}, phi{large} {most}. \
         Weights of small columns are learned slowly; multiply {advice}",
        number(factor.round())
    ))
}

fn always_zero(columns: &[String]) -> Option<String> {
    let (noun, fact) = match columns.len() {
        0 => return None,
        1 => ("column", "is always 0; leave it out, or find out why nothing fills it"),
        _ => ("columns", "are always 0; leave them out, or find out why nothing fills them"),
    };
    Some(format!("{noun} {} {fact}", listed(columns.to_vec())))
}

fn listed(mut items: Vec<String>) -> String {
    let more = items.len().saturating_sub(NAMED);
    items.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    items.join(", ") + &more
}

fn number(value: f64) -> String {
    if (1e-3..1e6).contains(&value) { format!("{}", (value * 1e3).round() / 1e3) } else { format!("{value:.1e}") }
}
