//! The writer: what comes together shares one wait for the disk, and what falls falls alone.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use testimony_domain::{MemoryId, Timestamp};
use testimony_service::ports::ledger::memories::MemoryFilter;
use testimony_service::ports::ledger::{Commit, CommitObserver, Fate, Ledger, LedgerError, Page};
use testimony_storage::ledger::{Options, SqliteLedger};

use crate::support::{Maker, act, embedding, keep, make_places, whole_chain, write};

/// A ledger whose writer is held up, so that what is sent meanwhile waits together.
struct HeldUp {
    ledger: Arc<SqliteLedger>,
    folder: tempfile::TempDir,
    release: Sender<()>,
    holder: thread::JoinHandle<()>,
}

impl HeldUp {
    fn new(options: &Options) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ledger = Arc::new(SqliteLedger::open(folder.path(), options).unwrap());
        make_places(&*ledger, 1);
        let (release, released): (_, Receiver<()>) = channel();
        let (begun, begins) = channel();
        let holding = Arc::clone(&ledger);
        let holder = thread::spawn(move || {
            let hold = Box::new(
                move |_: &mut dyn testimony_service::ports::ledger::Writer| {
                    begun.send(()).unwrap();
                    released.recv().unwrap();
                    Ok(Fate::Discard)
                },
            );
            holding.submit(act(1), hold).unwrap();
        });
        begins.recv().unwrap();
        Self {
            ledger,
            folder,
            release,
            holder,
        }
    }

    /// Returns once so many pieces of work wait.
    fn until_waiting(&self, count: u64) {
        while self.ledger.stats().waiting < count {
            thread::yield_now();
        }
    }

    /// Lets the writer go on; the folder goes when the second is dropped.
    fn go_on(self) -> (Arc<SqliteLedger>, tempfile::TempDir) {
        self.release.send(()).unwrap();
        self.holder.join().unwrap();
        (self.ledger, self.folder)
    }
}

#[test]
fn sixteen_writers_share_their_waits_for_the_disk() {
    const WRITERS: u64 = 16;
    let held = HeldUp::new(&Options::default());
    let before = held.ledger.stats();
    let writers: Vec<_> = (0..WRITERS)
        .map(|number| {
            let ledger = Arc::clone(&held.ledger);
            thread::spawn(move || keep(&*ledger, &Maker::numbered(number), "one row each"))
        })
        .collect();
    held.until_waiting(WRITERS);
    let (ledger, _folder) = held.go_on();
    let ids: Vec<MemoryId> = writers.into_iter().map(|w| w.join().unwrap()).collect();
    let after = ledger.stats();
    let (commits, acknowledged) = (
        after.commits - before.commits,
        after.acknowledged - before.acknowledged,
    );
    println!("{acknowledged} writes in {commits} commits");
    assert_eq!(acknowledged, WRITERS);
    assert!(commits * 6 <= acknowledged, "{commits} commits");
    let reader = ledger.reader().unwrap();
    assert_eq!(reader.memories(&ids).unwrap().len(), ids.len());
    drop(reader);
    whole_chain(&*ledger);
}

/// The canary of the one above: one writer alone has nobody to share with.
#[test]
fn one_writer_alone_commits_each_write() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    let before = ledger.stats();
    for _ in 0..5 {
        keep(&ledger, &maker, "alone");
    }
    assert_eq!(ledger.stats().commits - before.commits, 5);
}

/// Who writes much waits for nobody who comes behind.
#[test]
fn writers_of_many_rows_go_one_by_one() {
    let held = HeldUp::new(&Options::default());
    let before = held.ledger.stats();
    let writers: Vec<_> = (0..4)
        .map(|number| {
            let ledger = Arc::clone(&held.ledger);
            thread::spawn(move || {
                let maker = Maker::numbered(number);
                write(&*ledger, 1, move |writer| {
                    for row in 0..100 {
                        let text = format!("row {row} of {number}");
                        let kept = maker.evidence(0, &text);
                        writer.keep_evidence(&kept)?;
                        writer.add_memory(&maker.memory(0, &text, vec![kept.evidence.id]))?;
                    }
                    Ok(())
                })
            })
        })
        .collect();
    held.until_waiting(4);
    let (ledger, _folder) = held.go_on();
    for writer in writers {
        writer.join().unwrap().unwrap();
    }
    assert_eq!(ledger.stats().commits - before.commits, 4);
    whole_chain(&*ledger);
}

