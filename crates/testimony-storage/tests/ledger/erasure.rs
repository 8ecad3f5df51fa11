//! Erasure: not a byte of what is erased is left in the folder, and an older backup brings nothing back.

use std::io::Read as _;
use std::path::Path;

use testimony_domain::{
    AgentId, CaseId, CustomId, Entity, EntityId, Event, JobId, KeyId, MemoryId, Owner, Polarity,
    Redacted, RequestId, RunId, SourceLabel, SourceRef, State, Support, Tag,
};
use testimony_service::ports::ledger::audit::{Action, Actor, Digest};
use testimony_service::ports::ledger::erasure::Target;
use testimony_service::ports::ledger::jobs::{Job, JobKind, JobState};
use testimony_service::ports::ledger::memories::Change;
use testimony_service::ports::ledger::reads::{HandedOut, ReadRow, Route};
use testimony_service::ports::ledger::receipts::{Judgment, Operation, Receipt, ReceiptKey};
use testimony_service::ports::ledger::reviews::{CaseKind, ReviewCase};
use testimony_service::ports::ledger::{Ledger, LedgerError};
use testimony_storage::ledger::{Options, SqliteLedger};

use crate::support::{
    Maker, act, actions, at, embedder, embedding, keep, make_places, place, slot, user,
    whole_chain, write,
};

