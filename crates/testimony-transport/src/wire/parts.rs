//! What answers have in common, as shapes: rows, reasons, diagnostics, notes.

use testimony_courtroom::RecommendedAction;
use testimony_domain::{
    AgentScope, CaseId, DroppedClaim, EvidenceId, FactId, MemoryId, MemoryKind, MemoryScope, Plane,
    Reason, SourceClass, TrustBucket, TrustPolicy, Verdict,
};
use testimony_recall::diagnostics::{AnswerMatch, Signal, SourceHealth};
use testimony_recall::query::ProfileIntent;
use testimony_recall::{Channel, FallbackReason, QuestionKind, Stage, View};
use testimony_service::ModelFailure;
use testimony_service::models::DroppedSentence;
use testimony_service::read::{AnswerMode, HelpStatus, SynthesisStatus};

use super::fault::Notice;
use super::shape::{Member, Shape};

use Shape::{Flag, Groups, Id, List, Map, Maybe, Named, Number, Object, Text, Time, Whole, Word};

pub(crate) const MEMORY: Shape = Id(MemoryId::PREFIX);
pub(crate) const EVIDENCE: Shape = Id(EvidenceId::PREFIX);
pub(crate) const CASE: Shape = Id(CaseId::PREFIX);
pub(crate) const FACT: Shape = Id(FactId::PREFIX);
pub(crate) const TEXTS: Shape = List(&Text);

/// The states of memories as callers see them.
pub const STATES: &[&str] = &[
    "active",
    "pending",
    "quarantined",
    "forensic",
    "superseded",
    "expired",
    "rejected",
    "erased",
];

/// Where a row can be held back: the stages of recall, and the packet that has room for so much.
const STAGES_AND_PACKET: &[&str] = &[
    "identity",
    "scope",
    "request_filters",
    "lifecycle",
    "time",
    "view",
    "trust_policy",
    "review",
    "conflict",
    "added_gates",
    "relevance",
    "answer",
    "duplicates",
    "limit",
    "packet",
];

/// A reason.
pub const REASON: Shape = Named(
    "Reason",
    &Object(&[
        Member::new(
            "code",
            Word(Reason::WORDS),
            "The reason, in a word that does not change.",
        ),
        Member::new("sentence", Text, "What it means."),
    ]),
);
pub(crate) const REASONS: Shape = List(&REASON);

/// What every answer says of a memory.
pub(crate) const SAID_OF: &[Member] = &[
    Member::new("id", MEMORY, "The memory, in this revision."),
    Member::new("fact_id", FACT, "The fact that its revisions share."),
    Member::new("revision", Whole, "Which revision of the fact it is."),
    Member::new("custom_id", Maybe(&Text), "The caller's own id of it."),
    Member::new("content", Text, "What it says; secrets are redacted."),
    Member::new(
        "memory_type",
        Word(MemoryKind::WORDS),
        "What kind of memory it is.",
    ),
    Member::new("memory_plane", Word(Plane::WORDS), "Its plane."),
    Member::new("memory_scope", Word(MemoryScope::WORDS), "Its scope."),
    Member::new("lifecycle_state", Word(STATES), "How it stands."),
    Member::new("source", Text, "Where it came from, in the caller's words."),
    Member::new("source_app", Maybe(&Text), "The application that wrote it."),
    Member::new(
        "source_class",
        Word(SourceClass::WORDS),
        "Whose word it is.",
    ),
    Member::new("speaker", Maybe(&Text), "Who said it."),
    Member::new("tags", TEXTS, "How it is filed."),
    Member::new("observed_at", Time, "When it was said."),
    Member::new("created_at", Time, "When it was kept."),
    Member::new("expires_at", Maybe(&Time), "When it expires."),
];

pub(crate) const BUCKET: Member = Member::new(
    "trust_bucket",
    Word(TrustBucket::WORDS),
    "How far it can be relied on.",
);
pub(crate) const CASE_URL: Member = Member::new(
    "courtroom_url",
    Text,
    "Where its case report is, relative to this service.",
);
const ANSWER_MATCH: Member = Member::new(
    "answer_match_type",
    Word(AnswerMatch::WORDS),
    "What it is to the question.",
);
const DIRECT: Member = Member::new("direct_answer", Flag, "Whether it answers.");
const RELEVANCE: Member = Member::new(
    "relevance_score",
    Number,
    "How relevant it is, from 0 to 1.",
);
const FLOOR: Member = Member::new(
    "min_relevance_threshold",
    Number,
    "The floor that had to be cleared.",
);
const POLICY_APPLIED: Member = Member::new(
    "trust_policy_applied",
    Word(TrustPolicy::WORDS),
    "The policy that held.",
);

