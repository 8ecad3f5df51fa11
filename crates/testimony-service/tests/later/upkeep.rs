//! What time does to one row of each kind.

use testimony_domain::{
    CaseId, Event, KeyId, Memory, MemoryId, PersonId, RequestId, ReviewNeed, SessionId, State,
    Validity,
};
use testimony_service::ports::ledger::accounts::{Person, Role, Session};
use testimony_service::ports::ledger::audit::{Actor, Digest};
use testimony_service::ports::ledger::containers::ContainerPolicy;
use testimony_service::ports::ledger::jobs::{JobEnd, JobKind, JobState};
use testimony_service::ports::ledger::memories::{Change, Link, Relation};
use testimony_service::ports::ledger::reads::{HandedOut, ReadRow, Route};
use testimony_service::ports::ledger::receipts::{Operation, Receipt, ReceiptKey};
use testimony_service::ports::ledger::reviews::{CaseKind, ReviewCase};
use testimony_service::ports::ledger::{Made, Page};
use testimony_service::upkeep::{Retention, UpkeepReport};

use crate::support::{Desk, at, place, seconds};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

fn two_hours() -> ContainerPolicy {
    ContainerPolicy {
        pending_expires_after_hours: Some(2),
        ..ContainerPolicy::default()
    }
}

/// Keeps a row that is changed before.
fn row(desk: &Desk, text: &str, change: impl Fn(&mut Memory)) -> MemoryId {
    let kept = desk.evidence(at(0));
    let mut row = desk.memory(text, kept.evidence.id);
    change(&mut row);
    let id = row.id;
    desk.write(move |writer| {
        writer.keep_evidence(&kept)?;
        writer.add_memory(&row)
    });
    id
}

fn case(desk: &Desk, kind: CaseKind, memory: MemoryId, against: Vec<MemoryId>) -> CaseId {
    let case = ReviewCase {
        id: desk.id(CaseId::mint),
        container: place(),
        kind,
        group: "g".to_owned(),
        memory,
        against,
        note: None,
        opened_at: at(0),
        closed: None,
    };
    desk.write(move |writer| writer.open_case(&case))
}

fn found(desk: &Desk, id: MemoryId) -> Memory {
    desk.read().memories(&[id]).unwrap().remove(0)
}

/// What became of a case: nothing, or the word by which it was closed.
fn closed(desk: &Desk, id: CaseId) -> Option<String> {
    let case = desk.read().case(id).unwrap().unwrap();
    case.closed.map(|closing| {
        assert_eq!(closing.by, Actor::Service);
        closing.decision
    })
}

fn tick(desk: &Desk, seconds: i64) -> UpkeepReport {
    desk.clock.set(at(seconds));
    desk.upkeep(64).tick(at(seconds)).unwrap()
}

#[test]
fn a_row_expires_at_its_end_and_its_case_is_closed() {
    let desk = Desk::new();
    let id = row(&desk, "the ferry is late", |row| {
        row.expires_at = Some(at(60));
    });
    let stays = row(&desk, "the ferry is white", |_| ());
    let (its, other) = (
        case(&desk, CaseKind::Requested, id, vec![]),
        case(&desk, CaseKind::Requested, stays, vec![]),
    );
    assert_eq!(tick(&desk, 59), UpkeepReport::default());
    assert_eq!(found(&desk, id).state, State::Active);
    let report = tick(&desk, 60);
    assert_eq!(
        (report.expired, report.cases_closed, report.more),
        (1, 1, false)
    );
    assert_eq!(found(&desk, id).state, State::Expired);
    assert_eq!(closed(&desk, its).as_deref(), Some("expired"));
    assert_eq!(closed(&desk, other), None);
    let history = desk.read().history(id).unwrap();
    assert_eq!(history.last().unwrap().event, Some(Event::Expire));
    assert_eq!(history.last().unwrap().by, Actor::Service);
    assert_eq!(tick(&desk, 61), UpkeepReport::default(), "once");
}

#[test]
fn a_row_expires_when_what_it_says_is_over() {
    let desk = Desk::new();
    let id = row(&desk, "the quay is closed until noon", |row| {
        row.validity = Validity {
            from: None,
            until: Some(at(30)),
        };
    });
    assert_eq!(tick(&desk, 29).expired, 0);
    assert_eq!(tick(&desk, 30).expired, 1);
    assert_eq!(found(&desk, id).state, State::Expired);
}