/// Whether a text stands in any file of a folder.
pub(crate) fn stands_in(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = Vec::new();
        std::fs::File::open(&path)
            .unwrap()
            .read_to_end(&mut bytes)
            .unwrap();
        if bytes
            .windows(text.len())
            .any(|window| window == text.as_bytes())
        {
            found.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    found
}

/// A memory whose every field, and everything around it, says `word`.
pub(crate) fn keep_everywhere(ledger: &SqliteLedger, maker: &Maker, word: &str) -> MemoryId {
    let person = testimony_domain::UserId::new("user_id", &format!("{word}-person")).unwrap();
    let mut kept = maker.evidence(0, &format!("Evidence about {word}, at some length."));
    kept.metadata = Some(format!("{{\"note\":\"{word}\"}}"));
    kept.evidence.label = SourceLabel::new("source", word).unwrap();
    kept.evidence.origin.run = Some(RunId::new("run", word).unwrap());
    kept.evidence.origin.source = Some(SourceRef::new("source", word).unwrap());
    kept.evidence.partition = Maker::partition(0, crate::support::agent(0), Some(person.clone()));
    let mut memory = maker.memory(0, &format!("{word} is said here."), vec![kept.evidence.id]);
    memory.slot = Some(slot(1, word));
    memory.entities = vec![word.to_owned()];
    memory.tags = vec![Tag::new("tags", word).unwrap()];
    memory.custom_id = Some(CustomId::new("custom_id", word).unwrap());
    memory.source = SourceLabel::new("source", word).unwrap();
    memory.partition = Maker::partition(0, crate::support::agent(0), Some(person));
    let id = memory.id;
    let entity = Entity {
        id: maker.id(EntityId::mint),
        name: word.to_owned(),
        aliases: vec![format!("{word} the second")],
    };
    let around = around(maker, id, word);
    write(ledger, 3, move |writer| {
        writer.keep_evidence(&kept)?;
        writer.add_memory(&memory)?;
        writer.name_entity(&place(0), &entity)?;
        writer.mention(id, entity.id)?;
        writer.keep_embedding(&embedding(id, "static"))?;
        writer.keep_receipt(&around.receipt)?;
        writer.keep_judgment(&around.judgment)?;
        writer.open_case(&around.case)?;
        writer.queue_job(&around.job)?;
        writer.keep_reads(&[&around.read])?;
        writer.hand_out(&around.handed)
    })
    .unwrap();
    id
}

struct Around {
    receipt: Receipt,
    judgment: Judgment,
    case: ReviewCase,
    job: Job,
    read: ReadRow,
    handed: HandedOut,
}

fn receipt_key(word: &str) -> ReceiptKey {
    ReceiptKey {
        key: KeyId::from_uuid(uuid::Uuid::from_u128(7)),
        container: place(0),
        operation: Operation::Retain,
        request: RequestId::new("request_id", &format!("r-{}", word.len())).unwrap(),
    }
}

fn around(maker: &Maker, memory: MemoryId, word: &str) -> Around {
    let key = maker.id(KeyId::mint);
    Around {
        receipt: Receipt {
            key: receipt_key(word),
            body: Digest([3; 32]),
            response: format!("{{\"content\":\"{word}\"}}"),
            memories: vec![memory],
            names: vec![],
            at: at(3),
            until: at(9_000),
        },
        judgment: Judgment {
            memory,
            about: Digest([4; 32]),
            said: format!("the judge said {word}"),
            at: at(3),
        },
        case: ReviewCase {
            id: maker.id(CaseId::mint),
            container: place(0),
            kind: CaseKind::Requested,
            group: format!("slot {word}"),
            memory,
            against: vec![],
            note: Some(format!("look at {word}")),
            opened_at: at(3),
            closed: None,
        },
        job: Job {
            id: maker.id(JobId::mint),
            kind: JobKind::Compare,
            container: place(0),
            memory: Some(memory),
            state: JobState::Queued,
            attempts: 0,
            not_before: at(3),
            failure: None,
            queued_at: at(3),
        },
        read: ReadRow {
            at: at(4),
            by: Actor::Key(key),
            container: place(0),
            route: Route::Recall,
            request: None,
            returned: vec![memory],
            suppressed: 0,
            abstained: false,
            latency_us: 5,
        },
        handed: HandedOut {
            key,
            run: None,
            memory,
            at: at(4),
            until: at(9_000),
        },
    }
}

#[test]
fn not_a_byte_of_what_is_erased_is_left() {
    const WORD: &str = "quartz-lantern";
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    // Rows before and behind, so that pages are split and filled around the one that goes.
    for number in 0..150 {
        keep(
            &ledger,
            &maker,
            &format!("neighbour {number} ").repeat(1 + number % 30),
        );
    }
    let id = keep_everywhere(&ledger, &maker, WORD);
    for number in 0..150 {
        keep(
            &ledger,
            &maker,
            &format!("neighbour {number} ").repeat(1 + number % 30),
        );
    }
    assert_ne!(
        stands_in(folder.path(), WORD),
        [""; 0],
        "the canary: it is there before"
    );
    let (toll, _) = write(&ledger, 5, move |writer| {
        let announced = writer.toll(&Target::Memory(id))?;
        assert_eq!(writer.erase(&Target::Memory(id))?, announced);
        Ok(announced)
    })
    .unwrap();
    println!("{:?}", toll.rows);
    assert_eq!(toll.memories, [id]);
    assert_eq!(stands_in(folder.path(), WORD), [""; 0]);
    assert_ne!(stands_in(folder.path(), "neighbour 149"), [""; 0]);
    what_is_left(&ledger, id, WORD);
    drop(ledger);
    assert_eq!(stands_in(folder.path(), WORD), [""; 0]);
}

fn what_is_left(ledger: &SqliteLedger, id: MemoryId, word: &str) {
    let reader = ledger.reader().unwrap();
    let left = reader.memories(&[id]).unwrap().remove(0);
    assert_eq!((left.state, left.content.as_str()), (State::Erased, ""));
    let receipt = reader.receipt(&receipt_key(word), at(5)).unwrap().unwrap();
    assert_eq!(
        (receipt.response.as_str(), receipt.memories),
        ("", vec![id])
    );
    assert_eq!(
        receipt.body,
        Digest([3; 32]),
        "a replay is still known as such"
    );
    assert_eq!(reader.judgment(id, Digest([4; 32])).unwrap(), None);
    assert_eq!(reader.entity(&place(0), word).unwrap(), None);
    assert_eq!(reader.embeddings(&embedder("static"), &[id]).unwrap(), []);
    assert_eq!(reader.jobs_of(id).unwrap(), []);
    let filter = testimony_service::ports::ledger::reviews::CaseFilter {
        memory: Some(id),
        closed_too: true,
        ..Default::default()
    };
    let cases = reader.cases(&filter, testimony_service::ports::ledger::Page::first(9));
    let case = cases.unwrap().remove(0);
    assert_eq!((case.group.as_str(), case.note), ("erased", None));
    assert_eq!(case.closed.unwrap().decision, "erased");
    let rows = reader.read_rows(&place(0), at(0), 9).unwrap();
    assert!(rows[0].returned.is_empty());
    let erasures = reader.erasures().unwrap();
    assert_eq!(erasures[0].memories, [id]);
    assert_eq!(erasures[0].seq, reader.chain_head().unwrap().seq);
    drop(reader);
    whole_chain(ledger);
    assert_eq!(ledger.doctor(None).unwrap(), []);
}

#[test]
fn every_target_takes_what_it_names() {
    const WORD: &str = "amber-kettle";
    type Of = fn(MemoryId, &SqliteLedger) -> Target;
    let targets: [(&str, Of); 6] = [
        ("memory", |id, _| Target::Memory(id)),
        ("fact", |id, ledger| {
            let reader = ledger.reader().unwrap();
            Target::Fact(reader.memories(&[id]).unwrap()[0].fact)
        }),
        ("user", |_, _| {
            let person = testimony_domain::UserId::new("user_id", "amber-kettle-person");
            Target::User(place(0), person.unwrap())
        }),
        ("agent", |_, _| {
            Target::Agent(place(0), crate::support::agent_id(0))
        }),
        ("source", |_, _| {
            Target::Source(place(0), SourceLabel::new("source", WORD).unwrap())
        }),
        ("container", |_, _| Target::Container(place(0))),
    ];
    for (name, target) in targets {
        let folder = tempfile::tempdir().unwrap();
        let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
        make_places(&ledger, 2);
        let maker = Maker::default();
        let id = keep_everywhere(&ledger, &maker, WORD);
        let elsewhere = maker.memory(1, "amber is kept elsewhere", vec![]);
        let other = elsewhere.id;
        write(&ledger, 4, move |writer| writer.add_memory(&elsewhere)).unwrap();
        let target = target(id, &ledger);
        write(&ledger, 5, move |writer| writer.erase(&target)).unwrap();
        drop(ledger);
        assert_eq!(stands_in(folder.path(), WORD), [""; 0], "{name}");
        let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
        let reader = ledger.reader().unwrap();
        let stays = reader.memories(&[other]).unwrap().remove(0);
        assert_eq!(stays.state, State::Active, "{name}");
    }
}

#[test]
fn the_name_of_an_agent_goes_with_everything_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    let name = AgentId::new("agent_id", "heliotrope-scout").unwrap();
    let mut kept = maker.evidence(0, "The bridge is closed on Mondays.");
    kept.evidence.partition = Maker::partition(0, Owner::Agent(name.clone()), None);
    kept.evidence.origin.agent = Some(name.clone());
    let mut memory = maker.memory(0, "The bridge is closed.", vec![kept.evidence.id]);
    memory.partition = kept.evidence.partition.clone();
    let other = maker.memory(0, "Nothing is open on Mondays.", vec![kept.evidence.id]);
    let (goes, stays, evidence) = (memory.id, other.id, kept.evidence.id);
    write(&ledger, 3, move |writer| {
        writer.keep_evidence(&kept)?;
        for memory in [&memory, &other] {
            writer.add_memory(memory)?;
            writer.add_support(&Support {
                memory: memory.id,
                evidence,
                polarity: Polarity::Supports,
                origin: kept.evidence.origin.clone(),
            })?;
        }
        Ok(())
    })
    .unwrap();
    assert_ne!(stands_in(folder.path(), name.as_str()), [""; 0]);
    let target = Target::Agent(place(0), name.clone());
    write(&ledger, 5, move |writer| writer.erase(&target)).unwrap();
    assert_eq!(stands_in(folder.path(), name.as_str()), [""; 0]);
    let reader = ledger.reader().unwrap();
    assert_eq!(reader.memories(&[goes]).unwrap()[0].state, State::Erased);
    let supports = reader.supports(stays).unwrap();
    assert_eq!(
        supports[0].origin.agent.as_ref().unwrap().as_str(),
        "erased"
    );
    drop(reader);
    assert_eq!(ledger.doctor(None).unwrap(), []);
}

