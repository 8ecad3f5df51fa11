//! How a claim stands to what is known: duplicate, support, a newer value, a contradiction, or something else.
//!
//! A pure function of the claim and the neighbours it is given; it finds none itself and changes none.
//! Nothing is overwritten here: the answer names the neighbour, the slot and the cue that decided.

mod closer;
mod compare;
mod difference;
mod ending_tables;
mod endings;
mod figures;
mod frames;
mod guard;
mod marks;
mod marks_tables;
mod names;
mod nature;
mod open;
mod past;
mod reading;
mod remainder;
mod same;
mod same_tables;
mod scope;
mod scope_tables;
mod slots;
mod split;
mod stances;
mod together;
mod told;
mod worded;
mod wording;
mod wording_tables;

use testimony_domain::{
    MemoryId, Reason, Slot, SlotKey, SourceClass, Speaker, Timestamp, Validity,
};

use crate::ruling::Claim;

use compare::{Pair, Side, stand};

pub use compare::{Reading, heard};
pub use reading::{PairOdds, PairReader, SAYS_NOTHING};

testimony_domain::words! {
    /// How a claim stands to a known one.
    pub enum Relation {
        /// The same words.
        Duplicate = "duplicate",
        /// The same in other words.
        Supporting = "supporting",
        /// A newer value of the same; it takes the place of the known one.
        Supersedes = "supersedes",
        /// It says otherwise, and does not take its place.
        Contradicts = "contradicts",
        /// Both can hold.
        Independent = "independent",
    }
}

testimony_domain::words! {
    /// What decided about the relation.
    pub enum Cue {
        /// The caller named the claim that this one replaces.
        CallerSupersedes = "caller_supersedes",
        /// The caller named the claim that this one takes back.
        CallerRetracts = "caller_retracts",
        /// The words are the same.
        SameWords = "same_words",
        /// The same slot has the same value.
        SameValue = "same_value",
        /// One value says more exactly what the other says.
        FinerValue = "finer_value",
        /// It says the same, and more beside it.
        SaysMore = "says_more",
        /// It says that something changed: "now", "moved", "changed to".
        Update = "update",
        /// It says that something was wrong: "correction", "actually".
        Correction = "correction",
        /// It says that something ended: "no longer".
        Ended = "ended",
        /// It says since when it holds, and that is later.
        LaterDate = "later_date",
        /// The same slot has another value, and nothing says that it changed.
        OtherValue = "other_value",
        /// One denies what the other states.
        Negation = "negation",
        /// One speaks of the past: "used to".
        History = "history",
        /// One holds for a short time only.
        Temporary = "temporary",
        /// The times for which they hold do not meet.
        OtherTime = "other_time",
        /// The attribute takes many values at once.
        ManyValued = "many_valued",
        /// They speak of different subjects.
        OtherSubject = "other_subject",
        /// They speak of different attributes.
        OtherAttribute = "other_attribute",
        /// They speak of different environments, regions or circumstances.
        OtherScope = "other_scope",
        /// It tells a part of what the other says anew, and the rest of that would be lost.
        PartOnly = "part_only",
        /// They have too little in common.
        Unrelated = "unrelated",
        /// How both are worded, by a table that was learnt from labelled pairs.
        Wording = "wording",
        /// What both say, by whoever reads them together.
        Reading = "reading",
        /// There was nothing to compare with.
        NothingKnown = "nothing_known",
    }
}

impl Cue {
    /// Whether what only supports a known row is kept in its own words: what says more, or is only worded or read alike,
    /// would be lost in the row that says less.
    #[must_use]
    pub const fn keeps_its_words(self) -> bool {
        matches!(self, Self::SaysMore | Self::Wording | Self::Reading)
    }
}

/// A claim that comes in.
#[derive(Clone, Copy)]
pub struct Challenger<'a> {
    /// What it says.
    pub text: &'a str,
    /// Who says it, as far as known.
    pub speaker: Option<&'a str>,
    /// Its slot, where it was drawn with one; else it is read from the text.
    pub slot: Option<&'a Slot>,
    /// Its class.
    pub class: SourceClass,
    /// When it was said.
    pub observed_at: Timestamp,
    /// When it holds, as far as it says.
    pub validity: Validity,
    /// Memories that its caller says it replaces.
    pub supersedes: &'a [MemoryId],
    /// Memories that its caller takes back with it.
    pub retracts: &'a [MemoryId],
    /// Who reads it beside a neighbour where rules and table leave open how they stand; `None` where nobody does.
    pub reader: Option<&'a dyn PairReader>,
}

impl<'a> Challenger<'a> {
    /// A claim of this class by itself: nobody names what it replaces, and nobody reads it beside others.
    #[must_use]
    pub fn of(claim: &'a Claim, class: SourceClass) -> Self {
        Self {
            text: claim.text.as_str(),
            speaker: claim.speaker.as_ref().map(Speaker::as_str),
            slot: claim.slot.as_ref(),
            class,
            observed_at: claim.observed_at,
            validity: claim.validity,
            supersedes: &[],
            retracts: &[],
            reader: None,
        }
    }
}

