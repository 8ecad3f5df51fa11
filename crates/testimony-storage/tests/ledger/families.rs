//! The other families: containers, things, cases, jobs, receipts, vectors, and what was read.

use testimony_domain::{
    CaseId, Entity, EntityId, JobId, KeyId, MemoryId, RequestId, RunId, Timestamp,
};
use testimony_service::ports::ledger::audit::{Action, Actor, Digest, EventFilter, Seq};
use testimony_service::ports::ledger::containers::ContainerPolicy;
use testimony_service::ports::ledger::jobs::{Job, JobEnd, JobKind, JobState};
use testimony_service::ports::ledger::reads::{HandedOut, ReadRow, Route};
use testimony_service::ports::ledger::receipts::{Operation, Receipt, ReceiptKey};
use testimony_service::ports::ledger::reviews::{CaseFilter, CaseKind, Closing, ReviewCase};
use testimony_service::ports::ledger::{Ledger, LedgerError, Page};
use testimony_storage::ledger::SqliteLedger;

use crate::support::{
    Maker, act, all_events, at, container, embedder, embedding, keep, make_places, place,
    whole_chain, write,
};

pub(crate) fn ledger_with_rows(count: usize) -> (SqliteLedger, Maker, Vec<MemoryId>) {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    make_places(&ledger, 2);
    let maker = Maker::default();
    let ids = (0..count)
        .map(|n| keep(&ledger, &maker, &format!("row {n}")))
        .collect();
    (ledger, maker, ids)
}

#[test]
fn a_container_remembers_its_policy_and_its_embedder() {
    let (ledger, _, _) = ledger_with_rows(0);
    let policy = ContainerPolicy {
        pending_expires_after_hours: None,
        evidence_kept_days: Some(30),
        exempt_rules: vec!["generic".to_owned()],
        allowed_fingerprints: vec!["f1".to_owned(), "f2".to_owned()],
    };
    let policy_too = policy.clone();
    write(&ledger, 1, move |writer| {
        writer.set_policy(&place(0), &policy_too)?;
        writer.set_embedder(&place(0), &embedder("static"))?;
        assert!(matches!(
            writer.set_policy(&place(7), &policy_too),
            Err(LedgerError::Missing { .. })
        ));
        assert!(matches!(
            writer.set_embedder(&place(7), &embedder("x")),
            Err(LedgerError::Missing { .. })
        ));
        assert!(matches!(
            writer.make_container(&container(0)),
            Err(LedgerError::Exists { .. })
        ));
        Ok(())
    })
    .unwrap();
    let reader = ledger.reader().unwrap();
    let kept = reader.container(&place(0)).unwrap().unwrap();
    assert_eq!(
        (kept.policy, kept.embedder),
        (policy, Some(embedder("static")))
    );
    let page = Page {
        after: Some(place(0)),
        limit: 5,
    };
    assert_eq!(reader.containers(page).unwrap(), [container(1)]);
}

#[test]
fn a_thing_is_known_by_all_its_names_and_by_none_of_another() {
    let (ledger, maker, ids) = ledger_with_rows(3);
    let named = |name: &str, aliases: &[&str]| Entity {
        id: maker.id(EntityId::mint),
        name: name.to_owned(),
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
    };
    let relay = named("Relay 4", &["the  Pier relay"]);
    let other = named("Lamp", &["RELAY 4"]);
    let renamed = Entity {
        name: "Relay Four".to_owned(),
        ..relay.clone()
    };
    let elsewhere = named("Lamp", &[]);
    let (relay_too, renamed_too, ids_too) = (relay.clone(), renamed.clone(), ids.clone());
    let foreign = elsewhere.id;
    write(&ledger, 4, move |writer| {
        writer.name_entity(&place(0), &relay_too)?;
        assert!(matches!(
            writer.name_entity(&place(0), &other),
            Err(LedgerError::Exists { .. })
        ));
        writer.name_entity(&place(1), &elsewhere)?;
        for id in &ids_too {
            writer.mention(*id, relay_too.id)?;
            writer.mention(*id, relay_too.id)?;
        }
        assert!(matches!(
            writer.mention(ids_too[0], foreign),
            Err(LedgerError::Missing { .. })
        ));
        writer.name_entity(&place(0), &renamed_too)
    })
    .unwrap();
    let reader = ledger.reader().unwrap();
    assert_eq!(
        reader.entity(&place(0), "the pier RELAY").unwrap(),
        Some(renamed)
    );
    assert_eq!(reader.entity(&place(0), "relay 4").unwrap(), None);
    assert_eq!(reader.entity(&place(1), "relay four").unwrap(), None);
    let newest = reader.speaking_of(relay.id, Page::first(2)).unwrap();
    assert_eq!(newest, [ids[2], ids[1]]);
    let page = Page {
        after: Some(ids[1]),
        limit: 2,
    };
    assert_eq!(reader.speaking_of(relay.id, page).unwrap(), [ids[0]]);
    let mentions = EventFilter {
        action: Some(Action::MentionAdded),
        ..EventFilter::default()
    };
    assert_eq!(reader.events(&mentions, Page::first(9)).unwrap().len(), 3);
}

