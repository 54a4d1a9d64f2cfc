//! The user's rights, and the way to become root on this machine.

use std::{fmt, process::Command};

use osculate_lab::toolchain::{answer, on_path};

/// How this user may install packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rights {
    Root,
    /// With a sudo that needs no password.
    Sudo,
    None,
}

impl Rights {
    pub(super) fn find() -> Self {
        if answer(Command::new("id").arg("-u")).as_deref() == Some("0") {
            Rights::Root
        } else if answer(Command::new("sudo").args(["-n", "true"])).is_some() {
            Rights::Sudo
        } else {
            Rights::None
        }
    }
}

impl fmt::Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rights::Root => "as root",
            Rights::Sudo => "with sudo",
            Rights::None => "without the right to install (no root, no sudo without a password)",
        })
    }
}

/// How a user becomes root on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Becoming {
    /// The user is root.
    Nothing,
    Sudo,
    /// If there is no sudo.
    Su,
}

impl Becoming {
    pub(super) fn find() -> Self {
        match (Rights::find(), on_path("sudo")) {
            (Rights::Root, _) => Becoming::Nothing,
            (_, Some(_)) => Becoming::Sudo,
            (_, None) => Becoming::Su,
        }
    }
}
