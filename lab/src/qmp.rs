//! QEMU's control socket, reduced to what emulated sensors need.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

/// An open control socket.
#[derive(Debug)]
pub struct Qmp {
    socket: BufReader<UnixStream>,
}

impl Qmp {
    /// Reads QEMU's greeting.
    ///
    /// # Errors
    /// If the other end is not a QEMU.
    pub fn new(socket: UnixStream) -> Result<Self> {
        let mut qmp = Self { socket: BufReader::new(socket) };
        let greeting = qmp.receive()?;
        ensure!(greeting.get("QMP").is_some(), "QEMU greets with {greeting}");
        qmp.execute(&[json!({"execute": "qmp_capabilities"})])?;
        Ok(qmp)
    }

    /// Sets properties of devices that have an id: (id, property, value). They are in effect when this returns.
    ///
    /// # Errors
    /// If QEMU refuses one, or is gone.
    pub fn set<'a>(&mut self, properties: impl IntoIterator<Item = (&'a str, &'a str, i64)>) -> Result<()> {
        let command = |(id, property, value)| {
            let path = format!("/machine/peripheral/{id}");
            json!({"execute": "qom-set", "arguments": {"path": path, "property": property, "value": value}})
        };
        self.execute(&properties.into_iter().map(command).collect::<Vec<_>>())
    }

    /// Sends all commands at once and waits for all answers.
    fn execute(&mut self, commands: &[Value]) -> Result<()> {
        let text: String = commands.iter().map(|command| format!("{command}\n")).collect();
        self.socket.get_mut().write_all(text.as_bytes()).context("QEMU is gone")?;
        for command in commands {
            loop {
                let answer = self.receive()?;
                if answer.get("return").is_some() {
                    break;
                }
                if let Some(error) = answer.get("error") {
                    bail!("QEMU refuses {command}: {error}");
                }
                // Anything else is an event and is ignored.
            }
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<Value> {
        let mut line = String::new();
        let count = self.socket.read_line(&mut line).context("QEMU is gone")?;
        ensure!(count > 0, "QEMU is gone");
        serde_json::from_str(&line).with_context(|| format!("QEMU says `{}`", line.trim()))
    }
}
