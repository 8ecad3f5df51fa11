//! A memory whose embedder is changed: what it knows is found all the while.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use testimony::access::KeyOrder;
use testimony::domain::{AgentId, Principal, SourceClass, Timestamp};
use testimony::embedding::{Calibration, EmbedError, Embedder, EmbedderIdentity, Vector};
use testimony::ports::ledger::audit::Actor;
use testimony::ports::ledger::jobs::JobKind;
use testimony::read::RecallRequest;
use testimony::write::RetainRequest;
use testimony::{Reembedding, Testimony};

use crate::support::{container, done};

const KNOWN: &[&str] = &[
    "The ferry to Skerry island leaves at dusk.",
    "Mara repairs the lamp of the lighthouse.",
];

/// An embedder that counts letters, and can be down.
struct Letters {
    identity: EmbedderIdentity,
    is_down: AtomicBool,
}

impl Letters {
    fn named(name: &str) -> Arc<Self> {
        Arc::new(Self {
            identity: EmbedderIdentity {
                name: name.to_owned(),
                revision: "1".to_owned(),
                dimensions: 27,
            },
            is_down: AtomicBool::new(false),
        })
    }

    fn be_down(&self, is_down: bool) {
        self.is_down.store(is_down, Ordering::SeqCst);
    }
}

impl Embedder for Letters {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    fn calibration(&self) -> Option<&Calibration> {
        None
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
        if self.is_down.load(Ordering::SeqCst) {
            return Err(EmbedError::Unavailable {
                embedder: self.identity.name.clone(),
                because: "it sleeps".to_owned(),
                until: Some(soon()),
            });
        }
        let counted = |text: &&str| {
            let mut counts = vec![0.5_f32; 27];
            for letter in text.bytes().filter(u8::is_ascii_alphabetic) {
                counts[usize::from(letter.to_ascii_lowercase() - b'a')] += 1.0;
            }
            Vector::from_direction(counts).ok()
        };
        Ok(texts.iter().map(counted).collect())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "work that rests goes by the clock"
)]
fn soon() -> Timestamp {
    Timestamp::now() + jiff::SignedDuration::from_millis(100)
}

/// A memory that is used by an agent.
struct Used {
    memory: Testimony,
    agent: Principal,
}

impl Used {
    fn open(folder: &Path, embedder: Option<&Arc<Letters>>) -> Self {
        let builder = Testimony::builder();
        let builder = match embedder {
            Some(embedder) => builder.embedder(Arc::<Letters>::clone(embedder)),
            None => builder,
        };
        let memory = builder.open(folder).unwrap();
        let agent = AgentId::new("agent_id", "planner").unwrap();
        let order = KeyOrder::agent("planner", container(), agent, SourceClass::UserStatement);
        let service = memory.service();
        let key = service.make_key(Actor::Service, order).unwrap();
        let agent = service
            .authenticate(Some(&key.credential.reveal()))
            .unwrap();
        Self { memory, agent }
    }

    fn retain(&self, text: &str) -> Vec<JobKind> {
        let request = RetainRequest::of(text);
        let service = self.memory.service();
        let answer = service.retain(&self.agent, &container(), &request);
        done(answer.unwrap()).pending_jobs
    }

    /// What a question finds, and how the sources were.
    fn ask(&self, question: &str) -> (Vec<String>, &'static str) {
        let request = RecallRequest::of(question);
        let service = self.memory.service();
        let found = service.recall(&self.agent, &container(), &request, |answer| {
            let answer = &answer.recall.answer;
            let rows = answer.results.iter().chain(&answer.related_context);
            let rows = rows.map(|row| row.memory.content.to_string()).collect();
            (rows, answer.diagnostics.source_health_status.as_str())
        });
        found.unwrap()
    }

    /// Every known text is found by its own words.
    fn finds_everything(&self) -> &'static str {
        let mut health = "";
        for (question, text) in [
            ("When does the ferry to Skerry island leave?", KNOWN[0]),
            ("Who repairs the lamp of the lighthouse?", KNOWN[1]),
        ] {
            let (rows, sources) = self.ask(question);
            assert!(rows.iter().any(|row| row == text), "{question}: {rows:?}");
            health = sources;
        }
        health
    }

    /// The embedder of the container.
    fn speaks(&self) -> Option<EmbedderIdentity> {
        let reader = self.memory.service().ledger().reader().unwrap();
        reader.container(&container()).unwrap().unwrap().embedder
    }

    /// Waits until no job is open, and looks that everything is found all the while.
    fn until_all_is_done(&self) {
        let ledger = self.memory.service().ledger();
        for _ in 0..600 {
            let census = ledger.reader().unwrap().job_census().unwrap();
            let is_open = |state: &str| state == "queued" || state == "leased";
            if !census.iter().any(|(_, state, _)| is_open(state.as_str())) {
                return;
            }
            self.finds_everything();
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the jobs were not done");
    }
}

const WHOLE: &str = "healthy_multi_signal";
const WORDS_ALONE: &str = "degraded_keyword_only";

fn begun(folder: &Path, embedder: Option<&Arc<Letters>>) {
    let used = Used::open(folder, embedder);
    for text in KNOWN {
        assert!(used.retain(text).is_empty(), "it has its vector already");
    }
    assert_eq!(used.finds_everything(), WHOLE);
    assert_eq!(used.memory.reembedding(), &Reembedding::default());
}

#[test]
fn what_was_made_with_the_table_is_found_by_meaning_while_another_embedder_takes_it_over() {
    let folder = tempfile::tempdir().unwrap();
    begun(folder.path(), None);
    let letters = Letters::named("letters");
    letters.be_down(true);
    let used = Used::open(folder.path(), Some(&letters));
    let again = used.memory.reembedding();
    assert_eq!((again.containers, again.missing.len()), (1, 0));
    assert_eq!(used.finds_everything(), WHOLE, "the table is at hand");
    letters.be_down(false);
    used.until_all_is_done();
    assert_eq!(used.finds_everything(), WHOLE);
    assert_eq!(used.speaks().as_ref(), Some(letters.identity()));
    drop(used);
    let again = Used::open(folder.path(), Some(&letters));
    assert_eq!(again.memory.reembedding(), &Reembedding::default());
    assert_eq!(again.finds_everything(), WHOLE);
}

#[test]
fn rows_by_an_embedder_that_is_gone_are_found_by_their_words_until_they_are_embedded_again() {
    let folder = tempfile::tempdir().unwrap();
    let gone = Letters::named("gone");
    begun(folder.path(), Some(&gone));
    let next = Letters::named("next");
    next.be_down(true);
    let used = Used::open(folder.path(), Some(&next));
    let again = used.memory.reembedding();
    assert_eq!(again.containers, 1);
    assert_eq!(again.missing, [gone.identity().clone()]);
    assert_eq!(used.finds_everything(), WORDS_ALONE);
    let new = "The harbour office opens at nine.";
    assert_eq!(used.retain(new), [JobKind::Embed]);
    let (rows, _) = used.ask("When does the harbour office open?");
    assert!(rows.iter().any(|row| row == new), "{rows:?}");
    next.be_down(false);
    used.until_all_is_done();
    assert_eq!(used.finds_everything(), WHOLE);
    let (rows, _) = used.ask("When does the harbour office open?");
    assert!(rows.iter().any(|row| row == new), "{rows:?}");
}
