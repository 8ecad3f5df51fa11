//! Distilling: statements that a model drew from kept evidence go the way of everything that comes in, with the weakest
//! class of what they were drawn from and at most a model's, and rest on that evidence.

use testimony_domain::{
    AgentScope, Capabilities, Capability, Claim, ContainerGrant, Evidence, EvidenceChannel, Memory,
    MemoryId, Owner, Principal, PrincipalKind, Reason, SourceClass, SourceRef, Speaker,
};

use super::item::{BATCH, Entry, Item, Place, Repetition};
use super::retain::Order;
use crate::error::ServiceError;
use crate::models::{NoAnswer, Question, instructions, statements};
use crate::ports::ledger::LedgerError;
use crate::ports::ledger::evidence::Kept;
use crate::ports::ledger::receipts::Operation;
use crate::ports::models::ModelUse;
use crate::service::Service;

/// How long what a model draws from a text may be.
const STATEMENTS_TOKENS: u32 = 1_500;

/// Why nothing was drawn from a text that is still there.
#[derive(Debug)]
pub(crate) enum NotDistilled {
    /// The model gave no answer, or none that can be read.
    NoAnswer(NoAnswer),
    /// What it drew was not taken; no content.
    Refused(String),
    /// The ledger failed.
    Ledger(LedgerError),
}

impl From<LedgerError> for NotDistilled {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}

/// A text from which statements are drawn, and the memory that rests on it.
struct Original {
    memory: Memory,
    evidence: Evidence,
}

impl Service {
    /// Has a model draw statements from the evidence of a memory. Of what is gone or no longer open nothing is drawn.
    pub(crate) fn distill(&self, memory: MemoryId) -> Result<(), NotDistilled> {
        let Some(original) = self.original(memory)? else {
            return Ok(());
        };
        let (text, said) = (
            original.evidence.text.as_str(),
            original.evidence.observed_at,
        );
        let speaker = original.memory.speaker.as_ref().map(Speaker::as_str);
        let answered = self
            .ask_or_error(&Question {
                purpose: ModelUse::Extraction,
                instructions: instructions::EXTRACTION,
                material: &statements::shown(text, said, speaker),
                max_tokens: STATEMENTS_TOKENS,
                temperature: 0.0,
                as_json: true,
            })
            .map_err(NotDistilled::NoAnswer)?;
        let drawn = statements::read(&answered.text, text, said, speaker)
            .map_err(|failure| NotDistilled::NoAnswer(failure.into()))?;
        if drawn.is_empty() {
            return Ok(());
        }
        self.hand_in(&original, &drawn)
    }

    fn original(&self, memory: MemoryId) -> Result<Option<Original>, LedgerError> {
        let reader = self.ledger.reader()?;
        let rows = reader.memories(&[memory])?;
        let Some(memory) = rows.into_iter().find(|row| row.state.is_open()) else {
            return Ok(None);
        };
        let first: Vec<_> = memory.evidence.iter().copied().take(1).collect();
        let kept = reader.evidence(&first)?.into_iter().find(is_clean);
        Ok(kept.map(|kept| Original {
            memory,
            evidence: kept.evidence,
        }))
    }

    fn hand_in(&self, original: &Original, drawn: &[String]) -> Result<(), NotDistilled> {
        let principal = principal_of(original);
        let entries = drawn.iter().enumerate().map(|(index, statement)| Entry {
            place: Place {
                field: BATCH.name,
                index: Some(index),
            },
            channel: EvidenceChannel::ModelExtraction,
            item: item_of(original, statement),
            extract: false,
            drawn_from: Some(original.evidence.id),
        });
        let order = Order {
            operation: Operation::Retain,
            needed: Capability::Write,
            claim: &Claim::default(),
            entries: entries.collect(),
            is_single: false,
            may_be_empty: false,
            default_source: "extraction",
            review_required: false,
            review_reason: None,
            user_message: None,
            repetition: &Repetition::default(),
            by_service: true,
        };
        let container = original.memory.partition.container();
        match self.write(&principal, container, &order) {
            // Where something is missing, the text was erased meanwhile.
            Ok(_)
            | Err(ServiceError::Ledger(
                LedgerError::Missing { .. } | LedgerError::Changed { .. },
            )) => Ok(()),
            Err(ServiceError::Ledger(error)) => Err(NotDistilled::Ledger(error)),
            Err(other) => Err(NotDistilled::Refused(other.to_string())),
        }
    }
}

/// What is a record only, or tried to instruct its reader, is not shown to a model.
fn is_clean(kept: &Kept) -> bool {
    let text = kept.evidence.text.as_str();
    !text.trim().is_empty() && !kept.instructs() && !kept.reasons.contains(&Reason::Echo)
}

/// Whoever said the original, able to say no more than a model may.
fn principal_of(original: &Original) -> Principal {
    let (origin, partition) = (&original.evidence.origin, &original.memory.partition);
    let agent = match partition.owner() {
        Owner::Agent(agent) => Some(agent.clone()),
        Owner::Key(_) => None,
    };
    let class = origin.class.min(SourceClass::ModelInference);
    Principal {
        key: origin.key,
        kind: PrincipalKind::Agent,
        containers: ContainerGrant::Listed(vec![partition.container().clone()]),
        capabilities: Capabilities::of([Capability::Write]),
        source_app: original.memory.source_app.clone(),
        agent,
        agent_scope: AgentScope::Own,
        class,
        ceiling: class,
        labels: partition.labels().clone(),
        expires_at: None,
    }
}

fn item_of(original: &Original, statement: &str) -> Item {
    let memory = &original.memory;
    Item {
        plane: Some(memory.partition.plane()),
        scope: Some(memory.partition.scope()),
        source_ref: original
            .evidence
            .origin
            .source
            .as_ref()
            .map(SourceRef::to_string),
        tags: memory.tags.iter().map(ToString::to_string).collect(),
        observed_at: Some(original.evidence.observed_at),
        speaker: memory.speaker.as_ref().map(Speaker::to_string),
        ..Item::of(statement)
    }
}
