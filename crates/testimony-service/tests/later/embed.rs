//! `embed`: rows get their vectors, in lots, once, and wait while nobody answers.

use std::sync::Arc;

use testimony_domain::MemoryId;
use testimony_service::ports::embedder::Embedder;
use testimony_service::ports::health::Health;
use testimony_service::ports::ledger::Page;
use testimony_service::ports::ledger::audit::{Action, EventFilter};
use testimony_service::ports::ledger::erasure::Target;
use testimony_service::ports::ledger::jobs::{JobKind, JobState};
use testimony_service::work::{Embed, Embedders, Step, Worker};

use crate::support::{Desk, Mood, TestEmbedder, at, place};

fn worker(desk: &Desk, embedder: &Arc<TestEmbedder>) -> Worker {
    let embedders = Embedders::new(embedder.clone());
    desk.worker(vec![Box::new(Embed::new(embedders, 8))])
}

/// Works until nothing is due.
fn work(worker: &Worker) {
    while !matches!(worker.run_once().unwrap(), Step::Idle(_)) {}
}

fn has_vector(desk: &Desk, embedder: &TestEmbedder, memory: MemoryId) -> bool {
    let found = desk.read().embeddings(embedder.identity(), &[memory]);
    !found.unwrap().is_empty()
}

#[test]
fn rows_get_their_vectors_in_lots_and_their_container_its_embedder() {
    let (desk, embedder) = (Desk::new(), TestEmbedder::named("local"));
    let texts: Vec<String> = (0..10)
        .map(|number| format!("berth {number} is free"))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let rows = desk.rows(&texts);
    let jobs = desk.queue(JobKind::Embed, &rows);
    work(&worker(&desk, &embedder));
    assert_eq!(embedder.lots(), [8, 2]);
    assert!(rows.iter().all(|row| has_vector(&desk, &embedder, *row)));
    assert!(
        jobs.iter()
            .all(|job| desk.state_of(*job).0 == JobState::Done)
    );
    let container = desk.read().container(&place()).unwrap().unwrap();
    assert_eq!(container.embedder.as_ref(), Some(embedder.identity()));
}

#[test]
fn what_is_done_already_is_not_done_again() {
    let (desk, embedder) = (Desk::new(), TestEmbedder::named("local"));
    let rows = desk.rows(&["the crane is green", " \t", "it goes away"]);
    let gone = rows[2];
    let worker = worker(&desk, &embedder);
    let first = desk.queue(JobKind::Embed, &rows);
    desk.write(move |writer| writer.erase(&Target::Memory(gone)));
    work(&worker);
    assert_eq!(
        embedder.lots(),
        [2],
        "nothing is left of the row that was erased"
    );
    assert!(has_vector(&desk, &embedder, rows[0]));
    assert!(!has_vector(&desk, &embedder, rows[1]), "it says nothing");
    assert_eq!(desk.state_of(first[1]).0, JobState::Done);
    assert_eq!(
        worker.health(),
        Health::Healthy,
        "a job about what was erased is no failure"
    );
    desk.queue(JobKind::Embed, &rows[..1]);
    work(&worker);
    assert_eq!(embedder.lots(), [2]);
    let filter = EventFilter {
        action: Some(Action::MemoryEmbedded),
        ..EventFilter::default()
    };
    assert_eq!(
        desk.read().events(&filter, Page::first(9)).unwrap().len(),
        1
    );
}

#[test]
fn while_the_embedder_is_down_jobs_wait_without_losing_an_attempt_and_say_so() {
    let (desk, embedder) = (Desk::new(), TestEmbedder::named("remote"));
    let rows = desk.rows(&["the crane is green", "the lock is closed"]);
    let jobs = desk.queue(JobKind::Embed, &rows);
    let worker = worker(&desk, &embedder);
    embedder.is_next([Mood::Down(Some(at(40)))]);
    work(&worker);
    let (state, attempts, failure) = desk.state_of(jobs[0]);
    assert_eq!((state, attempts), (JobState::Queued, 0));
    assert!(failure.unwrap().contains("does not answer: nobody listens"));
    // It has been found out, and nobody is asked before.
    *embedder.rests.lock().unwrap() = Some(at(40));
    desk.clock.set(at(39));
    work(&worker);
    assert_eq!(embedder.lots(), [2]);
    let said = "2 jobs `embed` wait: `remote`: nobody listens";
    assert_eq!(worker.health(), Health::degraded(said));
    *embedder.rests.lock().unwrap() = None;
    desk.clock.set(at(40));
    work(&worker);
    assert!(rows.iter().all(|row| has_vector(&desk, &embedder, *row)));
    assert_eq!(worker.health(), Health::Healthy);
}

