//! The server in a process of its own: started, stopped, killed, watched.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::client::{Client, get};

/// How long a server may take until it listens and is ready.
const PATIENCE: Duration = Duration::from_secs(60);
const PAGE: u64 = 4_096;

/// A server that runs; it ends with the value.
pub(crate) struct Server {
    child: Child,
    /// Held, so that the server can go on writing.
    _said: BufReader<ChildStdout>,
    pub(crate) address: String,
    pub(crate) folder: PathBuf,
}

/// A server that refused to start, with what it said.
pub(crate) struct Refused {
    pub(crate) code: Option<i32>,
    pub(crate) said: String,
}

impl Server {
    /// A server on a folder, as soon as it is ready.
    pub(crate) fn start(program: &Path, folder: &Path) -> Result<Self, Refused> {
        Self::start_with(program, folder, &[], &[])
    }

    /// The same with further words on its command line and variables in its environment.
    pub(crate) fn start_with(
        program: &Path,
        folder: &Path,
        words: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<Self, Refused> {
        let log = folder.with_extension("log");
        let mut command = Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]);
        command.arg(folder).args(words);
        command.envs(variables.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        command.stderr(appended(&log));
        let mut child = command.spawn().unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let address = line
            .split_once("http://")
            .and_then(|(_, rest)| rest.split_whitespace().next());
        let Some(address) = address else {
            let code = child.wait().unwrap().code();
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            return Err(Refused { code, said });
        };
        let server = Self {
            address: address.to_owned(),
            child,
            _said: said,
            folder: folder.to_owned(),
        };
        server.wait_until_ready();
        Ok(server)
    }

    fn wait_until_ready(&self) {
        let start = Instant::now();
        let ready = || Client::to(&self.address).send(&get("/readyz"));
        while !ready().is_ok_and(|answer| answer.status == 200) {
            assert!(start.elapsed() < PATIENCE, "the server is not ready");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn client(&self) -> Client {
        Client::to(&self.address)
    }

    /// One of the first keys: `agent_key` or `operator_key`.
    pub(crate) fn first_key(&self, name: &str) -> String {
        let keys = std::fs::read(self.folder.join("first-keys.json")).unwrap();
        let keys: Value = serde_json::from_slice(&keys).unwrap();
        keys[name].as_str().unwrap().to_owned()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a power failure would.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to stop.
    pub(crate) fn ask_to_stop(&self) {
        let id = self.child.id().to_string();
        let asked = Command::new("kill").arg(id).status().unwrap();
        assert!(asked.success());
    }

    /// Asks it to stop, waits until it has, and says how long that took.
    pub(crate) fn stop(mut self) -> (Duration, ExitStatus) {
        let start = Instant::now();
        self.ask_to_stop();
        let status = self.child.wait().unwrap();
        (start.elapsed(), status)
    }

    /// Bytes of memory that are resident now.
    pub(crate) fn resident(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/statm", self.id()));
        let text = text.unwrap_or_default();
        let pages = text.split_whitespace().nth(1);
        pages.and_then(|it| it.parse::<u64>().ok()).unwrap_or(0) * PAGE
    }

    /// For how long it has kept a processor busy.
    pub(crate) fn worked(&self) -> Duration {
        // The kernel counts hundredths of seconds, behind the name of the program in brackets.
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id()));
        let stat = stat.unwrap_or_default();
        let counts = stat.rsplit(')').next().unwrap_or_default().split(' ');
        let spent = counts
            .skip(12)
            .take(2)
            .filter_map(|it| it.parse::<u64>().ok());
        Duration::from_millis(spent.sum::<u64>() * 10)
    }

    /// How many files and connections it has open.
    pub(crate) fn open_files(&self) -> usize {
        let files = std::fs::read_dir(format!("/proc/{}/fd", self.id()));
        files.map_or(0, Iterator::count)
    }
}

/// A file that goes on where it ended.
fn appended(path: &Path) -> File {
    let mut options = File::options();
    options.create(true).append(true).open(path).unwrap()
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
