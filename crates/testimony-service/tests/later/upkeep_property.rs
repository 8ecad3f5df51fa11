//! However often time is looked after, and however little at a time, the end is the same; and what is not due stays.
//!
//! A world of rows is laid down, time is looked after in calls of any size at any instants, and what is found at the
//! end is what a naive reading of the rules says.

use std::collections::BTreeSet;

use proptest::prelude::*;
use testimony_domain::{CaseId, KeyId, Memory, MemoryId, RequestId, State, Timestamp, Validity};
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::audit::Digest;
use testimony_service::ports::ledger::containers::ContainerPolicy;
use testimony_service::ports::ledger::jobs::{Job, JobEnd, JobKind, JobState};
use testimony_service::ports::ledger::memories::{Link, Relation};
use testimony_service::ports::ledger::receipts::{Operation, Receipt, ReceiptKey};
use testimony_service::ports::ledger::reviews::{CaseFilter, CaseKind, ReviewCase};
use testimony_service::upkeep::{Retention, Upkeep};

use crate::support::{Desk, RULES, at, place, seconds};

const HOUR: i64 = 3_600;
/// When everything has been looked after for the last time, in hours.
const END: i64 = 100;
const WAITS_FOR: i64 = 20;
const EVIDENCE_DAYS: i64 = 2;
const DONE_JOBS: i64 = 10;

fn hour(hour: i64) -> Timestamp {
    at(hour * HOUR)
}

#[derive(Clone, Debug)]
struct Row {
    pending: bool,
    contested: bool,
    has_case: bool,
    created: i64,
    expires: Option<i64>,
    until: Option<i64>,
}

#[derive(Clone, Debug)]
struct World {
    rows: Vec<Row>,
    contradictions: Vec<(usize, usize)>,
    idle_evidence: Vec<i64>,
    receipts: Vec<i64>,
    /// When each lease ends, and whether the job is done.
    jobs: Vec<(i64, bool)>,
}

fn row() -> impl Strategy<Value = Row> {
    let end = || prop::option::weighted(0.4, 1..150_i64);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (flags, 0..120_i64, end(), end()).prop_map(
        |((pending, contested, has_case), created, expires, until)| Row {
            pending,
            contested,
            has_case,
            created,
            expires,
            until,
        },
    )
}

fn worlds() -> impl Strategy<Value = World> {
    let hours = || prop::collection::vec(0..150_i64, 0..4);
    let pairs = prop::collection::vec((0..8_usize, 0..8_usize), 0..8);
    let jobs = prop::collection::vec((1..150_i64, any::<bool>()), 0..4);
    (
        prop::collection::vec(row(), 0..8),
        pairs,
        hours(),
        hours(),
        jobs,
    )
        .prop_map(
            |(rows, contradictions, idle_evidence, receipts, jobs)| World {
                contradictions: contradictions
                    .into_iter()
                    .filter(|(one, other)| one != other && *one.max(other) < rows.len())
                    .collect(),
                rows,
                idle_evidence,
                receipts,
                jobs,
            },
        )
}

/// When time is looked after, in hours, and how much at a time.
fn rounds() -> impl Strategy<Value = Vec<(i64, usize)>> {
    prop::collection::vec((0..END, 1..4_usize), 0..6).prop_map(|mut rounds| {
        rounds.sort_unstable();
        rounds
    })
}

/// What is left at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Left {
    /// Of each row: whether it expired, whether it is contested, whether a case about it is open.
    rows: Vec<(bool, bool, bool)>,
    evidence: BTreeSet<usize>,
    receipts: BTreeSet<usize>,
    jobs: Vec<Option<JobState>>,
}

/// The naive reading: every row in the order of its end, every conflict looked at in full.
fn expected(world: &World, end: i64) -> Left {
    expected_in_order(world, end, <[(i64, usize)]>::sort_unstable)
}

