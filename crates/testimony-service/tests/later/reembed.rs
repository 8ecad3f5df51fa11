//! `reembed`: a container changes its embedder, and can be searched by meaning all the while.

use std::sync::{Arc, Mutex};

use testimony_domain::MemoryId;
use testimony_service::ports::embedder::{Embedder, EmbedderIdentity};
use testimony_service::ports::ledger::jobs::{JobKind, JobState};
use testimony_service::ports::ledger::{Commit, CommitObserver, Ledger};
use testimony_service::work::{Embedders, Reembed, Step, Worker, order_reembedding};

use crate::support::{Desk, Mood, RULES, TestEmbedder, at, place};

pub(crate) struct Scene {
    pub(crate) desk: Desk,
    pub(crate) old: Arc<TestEmbedder>,
    pub(crate) new: Arc<TestEmbedder>,
    pub(crate) rows: Vec<MemoryId>,
}

impl Scene {
    /// A container with so many rows, all embedded by the old embedder.
    pub(crate) fn of(rows: usize) -> Self {
        let texts: Vec<String> = (0..rows)
            .map(|number| format!("berth {number} is free"))
            .collect();
        Self::with(&texts.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn with(texts: &[&str]) -> Self {
        let desk = Desk::new();
        let (old, new) = (TestEmbedder::named("old"), TestEmbedder::of("new", 6));
        let identity = old.identity().clone();
        desk.write(move |writer| writer.set_embedder(&place(), &identity));
        let rows = desk.rows(texts);
        let scene = Self {
            desk,
            old,
            new,
            rows,
        };
        scene.embed_by_the_old_one(&scene.rows, texts);
        scene
    }

    fn embed_by_the_old_one(&self, rows: &[MemoryId], texts: &[&str]) {
        let one = |text: &&str| self.old.embed(&[text]).ok()?.pop().flatten();
        let vectors: Vec<_> = texts.iter().map(one).collect();
        let embedder = self.old.identity().clone();
        let pairs: Vec<_> = rows.iter().copied().zip(vectors).collect();
        self.desk.write(move |writer| {
            for (memory, vector) in pairs {
                let Some(vector) = vector else { continue };
                let embedder = embedder.clone();
                let embedding = testimony_service::ports::ledger::embeddings::Embedding {
                    memory,
                    embedder,
                    vector,
                };
                writer.keep_embedding(&embedding)?;
            }
            Ok(())
        });
    }

    pub(crate) fn order(&self) -> usize {
        let surroundings = (self.desk.clock.as_ref() as _, &self.desk.ids as _);
        let embedders = Embedders::new(self.new.clone());
        let ordered =
            order_reembedding(self.desk.ledger.as_ref(), &embedders, surroundings, RULES).unwrap();
        let missing = [self.old.identity().clone()];
        assert!(ordered.containers == 0 || ordered.missing == missing);
        ordered.containers
    }

    pub(crate) fn worker(&self, portion: usize) -> Worker {
        let embedders = Embedders::new(self.new.clone()).and(self.old.clone());
        self.desk
            .worker(vec![Box::new(Reembed::new(embedders, portion))])
    }

    pub(crate) fn container_is_by(&self) -> EmbedderIdentity {
        let container = self.desk.read().container(&place()).unwrap().unwrap();
        container.embedder.unwrap()
    }

    pub(crate) fn with_vector_by(&self, embedder: &TestEmbedder) -> usize {
        self.desk
            .read()
            .embeddings(embedder.identity(), &self.rows)
            .unwrap()
            .len()
    }

    /// Whoever asks now finds every row by the embedder of the container.
    fn can_be_searched(&self) -> bool {
        let by = if self.container_is_by() == *self.old.identity() {
            &self.old
        } else {
            &self.new
        };
        self.with_vector_by(by) == self.rows.len()
    }

    /// Works until nothing is due; after every step all rows can be found by meaning.
    fn work(&self, worker: &Worker) {
        while !matches!(worker.run_once().unwrap(), Step::Idle(_)) {
            assert!(self.can_be_searched());
        }
    }
}

#[test]
fn a_container_changes_hands_when_every_row_has_its_new_vector() {
    let scene = Scene::of(30);
    assert_eq!(scene.order(), 1);
    assert_eq!(scene.order(), 1, "one that waits already serves");
    scene.work(&scene.worker(3));
    assert_eq!(scene.container_is_by(), *scene.new.identity());
    assert_eq!(
        (
            scene.with_vector_by(&scene.old),
            scene.with_vector_by(&scene.new)
        ),
        (0, 30)
    );
    assert_eq!(scene.new.lots(), [3; 10]);
    assert_eq!(scene.order(), 0);
    assert_eq!(
        scene
            .desk
            .read()
            .jobs(
                JobState::Done,
                testimony_service::ports::ledger::Page::first(9)
            )
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn rows_that_come_meanwhile_are_not_left_behind() {
    let mut scene = Scene::of(8);
    scene.order();
    let worker = scene.worker(1);
    // Eight portions: every row is done, and the container has not changed hands yet.
    while scene.with_vector_by(&scene.new) < 8 {
        worker.run_once().unwrap();
    }
    assert_eq!(scene.container_is_by(), *scene.old.identity());
    let late = scene.desk.rows(&["came late"]);
    scene.embed_by_the_old_one(&late, &["came late"]);
    scene.rows.extend(late);
    scene.work(&worker);
    assert_eq!(
        (scene.container_is_by(), scene.with_vector_by(&scene.new)),
        (scene.new.identity().clone(), 9)
    );
}

#[test]
fn while_the_new_one_is_down_the_old_one_serves() {
    let scene = Scene::of(10);
    scene.order();
    let worker = scene.worker(2);
    scene
        .new
        .is_next([Mood::Well, Mood::Well, Mood::Down(Some(at(50)))]);
    scene.work(&worker);
    assert_eq!(scene.container_is_by(), *scene.old.identity());
    assert_eq!(scene.with_vector_by(&scene.new), 4);
    desk_at(&scene, 50);
    scene.work(&worker);
    assert_eq!(scene.container_is_by(), *scene.new.identity());
    assert_eq!(
        scene.new.lots(),
        [2, 2, 2, 2, 2, 2],
        "it goes on where it was"
    );
}

fn desk_at(scene: &Scene, seconds: i64) {
    scene.desk.clock.set(at(seconds));
}

/// Which rows were told of with a vector, as an index hears it.
#[derive(Default)]
struct Listener(Mutex<Vec<(MemoryId, String)>>);

impl CommitObserver for Listener {
    fn committed(&self, commit: &Commit) {
        let embeddings = commit
            .changes
            .iter()
            .filter_map(|change| change.embedding.as_ref());
        let told = embeddings.map(|embedding| (embedding.memory, embedding.embedder.name.clone()));
        self.0.lock().unwrap().extend(told);
    }
}

#[test]
fn an_index_that_was_started_meanwhile_hears_of_every_new_vector() {
    let scene = Scene::of(10);
    scene.order();
    let worker = scene.worker(1);
    while scene.with_vector_by(&scene.new) < 4 {
        worker.run_once().unwrap();
    }
    drop(worker);
    let listener = Arc::new(Listener::default());
    scene.desk.ledger.observe(listener.clone());
    // Another process: the lease of the one before runs out, and the index knows the old vectors alone.
    desk_at(&scene, 500);
    scene.work(&scene.worker(1));
    let mut told: Vec<MemoryId> = listener
        .0
        .lock()
        .unwrap()
        .iter()
        .map(|(memory, _)| *memory)
        .collect();
    told.sort_unstable();
    let mut all = scene.rows.clone();
    all.sort_unstable();
    assert_eq!(told, all);
    assert_eq!(scene.new.lots(), [1; 10], "no text is embedded twice");
}

#[test]
fn rows_that_have_no_vector_by_nature_keep_no_container_from_changing_hands() {
    let scene = Scene::with(&["fine", "refused, because it is long", " ", "fine too"]);
    scene.order();
    let worker = scene.worker(9);
    while !matches!(worker.run_once().unwrap(), Step::Idle(_)) {}
    assert_eq!(scene.container_is_by(), *scene.new.identity());
    assert_eq!(scene.with_vector_by(&scene.new), 2);
}

#[test]
fn a_container_that_is_empty_changes_hands_at_once() {
    let scene = Scene::of(0);
    assert_eq!(scene.order(), 1);
    scene.work(&scene.worker(5));
    assert_eq!(scene.container_is_by(), *scene.new.identity());
    let job = scene.desk.queue(JobKind::Reembed, &[])[0];
    scene.work(&scene.worker(5));
    assert_eq!(
        scene.desk.state_of(job).0,
        JobState::Done,
        "there is nothing to do"
    );
}
