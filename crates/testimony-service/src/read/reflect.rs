//! Reflect: an answer in sentences, each with the memories that say it.
//!
//! A model may phrase it; of what it writes only what stands in what it cites is left. Without a model, or with nothing
//! left, the reply quotes what answers the question, and says that it only quotes.

use testimony_domain::{
    Capability, Claim, ContainerTag, ContextTokens, EvidenceChannel, GraphHops, Invalid, MemoryId,
    Principal, Problem, RecallLimit, ReflectLimit, ReplyTokens, RequestId, SourceClass,
    Temperature, words,
};
use testimony_recall::Options;
use testimony_recall::pack::{Citation, O200k, Packet, TokenCounter};

use super::aids::Aids;
use super::journal::Slip;
use super::phrasing::{Phrasing, SynthesisStatus};
use super::recall::{Asked, RecallAnswer};
use crate::access::Visitor;
use crate::error::ServiceError;
use crate::models::ModelFailure;
use crate::models::reply::Grounded;
use crate::ports::ledger::reads::Route;
use crate::ports::ledger::receipts::Operation;
use crate::service::Service;
use crate::write::{Entry, Item, Order, Place, Repetition, Written};

/// What is said when nothing that is known answers.
pub const NOTHING_KNOWN: &str = "Nothing that is known answers this.";

words! {
    /// How a question is answered.
    pub enum AnswerMode {
        /// In sentences that a model phrases and that stand in what they cite; quoted where none does.
        Grounded = "grounded",
        /// In sentences that were said.
        Extractive = "extractive",
    }
}

/// A question that is to be answered in sentences.
#[derive(Clone, Debug)]
pub struct ReflectRequest {
    /// Whom it claims to come from.
    pub claim: Claim,
    /// What is asked.
    pub query: String,
    /// How it is answered.
    pub mode: AnswerMode,
    /// What the turn is about, where the caller says so: its words count half, and a model is shown it.
    pub context: Option<String>,
    /// Whether a model words `context` anew before it is searched with.
    pub rewrite_context: bool,
    /// How many rows are read at most.
    pub limit: ReflectLimit,
    /// How long the reply may be.
    pub tokens: ReplyTokens,
    /// How freely a model phrases it.
    pub temperature: Temperature,
    /// What is wanted beside; its limit does not count.
    pub options: Options,
    /// Whether the reply is to become a memory candidate.
    pub save: bool,
    /// By what a repetition is known, where the reply is saved.
    pub repetition: Repetition,
    /// The caller's own id of the request.
    pub request: Option<RequestId>,
    /// Where it is noted what was handed out, once whoever passes the rows on knows; without one, all of them count.
    /// Where the reply is saved all of them count, since it rests on them whoever is told.
    pub slip: Option<Slip>,
}

impl Default for ReflectRequest {
    fn default() -> Self {
        Self {
            claim: Claim::default(),
            query: String::new(),
            mode: AnswerMode::Grounded,
            context: None,
            rewrite_context: true,
            limit: ReflectLimit::default(),
            tokens: ReplyTokens::default(),
            temperature: Temperature::default(),
            options: Options::default(),
            save: false,
            repetition: Repetition::default(),
            request: None,
            slip: None,
        }
    }
}

/// A memory that a reply rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cited {
    /// Its number, in the reply and in the block that was read.
    pub number: usize,
    /// The memory.
    pub memory: MemoryId,
}

/// What a reflection answers.
#[derive(Debug)]
pub struct ReflectAnswer<'a> {
    /// What it was made of.
    pub recall: RecallAnswer<'a>,
    /// The reply.
    pub reply: String,
    /// The memories that it rests on, by their numbers.
    pub cited: Vec<Cited>,
    /// How it came to be worded.
    pub phrasing: Phrasing,
    /// What came of saving it.
    pub saved: Option<Written>,
}

/// A reply with what it rests on.
#[derive(Default)]
struct Reply {
    /// With the numbers of what it cites.
    text: String,
    /// Without them.
    said: String,
    cited: Vec<Cited>,
    /// The weakest class of what it rests on.
    class: Option<SourceClass>,
}

