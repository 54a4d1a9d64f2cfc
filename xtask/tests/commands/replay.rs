//! `cargo xtask replay` from a user's view: its output, its files, and its errors.

use std::fs;
use std::process::Command;

use osculate_lab::replay::{device, host};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{outcome, xtask};

const TOY: &str = "episode,state,reward,phi0\n1,a,2,1\n1,b,1,2\n2,a,2,1\n2,b,1,2\n";

/// A separate folder for each test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A replay of `csv`.
    fn command(&self, csv: &str, options: &str) -> Command {
        fs::write(self.0.path().join("in.csv"), csv).unwrap();
        let mut command = xtask("replay in.csv --json out.json");
        command.current_dir(self.0.path()).args(options.split_whitespace());
        command
    }

    /// What a replay prints, with warnings last, and the JSON file that it leaves behind.
    fn replay(&self, csv: &str, options: &str) -> (String, Value) {
        let output = self.command(csv, options).output().unwrap();
        let shown = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.success(), "{options}: {shown}");
        let json = self.0.path().join("out.json");
        let results = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
        fs::remove_file(json).unwrap();
        (shown, results)
    }
}

#[test]
fn the_toy_problem_is_solved_in_every_arithmetic() {
    let folder = Folder::new();
    for (options, bits) in [
        ("", "3fa00000"),
        ("--arith f64", "3ff4000000000000"),
        ("--arith q28", "14000000"),
        ("--arith q24", "01400000"),
        ("--rule plain --on host", "3fa00000"),
    ] {
        let (shown, json) = folder.replay(TOY, &format!("--gamma 0 {options}"));
        assert!(shown.contains("2 episodes, 4 steps, 1 features") && shown.contains("1.250000"), "{shown}");
        assert_eq!(json["weights"], json!([1.25]), "{options}");
        assert_eq!(json["weights_bits"], json!([bits]), "{options}");
    }
}

#[test]
fn every_option_reaches_the_learner() {
    let folder = Folder::new();
    for (options, parameters) in [
        ("", "f32 on host: paper, eta 1/k, beta 0.5, gamma 1, skip below 0.000001, Monte Carlo targets"),
        ("--rule predictable", "predictable, eta k^-3/4, beta 0.5, gamma 1, skip below 0, Monte Carlo"),
        ("--rule streaming --eta 1/k --epsilon-skip 0", "streaming, eta 1/k, beta 0.5, gamma 1, skip below 0,"),
        (
            "--rule streaming --eta const:0.25 --beta 0.125 --gamma 0.5",
            "streaming, eta 0.25, beta 0.125, gamma 0.5, skip",
        ),
        ("--rule plain --targets td0", "plain, eta 1/k, beta 0, gamma 1, skip below 0.000001, one-step"),
        (
            "--eta const:0.1 --beta 0.3 --gamma 0.9 --epsilon-skip 1e-3",
            "eta 0.1, beta 0.3, gamma 0.9, skip below 0.001",
        ),
        ("--eta k^-3/4 --arith f64 --gamma 0.1", "f64 on host: paper, eta k^-3/4, beta 0.5, gamma 0.1,"),
        ("--rule tracking", "tracking, gain 0.5 to 0.001, every 16 rows, lambda 0.8, gamma 1\n"),
        ("--rule tracking --lambda 0.3 --every 5 --gamma 0.9", "every 5 rows, lambda 0.3, gamma 0.9\n"),
        ("--rule tracking --targets given", "every 16 rows, gamma 0\n"),
        ("--rule predictable --targets given --gamma 0", "gamma 0, skip below 0, Monte Carlo"),
    ] {
        let (shown, json) = folder.replay(TOY, options);
        assert!(shown.contains(parameters), "{options}: {shown}");
        let averaged = options.contains("predictable") || options.contains("streaming");
        assert_eq!(json.get("averaged").is_some(), averaged, "{options}");
    }
}

/// Eight episodes of four states with returns of 3, 6, 9 and 12, and three times that after the fourth episode.
fn returns_that_triple() -> String {
    let mut csv = String::from("episode,state,reward,phi0\n");
    for (episode, state) in (0..8).flat_map(|episode| (1..=4).map(move |state| (episode, state))) {
        let reward = if episode < 4 { 3 * state } else { 9 * state };
        csv += &format!("{episode},{state},{reward},{state}\n");
    }
    csv
}