#[test]
fn while_one_of_two_embedders_is_down_the_other_works_and_it_is_said() {
    let (desk, remote, local) = (
        Desk::new(),
        TestEmbedder::named("remote"),
        TestEmbedder::named("local"),
    );
    let rows = desk.rows(&["the crane is green"]);
    let job = desk.queue(JobKind::Embed, &rows)[0];
    let both = Embedders::new(remote.clone()).and(local);
    let worker = desk.worker(vec![Box::new(Embed::new(both, 8))]);
    *remote.rests.lock().unwrap() = Some(at(40));
    remote.is_next([Mood::Down(Some(at(40)))]);
    work(&worker);
    assert_eq!(desk.state_of(job).1, 0);
    let said = "1 jobs `embed` wait: `remote`: nobody listens";
    assert_eq!(worker.health(), Health::degraded(said));
}

#[test]
fn an_embedder_that_is_configured_wrongly_costs_no_job_its_life() {
    let (desk, embedder) = (Desk::new(), TestEmbedder::named("remote"));
    let job = desk.queue(JobKind::Embed, &desk.rows(&["the crane is green"]))[0];
    let worker = worker(&desk, &embedder);
    for round in 0..20 {
        embedder.is_next([Mood::OtherDimensions]);
        desk.clock.set(at(round * 30));
        work(&worker);
    }
    let (state, attempts, failure) = desk.state_of(job);
    assert_eq!((state, attempts), (JobState::Queued, 0));
    assert!(failure.unwrap().contains("set its dimensions to 3"));
}

#[test]
fn one_text_that_is_refused_takes_no_other_with_it() {
    let (desk, embedder) = (Desk::new(), TestEmbedder::named("remote"));
    let rows = desk.rows(&["fine", "refused, because it is long", "fine too"]);
    let jobs = desk.queue(JobKind::Embed, &rows);
    let worker = worker(&desk, &embedder);
    for seconds in [0, 5, 50, 500, 5_000, 50_000, 500_000] {
        desk.clock.set(at(seconds));
        work(&worker);
    }
    let states: Vec<JobState> = jobs.iter().map(|job| desk.state_of(*job).0).collect();
    assert_eq!(states, [JobState::Done, JobState::Dead, JobState::Done]);
    assert!(
        desk.state_of(jobs[1])
            .2
            .unwrap()
            .contains("shorten the text")
    );
    assert!(has_vector(&desk, &embedder, rows[0]) && has_vector(&desk, &embedder, rows[2]));
}

#[test]
fn an_embedder_that_panics_is_a_failure_like_others() {
    let (desk, embedder) = (Desk::new(), TestEmbedder::named("remote"));
    let job = desk.queue(JobKind::Embed, &desk.rows(&["the crane is green"]))[0];
    let worker = worker(&desk, &embedder);
    embedder.is_next([Mood::Panics]);
    work(&worker);
    assert_eq!(desk.state_of(job).0, JobState::Queued);
    desk.clock.set(at(5));
    work(&worker);
    assert_eq!(desk.state_of(job).0, JobState::Done);
}

#[test]
fn a_row_gets_its_vector_by_the_embedder_of_its_container() {
    let desk = Desk::new();
    let (old, new) = (TestEmbedder::named("old"), TestEmbedder::of("new", 6));
    desk.write({
        let old = old.identity().clone();
        move |writer| writer.set_embedder(&place(), &old)
    });
    let rows = desk.rows(&["the crane is green"]);
    desk.queue(JobKind::Embed, &rows);
    let both = Embedders::new(new.clone()).and(old.clone());
    work(&desk.worker(vec![Box::new(Embed::new(both, 8))]));
    assert!(has_vector(&desk, &old, rows[0]) && !has_vector(&desk, &new, rows[0]));
    // Where the old one is not at hand any more, the new vector is what there will be.
    let rows = desk.rows(&["the lock is closed"]);
    desk.queue(JobKind::Embed, &rows);
    work(&worker(&desk, &new));
    assert!(has_vector(&desk, &new, rows[0]));
    let container = desk.read().container(&place()).unwrap().unwrap();
    assert_eq!(
        container.embedder.as_ref(),
        Some(old.identity()),
        "until all rows have one"
    );
}

#[test]
fn a_job_that_names_no_memory_is_given_up() {
    let (desk, embedder) = (Desk::new(), TestEmbedder::named("local"));
    let job = desk.queue(JobKind::Embed, &[])[0];
    work(&worker(&desk, &embedder));
    assert_eq!(desk.state_of(job).0, JobState::Dead);
}
