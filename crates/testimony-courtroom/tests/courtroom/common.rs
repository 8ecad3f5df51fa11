//! Cases as data: reads a line of `fixtures/courtroom/*.jsonl` into a case file. All instants are days from one noon.

use serde::Deserialize;
use testimony_courtroom::{
    ActorKind, AiOpinion, BankOutcome, BankStatement, CaseFile, CaseReport, Comparison,
    HistoryEntry, Judgment, NoCase, examine,
};
use testimony_domain::{
    AgentId, AgentScope, Capabilities, Capability, Claim, ContainerGrant, ContainerTag,
    EffectiveIdentity, Event, Evidence, EvidenceId, FactId, KeyId, Labels, Memory, MemoryId,
    MemoryKind, MemoryScope, Origin, Owner, Partition, Plane, Polarity, Principal, PrincipalKind,
    Reason, Redacted, ReviewNeed, RunId, Slot, SlotKey, SourceClass, SourceLabel, SourceRef, State,
    Support, Timestamp, Validity,
};

const NOON: &str = "2025-06-15T12:00:00Z";
/// What the redactor of these cases takes out: any word that begins so.
pub(crate) const SECRET_MARK: &str = "sekret";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) memory: Row,
    #[serde(default)]
    pub(crate) evidence: Vec<Exhibit>,
    #[serde(default)]
    pub(crate) rivals: Vec<Row>,
    #[serde(default)]
    pub(crate) revisions: Vec<Row>,
    pub(crate) history: Option<Vec<Past>>,
    #[serde(default)]
    pub(crate) unreadable: Vec<String>,
    #[serde(default)]
    pub(crate) reader: Reader,
    pub(crate) query: Option<String>,
    pub(crate) ai: Option<Ai>,
    /// What memory banks said: the outcome, and the words of one statement.
    #[serde(default)]
    pub(crate) banks: Vec<(String, String)>,
    pub(crate) expect: serde_json::Value,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reader {
    #[default]
    Writer,
    OtherAgent,
    Reviewer,
    Operator,
    NoCapability,
    OtherContainer,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Row {
    text: String,
    state: String,
    class: String,
    kind: String,
    approved: bool,
    review: Option<String>,
    contested: bool,
    origins: usize,
    reasons: Vec<String>,
    slot: Option<[String; 4]>,
    unit: Option<String>,
    negated: bool,
    said: i64,
    from: Option<i64>,
    until: Option<i64>,
    expires: Option<i64>,
    revision: u32,
    fact: usize,
    place: Place,
    drawn_from: Option<Vec<usize>>,
}

impl Default for Row {
    fn default() -> Self {
        Self {
            text: "The harbour office closes at five.".to_owned(),
            state: "active".to_owned(),
            class: "user_statement".to_owned(),
            kind: "fact".to_owned(),
            approved: false,
            review: None,
            contested: false,
            origins: 1,
            reasons: Vec::new(),
            slot: None,
            unit: None,
            negated: false,
            said: -10,
            from: None,
            until: None,
            expires: None,
            revision: 1,
            fact: 0,
            place: Place::Shared,
            drawn_from: None,
        }
    }
}

/// Where a row lives, as seen by the writer.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Place {
    #[default]
    Shared,
    Own,
    OthersShared,
    OthersOwn,
    OtherContainer,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Exhibit {
    text: String,
    class: String,
    link_class: Option<String>,
    link_echo: bool,
    instructs: bool,
    says: String,
    echo: bool,
    key: u8,
    agent: Option<String>,
    run: Option<String>,
    source: Option<String>,
    said: i64,
    place: Place,
}

impl Default for Exhibit {
    fn default() -> Self {
        Self {
            text: "The harbour office closes at five.".to_owned(),
            class: "user_statement".to_owned(),
            link_class: None,
            link_echo: false,
            instructs: false,
            says: "supports".to_owned(),
            echo: false,
            key: 1,
            agent: None,
            run: None,
            source: None,
            said: -10,
            place: Place::Shared,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Past {
    at: i64,
    actor: String,
    event: String,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Ai {
    status: String,
    verdict: String,
    action: String,
    confidence: Option<f64>,
    rationale: String,
}

impl Default for Ai {
    fn default() -> Self {
        Self {
            status: "cached".to_owned(),
            verdict: "trusted".to_owned(),
            action: "use".to_owned(),
            confidence: Some(0.9),
            rationale: "It reads well.".to_owned(),
        }
    }
}

pub(crate) fn day(days: i64) -> Timestamp {
    let noon: Timestamp = NOON.parse().unwrap();
    Timestamp::from_second(noon.as_second() + days * 86_400).unwrap()
}

/// Takes out every word that begins with [`SECRET_MARK`].
pub(crate) fn redactor(text: &str) -> Redacted {
    let words = text.split_inclusive(' ').map(|word| {
        let tail = if word.ends_with(' ') { " " } else { "" };
        if word.starts_with(SECRET_MARK) {
            format!("[REDACTED:mark]{tail}")
        } else {
            word.to_owned()
        }
    });
    Redacted::attest(words.collect::<String>())
}

fn uuid(kind: u8, number: usize) -> uuid::Uuid {
    uuid::Uuid::from_u128(u128::from(kind) << 64 | number as u128)
}

fn key(number: u8) -> KeyId {
    KeyId::from_uuid(uuid(1, usize::from(number)))
}

fn container(place: Place) -> ContainerTag {
    let tag = match place {
        Place::OtherContainer => "elsewhere",
        Place::Shared | Place::OthersShared | Place::Own | Place::OthersOwn => "workspace",
    };
    ContainerTag::new("container", tag).unwrap()
}

fn agent(name: &str) -> AgentId {
    AgentId::new("agent", name).unwrap()
}

fn partition(place: Place) -> Partition {
    let (plane, owner) = match place {
        Place::Shared | Place::OtherContainer => (Plane::Task, "writer"),
        Place::Own => (Plane::Working, "writer"),
        Place::OthersShared => (Plane::Task, "other"),
        Place::OthersOwn => (Plane::Working, "other"),
    };
    let owner = Owner::Agent(agent(owner));
    let labels = Labels::default();
    Partition::stored(container(place), plane, MemoryScope::User, owner, labels)
}

fn reader(who: Reader) -> EffectiveIdentity {
    use Capability::{Admin, CourtroomRead, Recall, Review};
    let (name, capabilities, place) = match who {
        Reader::Writer => ("writer", vec![CourtroomRead], Place::Shared),
        Reader::OtherAgent => ("other", vec![CourtroomRead], Place::Shared),
        Reader::Reviewer => ("writer", vec![CourtroomRead, Review], Place::Shared),
        Reader::Operator => ("operator", vec![Admin], Place::Shared),
        Reader::NoCapability => ("writer", vec![Recall], Place::Shared),
        Reader::OtherContainer => ("writer", vec![CourtroomRead], Place::OtherContainer),
    };
    let principal = Principal {
        key: key(1),
        kind: PrincipalKind::Agent,
        containers: ContainerGrant::All,
        capabilities: Capabilities::of(capabilities.iter().copied()),
        source_app: None,
        agent: Some(agent(name)),
        agent_scope: AgentScope::Own,
        class: SourceClass::UserStatement,
        ceiling: SourceClass::UserStatement,
        labels: Labels::default(),
        expires_at: None,
    };
    let claim = Claim::default();
    let acts = principal.act(&container(place), capabilities[0], &claim, day(0));
    acts.unwrap().0
}

fn class(word: &str) -> SourceClass {
    SourceClass::parse("class", word).unwrap()
}

fn memory(row: &Row, number: usize, exhibits: usize) -> Memory {
    let drawn_from = match &row.drawn_from {
        Some(listed) => listed.clone(),
        None => (0..exhibits.min(1)).collect(),
    };
    let review = row.review.as_ref();
    Memory {
        id: MemoryId::from_uuid(uuid(2, number)),
        fact: FactId::from_uuid(uuid(3, row.fact)),
        revision: row.revision,
        content: Redacted::attest(row.text.as_str()),
        kind: MemoryKind::parse("kind", &row.kind).unwrap(),
        slot: row.slot.as_ref().map(|slot| read_slot(row, slot)),
        entities: Vec::new(),
        speaker: None,
        partition: partition(row.place),
        class: class(&row.class),
        source: SourceLabel::new("source", "api").unwrap(),
        source_app: None,
        tags: Vec::new(),
        custom_id: None,
        state: State::parse("state", &row.state).unwrap(),
        approved: row.approved,
        review: review.map(|word| ReviewNeed::parse("review", word).unwrap()),
        contested: row.contested,
        origins: row.origins,
        reasons: row
            .reasons
            .iter()
            .map(|word| Reason::parse("reasons", word).unwrap())
            .collect(),
        evidence: drawn_from.into_iter().map(evidence_id).collect(),
        observed_at: day(row.said),
        created_at: day(row.said),
        validity: Validity {
            from: row.from.map(day),
            until: row.until.map(day),
        },
        expires_at: row.expires.map(day),
    }
}

fn read_slot(row: &Row, [subject, attribute, scope, value]: &[String; 4]) -> Slot {
    Slot {
        key: SlotKey {
            subject: subject.clone(),
            attribute: attribute.clone(),
            scope: scope.clone(),
        },
        value: value.clone(),
        unit: row.unit.clone(),
        negated: row.negated,
    }
}

fn evidence_id(number: usize) -> EvidenceId {
    EvidenceId::from_uuid(uuid(4, number))
}

fn origin(exhibit: &Exhibit) -> Origin {
    Origin {
        key: key(exhibit.key),
        agent: exhibit.agent.as_deref().map(agent),
        run: exhibit
            .run
            .as_deref()
            .map(|run| RunId::new("run", run).unwrap()),
        source: exhibit
            .source
            .as_deref()
            .map(|source| SourceRef::new("source", source).unwrap()),
        class: class(&exhibit.class),
        echo: exhibit.echo,
    }
}

fn evidence(exhibit: &Exhibit, number: usize) -> Evidence {
    Evidence {
        id: evidence_id(number),
        partition: partition(exhibit.place),
        origin: origin(exhibit),
        label: SourceLabel::new("source", "api").unwrap(),
        text: Redacted::attest(exhibit.text.as_str()),
        observed_at: day(exhibit.said),
        recorded_at: day(exhibit.said),
    }
}

fn support(exhibit: &Exhibit, number: usize, memory: MemoryId) -> Support {
    let mut origin = origin(exhibit);
    if let Some(word) = &exhibit.link_class {
        origin.class = class(word);
    }
    origin.echo |= exhibit.link_echo;
    Support {
        memory,
        evidence: evidence_id(number),
        polarity: Polarity::parse("says", &exhibit.says).unwrap(),
        origin,
    }
}

fn past(entry: &Past) -> HistoryEntry {
    HistoryEntry {
        at: day(entry.at),
        actor: ActorKind::parse("actor", &entry.actor).unwrap(),
        event: Event::parse("event", &entry.event).unwrap(),
        reason: entry
            .reason
            .as_ref()
            .map(|word| Reason::parse("reason", word).unwrap()),
    }
}

fn opinion(ai: &Ai) -> AiOpinion {
    AiOpinion {
        verdict: ai.verdict.clone(),
        recommended_action: ai.action.clone(),
        confidence: ai.confidence.unwrap_or(f64::NAN),
        rationale: ai.rationale.clone(),
        provider: "local".to_owned(),
        model: "judge-1".to_owned(),
    }
}

fn comparison((outcome, text): &(String, String)) -> Comparison {
    let outcome = BankOutcome::parse("outcome", outcome).unwrap();
    Comparison {
        bank: "elsewhere".to_owned(),
        outcome,
        statements: vec![BankStatement {
            id: "m-1".to_owned(),
            text: text.clone(),
            outcome,
            observed_at: Some(day(-3)),
        }],
        left_out: 0,
        compared_at: day(-1),
    }
}

fn judgment<'a>(ai: Option<&Ai>, opinion: Option<&'a AiOpinion>) -> Judgment<'a> {
    match (ai.map(|ai| ai.status.as_str()), opinion) {
        (Some("cached"), Some(opinion)) => Judgment::Cached(opinion),
        (Some("generated"), Some(opinion)) => Judgment::Generated(opinion),
        (Some("refreshed"), Some(opinion)) => Judgment::Refreshed(opinion),
        (Some("unavailable"), _) => Judgment::Unavailable,
        (None, _) => Judgment::Omitted,
        (status, _) => panic!("unknown status {status:?}"),
    }
}

fn rows(rows: &[Row], first: usize) -> Vec<Memory> {
    let numbered = rows.iter().enumerate();
    numbered
        .map(|(index, row)| memory(row, first + index, 0))
        .collect()
}

/// Hears the case.
pub(crate) fn hear(case: &Case) -> Result<CaseReport, NoCase> {
    hear_with(case, &redactor)
}

/// Hears the case with another redactor.
pub(crate) fn hear_with(
    case: &Case,
    redact: &dyn Fn(&str) -> Redacted,
) -> Result<CaseReport, NoCase> {
    let own = memory(&case.memory, 0, case.evidence.len());
    let numbered = || case.evidence.iter().enumerate();
    let shelf: Vec<Evidence> = numbered().map(|(n, one)| evidence(one, n)).collect();
    let instructing: Vec<EvidenceId> = numbered()
        .filter(|(_, one)| one.instructs)
        .map(|(n, one)| evidence(one, n).id)
        .collect();
    let supports: Vec<Support> = numbered().map(|(n, one)| support(one, n, own.id)).collect();
    let (rivals, revisions) = (rows(&case.rivals, 100), rows(&case.revisions, 200));
    let history: Vec<HistoryEntry> = case.history.iter().flatten().map(past).collect();
    let opinion = case.ai.as_ref().map(opinion);
    let comparisons: Vec<Comparison> = case.banks.iter().map(comparison).collect();
    let readable = |what: &str| !case.unreadable.iter().any(|word| word == what);
    let file = CaseFile {
        memory: &own,
        supports: &supports,
        evidence: readable("evidence").then_some(shelf.as_slice()),
        instructing: &instructing,
        rivals: &rivals,
        revisions: &revisions,
        history: readable("history").then_some(history.as_slice()),
        reader: &reader(case.reader),
        now: day(0),
        query: case.query.as_deref(),
        judgment: judgment(case.ai.as_ref(), opinion.as_ref()),
        comparisons: &comparisons,
    };
    examine(&file, redact)
}

/// Reads every case of a folder of JSONL files.
pub(crate) fn cases() -> Vec<Case> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/courtroom");
    let files = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    paths.sort();
    paths.iter().flat_map(|path| read(path)).collect()
}

#[expect(clippy::disallowed_methods, reason = "tests read their fixtures")]
fn read(path: &std::path::Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}