#[test]
fn in_a_group_each_stands_or_falls_alone() {
    let held = HeldUp::new(&Options::default());
    let maker = Maker::default();
    let make = |text: &str| {
        let kept = maker.evidence(0, text);
        let memory = maker.memory(0, text, vec![kept.evidence.id]);
        (kept, memory)
    };
    type Fall = fn() -> Result<Fate, LedgerError>;
    // Before anything stands, and behind what does.
    let falls: [(&str, Fall); 8] = [
        ("fails first", || Err(LedgerError::Stopped)),
        ("panics first", || panic!("as this test wants it")),
        ("is discarded first", || Ok(Fate::Discard)),
        ("stands", || Ok(Fate::Keep)),
        ("fails", || Err(LedgerError::Stopped)),
        ("panics", || panic!("as this test wants it")),
        ("is discarded", || Ok(Fate::Discard)),
        ("stands too", || Ok(Fate::Keep)),
    ];
    let mut waiting = Vec::new();
    let mut ids = Vec::new();
    for (number, (text, fall)) in falls.into_iter().enumerate() {
        let (kept, memory) = make(text);
        ids.push(memory.id);
        let ledger = Arc::clone(&held.ledger);
        waiting.push(thread::spawn(move || {
            let work = Box::new(
                move |writer: &mut dyn testimony_service::ports::ledger::Writer| {
                    writer.keep_evidence(&kept)?;
                    writer.add_memory(&memory)?;
                    fall()
                },
            );
            ledger.submit(act(2), work)
        }));
        held.until_waiting(number as u64 + 1);
    }
    let before = held.ledger.stats().commits;
    let (ledger, _folder) = held.go_on();
    let answers: Vec<_> = waiting.into_iter().map(|w| w.join().unwrap()).collect();
    assert_eq!(ledger.stats().commits, before + 1);
    let stood: Vec<bool> = answers
        .iter()
        .map(|answer| {
            answer
                .as_ref()
                .is_ok_and(|commit| !commit.changes.is_empty())
        })
        .collect();
    assert_eq!(
        stood,
        [false, false, false, true, false, false, false, true]
    );
    let refused: Vec<bool> = answers.iter().map(Result::is_err).collect();
    assert_eq!(
        refused,
        [true, true, false, false, true, true, false, false]
    );
    let reader = ledger.reader().unwrap();
    for (id, stood) in ids.iter().zip(stood) {
        assert_eq!(reader.memories(&[*id]).unwrap().len(), usize::from(stood));
    }
    drop(reader);
    whole_chain(&*ledger);
}

#[test]
fn a_change_that_failed_half_way_cannot_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    let first = keep(&ledger, &maker, "there already");
    let kept = maker.evidence(0, "new");
    let mut memory = maker.memory(0, "new", vec![kept.evidence.id]);
    memory.id = first;
    let written = write(&ledger, 4, move |writer| {
        writer.keep_evidence(&kept)?;
        // The refusal is swallowed; since it came before anything was written, the rest may stand.
        assert!(matches!(
            writer.add_memory(&memory),
            Err(LedgerError::Exists { .. })
        ));
        Ok(())
    });
    assert!(written.is_ok());
    assert_eq!(ledger.doctor(None).unwrap(), []);
}

#[test]
fn more_than_may_wait_is_refused() {
    let options = Options {
        queue: 2,
        ..Options::default()
    };
    let held = HeldUp::new(&options);
    let waiting: Vec<_> = (0..2)
        .map(|number| {
            let ledger = Arc::clone(&held.ledger);
            thread::spawn(move || keep(&*ledger, &Maker::numbered(number), "waits"))
        })
        .collect();
    held.until_waiting(2);
    // Counted is a moment before sent, so the first answers may come before the queue is full.
    let refused = loop {
        let nothing =
            Box::new(|_: &mut dyn testimony_service::ports::ledger::Writer| Ok(Fate::Discard));
        match send_without_waiting(&held.ledger, nothing) {
            Some(error) => break error,
            None => thread::yield_now(),
        }
    };
    assert!(matches!(refused, LedgerError::Overloaded { waiting: 2 }));
    let (ledger, _folder) = held.go_on();
    for writer in waiting {
        writer.join().unwrap();
    }
    keep(&*ledger, &Maker::numbered(9), "goes again");
}

