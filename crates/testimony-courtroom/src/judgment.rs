//! The join with an AI judge: whatever it says, the final verdict is the stricter of the two.

use testimony_domain::{Confidence, Redacted, Verdict, words};

use crate::{AiOpinion, Bounds, Judgment, Pen};

words! {
    /// What became of the AI judgment.
    pub enum AiStatus {
        /// It was kept from earlier.
        Cached = "cached",
        /// It was given just now.
        Generated = "generated",
        /// The judge could not be reached, or its verdict could not be read.
        Unavailable = "unavailable",
        /// Nobody asked for one.
        Omitted = "omitted",
    }
}

words! {
    /// Where the AI judgment came from, as the cache saw it.
    pub enum CacheStatus {
        /// From the cache.
        Hit = "hit",
        /// Not from the cache.
        Miss = "miss",
        /// It took the place of one in the cache.
        Refreshed = "refreshed",
        /// The cache was not asked.
        NotRequested = "not_requested",
    }
}

words! {
    /// What to do with a memory, least strict first: `max` is the stricter.
    pub enum RecommendedAction {
        /// Use it.
        Use = "use",
        /// Use it and say how far it goes.
        UseWithCare = "use_with_care",
        /// Look for more that speaks for or against it.
        CollectMoreEvidence = "collect_more_evidence",
        /// Decide which side of the conflict holds.
        ResolveConflict = "resolve_conflict",
        /// Have a person look at it.
        RequestReview = "request_review",
        /// Keep it out.
        Exclude = "exclude",
    }
}

words! {
    /// A rule by which the service corrected what an AI judge said.
    pub enum Override {
        /// The judge was less strict than the tables.
        DeterministicStricter = "deterministic_stricter_than_ai",
        /// The judge's verdict is no word that is known.
        VerdictUnreadable = "ai_verdict_unreadable",
        /// The judge would do something that is unknown or does not fit the final verdict.
        ActionReplaced = "ai_action_replaced",
        /// The judge's confidence is no number from 0 to 1.
        ConfidenceUnreadable = "ai_confidence_unreadable",
        /// The judge's words held what had to be taken out.
        RationaleRedacted = "ai_rationale_redacted",
        /// The judge's words were too long.
        RationaleShortened = "ai_rationale_shortened",
    }
}

/// One correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuardrailOverride {
    /// The rule.
    pub rule: Override,
    /// Whether it set the judge's verdict aside for a stricter one.
    pub ai_verdict_downgraded: bool,
}

/// The AI judgment as a report shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct AiJudgment {
    /// What became of it.
    pub status: AiStatus,
    /// Its verdict, where it could be read.
    pub ai_verdict: Option<Verdict>,
    /// What it would do, where that could be read.
    pub recommended_action: Option<RecommendedAction>,
    /// How sure it says it is, where that is a number from 0 to 1.
    pub confidence: Option<Confidence>,
    /// Why.
    pub rationale: Redacted,
    /// Who runs the judge.
    pub provider: Option<Redacted>,
    /// Which model it is.
    pub model: Option<Redacted>,
    /// Where it came from.
    pub cache: CacheStatus,
}

/// Other spellings that judges use for the verdicts.
const VERDICT_SPELLINGS: &[(&str, Verdict)] = &[
    ("trusted", Verdict::Trusted),
    ("trust", Verdict::Trusted),
    ("caution", Verdict::Caution),
    ("use_with_caution", Verdict::Caution),
    ("needs_review", Verdict::NeedsReview),
    ("review", Verdict::NeedsReview),
    ("rejected", Verdict::Rejected),
    ("reject", Verdict::Rejected),
    ("blocked", Verdict::Rejected),
    ("untrusted", Verdict::Rejected),
];

/// The least and the most strict action that fits each verdict.
const FITTING_ACTIONS: [(Verdict, RecommendedAction, RecommendedAction); Verdict::ALL.len()] = [
    (
        Verdict::Trusted,
        RecommendedAction::Use,
        RecommendedAction::Use,
    ),
    (
        Verdict::Caution,
        RecommendedAction::UseWithCare,
        RecommendedAction::CollectMoreEvidence,
    ),
    (
        Verdict::NeedsReview,
        RecommendedAction::CollectMoreEvidence,
        RecommendedAction::RequestReview,
    ),
    (
        Verdict::Rejected,
        RecommendedAction::Exclude,
        RecommendedAction::Exclude,
    ),
];

impl RecommendedAction {
    /// The nearest action that fits a verdict.
    #[must_use]
    pub fn fitted_to(self, verdict: Verdict) -> Self {
        let row = FITTING_ACTIONS.iter().find(|(of, _, _)| *of == verdict);
        row.map_or(Self::Exclude, |(_, least, most)| self.clamp(*least, *most))
    }
}

/// What the join of tables and judge gives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Joined {
    pub(crate) ai: AiJudgment,
    pub(crate) verdict: Verdict,
    pub(crate) action: RecommendedAction,
    pub(crate) overrides: Vec<GuardrailOverride>,
}