fn expected_in_order(world: &World, end: i64, arrange: impl Fn(&mut [(i64, usize)])) -> Left {
    let due = |row: &Row| {
        let waits = row.pending.then_some(row.created + WAITS_FOR);
        let first = [row.expires, row.until, waits].into_iter().flatten().min();
        first.filter(|due| *due <= end)
    };
    let mut rows: Vec<(bool, bool, bool)> = world
        .rows
        .iter()
        .map(|row| (false, row.contested, row.has_case))
        .collect();
    let mut order: Vec<(i64, usize)> = world
        .rows
        .iter()
        .enumerate()
        .filter_map(|(index, row)| Some((due(row)?, index)))
        .collect();
    arrange(&mut order);
    let against = |index: usize| {
        let pairs = world
            .contradictions
            .iter()
            .flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
        pairs
            .filter(move |(one, _)| *one == index)
            .map(|(_, other)| other)
    };
    for (_, index) in order {
        rows[index].0 = true;
        rows[index].2 = false;
        if !rows[index].1 {
            continue;
        }
        for other in against(index) {
            let in_doubt = against(other).any(|third| !rows[third].0 && rows[third].1);
            if !rows[other].0 && rows[other].1 && !in_doubt {
                rows[other].1 = false;
            }
        }
    }
    let kept = |all: &[i64], stays: &dyn Fn(i64) -> bool| {
        let all = all.iter().enumerate().filter(|(_, hour)| stays(**hour));
        all.map(|(index, _)| index).collect()
    };
    let job = |(lease, done): &(i64, bool)| match done {
        true => (*lease >= end - DONE_JOBS).then_some(JobState::Done),
        false if *lease <= end => Some(JobState::Queued),
        false => Some(JobState::Leased),
    };
    Left {
        rows,
        evidence: kept(&world.idle_evidence, &|recorded| {
            recorded >= end - EVIDENCE_DAYS * 24
        }),
        receipts: kept(&world.receipts, &|until| until > end),
        jobs: world.jobs.iter().map(job).collect(),
    }
}

/// A world laid down in a ledger.
struct Laid {
    desk: Desk,
    rows: Vec<MemoryId>,
    evidence: Vec<testimony_domain::EvidenceId>,
    receipts: Vec<ReceiptKey>,
    jobs: Vec<testimony_domain::JobId>,
}

impl Laid {
    fn of(world: &World) -> Self {
        let desk = Desk::with(ContainerPolicy {
            pending_expires_after_hours: u32::try_from(WAITS_FOR).ok(),
            evidence_kept_days: u32::try_from(EVIDENCE_DAYS).ok(),
            ..ContainerPolicy::default()
        });
        let base = desk.evidence(at(0));
        let id = base.evidence.id;
        let rows: Vec<Memory> = world
            .rows
            .iter()
            .map(|row| memory(&desk, row, id))
            .collect();
        let ids: Vec<MemoryId> = rows.iter().map(|row| row.id).collect();
        let links: Vec<Link> = world
            .contradictions
            .iter()
            .map(|(one, other)| Link {
                from: ids[*one],
                relation: Relation::Contradicts,
                to: ids[*other],
            })
            .collect();
        let cases = world.rows.iter().zip(&ids).filter(|(row, _)| row.has_case);
        let cases: Vec<ReviewCase> = cases.map(|(_, id)| case(&desk, *id)).collect();
        let idle: Vec<_> = world
            .idle_evidence
            .iter()
            .map(|recorded| desk.evidence(hour(*recorded)))
            .collect();
        let receipts: Vec<Receipt> = world
            .receipts
            .iter()
            .enumerate()
            .map(|(n, until)| receipt(&desk, n, *until))
            .collect();
        let jobs: Vec<(Job, i64, bool)> = world
            .jobs
            .iter()
            .map(|(lease, done)| (desk.job(JobKind::Compare, None), *lease, *done))
            .collect();
        let laid = Self {
            rows: ids,
            evidence: idle.iter().map(|kept| kept.evidence.id).collect(),
            receipts: receipts.iter().map(|receipt| receipt.key.clone()).collect(),
            jobs: jobs.iter().map(|(job, ..)| job.id).collect(),
            desk,
        };
        laid.desk.write(move |writer| {
            writer.keep_evidence(&base)?;
            rows.iter().try_for_each(|row| writer.add_memory(row))?;
            links.iter().try_for_each(|link| writer.link(*link))?;
            cases
                .iter()
                .try_for_each(|case| writer.open_case(case).map(drop))?;
            idle.iter()
                .try_for_each(|kept| writer.keep_evidence(kept))?;
            receipts
                .iter()
                .try_for_each(|receipt| writer.keep_receipt(receipt))?;
            for (job, lease, done) in &jobs {
                writer.queue_job(job)?;
                writer.lease_jobs(JobKind::Compare, 1, hour(*lease))?;
                if *done {
                    writer.end_job(job.id, 1, &JobEnd::Done)?;
                }
            }
            Ok(())
        });
        laid
    }

    fn look_after(&self, rounds: &[(i64, usize)], end: i64) {
        for (at, at_most) in rounds {
            self.tick(*at, *at_most);
        }
        // What is left over is done in the end, as the worker does it.
        while self.tick(end, 3) {}
    }