#[test]
fn evidence_on_which_another_rests_stays() {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    let kept = maker.evidence(0, "two claims in one sentence");
    let evidence = kept.evidence.id;
    let (one, two) = (
        maker.memory(0, "the one", vec![evidence]),
        maker.memory(0, "the other", vec![evidence]),
    );
    let (first, second) = (one.id, two.id);
    write(&ledger, 3, move |writer| {
        writer.keep_evidence(&kept)?;
        writer.add_memory(&one)?;
        writer.add_memory(&two)?;
        writer.erase(&Target::Memory(first))
    })
    .unwrap();
    let text = |ledger: &SqliteLedger| {
        let reader = ledger.reader().unwrap();
        let kept = reader.evidence(&[evidence]).unwrap().remove(0);
        kept.evidence.text
    };
    assert_eq!(
        text(&ledger),
        Redacted::attest("[erased]"),
        "nobody can say which words of it the other rests on"
    );
    write(&ledger, 4, move |writer| {
        writer.erase(&Target::Memory(second))
    })
    .unwrap();
    assert_eq!(text(&ledger), Redacted::attest(""));
}

#[test]
fn a_reader_in_the_way_only_puts_the_cut_off() {
    const WORD: &str = "violet-anchor";
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    let id = keep_everywhere(&ledger, &maker, WORD);
    let reader = ledger.reader().unwrap();
    write(&ledger, 5, move |writer| writer.erase(&Target::Memory(id))).unwrap();
    assert_eq!(
        reader.memories(&[id]).unwrap()[0].state,
        State::Active,
        "it sees its own state"
    );
    assert_ne!(stands_in(folder.path(), WORD), [""; 0]);
    drop(reader);
    // The writer tries again by itself; this waits for as long as that takes.
    while !stands_in(folder.path(), WORD).is_empty() {
        std::thread::yield_now();
    }
}

