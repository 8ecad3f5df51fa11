//! The server in a process of its own, on a folder that was prepared for it.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use testimony::Testimony;
use testimony::access::KeyOrder;
use testimony::domain::{ContainerTag, SourceClass};
use testimony::ports::ledger::audit::Actor;

use super::Setting;
use crate::shared::client::{Client, get};
use crate::shared::data::{Data, agent, container};
use crate::shared::fill::{fill, make_containers};
use crate::shared::machine::resident_of;

/// How long a server may take to be ready.
const PATIENCE: Duration = Duration::from_secs(600);

/// A folder with a memory, and a key to it.
pub(crate) struct Prepared {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) key: String,
}

/// A memory with so many rows in its first container.
pub(crate) fn prepared(setting: &Setting, data: &Data, rows: usize) -> Prepared {
    let folder = tempfile::tempdir_in(&setting.wanted.out).unwrap();
    let memory = Testimony::open(folder.path()).unwrap();
    make_containers(&*memory.store().ledger(), data);
    fill(&*memory.store().ledger(), data, 0..rows);
    let key = key_of(&memory, &container(0), 0, SourceClass::UserStatement);
    memory.store().snapshot().unwrap();
    Prepared { folder, key }
}

/// A key of an agent by its number.
pub(crate) fn key_of(
    memory: &Testimony,
    container: &ContainerTag,
    number: usize,
    class: SourceClass,
) -> String {
    let order = KeyOrder::agent("bench", container.clone(), agent(number), class);
    let key = memory.service().make_key(Actor::Service, order).unwrap();
    key.credential.reveal()
}

/// The path of a route of the first container.
pub(crate) fn path(route: &str) -> String {
    format!("/api/v2/containers/{}/{route}", container(0))
}

/// A running program that said where it listens; it ends with the value.
pub(crate) struct Served {
    child: Child,
    /// Held, so that the program can go on writing.
    _said: BufReader<ChildStdout>,
    pub(crate) address: String,
    /// How long it took until it was ready.
    pub(crate) started_in: Duration,
}

impl Served {
    /// The server on a folder, as soon as it is ready.
    pub(crate) fn start(setting: &Setting, folder: &Path) -> Self {
        Self::start_with(setting, folder, &[])
    }

    /// The same, with more words on its command line.
    pub(crate) fn start_with(setting: &Setting, folder: &Path, more: &[&str]) -> Self {
        let mut command = Command::new(&setting.server);
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        command.args(more).arg("--data");
        // It logs as it is shipped; the log is beside the figures and not among them.
        let log = setting.wanted.out.join("server.log");
        command.stderr(File::create(log).unwrap());
        Self::run(command.arg(folder), Some("/readyz"))
    }

    /// A program that says its address with its first line, ready where it answers this.
    pub(crate) fn run(command: &mut Command, ready_at: Option<&str>) -> Self {
        let start = Instant::now();
        let piped = command.stdout(Stdio::piped()).stdin(Stdio::null());
        let mut child = piped.spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let address = line.split_once("http://").map(|(_, rest)| rest).unwrap();
        let address = address.split_whitespace().next().unwrap().to_owned();
        if let Some(path) = ready_at {
            wait_until_ready(&address, path, start);
        }
        Self {
            child,
            _said: said,
            address,
            started_in: start.elapsed(),
        }
    }

    /// What the system tells of the process under this name.
    pub(crate) fn told(&self, name: &str) -> PathBuf {
        Path::new("/proc")
            .join(self.child.id().to_string())
            .join(name)
    }

    /// Bytes of memory that are resident now.
    pub(crate) fn resident(&self) -> f64 {
        resident_of(&self.told(""))
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) fn stop(mut self) {
        let id = self.child.id().to_string();
        let asked = Command::new("kill").arg(id).status().unwrap();
        assert!(asked.success());
        self.child.wait().unwrap();
    }
}

fn wait_until_ready(address: &str, path: &str, start: Instant) {
    let mut client = Client::to(address);
    while client.send(&get(path)).status != 200 {
        assert!(start.elapsed() < PATIENCE, "the server is not ready");
        std::thread::sleep(Duration::from_millis(2));
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