#[test]
fn it_says_how_well_it_learned() {
    let folder = Folder::new();
    let replay = |csv: &str, options: &str| {
        let (shown, json) = folder.replay(csv, options);
        (shown, json["prequential"].clone())
    };

    // Every episode is learned in full, so only the unexpected fifth has errors: 6, 12, 18 and 24.
    let (shown, measured) = replay(&returns_that_triple(), "--gamma 0 --beta 0 --eta const:1");
    // (3 + 6 + 9 + 12) · 2 + (9 + 18 + 27 + 36) · 4 is the sum of 24 returns, 270 · 2 + 2430 · 4 that of their squares.
    let variance = 10_260.0 / 24.0 - (420.0_f64 / 24.0).powi(2);
    assert_eq!((measured["rows"].as_u64(), measured["mse"].as_f64()), (Some(24), Some(1_080.0 / 24.0)));
    assert!((measured["variance"].as_f64().unwrap() - variance).abs() < 1e-9, "{measured}");
    let sentence = "explained 63 % of the returns' variance (rows 9 to 32, each predicted before it was learned from)";
    assert!(shown.contains(sentence), "{shown}");
    assert!(
        replay(&returns_that_triple(), "--gamma 0 --rule predictable --targets td0")
            .0
            .contains("one-step targets are learned")
    );

    // Worse than their mean; all equal; few; in one episode; none.
    let (shown, _) = replay(&returns_that_triple(), "--gamma 0 --beta 0.99 --eta const:1");
    assert!(shown.contains("explained nothing") && shown.contains("times the returns' variance"), "{shown}");
    let constant: String = (0..40).map(|episode| format!("{episode},a,0.1,1\n")).collect();
    let (shown, measured) = replay(&format!("episode,state,reward,phi0\n{constant}"), "--arith f64");
    assert_eq!((measured["rows"].as_u64(), measured["variance"].as_f64()), (Some(30), Some(0.0)));
    assert!(shown.contains("every return is 0.1"), "{shown}");
    // After the first episode, w is the mean of 3/1 and 1/2.
    let (shown, measured) = replay(TOY, "");
    assert_eq!(
        (measured["rows"].as_u64(), measured["mse"].as_f64()),
        (Some(3), Some((1.0 + 1.25_f64.powi(2) + 2.5_f64.powi(2)) / 3.0))
    );
    assert!(shown.contains("3 rows are too few"), "{shown}");
    let once: String = (1..40).map(|state| format!("1,{state},{state},{state}\n")).collect();
    let (shown, _) = replay(&format!("episode,state,reward,phi0\n{once}"), "--gamma 0");
    assert!(shown.contains("only one episode"), "{shown}");
    let (shown, measured) = replay("episode,state,reward,phi0\n1,a,1,0\n2,a,inf,1\n", "");
    assert_eq!(measured["rows"].as_u64(), Some(0));
    assert!(shown.contains("no row was learned from"), "{shown}");
}

/// A stream in one piece, with rewards that change their sign halfway.
#[test]
fn a_stream_that_changes_is_followed_by_tracking() {
    let mut csv = String::from("episode,state,reward,phi0,phi1\n");
    for step in 0..400 {
        let (x, sign) = (step % 7, if step < 200 { 1 } else { -1 });
        csv += &format!("1,,{},{x},1\n", sign * (2 * x + 1));
    }
    let folder = Folder::new();
    let shown = |options: &str| folder.replay(&csv, options).0;
    let stream = shown("--rule tracking --targets given");
    assert!(stream.contains("400    400        0"), "{stream}");
    assert!(stream.contains("explained 9") && stream.contains("(rows 101 to 400, each predicted before"), "{stream}");
    // The other rules would learn when the episode ends.
    assert!(shown("--gamma 0").contains("there is only one episode"));
}