#[test]
fn a_backup_from_before_brings_nothing_back() {
    const WORD: &str = "saffron-bridge";
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    let stays = keep(&ledger, &maker, "this stays");
    let id = keep_everywhere(&ledger, &maker, WORD);
    let backups = tempfile::tempdir().unwrap();
    let backup = backups.path().join("before.sqlite");
    let report = ledger.backup_to(&backup).unwrap();
    assert_eq!(report.head, ledger.head().unwrap());
    write(&ledger, 5, move |writer| {
        writer.erase(&Target::User(place(0), user(99)))?;
        writer.erase(&Target::Memory(id))
    })
    .unwrap();
    drop(ledger);
    assert_eq!(stands_in(folder.path(), WORD), [""; 0]);
    assert_ne!(
        stands_in(backups.path(), WORD),
        [""; 0],
        "the backup is older"
    );

    let list = folder.path().join("erasures.list");
    let empty = tempfile::tempdir().unwrap();
    let options = Options::default();
    let restored =
        SqliteLedger::restore(&backup, empty.path(), &[&list], act(9), &options).unwrap();
    let reader = restored.reader().unwrap();
    assert_eq!(reader.memories(&[id]).unwrap()[0].state, State::Erased);
    assert_eq!(reader.memories(&[stays]).unwrap()[0].state, State::Active);
    let told = actions(&*reader);
    assert_eq!(told.last(), Some(&Action::Restored));
    assert!(told.contains(&Action::Erased));
    drop(reader);
    whole_chain(&restored);
    assert_eq!(restored.doctor(None).unwrap(), []);
    drop(restored);
    assert_eq!(stands_in(empty.path(), WORD), [""; 0]);

    // Opened again, it is not erased again; and the canary: without the list it would have come back.
    let again = SqliteLedger::open(empty.path(), &options).unwrap();
    assert_eq!(again.reader().unwrap().erasures().unwrap().len(), 1);
    let without = tempfile::tempdir().unwrap();
    SqliteLedger::restore(&backup, without.path(), &[], act(9), &options).unwrap();
    assert_ne!(stands_in(without.path(), WORD), [""; 0]);
}

#[test]
fn an_erasure_that_was_cut_short_is_finished_by_the_next_opening() {
    const WORD: &str = "copper-willow";
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    make_places(&ledger, 1);
    let id = keep_everywhere(&ledger, &Maker::default(), WORD);
    let before = tempfile::tempdir().unwrap();
    let copy = before.path().join("ledger.sqlite");
    ledger.backup_to(&copy).unwrap();
    write(&ledger, 5, move |writer| writer.erase(&Target::Memory(id))).unwrap();
    drop(ledger);
    // The list has the line, the database has not: as after a crash between the two.
    let list = "erasures.list";
    std::fs::copy(folder.path().join(list), before.path().join(list)).unwrap();
    let ledger = SqliteLedger::open(before.path(), &Options::default()).unwrap();
    let reader = ledger.reader().unwrap();
    assert_eq!(reader.memories(&[id]).unwrap()[0].state, State::Erased);
    drop(reader);
    drop(ledger);
    assert_eq!(stands_in(before.path(), WORD), [""; 0]);
}

