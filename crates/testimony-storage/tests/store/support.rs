//! A store beside its naive twin: what both are told, what both are asked, and what lies on the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use testimony_domain::{
    AgentScope, Capabilities, Capability, Claim, ContainerGrant, EffectiveIdentity, KeyId, Labels,
    Memory, MemoryId, Principal, PrincipalKind, SourceClass, SourceLabel, Standing, State,
};
use testimony_recall::{Channel, Filters, TimeIntent, View};
use testimony_service::ports::embedder::Vector;
use testimony_service::ports::index::{Cut, Hit, Index, IndexQuery, Meaning};
use testimony_service::ports::ledger::embeddings::Embedding;
use testimony_service::ports::ledger::erasure::Target;
use testimony_service::ports::ledger::evidence::Kept;
use testimony_service::ports::ledger::memories::Change;
use testimony_service::ports::ledger::{Ledger, Writer};
use testimony_storage::ledger;
use testimony_storage::store::{Options, Store};

use crate::looking::words_in;
use crate::making::{Maker, at, container, embedder, place, write};

/// So many containers.
pub(crate) const PLACES: usize = 2;
/// What every row says beside its own word.
pub(crate) const COMMON: &str = "harbour";

/// A store that writes its index down often, and does not wait for the disk.
pub(crate) fn quick() -> Options {
    Options {
        ledger: ledger::Options {
            durable: false,
            ..ledger::Options::default()
        },
        changes_a_snapshot: 5,
    }
}

pub(crate) fn open(folder: &Path) -> Store {
    let store = Store::open(folder, &quick()).unwrap();
    store.wait_until_followed().unwrap();
    store
}

/// Containers whose rows are found by what `static` says.
pub(crate) fn make_places(ledger: &dyn Ledger) {
    let places = |number| testimony_service::ports::ledger::containers::Container {
        embedder: Some(embedder("static")),
        ..container(number)
    };
    write(ledger, 0, move |writer| {
        (0..PLACES).try_for_each(|number| writer.make_container(&places(number)))
    })
    .unwrap();
}

/// One of a few directions.
pub(crate) fn direction(number: u8) -> Vector {
    let angle = f32::from(number % 12) * 0.5;
    Vector::from_direction(vec![angle.cos(), angle.sin(), 0.1, 0.0]).unwrap()
}

pub(crate) fn embedding(memory: MemoryId, number: u8) -> Embedding {
    Embedding {
        memory,
        embedder: embedder("static"),
        vector: direction(number),
    }
}

/// An operator, who sees every row of a container.
fn operator(number: usize) -> EffectiveIdentity {
    let principal = Principal {
        key: KeyId::from_uuid(uuid::Uuid::from_u128(1)),
        kind: PrincipalKind::Operator,
        containers: ContainerGrant::All,
        capabilities: Capabilities::of([Capability::Recall, Capability::Admin]),
        source_app: None,
        agent: None,
        agent_scope: AgentScope::Container,
        class: SourceClass::Operator,
        ceiling: SourceClass::Operator,
        labels: Labels::default(),
        expires_at: None,
    };
    let acted = principal.act(
        &place(number),
        Capability::Recall,
        &Claim::default(),
        at(100),
    );
    acted.unwrap().0
}

/// Everything of one standing that an operator finds.
pub(crate) fn hits(
    index: &dyn Index,
    number: usize,
    standing: Standing,
    words: &str,
    meaning: Option<&Vector>,
) -> Vec<Hit> {
    let (who, by) = (operator(number), embedder("static"));
    let cuts = [Cut {
        standings: &[standing],
        time: TimeIntent::Any,
        limit: 10_000,
    }];
    let query = IndexQuery {
        identity: &who,
        view: View::Forensic,
        words,
        entities: &[],
        meaning: meaning.map(|vector| Meaning {
            vector,
            embedder: &by,
            calibration: None,
        }),
        filters: &Filters::default(),
        now: at(100),
        beside: 0,
        cuts: &cuts,
    };
    index.search(&query).unwrap().hits
}

/// What an operator finds by words, whatever its standing.
pub(crate) fn found(index: &dyn Index, number: usize, words: &str) -> BTreeSet<MemoryId> {
    let each = Standing::ALL.iter();
    let each = each.flat_map(|standing| hits(index, number, *standing, words, None));
    each.map(|hit| hit.memory).collect()
}

/// A row as the twin has it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) memory: Memory,
    pub(crate) place: usize,
    /// A word that no other row says.
    pub(crate) word: String,
    pub(crate) vector: Option<u8>,
}

/// A plain list of rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Twin {
    pub(crate) rows: BTreeMap<MemoryId, Row>,
    /// The canary: it keeps what was erased.
    pub(crate) keeps_the_erased: bool,
}

/// Writes rows of which each says a word of its own, to a store and to its twin.
#[derive(Default)]
pub(crate) struct Pen {
    pub(crate) maker: Maker,
    pub(crate) written: usize,
}

/// How a new row differs from a plain one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) place: usize,
    pub(crate) pending: bool,
    pub(crate) from_mail: bool,
    pub(crate) vector: Option<u8>,
}

