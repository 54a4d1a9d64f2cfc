//! Which processes run, as `/proc` has them: a small machine has no `ps`.

use std::fs;

/// The command lines, of all processes, that have this text in them.
pub fn processes_with(text: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).filter(|line| line.contains(text)).collect()
}
