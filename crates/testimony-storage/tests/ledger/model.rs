//! Any order of operations leaves the ledger as it leaves the naive twin, also across closing and opening it.

use proptest::prelude::*;
use testimony_domain::{
    ContainerTag, CustomId, Event, EvidenceId, Memory, MemoryId, Polarity, RunId, State, Support,
};
use testimony_service::ports::ledger::audit::{ObjectRef, Seq};
use testimony_service::ports::ledger::erasure::Target;
use testimony_service::ports::ledger::evidence::Kept;
use testimony_service::ports::ledger::memories::{
    Change, Link, MemoryFilter, Relation, RunOut, digest_of_words,
};
use testimony_service::ports::ledger::{Fate, Ledger, LedgerError, Page, Reader, Writer};
use testimony_storage::ledger::{Options, SqliteLedger};

use crate::support::{
    Maker, act, agent, all_events, at, make_places, place, slot, user, whole_chain,
};
use crate::twin::{Outcome, Twin};

const WORDS: &[&str] = &[
    "The relay listens on 8080.",
    "the relay listens on 8080",
    "Backups run at night, in two halves.",
    "Zoë prefers tea — never coffee.",
];

#[derive(Clone, Debug)]
enum Op {
    Write(Write),
    Change {
        memory: prop::sample::Index,
        event: prop::sample::Index,
        origins: usize,
    },
    Support {
        memory: prop::sample::Index,
        evidence: prop::sample::Index,
        against: bool,
    },
    Link {
        from: prop::sample::Index,
        to: prop::sample::Index,
    },
    Expire {
        hours: i64,
    },
    Erase {
        memory: prop::sample::Index,
    },
    ErasePerson {
        place: usize,
        user: usize,
    },
    LetGo {
        evidence: prop::sample::Index,
    },
    Reopen,
    Crash,
}

#[derive(Clone, Debug)]
struct Write {
    place: usize,
    words: usize,
    slot: Option<usize>,
    owner: usize,
    user: Option<usize>,
    custom: bool,
    pending: bool,
    expires_in_hours: Option<i64>,
    revises: Option<prop::sample::Index>,
    rests_on: Option<prop::sample::Index>,
    fate: usize,
}

fn write() -> impl Strategy<Value = Write> {
    let place = (0..2_usize, 0..WORDS.len(), prop::option::of(0..2_usize));
    let whose = (0..2_usize, prop::option::of(0..2_usize), any::<bool>());
    let state = (any::<bool>(), prop::option::of(1..50_i64));
    let others = (
        prop::option::of(any::<prop::sample::Index>()),
        prop::option::of(any::<prop::sample::Index>()),
    );
    (place, whose, state, others, 0..6_usize).prop_map(
        |(
            (place, words, slot),
            (owner, user, custom),
            (pending, expires_in_hours),
            (revises, rests_on),
            fate,
        )| Write {
            place,
            words,
            slot,
            owner,
            user,
            custom,
            pending,
            expires_in_hours,
            revises,
            rests_on,
            fate,
        },
    )
}

fn op() -> impl Strategy<Value = Op> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        6 => write().prop_map(Op::Write),
        4 => (index(), index(), 0..4_usize)
            .prop_map(|(memory, event, origins)| Op::Change { memory, event, origins }),
        2 => (index(), index(), any::<bool>())
            .prop_map(|(memory, evidence, against)| Op::Support { memory, evidence, against }),
        1 => (index(), index()).prop_map(|(from, to)| Op::Link { from, to }),
        1 => (0..60_i64).prop_map(|hours| Op::Expire { hours }),
        1 => index().prop_map(|memory| Op::Erase { memory }),
        1 => (0..2_usize, 0..2_usize).prop_map(|(place, user)| Op::ErasePerson { place, user }),
        1 => index().prop_map(|evidence| Op::LetGo { evidence }),
        1 => Just(Op::Reopen),
        1 => Just(Op::Crash),
    ]
}

/// The ledger beside its twin.
struct Pair {
    folder: tempfile::TempDir,
    ledger: Option<SqliteLedger>,
    twin: Twin,
    maker: Maker,
    clock: i64,
}

