//! Another wording of a row: examined like whatever comes in, and kept as the next revision of the same fact.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::json;
use testimony_admission::admit;
use testimony_admission::ruling::{Claim, Route, Ruling};
use testimony_admission::submission::Submission;
use testimony_domain::{
    Effect, Event, Evidence, EvidenceChannel, EvidenceId, Ids, Memory, MemoryId, Origin, Polarity,
    Reason, Redacted, SourceClass, Speaker, State, Support, Timestamp,
};

use crate::access::Visitor;
use crate::banks::queue_comparison;
use crate::conflict::close_cases;
use crate::error::ServiceError;
use crate::ports::embedder::{EmbedderIdentity, Vector};
use crate::ports::ledger::evidence::Kept;
use crate::ports::ledger::memories::{Change, Link, Relation};
use crate::ports::ledger::{LedgerError, Writer};
use crate::service::Service;
use crate::write::{CONTENT, check_text, keep_vector, mention, queue_vector};

/// What is said in place of a row.
#[derive(Clone, Copy)]
pub(crate) struct Rewording<'a> {
    /// The row.
    pub(crate) row: &'a Memory,
    /// The new words.
    pub(crate) content: &'a str,
    /// Their class.
    pub(crate) class: SourceClass,
    /// When they were said.
    pub(crate) observed_at: Timestamp,
    /// Why, in the words of whoever says it.
    pub(crate) reason: Option<&'a str>,
}

/// Words that were examined and can be kept.
pub(crate) struct Wording {
    claim: Claim,
    text: Redacted,
    class: SourceClass,
    origin: Origin,
    reason: Option<Redacted>,
    vector: Option<Vector>,
    embedder: EmbedderIdentity,
    compares: bool,
    ids: Arc<dyn Ids + Send + Sync>,
}

impl Service {
    /// Examines words that are to take the place of a row's. What would be held, recorded or left out cannot.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] when they are no content, [`ServiceError::Undecidable`] with the reason why they make no
    /// memory.
    pub(crate) fn examine_wording(
        &self,
        visitor: &Visitor,
        rewording: &Rewording<'_>,
    ) -> Result<Wording, ServiceError> {
        check_text("content", rewording.content, &CONTENT)?;
        let policy = &visitor.container.policy;
        let rule = |extract| self.rule_on_wording(visitor, rewording, extract);
        let drawn = rule(true);
        // What is one statement is kept as such; what is several is kept as it was said.
        let (ruling, claim) = match <[Claim; 1]>::try_from(drawn.claims.clone()) {
            Ok([claim]) => (drawn, claim),
            Err(_) => whole(rule(false))?,
        };
        match claim.route {
            Route::Admit => {}
            Route::Review(_)
            | Route::EvidenceOnly
            | Route::Forensic
            | Route::QuarantineInjection
            | Route::QuarantineSecret => return Err(held(&claim, &ruling)),
        }
        let embedder = self.embedders.of(&visitor.container).as_ref();
        let vectors = embedder.embed_at_once(&[claim.text.as_str()]);
        let vectors = vectors.unwrap_or_default();
        Ok(Wording {
            text: ruling.text,
            class: rewording.class,
            origin: origin_of(visitor, rewording.class),
            reason: rewording.reason.map(|reason| self.redact(policy, reason)),
            vector: vectors.into_iter().next().flatten(),
            embedder: embedder.identity().clone(),
            compares: self.compares(&visitor.container.tag),
            ids: Arc::clone(&self.ids),
            claim,
        })
    }

    fn rule_on_wording(
        &self,
        visitor: &Visitor,
        rewording: &Rewording<'_>,
        extract: bool,
    ) -> Ruling {
        let submission = Submission {
            text: rewording.content,
            channel: EvidenceChannel::Retain,
            class: rewording.class,
            kind: Some(rewording.row.kind),
            speaker: rewording.row.speaker.as_ref().map(Speaker::as_str),
            observed_at: rewording.observed_at,
            fields: &[],
            extract,
            review_requested: false,
            user_message: None,
            handed_out: &[],
        };
        self.under(&visitor.container.policy, |policy| {
            admit(&submission, policy)
        })
    }
}

/// The one claim of a text that was not taken apart.
fn whole(ruling: Ruling) -> Result<(Ruling, Claim), ServiceError> {
    match ruling.claims.first().cloned() {
        Some(claim) => Ok((ruling, claim)),
        None => Err(ServiceError::Undecidable(
            ruling
                .findings
                .first()
                .map_or(Reason::KeptVerbatim, |found| found.reason),
        )),
    }
}

fn held(claim: &Claim, ruling: &Ruling) -> ServiceError {
    let found = claim.findings.first().or_else(|| ruling.findings.first());
    ServiceError::Undecidable(found.map_or(Reason::NeverTrusted, |found| found.reason))
}