impl Service {
    /// Answers a question in sentences, each with what says it, and hands the answer to `with`.
    ///
    /// # Errors
    /// [`ServiceError`] when it could not be asked, or the reply not be saved. That no model helps is no error.
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
        // What it needs is asked for before a model is.
        if request.save {
            self.enter(principal, container, Capability::Write, &request.claim)?;
        }
        let options = Options {
            limit: RecallLimit::clamped(request.limit.get()),
            ..request.options.clone()
        };
        let goal = self.goal(&visitor, request);
        let asked = asked(&visitor, request, &options, &goal);
        self.answer(&asked, |recall| {
            let (reply, mut phrasing) = self.worded(&visitor, request, recall.packet);
            phrasing.context_rewritten = goal.words.is_some();
            phrasing.add_usage(goal.usage);
            let saved = match request.save && !reply.cited.is_empty() {
                true => Some(self.save_reply(principal, container, request, &reply)?),
                false => None,
            };
            Ok(with(ReflectAnswer {
                recall,
                reply: reply.text,
                cited: reply.cited,
                phrasing,
                saved,
            }))
        })?
    }

    /// The context in other words, where that is wanted and a model gives some.
    fn goal(&self, visitor: &Visitor, request: &ReflectRequest) -> Goal {
        let context = request.context.as_deref();
        let wanted = context.filter(|it| request.rewrite_context && !it.trim().is_empty());
        let policy = &visitor.container.policy;
        match wanted.map(|context| self.reworded(policy, context)) {
            Some(Ok((words, usage))) => Goal {
                words: Some(words),
                usage,
            },
            Some(Err(_)) | None => Goal::default(),
        }
    }

    /// The reply: phrased where that is wanted and can stand, else quoted.
    fn worded(
        &self,
        visitor: &Visitor,
        request: &ReflectRequest,
        packet: &Packet<'_>,
    ) -> (Reply, Phrasing) {
        let (grounded, phrasing) = if packet.citations.is_empty() {
            (None, Phrasing::none(SynthesisStatus::NotNeeded, None))
        } else {
            match request.mode {
                AnswerMode::Extractive => {
                    (None, Phrasing::none(SynthesisStatus::NotRequested, None))
                }
                AnswerMode::Grounded => self.phrased(visitor, request, packet),
            }
        };
        let reply = match grounded {
            Some(grounded) => Reply::phrased(&grounded, packet),
            None => Reply::quoted(packet, request.tokens.get() as usize),
        };
        (reply, phrasing)
    }

    /// Hands the reply in like anything else, with the weakest class of what it rests on and at most a model's. What only
    /// repeats what was handed out proves nothing, and is kept as evidence alone.
    fn save_reply(
        &self,
        principal: &Principal,
        container: &ContainerTag,
        request: &ReflectRequest,
        reply: &Reply,
    ) -> Result<Written, ServiceError> {
        let entry = Entry {
            place: Place {
                field: "reply",
                index: None,
            },
            channel: EvidenceChannel::ReflectAnswer,
            item: Item {
                class: reply.class,
                ..Item::of(&reply.said)
            },
            extract: false,
            drawn_from: None,
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
                by_service: false,
            },
        )
    }
}

fn asked<'a>(
    visitor: &'a Visitor,
    request: &'a ReflectRequest,
    options: &'a Options,
    goal: &'a Goal,
) -> Asked<'a> {
    let tokens = ContextTokens::default().get() as usize;
    Asked {
        visitor,
        query: &request.query,
        goal: goal.words.as_deref().or(request.context.as_deref()),
        options,
        hops: GraphHops::default(),
        budget: (request.limit.get() as usize, tokens),
        route: Route::Reflect,
        request: request.request.as_ref(),
        aids: Aids::default(),
        slip: request.slip.as_ref().filter(|_| !request.save),
    }
}

/// The context in other words, and what that took.
#[derive(Default)]
struct Goal {
    words: Option<String>,
    usage: Option<crate::ports::models::TokenUsage>,
}

impl Reply {
    /// What a model phrased.
    fn phrased(grounded: &Grounded, packet: &Packet<'_>) -> Self {
        let mut reply = Self {
            text: grounded.reply(),
            said: grounded.said(),
            ..Self::default()
        };
        for citation in &packet.citations {
            let cites = |kept: &crate::models::reply::Kept| kept.cites.contains(&citation.number);
            if grounded.kept.iter().any(cites) {
                reply.rests_on(citation);
            }
        }
        reply
    }

    /// What the rows say, each with its number, as far as it fits.
    fn quoted(packet: &Packet<'_>, budget: usize) -> Self {
        let mut reply = Self::default();
        let mut used = 0;
        for citation in &packet.citations {
            let words = citation.row.memory.content.as_str().trim();
            let line = format!("{words} [{}]", citation.number);
            let cost = O200k.count(&line) + 1;
            if used + cost > budget {
                continue;
            }
            used += cost;
            for (text, line) in [(&mut reply.text, line.as_str()), (&mut reply.said, words)] {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(line);
            }
            reply.rests_on(citation);
        }
        if reply.cited.is_empty() {
            reply.text.push_str(NOTHING_KNOWN);
        }
        reply
    }

    fn rests_on(&mut self, citation: &Citation<'_>) {
        let memory = citation.row.memory;
        self.cited.push(Cited {
            number: citation.number,
            memory: memory.id,
        });
        let weakest = self.class.unwrap_or(SourceClass::ModelInference);
        self.class = Some(weakest.min(memory.class));
    }
}

impl ReflectAnswer<'_> {
    /// Why the reply quotes although it was to be phrased, where it does.
    #[must_use]
    pub const fn fell_back(&self) -> Option<ModelFailure> {
        self.phrasing.failure
    }
}