impl Pair {
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ledger = SqliteLedger::open(folder.path(), &quick()).unwrap();
        make_places(&ledger, 2);
        let mut twin = Twin::default();
        for number in 0..2 {
            let object = ObjectRef::Container(place(number)).to_string();
            let made = testimony_service::ports::ledger::audit::Action::ContainerMade;
            twin.tell(made, object, None);
        }
        Self {
            folder,
            ledger: Some(ledger),
            twin,
            maker: Maker::default(),
            clock: 10,
        }
    }

    fn reopen(&mut self) {
        self.ledger = Some(SqliteLedger::open(self.folder.path(), &quick()).unwrap());
    }

    fn ledger(&self) -> &SqliteLedger {
        self.ledger.as_ref().unwrap()
    }

    /// Does the same to both, and returns whether they answered alike.
    fn both(
        &mut self,
        fate: Fate,
        real: impl FnOnce(&mut dyn Writer) -> Result<(), LedgerError> + Send + 'static,
        naive: impl FnOnce(&mut Twin) -> Outcome,
    ) {
        self.clock += 1;
        let ledger: &dyn Ledger = self.ledger();
        let written = ledger.write(act(self.clock), move |writer| {
            real(writer).map(|()| (fate, ()))
        });
        let mut after = self.twin.clone();
        let expected = naive(&mut after);
        let answered = written.map(|_| ()).map_err(|error| name(&error));
        assert_eq!(answered, expected);
        if answered.is_ok() && fate == Fate::Keep {
            self.twin = after;
        }
    }

    fn some_memory(&self, index: &prop::sample::Index) -> Option<Memory> {
        let memories = &self.twin.memories;
        (!memories.is_empty()).then(|| index.get(memories).clone())
    }

    fn some_evidence(&self, index: &prop::sample::Index) -> Option<EvidenceId> {
        let evidence = &self.twin.evidence;
        (!evidence.is_empty()).then(|| index.get(evidence).0.evidence.id)
    }
}

fn name(error: &LedgerError) -> &'static str {
    match error {
        LedgerError::Missing { .. } => "missing",
        LedgerError::Changed { .. } => "changed",
        LedgerError::Exists { .. } => "exists",
        LedgerError::Full
        | LedgerError::Overloaded { .. }
        | LedgerError::Stopped
        | LedgerError::Damaged { .. }
        | LedgerError::Store { .. } => panic!("{error}"),
    }
}

fn quick() -> Options {
    Options {
        durable: false,
        ..Options::default()
    }
}

fn carry_out(pair: &mut Pair, op: &Op) {
    match op {
        Op::Write(write) => write_memory(pair, write),
        Op::Change {
            memory,
            event,
            origins,
        } => {
            let Some(memory) = pair.some_memory(memory) else {
                return;
            };
            change(pair, &memory, *event.get(Event::ALL), *origins);
        }
        Op::Support {
            memory,
            evidence,
            against,
        } => support(pair, memory, evidence, *against),
        Op::Link { from, to } => link(pair, from, to),
        Op::Expire { hours } => expire(pair, *hours),
        Op::Erase { memory } => {
            let Some(memory) = pair.some_memory(memory) else {
                return;
            };
            erase(pair, &memory);
        }
        Op::ErasePerson { place, user } => erase_person(pair, *place, *user),
        Op::LetGo { evidence } => {
            let Some(id) = pair.some_evidence(evidence) else {
                return;
            };
            pair.both(
                Fate::Keep,
                move |writer| writer.let_go_of_evidence(id),
                move |twin| twin.let_go(id),
            );
        }
        Op::Reopen => {
            pair.ledger = None;
            pair.reopen();
        }
        Op::Crash => {
            // What lies on the disk while the ledger is open is what a crash leaves behind.
            let left = tempfile::tempdir().unwrap();
            for name in LEFT_BEHIND {
                let from = pair.folder.path().join(name);
                std::fs::copy(from, left.path().join(name)).unwrap();
            }
            pair.ledger = None;
            pair.folder = left;
            pair.reopen();
        }
    }
}

const LEFT_BEHIND: &[&str] = &["ledger.sqlite", "ledger.sqlite-wal", "erasures.list"];

