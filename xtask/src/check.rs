//! A check whose output is the point: shown as it comes, and the first one that fails ends the command.

use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Says what is run, runs it in the open, and fails if it fails.
pub(crate) fn run(title: &str, command: &mut Command) -> Result<()> {
    println!("\n==> {title}");
    let status = command.status().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    ensure!(status.success(), "failed: {title}");
    Ok(())
}

/// The same for a program that warns and succeeds all the same: a warning fails it, unless its text is `expected`. Shows
/// what it printed once it has ended.
///
/// # Errors
/// The inner one, if it failed, is what it printed to its standard error.
pub(crate) fn without_warnings(title: &str, command: &mut Command, expected: &str) -> Result<Result<(), String>> {
    println!("\n==> {title}");
    let output = command.output().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    print!("{}{told}", String::from_utf8_lossy(&output.stdout));
    if !output.status.success() {
        return Ok(Err(told));
    }
    let warning = told.lines().filter_map(|line| line.strip_prefix("warning: ")).find(|text| *text != expected);
    ensure!(warning.is_none(), "{title} warns: {}", warning.unwrap_or_default());
    Ok(Ok(()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_warning_fails_unless_it_is_expected() {
        let run = |script| without_warnings("a script", Command::new("sh").args(["-c", script]), "dry run");
        assert_eq!(run("echo 'warning: on stdout'; echo 'warning: dry run' >&2; echo note >&2").unwrap(), Ok(()));
        let error = run("echo 'warning: dry run' >&2; echo 'warning: no licence' >&2").unwrap_err();
        assert_eq!(error.to_string(), "a script warns: no licence");
        assert_eq!(run("echo no network >&2; exit 1").unwrap(), Err("no network\n".into()));
    }
}
