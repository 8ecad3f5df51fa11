//! The bench: the case as its reader may see it. Everything after this counts only what lies on it.

use std::collections::{BTreeMap, BTreeSet};

use testimony_domain::{
    Capability, EffectiveIdentity, Evidence, EvidenceId, Memory, Origin, Polarity, SourceClass,
    State, TemporalState, Timestamp, origin_groups, words,
};

use crate::{CaseFile, Comparison, HistoryEntry, NoCase, Pen};

words! {
    /// Why a report shows no text of the case, to this reader.
    pub enum Withheld {
        /// It tries to instruct its reader; only a reviewer reads it.
        Injection = "quarantined_injection",
        /// It was erased.
        Erased = "erased",
    }
}

/// One piece of evidence and what it does for the memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exhibit<'a> {
    /// The evidence.
    pub evidence: &'a Evidence,
    /// What it does for the memory.
    pub polarity: Polarity,
    /// Where it comes from, in the more cautious reading where the link and the evidence differ.
    pub origin: Origin,
    /// Which group of shared causes it falls into; `None` for an echo.
    pub group: Option<usize>,
    /// Whether only the claim itself may be shown of it.
    pub claim_only: bool,
}

/// The case as its reader may see it.
#[derive(Clone, Debug)]
pub struct Bench<'a> {
    /// The memory on trial.
    pub memory: &'a Memory,
    /// What speaks for it, oldest first.
    pub supporting: Vec<Exhibit<'a>>,
    /// What speaks against it, oldest first.
    pub contradicting: Vec<Exhibit<'a>>,
    /// Memories that say otherwise and are not settled, strongest first.
    pub rivals: Vec<&'a Memory>,
    /// The other revisions of the same fact, in their order.
    pub revisions: Vec<&'a Memory>,
    /// What happened to it, in its order; `None` when it could not be read.
    pub history: Option<Vec<HistoryEntry>>,
    /// Whether the evidence could be read at all.
    pub evidence_readable: bool,
    /// Whether the memory's own text still holds what the redactor takes out.
    pub secret_in_text: bool,
    /// Why its text is kept back, if it is.
    pub withheld: Option<Withheld>,
    /// Whether it speaks about the present.
    pub temporal: TemporalState,
    /// What memory banks elsewhere said about it.
    pub comparisons: &'a [Comparison],
    /// The present instant.
    pub now: Timestamp,
}

impl<'a> Bench<'a> {
    /// Lays out what the reader may see.
    ///
    /// # Errors
    /// [`NoCase`] when the reader may not read cases, or may not know that this memory exists.
    pub fn lay_out(file: &CaseFile<'a>, pen: &Pen<'_>) -> Result<Self, NoCase> {
        if !file.reader.allows(Capability::CourtroomRead) {
            return Err(NoCase::Capability);
        }
        if !is_visible(file.memory, file.reader) {
            return Err(NoCase::NotVisible);
        }
        let (supporting, contradicting) = exhibits(file);
        Ok(Self {
            memory: file.memory,
            supporting,
            contradicting,
            rivals: open_rivals(file),
            revisions: revisions(file),
            history: file.history.map(in_order),
            evidence_readable: file.evidence.is_some(),
            secret_in_text: pen.finds_secret_in(file.memory.content.as_str()),
            withheld: withheld(file.memory, file.reader),
            temporal: file.memory.temporal_state(file.now),
            comparisons: file.comparisons,
            now: file.now,
        })
    }

    /// How many independent origins speak for it, counted anew.
    #[must_use]
    pub fn independent_origins(&self) -> usize {
        let highest = self.supporting.iter().filter_map(|one| one.group).max();
        highest.map_or(0, |highest| highest + 1)
    }

