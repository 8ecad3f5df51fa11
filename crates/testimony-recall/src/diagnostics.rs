//! Everything an answer says about how it came to be: per row, and for the whole request.
//!
//! Every count is over rows that exist for the caller. Rows outside its scope are in [`Audit`] alone, which goes to the
//! audit trail and to operators.

use testimony_domain::{Reason, Score, TrustPolicy, words};

use crate::candidate::Channel;
use crate::gates::Stage;
use crate::query::{ProfileIntent, QuestionKind};
use crate::request::{TimeIntent, View};

words! {
    /// What a row is to the question.
    pub enum AnswerMatch {
        /// It answers.
        DirectAnswer = "direct_answer",
        /// It stands near and does not answer.
        SupportingContext = "supporting_context",
    }
}

words! {
    /// Why there is no result.
    pub enum FallbackReason {
        /// Rows are relevant and none of them answers.
        NoDirectAnswer = "no_direct_answer_above_threshold",
        /// No row is relevant.
        NoRelevantCandidates = "no_relevant_candidates_above_threshold",
        /// What is relevant is about somebody or something else.
        WrongSubject = "no_candidate_about_the_subject",
        /// What is relevant waits for a person.
        OnlyUnconfirmed = "only_unconfirmed_candidates",
        /// What is relevant is held back by the strict policy.
        HeldByTrustPolicy = "held_by_trust_policy",
    }
}

words! {
    /// How the sources of candidates are.
    pub enum SourceHealth {
        /// Both primary sources answered.
        MultiSignal = "healthy_multi_signal",
        /// The index of meanings could not be asked.
        KeywordOnly = "degraded_keyword_only",
        /// The index of words could not be asked.
        SemanticOnly = "degraded_semantic_only",
        /// Neither could be asked.
        NoPrimarySources = "degraded_no_primary_sources",
    }
}

words! {
    /// What speaks for a row beside its relevance.
    pub enum Signal {
        /// Indexed words.
        Keyword = "keyword",
        /// Meaning.
        Semantic = "semantic",
        /// Things spoken of.
        Entity = "entity",
        /// Relationships.
        Graph = "graph",
        /// The person who asks.
        Profile = "profile",
        /// The words themselves.
        Lexical = "lexical",
        /// What was said just before it.
        SaidBefore = "said_before",
        /// What was said just after it.
        SaidAfter = "said_after",
        /// It took the place of a row that would answer.
        Succession = "succession",
        /// It holds now. A sign of validity, never of relevance.
        CurrentState = "current_state",
        /// The caller asked for it by id.
        Priority = "priority",
        /// It carries a tag that the caller named as context.
        ContextTag = "context_tag",
        /// It is of a kind that the caller named as context.
        ContextType = "context_type",
    }
}

impl From<Channel> for Signal {
    fn from(channel: Channel) -> Self {
        match channel {
            Channel::Keyword => Self::Keyword,
            Channel::Semantic => Self::Semantic,
            Channel::Entity => Self::Entity,
            Channel::Graph => Self::Graph,
            Channel::Profile => Self::Profile,
            Channel::Lexical => Self::Lexical,
            Channel::Before => Self::SaidBefore,
            Channel::After => Self::SaidAfter,
        }
    }
}

/// Why a row was recalled.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyRecalled {
    /// Everything that speaks for it.
    pub signals: Vec<Signal>,
    /// What makes it relevant.
    pub relevance_signals: Vec<Signal>,
    /// How relevant it is.
    pub relevance_score: Score,
    /// What it is to the question.
    pub answer_match_type: AnswerMatch,
    /// Whether it answers.
    pub direct_answer: bool,
    /// The floor that it had to clear.
    pub min_relevance_threshold: Score,
    /// Whether only its currentness speaks for it.
    pub current_state_only: bool,
    /// The weighted share of the question's words that it holds.
    pub lexical_overlap: Score,
    /// How many names and identifiers of the question it is about.
    pub entity_hits: usize,
    /// How many signs it has of being about the person who asks.
    pub profile_hits: usize,
    /// The policy that held.
    pub trust_policy_applied: TrustPolicy,
    /// Its scope.
    pub scope: testimony_domain::MemoryScope,
    /// Why it is marked, when it is.
    pub marked: Option<Reason>,
}

/// How many rows a stage saw pass and removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageCount {
    /// The stage.
    pub stage: Stage,
    /// Rows that went on.
    pub passed: usize,
    /// Rows that ended here; always 0 for stages before which a row does not exist for the caller.
    pub removed: usize,
}

/// How a request came to its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostics {
    /// Channels that found a row which the caller may see.
    pub candidate_sources: Vec<Channel>,
    /// 1 when the request claimed an identity that its credential does not have and that was dropped, else 0.
    pub cross_agent_candidates_suppressed: usize,
    /// The policy that held.
    pub trust_policy_applied: TrustPolicy,
    /// Rows that the strict policy held back.
    pub strict_suppressed_count: usize,
    /// Rows that were let through with a mark, whatever marked them.
    pub balanced_caution_count: usize,
    /// Whether only its currentness speaks for the best row.
    pub current_state_only_top1: bool,
    /// Why there is no result.
    pub fallback_reason: Option<FallbackReason>,
    /// Whether there is no result.
    pub abstained: bool,
    /// The floor: the greater of the system's and the caller's.
    pub min_relevance_threshold: Score,
    /// How the sources of candidates are.
    pub source_health_status: SourceHealth,
    /// Eligible rows for which meaning speaks.
    pub semantic_count: usize,
    /// Eligible rows for which indexed words speak.
    pub keyword_count: usize,
    /// Eligible rows for which things spoken of speak.
    pub entity_count: usize,
    /// Eligible rows for which the profile speaks.
    pub profile_count: usize,
    /// Eligible rows for which their own words speak.
    pub lexical_count: usize,
    /// Names and identifiers of the question found in eligible rows, all together.
    pub entity_hits_merged: usize,
    /// Rows that clear the floor only because of things spoken of.
    pub entity_signal_promoted_count: usize,
    /// Whether the question is about the person who asks.
    pub profile_intent_detected: ProfileIntent,
    /// Rows with the keyword channel alone and hardly a word of the question.
    pub single_signal_keyword_suppressed_count: usize,
    /// Rows that are over while the question is about now, or were not known at the time asked about.
    pub stale_suppressed_count: usize,
    /// Rows with only a few common words of the question and no channel.
    pub weak_lexical_suppressed_count: usize,
    /// Rows with the keyword channel alone and no word of the question.
    pub weak_keyword_suppressed_count: usize,
    /// Rows that answer, before the limit.
    pub direct_answer_count: usize,
    /// Rows of `related_context` about the right subject.
    pub supporting_context_count: usize,
    /// Rows of `related_context` about another circumstance, or against what the question takes for granted.
    pub tangential_context_count: usize,
    /// Relevant rows that do not answer and are not shown: of another subject, or over the limit.
    pub tangential_suppressed_count: usize,
    /// What every stage let pass and removed.
    pub scope_filter_stage_counts: Vec<StageCount>,
    /// The version of weights and rules.
    pub algorithm_version: &'static str,
    /// What the query asks for.
    pub question_kind: QuestionKind,
    /// The time that counted.
    pub time_intent: TimeIntent,
    /// The view that counted; the assistant's where the capability for another is missing.
    pub view_applied: View,
}

/// What only the audit trail and operators learn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Rows of other containers among the candidates. A correct search hands in none.
    pub outside_container: usize,
    /// Rows of the container that the identity may not know of.
    pub outside_scope: usize,
    /// Rows for which a gate failed.
    pub gate_failures: usize,
}
