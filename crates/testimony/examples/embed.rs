//! A memory in an agent: make a key, retain, ask, and hear that something is not known.
//!
//! `cargo run -p testimony --example embed`

use testimony::Testimony;
use testimony::access::KeyOrder;
use testimony::domain::{AgentId, ContainerTag, SourceClass};
use testimony::ports::ledger::audit::Actor;
use testimony::read::RecallRequest;
use testimony::write::RetainRequest;

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let memory = Testimony::open_in_memory()?;
    let service = memory.service();
    let notes = ContainerTag::new("container", "notes")?;
    let planner = AgentId::new("agent", "planner")?;
    let order = KeyOrder::agent(
        "planner",
        notes.clone(),
        planner,
        SourceClass::UserStatement,
    );
    let key = service.make_key(Actor::Service, order)?;
    let planner = service.authenticate(Some(&key.credential.reveal()))?;

    let request = RetainRequest::of("Mara works at the observatory. Hello!");
    service.retain(&planner, &notes, &request)?;

    for question in ["Where does Mara work?", "Who is Mara's dentist?"] {
        let request = RecallRequest::of(question);
        service.recall(&planner, &notes, &request, |answer| {
            let results = &answer.recall.answer.results;
            let said = results.first().map(|row| row.memory.content.as_str());
            println!("{question}  {}", said.unwrap_or("nothing is known"));
        })?;
    }
    Ok(())
}