/// The final verdict: the stricter of the tables' and the judge's.
#[must_use]
pub fn join(deterministic: Verdict, ai: Option<Verdict>) -> Verdict {
    ai.map_or(deterministic, |ai| deterministic.stricter(ai))
}

pub(crate) fn join_judgment(
    deterministic: Verdict,
    action: RecommendedAction,
    judgment: &Judgment<'_>,
    pen: &Pen<'_>,
) -> Joined {
    let ai = read(judgment, pen);
    let verdict = join(deterministic, ai.ai_verdict);
    let strictest = ai
        .recommended_action
        .map_or(action, |wanted| action.max(wanted));
    let action = strictest.fitted_to(verdict);
    let overrides = opinion_of(judgment)
        .map(|opinion| overrides(opinion, &ai, (deterministic, action), pen))
        .unwrap_or_default();
    Joined {
        ai,
        verdict,
        action,
        overrides,
    }
}

const fn opinion_of<'a>(judgment: &Judgment<'a>) -> Option<&'a AiOpinion> {
    match judgment {
        Judgment::Omitted | Judgment::Unavailable => None,
        Judgment::Cached(opinion) | Judgment::Generated(opinion) | Judgment::Refreshed(opinion) => {
            Some(opinion)
        }
    }
}

const fn statuses(judgment: &Judgment<'_>) -> (AiStatus, CacheStatus) {
    match judgment {
        Judgment::Omitted => (AiStatus::Omitted, CacheStatus::NotRequested),
        Judgment::Unavailable => (AiStatus::Unavailable, CacheStatus::Miss),
        Judgment::Cached(_) => (AiStatus::Cached, CacheStatus::Hit),
        Judgment::Generated(_) => (AiStatus::Generated, CacheStatus::Miss),
        Judgment::Refreshed(_) => (AiStatus::Generated, CacheStatus::Refreshed),
    }
}

fn read(judgment: &Judgment<'_>, pen: &Pen<'_>) -> AiJudgment {
    let (status, cache) = statuses(judgment);
    let opinion = opinion_of(judgment);
    let ai_verdict = opinion.and_then(AiOpinion::read_verdict);
    // What has no verdict is no judgment, so nothing of it is one.
    let (status, cache) = match (opinion, ai_verdict) {
        (Some(_), None) => statuses(&Judgment::Unavailable),
        (Some(_), Some(_)) | (None, _) => (status, cache),
    };
    let judged = opinion.filter(|_| ai_verdict.is_some());
    let name = |name: &str| pen.write(name, Bounds::NAME);
    AiJudgment {
        status,
        ai_verdict,
        recommended_action: judged.and_then(|opinion| read_action(&opinion.recommended_action)),
        confidence: judged.and_then(|opinion| read_confidence(opinion.confidence)),
        rationale: judged
            .map(|opinion| pen.write(&opinion.rationale, Bounds::RATIONALE))
            .unwrap_or_default(),
        provider: opinion.map(|opinion| name(&opinion.provider)),
        model: opinion.map(|opinion| name(&opinion.model)),
        cache,
    }
}

/// Lower case, with one underscore for whatever stands between words.
fn folded(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_").to_lowercase()
}

impl AiOpinion {
    /// Its verdict, read leniently; `None` where it is no known word, so that there is no judgment.
    #[must_use]
    pub fn read_verdict(&self) -> Option<Verdict> {
        let folded = folded(&self.verdict);
        let row = VERDICT_SPELLINGS
            .iter()
            .find(|(spelling, _)| *spelling == folded);
        row.map(|(_, verdict)| *verdict)
    }
}

fn read_action(text: &str) -> Option<RecommendedAction> {
    RecommendedAction::parse("recommended_action", &folded(text)).ok()
}

fn read_confidence(value: f64) -> Option<Confidence> {
    Confidence::new("confidence", value).ok()
}

fn overrides(
    opinion: &AiOpinion,
    ai: &AiJudgment,
    (deterministic, action): (Verdict, RecommendedAction),
    pen: &Pen<'_>,
) -> Vec<GuardrailOverride> {
    // What has no verdict is not corrected any further.
    let Some(verdict) = ai.ai_verdict else {
        return vec![GuardrailOverride {
            rule: Override::VerdictUnreadable,
            ai_verdict_downgraded: false,
        }];
    };
    let downgraded = verdict < deterministic;
    let redacted = pen.clean(&opinion.rationale);
    let longer = redacted.as_str().chars().nth(Bounds::RATIONALE).is_some();
    let holds = |rule| match rule {
        Override::DeterministicStricter => downgraded,
        Override::VerdictUnreadable => false,
        Override::ActionReplaced => ai.recommended_action != Some(action),
        Override::ConfidenceUnreadable => ai.confidence.is_none(),
        Override::RationaleRedacted => redacted.as_str() != opinion.rationale,
        Override::RationaleShortened => longer,
    };
    let rules = Override::ALL.iter().copied().filter(|rule| holds(*rule));
    rules
        .map(|rule| GuardrailOverride {
            rule,
            ai_verdict_downgraded: downgraded && rule == Override::DeterministicStricter,
        })
        .collect()
}
