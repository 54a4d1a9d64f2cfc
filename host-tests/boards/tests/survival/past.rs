//! The room's device loses power, hangs, or has nothing on its bus; and the plant waits for it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use osculate_apps::boot::Boot;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::fault::FaultCounts;
use osculate_apps::line::Request;
use osculate_apps::message::Message;
use osculate_apps::room::agent::Settings;
use osculate_apps::room::telemetry::{Known, Start};
use osculate_lab::boards::Board;
use osculate_lab::device_link::{self, DeviceLink};
use osculate_lab::log::Line;
use osculate_lab::room::attached::Attached;
use osculate_lab::room::device::Run;
use osculate_lab::room::host;
use osculate_lab::room::plant::Scene;
use osculate_lab::room::run_log::Evening;
use osculate_lab::room::test_bed::{Moment, TestBed};

/// How long a device may take for what it does between two requests; a reset by its watchdog included.
const PATIENCE: Duration = Duration::from_secs(30);

/// A house that can be set back to the beginning of any evening, so that a device goes on there after a reset.
pub(crate) struct Past {
    test_bed: TestBed,
    /// Before each evening.
    before: Vec<TestBed>,
    /// The steps of each evening, when it was last lived.
    trails: BTreeMap<u32, Vec<Moment>>,
    /// The evenings behind the device, by what it says.
    behind: u32,
    known: Option<Known>,
    /// What the device reported.
    pub(crate) told: Vec<(u32, Evening)>,
    /// How it started, each time.
    pub(crate) starts: Vec<Start>,
    /// What it said about the end of its life before, each time.
    pub(crate) boots: Vec<Boot>,
    /// The faults of its sensors since its last boot.
    pub(crate) faults: FaultCounts,
    /// Checkpoints that were stored, and not stored.
    pub(crate) stored: [u32; 2],
    /// Every request.
    pub(crate) requests: Vec<Request>,
}

impl Past {
    /// Before the first evening.
    pub(crate) fn new(run: &Run<'_>) -> Self {
        Self {
            test_bed: TestBed::new(run.scene.clone()),
            before: Vec::new(),
            trails: BTreeMap::new(),
            behind: 0,
            known: None,
            told: Vec::new(),
            starts: Vec::new(),
            boots: Vec::new(),
            faults: FaultCounts::default(),
            stored: [0; 2],
            requests: Vec::new(),
        }
    }

    /// Runs a device until it is done, or until power fails at this request.
    pub(crate) fn live(
        &mut self,
        run: &Run<'_>,
        elf: &Path,
        attached: &Attached<'_>,
        power: Option<usize>,
    ) -> Result<()> {
        let mut failed = false;
        let lived = device_link::run(run.qemu(elf, attached), |link| {
            let mut last = std::time::Instant::now();
            while let Some(request) = link.receive(|| {
                ensure!(last.elapsed() < PATIENCE, "the device asks for nothing");
                Ok(())
            })? {
                last = std::time::Instant::now();
                self.requests.push(request);
                if power == Some(self.requests.len()) {
                    failed = true;
                    bail!("power has failed");
                }
                self.serve(link, attached, request)?;
            }
            self.remember();
            // It is gone, so the log ends.
            for line in &link.log {
                self.hear(&line)?;
            }
            Ok(())
        });
        if failed { Ok(()) } else { lived }
    }

    fn serve(&mut self, link: &mut DeviceLink, attached: &Attached<'_>, request: Request) -> Result<()> {
        if let Request::Begin(evening) = request {
            self.remember();
            // The last word before an evening is how the device starts, or its faults. (It may have started since it told
            // its faults; then it is heard later.)
            while !self.hear(&link.log.recv_timeout(PATIENCE).context("the device says nothing")?)? {}
            let index = (evening as usize).checked_sub(1).context("evenings are counted from 1")?;
            match self.before.get(index) {
                Some(past) => self.test_bed = past.clone(),
                None => {
                    ensure!(index == self.before.len(), "the device begins evening {evening} too early");
                    self.before.push(self.test_bed.clone());
                }
            }
        }
        self.test_bed.apply(request)?;
        attached.show(link, self.test_bed.millidegrees())?;
        link.send(request.answer())
    }

    /// Keeps the steps of the evening that is over.
    fn remember(&mut self) {
        self.trails.insert(self.test_bed.evening(), self.test_bed.trail().to_vec());
    }

    /// Takes a line of the log. Returns whether it may be the last before an evening.
    fn hear(&mut self, line: &Line) -> Result<bool> {
        match line.told()? {
            Some(Message::Boot(boot)) => self.boots.push(boot),
            Some(Message::Start(start)) => {
                self.behind = start.evenings;
                self.starts.push(start);
                return Ok(true);
            }
            Some(Message::Known(house)) => self.known = Some(house),
            Some(Message::Evening(told)) => {
                self.behind += 1;
                let known = self.known.take().context("the device says nothing about its house")?;
                let trail =
                    self.trails.get(&self.behind).context("the device reports an evening that was not lived")?;
                self.told.push((self.behind, Evening::new(trail.clone(), &known, &told)));
            }
            Some(Message::Stored(stored)) => self.stored[usize::from(stored.is_err())] += 1,
            Some(Message::Faults(faults)) => {
                self.faults = faults;
                return Ok(true);
            }
            _ => {}
        }
        Ok(false)
    }

    /// Compares every evening that was heard with that of an uninterrupted life. (The report of one may be lost in a power
    /// cut.)
    pub(crate) fn compare(&self, whole: &[Evening]) -> Result<()> {
        for (number, evening) in &self.told {
            let expected = whole.get(*number as usize - 1).context("an evening too many")?;
            ensure!(evening == expected, "evening {number} differs from that of the uninterrupted run");
        }
        let last = self.told.last().map_or(0, |(number, _)| *number as usize);
        ensure!(last == whole.len(), "it ended after evening {last} of {}", whole.len());
        Ok(())
    }
}

/// The evenings of an uninterrupted run, on this machine.
pub(crate) fn whole(run: &Run<'_>) -> Result<Vec<Evening>> {
    host::learn(TestBed::new(run.scene.clone()), run.arith, &run.settings)
}

/// The number of requests of an uninterrupted run.
pub(crate) fn requests(whole: &[Evening]) -> usize {
    whole.iter().map(|evening| evening.trail.len() + 1).sum()
}

/// Otherwise the tests of kills and hangs could not fail.
#[test]
fn an_evening_that_differs_from_the_uninterrupted_run_is_noticed() -> Result<()> {
    let settings = Settings { seed: 1, evenings: 3, rule: Rule::Tracking };
    let (board, arith, scene) = (&Board::all()[0], Arith::F32, Scene::new(1));
    let run = Run { board, arith, settings, scene, records: false, timeout: Duration::from_secs(1) };
    let whole = whole(&run)?;
    let mut past = Past::new(&run);
    past.told = (1..).zip(whole.clone()).collect();
    past.compare(&whole)?;
    let changes: [fn(&mut Evening); 3] =
        [|it| it.weights[9] ^= 1, |it| it.model[7] ^= 1, |it| it.trail[60].room = it.trail[60].room.next_up()];
    for (index, change) in changes.into_iter().enumerate() {
        change(&mut past.told[index].1);
        let error = past.compare(&whole).unwrap_err().to_string();
        assert!(error.contains(&format!("evening {} differs", index + 1)), "{error}");
        past.told[index].1 = whole[index].clone();
    }
    past.told.pop();
    assert_eq!(past.compare(&whole).unwrap_err().to_string(), "it ended after evening 2 of 3");
    Ok(())
}
