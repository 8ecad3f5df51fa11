//! Why a memory was recalled or was not: whose question it is, and what became of the memory.

use serde_json::{Map, Value, json};
use testimony_domain::{
    AgentId, Hidden, KeyId, MemoryId, RecallLimit, Score, Threshold, TrustPolicy,
};
use testimony_recall::{Channel, Channels, Mode, Options, Stage, TimeIntent, WhyNot};
use testimony_service::read::{WhyAnswer, WhyRequest};

use super::KEY_ID;
use super::memory::{LABELS, REASON, labels};
use crate::wire::common::{IDENTITY, claim, trust_policy};
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Kind, Table};
use crate::wire::reader::{Log, Object};
use crate::wire::recall::{QUERY, TIME};
use crate::wire::rows::{reason, score};
use crate::wire::shape::{Member, Shape};
use crate::wire::written::join;

/// A question about a recall.
#[rustfmt::skip]
pub const WHY: Table = &[
    &[
        Field::new("query", Kind::Text(&QUERY), "What is asked.").required(),
        Field::new("trust_policy", Kind::Word(TrustPolicy::WORDS), "How strict.").or(|| Options::default().trust_policy.as_str().into()),
        Field::new("mode", Kind::Word(Mode::WORDS), "Which channels count.").or(|| Options::default().mode.as_str().into()),
        Field::new("limit", Kind::Whole("RecallLimit"), "How many rows at most.").or(|| RecallLimit::default().get().into()),
        Field::new("threshold", Kind::Number("Threshold"), "The caller's own floor.").or(|| Threshold::default().get().into()),
        Field::new("time_query", TIME, "The time that is asked about; absent, it is read from the query."),
        Field::new("key_id", KEY_ID, "As the holder of this key; absent, as `agent_id`, or else as whoever wrote the memory."),
    ],
    IDENTITY,
];

testimony_domain::words! {
    /// What became of a memory.
    pub enum Outcome {
        /// It is among the results.
        Recalled = "recalled",
        /// It stands near the question and does not answer it.
        Related = "related",
        /// It has to be confirmed first.
        AwaitsConfirmation = "awaits_confirmation",
        /// More relevant rows filled the limit.
        OverLimit = "over_limit",
        /// Another row says the same.
        Duplicate = "duplicate",
        /// It is not relevant enough.
        NotRelevant = "not_relevant",
        /// It speaks of somebody or something else.
        WrongSubject = "wrong_subject",
        /// A gate removed it.
        Held = "held",
        /// It does not exist for whoever asks.
        Hidden = "hidden",
        /// Nothing is known of it.
        Unknown = "unknown",
    }
}

#[rustfmt::skip]
const ASKED_AS: &[Member] = &[
    Member::new("agent_id", Shape::Maybe(&Shape::Text), "The agent."),
    Member::new("labels", Shape::Object(LABELS), "The labels."),
];

/// What became of a memory.
#[rustfmt::skip]
pub const ANSWER: &[Member] = &[
    Member::new("memory_id", Shape::Id("mem"), "The memory."),
    Member::new("asked_as", Shape::Object(ASKED_AS), "As whom it was asked."),
    Member::new("trust_policy", Shape::Word(TrustPolicy::WORDS), "How strict it was asked."),
    Member::new("outcome", Shape::Word(Outcome::WORDS), "What became of it."),
    Member::new("found_by", Shape::Maybe(&Shape::Map(&Shape::Number)), "How far each source speaks for it; nothing where none found it."),
    Member::new("hidden_by", Shape::Word(Hidden::WORDS), "What keeps it from whoever asks.").at_times(),
    Member::new("stage", Shape::Text, "The gate that removed it.").at_times(),
    Member::new("gate", Shape::Maybe(&Shape::Text), "The added gate by name, where one removed it.").at_times(),
    Member::new("reason", Shape::Object(REASON), "Why.").at_times(),
    Member::new("relevance", Shape::Number, "How relevant it is.").at_times(),
    Member::new("floor", Shape::Number, "What it would have to reach.").at_times(),
    Member::new("duplicate_of", Shape::Id("mem"), "The row that says the same.").at_times(),
    Member::new("rank", Shape::Whole, "Its rank, from 1.").at_times(),
    Member::new("limit", Shape::Whole, "How many are shown.").at_times(),
];