/// A claim that is known.
#[derive(Clone, Copy, Debug)]
pub struct Neighbour<'a> {
    /// Its id.
    pub id: MemoryId,
    /// What it says.
    pub text: &'a str,
    /// Who said it, as far as known.
    pub speaker: Option<&'a str>,
    /// Its slot, where it has one; else it is read from the text.
    pub slot: Option<&'a Slot>,
    /// Its class.
    pub class: SourceClass,
    /// Whether a person approved it.
    pub approved: bool,
    /// Whether at least two independent origins say it, so that one more voice of its own weak class does not unsettle it.
    pub established: bool,
    /// When it was said.
    pub observed_at: Timestamp,
    /// When it holds.
    pub validity: Validity,
}

/// How a claim stands to one neighbour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// The neighbour.
    pub neighbour: MemoryId,
    /// How the claim stands to it.
    pub relation: Relation,
    /// The slot over which they meet, if they meet over one.
    pub slot: Option<SlotKey>,
    /// What decided.
    pub cue: Cue,
    /// Why, as it is told.
    pub reason: Reason,
}

/// How a claim stands to everything that it was compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reconciliation {
    /// The relation that decides what becomes of the claim.
    pub relation: Relation,
    /// The neighbour that decided; `None` where nothing known speaks of the same.
    pub neighbour: Option<MemoryId>,
    /// The slot over which they meet.
    pub slot: Option<SlotKey>,
    /// What decided.
    pub cue: Cue,
    /// Why, as it is told.
    pub reason: Reason,
    /// Every neighbour that is not independent of the claim, the deciding one first.
    pub stands: Vec<Stand>,
}

/// Tells how `challenger` stands to each of `neighbours`, and which of them decides.
///
/// A contradiction decides before a newer value, so that nothing is replaced while something stands against it; both
/// decide before support.
#[must_use]
pub fn reconcile(challenger: &Challenger<'_>, neighbours: &[Neighbour<'_>]) -> Reconciliation {
    let readings: Vec<Reading> = neighbours.iter().map(Reading::of_neighbour).collect();
    let read: Vec<_> = neighbours.iter().copied().zip(&readings).collect();
    reconcile_read(challenger, &Reading::of_challenger(challenger), &read)
}

/// The same, where each was read before: most of what comparing costs is reading, and whoever compares several claims
/// with the same neighbours reads each of them once.
#[must_use]
pub fn reconcile_read(
    challenger: &Challenger<'_>,
    reading: &Reading,
    neighbours: &[(Neighbour<'_>, &Reading)],
) -> Reconciliation {
    let side = Side::new(reading, challenger.slot, challenger.validity);
    let all: Vec<Stand> = neighbours
        .iter()
        .map(|(neighbour, known)| stand(&Pair::new(challenger, &side, neighbour, known)))
        .collect();
    let nearest = all.iter().min_by_key(|stand| rank(stand)).cloned();
    let mut stands: Vec<Stand> = all
        .into_iter()
        .filter(|stand| stand.relation != Relation::Independent)
        .collect();
    stands.sort_by_key(rank);
    match nearest {
        Some(Stand {
            relation: Relation::Independent,
            cue,
            ..
        }) => independent(cue),
        Some(first) => Reconciliation {
            relation: first.relation,
            neighbour: Some(first.neighbour),
            slot: first.slot,
            cue: first.cue,
            reason: first.reason,
            stands,
        },
        None => independent(Cue::NothingKnown),
    }
}

/// Those of the neighbours beside which the claim may have to be read, so that whoever reads beforehand compares no others.
#[must_use]
pub fn may_be_read<'n>(
    challenger: &Challenger<'_>,
    reading: &Reading,
    neighbours: impl Iterator<Item = (Neighbour<'n>, &'n Reading)>,
) -> Vec<(Neighbour<'n>, &'n Reading)> {
    let side = Side::new(reading, challenger.slot, challenger.validity);
    let may = |(neighbour, known): &(Neighbour<'_>, &Reading)| {
        reading::are_worth_reading(&Pair::new(challenger, &side, neighbour, known))
    };
    neighbours.filter(may).collect()
}

/// The signs by which a claim beside a neighbour is told from others, as [`together`] writes them.
#[must_use]
pub fn signs_of_pair(challenger: &Challenger<'_>, neighbour: &Neighbour<'_>) -> Vec<String> {
    paired(challenger, neighbour, compare::signs)
}

/// Whether the rules leave open how a claim stands to a neighbour, so that the table is asked.
#[must_use]
pub fn may_be_told_together(challenger: &Challenger<'_>, neighbour: &Neighbour<'_>) -> bool {
    paired(challenger, neighbour, compare::is_left_open)
}

fn paired<R>(
    challenger: &Challenger<'_>,
    neighbour: &Neighbour<'_>,
    look: impl Fn(&Pair<'_>) -> R,
) -> R {
    let reading = Reading::of_challenger(challenger);
    let known = Reading::of_neighbour(neighbour);
    let side = Side::new(&reading, challenger.slot, challenger.validity);
    look(&Pair::new(challenger, &side, neighbour, &known))
}

const fn independent(cue: Cue) -> Reconciliation {
    Reconciliation {
        relation: Relation::Independent,
        neighbour: None,
        slot: None,
        cue,
        reason: Reason::Novel,
        stands: Vec::new(),
    }
}

/// Which decides before which: what says no more than a known one is lost in nothing.
fn rank(stand: &Stand) -> u8 {
    match stand.relation {
        Relation::Duplicate => 0,
        Relation::Contradicts => 1,
        Relation::Supersedes => 2,
        Relation::Supporting if !stand.cue.keeps_its_words() => 3,
        Relation::Supporting => 4,
        Relation::Independent => 5,
    }
}