    /// The evidence that it was drawn from, as far as that is on the bench.
    pub fn drawn_from(&self) -> impl Iterator<Item = &Exhibit<'a>> {
        let ids: BTreeSet<EvidenceId> = self.memory.evidence.iter().copied().collect();
        let exhibits = self.supporting.iter();
        exhibits.filter(move |one| ids.contains(&one.evidence.id))
    }

    /// The weakest class of the evidence that it was drawn from, as far as that is on the bench.
    #[must_use]
    pub fn lineage_class(&self) -> Option<SourceClass> {
        self.drawn_from().map(|one| one.origin.class).min()
    }

    /// The classes of everything that says otherwise now: evidence that is no echo, and rivals that hold now.
    pub fn contradicting_classes(&self) -> impl Iterator<Item = SourceClass> {
        let evidence = self.contradicting.iter().filter(|one| !one.origin.echo);
        let rivals = self.rivals.iter().filter(|rival| self.holds_now(rival));
        evidence
            .map(|one| one.origin.class)
            .chain(rivals.map(|rival| rival.class))
    }

    /// The strongest class that says otherwise now.
    #[must_use]
    pub fn strongest_contradiction(&self) -> Option<SourceClass> {
        self.contradicting_classes().max()
    }

    /// Whether a rival speaks about the present, as the memory would.
    #[must_use]
    pub fn holds_now(&self, rival: &Memory) -> bool {
        rival.temporal_state(self.now) == TemporalState::Current
    }

    /// Whether the history shows that a person's approval stands; `None` when the history could not be read.
    #[must_use]
    pub fn approval_is_on_record(&self) -> Option<bool> {
        use testimony_domain::Event::{Approve, Reopen};
        let history = self.history.as_ref()?;
        let last = history
            .iter()
            .rev()
            .find(|entry| entry.actor.is_a_person() && matches!(entry.event, Approve | Reopen));
        Some(last.is_some_and(|entry| entry.event == Approve))
    }
}

fn is_visible(memory: &Memory, reader: &EffectiveIdentity) -> bool {
    memory.visible_to(reader).is_ok()
}

fn exhibits<'a>(file: &CaseFile<'a>) -> (Vec<Exhibit<'a>>, Vec<Exhibit<'a>>) {
    let shelf: BTreeMap<EvidenceId, &'a Evidence> = file
        .evidence
        .into_iter()
        .flatten()
        .filter(|evidence| evidence.partition.visible_to(file.reader, false).is_ok())
        .map(|evidence| (evidence.id, evidence))
        .collect();
    let side = |polarity| {
        let mut seen = BTreeMap::new();
        for (id, origin) in links(file, polarity) {
            let shown = shelf
                .get(&id)
                .filter(|it| polarity == Polarity::Supports || may_be_named(file, it));
            if let Some(evidence) = shown {
                let cautious = cautious_origin(&evidence.origin, origin);
                seen.entry(id).or_insert((*evidence, cautious));
            }
        }
        grouped(seen.into_values().collect(), polarity, file)
    };
    (side(Polarity::Supports), side(Polarity::Contradicts))
}

/// Whether the reader may know of evidence that speaks against the memory: what only waits for support is its writer's
/// own until it finds some, unless a row that the reader sees was drawn from it.
fn may_be_named(file: &CaseFile<'_>, evidence: &Evidence) -> bool {
    let counts_at_once = evidence.origin.class.is_known_at_once();
    let own = evidence.partition.visible_to(file.reader, true).is_ok();
    let mut rivals = file
        .rivals
        .iter()
        .filter(|rival| is_visible(rival, file.reader));
    counts_at_once || own || rivals.any(|rival| rival.evidence.contains(&evidence.id))
}

/// Every link of one side; what the memory was drawn from speaks for it, whether or not a link says so.
fn links<'a>(
    file: &CaseFile<'a>,
    polarity: Polarity,
) -> impl Iterator<Item = (EvidenceId, Option<&'a Origin>)> {
    let memory = file.memory;
    let linked = file
        .supports
        .iter()
        .filter(move |link| link.memory == memory.id && link.polarity == polarity)
        .map(|link| (link.evidence, Some(&link.origin)));
    let drawn_from = memory.evidence.iter().map(|id| (*id, None));
    linked.chain(drawn_from.filter(move |_| polarity == Polarity::Supports))
}

