//! What a claim meets: the known rows that speak of the same, as they are at this very moment.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use testimony_admission::reconcile::{
    Challenger, Neighbour, Reading, Reconciliation, Relation, reconcile_read,
};
use testimony_admission::ruling::{Claim, Route};
use testimony_domain::verdict::{ORIGINS_THAT_ESTABLISH, may_promote};
use testimony_domain::{Memory, MemoryId, Partition, Polarity, Speaker, independent_origins};

use super::examine::{Examined, Near};
use super::together::ReadTogether;
use crate::ports::ledger::memories::digest_of_words;
use crate::ports::ledger::{LedgerError, Writer};
use crate::read;

/// A known row, what it says, and whether the writer may know of it.
#[derive(Clone, Debug)]
struct Known {
    row: Row,
    said: Said,
    visible: bool,
}

/// A known row as it is at this moment.
#[derive(Clone, Debug)]
pub(super) enum Row {
    /// Read before the ledger was waited for, and the same since.
    AtHand(Arc<read::Known>),
    /// Read in this piece of work.
    Here(Rc<Memory>),
}

impl Deref for Row {
    type Target = Memory;

    fn deref(&self) -> &Memory {
        match self {
            Self::AtHand(row) => &row.memory,
            Self::Here(row) => row,
        }
    }
}

/// What a row says.
#[derive(Clone, Debug)]
enum Said {
    /// Read before the ledger was waited for.
    AtHand(Arc<read::Known>),
    /// Read in this piece of work.
    Here(Rc<Reading>),
}

impl Said {
    fn reading(&self) -> &Reading {
        match self {
            Self::AtHand(row) => row.said(),
            Self::Here(reading) => reading,
        }
    }
}

/// The rows that the claims of one request met: whatever several of them stand near is fetched and read once.
///
/// What a row says never changes; how it stands does, so whoever changes a row has to [`Acquaintances::forget_how_they_stand`].
#[derive(Debug, Default)]
pub(super) struct Acquaintances {
    rows: HashMap<MemoryId, Row>,
    readings: HashMap<MemoryId, Rc<Reading>>,
    /// Whether a row was changed in this piece of work.
    pub(super) any_changed: bool,
}

impl Acquaintances {
    /// After a change of any row, all are asked for again.
    pub(super) fn forget_how_they_stand(&mut self) {
        self.rows.clear();
        self.any_changed = true;
    }

    /// The rows near a claim and those that its item names, as far as they are there.
    fn rows(
        &mut self,
        writer: &dyn Writer,
        near: &Near,
        named: &[MemoryId],
    ) -> Result<Vec<Row>, LedgerError> {
        let ids = || near.rows.iter().chain(named);
        let is_unmet = |id: &&MemoryId| !self.rows.contains_key(id);
        let (at_hand, to_read): (Vec<MemoryId>, Vec<MemoryId>) = ids()
            .filter(is_unmet)
            .partition(|id| near.read.contains_key(id));
        let unchanged = writer.unchanged_since(near.read_at, &at_hand)?;
        let to_read = to_read.into_iter().chain(at_hand);
        let to_read: Vec<MemoryId> = to_read.filter(|id| !unchanged.contains(id)).collect();
        let same = unchanged
            .iter()
            .filter_map(|id| Some((*id, Row::AtHand(Arc::clone(near.read.get(id)?)))));
        let fetched = writer.memories(&to_read)?.into_iter();
        let fetched = fetched.map(|row| (row.id, Row::Here(Rc::new(row))));
        self.rows.extend(same.chain(fetched));
        Ok(ids().filter_map(|id| self.rows.get(id).cloned()).collect())
    }

    fn what_it_says(&mut self, row: &Memory, near: &Near) -> Said {
        if let Some(at_hand) = near.read.get(&row.id) {
            return Said::AtHand(Arc::clone(at_hand));
        }
        let read = || Rc::new(Reading::of_neighbour(&neighbour(row)));
        Said::Here(Rc::clone(self.readings.entry(row.id).or_insert_with(read)))
    }
}

/// What a claim met.
#[derive(Clone, Debug)]
pub(super) struct Met {
    pub(super) stands: Reconciliation,
    pub(super) rows: Vec<Row>,
}

impl Met {
    pub(super) fn row(&self, id: MemoryId) -> Option<&Memory> {
        let mut rows = self.rows.iter().map(Deref::deref);
        rows.find(|row| row.id == id)
    }
}

/// Compares a claim with what is known.
///
/// Rows of others that wait for support in private count when they say the same and this claim makes them known, and only
/// then: two agents who say one thing by themselves support each other, and neither learns what else the other says.
pub(super) fn meet(
    writer: &dyn Writer,
    met: &mut Acquaintances,
    examined: &Examined,
    claim: &Claim,
    near: &Near,
) -> Result<Met, LedgerError> {
    let known = known(writer, met, examined, claim, near)?;
    let (seen, hidden): (Vec<&Known>, Vec<&Known>) = known.iter().partition(|known| known.visible);
    let own_row = own_row(examined, &known);
    let by_itself = Challenger::of(claim, examined.class);
    let read = || Cow::Owned(Reading::of_challenger(&by_itself));
    let said = near.said.as_ref().map_or_else(read, Cow::Borrowed);
    let says = Says {
        by_itself,
        said: &said,
        read: &near.told,
    };
    let mut stands = compare(examined, &says, &own_row, &seen);
    let may_be_unseen = stands.relation == Relation::Independent && claim.route == Route::Admit;
    if may_be_unseen && !hidden.is_empty() {
        let unseen = compare(examined, &says, &[], &hidden);
        let same = matches!(unseen.relation, Relation::Duplicate | Relation::Supporting);
        let known = hidden
            .iter()
            .find(|known| same && Some(known.row.id) == unseen.neighbour);
        if let Some(known) = known
            && becomes_known(writer, examined, &known.row)?
        {
            stands = unseen;
        }
    }
    let rows = known.into_iter().map(|known| known.row).collect();
    Ok(Met { stands, rows })
}