#[test]
fn columns_of_very_different_sizes_are_warned_of() {
    let folder = Folder::new();
    let replay = |csv: &str| {
        let (shown, mut json) = folder.replay(csv, "");
        let warnings: Vec<String> = serde_json::from_value(json["warnings"].take()).expect("there is always a list");
        assert_eq!(shown.matches("warning: ").count(), warnings.len(), "{shown}");
        assert!(warnings.iter().all(|warning| shown.contains(warning)), "{shown}");
        warnings
    };
    let header = "episode,state,reward,phi0,phi1,phi2,phi3\n";
    assert_eq!(replay(&format!("{header}1,a,1,1,-64,2,3\n1,b,1,0,1,inf,1\n")), [""; 0]);
    let warnings = replay(&format!("{header}1,a,1,1,-4096,2,0\n1,b,1,0,1,-0.5,0\n"));
    let [sizes, zero] = &warnings[..] else { panic!("{warnings:?}") };
    for part in ["phi1", "4096", "phi0", "multiply phi1 by 2^-11"] {
        assert!(sizes.contains(part), "{part} is missing: {sizes}");
    }
    assert!(!sizes.contains("phi3") && !sizes.contains("phi2 by"), "{sizes}");
    assert!(zero.contains("column phi3 is always 0"), "{zero}");
}

#[test]
fn the_help_names_the_limits() {
    let help = outcome(&mut xtask("replay --help")).unwrap();
    let host = format!("host              {} / {},", host::STEPS, host::STATES);
    assert!(help.contains(&host) && help.contains(&format!("up to {} features", device::FEATURES)), "{help}");
}

#[test]
fn what_is_refused_writes_nothing() {
    let folder = Folder::new();
    for (csv, options, message) in [
        ("", "", "in.csv: the file is empty"),
        ("episode,state,reward,phi0\n1,a,1,x\n", "", "in.csv: line 2, column `phi0`: `x` is no number"),
        (TOY, "--eta 2/k", "'2/k' for '--eta <ETA>': choose 1/k, k^-3/4 or const:X"),
        (TOY, "--eta const:x", "'const:x' for '--eta <ETA>': choose"),
        (TOY, "--beta 1", "beta must be in [0, 1)"),
        (TOY, "--gamma x", "'x' for '--gamma <GAMMA>'"),
        (TOY, "--rule best", "[possible values: paper, predictable, streaming, plain, tracking]"),
        (TOY, "--rule tracking --lambda x", "'x' for '--lambda <LAMBDA>'"),
        (TOY, "--rule tracking --every -1", "'-1' for '--every <ROWS>'"),
        (TOY, "--rule tracking --targets mc", "follow from `--lambda`: 0 is td0, 1 is nearly mc; or choose `given`"),
        (TOY, "--targets given --gamma 0.5", "`--targets given` is `--gamma 0`"),
        (TOY, "--on arduino", "`--on` takes `host` or a board: there is no board `arduino`; the boards are mps2-an386"),
    ] {
        let error = outcome(&mut folder.command(csv, options)).unwrap_err();
        assert!(error.contains(message), "{options}: {error}");
        assert!(!folder.0.path().join("out.json").exists(), "{options}");
    }
}

/// A checkout copied with its `target`, as seen by a program that was built in the original.
#[test]
fn a_copied_checkout_builds_its_own_firmware() {
    let copy = tempfile::tempdir().unwrap();
    for (file, contents) in [("boards.toml", ""), ("Cargo.toml", "the manifest of the copy")] {
        fs::create_dir_all(copy.path().join("firmware")).unwrap();
        fs::write(copy.path().join("firmware").join(file), contents).unwrap();
    }
    fs::write(copy.path().join("in.csv"), TOY).unwrap();
    let mut command = xtask("replay in.csv --on microbit");
    command.current_dir(copy.path()).env("CARGO_MANIFEST_DIR", copy.path().join("xtask"));
    let said = outcome(&mut command).unwrap_err();
    assert!(said.contains("the manifest of the copy"), "{said}");
}

#[test]
fn a_board_writes_the_same_file() {
    let folder = Folder::new();
    for options in
        ["--rule streaming --arith q28 --gamma 0.9", "--arith f32 --eta const:0.5", "--rule tracking --gamma 0.9"]
    {
        let (_, on_host) = folder.replay(TOY, options);
        let (shown, on_board) = folder.replay(TOY, &format!("{options} --on microbit"));
        assert!(shown.contains("building the firmware for microbit"));
        assert_eq!(on_board, on_host, "{options}");
    }
}