fn rows_of(pair: &Pair, write: &Write) -> (Kept, Memory) {
    let words = WORDS[write.words];
    let mut kept = pair.maker.evidence(write.place, words);
    let owner = agent(write.owner);
    let person = write.user.map(user);
    kept.evidence.partition = Maker::partition(write.place, owner.clone(), person.clone());
    kept.evidence.origin.run = person.as_ref().map(|_| RunId::new("run", "r1").unwrap());
    let mut memory = pair
        .maker
        .memory(write.place, words, vec![kept.evidence.id]);
    memory.partition = Maker::partition(write.place, owner, person);
    memory.slot = write.slot.map(|number| slot(number, words));
    memory.custom_id = write
        .custom
        .then(|| CustomId::new("custom_id", "c-1").unwrap());
    if write.pending {
        memory.state = State::Pending;
    }
    memory.expires_at = write.expires_in_hours.map(|hours| at(hours * 3_600));
    if let Some(other) = write.revises.and_then(|index| pair.some_memory(&index)) {
        memory.fact = other.fact;
        let latest = pair.twin.revisions(other.fact).last().map(|m| m.revision);
        memory.revision = latest.unwrap() + u32::from(write.fate != 5);
    }
    let other = write.rests_on.and_then(|index| pair.some_evidence(&index));
    memory.evidence.extend(other);
    (kept, memory)
}

fn write_memory(pair: &mut Pair, write: &Write) {
    let (kept, memory) = rows_of(pair, write);
    let fate = if write.fate == 0 {
        Fate::Discard
    } else {
        Fate::Keep
    };
    let (kept_too, memory_too) = (kept.clone(), memory.clone());
    pair.both(
        fate,
        move |writer| {
            writer.keep_evidence(&kept)?;
            writer.add_memory(&memory)?;
            // A piece of work reads what it has written itself.
            assert_eq!(writer.memories(&[memory.id])?, [memory]);
            Ok(())
        },
        move |twin| {
            twin.keep_evidence(&kept_too)?;
            twin.add_memory(&memory_too)
        },
    );
}

fn change(pair: &mut Pair, memory: &Memory, event: Event, origins: usize) {
    let touched = Change::of(memory, event, |condition| condition.origins = origins);
    let Ok((change, _)) = touched else { return };
    if event == Event::Erase {
        return erase(pair, memory);
    }
    let change_too = change.clone();
    pair.both(
        Fate::Keep,
        move |writer| writer.change_memory(&change),
        move |twin| {
            twin.change(&change_too);
            Ok(())
        },
    );
}

fn support(
    pair: &mut Pair,
    memory: &prop::sample::Index,
    evidence: &prop::sample::Index,
    against: bool,
) {
    let (Some(memory), Some(evidence)) = (pair.some_memory(memory), pair.some_evidence(evidence))
    else {
        return;
    };
    let origin = pair
        .twin
        .evidence(evidence)
        .unwrap()
        .evidence
        .origin
        .clone();
    let support = Support {
        memory: memory.id,
        evidence,
        polarity: if against {
            Polarity::Contradicts
        } else {
            Polarity::Supports
        },
        origin,
    };
    let support_too = support.clone();
    pair.both(
        Fate::Keep,
        move |writer| writer.add_support(&support),
        move |twin| twin.add_support(&support_too),
    );
}

fn link(pair: &mut Pair, from: &prop::sample::Index, to: &prop::sample::Index) {
    let (Some(from), Some(to)) = (pair.some_memory(from), pair.some_memory(to)) else {
        return;
    };
    let link = Link {
        from: from.id,
        relation: Relation::Contradicts,
        to: to.id,
    };
    pair.both(
        Fate::Keep,
        move |writer| writer.link(link),
        move |twin| twin.link(link),
    );
}

fn expire(pair: &mut Pair, hours: i64) {
    let now = at(hours * 3_600);
    let over = pair.ledger().reader().unwrap().run_out(now, 100).unwrap();
    assert_eq!(over, pair.twin.run_out(now));
    for RunOut { memory, .. } in over {
        change(pair, &memory, Event::Expire, memory.origins);
    }
}

fn erase(pair: &mut Pair, memory: &Memory) {
    let id = memory.id;
    pair.both(
        Fate::Keep,
        move |writer| {
            let announced = writer.toll(&Target::Memory(id))?;
            assert_eq!(writer.erase(&Target::Memory(id))?, announced);
            Ok(())
        },
        move |twin| {
            twin.erase(&[id], &[]);
            Ok(())
        },
    );
}

