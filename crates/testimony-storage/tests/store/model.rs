//! Whatever is done in whatever order, ledger and index say what a plain list of rows says.

use proptest::prelude::*;
use proptest::sample::Index as Pick;
use proptest::test_runner::{TestCaseError, TestRunner};
use testimony_domain::{Event, MemoryId, SourceLabel, State};
use testimony_service::ports::ledger::erasure::Target;
use testimony_storage::store::Store;

use crate::looking::cases;
use crate::making::{place, write};
use crate::support::{
    Draft, PLACES, Pen, Twin, change, copy, embedding, erase, make_places, open, traces,
};

#[derive(Clone, Debug)]
enum Op {
    Write(Draft),
    Supersede(Pick, Option<u8>),
    Expire(Pick),
    Change(Pick, Pick),
    Embed(Pick, u8),
    Erase(Pick),
    EraseMail(usize),
    WriteDown,
    Rebuild,
    Reopen,
    /// What lies on the disk is what a crash leaves.
    Crash,
    /// From here the index on the disk is what the next crash leaves, as if it had written nothing since.
    Remember,
}

fn draft() -> impl Strategy<Value = Draft> {
    let vector = proptest::option::of(0_u8..12);
    (0..PLACES, any::<bool>(), any::<bool>(), vector).prop_map(
        |(place, pending, from_mail, vector)| Draft {
            place,
            pending,
            from_mail,
            vector,
        },
    )
}

fn op() -> impl Strategy<Value = Op> {
    let pick = any::<Pick>;
    prop_oneof![
        8 => draft().prop_map(Op::Write),
        2 => (pick(), proptest::option::of(0_u8..12)).prop_map(|(row, vector)| Op::Supersede(row, vector)),
        1 => pick().prop_map(Op::Expire),
        2 => (pick(), pick()).prop_map(|(row, event)| Op::Change(row, event)),
        2 => (pick(), 0_u8..12).prop_map(|(row, vector)| Op::Embed(row, vector)),
        2 => pick().prop_map(Op::Erase),
        1 => (0..PLACES).prop_map(Op::EraseMail),
        1 => Just(Op::WriteDown),
        1 => Just(Op::Rebuild),
        1 => Just(Op::Reopen),
        2 => Just(Op::Crash),
        1 => Just(Op::Remember),
    ]
}

/// A store beside its twin.
struct Pair {
    folder: tempfile::TempDir,
    store: Option<Store>,
    /// The index as it lay on the disk before.
    remembered: Option<tempfile::TempDir>,
    twin: Twin,
    pen: Pen,
}

const OF_THE_INDEX: &[&str] = &["index", "erasures.purged"];

impl Pair {
    fn open(keeps_the_erased: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        make_places(&*store.ledger());
        Self {
            folder,
            store: Some(store),
            remembered: None,
            twin: Twin {
                keeps_the_erased,
                ..Twin::default()
            },
            pen: Pen::default(),
        }
    }

    fn store(&self) -> &Store {
        self.store.as_ref().unwrap()
    }

    fn some(&self, pick: &Pick) -> Option<MemoryId> {
        let ids: Vec<MemoryId> = self.twin.rows.keys().copied().collect();
        (!ids.is_empty()).then(|| *pick.get(&ids))
    }

    fn crash(&mut self) {
        let left = tempfile::tempdir().unwrap();
        copy(self.folder.path(), left.path());
        if let Some(before) = self.remembered.take() {
            for name in OF_THE_INDEX {
                remove(&left.path().join(name));
            }
            copy(before.path(), left.path());
        }
        self.store = None;
        self.folder = left;
        self.store = Some(open(self.folder.path()));
    }

    /// Keeps the index as it lies on the disk, with how far it had been purged.
    fn remember(&mut self) {
        let before = tempfile::tempdir().unwrap();
        copy(
            &self.folder.path().join("index"),
            &before.path().join("index"),
        );
        let mark = self.folder.path().join("erasures.purged");
        if mark.exists() {
            std::fs::copy(mark, before.path().join("erasures.purged")).unwrap();
        }
        self.remembered = Some(before);
    }

    fn complaint(&self) -> Option<String> {
        let rows = self.twin.rows.values();
        let erased = rows.filter(|row| row.memory.state == State::Erased);
        let traces = traces(self.folder.path(), erased.map(|row| row.word.clone()));
        if !traces.is_empty() {
            return Some(format!("traces of what was erased: {traces:?}"));
        }
        let examination = self.store().doctor(None).unwrap();
        if !examination.is_sound() || examination.rows != self.twin.rows.len() as u64 {
            return Some(format!("{examination:#?}"));
        }
        self.twin.complaint(self.store())
    }
}

