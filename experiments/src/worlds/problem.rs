//! The problems of the tables: worlds with known values, and the same in other units.

use serde::Serialize;

use super::Data;
use super::drifting::{self, Case};
use super::markov::{self, World};

/// A problem, without its seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Problem {
    #[serde(rename = "problem")]
    pub(crate) name: &'static str,
    /// What it is, in a line or two.
    pub(crate) about: &'static str,
    pub(crate) n: usize,
    /// The discount γ that rules are told.
    pub(crate) gamma: f64,
    #[serde(skip)]
    kind: Kind,
    #[serde(skip)]
    units: Units,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Boyan,
    Walk,
    Mdp,
    /// Batches of rows.
    Rows(Case),
    /// Rows that never end.
    Stream(Case),
    /// Steps that never end, in a world that changes like this.
    Ring(Case),
}

/// What was done to the numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Units {
    AsTheyAre,
    /// Each row and its target times 10^x, x uniform in ± this.
    Equations(f64),
    /// Column j times 10^x, x from −3 to 3.
    Columns,
}

impl Problem {
    pub(crate) const BOYAN: Self = Self::new(
        "Boyan's chain",
        "13 states, 4 features that can represent the values, gamma = 1; rewards are a quarter of the original's, so that \
         weights stay below 8",
        (4, 1.0),
        Kind::Boyan,
    );
    pub(crate) const WALK: Self = Self::new(
        "1000-state walk",
        "jumps of up to 100 states to either side, -1 and +1 at the ends, gamma = 1; 11 Fourier features",
        (11, 1.0),
        Kind::Walk,
    );
    pub(crate) const MDP: Self = Self::new(
        "random MDP",
        "100 states, 3 actions, 5 successors each, a random policy, another MDP for every seed; gamma = 0.95, 20 steps per \
         episode; 24 features that explain all but a tenth of the values",
        (24, 0.95),
        Kind::Mdp,
    );

    const fn new(name: &'static str, about: &'static str, (n, gamma): (usize, f64), kind: Kind) -> Self {
        Self { name, about, n, gamma, kind, units: Units::AsTheyAre }
    }

    /// All of them, in the order of the tables.
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self::BOYAN, Self::WALK, Self::MDP, Self::MDP.equations(3.0), Self::MDP.columns()];
        all.extend([Case::Stationary, Case::Walk(0.003), Case::Jumps].map(Self::rows));
        all.extend([Self::rows(Case::Stationary).equations(3.0), Self::rows(Case::Stationary).columns()]);
        all
    }

    /// Rows with noisy targets, 20 to an episode.
    pub(crate) fn rows(case: Case) -> Self {
        let (name, about) = match case {
            Case::Walk(_) => {
                ("drifting rows", "10 features, noisy targets of a w* that walks by 0.003 of its size a row")
            }
            Case::Jumps => ("jumping rows", "10 features, noisy targets of a w* that is replaced every 5000 rows"),
            _ => ("steady rows", "10 features, noisy targets of one w*"),
        };
        Self::new(name, about, (10, 0.0), Kind::Rows(case))
    }

    /// Single rows of n features, over a run that is longer.
    pub(crate) const fn stream((case, name): (Case, &'static str), n: usize) -> Self {
        Self::new(name, "", (n, 0.0), Kind::Stream(case))
    }

    /// A walk on a ring whose values stay, drift or jump.
    pub(crate) const fn ring((case, name): (Case, &'static str)) -> Self {
        Self::new(name, "", (10, markov::GAMMA), Kind::Ring(case))
    }

    /// The same with every row and its target in other units: times 10^x, with x uniform in ± `spread`. Rows with Monte
    /// Carlo targets, since a reward and the value after it would have to share a unit.
    #[must_use]
    pub(crate) fn equations(self, spread: f64) -> Self {
        let (name, about) = match self.kind {
            Kind::Mdp => ("random MDP, equations in any units", "its returns as rows, each row times 10^x, |x| < 3"),
            _ => ("steady rows, equations in any units", "each row and its target times 10^x, |x| < 3"),
        };
        Self { name, about, gamma: 0.0, units: Units::Equations(spread), ..self }
    }

    /// The same with column j times 10^x, x from −3 to 3.
    #[must_use]
    pub(crate) fn columns(self) -> Self {
        let is_mdp = self.kind == Kind::Mdp;
        let name = if is_mdp { "random MDP, columns in any units" } else { "steady rows, columns in any units" };
        Self { name, about: "column j times 10^x, x from -3 to 3", units: Units::Columns, ..self }
    }

    /// Whether it is about rows with given targets, and not about rewards on a way.
    pub(crate) fn is_rows(&self) -> bool {
        self.gamma == 0.0
    }

    /// Whether errors are those since the last checkpoint, and not those at it.
    pub(crate) fn is_prequential(&self) -> bool {
        matches!(self.kind, Kind::Rows(_))
    }

    /// Whether its columns are in different units.
    pub(crate) fn has_columns_in_units(&self) -> bool {
        self.units == Units::Columns
    }

    /// Its episodes for a seed.
    pub(crate) fn data(&self, seed: u64) -> Data {
        let data = match self.kind {
            Kind::Boyan => markov::BOYAN.data(seed),
            Kind::Walk => markov::WALK.data(seed),
            Kind::Mdp => World::mdp(seed, self.n).data(seed),
            Kind::Rows(case) => drifting::batches(case, self.n, seed),
            Kind::Stream(case) => drifting::stream(case, self.n, seed),
            Kind::Ring(case) => markov::ring(case, seed),
        };
        match self.units {
            Units::AsTheyAre => data,
            Units::Equations(spread) => data.equations(seed, spread),
            Units::Columns => data.columns(self.n),
        }
    }
}
