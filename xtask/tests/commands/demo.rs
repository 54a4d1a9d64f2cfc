//! `cargo xtask demo` as its users run it: what it leaves behind, and what it does not.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use osculate_lab::processes::processes_with;
use serde_json::Value;

use crate::{outcome, xtask};

fn demo(arguments: &str, folder: &Path) -> Command {
    let mut command = xtask("demo");
    command.args(arguments.split_whitespace()).arg("--pictures").arg(folder).stdin(Stdio::null());
    command
}

/// What a run with the rule `paper` says, its numbers, the bits that a replay of its recording learns, and its picture.
fn run(arguments: &str) -> (String, Value, Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let (json, trace) = (folder.path().join("out.json"), folder.path().join("trace.csv"));
    let mut demo = demo(arguments, folder.path());
    let text = outcome(demo.args(["--rule", "paper", "--json"]).arg(&json).arg("--record").arg(&trace)).unwrap();
    let numbers = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    (text, numbers, replayed_bits(&trace), fs::read_to_string(folder.path().join("room.svg")).unwrap())
}

#[test]
fn a_run_leaves_numbers_a_recording_and_a_picture() {
    let (text, numbers, replayed, svg) = run("--evenings 3 --window-open 2");
    assert_eq!(text.lines().filter(|line| line.starts_with("evening ")).count(), 3);
    assert!(!text.contains('\x1b'), "no colours where there is no terminal");
    assert!(svg.len() > 10_000);
    assert!(text.contains("the learner and its log"), "{text}");
    let summary = text.lines().skip_while(|line| !line.starts_with("cost per step, last 3 evenings"));
    let summary: Vec<&str> = summary.take_while(|line| !line.starts_with("recorded: ")).collect();
    assert!(summary.len() > 8 && summary.iter().all(|line| line.chars().count() <= 80), "{summary:#?}");
    let baselines: Vec<&String> = numbers["baselines"].as_object().unwrap().keys().collect();
    assert_eq!(baselines, ["one_step_ahead", "pi", "planning", "thermostat"]);

    assert_eq!(numbers["power_cut"], Value::Null);
    assert_eq!(numbers["weights_bits"].as_array().unwrap().len(), 10);
    assert_eq!(numbers["weights_bits"], replayed, "what is recorded is what was learned from");
}

/// The weights after learning from a recording.
fn replayed_bits(trace: &Path) -> Value {
    let json = trace.with_extension("json");
    outcome(xtask("replay --gamma 0.95").arg(trace).arg("--json").arg(&json)).unwrap();
    let numbers: Value = serde_json::from_slice(&fs::read(json).unwrap()).unwrap();
    numbers["weights_bits"].clone()
}

#[test]
fn a_power_cut_costs_one_evening_and_nothing_that_was_learned() {
    let (text, numbers, replayed, svg) = run("--evenings 4 --power-cut 3");
    let evenings: Vec<&str> = text.lines().filter(|line| line.starts_with("evening ")).collect();
    let lost: Vec<bool> = evenings.iter().map(|line| line.ends_with("power cut")).collect();
    assert_eq!(lost, [false, false, true, false], "{text}");
    let told = text.lines().find(|line| line.starts_with("power cut in evening 3 after ")).unwrap();
    assert!(told.ends_with(" steps; checkpoint 2 restored, 2 evenings kept"), "{told}");
    assert!(text.contains("--power-cut 3"), "the command repeats it");
    assert!(svg.contains(">power cut<"), "the picture marks it");

    let cut = &numbers["power_cut"];
    assert_eq!([&cut["evening"], &cut["checkpoint"], &cut["evenings_kept"]], [3, 2, 2]);
    // Without heating it costs more than any other evening.
    let costs: Vec<f64> = numbers["evenings"].as_array().unwrap().iter().map(|cost| cost.as_f64().unwrap()).collect();
    assert!(costs.len() == 4 && [0, 1, 3].iter().all(|other| costs[*other] < costs[2]), "{costs:?}");
    // The evenings before the cut and after it, learned from at one go, give the same bits.
    assert_eq!(numbers["weights_bits"].as_array().unwrap().len(), 10);
    assert_eq!(numbers["weights_bits"], replayed);
}