fn erase_person(pair: &mut Pair, number: usize, person: usize) {
    let (container, person) = (place(number), user(person));
    let (container_too, person_too) = (container.clone(), person.clone());
    let of_person = move |partition: &testimony_domain::Partition| {
        *partition.container() == container_too
            && partition.labels().user.as_ref() == Some(&person_too)
    };
    pair.both(
        Fate::Keep,
        move |writer| writer.erase(&Target::User(container, person)).map(drop),
        move |twin| {
            let memories: Vec<MemoryId> = twin
                .memories
                .iter()
                .filter(|memory| of_person(&memory.partition))
                .map(|memory| memory.id)
                .collect();
            let evidence: Vec<EvidenceId> = twin
                .evidence
                .iter()
                .filter(|(kept, _)| of_person(&kept.evidence.partition))
                .map(|(kept, _)| kept.evidence.id)
                .collect();
            twin.erase(&memories, &evidence);
            Ok(())
        },
    );
}

/// Everything that can be read of the ledger is what the twin says.
fn compare(ledger: &SqliteLedger, twin: &Twin) {
    let head = whole_chain(ledger);
    assert_eq!(head.seq, Seq(twin.events.len() as u64));
    let reader = ledger.reader().unwrap();
    let told = all_events(&*reader).into_iter();
    let told: Vec<_> = told
        .map(|event| (event.action, event.object, event.decision))
        .collect();
    assert_eq!(told, twin.events);
    compare_lists(&*reader, twin);
    for memory in &twin.memories {
        compare_memory(&*reader, twin, memory);
    }
    for (kept, _) in &twin.evidence {
        let id = kept.evidence.id;
        assert_eq!(reader.evidence(&[id]).unwrap(), std::slice::from_ref(kept));
        let resting = reader.resting_on(id).unwrap().into_iter().collect();
        assert_eq!(twin.resting_on(id), resting);
    }
}

fn compare_lists(reader: &dyn Reader, twin: &Twin) {
    let all = reader.list(&MemoryFilter::default(), Page::first(1_000));
    assert_eq!(all.unwrap(), twin.memories);
    for after in [0, twin.events.len() / 2, twin.events.len()] {
        compare_changes(reader, twin, after as u64);
    }
    for number in 0..2 {
        let container = place(number);
        for words in WORDS {
            let found = reader.in_the_same_words(&container, digest_of_words(words));
            assert_eq!(found.unwrap(), twin.in_the_same_words(number, words));
        }
        compare_place(reader, twin, &container);
    }
}

/// The changes behind a sequence come whole and in order, page by page.
fn compare_changes(reader: &dyn Reader, twin: &Twin, after: u64) {
    let mut found = Vec::new();
    let mut reached = Seq(after);
    loop {
        let page = Page {
            after: Some(reached),
            limit: 2,
        };
        let (memories, last) = reader.changed_since(page).unwrap();
        let ended = memories.len() < 2;
        found.extend(memories);
        reached = last;
        if ended {
            break;
        }
    }
    assert_eq!(found, twin.changed_since(after));
    assert_eq!(reached, Seq(twin.events.len() as u64));
    let all: Vec<MemoryId> = twin.memories.iter().map(|memory| memory.id).collect();
    let unchanged = reader.unchanged_since(Seq(after), &all).unwrap();
    let others = all
        .iter()
        .filter(|id| found.iter().all(|row| row.id != **id));
    assert_eq!(unchanged, others.copied().collect::<Vec<_>>());
}

fn compare_place(reader: &dyn Reader, twin: &Twin, container: &ContainerTag) {
    let here = |memory: &&Memory| memory.partition.container() == container;
    let counting = |memory: &&Memory| matches!(memory.state, State::Active | State::Pending);
    for number in 0..2 {
        let key = slot(number, "").key;
        let in_slot = |memory: &&Memory| memory.slot.as_ref().is_some_and(|s| s.key == key);
        let expected: Vec<Memory> = twin
            .memories
            .iter()
            .filter(here)
            .filter(counting)
            .filter(in_slot)
            .cloned()
            .collect();
        assert_eq!(reader.in_slot(container, &key).unwrap(), expected);
        let owner = agent(number);
        let filter = MemoryFilter {
            container: Some(container.clone()),
            owner: Some(owner.clone()),
            states: vec![State::Active, State::Erased],
            ..MemoryFilter::default()
        };
        let listed = reader.list(&filter, Page::first(1_000)).unwrap();
        let expected: Vec<MemoryId> = twin
            .memories
            .iter()
            .filter(here)
            .filter(|memory| matches!(memory.state, State::Active | State::Erased))
            .filter(|memory| twin.of_owner(&owner).contains(&memory.id))
            .map(|memory| memory.id)
            .collect();
        let listed: Vec<MemoryId> = listed.iter().map(|memory| memory.id).collect();
        assert_eq!(listed, expected);
    }
    let mut census: Vec<(State, u64)> = Vec::new();
    for state in State::ALL {
        let count = twin
            .memories
            .iter()
            .filter(here)
            .filter(|m| m.state == *state);
        let count = count.count() as u64;
        census.extend((count > 0).then_some((*state, count)));
    }
    assert_eq!(reader.census(container).unwrap(), census);
    let idle = twin.evidence.iter().filter(|(kept, _)| {
        kept.evidence.partition.container() == container
            && twin.resting_on(kept.evidence.id).is_empty()
    });
    let idle: Vec<EvidenceId> = idle.map(|(kept, _)| kept.evidence.id).collect();
    let found = reader.idle_evidence(container, at(3), Page::first(1_000));
    assert_eq!(found.unwrap(), idle);
}

