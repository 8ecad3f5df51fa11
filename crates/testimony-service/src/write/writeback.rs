//! Writeback: what a turn brought, each part with the class that its way in allows.

use testimony_domain::{Capability, ContainerTag, EvidenceChannel, MemoryKind, Principal};

use super::answer::Written;
use super::item::{
    ASSISTANT_RESPONSE, Entry, Item, Place, USER_MESSAGE, WritebackRequest, check_text,
};
use super::quoted::stands_in;
use super::retain::Order;
use crate::error::ServiceError;
use crate::ports::ledger::receipts::Operation;
use crate::service::Service;

impl Service {
    /// Captures what a turn brought.
    ///
    /// # Errors
    /// [`ServiceError`] when nothing was kept.
    pub fn writeback(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &WritebackRequest,
    ) -> Result<Written, ServiceError> {
        let messages = [
            ("user_message", &request.user_message, &USER_MESSAGE),
            (
                "assistant_response",
                &request.assistant_response,
                &ASSISTANT_RESPONSE,
            ),
        ];
        for (field, text, bound) in messages {
            if let Some(text) = text {
                check_text(field, text, bound)?;
            }
        }
        let entries = entries(request);
        self.write(
            principal,
            container,
            &Order {
                operation: Operation::Writeback,
                needed: Capability::AgentWriteback,
                claim: &request.claim,
                is_single: entries.len() == 1,
                entries,
                may_be_empty: true,
                default_source: "agent_runtime",
                review_required: request.review_required,
                review_reason: None,
                user_message: request.user_message.as_deref(),
                repetition: &request.repetition,
                by_service: false,
            },
        )
    }
}

fn entries(request: &WritebackRequest) -> Vec<Entry> {
    let lists: [(&'static str, &[Item], MemoryKind); 4] = [
        ("observed_facts", &request.observed_facts, MemoryKind::Fact),
        ("decisions", &request.decisions, MemoryKind::Decision),
        ("preferences", &request.preferences, MemoryKind::Preference),
        ("artifacts", &request.artifacts, MemoryKind::Artifact),
    ];
    let candidates = lists.into_iter().flat_map(|(field, items, kind)| {
        items.iter().enumerate().map(move |(index, item)| Entry {
            place: Place {
                field,
                index: Some(index),
            },
            channel: channel_of(field, item, request.user_message.as_deref()),
            item: Item {
                kind: item.kind.or(Some(kind)),
                ..item.clone()
            },
            extract: true,
            drawn_from: None,
        })
    });
    candidates.chain(messages(request)).collect()
}

/// The way in of a candidate: what the user decided or prefers is the user's word only where the user said it.
fn channel_of(field: &str, item: &Item, user_message: Option<&str>) -> EvidenceChannel {
    match field {
        "artifacts" => EvidenceChannel::Artifact,
        "decisions" | "preferences" => {
            if user_message.is_some_and(|message| stands_in(&item.content, message)) {
                EvidenceChannel::UserQuoted
            } else {
                EvidenceChannel::AgentReported
            }
        }
        _ => EvidenceChannel::ObservedFact,
    }
}

/// The messages of the turn, where claims are to be drawn from them. Otherwise they only tell whose words a candidate
/// is made of, and are not kept.
fn messages(request: &WritebackRequest) -> impl Iterator<Item = Entry> + '_ {
    let parts = [
        (
            "user_message",
            EvidenceChannel::UserMessage,
            &request.user_message,
        ),
        (
            "assistant_response",
            EvidenceChannel::AssistantResponse,
            &request.assistant_response,
        ),
    ];
    let wanted = parts.into_iter().filter(|_| request.extract);
    wanted.filter_map(|(field, channel, text)| {
        Some(Entry {
            place: Place { field, index: None },
            channel,
            item: Item::of(text.clone()?).inheriting(&request.base),
            extract: true,
            drawn_from: None,
        })
    })
}
