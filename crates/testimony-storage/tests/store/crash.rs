//! A process that dies between what the ledger has committed and what the index has written, found whole again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use testimony_domain::{Memory, MemoryId};
use testimony_service::ports::index::Index;
use testimony_service::ports::ledger::erasure::Target;
use testimony_service::ports::ledger::memories::MemoryFilter;
use testimony_service::ports::ledger::{Commit, CommitObserver, Page, RowChange};
use testimony_storage::store::{Options, Store};

use crate::making::{Dice, Maker, chosen, write};
use crate::support::{Draft, Pen, found, keep, make_places, open, traces};

const FOLDER: &str = "STORE_CHILD_FOLDER";
const SEED: &str = "STORE_CHILD_SEED";
const NUMBER: &str = "STORE_CHILD_NUMBER";
/// The erasure between whose commit and purge the child ends itself; 0 for none.
const LAST_ERASURE: &str = "STORE_CHILD_LAST_ERASURE";

/// Ends the process between the commit of an erasure and the purge of the index.
struct DiesAt(AtomicU64);

impl CommitObserver for DiesAt {
    fn committed(&self, commit: &Commit) {
        let erases = commit.changes.iter().any(|change| change.after.is_none());
        if erases && self.0.fetch_sub(1, Ordering::SeqCst) == 1 {
            std::process::abort();
        }
    }
}

/// What the parent runs in a process of its own: it writes and erases until it is killed, and says what it was answered.
#[test]
#[ignore = "a part of the test that kills it"]
fn writes_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let options = Options {
        changes_a_snapshot: 4,
        ..Options::default()
    };
    let store = Store::open(Path::new(&folder), &options).unwrap();
    let ledger = store.ledger();
    let last = chosen(LAST_ERASURE, 0);
    let dies_at = if last == 0 { u64::MAX } else { last };
    ledger.observe(Arc::new(DiesAt(AtomicU64::new(dies_at))));
    let mut dice = Dice(chosen(SEED, 0));
    let number = chosen(NUMBER, 0);
    let mut pen = Pen {
        maker: Maker::numbered(number),
        written: usize::try_from(number).unwrap() * 1_000_000,
    };
    let mut mine = Vec::new();
    loop {
        if dice.below(4) == 0 && !mine.is_empty() {
            let at = usize::try_from(dice.below(mine.len() as u64)).unwrap();
            let (id, word): (MemoryId, String) = mine.swap_remove(at);
            say(&format!("erasing {id} {word}"));
            write(&*ledger, 5, move |writer| writer.erase(&Target::Memory(id))).unwrap();
            say(&format!("erased {id} {word}"));
        } else {
            let draft = Draft {
                vector: Some(dice.below(12) as u8),
                ..Draft::default()
            };
            let (row, kept) = pen.row(&draft);
            let (id, word) = (row.memory.id, row.word.clone());
            keep(&*ledger, row, kept);
            say(&format!("written {id} {word}"));
            mine.push((id, word));
        }
    }
}

fn say(what: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "said: {what}").unwrap();
    out.flush().unwrap();
}

fn begin_child(folder: &Path, round: u64, dice: &mut Dice) -> (Child, BufReader<ChildStdout>) {
    // Every third child ends itself, where a kill from outside would hardly ever meet it.
    let last = if round.is_multiple_of(3) {
        1 + dice.below(6)
    } else {
        0
    };
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "crash::writes_until_it_is_killed",
            "--ignored",
            "--nocapture",
        ])
        .env(FOLDER, folder)
        .env(NUMBER, (round + 1).to_string())
        .env(SEED, dice.below(u64::MAX).to_string())
        .env(LAST_ERASURE, last.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    (child, out)
}

/// What was said about rows, by the last word about each.
#[derive(Default)]
struct Said(BTreeMap<MemoryId, (String, String)>);

impl Said {
    fn hear(&mut self, line: &str) -> bool {
        let words = line.split("said: ").nth(1).filter(|_| line.ends_with('\n'));
        let mut words = words.unwrap_or_default().split_whitespace();
        let (Some(what), Some(id), Some(word)) = (words.next(), words.next(), words.next()) else {
            return false;
        };
        let said = (what.to_owned(), word.to_owned());
        self.0.insert(id.parse().unwrap(), said);
        true
    }

    fn words_of(&self, what: &str) -> Vec<String> {
        let said = self.0.values().filter(|(said, _)| said == what);
        said.map(|(_, word)| word.clone()).collect()
    }
}

/// Lets a child work, kills it after so many lines, and hears everything that it said.
fn work_and_die(folder: &Path, round: u64, dice: &mut Dice, said: &mut Said) {
    let lines = 1 + dice.below(50);
    let (mut child, mut out) = begin_child(folder, round, dice);
    let (mut heard, mut line) = (0, String::new());
    while heard < lines && out.read_line(&mut line).unwrap() > 0 {
        heard += u64::from(said.hear(&line));
        line.clear();
    }
    // One that has ended itself cannot be killed.
    let _ = child.kill();
    child.wait().unwrap();
    let mut rest = Vec::new();
    out.read_to_end(&mut rest).unwrap();
    let rest = String::from_utf8_lossy(&rest).into_owned();
    for line in rest.split_inclusive('\n') {
        said.hear(line);
    }
}

