//! A clock that is not put back: what has ended stays ended when the clock of the machine is set to an earlier time.
//!
//! The latest moment that it told lies in the folder of the memory, and the ledger knows when its last event was; a start
//! goes on from the later of the two. Where the clock of the machine is behind that, time goes on from there, a little
//! slower than it passes, until the machine has caught up: a clock that had been ahead by mistake heals, and what is to
//! end does so late by a sixteenth at most.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use testimony_domain::{Clock, Timestamp};

use crate::world::SystemClock;

/// Beside the ledger: the latest moment that was told.
pub(crate) const FILE: &str = "clock.latest";

/// A start goes back by no more than this.
const KEPT_EVERY: i64 = 10_000_000;
/// So much slower it goes while the machine is behind: one part of this many.
const SLOWER: i64 = 16;

/// The clock of a memory.
pub(crate) struct SteadyClock {
    told: Mutex<Told>,
    file: Option<PathBuf>,
}

/// What was told last, in microseconds.
struct Told {
    /// The moment.
    moment: i64,
    /// When that was, on the clock that nobody sets.
    at: Instant,
    /// The moment that was last written into the file, or could not be.
    kept: i64,
}

impl Told {
    /// The moment that is told next.
    fn next(&self, machine: i64, passed: Duration) -> i64 {
        let passed = i64::try_from(passed.as_micros()).unwrap_or(i64::MAX);
        let slower = passed.saturating_sub(passed / SLOWER);
        machine.max(self.moment.saturating_add(slower))
    }
}

impl SteadyClock {
    /// The clock of a folder, never behind the last event of its ledger.
    pub(crate) fn of(folder: Option<&Path>, last_event: Option<Timestamp>) -> Self {
        let file = folder.map(|folder| folder.join(FILE));
        let kept = file.as_deref().and_then(kept).unwrap_or(i64::MIN);
        let last_event = last_event.map_or(i64::MIN, Timestamp::as_microsecond);
        Self {
            told: Mutex::new(Told {
                moment: kept.max(last_event),
                at: instant(),
                kept,
            }),
            file,
        }
    }

    /// How far the clock of the machine is behind.
    pub(crate) fn behind(&self) -> Duration {
        let machine = SystemClock.now().as_microsecond();
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let behind = told.moment.saturating_sub(machine).max(0);
        Duration::from_micros(behind.unsigned_abs())
    }
}

impl Clock for SteadyClock {
    fn now(&self) -> Timestamp {
        let machine = SystemClock.now();
        let at = instant();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = at.saturating_duration_since(told.at);
        told.moment = told.next(machine.as_microsecond(), passed);
        told.at = told.at.max(at);
        if told.moment.saturating_sub(told.kept) >= KEPT_EVERY {
            keep(self.file.as_deref(), &mut told);
        }
        Timestamp::from_microsecond(told.moment).unwrap_or(machine)
    }
}

impl Drop for SteadyClock {
    fn drop(&mut self) {
        let told = self.told.get_mut();
        let told = told.unwrap_or_else(PoisonError::into_inner);
        if told.moment > told.kept {
            keep(self.file.as_deref(), told);
        }
    }
}

/// What cannot be written now is tried when the next is due, not at every look at the clock; beside it the ledger's last
/// event bounds a start.
fn keep(file: Option<&Path>, told: &mut Told) {
    if let Some(file) = file {
        drop(write(file, told.moment));
    }
    told.kept = told.moment;
}

#[expect(clippy::disallowed_methods, reason = "here the clock comes in")]
fn instant() -> Instant {
    Instant::now()
}

/// The moment in the file. It stands there twice, so that one that was torn or flipped is not believed.
fn kept(file: &Path) -> Option<i64> {
    let mut text = String::new();
    File::open(file)
        .ok()?
        .take(64)
        .read_to_string(&mut text)
        .ok()?;
    let (first, second) = text.trim_end().split_once('\n')?;
    let moment = first.parse().ok().filter(|_| first == second)?;
    Timestamp::from_microsecond(moment).ok().map(|_| moment)
}

fn write(file: &Path, moment: i64) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    // Always as many bytes, over those of before.
    let line = format!("{moment:020}\n");
    options
        .open(file)?
        .write_all([line.as_str(), line.as_str()].concat().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;

    fn told(moment: i64) -> Told {
        Told {
            moment,
            at: instant(),
            kept: 0,
        }
    }

    #[test]
    fn it_follows_a_machine_that_is_right() {
        let told = told(5 * SECOND);
        assert_eq!(told.next(6 * SECOND, Duration::from_secs(1)), 6 * SECOND);
        assert_eq!(told.next(90 * SECOND, Duration::from_secs(1)), 90 * SECOND);
    }

    #[test]
    fn it_goes_on_where_the_machine_was_put_back_until_it_has_caught_up() {
        let told = told(100 * SECOND);
        assert_eq!(told.next(0, Duration::ZERO), 100 * SECOND);
        assert_eq!(told.next(0, Duration::from_secs(16)), 115 * SECOND);
        assert_eq!(
            told.next(116 * SECOND, Duration::from_secs(16)),
            116 * SECOND
        );
    }

    #[test]
    fn a_start_goes_on_from_what_was_told_and_from_the_last_event() {
        let folder = tempfile::tempdir().unwrap();
        let later = |hours: i64| {
            let now = SystemClock.now().as_microsecond();
            Timestamp::from_microsecond(now + hours * 3_600 * SECOND).unwrap()
        };
        let (near, far) = (later(1), later(2));
        drop(SteadyClock::of(Some(folder.path()), Some(near)));
        assert!(SteadyClock::of(Some(folder.path()), None).now() >= near);
        assert!(SteadyClock::of(Some(folder.path()), Some(far)).now() >= far);
        let clock = SteadyClock::of(Some(folder.path()), None);
        assert!(clock.behind() > Duration::from_secs(3_600));
    }

    #[test]
    fn a_moment_that_was_torn_or_flipped_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        write(&file, 7 * SECOND).unwrap();
        assert_eq!(kept(&file), Some(7 * SECOND));
        write(&file, 12 * SECOND).unwrap();
        assert_eq!(kept(&file), Some(12 * SECOND));
        let options = || OpenOptions::new().write(true).open(&file).unwrap();
        options().write_all(b"9").unwrap();
        assert_eq!(kept(&file), None);
        options().set_len(25).unwrap();
        assert_eq!(kept(&file), None);
    }
}