fn compare_memory(reader: &dyn Reader, twin: &Twin, memory: &Memory) {
    let id = memory.id;
    assert_eq!(
        reader.memories(&[id]).unwrap(),
        std::slice::from_ref(memory)
    );
    let history: Vec<_> = reader
        .history(id)
        .unwrap()
        .into_iter()
        .map(|line| (id, line.seq.0, line.condition))
        .collect();
    let expected: Vec<_> = twin
        .history
        .iter()
        .filter(|(of, _, _)| *of == id)
        .cloned()
        .collect();
    assert_eq!(history, expected);
    let fact = twin.facts.iter().find(|fact| fact.id == memory.fact);
    assert_eq!(reader.fact(memory.fact).unwrap().as_ref(), fact);
    assert_eq!(
        reader.revisions(memory.fact).unwrap(),
        twin.revisions(memory.fact)
    );
    let supports: Vec<Support> = twin
        .supports
        .iter()
        .filter(|support| support.memory == id)
        .cloned()
        .collect();
    assert_eq!(reader.supports(id).unwrap(), supports);
    let links: Vec<Link> = twin
        .links
        .iter()
        .filter(|link| link.from == id || link.to == id)
        .copied()
        .collect();
    assert_eq!(reader.links(id).unwrap(), links);
    let Some(custom) = &memory.custom_id else {
        return;
    };
    let partition = &memory.partition;
    let mut same: Vec<Memory> = twin
        .memories
        .iter()
        .filter(|other| other.custom_id.as_ref() == Some(custom))
        .filter(|other| other.partition.container() == partition.container())
        .filter(|other| other.partition.owner() == partition.owner())
        .cloned()
        .collect();
    same.reverse();
    let found = reader.with_custom_id(partition.container(), partition.owner(), custom);
    assert_eq!(found.unwrap(), same);
}

fn run(ops: &[Op]) {
    let mut pair = Pair::open();
    for op in ops {
        carry_out(&mut pair, op);
        if matches!(op, Op::Reopen | Op::Crash) {
            compare(pair.ledger(), &pair.twin);
        }
    }
    compare(pair.ledger(), &pair.twin);
    assert_eq!(pair.ledger().doctor(None).unwrap(), []);
}

/// 64 cases, unless `PROPTEST_CASES` says otherwise: each opens, closes and reads a whole ledger.
fn config() -> ProptestConfig {
    let set = std::env::var_os("PROPTEST_CASES").is_some();
    let config = ProptestConfig::default();
    if set {
        config
    } else {
        ProptestConfig {
            cases: 64,
            ..config
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_ledger_is_its_naive_twin(ops in prop::collection::vec(op(), 1..40)) {
        run(&ops);
    }
}

/// The canary: a twin that forgets one thing is caught.
#[test]
fn a_twin_that_forgets_is_caught() {
    let mut pair = Pair::open();
    let write = Write {
        place: 0,
        words: 0,
        slot: None,
        owner: 0,
        user: None,
        custom: false,
        pending: false,
        expires_in_hours: None,
        revises: None,
        rests_on: None,
        fate: 1,
    };
    write_memory(&mut pair, &write);
    compare(pair.ledger(), &pair.twin);
    pair.twin.memories[0].origins += 1;
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        compare(pair.ledger(), &pair.twin);
    }));
    assert!(caught.is_err());
}