/// Why a row was recalled.
pub(crate) const WHY: Shape = Named(
    "WhyRecalled",
    &Object(&[
        Member::new(
            "signals",
            List(&Word(Signal::WORDS)),
            "Everything that speaks for it.",
        ),
        Member::new(
            "relevance_signals",
            List(&Word(Signal::WORDS)),
            "What makes it relevant.",
        ),
        RELEVANCE,
        ANSWER_MATCH,
        DIRECT,
        FLOOR,
        Member::new(
            "current_state_only",
            Flag,
            "Whether only its currentness speaks for it.",
        ),
        Member::new(
            "lexical_overlap",
            Number,
            "The weighted share of the question's words that it holds.",
        ),
        Member::new(
            "entity_hits",
            Whole,
            "How many names of the question it is about.",
        ),
        Member::new(
            "profile_hits",
            Whole,
            "How many signs it has of being about the person who asks.",
        ),
        POLICY_APPLIED,
        Member::new("scope", Word(MemoryScope::WORDS), "Its scope."),
    ]),
);

/// What a row that was recalled says beside the memory.
const FOUND: &[Member] = &[
    Member::new("score", Number, "By what it is ordered, from 0 to 1."),
    RELEVANCE,
    Member::new(
        "answer_relevance_score",
        Number,
        "How well it answers, from 0 to 1.",
    ),
    ANSWER_MATCH,
    DIRECT,
    BUCKET,
    Member::new("marked", Maybe(&REASON), "Why it is to be read with care."),
    Member::new("why_recalled", WHY, "Why it is there."),
    CASE_URL.at_times(),
    Member::new(
        "trust_verdict",
        Word(Verdict::WORDS),
        "The verdict, where a trust report was asked for.",
    )
    .at_times(),
    Member::new(
        "trust_action",
        Word(RecommendedAction::WORDS),
        "What to do with it, where a trust report was asked for.",
    )
    .at_times(),
    Member::new(
        "trust_reasons",
        REASONS,
        "What the verdict rests on, where a trust report was asked for.",
    )
    .at_times(),
];

/// A row of an answer.
pub(crate) const RECALLED: Shape = Named("RecallResult", &Groups(&[SAID_OF, FOUND]));

/// A row that has to be confirmed first.
pub(crate) const UNCONFIRMED: Shape = Named(
    "NeedsConfirmation",
    &Groups(&[
        SAID_OF,
        FOUND,
        &[
            Member::new("reason", REASON, "Why it has to be confirmed."),
            Member::new("stage", Word(Stage::WORDS), "Where it was held back."),
        ],
    ]),
);

/// A row that was held back.
pub(crate) const SUPPRESSED: Shape = Named(
    "Suppressed",
    &Object(&[
        Member::new("id", MEMORY, "Which."),
        Member::new("reason", REASON, "Why."),
        Member::new("stage", Word(STAGES_AND_PACKET), "Where."),
        Member::new(
            "gate",
            Maybe(&Text),
            "Which added gate, where one of them did.",
        )
        .at_times(),
    ]),
);