#[test]
fn what_had_been_let_go_of_before_the_erasure_does_not_come_back_either() {
    const WORD: &str = "juniper-cellar";
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    // Evidence of a person from which no memory came.
    let mut kept = maker.evidence(0, &format!("small talk about a {WORD}"));
    kept.evidence.partition = Maker::partition(0, crate::support::agent(0), Some(user(5)));
    let evidence = kept.evidence.id;
    let mut memory = maker.memory(0, &format!("the {WORD} is dry"), vec![]);
    memory.partition = Maker::partition(0, crate::support::agent(0), Some(user(5)));
    write(&ledger, 3, move |writer| {
        writer.keep_evidence(&kept)?;
        writer.add_memory(&memory)
    })
    .unwrap();
    let backups = tempfile::tempdir().unwrap();
    let backup = backups.path().join("before.sqlite");
    ledger.backup_to(&backup).unwrap();
    write(&ledger, 5, move |writer| {
        writer.let_go_of_evidence(evidence)?;
        writer.erase(&Target::User(place(0), user(5)))
    })
    .unwrap();
    drop(ledger);
    let list = folder.path().join("erasures.list");
    assert_eq!(
        stands_in(folder.path(), "person-5"),
        [""; 0],
        "the list holds no name"
    );
    let empty = tempfile::tempdir().unwrap();
    let options = Options::default();
    drop(SqliteLedger::restore(&backup, empty.path(), &[&list], act(9), &options).unwrap());
    assert_eq!(stands_in(empty.path(), WORD), [""; 0]);
    assert_eq!(stands_in(empty.path(), "person-5"), [""; 0]);

    // The list of one ledger says nothing about the people of another.
    let other = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(other.path(), &options).unwrap();
    write(&ledger, 1, |writer| {
        writer.make_container(&crate::support::container(0))
    })
    .unwrap();
    let mut kept = Maker::default().evidence(0, &format!("another {WORD}"));
    kept.evidence.id = testimony_domain::EvidenceId::from_uuid(uuid::Uuid::from_u128(99));
    kept.evidence.partition = Maker::partition(0, crate::support::agent(0), Some(user(5)));
    write(&ledger, 3, move |writer| writer.keep_evidence(&kept)).unwrap();
    drop(ledger);
    std::fs::copy(&list, other.path().join("erasures.list")).unwrap();
    drop(SqliteLedger::open(other.path(), &options).unwrap());
    assert_ne!(stands_in(other.path(), WORD), [""; 0]);
}

/// The digest by which the list knows the person again, and the same without a key, as a list of before has it.
fn digests(list: &Path, person: &str) -> (String, String) {
    use sha2::{Digest as _, Sha256};
    let mut hash = Sha256::new();
    for part in ["place-0", "user", person] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    let guessed = hash.finalize().into_iter().map(|it| format!("{it:02x}"));
    let text = std::fs::read_to_string(list).unwrap();
    let (_, line) = text.lines().last().unwrap().split_once(' ').unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    let kept = line["named"]["digest"].as_str().unwrap();
    (kept.to_owned(), guessed.collect())
}

