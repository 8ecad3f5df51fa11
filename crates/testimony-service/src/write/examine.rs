//! Reading an item: everything about it that needs no lock. Its texts go through admission, its claims get a vector, and
//! what stands near is looked for.

use std::collections::HashMap;
use std::sync::Arc;

use testimony_admission::admit;
use testimony_admission::reconcile::{Challenger, Reading};
use testimony_admission::ruling::{Finding, LEFT_OUT, Route, Ruling};
use testimony_admission::submission::Submission;
use testimony_domain::{
    Capability, Claim, EffectiveIdentity, ExpiryHours, Invalid, Memory, MemoryId, MemoryKind,
    MemoryScope, Origin, Partition, Plane, Problem, Reason, Redacted, Refusal, SourceClass,
    Standing, Timestamp, UserId,
};
use testimony_recall::{Filters, TimeIntent, View};

use super::item::{CONTENT, Entry, check_text};
use super::labels::{Beside, Labels};
use super::meet::neighbour;
use super::together::ReadTogether;
use crate::access::Visitor;
use crate::error::{NotFound, ServiceError};
use crate::ports::embedder::Vector;
use crate::ports::index::{Cut, IndexQuery, Meaning};
use crate::ports::ledger::audit::Seq;
use crate::ports::ledger::memories::digest_of_words;
use crate::read::{Known, is_visible, meaning};
use crate::service::Service;

/// How many rows that stand near a claim are compared with it.
const NEAR: usize = 8;

/// Rows that a claim can meet.
const MET: &[Standing] = &[
    Standing::CleanPerson,
    Standing::CleanTool,
    Standing::SingleOrigin,
    Standing::Established,
    Standing::AwaitsReview,
    Standing::Contested,
];

/// What holds for all items of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    pub(super) visitor: &'a Visitor,
    pub(super) claim: &'a Claim,
    pub(super) needed: Capability,
    pub(super) default_source: &'a str,
    pub(super) review_required: bool,
    pub(super) user_message: Option<&'a str>,
    pub(super) handed_out: &'a [Memory],
    pub(super) now: Timestamp,
}

/// An item that was read.
#[derive(Clone, Debug)]
pub(super) struct Examined {
    pub(super) entry: Entry,
    pub(super) who: EffectiveIdentity,
    pub(super) class: SourceClass,
    pub(super) labels: Labels,
    pub(super) partition: Partition,
    pub(super) observed_at: Timestamp,
    pub(super) expires_at: Option<Timestamp>,
    pub(super) ruling: Ruling,
    /// Statements of which no claim was made, without their secrets, and why.
    pub(super) left_out: Vec<(Redacted, Reason)>,
    /// For every claim of the ruling.
    pub(super) nearby: Vec<Near>,
}

impl Examined {
    /// Where what it says comes from.
    pub(super) fn origin(&self) -> Origin {
        let mut findings = self.ruling.findings.iter();
        Origin {
            key: self.who.key(),
            agent: self.who.agent().cloned(),
            run: self.who.labels().run.clone(),
            source: self.labels.source_ref.clone(),
            class: self.class,
            echo: findings.any(|finding| finding.reason == Reason::Echo),
        }
    }
}

/// What a claim means, and what stands near it.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    pub(super) vector: Option<Vector>,
    /// Whether the embedder was down, so that the vector has to be made later.
    pub(super) waits_for_vector: bool,
    pub(super) rows: Vec<MemoryId>,
    /// Those of them that could be read beforehand, as they were then: what they say is still the same.
    pub(super) read: HashMap<MemoryId, Arc<Known>>,
    /// A row of those that did not change behind this sequence still is as it was read.
    pub(super) read_at: Seq,
    /// What the claim says, read for comparing; of one that meets nothing it is not wanted.
    pub(super) said: Option<Reading>,
    /// What it says beside those rows, where somebody reads them together.
    pub(super) told: ReadTogether,
}

impl Service {
    /// Reads an item.
    pub(super) fn examine(
        &self,
        request: &Request<'_>,
        entry: Entry,
    ) -> Result<Examined, ServiceError> {
        let pointer = entry.place.pointer();
        check_text(&pointer, &entry.item.content, &CONTENT)?;
        let who = identity_of(request, &entry)?;
        let corrected = self.corrected(&who, &entry)?;
        let beside = Beside::of(&entry.item, request.default_source)
            .map_err(|wrong| ServiceError::Invalid(under(&pointer, wrong)))?;
        let partition = partition_of(&who, &entry)?;
        let class = who.class_of(entry.channel, entry.item.class);
        let observed_at = entry.item.observed_at.unwrap_or(request.now);
        let said = (class, observed_at);
        let ruling = self.rule_on((request, &who), (&entry, &corrected), &beside, said);
        let hours = entry.item.expires_in.map(ExpiryHours::get);
        Ok(Examined {
            labels: beside.labels(&entry.item, &ruling.fields)?,
            left_out: self.left_out(request, &entry, &ruling),
            nearby: self.nearby(request, &who, &ruling, class),
            expires_at: hours.and_then(|hours| after(request.now, hours)),
            who,
            class,
            partition,
            observed_at,
            ruling,
            entry,
        })
    }

