//! Hearing a judge: one run at a time for each case, its opinion kept by the digest of everything that it was about.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use testimony_courtroom::{AiOpinion, CaseReport, EvidenceStatus, Judgment};
use testimony_domain::{Capability, MemoryId};

use crate::access::Visitor;
use crate::error::ServiceError;
use crate::models::opinion::{case_file, kept, read, written};
use crate::models::{ModelFailure, Question, instructions};
use crate::ports::ledger::Fate;
use crate::ports::ledger::audit::{Actor, Digest};
use crate::ports::ledger::receipts::Judgment as KeptJudgment;
use crate::ports::models::{ModelIdentity, ModelUse};
use crate::service::{RULES_VERSION, Service};

/// After so long it makes sense to ask again for a case that a judge is hearing.
const ASK_AGAIN: Duration = Duration::from_secs(5);
/// How long an opinion may be.
const OPINION_TOKENS: u32 = 700;

/// What became of asking a judge, beside what the report shows of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// Who was to judge, also where nothing of it can be used.
    pub judge: Option<ModelIdentity>,
    /// Why there is no judgment that was asked for, or not a new one where that was.
    pub failure: Option<ModelFailure>,
    /// Whether a new judgment was asked for by somebody who may not.
    pub refresh_ignored: bool,
}

/// An opinion, and where it comes from.
pub(super) enum Opinion {
    Omitted,
    Unavailable,
    Cached(AiOpinion),
    Generated(AiOpinion, Digest),
    Refreshed(AiOpinion, Digest),
}

impl Opinion {
    pub(super) const fn judgment(&self) -> Judgment<'_> {
        match self {
            Self::Omitted => Judgment::Omitted,
            Self::Unavailable => Judgment::Unavailable,
            Self::Cached(opinion) => Judgment::Cached(opinion),
            Self::Generated(opinion, _) => Judgment::Generated(opinion),
            Self::Refreshed(opinion, _) => Judgment::Refreshed(opinion),
        }
    }

    const fn is_there(&self) -> bool {
        match self {
            Self::Omitted | Self::Unavailable => false,
            Self::Cached(_) | Self::Generated(..) | Self::Refreshed(..) => true,
        }
    }

    const fn is_new(&self) -> Option<(&AiOpinion, Digest)> {
        match self {
            Self::Omitted | Self::Unavailable | Self::Cached(_) => None,
            Self::Generated(opinion, about) | Self::Refreshed(opinion, about) => {
                Some((opinion, *about))
            }
        }
    }
}

/// The opinion that stands, and why there is not the one that was asked for.
type Settled = (Opinion, Option<ModelFailure>);

/// What stands once a judge was asked: where it fails, or says what is no verdict, the opinion that was kept stays in
/// force, since the next reader meets it too.
fn settled(
    made: Result<AiOpinion, ModelFailure>,
    known: Option<AiOpinion>,
    about: Digest,
) -> Settled {
    let unread = |made: &AiOpinion| made.read_verdict().is_none();
    match (made, known) {
        (Ok(made), Some(known)) if unread(&made) => {
            (Opinion::Cached(known), Some(ModelFailure::Unreadable))
        }
        (Ok(made), Some(_)) => (Opinion::Refreshed(made, about), None),
        (Ok(made), None) => (Opinion::Generated(made, about), None),
        (Err(failure), Some(known)) => (Opinion::Cached(known), Some(failure)),
        (Err(failure), None) => (Opinion::Unavailable, Some(failure)),
    }
}

/// Which judgment is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) include: bool,
    pub(super) refresh: bool,
}

impl Service {
    /// What a judge says of a case, as its reader may see it.
    pub(super) fn opinion(
        &self,
        visitor: &Visitor,
        report: &CaseReport,
        wanted: Wanted,
    ) -> Result<(Opinion, Heard), ServiceError> {
        let may_refresh = visitor.identity.allows(Capability::Admin);
        let mut heard = Heard {
            refresh_ignored: wanted.refresh && !may_refresh,
            ..Heard::default()
        };
        let refresh = wanted.refresh && may_refresh;
        // A judge is told no more than the reader may know, so of what is kept from the reader there is nothing to say.
        let is_shown = match report.evidence_status {
            EvidenceStatus::Withheld | EvidenceStatus::Erased => false,
            EvidenceStatus::Available | EvidenceStatus::None | EvidenceStatus::Unavailable => true,
        };
        if !is_shown || !(wanted.include || refresh) {
            return Ok((Opinion::Omitted, heard));
        }
        heard.judge = self.model_for(ModelUse::Judge).cloned();
        let (opinion, failure) = self.opinion_of(visitor, report, refresh)?;
        heard.failure = failure;
        Ok((opinion, heard))
    }