fn cautious_origin(kept: &Origin, linked: Option<&Origin>) -> Origin {
    let mut origin = kept.clone();
    if let Some(linked) = linked {
        origin.class = kept.class.min(linked.class);
        origin.echo = kept.echo || linked.echo;
    }
    origin
}

fn grouped<'a>(
    mut side: Vec<(&'a Evidence, Origin)>,
    polarity: Polarity,
    file: &CaseFile<'_>,
) -> Vec<Exhibit<'a>> {
    side.sort_by_key(|(evidence, _)| (evidence.observed_at, evidence.id));
    let groups = origin_groups(&side.iter().map(|(_, origin)| origin).collect::<Vec<_>>());
    side.into_iter()
        .zip(groups)
        .map(|((evidence, origin), group)| Exhibit {
            evidence,
            polarity,
            claim_only: shows_claim_only(evidence, file),
            origin,
            group,
        })
        .collect()
}

/// What stands beside the claim is for reviewers who may see its writer's own rows, where a weak source said it, which
/// may be another agent's own, and where something in the text instructs its reader, whoever said it.
fn shows_claim_only(evidence: &Evidence, file: &CaseFile<'_>) -> bool {
    let reader = file.reader;
    let sees_all =
        reader.allows(Capability::Review) && evidence.partition.visible_to(reader, true).is_ok();
    let is_weak = !evidence.origin.class.is_known_at_once();
    !sees_all && (is_weak || file.instructing.contains(&evidence.id))
}

fn open_rivals<'a>(file: &CaseFile<'a>) -> Vec<&'a Memory> {
    let mut seen = BTreeSet::new();
    let mut rivals: Vec<&Memory> = file
        .rivals
        .iter()
        .filter(|rival| is_unsettled(rival.state) && rival.id != file.memory.id)
        .filter(|rival| is_visible(rival, file.reader) && seen.insert(rival.id))
        .collect();
    rivals.sort_by_key(|rival| (std::cmp::Reverse(rival.class), rival.observed_at, rival.id));
    rivals
}

const fn is_unsettled(state: State) -> bool {
    match state {
        State::Active | State::Pending => true,
        State::QuarantinedInjection
        | State::QuarantinedSecret
        | State::Forensic
        | State::Superseded
        | State::Expired
        | State::Rejected
        | State::Erased => false,
    }
}

fn revisions<'a>(file: &CaseFile<'a>) -> Vec<&'a Memory> {
    let mut revisions: Vec<&Memory> = file
        .revisions
        .iter()
        .filter(|other| other.fact == file.memory.fact && other.id != file.memory.id)
        .filter(|other| is_visible(other, file.reader))
        .collect();
    revisions.sort_by_key(|other| (other.revision, other.id));
    revisions.dedup_by_key(|other| other.id);
    revisions
}

fn in_order(history: &[HistoryEntry]) -> Vec<HistoryEntry> {
    let mut history = history.to_vec();
    history.sort_by_key(|entry| entry.at);
    history
}

/// What instructs its reader is for reviewers, whatever else keeps it out: a secret in it, or a person's "no".
fn withheld(memory: &Memory, reader: &EffectiveIdentity) -> Option<Withheld> {
    let instructs = match memory.state {
        State::Erased => return Some(Withheld::Erased),
        State::QuarantinedInjection => true,
        State::QuarantinedSecret | State::Forensic | State::Rejected => {
            carries_an_injection(memory)
        }
        State::Active | State::Pending | State::Superseded | State::Expired => false,
    };
    (instructs && !reader.allows(Capability::Review)).then_some(Withheld::Injection)
}

/// Whether admission saw in the row's own words that they instruct their reader, or may.
pub(crate) fn carries_an_injection(memory: &Memory) -> bool {
    memory.reasons.iter().any(|one| one.is_of_an_injection())
}
