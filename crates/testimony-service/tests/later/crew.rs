//! Threads: they do what is queued, wake when they are told, and stop.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use testimony_service::ports::health::Health;
use testimony_service::ports::ledger::LedgerError;
use testimony_service::ports::ledger::jobs::{Job, JobKind, JobState};
use testimony_service::work::{Crew, Handler, Outcome, Readiness, Shift};

use crate::support::Desk;

/// Says of every job that it was there.
struct Telling(Sender<()>);

impl Handler for Telling {
    fn kind(&self) -> JobKind {
        JobKind::Compare
    }

    fn at_once(&self) -> usize {
        2
    }

    fn readiness(&self) -> Readiness {
        Readiness::Ready
    }

    fn work(&self, jobs: &[Job], _: &Shift<'_>) -> Result<Vec<Outcome>, LedgerError> {
        jobs.iter().for_each(|_| self.0.send(()).unwrap());
        Ok(vec![Outcome::Done; jobs.len()])
    }
}

#[test]
fn a_crew_does_what_is_queued_and_stops_when_it_is_told() {
    let desk = Desk::new();
    let (tell, told) = channel();
    let texts: Vec<String> = (0..20).map(|number| format!("row {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let ids = desk.rows(&texts);
    let first = desk.queue(JobKind::Compare, &ids[..10]);
    let crew = Crew::start(Arc::new(desk.worker(vec![Box::new(Telling(tell))])), 2).unwrap();
    (0..10).for_each(|_| told.recv().unwrap());
    let second = desk.queue(JobKind::Compare, &ids[10..]);
    crew.wake();
    (0..10).for_each(|_| told.recv().unwrap());
    assert!(crew.health().is_available());
    crew.stop();
    for job in first.into_iter().chain(second) {
        assert_eq!(desk.state_of(job).0, JobState::Done);
    }
    assert!(told.try_recv().is_err(), "each was worked on once");
}

#[test]
fn a_crew_of_nobody_says_so() {
    let desk = Desk::new();
    let crew = Crew::start(Arc::new(desk.worker(Vec::new())), 0).unwrap();
    assert!(matches!(crew.health(), Health::Unavailable { .. }));
}
