//! The options of `cargo xtask demo`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use osculate_apps::choice::{Arith, Rule};
use osculate_apps::room::GAMMA;
use osculate_lab::boards::Board;
use osculate_lab::room::plant::Houses;

use crate::choice;

const AFTER_HELP: &str = "\
An evening has 64 to 96 steps of five minutes. A step costs the room's distance to 21 °C, plus 0.15 at full power. After
bedtime the house's own thermostat holds 19.5 °C until the next evening, which begins where that leaves the room. Every
seed is another house in other weather; the same seed gives the same bits on every machine.

`--weather` takes a CSV file with the header `time,celsius` or `time,fahrenheit`: when, increasing, as hours since some
midnight or as date and time (`2024-01-31 13:00`, `2024-01-31T13:00`), and the temperature outside. Evenings begin at
16:00 of each day; after the last day comes the first one.

`--power-cut` kills QEMU. The heater is off until bedtime, the night passes as usual, and QEMU starts again with the same
EEPROM. The device says what it has kept; if that is not all it learned before that evening, the demo fails. The evening
itself is lost, for a recording, too.

It is compared with a thermostat (±0.3 °C), with looking one step ahead and with planning two hours ahead (by the model
that the agent learns, without its values), and with a PI controller whose gains were tuned in other houses; and all of
them in many houses on this machine.";

/// Watch the firmware learn to heat a room in QEMU, from emulated thermometers
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Options {
    /// How many evenings to learn for
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) evenings: u32,
    /// The kind of house: near the data sheet (each number within ± 10 %) or wild (times .6 to 1.6)
    #[arg(long, default_value = "near", value_parser = choice::houses())]
    pub(super) houses: Houses,
    /// Begin each evening anew, instead of where the night has left the room
    #[arg(long)]
    pub(super) restarts: bool,
    /// The seed of the house, its weather, and the agent's random actions
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// The numbers to learn in
    #[arg(long, default_value = "f32", value_parser = choice::arithmetics_of_the_room())]
    pub(super) arith: Arith,
    /// The learning rule
    #[arg(long, default_value = "tracking", value_parser = choice::rules())]
    pub(super) rule: Rule,
    /// A board of firmware/boards.toml with a bus for the thermometers: mps2-an385, mps2-an386 or mps2-an500
    #[arg(long)]
    board: Option<String>,
    /// Run slowly enough to follow each step
    #[arg(long)]
    watch: bool,
    /// Open a window in this evening, for half an hour
    #[arg(long, value_name = "EVENING")]
    pub(super) window_open: Option<u32>,
    /// Lay a carpet in this evening: from then on the floor passes on .6 of the heat
    #[arg(long, value_name = "EVENING")]
    pub(super) carpet: Option<u32>,
    /// Cut the device's power in the middle of this evening; it resumes from its EEPROM in the next one
    #[arg(long, value_name = "EVENING")]
    pub(super) power_cut: Option<u32>,
    /// Take the weather outside from a recording
    #[arg(long, value_name = "FILE.csv")]
    pub(super) weather: Option<PathBuf>,
    /// Write every step as the device learns from it, for `cargo xtask replay`
    #[arg(long, value_name = "TRACE.csv")]
    pub(super) record: Option<PathBuf>,
    /// Write costs and final weights; baselines are means of the last 10 evenings
    #[arg(long, value_name = "OUT")]
    pub(super) json: Option<PathBuf>,
    /// The folder for the pictures [default: target/demo]
    #[arg(long, value_name = "FOLDER")]
    pub(super) pictures: Option<PathBuf>,
    /// Instead, compare in this many houses of each kind from --seed on, on this machine: all controllers, rules and
    /// arithmetics, in 90 evenings that follow each other and in 90 that begin anew
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000), conflicts_with_all = ["evenings", "houses", "restarts", "arith", "rule", "board", "watch", "window_open", "carpet", "power_cut", "weather", "record", "json", "pictures"])]
    pub(super) many: Option<u64>,
}

impl Options {
    /// The board to learn on.
    pub(super) fn board(&self) -> Result<&'static Board> {
        let able: Vec<&Board> = Board::all().iter().filter(|board| board.sensors).collect();
        let board = able.iter().find(|board| self.board.as_ref().is_none_or(|name| board.name == *name));
        board.copied().with_context(|| {
            let names: Vec<&str> = able.iter().map(|board| board.name.as_str()).collect();
            let name = self.board.as_deref().unwrap_or_default();
            format!("`--board {name}`: this needs a board with a bus for sensors; choose one of {}", names.join(", "))
        })
    }

    /// The delay after a step.
    pub(super) fn pause(&self, watched: Duration) -> Duration {
        if self.watch { watched } else { Duration::ZERO }
    }

    /// The command that repeats this run.
    pub(super) fn command(&self) -> String {
        let Self { seed, evenings, arith, rule, houses, .. } = self;
        let (arith, rule, houses) = (arith.name(), rule.name(), houses.name());
        let mut command = format!("cargo xtask demo --seed {seed} --evenings {evenings} --arith {arith} --rule {rule}");
        command += &format!(" --houses {houses}{}", if self.restarts { " --restarts" } else { "" });
        let evening = |evening: Option<u32>| evening.map(|evening| evening.to_string());
        let weather = self.weather.as_ref().map(|file| file.display().to_string());
        for (name, value) in [
            ("board", self.board.clone()),
            ("window-open", evening(self.window_open)),
            ("carpet", evening(self.carpet)),
            ("power-cut", evening(self.power_cut)),
            ("weather", weather),
        ] {
            command.extend(value.map(|value| format!(" --{name} {value}")));
        }
        command
    }

    /// The command that learns again from a recording of this run, if its rule learns from episodes.
    pub(super) fn replay(&self, trace: &Path) -> Option<String> {
        let (arith, rule) = (self.arith.name(), self.rule.name());
        let trace = trace.display();
        let command = format!("cargo xtask replay {trace} --gamma {GAMMA} --arith {arith} --rule {rule}");
        self.rule.is_episodic().then_some(command)
    }
}