    /// The words that an item replaces by others. Memories that it names have to be there for its writer, and in the same
    /// room: elsewhere naming them would do nothing.
    fn corrected(
        &self,
        who: &EffectiveIdentity,
        entry: &Entry,
    ) -> Result<Vec<String>, ServiceError> {
        let item = &entry.item;
        let named = [item.supersedes.as_slice(), &item.retracts].concat();
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let rows = self.ledger.reader()?.memories(&named)?;
        let find = |id: &MemoryId| {
            let row = rows.iter().find(|row| row.id == *id);
            row.filter(|row| is_visible(row, who))
        };
        let found: Option<Vec<&Memory>> = named.iter().map(find).collect();
        let found = found.ok_or(NotFound::Memory)?;
        if found
            .iter()
            .all(|row| row.partition.labels() == who.labels())
        {
            let own = digest_of_words(&item.content);
            let said_anew = |row: &&&Memory| {
                item.supersedes.contains(&row.id) && digest_of_words(row.content.as_str()) != own
            };
            let words = found.iter().filter(said_anew);
            return Ok(words.map(|row| row.content.as_str().to_owned()).collect());
        }
        let field = format!("{}/supersedes", entry.place.pointer());
        let expected = "memories with the same user, app, org and run as the item";
        Err(Invalid::new(&field, Problem::Malformed { expected }).into())
    }

    /// Parts of a text that make no memory although they say something. What only greets or asks is no loss.
    fn left_out(
        &self,
        request: &Request<'_>,
        entry: &Entry,
        ruling: &Ruling,
    ) -> Vec<(Redacted, Reason)> {
        let says = |finding: &&Finding| {
            finding.rule == LEFT_OUT && matches!(finding.reason, Reason::Echo | Reason::Hedged)
        };
        let policy = &request.visitor.container.policy;
        let part = |finding: &Finding| {
            let text = entry.item.content.get(finding.span.clone())?;
            Some((self.redact(policy, text.trim()), finding.reason))
        };
        ruling
            .findings
            .iter()
            .filter(says)
            .filter_map(part)
            .collect()
    }