#[test]
fn a_case_is_opened_once_and_settled_once() {
    let (ledger, maker, ids) = ledger_with_rows(2);
    let case = |id| ReviewCase {
        id,
        container: place(0),
        kind: CaseKind::Conflict,
        group: "relay 4/port".to_owned(),
        memory: ids[0],
        against: vec![ids[1]],
        note: Some("which is it?".to_owned()),
        opened_at: at(4),
        closed: None,
    };
    let (first, again) = (case(maker.id(CaseId::mint)), case(maker.id(CaseId::mint)));
    let closing = Closing {
        at: at(5),
        by: Actor::Service,
        decision: "approved".to_owned(),
        note: None,
    };
    let (first_too, again_too, closing_too) = (first.clone(), again.clone(), closing.clone());
    write(&ledger, 4, move |writer| {
        assert_eq!(writer.open_case(&first_too)?, first_too.id);
        assert_eq!(writer.open_case(&again_too)?, first_too.id);
        writer.settle_case(first_too.id, Some(&closing_too))?;
        let twice = writer.settle_case(first_too.id, Some(&closing_too));
        assert!(matches!(twice, Err(LedgerError::Changed { .. })));
        assert_eq!(writer.open_case(&again_too)?, again_too.id);
        // Another is open for the same row, so this one cannot be opened again.
        assert!(matches!(
            writer.settle_case(first_too.id, None),
            Err(LedgerError::Changed { .. })
        ));
        Ok(())
    })
    .unwrap();
    let reader = ledger.reader().unwrap();
    let closed = ReviewCase {
        closed: Some(closing),
        ..first
    };
    assert_eq!(reader.case(closed.id).unwrap().as_ref(), Some(&closed));
    let open = CaseFilter {
        container: Some(place(0)),
        kind: Some(CaseKind::Conflict),
        group: Some("relay 4/port".to_owned()),
        memory: Some(ids[0]),
        closed_too: false,
    };
    assert_eq!(
        reader.cases(&open, Page::first(9)).unwrap(),
        std::slice::from_ref(&again)
    );
    let all = CaseFilter {
        closed_too: true,
        ..open
    };
    let page = Page {
        after: Some(closed.id),
        limit: 9,
    };
    assert_eq!(reader.cases(&all, page).unwrap(), [again]);
}

pub(crate) fn job(maker: &Maker, memory: Option<MemoryId>, not_before: i64) -> Job {
    Job {
        id: maker.id(JobId::mint),
        kind: JobKind::Embed,
        container: place(0),
        memory,
        state: JobState::Queued,
        attempts: 0,
        not_before: at(not_before),
        failure: None,
        queued_at: at(1),
    }
}