    fn opinion_of(
        &self,
        visitor: &Visitor,
        report: &CaseReport,
        refresh: bool,
    ) -> Result<Settled, ServiceError> {
        let none = |failure| Ok((Opinion::Unavailable, Some(failure)));
        let Some(judge) = self.model_for(ModelUse::Judge) else {
            return none(ModelFailure::NotConfigured);
        };
        let file = case_file(report);
        let about = digest_of(report, &file, judge);
        let known = || self.kept_opinion(report.memory_id, about);
        if let Some(opinion) = known().filter(|_| !refresh) {
            return Ok((Opinion::Cached(opinion), None));
        }
        let Some(_seat) = self.in_session.enter(report.memory_id) else {
            return if refresh {
                Err(ServiceError::CaseInSession { wait: ASK_AGAIN })
            } else {
                none(ModelFailure::InProgress)
            };
        };
        // Another run may have ended between the look and the seat.
        let known = known();
        if let Some(opinion) = known.clone().filter(|_| !refresh) {
            return Ok((Opinion::Cached(opinion), None));
        }
        let made = self.ask_judge(visitor, &file, judge);
        Ok(settled(made, known, about))
    }

    fn ask_judge(
        &self,
        visitor: &Visitor,
        file: &str,
        judge: &ModelIdentity,
    ) -> Result<AiOpinion, ModelFailure> {
        let answered = self.ask(&Question {
            purpose: ModelUse::Judge,
            instructions: instructions::JUDGE,
            material: file,
            max_tokens: OPINION_TOKENS,
            temperature: 0.0,
            as_json: true,
        })?;
        let policy = &visitor.container.policy;
        let names = (judge.provider.as_str(), judge.model.as_str());
        read(&answered.text, names, &|text| self.redact(policy, text))
    }

    fn kept_opinion(&self, memory: MemoryId, about: Digest) -> Option<AiOpinion> {
        let reader = self.ledger.reader().ok()?;
        // A judgment that cannot be read is made again.
        let found = reader.judgment(memory, about).ok().flatten()?;
        kept(&found.said)
    }

    /// Keeps an opinion that was given just now, where its verdict is one. A ledger that cannot keep it loses no more
    /// than the next reader's time.
    pub(super) fn keep_opinion(&self, visitor: &Visitor, opinion: &Opinion, report: &CaseReport) {
        let Some((said, about)) = opinion.is_new() else {
            return;
        };
        if is_none(report) {
            return;
        }
        let judgment = KeptJudgment {
            memory: report.memory_id,
            about,
            said: written(said),
            at: self.clock.now(),
        };
        let act = self.act(Actor::of(&visitor.identity), None);
        let kept = self.ledger.write(act, move |writer| {
            writer.keep_judgment(&judgment)?;
            Ok((Fate::Keep, ()))
        });
        drop(kept);
    }
}

impl Heard {
    /// The same, once the courtroom has said what the opinion is worth: words that are no verdict are no judgment, and
    /// whoever asked for one is told why there is none.
    pub(super) fn weighed(self, opinion: &Opinion, report: &CaseReport) -> Self {
        let is_useless = opinion.is_there() && is_none(report);
        Self {
            failure: self
                .failure
                .or(is_useless.then_some(ModelFailure::Unreadable)),
            ..self
        }
    }
}

/// Whether a report has no verdict of a judge.
const fn is_none(report: &CaseReport) -> bool {
    report.ai_judgment.ai_verdict.is_none()
}

/// What a judgment is about: the revision, the evidence as the reader may see it, the rules, and who judges by which
/// instructions.
fn digest_of(report: &CaseReport, file: &str, judge: &ModelIdentity) -> Digest {
    let mut hash = Sha256::new();
    let memory = report.memory_id.to_string();
    let revision = report.lineage.revision.to_string();
    let parts = [
        memory.as_str(),
        &revision,
        file,
        RULES_VERSION,
        instructions::VERSION,
        &judge.provider,
        &judge.model,
    ];
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part.as_bytes());
    }
    Digest(hash.finalize().into())
}

/// Cases that a judge is hearing.
#[derive(Debug, Default)]
pub(crate) struct InSession(Mutex<BTreeSet<MemoryId>>);

/// A seat in a case; it is free again when this is dropped.
pub(crate) struct Seat<'s> {
    cases: &'s InSession,
    case: MemoryId,
}

impl InSession {
    fn enter(&self, case: MemoryId) -> Option<Seat<'_>> {
        let mut cases = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A seat that nobody took must not be made: dropping it would free the one that somebody has.
        cases.insert(case).then(|| Seat { cases: self, case })
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut cases = self.cases.0.lock().unwrap_or_else(PoisonError::into_inner);
        cases.remove(&self.case);
    }
}