/// The counts of a reading.
const COUNTS: &[Member] = &[
    Member::new(
        "cross_agent_candidates_suppressed",
        Whole,
        "1 where a foreign identity was claimed and dropped, else 0.",
    ),
    Member::new(
        "strict_suppressed_count",
        Whole,
        "Rows that the strict policy held back.",
    ),
    Member::new(
        "balanced_caution_count",
        Whole,
        "Rows that were let through with a mark.",
    ),
    Member::new(
        "semantic_count",
        Whole,
        "Eligible rows for which meaning speaks.",
    ),
    Member::new(
        "keyword_count",
        Whole,
        "Eligible rows for which indexed words speak.",
    ),
    Member::new(
        "entity_count",
        Whole,
        "Eligible rows for which things spoken of speak.",
    ),
    Member::new(
        "profile_count",
        Whole,
        "Eligible rows for which the profile speaks.",
    ),
    Member::new(
        "lexical_count",
        Whole,
        "Eligible rows for which their own words speak.",
    ),
    Member::new(
        "entity_hits_merged",
        Whole,
        "Names of the question found in eligible rows, all together.",
    ),
    Member::new(
        "entity_signal_promoted_count",
        Whole,
        "Rows that clear the floor only because of things spoken of.",
    ),
    Member::new(
        "single_signal_keyword_suppressed_count",
        Whole,
        "Rows with the keyword channel alone and hardly a word of the question.",
    ),
    Member::new(
        "stale_suppressed_count",
        Whole,
        "Rows that are over while the question is about now.",
    ),
    Member::new(
        "weak_lexical_suppressed_count",
        Whole,
        "Rows with only a few common words of the question.",
    ),
    Member::new(
        "weak_keyword_suppressed_count",
        Whole,
        "Rows with the keyword channel alone and no word of the question.",
    ),
    Member::new(
        "direct_answer_count",
        Whole,
        "Rows that answer, before the limit.",
    ),
    Member::new(
        "supporting_context_count",
        Whole,
        "Rows of `related_context` about the right subject.",
    ),
    Member::new(
        "tangential_context_count",
        Whole,
        "Rows of `related_context` about another circumstance.",
    ),
    Member::new(
        "tangential_suppressed_count",
        Whole,
        "Relevant rows that do not answer and are not shown.",
    ),
];

/// How a reading came to its answer.
const FINDINGS: &[Member] = &[
    Member::new(
        "candidate_sources",
        List(&Word(Channel::WORDS)),
        "Channels that found a row which the caller may see.",
    ),
    POLICY_APPLIED,
    Member::new(
        "current_state_only_top1",
        Flag,
        "Whether only its currentness speaks for the best row.",
    ),
    Member::new(
        "fallback_reason",
        Maybe(&Word(FallbackReason::WORDS)),
        "Why there is no result.",
    ),
    Member::new("abstained", Flag, "Whether there is no result."),
    FLOOR,
    Member::new(
        "source_health_status",
        Word(SourceHealth::WORDS),
        "How the sources of candidates are.",
    ),
    Member::new(
        "profile_intent_detected",
        Word(ProfileIntent::WORDS),
        "Whether the question is about the person who asks.",
    ),
    Member::new(
        "scope_filter_stage_counts",
        List(&Named(
            "StageCount",
            &Object(&[
                Member::new("stage", Word(Stage::WORDS), "The stage."),
                Member::new("passed", Whole, "Rows that went on."),
                Member::new("removed", Whole, "Rows that ended here."),
            ]),
        )),
        "What every stage let pass and removed.",
    ),
    Member::new(
        "algorithm_version",
        Text,
        "The version of weights and rules.",
    ),
    Member::new(
        "question_kind",
        Word(QuestionKind::WORDS),
        "What is asked for.",
    ),
    Member::new(
        "time_intent",
        Text,
        "The time that counted: `current`, `historical`, `any`, or `as_of:` and an instant.",
    ),
    Member::new("view_applied", Word(View::WORDS), "The view that counted."),
];

const FIELDS: Shape = List(&Named(
    "IdleField",
    &Object(&[
        Member::new("field", Text, "The field."),
        Member::new("reason", Text, "Why nothing comes of it."),
    ]),
));

/// Fields of the request that came and count for nothing.
pub(crate) const IDLE: &[Member] = &[
    Member::new("ignored_fields", FIELDS, "Fields that came and do nothing."),
    Member::new(
        "recorded_only_fields",
        FIELDS,
        "Fields that came and are only kept with the evidence.",
    ),
];

/// What was worth a word.
pub(crate) const WARNINGS: Member = Member::new(
    "warnings",
    List(&Named(
        "Warning",
        &Object(&[
            Member::new("code", Word(Notice::WORDS), "What kind."),
            Member::new("pointer", Text, "Where in the request: a JSON pointer."),
            Member::new("detail", Text, "What."),
        ]),
    )),
    "What is worth a word: unknown fields, and fields that do not do what their sender may think.",
);

/// How a recall came to its answer.
pub(crate) const RECALL_DIAGNOSTICS: Shape = Named(
    "RecallDiagnostics",
    &Groups(&[FINDINGS, COUNTS, IDLE, AIDS]),
);

