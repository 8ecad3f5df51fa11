//! A clock that can be set under the feet of a server: libfaketime, where it is there.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::server::Server;
use crate::told::end;
use crate::trial::Trial;

/// Where Debian and others put it.
const PLACES: &[&str] = &["/usr/lib", "/usr/lib64", "/usr/local/lib"];
const LIBRARY: &str = "faketime/libfaketimeMT.so.1";

pub(super) struct Faked {
    library: PathBuf,
    file: PathBuf,
}

impl Faked {
    pub(super) fn find(folder: &Path) -> Option<Self> {
        let library = PLACES.iter().find_map(|place| within(Path::new(place)))?;
        let file = folder.join("clock");
        let clock = Self { library, file };
        clock.set(0);
        Some(clock)
    }

    /// Ahead of the clock of the machine by so many seconds.
    pub(super) fn set(&self, seconds: i64) {
        let draft = self.file.with_extension("draft");
        std::fs::write(&draft, format!("{seconds:+}\n")).unwrap();
        std::fs::rename(&draft, &self.file).unwrap();
    }

    /// A server that goes by it, somewhere on the earth.
    pub(super) fn serve(&self, trial: &mut Trial, folder: &Path, zone: &str) -> Option<Server> {
        let (library, file) = (
            self.library.display().to_string(),
            self.file.display().to_string(),
        );
        let variables = [
            ("LD_PRELOAD", library.as_str()),
            ("FAKETIME_TIMESTAMP_FILE", file.as_str()),
            ("FAKETIME_NO_CACHE", "1"),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
            ("NO_FAKE_STAT", "1"),
            ("TZ", zone),
        ];
        match Server::start_with(trial.program, folder, &[], &variables) {
            Ok(server) => Some(server),
            Err(refused) => {
                trial.lost(format!(
                    "the server did not start again: {}",
                    end(&refused.said)
                ));
                None
            }
        }
    }
}

fn within(place: &Path) -> Option<PathBuf> {
    let nested = std::fs::read_dir(place).ok()?.flatten();
    let mut all = nested
        .map(|entry| entry.path())
        .chain([place.to_owned()])
        .map(|folder| folder.join(LIBRARY));
    all.find(|library| library.exists())
}

/// Seconds since 1970, by the clock of the machine.
pub(super) fn now() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    i64::try_from(now.unwrap().as_secs()).unwrap()
}

/// A moment as the service writes it.
pub(super) fn written(seconds: i64) -> String {
    let at = format!("@{seconds}");
    let date = Command::new("date")
        .args(["-u", "-d", &at, "+%Y-%m-%dT%H:%M:%SZ"])
        .output();
    let date = date.unwrap().stdout;
    String::from_utf8_lossy(&date).trim().to_owned()
}
