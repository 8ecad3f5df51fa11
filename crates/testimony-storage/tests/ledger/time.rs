//! What time does to rows: leases, and the three ends that a memory can have.

use testimony_domain::{Event, Memory, State, Validity};
use testimony_service::ports::ledger::containers::{Container, ContainerPolicy};
use testimony_service::ports::ledger::jobs::{Job, JobEnd, JobKind, JobState};
use testimony_service::ports::ledger::memories::Change;
use testimony_service::ports::ledger::{Ledger, LedgerError, Writer};
use testimony_storage::ledger::SqliteLedger;

use crate::families::{job, ledger_with_rows};
use crate::support::{Maker, all_events, at, container, write};

#[test]
fn a_job_goes_back_as_it_was_and_a_lease_can_be_kept() {
    let (ledger, maker, ids) = ledger_with_rows(1);
    let one = job(&maker, Some(ids[0]), 5);
    let id = one.id;
    let lease = |from: i64, until: i64| {
        let lease = move |writer: &mut dyn Writer| writer.lease_jobs(JobKind::Embed, 9, at(until));
        let (leased, _) = write(&ledger, from, lease).unwrap();
        leased.iter().map(|job| job.attempts).collect::<Vec<_>>()
    };
    write(&ledger, 10, move |writer| writer.queue_job(&one)).unwrap();
    assert_eq!(lease(10, 20), [1]);
    write(&ledger, 15, move |writer| writer.renew_job(id, 1, at(40))).unwrap();
    assert_eq!(lease(25, 50), [0; 0], "the lease was kept");
    let events = all_events(&*ledger.reader().unwrap()).len();
    write(&ledger, 30, move |writer| {
        let at = at(60);
        let waits_for = Some("the embedder does not answer".to_owned());
        writer.end_job(id, 1, &JobEnd::Back { at, waits_for })
    })
    .unwrap();
    let reader = ledger.reader().unwrap();
    let job = reader.job(id).unwrap().unwrap();
    assert_eq!((job.state, job.attempts), (JobState::Queued, 0));
    assert_eq!(job.failure.as_deref(), Some("the embedder does not answer"));
    assert_eq!(reader.next_due(JobKind::Embed).unwrap(), Some(at(60)));
    assert_eq!(reader.next_due(JobKind::Distill).unwrap(), None);
    assert_eq!(all_events(&*reader).len(), events, "it is no event");
    drop(reader);
    let too_late = write(&ledger, 31, move |writer| writer.renew_job(id, 1, at(90)));
    assert!(matches!(too_late, Err(LedgerError::Changed { .. })));
    assert_eq!(lease(60, 70), [1]);
    let census = ledger.reader().unwrap().job_census().unwrap();
    assert_eq!(census, [(JobKind::Embed, JobState::Leased, 1)]);
}

#[test]
fn lapsed_leases_go_back_and_old_done_jobs_go() {
    let (ledger, maker, ids) = ledger_with_rows(3);
    let jobs: Vec<Job> = ids.iter().map(|id| job(&maker, Some(*id), 5)).collect();
    let done = jobs[0].id;
    let ((), _) = write(&ledger, 10, move |writer| {
        for job in &jobs {
            writer.queue_job(job)?;
        }
        writer.lease_jobs(JobKind::Embed, 2, at(20))?;
        writer.end_job(done, 1, &JobEnd::Done)
    })
    .unwrap();
    let tidy = |now: i64, before: i64| {
        let tidy = move |writer: &mut dyn Writer| {
            let lapsed = writer.return_lapsed_jobs(9)?;
            Ok((lapsed, writer.let_go_of_done_jobs(at(before), 9)?))
        };
        write(&ledger, now, tidy).unwrap().0
    };
    assert_eq!(tidy(19, 20), (0, 0), "nothing is over yet");
    assert_eq!(tidy(20, 21), (1, 1));
    assert_eq!(tidy(20, 21), (0, 0));
    let census = ledger.reader().unwrap().job_census().unwrap();
    assert_eq!(census, [(JobKind::Embed, JobState::Queued, 2)]);
}

#[test]
fn time_runs_out_at_the_first_of_three_ends() {
    const HOUR: i64 = 3_600;
    let ledger = SqliteLedger::open_in_memory().unwrap();
    let maker = Maker::default();
    let kept = maker.evidence(0, "said");
    let row = |text: &str, state: State, expires: Option<i64>, until: Option<i64>| Memory {
        state,
        expires_at: expires.map(at),
        validity: Validity {
            from: None,
            until: until.map(at),
        },
        ..maker.memory(0, text, vec![kept.evidence.id])
    };
    let rows = [
        row("stays", State::Active, None, None),
        row("ends", State::Active, Some(40), None),
        row("ends sooner", State::Active, Some(40), Some(30)),
        row("waits", State::Pending, None, None),
        row("waits again", State::Pending, None, None),
        row("is over already", State::Superseded, Some(10), None),
    ];
    let (again, waits) = (rows[4].clone(), rows[3].id);
    let policy = ContainerPolicy {
        pending_expires_after_hours: Some(1),
        ..ContainerPolicy::default()
    };
    let place = Container {
        policy,
        ..container(0)
    };
    write(&ledger, 1, move |writer| {
        writer.make_container(&place)?;
        writer.keep_evidence(&kept)?;
        rows.iter().try_for_each(|row| writer.add_memory(row))
    })
    .unwrap();
    // What happens to a row that waits has its time begin again.
    let (demoted, _) = Change::of(&again, Event::Reopen, |_| ()).unwrap();
    write(&ledger, 100, move |writer| writer.change_memory(&demoted)).unwrap();
    let over = |seconds: i64, limit: usize| {
        let over = ledger.reader().unwrap().run_out(at(seconds), limit);
        let over = over.unwrap().into_iter();
        over.map(|over| (over.memory.content.as_str().to_owned(), over.at))
            .collect::<Vec<_>>()
    };
    let all = [
        ("ends sooner".to_owned(), at(30)),
        ("ends".to_owned(), at(40)),
        ("waits".to_owned(), at(2 + HOUR)),
        ("waits again".to_owned(), at(100 + HOUR)),
    ];
    assert_eq!(over(29, 9), []);
    assert_eq!(over(30, 9), all[..1]);
    assert_eq!(over(1 + HOUR, 9), all[..2]);
    assert_eq!(over(2 + HOUR, 9), all[..3]);
    assert_eq!(over(100 + HOUR, 9), all);
    assert_eq!(over(100 + HOUR, 3), all[..3]);
    let stays = ledger.reader().unwrap().memories(&[waits]).unwrap();
    assert_eq!(stays[0].state, State::Pending, "asking changes nothing");
}