fn known(
    writer: &dyn Writer,
    met: &mut Acquaintances,
    examined: &Examined,
    claim: &Claim,
    near: &Near,
) -> Result<Vec<Known>, LedgerError> {
    let (item, who) = (&examined.entry.item, &examined.who);
    let container = who.container();
    let named = [item.supersedes.as_slice(), &item.retracts].concat();
    let mut rows = met.rows(writer, near, &named)?;
    let words = digest_of_words(claim.text.as_str());
    let mut more = writer.in_the_same_words(container, words)?;
    if let Some(slot) = &claim.slot {
        more.extend(writer.in_slot(container, &slot.key)?);
    }
    if let Some(id) = &examined.labels.custom_id {
        more.extend(writer.with_custom_id(container, &who.owner(), id)?);
    }
    rows.extend(more.into_iter().map(|row| Row::Here(Rc::new(row))));
    let mut seen = HashSet::new();
    rows.retain(|row| {
        row.state.is_open()
            && shares_room(&row.partition, &examined.partition)
            && seen.insert(row.id)
    });
    let known = rows.into_iter().map(|row| Known {
        visible: row.visible_to(who).is_ok(),
        said: met.what_it_says(&row, near),
        row,
    });
    Ok(known.collect())
}

/// Whether a row that nobody but its owner sees would be seen by everybody with the support of this item. Otherwise the
/// claim is kept as it is, since its writer could not find the row that it speaks for; and whose word counts at once needs
/// no row of others.
fn becomes_known(
    writer: &dyn Writer,
    examined: &Examined,
    row: &Memory,
) -> Result<bool, LedgerError> {
    if examined.class.is_known_at_once() {
        return Ok(false);
    }
    let supports = writer.supports(row.id)?;
    let speaking_for = supports
        .iter()
        .filter(|link| link.polarity == Polarity::Supports)
        .map(|link| &link.origin);
    let own = examined.origin();
    let origins = independent_origins(speaking_for.chain([&own]));
    Ok(may_promote(row.class, row.review, row.contested, origins).is_ok())
}

/// Whether two rows can speak of the same: they carry the same labels, and what is private by its place meets only what
/// is private to the same owner.
pub(crate) fn shares_room(one: &Partition, other: &Partition) -> bool {
    let private = one.is_private_by_place() || other.is_private_by_place();
    one.container() == other.container()
        && one.labels() == other.labels()
        && one.is_private_by_place() == other.is_private_by_place()
        && (!private || one.owner() == other.owner())
}

/// The row that carries the caller's own id, where the item makes one claim: it is a revision of that row.
fn own_row(examined: &Examined, known: &[Known]) -> Vec<MemoryId> {
    let custom_id = examined.labels.custom_id.as_ref();
    let statements = examined.ruling.claims.len() + examined.left_out.len();
    let single = statements == 1 && custom_id.is_some();
    let is_own = |known: &&Known| {
        known.row.custom_id.as_ref() == custom_id
            && known.row.partition.owner() == examined.partition.owner()
    };
    let own = known.iter().filter(|_| single).filter(is_own);
    own.map(|known| known.row.id).collect()
}

/// A claim, read for comparing by itself and beside the rows near it.
struct Says<'c> {
    by_itself: Challenger<'c>,
    said: &'c Reading,
    read: &'c ReadTogether,
}

fn compare(
    examined: &Examined,
    &Says {
        by_itself,
        said,
        read,
    }: &Says<'_>,
    own_row: &[MemoryId],
    rows: &[&Known],
) -> Reconciliation {
    let item = &examined.entry.item;
    let said_before = || {
        let same_words = digest_of_words(by_itself.text);
        let mut said = rows
            .iter()
            .map(|known| digest_of_words(known.row.content.as_str()));
        said.any(|words| words == same_words)
    };
    // The same words under the same id of the caller's are the same row, not a revision of it.
    let is_revision = !own_row.is_empty() && !said_before();
    let own_row = if is_revision { own_row } else { &[] };
    let supersedes = [&item.supersedes, own_row].concat();
    let challenger = Challenger {
        supersedes: &supersedes,
        retracts: &item.retracts,
        reader: Some(read),
        ..by_itself
    };
    let neighbours: Vec<_> = rows
        .iter()
        .map(|known| (neighbour(&known.row), known.said.reading()))
        .collect();
    reconcile_read(&challenger, said, &neighbours)
}

/// A known row as it is compared with.
pub(crate) fn neighbour(row: &Memory) -> Neighbour<'_> {
    Neighbour {
        id: row.id,
        text: row.content.as_str(),
        speaker: row.speaker.as_ref().map(Speaker::as_str),
        slot: row.slot.as_ref(),
        class: row.class,
        approved: row.approved,
        established: row.origins >= ORIGINS_THAT_ESTABLISH,
        observed_at: row.observed_at,
        validity: row.validity,
    }
}