#[test]
fn a_job_is_leased_retried_given_up_and_revived() {
    let (ledger, maker, ids) = ledger_with_rows(2);
    let one = job(&maker, Some(ids[0]), 5);
    let same = job(&maker, Some(ids[0]), 5);
    let later = job(&maker, Some(ids[1]), 50);
    let (id, waiting) = (one.id, later.id);
    write(&ledger, 10, move |writer| {
        assert_eq!(writer.queue_job(&one)?, one.id);
        assert_eq!(writer.queue_job(&same)?, one.id);
        assert_eq!(writer.queue_job(&later)?, later.id);
        let leased = writer.lease_jobs(JobKind::Embed, 9, at(20))?;
        assert_eq!(
            leased
                .iter()
                .map(|job| (job.id, job.attempts))
                .collect::<Vec<_>>(),
            [(one.id, 1)]
        );
        assert_eq!(
            writer.lease_jobs(JobKind::Embed, 9, at(20))?,
            [],
            "it is leased until then"
        );
        Ok(())
    })
    .unwrap();
    write(&ledger, 20, move |writer| {
        // The lease has run out, and somebody else takes the job.
        assert_eq!(writer.lease_jobs(JobKind::Embed, 9, at(30))?[0].attempts, 2);
        let late = writer.end_job(id, 1, &JobEnd::Done);
        assert!(matches!(late, Err(LedgerError::Changed { .. })));
        let failure = "timeout: the embedder did not answer".to_owned();
        writer.end_job(
            id,
            2,
            &JobEnd::Retry {
                at: at(25),
                failure,
            },
        )
    })
    .unwrap();
    write(&ledger, 60, move |writer| {
        let leased = writer.lease_jobs(JobKind::Embed, 9, at(90))?;
        assert_eq!(
            leased.iter().map(|job| job.id).collect::<Vec<_>>(),
            [id, waiting]
        );
        writer.end_job(
            id,
            3,
            &JobEnd::Dead {
                failure: "gone".to_owned(),
            },
        )?;
        writer.end_job(waiting, 1, &JobEnd::Done)?;
        assert!(matches!(
            writer.revive_job(waiting),
            Err(LedgerError::Changed { .. })
        ));
        Ok(())
    })
    .unwrap();
    let reader = ledger.reader().unwrap();
    let dead = reader.jobs(JobState::Dead, Page::first(9)).unwrap();
    assert_eq!(
        (dead[0].id, dead[0].attempts, dead[0].failure.as_deref()),
        (id, 3, Some("gone"))
    );
    assert_eq!(reader.jobs_of(ids[1]).unwrap(), []);
    drop(reader);
    write(&ledger, 70, move |writer| writer.revive_job(id)).unwrap();
    let reader = ledger.reader().unwrap();
    let revived = reader.job(id).unwrap().unwrap();
    assert_eq!((revived.state, revived.attempts), (JobState::Queued, 0));
    assert_eq!(reader.jobs_of(ids[0]).unwrap(), [revived]);
}

#[test]
fn a_receipt_lasts_its_time_and_the_last_one_counts() {
    let (ledger, maker, ids) = ledger_with_rows(1);
    let key = ReceiptKey {
        key: maker.id(KeyId::mint),
        container: place(0),
        operation: Operation::Writeback,
        request: RequestId::new("request_id", "r-1").unwrap(),
    };
    let receipt = |response: &str| Receipt {
        key: key.clone(),
        body: Digest([9; 32]),
        response: response.to_owned(),
        memories: ids.clone(),
        names: vec![],
        at: at(4),
        until: at(100),
    };
    let (first, second) = (receipt("{}"), receipt("{\"saved\":1}"));
    let second_too = second.clone();
    write(&ledger, 4, move |writer| {
        writer.keep_receipt(&first)?;
        writer.keep_receipt(&second_too)
    })
    .unwrap();
    let reader = ledger.reader().unwrap();
    assert_eq!(reader.receipt(&key, at(99)).unwrap(), Some(second));
    assert_eq!(reader.receipt(&key, at(100)).unwrap(), None);
    let (gone, _) = write(&ledger, 5, |writer| {
        assert_eq!(writer.let_go_of_receipts(at(99), 9)?, 0);
        writer.let_go_of_receipts(at(100), 9)
    })
    .unwrap();
    assert_eq!(gone, 1);
}

#[test]
fn a_vector_that_comes_later_moves_its_memory_in_the_order_of_changes() {
    let (ledger, maker, ids) = ledger_with_rows(2);
    let head = ledger.head().unwrap().seq;
    let id = ids[0];
    let (_, commit) = write(&ledger, 5, move |writer| {
        writer.keep_embedding(&embedding(id, "remote"))
    })
    .unwrap();
    assert_eq!(commit.reached, head.next());
    assert_eq!(
        commit.changes[0].embedding.as_deref(),
        Some(&embedding(id, "remote"))
    );
    let reader = ledger.reader().unwrap();
    let page = Page {
        after: Some(head),
        limit: 9,
    };
    let (changed, reached) = reader.changed_since(page).unwrap();
    assert_eq!((changed[0].id, reached), (id, head.next()));
    assert_eq!(
        reader.embeddings(&embedder("remote"), &ids).unwrap(),
        [embedding(id, "remote")]
    );
    assert_eq!(
        reader
            .not_embedded(&place(0), &embedder("remote"), Page::first(9))
            .unwrap(),
        [ids[1]]
    );
    assert_eq!(
        reader
            .not_embedded(&place(0), &embedder("other"), Page::first(9))
            .unwrap(),
        ids
    );
    let stranger = maker.id(MemoryId::mint);
    let (dropped, _) = write(&ledger, 6, move |writer| {
        let missing = writer.keep_embedding(&embedding(stranger, "remote"));
        assert!(matches!(missing, Err(LedgerError::Missing { .. })));
        writer.keep_embedding(&embedding(id, "local"))?;
        writer.drop_other_embeddings(&[id], &embedder("local"))
    })
    .unwrap();
    assert_eq!(dropped, 1);
}

