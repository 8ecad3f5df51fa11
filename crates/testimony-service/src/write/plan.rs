//! What becomes of a claim, given how it stands to what is known: a pure decision, carried out by [`super::settle`].

use testimony_admission::reconcile::{Cue, Reconciliation, Relation, Stand};
use testimony_admission::ruling::Route;
use testimony_domain::verdict::ORIGINS_THAT_ESTABLISH;
use testimony_domain::{Event, Memory, MemoryId, Reason, ReviewNeed, SourceClass, State};

use crate::ports::ledger::reviews::CaseKind;

/// What becomes of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// It makes no row.
    Skip,
    /// It speaks for a known row, and ends others.
    Support {
        of: MemoryId,
        ends: Vec<(MemoryId, Event)>,
    },
    /// The same is there already, and this does not speak for it.
    Known(MemoryId),
    /// It becomes a row.
    Add(Addition),
}

/// How a claim becomes a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Addition {
    pub(super) state: Option<State>,
    pub(super) review: Option<ReviewNeed>,
    /// Whether it is one side of an unresolved conflict.
    pub(super) contested: bool,
    /// The row of whose fact it is another revision.
    pub(super) revision_of: Option<MemoryId>,
    /// Rows whose place it takes, or that it takes back.
    pub(super) ends: Vec<(MemoryId, Event)>,
    /// The row that says less of the same, for which it speaks as well.
    pub(super) speaks_for: Option<MemoryId>,
    /// Rows that it stands against.
    pub(super) against: Vec<MemoryId>,
    /// What a person has to decide about it.
    pub(super) case: Option<CaseKind>,
}

/// Decides. `known` are the rows that the reconciliation speaks of.
pub(super) fn plan(
    route: Route,
    class: SourceClass,
    met: &Reconciliation,
    known: &[&Memory],
) -> Plan {
    let Some(state) = route.initial_state(class.is_known_at_once()) else {
        return Plan::Skip;
    };
    let own = Addition {
        state: Some(state),
        ..Addition::default()
    };
    match route {
        Route::EvidenceOnly => Plan::Skip,
        Route::Forensic => Plan::Add(own),
        Route::QuarantineInjection => Plan::Add(with_case(own, CaseKind::Injection)),
        Route::QuarantineSecret => Plan::Add(with_case(own, CaseKind::Redacted)),
        Route::Review(need) => waiting(own, need, met),
        Route::Admit => admitted(own, class, met, known),
    }
}

fn with_case(addition: Addition, case: CaseKind) -> Addition {
    Addition {
        case: Some(case),
        ..addition
    }
}

/// A claim that a person has to look at first ends nothing and supports nothing by itself.
fn waiting(own: Addition, need: ReviewNeed, met: &Reconciliation) -> Plan {
    if let (Relation::Duplicate, Some(known)) = (met.relation, met.neighbour) {
        return Plan::Known(known);
    }
    let case = match need {
        ReviewNeed::Requested => CaseKind::Requested,
        ReviewNeed::Challenger => CaseKind::Conflict,
        ReviewNeed::WeakInjection => CaseKind::Injection,
    };
    let against = of_relation(met, &[Relation::Contradicts, Relation::Supersedes]);
    Plan::Add(Addition {
        review: Some(need),
        against: against.map(|stand| stand.neighbour).collect(),
        ..with_case(own, case)
    })
}

fn admitted(own: Addition, class: SourceClass, met: &Reconciliation, known: &[&Memory]) -> Plan {
    match (met.relation, met.neighbour) {
        (Relation::Duplicate | Relation::Supporting, Some(id)) => {
            let ends = ends(met, is_named);
            let row = known.iter().find(|row| row.id == id);
            match row.filter(|row| gives_way(row, &own, class, &ends)) {
                Some(row) => Plan::Add(Addition {
                    revision_of: Some(ends.first().map_or(row.id, |(first, _)| *first)),
                    ends: ends
                        .into_iter()
                        .chain([(row.id, Event::Supersede)])
                        .collect(),
                    ..own
                }),
                None if met.cue.keeps_its_words() => Plan::Add(Addition {
                    speaks_for: Some(id),
                    ends,
                    ..own
                }),
                None => Plan::Support { of: id, ends },
            }
        }
        (Relation::Supersedes, Some(id)) => Plan::Add(successor(own, id, met)),
        (Relation::Contradicts, Some(_)) => Plan::Add(challenger(own, met)),
        (Relation::Independent, _) | (_, None) => Plan::Add(own),
    }
}

/// Whether a waiting row gives way to one that says the same.
///
/// The class of a row is the weakest of its lineage, so a stronger word stands in a row of its own.
/// Whoever asked for a person to look may also do without; and who says a challenger again and names what it replaces has
/// decided the conflict.
fn gives_way(row: &Memory, own: &Addition, class: SourceClass, ends: &[(MemoryId, Event)]) -> bool {
    let settled = row.approved || row.origins >= ORIGINS_THAT_ESTABLISH;
    if settled || row.state != State::Pending || own.state != Some(State::Active) {
        return false;
    }
    let stronger = !row.class.is_known_at_once() && !row.contested;
    let asked_for = row.review == Some(ReviewNeed::Requested) && row.class <= class;
    stronger || asked_for || !ends.is_empty() && row.class <= class
}

/// Whether the caller named the row.
const fn is_named(stand: &Stand) -> bool {
    matches!(stand.cue, Cue::CallerRetracts | Cue::CallerSupersedes)
}

/// Rows whose place the claim takes, and how they end.
fn ends(met: &Reconciliation, wanted: impl Fn(&Stand) -> bool) -> Vec<(MemoryId, Event)> {
    let ended = of_relation(met, &[Relation::Supersedes]).filter(|stand| wanted(stand));
    let with_event = ended.map(|stand| {
        let event = if stand.cue == Cue::CallerRetracts {
            Event::Retract
        } else {
            Event::Supersede
        };
        (stand.neighbour, event)
    });
    with_event.collect()
}

fn successor(own: Addition, decides: MemoryId, met: &Reconciliation) -> Addition {
    let ends = ends(met, |_| true);
    let replaced = ends.contains(&(decides, Event::Supersede));
    Addition {
        revision_of: replaced.then_some(decides),
        ends,
        ..own
    }
}

fn challenger(own: Addition, met: &Reconciliation) -> Addition {
    let against: Vec<&Stand> = of_relation(met, &[Relation::Contradicts]).collect();
    let case = if against.iter().any(|stand| is_named(stand)) {
        CaseKind::Correction
    } else {
        CaseKind::Conflict
    };
    // Two of equal weight are both in doubt; a weaker word leaves the stronger where it is.
    let contested = against.iter().any(|stand| stand.reason == Reason::Conflict);
    Addition {
        state: Some(State::Pending),
        contested,
        review: (!contested).then_some(ReviewNeed::Challenger),
        against: against.iter().map(|stand| stand.neighbour).collect(),
        ..with_case(own, case)
    }
}

fn of_relation<'a>(
    met: &'a Reconciliation,
    relations: &'a [Relation],
) -> impl Iterator<Item = &'a Stand> {
    let wanted = |stand: &&Stand| relations.contains(&stand.relation);
    met.stands.iter().filter(wanted)
}
