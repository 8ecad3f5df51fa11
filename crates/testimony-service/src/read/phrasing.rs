//! Phrasing a reply: a model is shown what was recalled, and of what it writes only what stands there is left.

use testimony_domain::{Speaker, words};
use testimony_recall::Recalled;
use testimony_recall::pack::{O200k, Packet, TokenCounter};

use super::reflect::ReflectRequest;
use crate::access::Visitor;
use crate::models::grounding::Source;
use crate::models::reply::{Grounded, Shown, ground};
use crate::models::{Answered, DroppedSentence, ModelFailure, Question, instructions, material};
use crate::ports::models::{ModelUse, TokenUsage};
use crate::service::Service;

words! {
    /// Whether a model phrased a reply.
    pub enum SynthesisStatus {
        /// It did.
        Generated = "generated",
        /// Quotations were asked for.
        NotRequested = "not_requested",
        /// Nothing is known, so none was asked.
        NotNeeded = "not_needed",
        /// None could be asked, or it failed.
        Unavailable = "unavailable",
        /// One answered, and nothing of it could stand.
        Rejected = "rejected",
    }
}

/// How a reply came to be worded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrasing {
    /// Whether a model phrased it.
    pub status: SynthesisStatus,
    /// Why none did.
    pub failure: Option<ModelFailure>,
    /// The model, as `provider/model`, where one did.
    pub model: Option<String>,
    /// What models took, also for what was thrown away.
    pub usage: TokenUsage,
    /// Sentences that were dropped, by reason, each with how often.
    pub dropped: Vec<(DroppedSentence, usize)>,
    /// Whether something had to be taken out of what the model wrote.
    pub redacted: bool,
    /// Whether a model worded the context anew.
    pub context_rewritten: bool,
}

impl Phrasing {
    /// Nothing was phrased.
    pub(super) fn none(status: SynthesisStatus, failure: Option<ModelFailure>) -> Self {
        Self {
            status,
            failure,
            model: None,
            usage: TokenUsage::default(),
            dropped: Vec::new(),
            redacted: false,
            context_rewritten: false,
        }
    }

    pub(super) fn add_usage(&mut self, usage: Option<TokenUsage>) {
        let usage = usage.unwrap_or_default();
        self.usage.prompt = self.usage.prompt.saturating_add(usage.prompt);
        self.usage.completion = self.usage.completion.saturating_add(usage.completion);
    }
}

impl Service {
    /// A phrased reply, where a model gives one that can stand, and how that went.
    pub(super) fn phrased(
        &self,
        visitor: &Visitor,
        request: &ReflectRequest,
        packet: &Packet<'_>,
    ) -> (Option<Grounded>, Phrasing) {
        let Some(model) = self.model_for(ModelUse::Synthesis) else {
            let failure = Some(ModelFailure::NotConfigured);
            return (None, Phrasing::none(SynthesisStatus::Unavailable, failure));
        };
        let shown = self.shown(visitor, request, packet);
        let answered = self.ask(&Question {
            purpose: ModelUse::Synthesis,
            instructions: instructions::SYNTHESIS,
            material: &shown,
            max_tokens: request.tokens.get(),
            temperature: request.temperature.get(),
            as_json: false,
        });
        match answered {
            Err(failure) => {
                let phrasing = Phrasing::none(SynthesisStatus::Unavailable, Some(failure));
                (None, phrasing)
            }
            Ok(answered) => {
                let (grounded, mut phrasing) =
                    self.what_stands(visitor, request, packet, &answered);
                phrasing.model = grounded
                    .is_some()
                    .then(|| format!("{}/{}", model.provider, model.model));
                (grounded, phrasing)
            }
        }
    }

    /// What of an answer stands in the memories that it cites.
    fn what_stands(
        &self,
        visitor: &Visitor,
        request: &ReflectRequest,
        packet: &Packet<'_>,
        answered: &Answered,
    ) -> (Option<Grounded>, Phrasing) {
        let mut phrasing = Phrasing::none(SynthesisStatus::Generated, None);
        phrasing.add_usage(answered.usage);
        if answered.text.trim() == instructions::NO_ANSWER {
            phrasing.reject(ModelFailure::FoundNothing);
            return (None, phrasing);
        }
        let policy = &visitor.container.policy;
        let clean = self.redact(policy, &answered.text);
        phrasing.redacted = clean.as_str() != answered.text;
        let budget: (usize, &dyn TokenCounter) = (request.tokens.get() as usize, &O200k);
        let (memories, now) = (memories_of(packet), self.clock.now());
        let grounded = ground(clean.as_str(), answered.is_whole, &memories, budget, now);
        phrasing.dropped = counted(&grounded.dropped);
        // Sentences that were apart stand side by side now, so the whole is looked through once more.
        let reply = grounded.reply();
        if grounded.kept.is_empty() || self.redact(policy, &reply).as_str() != reply {
            phrasing.reject(ModelFailure::NothingGrounded);
            return (None, phrasing);
        }
        (Some(grounded), phrasing)
    }

    /// What the model is shown: the question, what the turn is about, and the memories, each as data.
    fn shown(&self, visitor: &Visitor, request: &ReflectRequest, packet: &Packet<'_>) -> String {
        let policy = &visitor.container.policy;
        let mut shown = String::new();
        let question = self.redact(policy, &request.query);
        material::quote(&mut shown, "The question", question.as_str());
        if let Some(context) = &request.context {
            let context = self.redact(policy, context);
            material::quote(&mut shown, "What it is asked for", context.as_str());
        }
        shown.push_str("The memories:\n");
        shown.push_str(&packet.block);
        shown
    }
}

impl Phrasing {
    fn reject(&mut self, failure: ModelFailure) {
        self.status = SynthesisStatus::Rejected;
        self.failure = Some(failure);
    }
}

/// What each memory of a packet says, with whom it is about and when it was said, as its reader is told.
fn memories_of(packet: &Packet<'_>) -> Shown {
    let rows = packet.citations.iter().map(|cited| &cited.row);
    let (sources, texts) = rows
        .map(|row| (source_of(row), row.memory.content.to_string()))
        .unzip();
    Shown { sources, texts }
}

fn source_of(row: &Recalled<'_>) -> Source {
    let memory = row.memory;
    let mut source = Source::default();
    source.add(memory.content.as_str(), memory.observed_at);
    source.add_day(memory.observed_at);
    let speaker = memory.speaker.as_ref().map(Speaker::as_str);
    let entities = memory.entities.iter().map(String::as_str);
    for name in entities.chain(speaker) {
        source.add(name, memory.observed_at);
    }
    source
}

/// Reasons in the order of their words, each with how often it was one.
fn counted(dropped: &[DroppedSentence]) -> Vec<(DroppedSentence, usize)> {
    let count = |reason: &DroppedSentence| dropped.iter().filter(|it| *it == reason).count();
    let all = DroppedSentence::ALL
        .iter()
        .map(|reason| (*reason, count(reason)));
    all.filter(|(_, count)| *count > 0).collect()
}