fn origin_of(visitor: &Visitor, class: SourceClass) -> Origin {
    let who = &visitor.identity;
    Origin {
        key: who.key(),
        agent: who.agent().cloned(),
        run: who.labels().run.clone(),
        source: None,
        class,
        echo: false,
    }
}

/// How a row ends whose words are replaced.
const fn end_of(state: State) -> Event {
    match state {
        // What is held is not replaced but decided against; its words are no longer waited for.
        State::QuarantinedInjection | State::QuarantinedSecret => Event::Reject,
        State::Active
        | State::Pending
        | State::Forensic
        | State::Superseded
        | State::Expired
        | State::Rejected
        | State::Erased => Event::Supersede,
    }
}

impl Wording {
    /// Whether every word of it stands in a text: then it only leaves something out.
    pub(crate) fn says_no_more_than(&self, text: &str) -> bool {
        fn words(text: &str) -> impl Iterator<Item = String> {
            let words = text.split(|c: char| !c.is_alphanumeric());
            words.filter(|word| !word.is_empty()).map(str::to_lowercase)
        }
        let said: HashSet<String> = words(text).collect();
        words(self.text.as_str()).all(|word| said.contains(&word))
    }

    /// Keeps the words as the next revision of a row, which they end; returns the new row.
    ///
    /// # Errors
    /// The reason for which the row cannot be replaced, or [`LedgerError`].
    pub(crate) fn keep(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
    ) -> Result<Result<Memory, Reason>, LedgerError> {
        let now = writer.act().at;
        let end = end_of(row.state);
        let ended = Change::of(row, end, |condition| {
            let until = condition.validity.until.unwrap_or(now);
            condition.validity.until = Some(until.min(now));
            condition.contested = false;
        });
        let ended = match ended {
            Ok((_, Some(Effect::AlreadyThere))) => return Ok(Err(Reason::NoLongerOpen)),
            Ok((change, _)) => change,
            Err(reason) => return Ok(Err(reason)),
        };
        let evidence = self.keep_evidence(writer, row, now)?;
        let memory = self.row(writer, row, evidence, now)?;
        writer.add_memory(&memory)?;
        writer.add_support(&Support {
            memory: memory.id,
            evidence,
            polarity: Polarity::Supports,
            origin: self.origin.clone(),
        })?;
        writer.change_memory(&ended)?;
        writer.link(Link {
            from: memory.id,
            relation: Relation::Supersedes,
            to: row.id,
        })?;
        close_cases(writer, row.id, None, end.as_str())?;
        mention(writer, self.ids.as_ref(), &memory)?;
        self.order_the_rest(writer, &memory)?;
        Ok(Ok(memory))
    }

    /// The vector, now or later, and the comparison with banks where there are some.
    fn order_the_rest(&self, writer: &mut dyn Writer, memory: &Memory) -> Result<(), LedgerError> {
        match &self.vector {
            Some(vector) => keep_vector(writer, &self.embedder, memory, vector)?,
            None => queue_vector(writer, self.ids.as_ref(), memory)?,
        }
        if self.compares {
            queue_comparison(writer, self.ids.as_ref(), memory)?;
        }
        Ok(())
    }

    fn keep_evidence(
        &self,
        writer: &mut dyn Writer,
        row: &Memory,
        now: Timestamp,
    ) -> Result<EvidenceId, LedgerError> {
        let id = EvidenceId::mint(self.ids.as_ref());
        let reason = self.reason.as_ref();
        writer.keep_evidence(&Kept {
            evidence: Evidence {
                id,
                partition: row.partition.clone(),
                origin: self.origin.clone(),
                label: row.source.clone(),
                text: self.text.clone(),
                observed_at: self.claim.observed_at,
                recorded_at: now,
            },
            reasons: vec![Reason::Supersedes],
            metadata: reason.map(|reason| json!({ "reason": reason.as_str() }).to_string()),
        })?;
        Ok(id)
    }

    fn row(
        &self,
        writer: &dyn Writer,
        row: &Memory,
        evidence: EvidenceId,
        now: Timestamp,
    ) -> Result<Memory, LedgerError> {
        let revisions = writer.revisions(row.fact)?;
        let last = revisions.iter().map(|row| row.revision).max();
        let known_at_once = self.class.is_known_at_once();
        let state = Route::Admit.initial_state(known_at_once);
        Ok(Memory {
            id: MemoryId::mint(self.ids.as_ref()),
            revision: last.unwrap_or(row.revision) + 1,
            content: self.claim.text.clone(),
            slot: self.claim.slot.clone(),
            entities: self.claim.entities.clone(),
            speaker: self.claim.speaker.clone(),
            class: self.class,
            state: state.unwrap_or(State::Pending),
            approved: false,
            review: None,
            contested: false,
            origins: 1,
            reasons: vec![Reason::Supersedes],
            evidence: vec![evidence],
            observed_at: self.claim.observed_at,
            created_at: now,
            validity: self.claim.validity,
            ..row.clone()
        })
    }
}