#[test]
fn it_compares_in_many_houses() {
    let text = outcome(&mut xtask("demo --many 1")).unwrap();
    assert_eq!(text.matches("\nhouses ").count(), 4, "{text}");
    for name in ["thermostat", "PI", "one step ahead", "planning", "tracking, q28"] {
        assert_eq!(text.lines().filter(|line| line.starts_with(name)).count(), 4, "{name}: {text}");
    }
}

#[test]
fn a_wild_house_with_a_carpet_is_compared_with_all_rules() {
    let folder = tempfile::tempdir().unwrap();
    let text = outcome(&mut demo("--evenings 3 --houses wild --restarts --carpet 2", folder.path())).unwrap();
    let summary: Vec<&str> = text.lines().skip_while(|line| !line.contains("this house")).collect();
    for name in ["thermostat", "PI", "planning", "paper", "predictable", "streaming", "tracking"] {
        assert!(summary.iter().any(|line| line.trim_start().starts_with(name)), "{name} is missing: {text}");
    }
    assert!(summary.iter().any(|line| line.contains("--houses wild --restarts --carpet 2")), "{text}");
    // The default rule has no log to speak of.
    assert!(text.contains(" of stack with the learner)") && !text.contains("log"), "{text}");
}

/// A run that has reached its second evening.
fn under_way() -> (Child, impl Iterator<Item = String>, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut child = demo("--watch", folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("evening   1")));
    // The names of its sockets contain its process id.
    let mark = format!("osculate-{}-", child.id());
    assert_eq!(processes_with(&mark).len(), 1, "QEMU runs");
    (child, lines, mark)
}

/// Whether nothing comes of Ctrl-C here: a shell starts what it runs in the background so, and the demo would inherit it.
fn ignores_ctrl_c() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 << (2 - 1) != 0)
}

#[test]
fn ctrl_c_ends_qemu_too() {
    let signals = if ignores_ctrl_c() { &["-TERM"][..] } else { &["-INT", "-TERM"] };
    for signal in signals {
        let (mut child, lines, mark) = under_way();
        // The shell's built-in: a minimal machine has no `kill` program.
        let kill = format!("kill {signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        assert!(child.wait().unwrap().signal().is_some());
        let patience = Instant::now() + Duration::from_secs(20);
        while !processes_with(&mark).is_empty() {
            assert!(Instant::now() < patience, "QEMU still runs");
            thread::sleep(Duration::from_millis(10));
        }
        assert!(lines.count() <= 1, "nothing more is said than what was on its way");
    }
}

#[test]
fn whoever_stops_reading_ends_it_quietly() {
    let (child, lines, mark) = under_way();
    drop(lines);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), processes_with(&mark)), (Some(141), Vec::new()));
}

#[test]
fn what_makes_no_sense_is_refused_at_once() {
    let error = |arguments: &str| outcome(&mut demo(arguments, &env::temp_dir())).unwrap_err();
    assert!(error("--evenings 0").contains("1..=1000"));
    for board in ["microbit", "stm32f4"] {
        let error = error(&format!("--board {board}"));
        assert!(error.contains("choose one of mps2-an386, mps2-an385, mps2-an500"), "{error}");
        assert!(!error.contains("mps2-an505") && error.matches("microbit").count() <= 1, "{error}");
    }
    for evening in ["--window-open 61", "--carpet 61", "--power-cut 0", "--power-cut 61"] {
        assert!(error(evening).contains("the evenings 1 to 60"), "{evening}");
    }
    assert!(error("--weather no-such-file.csv").contains("no-such-file.csv"));
    assert!(error("--json no/such/folder/out.json").contains("no folder"));
}
