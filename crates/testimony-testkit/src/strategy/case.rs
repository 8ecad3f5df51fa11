//! Whole cases for a courtroom, with judges that say anything.

use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{BoxedStrategy, Strategy, any, prop_oneof};
use testimony_courtroom::{
    ActorKind, AiOpinion, BankOutcome, BankStatement, CaseFile, Comparison, HistoryEntry, Judgment,
};
use testimony_domain::{
    Capability, EffectiveIdentity, Event, Evidence, EvidenceId, Memory, MemoryScope, Origin,
    Partition, Plane, Reason, SourceClass, State, Support, Validity, Verdict,
};

use super::identity::{identities, identities_with};
use super::memory::{evidence, memories, supports};
use super::one_of;
use super::text::{giant_texts, hostile_texts};
use super::time::{instants, now};

/// How an AI judge came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    /// Not at all.
    Omitted,
    /// It could not be reached.
    Unavailable,
    /// From the cache.
    Cached,
    /// Just now.
    Generated,
    /// Just now, in place of a cached one.
    Refreshed,
}

const JUDGES: &[Judge] = &[
    Judge::Omitted,
    Judge::Unavailable,
    Judge::Cached,
    Judge::Generated,
    Judge::Refreshed,
];

/// A case that owns what a [`CaseFile`] borrows.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedCase {
    /// The memory on trial.
    pub memory: Memory,
    /// Its links to evidence.
    pub supports: Vec<Support>,
    /// The evidence, where it can be read.
    pub evidence: Option<Vec<Evidence>>,
    /// The evidence in which something instructs its reader.
    pub instructing: Vec<EvidenceId>,
    /// Memories that say otherwise.
    pub rivals: Vec<Memory>,
    /// Other revisions.
    pub revisions: Vec<Memory>,
    /// What happened to it, where that can be read.
    pub history: Option<Vec<HistoryEntry>>,
    /// Who reads.
    pub reader: EffectiveIdentity,
    /// The reader's own question.
    pub query: Option<String>,
    /// How the judge came in.
    pub judge: Judge,
    /// What the judge says.
    pub opinion: AiOpinion,
    /// What memory banks said.
    pub comparisons: Vec<Comparison>,
}

impl OwnedCase {
    /// The case as the courtroom takes it.
    #[must_use]
    pub fn file(&self) -> CaseFile<'_> {
        CaseFile {
            memory: &self.memory,
            supports: &self.supports,
            evidence: self.evidence.as_deref(),
            instructing: &self.instructing,
            rivals: &self.rivals,
            revisions: &self.revisions,
            history: self.history.as_deref(),
            reader: &self.reader,
            now: now(),
            query: self.query.as_deref(),
            judgment: match self.judge {
                Judge::Omitted => Judgment::Omitted,
                Judge::Unavailable => Judgment::Unavailable,
                Judge::Cached => Judgment::Cached(&self.opinion),
                Judge::Generated => Judgment::Generated(&self.opinion),
                Judge::Refreshed => Judgment::Refreshed(&self.opinion),
            },
            comparisons: &self.comparisons,
        }
    }
}

/// What a judge may answer where a word of a closed set is expected.
fn answers() -> impl Strategy<Value = String> + Clone {
    let word = one_of(Verdict::WORDS);
    prop_oneof![
        4 => word.clone().prop_map(str::to_owned),
        1 => word.prop_map(|word| format!(" {}!\n", word.to_uppercase())),
        1 => one_of(&["use", "exclude", "collect_more_evidence"]).prop_map(str::to_owned),
        2 => hostile_texts(),
    ]
}

/// Whatever an AI judge may say.
pub fn opinions() -> BoxedStrategy<AiOpinion> {
    let says = (answers(), answers(), any::<f64>());
    (says, giant_texts(), hostile_texts(), hostile_texts())
        .prop_map(
            |((verdict, recommended_action, confidence), rationale, provider, model)| AiOpinion {
                verdict,
                recommended_action,
                confidence,
                rationale,
                provider,
                model,
            },
        )
        .boxed()
}