fn remove(path: &std::path::Path) {
    if path.is_dir() {
        std::fs::remove_dir_all(path).unwrap();
    } else if path.exists() {
        std::fs::remove_file(path).unwrap();
    }
}

fn carry_out(pair: &mut Pair, op: &Op) {
    let ledger = pair.store().ledger();
    match op {
        Op::Write(draft) => {
            pair.pen.write(&*ledger, &mut pair.twin, draft);
        }
        Op::Supersede(row, vector) => {
            let Some(id) = pair.some(row) else { return };
            change(&*ledger, &mut pair.twin, id, Event::Supersede);
            let draft = Draft {
                place: pair.twin.rows[&id].place,
                vector: *vector,
                ..Draft::default()
            };
            pair.pen.write(&*ledger, &mut pair.twin, &draft);
        }
        Op::Expire(row) => {
            let Some(id) = pair.some(row) else { return };
            change(&*ledger, &mut pair.twin, id, Event::Expire);
        }
        Op::Change(row, event) => {
            let (Some(id), event) = (pair.some(row), *event.get(Event::ALL)) else {
                return;
            };
            if event != Event::Erase {
                change(&*ledger, &mut pair.twin, id, event);
            }
        }
        Op::Embed(row, vector) => {
            let Some(id) = pair.some(row) else { return };
            let row = pair.twin.rows.get_mut(&id).unwrap();
            if row.memory.state != State::Erased {
                row.vector = Some(*vector);
                let embedding = embedding(id, *vector);
                // The canary's row may be erased in the ledger all the same.
                let _ = write(&*ledger, 6, move |writer| writer.keep_embedding(&embedding));
            }
        }
        Op::Erase(row) => {
            let Some(id) = pair.some(row) else { return };
            erase(&*ledger, &mut pair.twin, Target::Memory(id));
        }
        Op::EraseMail(number) => {
            let mail = SourceLabel::new("source", "mail").unwrap();
            erase(
                &*ledger,
                &mut pair.twin,
                Target::Source(place(*number), mail),
            );
        }
        Op::WriteDown | Op::Rebuild | Op::Reopen | Op::Crash | Op::Remember => {
            drop(ledger);
            begin_again(pair, op);
        }
    }
}

fn begin_again(pair: &mut Pair, op: &Op) {
    match op {
        Op::WriteDown => drop(pair.store().snapshot().unwrap()),
        Op::Rebuild => pair.store().rebuild_index().unwrap(),
        Op::Reopen => {
            pair.store.take().unwrap().close().unwrap();
            pair.store = Some(open(pair.folder.path()));
        }
        Op::Crash => pair.crash(),
        _ => pair.remember(),
    }
}

fn agree(ops: &[Op], keeps_the_erased: bool) -> Result<(), TestCaseError> {
    let mut pair = Pair::open(keeps_the_erased);
    for op in ops {
        carry_out(&mut pair, op);
        if matches!(op, Op::Reopen | Op::Crash | Op::Erase(_))
            && let Some(complaint) = pair.complaint()
        {
            return Err(TestCaseError::fail(format!("after {op:?}: {complaint}")));
        }
    }
    match pair.complaint() {
        Some(complaint) => Err(TestCaseError::fail(complaint)),
        None => Ok(()),
    }
}

/// 32 cases, unless `PROPTEST_CASES` says otherwise: each opens and closes ledger and index several times.
fn config() -> ProptestConfig {
    let usual = cases();
    let set = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig {
        cases: if set { usual.cases } else { 32 },
        ..usual
    }
}

#[test]
fn a_store_is_its_naive_twin() {
    let mut runner = TestRunner::new(config());
    let ops = proptest::collection::vec(op(), 1..30);
    let outcome = runner.run(&ops, |ops| agree(&ops, false));
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_twin_that_keeps_the_erased_is_caught() {
    let mut pair = Pair::open(true);
    let draft = Draft::default();
    carry_out(&mut pair, &Op::Write(draft));
    assert_eq!(pair.complaint(), None);
    let id = *pair.twin.rows.keys().next().unwrap();
    erase(&*pair.store().ledger(), &mut pair.twin, Target::Memory(id));
    assert!(pair.complaint().is_some());
}