#[test]
fn a_row_that_waits_expires_by_the_policy_of_its_container_and_anew_when_it_waits_anew() {
    let desk = Desk::with(two_hours());
    let id = row(&desk, "the mast is red", |row| row.state = State::Pending);
    let known = row(&desk, "the hull is red", |_| ());
    assert_eq!(tick(&desk, 2 * HOUR - 1).expired, 0);
    assert_eq!(tick(&desk, 2 * HOUR).expired, 1);
    assert_eq!(
        (found(&desk, id).state, found(&desk, known).state),
        (State::Expired, State::Active)
    );
    let (again, _) = Change::of(&found(&desk, id), Event::Reopen, |_| ()).unwrap();
    desk.write(move |writer| writer.change_memory(&again));
    assert_eq!(
        tick(&desk, 4 * HOUR - 1).expired,
        0,
        "it waits since it was opened again"
    );
    assert_eq!(tick(&desk, 4 * HOUR).expired, 1);
    let policy = ContainerPolicy {
        pending_expires_after_hours: None,
        ..two_hours()
    };
    let (again, _) = Change::of(&found(&desk, id), Event::Reopen, |_| ()).unwrap();
    desk.write(move |writer| {
        writer.set_policy(&place(), &policy)?;
        writer.change_memory(&again)
    });
    assert_eq!(
        tick(&desk, 9_999 * DAY).expired,
        0,
        "without a policy it waits for ever"
    );
}

/// Two rows that say otherwise, both contested.
fn conflict(desk: &Desk, ends: [Option<i64>; 2], state: State) -> [MemoryId; 2] {
    let side = |text: &str, end: Option<i64>, state: State| {
        row(desk, text, move |row| {
            row.contested = true;
            row.state = state;
            row.expires_at = end.map(at);
        })
    };
    let rows = [
        side("port 80", ends[0], State::Active),
        side("port 81", ends[1], state),
    ];
    let link = Link {
        from: rows[1],
        relation: Relation::Contradicts,
        to: rows[0],
    };
    desk.write(move |writer| writer.link(link));
    rows
}

#[test]
fn a_conflict_one_side_of_which_is_over_is_none() {
    let desk = Desk::new();
    let [stands, ends] = conflict(&desk, [None, Some(10)], State::Pending);
    let moot = case(&desk, CaseKind::Conflict, stands, vec![ends]);
    let another = case(&desk, CaseKind::Requested, stands, vec![]);
    let report = tick(&desk, 10);
    assert_eq!(
        (
            report.expired,
            report.conflicts_settled,
            report.cases_closed
        ),
        (1, 1, 1)
    );
    assert!(!found(&desk, stands).contested);
    assert!(
        found(&desk, ends).contested,
        "it was never settled for the one that is over"
    );
    assert_eq!(closed(&desk, moot).as_deref(), Some("other_side_expired"));
    assert_eq!(closed(&desk, another), None);
}

#[test]
fn a_row_that_somebody_else_still_contests_stays_contested() {
    let desk = Desk::new();
    let [stands, _] = conflict(&desk, [None, Some(10)], State::Pending);
    let third = row(&desk, "port 82", |row| row.contested = true);
    let link = Link {
        from: third,
        relation: Relation::Contradicts,
        to: stands,
    };
    desk.write(move |writer| writer.link(link));
    assert_eq!(tick(&desk, 10).conflicts_settled, 0);
    assert!(found(&desk, stands).contested);
}

#[test]
fn a_challenger_whose_incumbent_is_over_still_needs_a_person() {
    let desk = Desk::new();
    let [_, challenger] = conflict(&desk, [Some(10), None], State::Pending);
    let open = case(&desk, CaseKind::Conflict, challenger, vec![]);
    assert_eq!(tick(&desk, 10).conflicts_settled, 1);
    assert_eq!(closed(&desk, open), None);
    assert_eq!(found(&desk, challenger).review, None::<ReviewNeed>);
}

#[test]
fn what_was_kept_for_a_while_is_let_go_of() {
    let desk = Desk::new();
    let (retention, key) = (Retention::default(), desk.id(KeyId::mint));
    let rows = desk.rows(&["the ferry is white"]);
    let (receipt_until, journal_until) = (
        retention.receipt_until(at(0)),
        retention.handed_out_until(at(0)),
    );
    assert_eq!((receipt_until, journal_until), (at(7 * DAY), at(7 * DAY)));
    let receipt = Receipt {
        names: Vec::new(),
        key: ReceiptKey {
            key,
            container: place(),
            operation: Operation::Retain,
            request: RequestId::new("request_id", "r1").unwrap(),
        },
        body: Digest::default(),
        response: "{}".to_owned(),
        memories: rows.clone(),
        at: at(0),
        until: receipt_until,
    };
    let handed = HandedOut {
        key,
        run: None,
        memory: rows[0],
        at: at(0),
        until: journal_until,
    };
    let read = ReadRow {
        at: at(0),
        by: Actor::Key(key),
        container: place(),
        route: Route::Recall,
        request: None,
        returned: rows.clone(),
        suppressed: 0,
        abstained: false,
        latency_us: 1,
    };
    desk.write(move |writer| {
        writer.keep_receipt(&receipt)?;
        writer.hand_out(&handed)?;
        writer.keep_reads(&[&read])
    });
    assert_eq!(tick(&desk, 7 * DAY - 1), UpkeepReport::default());
    let report = tick(&desk, 7 * DAY);
    assert_eq!(
        (report.receipts, report.handed_out, report.reads),
        (1, 1, 0)
    );
    assert_eq!(tick(&desk, 90 * DAY).reads, 0);
    assert_eq!(tick(&desk, 90 * DAY + 1).reads, 1);
    assert_eq!(
        desk.read()
            .rollups(at(-HOUR), Page::first(9))
            .unwrap()
            .len(),
        1,
        "statistics stay"
    );
    assert_eq!(retention.done_jobs, seconds(7 * 24 * 3_600));
}

