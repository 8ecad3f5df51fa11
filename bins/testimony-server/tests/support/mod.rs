//! Folders of memories, and servers on them.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "every test file uses some of it, and may end where it stands"
)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// What a command said, and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    /// What it said, where it was done.
    pub(crate) fn done(self) -> String {
        assert_eq!(self.status, 0, "{}{}", self.out, self.err);
        self.out
    }

    pub(crate) fn json(self) -> Value {
        let out = self.done();
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
    }

    /// The rows of a list.
    pub(crate) fn lines(self) -> Vec<Value> {
        let out = self.done();
        out.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// A folder for a memory.
pub(crate) struct Memory {
    kept: tempfile::TempDir,
}

impl Memory {
    pub(crate) fn new() -> Self {
        let kept = tempfile::tempdir().unwrap();
        Self { kept }
    }

    /// The folder, which is made by the first command that needs it.
    pub(crate) fn folder(&self) -> PathBuf {
        self.kept.path().join("memory")
    }

    pub(crate) fn holds(&self, name: &str) -> bool {
        std::fs::symlink_metadata(self.folder().join(name)).is_ok()
    }

    pub(crate) fn run(&self, words: &[&str]) -> Said {
        self.run_with(words, &[], "")
    }

    pub(crate) fn run_with(&self, words: &[&str], variables: &[(&str, &str)], input: &str) -> Said {
        let mut child = self
            .command(words)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that needs no input need not read it.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Said {
            status: output.status.code().unwrap(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_testimony"));
        let ours = std::env::vars_os().map(|(name, _)| name);
        for name in ours.filter(|name| name.to_string_lossy().starts_with("TESTIMONY_")) {
            command.env_remove(name);
        }
        command
            .args(words)
            .env("TESTIMONY_DATA", self.folder())
            .stdout(Stdio::piped());
        command
    }
}

/// A server on a folder of its own; it ends with the value.
pub(crate) struct Served {
    child: Child,
    pub(crate) memory: Memory,
    pub(crate) url: String,
    pub(crate) keys: Value,
}

impl Served {
    pub(crate) fn start(words: &[&str]) -> Self {
        Self::on(Memory::new(), words)
    }

    fn on(memory: Memory, words: &[&str]) -> Self {
        let words = [&["serve", "--listen", "127.0.0.1:0"], words].concat();
        let mut child = memory.command(&words).stdin(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let greeting = lines.next().unwrap().unwrap();
        let url = greeting.split_whitespace().nth(3).unwrap().to_owned();
        // The file is written before the greeting.
        let keys = std::fs::File::open(memory.folder().join("first-keys.json")).unwrap();
        let keys = serde_json::from_reader(keys).unwrap();
        Self {
            child,
            memory,
            url,
            keys,
        }
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Another server on the same folder, once this one has ended.
    pub(crate) fn again(mut self) -> Self {
        let memory = std::mem::replace(&mut self.memory, Memory::new());
        Self::on(memory, &[])
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) fn stop(&mut self) -> Option<i32> {
        let asked = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        assert!(asked.unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