/// Reads a question about a recall.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read(body: &Map<String, Value>) -> Result<WhyRequest, Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, WHY, &mut log);
    let claimed = claim(&object, &mut log);
    let usual = Options::default();
    let request = WhyRequest {
        query: object.owned("query").unwrap_or_default(),
        options: Options {
            trust_policy: trust_policy(&object, &mut log).unwrap_or(usual.trust_policy),
            mode: object
                .read("mode", &mut log, Mode::parse)
                .unwrap_or(usual.mode),
            limit: object
                .whole("limit", &mut log, RecallLimit::new)
                .unwrap_or_default(),
            threshold: object
                .number("threshold", &mut log, Threshold::new)
                .unwrap_or_default(),
            time_query: object.read("time_query", &mut log, TimeIntent::parse),
            ..usual
        },
        key: object.read("key_id", &mut log, |_, text| text.parse::<KeyId>()),
        agent: claimed.agent,
        labels: claimed.labels,
    };
    log.end(request).map(|(request, _)| request)
}

/// What became of a memory.
#[must_use]
pub fn answer(memory: MemoryId, asked: TrustPolicy, answer: &WhyAnswer) -> Value {
    let mut body = Map::new();
    let (outcome, more) = told(answer);
    join(
        &mut body,
        json!({
            "memory_id": memory.to_string(),
            "asked_as": {
                "agent_id": answer.agent.as_ref().map(AgentId::as_str),
                "labels": labels(&answer.labels),
            },
            "trust_policy": asked.as_str(),
            "outcome": outcome.as_str(),
            "found_by": answer.channels.map(found_by),
        }),
    );
    join(&mut body, more);
    Value::Object(body)
}

fn found_by(channels: Channels) -> Value {
    let said = Channel::ALL.iter().filter_map(|channel| {
        let said = channels.get(*channel)?;
        Some((channel.to_string(), Value::from(score(said))))
    });
    Value::Object(said.collect())
}

fn told(answer: &WhyAnswer) -> (Outcome, Value) {
    if let Some(hidden) = answer.hidden {
        let stage = if hidden == Hidden::Container {
            Stage::Identity
        } else {
            Stage::Scope
        };
        let told = json!({ "hidden_by": hidden.as_str(), "stage": stage.as_str() });
        return (Outcome::Hidden, told);
    }
    (outcome(&answer.why), measured(&answer.why))
}

const fn outcome(why: &WhyNot) -> Outcome {
    match why {
        WhyNot::Unknown => Outcome::Unknown,
        WhyNot::Held { .. } => Outcome::Held,
        WhyNot::NotRelevant { .. } => Outcome::NotRelevant,
        WhyNot::WrongSubject { .. } => Outcome::WrongSubject,
        WhyNot::Duplicate { .. } => Outcome::Duplicate,
        WhyNot::AwaitsConfirmation { .. } => Outcome::AwaitsConfirmation,
        WhyNot::Related { .. } => Outcome::Related,
        WhyNot::OverLimit { .. } => Outcome::OverLimit,
        WhyNot::Recalled { .. } => Outcome::Recalled,
    }
}

fn measured(why: &WhyNot) -> Value {
    match *why {
        WhyNot::Unknown => json!({}),
        WhyNot::Held {
            stage,
            reason: why,
            added_gate,
        } => {
            json!({ "stage": stage.as_str(), "reason": reason(why), "gate": added_gate })
        }
        WhyNot::NotRelevant {
            relevance,
            floor,
            reason: why,
        } => {
            json!({ "relevance": score(relevance), "floor": score(floor), "reason": reason(why) })
        }
        WhyNot::WrongSubject { relevance } => json!({ "relevance": score(relevance) }),
        WhyNot::Duplicate { of } => json!({ "duplicate_of": of.to_string() }),
        WhyNot::AwaitsConfirmation { reason: why, rank } => {
            json!({ "reason": reason(why), "rank": rank })
        }
        WhyNot::Related {
            rank,
            limit,
            relevance,
        }
        | WhyNot::OverLimit {
            rank,
            limit,
            relevance,
        } => ranked(rank, Some(limit), relevance),
        WhyNot::Recalled { rank, relevance } => ranked(rank, None, relevance),
    }
}

fn ranked(rank: usize, limit: Option<usize>, relevance: Score) -> Value {
    match limit {
        Some(limit) => json!({ "rank": rank, "limit": limit, "relevance": score(relevance) }),
        None => json!({ "rank": rank, "relevance": score(relevance) }),
    }
}