/// Sends work from a thread of its own, and returns its error when it is refused at once.
fn send_without_waiting(
    ledger: &Arc<SqliteLedger>,
    work: testimony_service::ports::ledger::Work,
) -> Option<LedgerError> {
    let before = ledger.stats().waiting;
    let ledger_too = Arc::clone(ledger);
    let sent = thread::spawn(move || ledger_too.submit(act(3), work).err());
    loop {
        if sent.is_finished() {
            return sent.join().unwrap();
        }
        if ledger.stats().waiting > before {
            return None;
        }
        thread::yield_now();
    }
}

#[derive(Default)]
struct Follower(Mutex<Vec<Commit>>);

impl CommitObserver for Follower {
    fn committed(&self, commit: &Commit) {
        self.0.lock().unwrap().push(commit.clone());
    }
}

struct Stumbler;

impl CommitObserver for Stumbler {
    fn committed(&self, _: &Commit) {
        panic!("as this test wants it");
    }
}

#[test]
fn who_follows_is_told_before_the_writer_is_answered() {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    make_places(&ledger, 1);
    let follower = Arc::new(Follower::default());
    ledger.observe(Arc::new(Stumbler));
    ledger.observe(Arc::clone(&follower) as Arc<dyn CommitObserver>);
    let maker = Maker::default();
    let kept = maker.evidence(0, "with a vector");
    let memory = maker.memory(0, "with a vector", vec![kept.evidence.id]);
    let (id, row) = (memory.id, memory.clone());
    let (_, commit) = write(&ledger, 4, move |writer| {
        writer.keep_evidence(&kept)?;
        writer.add_memory(&memory)?;
        writer.keep_embedding(&embedding(id, "static"))
    })
    .unwrap();
    let told = follower.0.lock().unwrap().clone();
    assert_eq!(told, std::slice::from_ref(&commit));
    assert_eq!(commit.reached, ledger.head().unwrap().seq);
    let [change] = &commit.changes[..] else {
        panic!("{commit:?}")
    };
    assert_eq!(change.before, None);
    assert_eq!(change.after.as_deref(), Some(&row));
    assert_eq!(change.embedding.as_deref(), Some(&embedding(id, "static")));
}

#[test]
fn time_is_kept_to_the_microsecond_and_the_chain_knows() {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    let kept = maker.evidence(0, "early");
    let mut memory = maker.memory(0, "early", vec![kept.evidence.id]);
    let fine: Timestamp = "-000500-03-01T12:00:00.123456789Z".parse().unwrap();
    memory.validity.from = Some(fine);
    memory.observed_at = "2026-01-01T00:00:00.987654321Z".parse().unwrap();
    let mut when = act(5);
    when.at = "2026-01-01T00:00:01.000000999Z".parse().unwrap();
    let id = memory.id;
    let ledger_too: &dyn Ledger = &ledger;
    let (_, commit) = ledger_too
        .write(when, move |writer| {
            writer.keep_evidence(&kept)?;
            writer.add_memory(&memory)?;
            Ok((Fate::Keep, ()))
        })
        .unwrap();
    whole_chain(&ledger);
    let reader = ledger.reader().unwrap();
    let found = reader.memories(&[id]).unwrap();
    assert_eq!(
        found[0].validity.from,
        Some("-000500-03-01T12:00:00.123456Z".parse().unwrap())
    );
    assert_eq!(
        commit.changes[0].after.as_deref(),
        found.first(),
        "who follows is told what is kept"
    );
    let none = reader
        .list(
            &MemoryFilter::default(),
            Page {
                after: Some(id),
                limit: 9,
            },
        )
        .unwrap();
    assert_eq!(none, []);
}
