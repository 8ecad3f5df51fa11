//! Reflect: an answer in sentences that were said, each with the memory that says it.
//!
//! Without a model nothing is phrased anew: the reply quotes what answers the question, and says that it only quotes.

use testimony_domain::{
    Capability, Claim, ContainerTag, EvidenceChannel, GraphHops, Invalid, MemoryId, Principal,
    Problem, RecallLimit, ReflectLimit, ReplyTokens, RequestId,
};
use testimony_recall::pack::{O200k, TokenCounter};
use testimony_recall::{Options, Recalled};

use super::recall::{Asked, RecallAnswer};
use crate::error::ServiceError;
use crate::ports::ledger::reads::Route;
use crate::ports::ledger::receipts::Operation;
use crate::service::Service;
use crate::write::{Entry, Item, Order, Place, Repetition, Written};

/// What is said when nothing that is known answers.
pub const NOTHING_KNOWN: &str = "Nothing that is known answers this.";

/// A question that is to be answered in sentences.
#[derive(Clone, Debug, Default)]
pub struct ReflectRequest {
    /// Whom it claims to come from.
    pub claim: Claim,
    /// What is asked.
    pub query: String,
    /// What the turn is about, where the caller says so: its words count half.
    pub context: Option<String>,
    /// How many rows are read at most.
    pub limit: ReflectLimit,
    /// How long the reply may be.
    pub tokens: ReplyTokens,
    /// What is wanted beside; its limit does not count.
    pub options: Options,
    /// Whether the reply is to become a memory candidate.
    pub save: bool,
    /// By what a repetition is known, where the reply is saved.
    pub repetition: Repetition,
    /// The caller's own id of the request.
    pub request: Option<RequestId>,
}

/// What a reflection answers.
#[derive(Debug)]
pub struct ReflectAnswer<'a> {
    /// What it was made of.
    pub recall: RecallAnswer<'a>,
    /// The reply.
    pub reply: String,
    /// The memories that it quotes, in the order of their numbers, from 1.
    pub cited: Vec<MemoryId>,
    /// What came of saving it.
    pub saved: Option<Written>,
}

impl Service {
    /// Answers a question in sentences that were said, and hands the answer to `with`.
    ///
    /// # Errors
    /// [`ServiceError`] when it could not be asked, or the reply not be saved.
    pub fn reflect<T>(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &ReflectRequest,
        with: impl FnOnce(ReflectAnswer<'_>) -> T,
    ) -> Result<T, ServiceError> {
        let visitor = self.enter(principal, container, Capability::Reflect, &request.claim)?;
        if request.query.trim().is_empty() {
            return Err(Invalid::new("query", Problem::Empty).into());
        }
        let options = Options {
            limit: RecallLimit::clamped(request.limit.get()),
            ..request.options.clone()
        };
        let asked = Asked {
            visitor: &visitor,
            query: &request.query,
            goal: request.context.as_deref(),
            options: &options,
            hops: GraphHops::default(),
            budget: (request.limit.get() as usize, request.tokens.get() as usize),
            route: Route::Reflect,
            request: request.request.as_ref(),
        };
        self.answer(&asked, |recall| {
            let rows = recall.packet.citations.iter().map(|cited| &cited.row);
            let (reply, cited) = quote(rows, request.tokens.get() as usize);
            let saved = match request.save && !cited.is_empty() {
                true => Some(self.save_reply(principal, container, request, &reply)?),
                false => None,
            };
            Ok(with(ReflectAnswer {
                recall,
                reply,
                cited,
                saved,
            }))
        })?
    }

    /// Hands the reply in like anything else. What only repeats what was handed out proves nothing, and is kept as
    /// evidence alone.
    fn save_reply(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &ReflectRequest,
        reply: &str,
    ) -> Result<Written, ServiceError> {
        let entry = Entry {
            place: Place {
                field: "reply",
                index: None,
            },
            channel: EvidenceChannel::ReflectAnswer,
            item: Item::of(reply),
            extract: false,
        };
        self.write(
            principal,
            container,
            &Order {
                operation: Operation::Reflect,
                needed: Capability::Write,
                claim: &request.claim,
                entries: vec![entry],
                is_single: true,
                may_be_empty: false,
                default_source: "reflect",
                review_required: false,
                review_reason: None,
                user_message: None,
                repetition: &request.repetition,
            },
        )
    }
}

/// What the rows say, each with its number, as far as it fits.
fn quote<'r, 'a: 'r>(
    rows: impl Iterator<Item = &'r Recalled<'a>>,
    budget: usize,
) -> (String, Vec<MemoryId>) {
    let (mut reply, mut cited, mut used) = (String::new(), Vec::new(), 0);
    for row in rows {
        let line = format!(
            "{} [{}]",
            row.memory.content.as_str().trim(),
            cited.len() + 1
        );
        let cost = O200k.count(&line) + 1;
        if used + cost > budget {
            continue;
        }
        if !reply.is_empty() {
            reply.push('\n');
        }
        reply.push_str(&line);
        used += cost;
        cited.push(row.memory.id);
    }
    if cited.is_empty() {
        reply.push_str(NOTHING_KNOWN);
    }
    (reply, cited)
}