    /// What admission says of an item.
    fn rule_on(
        &self,
        (request, who): (&Request<'_>, &EffectiveIdentity),
        (entry, corrected): (&Entry, &[String]),
        beside: &Beside,
        (class, observed_at): (SourceClass, Timestamp),
    ) -> Ruling {
        // What was handed out for somebody else is nothing that this writer could repeat, and must not be learned from it.
        let known = request.handed_out.iter().filter(|row| is_visible(row, who));
        let known = known.map(|row| row.content.as_str());
        // Whoever corrects a memory says most of it again, which is no echo of it.
        let repeatable = known.filter(|text| corrected.iter().all(|known| known != text));
        let handed_out: Vec<&str> = repeatable.collect();
        let submission = Submission {
            text: &entry.item.content,
            channel: entry.channel,
            class,
            kind: entry.item.kind,
            speaker: entry.item.speaker.as_deref(),
            observed_at,
            fields: &beside.fields(),
            extract: entry.extract,
            review_requested: request.review_required,
            user_message: request.user_message,
            handed_out: &handed_out,
        };
        let policy = &request.visitor.container.policy;
        self.under(policy, |policy| admit(&submission, policy))
    }

    /// What each claim means, and the rows that stand near it, as far as the writer may know of them.
    ///
    /// An embedder or index that is down takes nothing from what is kept: the claim meets the rows of its slot and of its
    /// words, and gets its vector later.
    fn nearby(
        &self,
        request: &Request<'_>,
        who: &EffectiveIdentity,
        ruling: &Ruling,
        class: SourceClass,
    ) -> Vec<Near> {
        let embedder = self.embedders.of(&request.visitor.container).as_ref();
        let texts: Vec<&str> = ruling
            .claims
            .iter()
            .map(|claim| claim.text.as_str())
            .collect();
        let embedded = embedder.embed_at_once(&texts);
        let waits_for_vector = embedded.is_err();
        let vectors = embedded.unwrap_or_else(|_| vec![None; texts.len()]);
        let claims = ruling.claims.iter().zip(vectors);
        let near = claims.map(|(claim, vector)| {
            let near = Near {
                waits_for_vector,
                ..Near::default()
            };
            if !meets_others(claim) {
                return Near { vector, ..near };
            }
            let meaning = vector.as_ref().map(|vector| meaning(embedder, vector));
            let rows = self.rows_near(who, claim, meaning, request.now);
            Near {
                vector,
                ..self.met(near, rows, &Challenger::of(claim, class))
            }
        });
        near.collect()
    }

    /// These rows, read for comparing while nobody waits for the ledger, and the sequence behind which they may have
    /// changed; what cannot be read now is read when it is met.
    fn read_of(&self, rows: &[MemoryId]) -> (HashMap<MemoryId, Arc<Known>>, Seq) {
        let (known, read_at) = self.known_since(rows).unwrap_or_default();
        let known = known.into_iter().zip(rows);
        let known = known.filter_map(|(row, id)| Some((*id, row?)));
        let known: HashMap<MemoryId, Arc<Known>> = known.collect();
        self.shelf.have_read(known.values());
        (known, read_at)
    }

    /// What a claim says, by itself and beside those of the rows near it that could be read beforehand.
    fn met(&self, near: Near, rows: Vec<MemoryId>, challenger: &Challenger<'_>) -> Near {
        let (read, read_at) = self.read_of(&rows);
        let said = Reading::of_challenger(challenger);
        let told = self.pair_reader.get().map(|reader| {
            let known = rows.iter().filter_map(|id| read.get(id));
            let near = known.map(|row| (neighbour(&row.memory), row.said()));
            ReadTogether::by(reader.as_ref(), challenger, &said, near)
        });
        Near {
            rows,
            read,
            read_at,
            said: Some(said),
            told: told.unwrap_or_default(),
            ..near
        }
    }

    fn rows_near(
        &self,
        who: &EffectiveIdentity,
        claim: &testimony_admission::ruling::Claim,
        meaning: Option<Meaning<'_>>,
        now: Timestamp,
    ) -> Vec<MemoryId> {
        let cut = Cut {
            standings: MET,
            time: TimeIntent::Any,
            limit: NEAR,
        };
        let found = self.find(&IndexQuery {
            identity: who,
            view: View::Assistant,
            words: claim.text.as_str(),
            entities: &claim.entities,
            meaning,
            filters: &Filters::default(),
            now,
            beside: 0,
            cuts: &[cut],
        });
        let hits = found.map(|found| found.hits).unwrap_or_default();
        hits.iter().map(|hit| hit.memory).collect()
    }
}

/// Whether a claim is compared with what is known: what is held or only recorded changes nothing that is.
pub(super) const fn meets_others(claim: &testimony_admission::ruling::Claim) -> bool {
    match claim.route {
        Route::Admit | Route::Review(_) => true,
        Route::EvidenceOnly
        | Route::Forensic
        | Route::QuarantineInjection
        | Route::QuarantineSecret => false,
    }
}

/// The identity of one item: a person whom it names counts where key and request leave the person open.
fn identity_of(request: &Request<'_>, entry: &Entry) -> Result<EffectiveIdentity, ServiceError> {
    let who = &request.visitor.identity;
    let Some(user) = &entry.item.user else {
        return Ok(who.clone());
    };
    match &who.labels().user {
        Some(settled) if settled != user => {
            let field = format!("{}/user_id", entry.place.pointer());
            let expected = "the person of the key or of the request, or none";
            Err(Invalid::new(&field, Problem::Malformed { expected }).into())
        }
        Some(_) => Ok(who.clone()),
        None => Ok(named_person(request, user)?),
    }
}

fn named_person(request: &Request<'_>, user: &UserId) -> Result<EffectiveIdentity, Refusal> {
    let mut claim = request.claim.clone();
    claim.labels.user = Some(user.clone());
    let visitor = request.visitor;
    let container = visitor.identity.container();
    let acting = visitor
        .principal
        .act(container, request.needed, &claim, request.now)?;
    Ok(acting.0)
}

fn partition_of(who: &EffectiveIdentity, entry: &Entry) -> Result<Partition, Invalid> {
    let plane = entry
        .item
        .plane
        .unwrap_or_else(|| usual_plane(entry.item.kind));
    let scope = entry.item.scope.unwrap_or(MemoryScope::User);
    Partition::written_by(who, plane, scope)
}

/// Where a row goes of which nobody said where.
const fn usual_plane(kind: Option<MemoryKind>) -> Plane {
    match kind {
        Some(MemoryKind::Preference) => Plane::Personal,
        Some(
            MemoryKind::Fact
            | MemoryKind::Decision
            | MemoryKind::Artifact
            | MemoryKind::Observation
            | MemoryKind::Episode,
        )
        | None => Plane::Task,
    }
}

/// So many hours later; `None` where that is beyond any calendar, which is as good as never.
fn after(now: Timestamp, hours: f64) -> Option<Timestamp> {
    let span = std::time::Duration::try_from_secs_f64(hours * 3_600.0).ok()?;
    now.checked_add(span).ok()
}

fn under(pointer: &str, wrong: Vec<Invalid>) -> Vec<Invalid> {
    let named = wrong.into_iter().map(|invalid| Invalid {
        field: format!("{pointer}/{}", invalid.field),
        ..invalid
    });
    named.collect()
}