/// What is wrong with a store after a crash; nothing when ledger and index hold what was answered, and the same.
fn complaint(folder: &Path, store: &Store, said: &Said) -> Option<String> {
    let index = store.index();
    let examination = store.doctor(None).unwrap();
    if !examination.is_sound() {
        return Some(format!("{examination:#?}"));
    }
    for (id, (what, word)) in &said.0 {
        let found = found(&*index, 0, word);
        let agrees = match what.as_str() {
            "written" => found == BTreeSet::from([*id]),
            "erased" => found.is_empty(),
            // It was cut short, and may have come to its end or not.
            _ => found.is_empty() || found == BTreeSet::from([*id]),
        };
        if !agrees {
            return Some(format!("{id} was {what}, and its word finds {found:?}"));
        }
    }
    let traces = traces(folder, said.words_of("erased"));
    (!traces.is_empty()).then(|| format!("traces of what was erased: {traces:?}"))
}

#[test]
fn ledger_and_index_are_one_after_every_kill() {
    let seed = chosen("STORE_SEED", 20_261_120);
    let rounds = chosen("STORE_ROUNDS", 9);
    println!("seed {seed}, {rounds} rounds");
    let mut dice = Dice(seed);
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    make_places(&*store.ledger());
    store.close().unwrap();
    let mut said = Said::default();
    for round in 0..rounds {
        work_and_die(folder.path(), round, &mut dice, &mut said);
        let store = open(folder.path());
        settle(&store, &mut said);
        let complaint = complaint(folder.path(), &store, &said);
        assert_eq!(complaint, None, "seed {seed}, round {round}");
    }
    let (written, erased) = (said.words_of("written"), said.words_of("erased"));
    println!("{} rows stand, {} are erased", written.len(), erased.len());
    assert!(written.len() > 10 && erased.len() > 3);
}

/// Asks the ledger how erasures ended that nobody was answered about: what it has erased, the index has to have as well.
fn settle(store: &Store, said: &mut Said) {
    let ledger = store.ledger();
    let reader = ledger.reader().unwrap();
    for (id, (what, _)) in &mut said.0 {
        if what == "erasing" {
            let row = reader.memories(&[*id]).unwrap().remove(0);
            let erased = row.state == testimony_domain::State::Erased;
            *what = if erased { "erased" } else { "written" }.to_owned();
        }
    }
}

/// The canary: rows that only the index forgot, and rows that only the ledger erased, are noticed.
#[test]
fn an_index_that_forgets_or_remembers_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    make_places(&*store.ledger());
    let mut pen = Pen::default();
    let (row, kept) = pen.row(&Draft::default());
    let (memory, word) = (row.memory.clone(), row.word.clone());
    keep(&*store.ledger(), row, kept);
    let mut said = Said::default();
    said.hear(&format!("said: written {} {word}\n", memory.id));
    assert_eq!(complaint(folder.path(), &store, &said), None);
    let reached = store.index().health().reached;
    let tell = |before: &Memory, after: Option<&Memory>| {
        store.index().committed(&Commit {
            changes_access: false,
            reached,
            changes: vec![RowChange {
                seq: reached,
                before: Some(Arc::new(before.clone())),
                after: after.cloned().map(Arc::new),
                embedding: None,
            }],
        });
    };
    tell(&memory, None);
    assert!(complaint(folder.path(), &store, &said).is_some());
    let id = memory.id;
    write(&*store.ledger(), 5, move |writer| {
        writer.erase(&Target::Memory(id))
    })
    .unwrap();
    said.hear(&format!("said: erased {} {word}\n", memory.id));
    assert_eq!(complaint(folder.path(), &store, &said), None);
    tell(&memory, Some(&memory));
    assert!(complaint(folder.path(), &store, &said).is_some());
}

#[test]
fn what_only_the_ledger_knows_is_found_after_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    make_places(&*store.ledger());
    let mut pen = Pen::default();
    let (row, kept) = pen.row(&Draft::default());
    let (id, word) = (row.memory.id, row.word.clone());
    store.close().unwrap();
    // A ledger that is opened alone is what a crash before the index heard of it leaves behind.
    let options = testimony_storage::ledger::Options::default();
    let alone = testimony_storage::ledger::SqliteLedger::open(folder.path(), &options).unwrap();
    keep(&alone, row, kept);
    drop(alone);
    let store = open(folder.path());
    let index: Arc<dyn Index> = store.index();
    assert_eq!(found(&*index, 0, &word), BTreeSet::from([id]));
    let ledger = store.ledger();
    let all = ledger.reader().unwrap();
    let all = all.list(&MemoryFilter::default(), Page::first(10)).unwrap();
    assert_eq!(index.health().rows, all.len() as u64);
}