impl Pen {
    /// A new row with its word and what it rests on.
    pub(crate) fn row(&mut self, draft: &Draft) -> (Row, Kept) {
        self.written += 1;
        let word = format!("xylograph{}", self.written);
        let kept = self.maker.evidence(draft.place, &word);
        let text = format!("The {word} hangs in the {COMMON}.");
        let mut memory = self
            .maker
            .memory(draft.place, &text, vec![kept.evidence.id]);
        if draft.pending {
            memory.state = State::Pending;
        }
        if draft.from_mail {
            memory.source = SourceLabel::new("source", "mail").unwrap();
        }
        let row = Row {
            memory,
            place: draft.place,
            word,
            vector: draft.vector,
        };
        (row, kept)
    }

    pub(crate) fn write(
        &mut self,
        ledger: &dyn Ledger,
        twin: &mut Twin,
        draft: &Draft,
    ) -> MemoryId {
        let (row, kept) = self.row(draft);
        let id = row.memory.id;
        keep(ledger, row.clone(), kept);
        twin.rows.insert(id, row);
        id
    }
}

/// Writes a row with what it rests on and its vector.
pub(crate) fn keep(ledger: &dyn Ledger, row: Row, kept: Kept) {
    let work = move |writer: &mut dyn Writer| {
        writer.keep_evidence(&kept)?;
        writer.add_memory(&row.memory)?;
        let embedding = row.vector.map(|number| embedding(row.memory.id, number));
        embedding.map_or(Ok(()), |embedding| writer.keep_embedding(&embedding))
    };
    write(ledger, 3, work).unwrap();
}

/// Moves a row in its lifecycle, where the table lets it.
pub(crate) fn change(
    ledger: &dyn Ledger,
    twin: &mut Twin,
    id: MemoryId,
    event: testimony_domain::Event,
) {
    let Some(row) = twin.rows.get_mut(&id) else {
        return;
    };
    let Ok((change, _)) = Change::of(&row.memory, event, |_| {}) else {
        return;
    };
    row.memory = change.becomes().applied_to(&row.memory);
    write(ledger, 4, move |writer| writer.change_memory(&change)).unwrap();
}

/// Erases what a target names.
pub(crate) fn erase(ledger: &dyn Ledger, twin: &mut Twin, target: Target) -> Vec<MemoryId> {
    let erased = write(ledger, 5, move |writer| writer.erase(&target));
    let ids = erased.unwrap().0.memories;
    for id in ids.iter().filter(|_| !twin.keeps_the_erased) {
        if let Some(row) = twin.rows.get_mut(id) {
            row.memory.state = State::Erased;
            row.vector = None;
        }
    }
    ids
}

impl Twin {
    fn of(&self, place: usize, standing: Standing) -> BTreeSet<MemoryId> {
        let rows = self.rows.values();
        let rows = rows.filter(|row| row.place == place && row.memory.standing() == standing);
        let rows = rows.filter(|row| row.memory.state != State::Erased);
        rows.map(|row| row.memory.id).collect()
    }

    /// What a store says that the twin does not; nothing when both agree.
    pub(crate) fn complaint(&self, store: &Store) -> Option<String> {
        let index = store.index();
        for number in 0..PLACES {
            for standing in Standing::ALL {
                let hits = hits(&*index, number, *standing, COMMON, None);
                let found: BTreeSet<MemoryId> = hits.iter().map(|hit| hit.memory).collect();
                let expected = self.of(number, *standing);
                if found != expected {
                    return Some(format!(
                        "place {number}, {standing}: {found:?}, the twin {expected:?}"
                    ));
                }
            }
        }
        let rows = self.rows.values();
        rows.filter_map(|row| complaint_about(&*index, row)).next()
    }
}

fn complaint_about(index: &dyn Index, row: &Row) -> Option<String> {
    let (id, erased) = (row.memory.id, row.memory.state == State::Erased);
    let by_word = found(index, row.place, &row.word);
    if by_word != BTreeSet::from_iter((!erased).then_some(id)) {
        return Some(format!("{id}, erased {erased}: its word finds {by_word:?}"));
    }
    let vector = direction(row.vector?);
    let near = hits(index, row.place, row.memory.standing(), "", Some(&vector));
    let own = near.iter().find(|hit| hit.memory == id);
    let likeness = own.and_then(|hit| hit.channels.get(Channel::Semantic));
    match likeness {
        Some(likeness) if likeness.get() > 0.999 => None,
        other => Some(format!("{id}: its own meaning is {other:?} like it")),
    }
}

/// Which of these words stand in a file of the index.
pub(crate) fn traces(folder: &Path, words: impl IntoIterator<Item = String>) -> Vec<String> {
    let written = written(folder);
    let words = words.into_iter();
    words.filter(|word| written.contains(word)).collect()
}

/// Whether a file of the index is left that no commit needs, in which anything may stand.
pub(crate) fn leaves_files(folder: &Path) -> bool {
    written(folder).contains("?")
}

/// Every word in the files of the index. They may be written anew meanwhile, and then are looked at again.
fn written(folder: &Path) -> BTreeSet<String> {
    const LOOKS: usize = 20;
    let look = || {
        let still = tempfile::tempdir().unwrap();
        copy(&folder.join("index"), still.path());
        std::panic::catch_unwind(|| words_in(still.path())).ok()
    };
    (0..LOOKS).find_map(|_| look()).unwrap()
}

/// A folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    // A folder or file that has just been replaced is not there any more, as after a crash.
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let path = entry.path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            let _ = std::fs::copy(&path, &to);
        }
    }
}