/// What helped a recall, and what could not.
const AIDS: &[Member] = &[
    Member::new(
        "rewrite_status",
        Word(HelpStatus::WORDS),
        "Whether a model put the query into other words.",
    ),
    Member::new(
        "rewrite_failure",
        Maybe(&Word(ModelFailure::WORDS)),
        "Why it did not.",
    ),
    Member::new(
        "rerank_status",
        Word(HelpStatus::WORDS),
        "Whether the results were ordered anew.",
    ),
    Member::new(
        "rerank_failure",
        Maybe(&Word(ModelFailure::WORDS)),
        "Why they were not.",
    ),
    Member::new(
        "reranking_backend",
        Maybe(&Text),
        "By what they were to be ordered.",
    ),
];

/// How a packet came to be.
pub(crate) const CONTEXT_DIAGNOSTICS: Shape = Named(
    "ContextDiagnostics",
    &Groups(&[
        FINDINGS,
        COUNTS,
        IDLE,
        &[
            Member::new(
                "why_recalled",
                Map(&WHY),
                "Why each row of the packet is there, by its id.",
            ),
            Member::new(
                "algorithm_fallback_reason",
                Maybe(&Word(SourceHealth::WORDS)),
                "Which part could not be asked, where one could not.",
            ),
        ],
    ]),
);

/// How a reply came to be.
pub(crate) const REFLECT_DIAGNOSTICS: Shape = Named(
    "ReflectDiagnostics",
    &Groups(&[
        FINDINGS,
        COUNTS,
        IDLE,
        &[
            Member::new(
                "degraded",
                Flag,
                "Whether something that should have helped could not.",
            ),
            Member::new(
                "synthesis_status",
                Word(SynthesisStatus::WORDS),
                "Whether a model phrased the reply.",
            ),
            Member::new(
                "synthesis_failure",
                Maybe(&Word(ModelFailure::WORDS)),
                "Why it was to be phrased and quotes; `null` where it does not.",
            ),
            Member::new(
                "fallback",
                Maybe(&Word(&["extractive"])),
                "What stands in place of a phrased reply.",
            ),
            Member::new(
                "dropped_sentences",
                List(&Named(
                    "DroppedSentences",
                    &Object(&[
                        Member::new("reason", Word(DroppedSentence::WORDS), "Why."),
                        Member::new("count", Whole, "How many."),
                    ]),
                )),
                "Sentences of the model that do not stand in what they cite.",
            ),
            Member::new(
                "reply_redacted",
                Flag,
                "Whether something had to be taken out of what the model wrote.",
            ),
            Member::new(
                "context_rewritten",
                Flag,
                "Whether a model worded `context` anew.",
            ),
            Member::new(
                "answer_mode_applied",
                Word(AnswerMode::WORDS),
                "How it was answered.",
            ),
        ],
    ]),
);

/// Whose word counted.
pub(crate) const IDENTITY: Shape = Named(
    "EffectiveIdentity",
    &Object(&[
        Member::new(
            "source_app",
            Maybe(&Text),
            "The application that the key is bound to.",
        ),
        Member::new(
            "agent_id",
            Maybe(&Text),
            "The agent that the key is bound to.",
        ),
        Member::new(
            "agent_scope",
            Word(AgentScope::WORDS),
            "How far the agent sees.",
        ),
    ]),
);

/// What was claimed in vain.
pub(crate) const DROPPED: Shape = List(&Word(DroppedClaim::WORDS));

/// What is wrong with one value.
pub(crate) const FAULTS: Shape = List(&Named(
    "Fault",
    &Object(&[
        Member::new("pointer", Text, "Where: a JSON pointer into the request."),
        Member::new("detail", Text, "What is wrong, and what to send instead."),
    ]),
));

#[cfg(test)]
mod tests {
    use super::*;
    use testimony_domain::State;

    #[test]
    fn lists_that_are_written_out_follow_their_tables() {
        for state in State::ALL {
            assert!(STATES.contains(&state.public_name()), "{state}");
        }
        let stages: Vec<&str> = Stage::WORDS.iter().copied().chain(["packet"]).collect();
        assert_eq!(STAGES_AND_PACKET, stages);
    }
}
