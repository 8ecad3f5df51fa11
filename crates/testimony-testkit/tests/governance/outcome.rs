//! What becomes of a request: each cell asks the functions that decide in earnest.

use testimony_admission::ruling::Route as Way;
use testimony_courtroom::{CaseFile, Judgment, NoCase, examine};
use testimony_domain::{
    Capability, Cell, EffectiveIdentity, Event, EvidenceChannel, Memory, Redacted, Refusal, Score,
    SourceClass, TrustPolicy, transition, words,
};
use testimony_recall::pack::TokenCounter;
use testimony_recall::{
    Answer, Budget, Candidate, Channel, Channels, Options, Request, TimeIntent, View, pack, recall,
};
use testimony_testkit::strategy::time::now;

use crate::actors::{Actor, claim, container};
use crate::rows::{QUESTION, Row};

words! {
    /// Which door is knocked at.
    pub(crate) enum Route {
        Retain = "retain",
        Recall = "recall",
        AgentContext = "agent_context",
        Writeback = "writeback",
        Reflect = "reflect",
        Courtroom = "courtroom",
        Gateway = "gateway",
        Mcp = "mcp",
    }
}

impl Route {
    /// The capability that the door asks for.
    pub(crate) const fn needs(self) -> Capability {
        match self {
            Self::Retain => Capability::Write,
            Self::Recall => Capability::Recall,
            Self::AgentContext => Capability::AgentContext,
            Self::Writeback => Capability::AgentWriteback,
            Self::Reflect => Capability::Reflect,
            Self::Courtroom => Capability::CourtroomRead,
            Self::Gateway => Capability::GatewayChat,
            Self::Mcp => Capability::McpTools,
        }
    }
}

/// What is asked for beside the row: a view, and how strict.
pub(crate) type Manner = (View, TrustPolicy);

/// What comes of it, in a few words.
pub(crate) fn outcome(actor: Actor, route: Route, row: Row, manner: Manner) -> String {
    let principal = actor.principal(route.needs());
    let acted = principal.act(&container(), route.needs(), &claim(), now());
    let who = match acted {
        Ok((who, _)) => who,
        Err(refusal) => return refused(&refusal),
    };
    let memory = row.memory();
    match route {
        Route::Retain => written(&who, EvidenceChannel::Retain, &memory),
        Route::Writeback => written(&who, EvidenceChannel::ObservedFact, &memory),
        Route::Recall | Route::Mcp => shown(&who, &memory, manner),
        Route::AgentContext | Route::Gateway | Route::Reflect => injected(&who, &memory, manner),
        Route::Courtroom => heard(&who, row, &memory),
    }
}

fn refused(refusal: &Refusal) -> String {
    let status = match refusal {
        Refusal::Expired { .. } => 401,
        Refusal::Container { .. } | Refusal::Capability { .. } => 403,
    };
    format!("refused {status}")
}

/// What the actor's own clean words become, and what its taking back does to the row that stands there.
fn written(who: &EffectiveIdentity, channel: EvidenceChannel, memory: &Memory) -> String {
    let class = who.class_of(channel, None);
    let state = Way::Admit.initial_state(class.is_known_at_once());
    let state = state.map_or("none", |state| state.public_name());
    format!(
        "{state} {class}; retracts: {}",
        retracted(who, class, memory)
    )
}

fn retracted(who: &EffectiveIdentity, class: SourceClass, memory: &Memory) -> String {
    let private = memory.is_private_until_supported();
    if memory.partition.visible_to(who, private).is_err() {
        return "invisible".to_owned();
    }
    if class < memory.class {
        return "opens a case".to_owned();
    }
    match transition(memory.state, Event::Retract) {
        Cell::To(state) => state.public_name().to_owned(),
        Cell::Keep(effect) => effect.to_string(),
        Cell::Refuse(reason) => format!("refused {reason}"),
    }
}

/// Hands `read` the answer to the question that the row answers.
fn asked<T>(
    who: &EffectiveIdentity,
    memory: &Memory,
    ((view, policy), time): (Manner, TimeIntent),
    read: impl FnOnce(&Answer<'_>) -> T,
) -> T {
    let options = Options {
        trust_policy: policy,
        view,
        time_query: Some(time),
        ..Options::default()
    };
    let high = Score::clamped(0.9);
    let channels = Channels::default()
        .with(Channel::Keyword, high)
        .with(Channel::Semantic, high)
        .with(Channel::Lexical, high);
    let candidate = Candidate {
        memory,
        channels,
        text: None,
        reads: None,
        follows: None,
    };
    let request = Request::new(QUESTION, who, &options, now());
    read(&recall(&request, &[candidate]).answer)
}

fn lane(answer: &Answer<'_>) -> &'static str {
    let strict = testimony_domain::Reason::HeldByStrictPolicy;
    if let Some(row) = answer.results.first() {
        if row.why_recalled.marked.is_some() {
            "result, marked"
        } else {
            "result"
        }
    } else if !answer.needs_confirmation.is_empty() {
        "needs_confirmation"
    } else if answer.suppressed.iter().any(|one| one.reason == strict) {
        "held"
    } else if !answer.suppressed.is_empty() {
        "never"
    } else {
        assert!(
            answer.related_context.is_empty(),
            "the question no longer fits its row"
        );
        "invisible"
    }
}

fn shown(who: &EffectiveIdentity, memory: &Memory, manner: Manner) -> String {
    let now = asked(who, memory, (manner, TimeIntent::Current), lane);
    let past = asked(who, memory, (manner, TimeIntent::Historical), lane);
    let only_then = now == "never" && past.starts_with("result");
    if only_then { "historical only" } else { now }.to_owned()
}

/// One character costs one token: the matrix is about who, not about how much.
struct Characters;

impl TokenCounter for Characters {
    fn count(&self, text: &str) -> usize {
        text.chars().count()
    }

    fn vocabulary(&self) -> &'static str {
        "characters"
    }
}

fn enters_the_block(answer: &Answer<'_>) -> bool {
    let budget = Budget {
        rows: 8,
        tokens: 8_000,
        counter: &Characters,
    };
    !pack(answer, &budget, &|_| Vec::new()).citations.is_empty()
}

/// What of a recall enters a prompt: results alone, never what waits for a confirmation, and the same in every view.
fn injected(who: &EffectiveIdentity, memory: &Memory, (view, policy): Manner) -> String {
    let told = shown(who, memory, (View::Assistant, policy));
    let enters = asked(
        who,
        memory,
        ((view, policy), TimeIntent::Current),
        enters_the_block,
    );
    assert_eq!(
        enters,
        told.starts_with("result"),
        "the block and the lanes disagree"
    );
    told.replace("result", "injected")
}

fn heard(who: &EffectiveIdentity, row: Row, memory: &Memory) -> String {
    let evidence = row.evidence();
    let file = CaseFile {
        memory,
        supports: &[],
        evidence: Some(&evidence),
        instructing: &[],
        rivals: &[],
        revisions: &[],
        history: Some(&[]),
        reader: who,
        now: now(),
        query: None,
        judgment: Judgment::Omitted,
        comparisons: &[],
    };
    match examine(&file, &|text| Redacted::attest(text)) {
        Ok(report) => {
            let text = if report.statement.as_str().is_empty() {
                ", text withheld"
            } else {
                ""
            };
            format!("{}{text}", report.final_verdict)
        }
        Err(NoCase::Capability) => "refused 403".to_owned(),
        Err(NoCase::NotVisible) => "invisible".to_owned(),
    }
}
