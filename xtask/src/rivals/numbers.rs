//! The numbers that the comparison has written.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

/// All of them.
pub(super) struct Numbers(Value);

/// A rule on one problem.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) ours: bool,
    /// After 1000 episodes.
    pub(super) error: f64,
    pub(super) macs: f64,
    pub(super) words: f64,
    /// Settings, and the errors with them on the tuning seeds.
    pub(super) curve: Vec<(Vec<f64>, f64)>,
}

/// What has diverged is written as null.
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::INFINITY)
}

fn rule(value: &Value) -> Option<Rule> {
    let point = |point: &Value| -> Option<(Vec<f64>, f64)> {
        Some((point.get(0)?.as_array()?.iter().map(number).collect(), number(point.get(1)?)))
    };
    Some(Rule {
        name: value.get("rule")?.as_str()?.to_owned(),
        ours: value.get("ours")?.as_bool()?,
        error: number(value.get("errors")?.get(2)?),
        macs: number(value.get("macs_per_row")?),
        words: number(value.get("words")?),
        curve: value.get("curve")?.as_array()?.iter().filter_map(point).collect(),
    })
}

impl Numbers {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self(serde_json::from_str(&text)?))
    }

    /// All rules on a problem.
    pub(super) fn rules(&self, problem: &str) -> Result<Vec<Rule>> {
        let problems = self.0["problems"].as_array().context("a list of problems")?;
        let one = problems.iter().find(|one| one["problem"] == problem).with_context(|| problem.to_owned())?;
        Ok(rules(one))
    }

    /// One rule on a problem.
    pub(super) fn rule(&self, problem: &str, name: &str) -> Result<Rule> {
        self.rules(problem)?.into_iter().find(|rule| rule.name == name).with_context(|| name.to_owned())
    }

    /// The errors of a rule with equations in units that spread over more and more decades.
    pub(super) fn over_units(&self, name: &str) -> Result<Vec<f64>> {
        let spreads = self.0["spreads"].as_array().context("a list of spreads")?;
        let error = |one: &Value| rules(one).into_iter().find(|rule| rule.name == name).map(|rule| rule.error);
        spreads.iter().map(|one| error(one).with_context(|| name.to_owned())).collect()
    }
}

fn rules(problem: &Value) -> Vec<Rule> {
    problem["rules"].as_array().into_iter().flatten().filter_map(rule).collect()
}