fn read(hour: i64, returned: Vec<MemoryId>) -> ReadRow {
    ReadRow {
        at: at(hour * 3_600),
        by: Actor::Host,
        container: place(0),
        route: Route::Recall,
        request: None,
        abstained: returned.is_empty(),
        returned,
        suppressed: 2,
        latency_us: 10,
    }
}

#[test]
fn reading_is_kept_by_row_and_by_hour() {
    let (ledger, maker, ids) = ledger_with_rows(2);
    let key = maker.id(KeyId::mint);
    let run = RunId::new("run", "r").unwrap();
    let handed = |memory, run: Option<&RunId>, seconds| HandedOut {
        key,
        run: run.cloned(),
        memory,
        at: at(seconds),
        until: at(seconds + 100),
    };
    let handed = [
        handed(ids[0], None, 1),
        handed(ids[1], None, 2),
        handed(ids[0], None, 3),
        handed(ids[1], Some(&run), 4),
    ];
    let ids_too = ids.clone();
    let before = all_events(&*ledger.reader().unwrap()).len();
    write(&ledger, 5, move |writer| {
        let rows = [0, 0, 1].map(|hour| read(hour, ids_too.clone()));
        writer.keep_reads(&rows.each_ref()[..1])?;
        writer.keep_reads(&rows.each_ref()[1..])?;
        writer.keep_reads(&[&read(2, vec![])])?;
        handed.iter().try_for_each(|handed| writer.hand_out(handed))
    })
    .unwrap();
    let reader = ledger.reader().unwrap();
    assert_eq!(
        all_events(&*reader).len(),
        before,
        "reading changes nothing"
    );
    let rows = reader.read_rows(&place(0), at(3_600), 9).unwrap();
    assert_eq!(rows, [read(2, vec![]), read(1, ids.clone())]);
    let first: Timestamp = at(0);
    let hours = reader.rollups(first, Page::first(2)).unwrap();
    let counts: Vec<_> = hours
        .iter()
        .map(|hour| (hour.requests, hour.returned, hour.suppressed))
        .collect();
    assert_eq!(counts, [(2, 4, 4), (1, 2, 2)]);
    let page = Page {
        after: Some(hours[1].hour),
        limit: 9,
    };
    assert_eq!(reader.rollups(first, page).unwrap()[0].abstained, 1);
    let took = |since| -> Vec<(u64, u64)> {
        let counted = reader.latencies(&place(0), since).unwrap();
        let counted = counted.iter();
        counted
            .map(|it| (it.step.longest_us(), it.requests))
            .collect()
    };
    assert_eq!(took(first), [(10, 2), (10, 1), (10, 1)]);
    assert_eq!(took(hours[1].hour), [(10, 1), (10, 1)]);
    assert_eq!(
        reader.handed_out(key, None, at(50), 9).unwrap(),
        [ids[0], ids[1]]
    );
    assert_eq!(
        reader.handed_out(key, Some(&run), at(50), 9).unwrap(),
        [ids[1]]
    );
    assert_eq!(reader.handed_out(key, None, at(102), 9).unwrap(), [ids[0]]);
    drop(reader);
    let (gone, _) = write(&ledger, 6, |writer| {
        let handed = writer.forget_handed_out(at(102), 9)?;
        let first = writer.forget_reads(at(3_600), 1)?;
        Ok((handed, first, writer.forget_reads(at(3_600), 9)?))
    })
    .unwrap();
    assert_eq!(gone, (1, 1, 1));
    let left = ledger
        .reader()
        .unwrap()
        .latencies(&place(0), first)
        .unwrap();
    assert_eq!(left.len(), 2, "the hour that was forgotten has none");
    assert_eq!(
        ledger
            .reader()
            .unwrap()
            .rollups(first, Page::first(9))
            .unwrap()
            .len(),
        3
    );
}

#[test]
fn events_are_found_by_what_they_say() {
    let (ledger, _, ids) = ledger_with_rows(2);
    let reader = ledger.reader().unwrap();
    let about = EventFilter {
        container: Some(place(0)),
        object: Some(ids[1].to_string()),
        actor: Some(act(0).actor),
        action: Some(Action::MemoryMade),
        since: Some(at(3)),
        until: Some(at(4)),
    };
    let found = reader.events(&about, Page::first(9)).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].decision.as_deref(), Some("active"));
    let page = Page {
        after: Some(Seq(2)),
        limit: 2,
    };
    let behind = reader.events(&EventFilter::default(), page).unwrap();
    assert_eq!(
        behind.iter().map(|event| event.seq.0).collect::<Vec<_>>(),
        [3, 4]
    );
    drop(reader);
    whole_chain(&ledger);
}
