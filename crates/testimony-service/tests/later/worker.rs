//! The worker step by step: taking, ending, resting, giving up and giving back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use testimony_service::ports::health::Health;
use testimony_service::ports::ledger::audit::{Act, ChainHead};
use testimony_service::ports::ledger::jobs::{Job, JobEnd, JobKind, JobState};
use testimony_service::ports::ledger::{Commit, CommitObserver, Ledger, LedgerError, Reader, Work};
use testimony_service::work::{Handler, MOST_ATTEMPTS, Outcome, Readiness, Shift, Step, Worker};

use testimony_storage::ledger::SqliteLedger;

use crate::support::{Desk, at, seconds};

/// What a handler does with its jobs, told by the test.
type Play = dyn Fn(&[Job], &Shift<'_>) -> Vec<Outcome> + Send + Sync;

struct Told {
    readiness: Arc<Mutex<Readiness>>,
    play: Box<Play>,
}

impl Handler for Told {
    fn kind(&self) -> JobKind {
        JobKind::Compare
    }

    fn at_once(&self) -> usize {
        3
    }

    fn readiness(&self) -> Readiness {
        self.readiness.lock().unwrap().clone()
    }

    fn work(&self, jobs: &[Job], shift: &Shift<'_>) -> Result<Vec<Outcome>, LedgerError> {
        Ok((self.play)(jobs, shift))
    }
}

fn told(
    play: impl Fn(&[Job], &Shift<'_>) -> Vec<Outcome> + Send + Sync + 'static,
) -> Vec<Box<dyn Handler>> {
    let readiness = Arc::new(Mutex::new(Readiness::Ready));
    vec![Box::new(Told {
        readiness,
        play: Box::new(play),
    })]
}

fn failing() -> Vec<Box<dyn Handler>> {
    let failed = Outcome::Failed {
        failure: "timeout: nobody answered".to_owned(),
    };
    told(move |jobs, _| vec![failed.clone(); jobs.len()])
}

/// The next step that is not about time.
fn step(worker: &Worker) -> Step {
    match worker.run_once().unwrap() {
        Step::Kept(_) => step(worker),
        step @ (Step::Worked { .. } | Step::Idle(_)) => step,
    }
}

#[test]
fn jobs_are_taken_in_lots_and_ended() {
    let desk = Desk::new();
    let ids = desk.rows(&["a", "b", "c", "d"]);
    let jobs = desk.queue(JobKind::Compare, &ids);
    let lots = Arc::new(Mutex::new(Vec::new()));
    let seen = lots.clone();
    let worker = desk.worker(told(move |jobs, _| {
        seen.lock().unwrap().push(jobs.len());
        vec![Outcome::Done; jobs.len()]
    }));
    assert!(
        matches!(worker.run_once().unwrap(), Step::Kept(_)),
        "time comes first"
    );
    let Step::Worked { kind, ended } = worker.run_once().unwrap() else {
        panic!("there is work")
    };
    assert_eq!(kind, JobKind::Compare);
    assert_eq!(
        ended,
        jobs[..3]
            .iter()
            .map(|id| (*id, JobEnd::Done))
            .collect::<Vec<_>>()
    );
    assert!(matches!(worker.run_once().unwrap(), Step::Worked { .. }));
    assert_eq!(
        worker.run_once().unwrap(),
        Step::Idle(Some(at(60))),
        "until time is looked after again"
    );
    assert_eq!(*lots.lock().unwrap(), [3, 1]);
    assert_eq!(worker.health(), Health::Healthy);
}

#[test]
fn a_job_that_fails_rests_longer_each_time_and_is_given_up() {
    let desk = Desk::new();
    let job = desk.queue(JobKind::Compare, &desk.rows(&["a"]))[0];
    let worker = desk.worker(failing());
    let mut rests = Vec::new();
    for attempt in 1..MOST_ATTEMPTS {
        let Step::Worked { ended, .. } = step(&worker) else {
            panic!("there is work")
        };
        let JobEnd::Retry { at, .. } = ended[0].1 else {
            panic!("{ended:?}")
        };
        let now = testimony_domain::Clock::now(desk.clock.as_ref());
        rests.push(at.duration_since(now).as_secs());
        assert_eq!(desk.state_of(job).1, attempt);
        let Step::Idle(Some(wake)) = step(&worker) else {
            panic!("it rests")
        };
        assert!(wake <= at);
        desk.clock.set(at);
    }
    assert_eq!(rests, [5, 30, 120, 600, 3_600, 21_600]);
    step(&worker);
    let (state, attempts, failure) = desk.state_of(job);
    assert_eq!((state, attempts), (JobState::Dead, MOST_ATTEMPTS));
    assert_eq!(failure.unwrap(), "timeout: nobody answered (7 attempts)");
    assert!(
        worker
            .health()
            .because()
            .unwrap()
            .contains("1 jobs failed for good")
    );
    // Somebody has looked at it and puts it back.
    desk.write(move |writer| writer.revive_job(job));
    assert!(matches!(step(&worker), Step::Worked { .. }));
    assert_eq!(desk.state_of(job).1, 1);
}

#[test]
fn what_failed_before_is_worked_on_alone() {
    let desk = Desk::new();
    let ids = desk.rows(&["a", "b", "c"]);
    let jobs = desk.queue(JobKind::Compare, &ids);
    let poison = jobs[1];
    let lots = Arc::new(Mutex::new(Vec::new()));
    let seen = lots.clone();
    let worker = desk.worker(told(move |jobs, _| {
        seen.lock().unwrap().push(jobs.len());
        assert!(jobs.iter().all(|job| job.id != poison), "the test says so");
        vec![Outcome::Done; jobs.len()]
    }));
    step(&worker);
    assert_eq!(desk.state_of(poison).0, JobState::Queued);
    desk.clock.set(at(5));
    step(&worker);
    assert_eq!(*lots.lock().unwrap(), [3, 1, 1, 1]);
    let states = jobs.iter().map(|job| desk.state_of(*job).0);
    assert_eq!(
        states.collect::<Vec<_>>(),
        [JobState::Done, JobState::Queued, JobState::Done]
    );
    assert!(
        desk.state_of(poison)
            .2
            .unwrap()
            .contains("this is a defect")
    );
}

#[test]
fn a_lease_that_ran_out_is_somebody_elses_and_late_words_count_for_nothing() {
    let desk = Desk::new();
    let job = desk.queue(JobKind::Compare, &desk.rows(&["a"]))[0];
    let clock = desk.clock.clone();
    let worker = desk.worker(told(move |_, shift| {
        // It takes so long that another one takes the job.
        clock.set(at(200));
        let (taken, _) = shift
            .write(|writer| writer.lease_jobs(JobKind::Compare, 9, at(400)))
            .unwrap();
        assert_eq!(taken[0].attempts, 2);
        assert!(!shift.goes_on().unwrap(), "the job is lost");
        vec![Outcome::Done]
    }));
    let Step::Worked { ended, .. } = step(&worker) else {
        panic!("there is work")
    };
    assert_eq!(ended, []);
    assert_eq!(desk.state_of(job).0, JobState::Leased);
}

#[test]
fn a_lease_is_kept_as_long_as_somebody_says_so() {
    let desk = Desk::new();
    let job = desk.queue(JobKind::Compare, &desk.rows(&["a"]))[0];
    let clock = desk.clock.clone();
    let worker = desk.worker(told(move |_, shift| {
        for minute in 1..10 {
            clock.set(at(minute * 60));
            assert!(shift.goes_on().unwrap());
            let take = |writer: &mut dyn testimony_service::ports::ledger::Writer| {
                writer.lease_jobs(JobKind::Compare, 9, at(9_999))
            };
            assert_eq!(shift.write(take).unwrap().0, []);
        }
        vec![Outcome::Done]
    }));
    step(&worker);
    assert_eq!(desk.state_of(job).0, JobState::Done);
}

#[test]
fn a_job_that_ends_whoever_takes_it_is_given_up() {
    let desk = Desk::new();
    let job = desk.queue(JobKind::Compare, &desk.rows(&["a"]))[0];
    for round in 0..i64::from(MOST_ATTEMPTS) {
        // Taken, and never heard of again.
        desk.clock.set(at(round * 10));
        let until = at(round * 10 + 10);
        desk.write(move |writer| writer.lease_jobs(JobKind::Compare, 1, until));
    }
    desk.clock.set(at(1_000));
    let worker = desk.worker(told(|_, _| panic!("nobody takes it any more")));
    step(&worker);
    let (state, _, failure) = desk.state_of(job);
    assert_eq!(state, JobState::Dead);
    assert!(failure.unwrap().contains("came to an end"));
}

#[test]
fn while_something_is_missing_jobs_wait_untouched_and_it_is_said() {
    let desk = Desk::new();
    let job = desk.queue(JobKind::Compare, &desk.rows(&["a"]))[0];
    let readiness = Arc::new(Mutex::new(Readiness::Waits {
        until: at(45),
        because: "the bank is closed".to_owned(),
    }));
    let play: Box<Play> = Box::new(|jobs, _| vec![Outcome::Done; jobs.len()]);
    let worker = desk.worker(vec![Box::new(Told {
        readiness: readiness.clone(),
        play,
    })]);
    assert_eq!(step(&worker), Step::Idle(Some(at(45))));
    assert_eq!(desk.state_of(job), (JobState::Queued, 0, None));
    let said = Health::degraded("1 jobs `compare` wait: the bank is closed");
    assert_eq!(worker.health(), said);
    *readiness.lock().unwrap() = Readiness::Ready;
    assert!(matches!(step(&worker), Step::Worked { .. }));
    assert_eq!(worker.health(), Health::Healthy);
}

#[test]
fn a_worker_that_stops_gives_back_what_it_has() {
    let desk = Desk::new();
    let jobs = desk.queue(JobKind::Compare, &desk.rows(&["a", "b"]));
    let stop: Arc<Mutex<Option<Arc<Worker>>>> = Arc::default();
    let to_be_stopped = stop.clone();
    let worker = Arc::new(desk.worker(told(move |jobs, shift| {
        to_be_stopped.lock().unwrap().as_ref().unwrap().stop();
        assert!(!shift.goes_on().unwrap());
        let mut outcomes = vec![Outcome::Unfinished; jobs.len()];
        outcomes[0] = Outcome::Done;
        outcomes
    })));
    *stop.lock().unwrap() = Some(worker.clone());
    step(&worker);
    assert_eq!(desk.state_of(jobs[0]).0, JobState::Done);
    assert_eq!(
        desk.state_of(jobs[1]),
        (JobState::Queued, 0, None),
        "as if it had never been taken"
    );
    assert_eq!(worker.run_once().unwrap(), Step::Idle(None));
    *stop.lock().unwrap() = None;
}

#[test]
fn a_handler_that_says_too_little_has_failed_at_the_rest() {
    let desk = Desk::new();
    let jobs = desk.queue(JobKind::Compare, &desk.rows(&["a", "b"]));
    let worker = desk.worker(told(|_, _| vec![Outcome::Done]));
    step(&worker);
    assert_eq!(desk.state_of(jobs[0]).0, JobState::Done);
    assert_eq!(
        desk.state_of(jobs[1]).2.unwrap(),
        "nothing was said about it"
    );
}

/// A ledger whose disk is full while the test says so.
struct Full(Arc<SqliteLedger>, AtomicBool);

impl Ledger for Full {
    fn reader(&self) -> Result<Box<dyn Reader + '_>, LedgerError> {
        self.0.reader()
    }

    fn submit(&self, act: Act, work: Work) -> Result<Commit, LedgerError> {
        if self.1.load(Ordering::SeqCst) {
            return Err(LedgerError::Full);
        }
        self.0.submit(act, work)
    }

    fn observe(&self, observer: Arc<dyn CommitObserver>) {
        self.0.observe(observer);
    }

    fn head(&self) -> Result<ChainHead, LedgerError> {
        self.0.head()
    }
}

#[test]
fn a_ledger_that_fails_is_told_and_work_goes_on_when_it_does_not() {
    let desk = Desk::new();
    let job = desk.queue(JobKind::Compare, &desk.rows(&["a"]))[0];
    let full = Arc::new(Full(desk.ledger.clone(), AtomicBool::new(true)));
    let worker = desk.worker_on(
        full.clone(),
        told(|jobs, _| vec![Outcome::Done; jobs.len()]),
    );
    // Time first, then the job.
    for _ in 0..2 {
        assert!(matches!(worker.run_once(), Err(LedgerError::Full)));
        assert!(matches!(worker.health(), Health::Unavailable { .. }));
    }
    full.1.store(false, Ordering::SeqCst);
    assert!(matches!(worker.run_once().unwrap(), Step::Worked { .. }));
    assert_eq!(desk.state_of(job), (JobState::Done, 1, None));
    let told = worker.health();
    assert!(
        told.because()
            .unwrap()
            .starts_with("time is not looked after: the disk")
    );
    desk.clock.set(at(60));
    step(&worker);
    assert_eq!(worker.health(), Health::Healthy);
}

#[test]
fn time_is_looked_after_between_jobs() {
    let desk = Desk::new();
    let worker = desk.worker(Vec::new());
    assert!(matches!(worker.run_once().unwrap(), Step::Kept(report) if !report.more));
    assert_eq!(worker.run_once().unwrap(), Step::Idle(Some(at(60))));
    desk.clock.set(at(60));
    assert!(matches!(worker.run_once().unwrap(), Step::Kept(_)));
    assert_eq!(
        seconds(60),
        testimony_service::work::WorkRules::new("1").upkeep_every
    );
}