#[test]
fn evidence_is_kept_unless_the_policy_of_its_container_has_an_end() {
    let desk = Desk::new();
    let (idle, rests) = (desk.evidence(at(0)), desk.evidence(at(0)));
    let (idle_id, rests_id) = (idle.evidence.id, rests.evidence.id);
    let memory = desk.memory("the ferry is white", rests_id);
    desk.write(move |writer| {
        writer.keep_evidence(&idle)?;
        writer.keep_evidence(&rests)?;
        writer.add_memory(&memory)
    });
    assert_eq!(tick(&desk, 9_999 * DAY).evidence, 0);
    let policy = ContainerPolicy {
        evidence_kept_days: Some(30),
        ..ContainerPolicy::default()
    };
    desk.write(move |writer| writer.set_policy(&place(), &policy));
    assert_eq!(tick(&desk, 30 * DAY).evidence, 0);
    assert_eq!(tick(&desk, 30 * DAY + 1).evidence, 1);
    assert_eq!(desk.read().evidence(&[idle_id]).unwrap(), []);
    assert_eq!(desk.read().evidence(&[rests_id]).unwrap().len(), 1);
}

#[test]
fn leases_that_ran_out_go_back_and_jobs_that_are_done_go() {
    let desk = Desk::new();
    let jobs = desk.queue(JobKind::Compare, &desk.rows(&["a", "b"]));
    let done = jobs[0];
    desk.write(move |writer| {
        writer.lease_jobs(JobKind::Compare, 9, at(100))?;
        writer.end_job(done, 1, &JobEnd::Done)
    });
    assert_eq!(tick(&desk, 99).leases, 0);
    assert_eq!(tick(&desk, 100).leases, 1);
    assert_eq!(desk.state_of(jobs[1]), (JobState::Queued, 1, None));
    assert_eq!(tick(&desk, 7 * DAY + 100).jobs, 0);
    assert_eq!(tick(&desk, 7 * DAY + 101).jobs, 1);
    assert_eq!(desk.read().job(done).unwrap(), None);
}

#[test]
fn a_call_does_no_more_than_it_may_and_says_that_there_is_more() {
    let desk = Desk::new();
    for number in 0..5 {
        row(&desk, &format!("row {number}"), |row| {
            row.expires_at = Some(at(number));
        });
    }
    let upkeep = desk.upkeep(2);
    let reports: Vec<(u64, bool)> = (0..4)
        .map(|_| upkeep.tick(at(50)).unwrap())
        .map(|report| (report.expired, report.more))
        .collect();
    assert_eq!(reports, [(2, true), (2, true), (1, false), (0, false)]);
}

#[test]
fn a_browser_session_that_is_over_is_let_go_of() {
    let desk = Desk::new();
    let person = Person {
        id: desk.id(PersonId::mint),
        name: "Ida".to_owned(),
        role: Role::Admin,
        password: "$argon2id$v=19$…".to_owned(),
        made: Made {
            at: at(0),
            by: Actor::Service,
        },
        password_set_at: at(0),
        disabled_at: None,
    };
    let session = Session {
        id: desk.id(SessionId::mint),
        person: person.id,
        token: Digest([7; 32]),
        opened_at: at(0),
        expires_at: at(60),
    };
    let token = session.token;
    desk.write(move |writer| {
        writer.make_person(&person)?;
        writer.open_session(&session)
    });
    assert_eq!(tick(&desk, 59), UpkeepReport::default());
    assert!(desk.read().session(token).unwrap().is_some());
    assert_eq!(tick(&desk, 60).sessions, 1);
    assert_eq!(desk.read().session(token).unwrap(), None);
    assert_eq!(tick(&desk, 61), UpkeepReport::default(), "once");
}