#[test]
fn nobody_who_has_the_list_alone_can_try_names_on_it() {
    const WORD: &str = "celadon-harbour";
    for makes_key in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::default();
        let ledger = SqliteLedger::open(folder.path(), &options).unwrap();
        make_places(&ledger, 1);
        let maker = Maker::default();
        if makes_key {
            let key = crate::accounts::key(&maker, testimony_domain::ContainerGrant::All);
            write(&ledger, 1, move |writer| writer.make_key(&key)).unwrap();
        }
        let mut kept = maker.evidence(0, &format!("small talk about a {WORD}"));
        kept.evidence.partition = Maker::partition(0, crate::support::agent(0), Some(user(5)));
        let evidence = kept.evidence.id;
        write(&ledger, 3, move |writer| writer.keep_evidence(&kept)).unwrap();
        let backups = tempfile::tempdir().unwrap();
        let backup = backups.path().join("before.sqlite");
        ledger.backup_to(&backup).unwrap();
        let mut other = maker.evidence(0, "something else");
        other.evidence.partition = Maker::partition(0, crate::support::agent(0), Some(user(5)));
        write(&ledger, 5, move |writer| {
            writer.let_go_of_evidence(evidence)?;
            writer.keep_evidence(&other)?;
            writer.erase(&Target::User(place(0), user(5)))
        })
        .unwrap();
        drop(ledger);
        let list = folder.path().join("erasures.list");
        let (kept, guessed) = digests(&list, "person-5");
        assert_eq!(
            kept == guessed,
            !makes_key,
            "lines without a key are read as before"
        );
        let empty = tempfile::tempdir().unwrap();
        drop(SqliteLedger::restore(&backup, empty.path(), &[&list], act(9), &options).unwrap());
        assert_eq!(stands_in(empty.path(), WORD), [""; 0]);
    }
}

#[test]
fn the_event_of_the_lifecycle_erases_as_well() {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    make_places(&ledger, 1);
    let id = keep(&ledger, &Maker::default(), "said once");
    write(&ledger, 5, move |writer| {
        let memory = writer.memories(&[id])?.remove(0);
        let (change, _) = Change::of(&memory, Event::Erase, |_| ()).unwrap();
        writer.change_memory(&change)
    })
    .unwrap();
    let reader = ledger.reader().unwrap();
    assert_eq!(reader.memories(&[id]).unwrap()[0].content.as_str(), "");
    assert_eq!(reader.erasures().unwrap().len(), 1);
}

#[test]
fn what_comes_too_late_does_not_say_again_what_was_erased() {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    let kept = maker.evidence(0, "heard once");
    let evidence = kept.evidence.id;
    let memory = maker.memory(0, "said once", vec![evidence]);
    let id = memory.id;
    let late = maker.memory(0, "a job drew this from it", vec![evidence]);
    let around = around(&maker, id, "said once");
    let thing = Entity {
        id: maker.id(EntityId::mint),
        name: "once".to_owned(),
        aliases: vec![],
    };
    write(&ledger, 5, move |writer| {
        writer.keep_evidence(&kept)?;
        writer.add_memory(&memory)?;
        writer.name_entity(&place(0), &thing)?;
        writer.erase(&Target::Memory(id))?;
        let refusals = [
            writer.add_memory(&late).err(),
            writer.keep_embedding(&embedding(id, "static")).err(),
            writer.keep_judgment(&around.judgment).err(),
            writer.open_case(&around.case).err(),
            writer.queue_job(&around.job).err(),
            writer.mention(id, thing.id).err(),
        ];
        for refusal in refusals {
            assert!(
                matches!(refusal, Some(LedgerError::Changed { .. })),
                "{refusal:?}"
            );
        }
        Ok(())
    })
    .unwrap();
}

#[test]
fn room_is_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::open(folder.path(), &Options::default()).unwrap();
    make_places(&ledger, 1);
    let maker = Maker::default();
    for number in 0..100 {
        keep(
            &ledger,
            &maker,
            &format!("a long row {number} ").repeat(500),
        );
    }
    let length = || {
        let lengths = ["ledger.sqlite", "ledger.sqlite-wal"].map(|name| {
            let file = std::fs::metadata(folder.path().join(name));
            file.unwrap().len()
        });
        lengths.iter().sum::<u64>()
    };
    let before = length();
    write(&ledger, 5, |writer| {
        writer.erase(&Target::Container(place(0)))
    })
    .unwrap();
    let after = length();
    println!("{before} bytes before, {after} after");
    assert!(after < before / 3, "{before} {after}");
    assert_eq!(ledger.doctor(None).unwrap(), []);
    drop(ledger);
    let conn = rusqlite::Connection::open(folder.path().join("ledger.sqlite")).unwrap();
    let free: i64 = conn
        .pragma_query_value(None, "freelist_count", |row| row.get(0))
        .unwrap();
    assert_eq!(free, 0);
}
