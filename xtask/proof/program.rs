//! Commands of the program beside its server.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::told::{listed, looked_again};

/// What a command came to.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    /// What it wrote, without and with what it complained of.
    pub(crate) out: String,
    pub(crate) said: String,
}

impl Ran {
    pub(crate) const fn succeeded(&self) -> bool {
        matches!(self.code, Some(0))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or(Value::Null)
    }
}

/// A command about a folder, not yet started.
pub(crate) fn command(program: &Path, folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(words).arg("--data").arg(folder);
    command.stdin(Stdio::null());
    command
}

/// A command about a folder, to its end.
pub(crate) fn run(program: &Path, folder: &Path, words: &[&str]) -> Ran {
    let output = command(program, folder, words).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr);
    Ran {
        code: output.status.code(),
        said: format!("{out}{complained}"),
        out,
    }
}

/// What the doctor finds in a folder that nobody serves; nothing where all is well.
pub(crate) fn findings(program: &Path, folder: &Path) -> Vec<String> {
    looked_again(|| {
        let ran = run(program, folder, &["doctor", "--json"]);
        let found = ran.json();
        if found["findings"].is_array() {
            listed(&found)
        } else {
            vec![ran.said]
        }
    })
}
