//! The same controllers in many houses.

use std::ops::{Range, RangeInclusive};

use anyhow::Result;

use super::controller::Controller;
use super::plant::{Houses, Scene};
use crate::jobs;
use crate::numbers::mean;

/// The first evenings, in which an agent knows little of its house.
pub const FIRST: Range<usize> = 0..3;
/// The last evenings before the carpet.
pub const LATE: Range<usize> = 50..60;
/// The evening of the carpet, counted from 1, where [recovery](Costs::recovery) is measured.
pub const CARPET: u32 = 61;
/// Evenings to average over after the carpet: single ones are mostly weather.
const WINDOW: usize = 5;

/// Houses of one kind.
#[derive(Clone, Debug)]
pub struct Street {
    /// The kind.
    pub houses: Houses,
    /// Whether each evening begins anew.
    pub restarts: bool,
    /// The houses' seeds.
    pub seeds: RangeInclusive<u64>,
    /// The first evening with a carpet, counted from 1.
    pub carpet: Option<u32>,
    /// The number of evenings.
    pub evenings: u32,
}

impl Street {
    /// Runs a controller in each house, on all cores; `tell` is called after each.
    pub fn run(&self, controller: Controller, tell: &(impl Fn() + Sync)) -> Result<Costs> {
        let seeds: Vec<u64> = self.seeds.clone().collect();
        let cost = |seed: &u64| {
            let Self { houses, restarts, carpet, evenings, .. } = *self;
            let costs = controller.costs(&Scene { houses, restarts, carpet, ..Scene::new(*seed) }, evenings);
            tell();
            costs
        };
        Ok(Costs(jobs::all(&seeds, cost).into_iter().collect::<Result<_>>()?))
    }
}

/// The cost per step of each evening, house by house.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs(pub Vec<Vec<f64>>);

impl Costs {
    /// The mean of some evenings, counted from 0, in each house.
    pub fn of(&self, evenings: Range<usize>) -> Vec<f64> {
        self.0.iter().map(|costs| mean(&costs[evenings.clone()])).collect()
    }

    /// The number of houses in which these evenings cost less than those of another controller.
    pub fn houses_below(&self, other: &Self, evenings: Range<usize>) -> usize {
        self.of(evenings.clone()).iter().zip(other.of(evenings)).filter(|(own, other)| *own < other).count()
    }

    /// In each house, the number of evenings from [`CARPET`] on until five in a row cost less, in the mean, than those of
    /// another controller: 0 if the first five do, `None` if none do.
    pub fn recovery(&self, other: &Self) -> Vec<Option<usize>> {
        let recovered = |own: &[f64], other: &[f64]| {
            own.windows(WINDOW).zip(other.windows(WINDOW)).position(|(own, other)| mean(own) < mean(other))
        };
        let since = CARPET as usize - 1;
        self.0.iter().zip(&other.0).map(|(own, other)| recovered(&own[since..], &other[since..])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_house_has_recovered_once_five_evenings_cost_less() {
        let (pi, mut own) = (vec![1.0; 90], vec![0.5; 90]);
        own[60..67].fill(2.0);
        let (pi, own) = (Costs(vec![pi; 2]), Costs(vec![own, vec![2.0; 90]]));
        // Two dear evenings and three cheap ones cost 1.1; one and four, .8.
        assert_eq!(own.recovery(&pi), [Some(6), None]);
        assert_eq!((own.houses_below(&pi, LATE), own.of(58..62)), (1, vec![1.25, 2.0]));
    }
}