    fn tick(&self, at: i64, at_most: usize) -> bool {
        let retention = Retention {
            done_jobs: seconds((DONE_JOBS * HOUR).unsigned_abs()),
            ..Retention::default()
        };
        let upkeep = Upkeep::new(self.desk.ledger.clone(), retention, at_most, RULES);
        upkeep.tick(hour(at)).unwrap().more
    }

    fn left(&self) -> Left {
        let reader = self.desk.read();
        let row = |memory: &Memory| {
            let filter = CaseFilter {
                memory: Some(memory.id),
                ..CaseFilter::default()
            };
            let open = !reader.cases(&filter, Page::first(1)).unwrap().is_empty();
            (memory.state == State::Expired, memory.contested, open)
        };
        let there = |found: bool, index: usize| found.then_some(index);
        let evidence = self.evidence.iter().enumerate();
        let receipts = self.receipts.iter().enumerate();
        Left {
            rows: reader
                .memories(&self.rows)
                .unwrap()
                .iter()
                .map(row)
                .collect(),
            evidence: evidence
                .filter_map(|(n, id)| there(!reader.evidence(&[*id]).unwrap().is_empty(), n))
                .collect(),
            receipts: receipts
                .filter_map(|(n, key)| there(reader.receipt(key, at(-1)).unwrap().is_some(), n))
                .collect(),
            jobs: self
                .jobs
                .iter()
                .map(|id| reader.job(*id).unwrap().map(|job| job.state))
                .collect(),
        }
    }
}

fn memory(desk: &Desk, row: &Row, evidence: testimony_domain::EvidenceId) -> Memory {
    Memory {
        state: if row.pending {
            State::Pending
        } else {
            State::Active
        },
        contested: row.contested,
        created_at: hour(row.created),
        validity: Validity {
            from: None,
            until: row.until.map(hour),
        },
        expires_at: row.expires.map(hour),
        ..desk.memory("it is so", evidence)
    }
}

fn case(desk: &Desk, memory: MemoryId) -> ReviewCase {
    ReviewCase {
        id: desk.id(CaseId::mint),
        container: place(),
        kind: CaseKind::Requested,
        group: "g".to_owned(),
        memory,
        against: Vec::new(),
        note: None,
        opened_at: at(0),
        closed: None,
    }
}

fn receipt(desk: &Desk, number: usize, until: i64) -> Receipt {
    Receipt {
        names: Vec::new(),
        key: ReceiptKey {
            key: desk.id(KeyId::mint),
            container: place(),
            operation: Operation::Retain,
            request: RequestId::new("request_id", &format!("r{number}")).unwrap(),
        },
        body: Digest::default(),
        response: "{}".to_owned(),
        memories: Vec::new(),
        at: at(0),
        until: hour(until),
    }
}

/// What is left of a world that is looked after in rounds, until an end.
fn left_of(world: &World, rounds: &[(i64, usize)], end: i64) -> Left {
    let laid = Laid::of(world);
    laid.look_after(rounds, end);
    laid.left()
}

/// Each case opens a ledger of its own; what is looked for shows in few of them.
fn config() -> ProptestConfig {
    const USUAL_CASES: u32 = 256;
    let usual = testimony_testkit::config();
    let is_set = std::env::var_os("PROPTEST_CASES").is_some();
    let cases = if is_set { usual.cases } else { USUAL_CASES };
    ProptestConfig { cases, ..usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn time_does_the_same_in_any_portions(world in worlds(), rounds in rounds()) {
        prop_assert_eq!(left_of(&world, &rounds, END), expected(&world, END));
    }
}

/// A world in which an hour makes a difference, and one whose order does.
fn telling() -> World {
    let row = |expires: Option<i64>, contested: bool| Row {
        pending: false,
        contested,
        has_case: true,
        created: 0,
        expires,
        until: None,
    };
    World {
        rows: vec![
            row(Some(END + 1), false),
            row(Some(10), true),
            row(Some(20), true),
        ],
        contradictions: vec![(1, 2)],
        idle_evidence: Vec::new(),
        receipts: Vec::new(),
        jobs: Vec::new(),
    }
}

#[test]
fn the_canaries_are_caught() {
    let world = telling();
    let left = left_of(&world, &[], END);
    assert_eq!(left, expected(&world, END));
    // Somebody whose clock runs ahead expires what is not due.
    assert_ne!(left_of(&world, &[], END + 1), expected(&world, END));
    // Somebody who takes the later end first leaves the other side in doubt.
    let backwards = expected_in_order(&world, END, |order| {
        order.sort_unstable();
        order.reverse();
    });
    assert_ne!(left, backwards);
}
