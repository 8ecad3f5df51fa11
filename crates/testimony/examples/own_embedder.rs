//! An embedder of one's own: anything that turns a text into a vector of a fixed length.
//!
//! `cargo run -p testimony --example own_embedder`
//!
//! This one counts letter triples, which finds misspelt words and little else; it stands for a model that you have.

use std::sync::Arc;

use testimony::Testimony;
use testimony::access::KeyOrder;
use testimony::domain::{AgentId, ContainerTag, SourceClass};
use testimony::ports::embedder::{Calibration, EmbedError, Embedder, EmbedderIdentity, Vector};
use testimony::ports::ledger::audit::Actor;
use testimony::read::RecallRequest;
use testimony::write::RetainRequest;

const DIMENSIONS: usize = 512;

struct Triples(EmbedderIdentity);

impl Triples {
    fn new() -> Self {
        Self(EmbedderIdentity {
            name: "triples".to_owned(),
            revision: "1".to_owned(),
            dimensions: DIMENSIONS,
        })
    }

    fn vector(text: &str) -> Option<Vector> {
        let letters: Vec<u32> = text.to_lowercase().chars().map(u32::from).collect();
        let mut counts = vec![0.0_f32; DIMENSIONS];
        for triple in letters.windows(3) {
            let mixed = triple.iter().fold(7_u32, |mixed, letter| {
                mixed.wrapping_mul(31).wrapping_add(*letter)
            });
            if let Some(count) = counts.get_mut(mixed as usize % DIMENSIONS) {
                *count += 1.0;
            }
        }
        Vector::from_direction(counts).ok()
    }
}

impl Embedder for Triples {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    fn calibration(&self) -> Option<&Calibration> {
        None
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vector>>, EmbedError> {
        Ok(texts.iter().map(|text| Self::vector(text)).collect())
    }
}

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let builder = Testimony::builder().embedder(Arc::new(Triples::new()));
    let memory = builder.open_in_memory()?;
    let service = memory.service();
    let notes = ContainerTag::new("container", "notes")?;
    let agent = AgentId::new("agent", "planner")?;
    let order = KeyOrder::agent("planner", notes.clone(), agent, SourceClass::UserStatement);
    let key = service.make_key(Actor::Service, order)?;
    let planner = service.authenticate(Some(&key.credential.reveal()))?;
    let request = RetainRequest::of("The observatory closes at midnight.");
    service.retain(&planner, &notes, &request)?;
    let request = RecallRequest::of("When does the observatry close?");
    service.recall(&planner, &notes, &request, |answer| {
        let answer = &answer.recall.answer;
        for row in answer.results.iter().chain(&answer.related_context) {
            println!("{:.2}  {}", row.relevance_score.get(), row.memory.content);
        }
    })?;
    Ok(())
}
