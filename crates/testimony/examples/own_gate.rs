//! A trust gate of one's own: rows from one source are shown only as something to be confirmed.
//!
//! `cargo run -p testimony --example own_gate`
//!
//! A gate can only tighten: whatever it says, a row that the service holds back stays held back, and a gate that fails
//! denies. The suites of `testimony-testkit` check a gate for exactly that.

use std::sync::Arc;

use testimony::Testimony;
use testimony::access::KeyOrder;
use testimony::domain::{AgentId, ContainerTag, Memory, Reason, SourceClass};
use testimony::ports::ledger::audit::Actor;
use testimony::read::RecallRequest;
use testimony::recall::{GateContext, GateError, GateVerdict, TrustGate};
use testimony::write::{Item, RetainRequest};

/// What somebody typed into the wiki has to be confirmed before it counts.
struct WikiIsHearsay;

impl TrustGate for WikiIsHearsay {
    fn name(&self) -> &'static str {
        "wiki_is_hearsay"
    }

    fn examine(&self, _: &GateContext<'_>, row: &Memory) -> Result<GateVerdict, GateError> {
        Ok(match row.source.as_str() {
            "wiki" => GateVerdict::Confirm(Reason::NeedsConfirmation),
            _ => GateVerdict::Pass,
        })
    }
}

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let builder = Testimony::builder().gate(Arc::new(WikiIsHearsay));
    let memory = builder.open_in_memory()?;
    let service = memory.service();
    let notes = ContainerTag::new("container", "notes")?;
    let agent = AgentId::new("agent", "planner")?;
    let order = KeyOrder::agent("planner", notes.clone(), agent, SourceClass::UserStatement);
    let key = service.make_key(Actor::Service, order)?;
    let planner = service.authenticate(Some(&key.credential.reveal()))?;
    for (source, text) in [
        ("meeting", "The harbour office closes at noon."),
        ("wiki", "The harbour cellar floods in spring."),
    ] {
        let item = Item {
            source: Some(source.to_owned()),
            ..Item::of(text)
        };
        let request = RetainRequest {
            items: vec![item],
            ..RetainRequest::default()
        };
        service.retain(&planner, &notes, &request)?;
    }
    for question in [
        "When does the harbour office close?",
        "When does the harbour cellar flood?",
    ] {
        let request = RecallRequest::of(question);
        service.recall(&planner, &notes, &request, |answer| {
            let answer = &answer.recall.answer;
            println!(
                "{question}  results: {}, to be confirmed: {}",
                answer.results.len(),
                answer.needs_confirmation.len()
            );
        })?;
    }
    Ok(())
}