/// Whatever memory banks may say.
pub fn comparisons() -> impl Strategy<Value = Comparison> + Clone {
    let outcome = one_of(BankOutcome::ALL);
    let words = (hostile_texts(), giant_texts());
    let said = (words, outcome.clone(), option::of(instants()));
    let said = said.prop_map(|((id, text), outcome, observed_at)| BankStatement {
        id,
        text,
        outcome,
        observed_at,
    });
    let says = (vec(said, 0..5), any::<usize>(), instants());
    (hostile_texts(), outcome, says).prop_map(
        |(bank, outcome, (statements, left_out, compared_at))| Comparison {
            bank,
            outcome,
            statements,
            left_out,
            compared_at,
        },
    )
}

/// One line of a history.
pub fn history_entries() -> impl Strategy<Value = HistoryEntry> + Clone {
    let what = (one_of(ActorKind::ALL), one_of(Event::ALL));
    (instants(), what, option::of(one_of(Reason::ALL))).prop_map(|(at, (actor, event), reason)| {
        HistoryEntry {
            at,
            actor,
            event,
            reason,
        }
    })
}

/// Any case.
pub fn cases() -> BoxedStrategy<OwnedCase> {
    let tried = (memories(), identities(), option::of(hostile_texts()));
    let stores = (
        vec(supports(), 0..8),
        option::weighted(0.9, vec((evidence(), weighted(0.3)), 0..8)),
        vec(memories(), 0..4),
        vec(memories(), 0..3),
        option::weighted(0.9, vec(history_entries(), 0..6)),
    );
    let judged = (one_of(JUDGES), opinions(), vec(comparisons(), 0..3));
    (tried, stores, judged)
        .prop_map(|((memory, reader, query), stores, judged)| {
            let (judge, opinion, comparisons) = judged;
            let (supports, evidence, rivals, revisions, history) = stores;
            let instructs = evidence
                .iter()
                .flatten()
                .filter(|(_, instructs)| *instructs);
            OwnedCase {
                memory,
                supports,
                instructing: instructs.map(|(kept, _)| kept.id).collect(),
                evidence: evidence.map(|all| all.into_iter().map(|(kept, _)| kept).collect()),
                rivals,
                revisions,
                history,
                reader,
                query,
                judge,
                opinion,
                comparisons,
            }
        })
        .boxed()
}

/// Cases whose reader may read them: the memory is the reader's own. In half of them it would be trusted, were it not
/// for what speaks against it.
pub fn readable_cases() -> BoxedStrategy<OwnedCase> {
    let place = (one_of(Plane::ALL), one_of(MemoryScope::ALL));
    let reader = identities_with(Capability::CourtroomRead);
    let known = one_of(&[SourceClass::UserStatement, SourceClass::Operator]);
    (cases(), reader, place, option::of(known))
        .prop_map(|(mut case, reader, (plane, scope), known)| {
            let written = Partition::written_by(&reader, plane, scope);
            let placed =
                written.or_else(|_| Partition::written_by(&reader, plane, MemoryScope::User));
            case.memory.partition = placed.unwrap_or(case.memory.partition);
            case.reader = reader;
            match known {
                Some(class) => sound(case, class),
                None => case,
            }
        })
        .boxed()
}

/// The case with a memory that nothing is wrong with, and one good piece of evidence that says so.
fn sound(mut case: OwnedCase, class: SourceClass) -> OwnedCase {
    let id = EvidenceId::from_uuid(uuid::Uuid::from_u128(1_000));
    let witness = Evidence {
        id,
        partition: case.memory.partition.clone(),
        origin: Origin {
            key: case.reader.key(),
            agent: None,
            run: None,
            source: None,
            class,
            echo: false,
        },
        label: case.memory.source.clone(),
        text: case.memory.content.clone(),
        observed_at: case.memory.observed_at,
        recorded_at: case.memory.created_at,
    };
    case.evidence.get_or_insert_default().push(witness);
    case.memory = Memory {
        class,
        state: State::Active,
        approved: false,
        review: None,
        contested: false,
        origins: 1,
        reasons: Vec::new(),
        evidence: vec![id],
        validity: Validity::default(),
        expires_at: None,
        ..case.memory
    };
    case
}
