//! Which rows a search is about: first who may know of them, then which of them are wanted, and for which cut.
//!
//! All of it is decided before anything is cut, so that no row that cannot be shown takes the room of one that can.

use testimony_domain::{EffectiveIdentity, Standing, Tag, Timestamp};
use testimony_recall::{Filters, TagMatch, TagMode, TimeIntent, View};
use testimony_service::ports::index::Cut;

use super::interner::Interner;
use super::place::Shelf;
use super::rows::{Census, Profile, Rows, Times, kind_is, nanoseconds, plane_is, scope_is};

/// How many cuts are made in one pass; the bit behind them says that a row is visible.
pub(super) const CUTS_AT_ONCE: usize = 7;
const VISIBLE: u8 = 1 << CUTS_AT_ONCE;

/// The cuts that want a row of this mark, as bits.
#[inline(always)]
pub(super) const fn cuts_of(mark: u8) -> u8 {
    mark & !VISIBLE
}

/// Who looks, and so which rows there are.
#[derive(Debug)]
pub(super) struct Sight {
    /// By the number of a place.
    visible: Vec<bool>,
    /// Over the visible places alone.
    pub(super) census: Census,
    shelf: Shelf,
}

impl Sight {
    pub(super) fn of(rows: &Rows, who: &EffectiveIdentity, view: View, now: Timestamp) -> Self {
        let shelf = Shelf::reached(who, view, now);
        let sees = |place: &super::place::PlaceKey| place.is_visible_to(who, shelf);
        let visible: Vec<bool> = rows.places.values().map(sees).collect();
        let mut census = Census::default();
        for (of_place, _) in rows
            .census
            .iter()
            .zip(&visible)
            .filter(|(_, visible)| **visible)
        {
            census.rows += of_place.rows;
            census.tokens += of_place.tokens;
        }
        Self {
            visible,
            census,
            shelf,
        }
    }
}

/// What is known of every slot before any channel looks: whether the row is visible, and which cuts want it.
#[derive(Debug)]
pub(super) struct Marks {
    by_slot: Vec<u8>,
    /// The cuts that want the rows of one profile, as bits, each once, where any cut does.
    kinds: Vec<u8>,
}

impl Marks {
    /// Marks the rows for up to [`CUTS_AT_ONCE`] cuts: by their profiles first, and then by what each row has of its own,
    /// as far as anybody asks.
    pub(super) fn of(
        rows: &Rows,
        sight: &Sight,
        filters: &Filters,
        now: Timestamp,
        cuts: &[Cut<'_>],
    ) -> Self {
        let table = CutTable::of(sight.shelf, now, cuts);
        let filter = Filter::of(rows, filters);
        let verdicts: Vec<Verdict> = rows
            .profiles
            .values()
            .map(|profile| table.verdict(profile, sight, &filter))
            .collect();
        let by_profile: Vec<u8> = verdicts.iter().map(|verdict| verdict.mark).collect();
        let mut marks = Self {
            by_slot: vec![u8::MAX; rows.profile.len()],
            kinds: kinds_of(&by_profile),
        };
        leave(&mut marks.by_slot, &rows.profile, &by_profile, 0);
        marks.judge_times(rows, &verdicts, &table);
        marks.filter_by_creation(rows, filters);
        marks.filter_by_tags(rows, filters);
        marks
    }

    /// Rows that everybody sees, each wanted by these cuts.
    #[cfg(test)]
    pub(super) fn wanted_by(cuts: &[u8]) -> Self {
        let by_slot: Vec<u8> = cuts.iter().map(|cuts| VISIBLE | cuts_of(*cuts)).collect();
        let kinds = kinds_of(&by_slot);
        Self { by_slot, kinds }
    }

    /// Takes rows out of cuts that are about a time when they did not hold.
    fn judge_times(&mut self, rows: &Rows, verdicts: &[Verdict], table: &CutTable) {
        if verdicts.iter().all(|verdict| verdict.asks_times == 0) {
            return;
        }
        let asks: Vec<u8> = verdicts.iter().map(|verdict| verdict.asks_times).collect();
        for (mark, (profile, times)) in self
            .by_slot
            .iter_mut()
            .zip(rows.profile.iter().zip(&rows.times))
        {
            let asks = asks.get(*profile as usize).copied().unwrap_or(0) & *mark;
            if asks != 0 {
                *mark &= !(asks & table.out_of_time(times));
            }
        }
    }

    fn filter_by_creation(&mut self, rows: &Rows, filters: &Filters) {
        if filters.created_after.is_none() && filters.created_before.is_none() {
            return;
        }
        let after = filters.created_after.map_or(i64::MIN, nanoseconds);
        let before = filters.created_before.map_or(i64::MAX, nanoseconds);
        let no_end = filters.created_before.is_none();
        for (mark, created) in self.by_slot.iter_mut().zip(&rows.created) {
            let keep = u8::from((after <= *created) & (no_end | (*created < before)));
            *mark &= VISIBLE | 0_u8.wrapping_sub(keep);
        }
    }

    fn filter_by_tags(&mut self, rows: &Rows, filters: &Filters) {
        if filters.tags.is_empty() && filters.exclude_tags.is_empty() {
            return;
        }
        let keeps = |tags: &Vec<Tag>| {
            if tags_fit(tags, filters) {
                u8::MAX
            } else {
                VISIBLE
            }
        };
        let keeps: Vec<u8> = rows.tags.values().map(keeps).collect();
        leave(&mut self.by_slot, &rows.tags_of, &keeps, VISIBLE);
    }

    pub(super) fn is_visible(&self, slot: u32) -> bool {
        self.by_slot
            .get(slot as usize)
            .is_some_and(|mark| mark & VISIBLE != 0)
    }

    /// For every slot in its order its mark, of which [`cuts_of`] makes the cuts.
    pub(super) fn of_all(&self) -> &[u8] {
        &self.by_slot
    }

    /// For every slot in its order the cuts that want its row, as bits.
    pub(super) fn cuts(&self) -> impl ExactSizeIterator<Item = u8> {
        self.by_slot.iter().map(|mark| cuts_of(*mark))
    }

    /// The cuts that want a row, as bits, in the sets in which they can want one; some of a set may not want it.
    pub(super) fn kinds(&self) -> &[u8] {
        &self.kinds
    }

    /// The cuts that want the row in a slot.
    pub(super) fn cuts_of(&self, slot: u32) -> u8 {
        let mark = self.by_slot.get(slot as usize);
        mark.map_or(0, |mark| cuts_of(*mark))
    }
}

/// Leaves of each mark what a table says of the number of its row; `unknown` is said of a number that the table has not.
fn leave(marks: &mut [u8], numbers: &[u32], table: &[u8], unknown: u8) {
    let each = marks.iter_mut().zip(numbers);
    if let Some(few) = few(table, unknown) {
        // Nothing has to be decided for a row.
        for (mark, number) in each {
            let number = (*number).min(u32::from(u8::MAX)) as u8;
            *mark &= few.get(usize::from(number)).copied().unwrap_or(unknown);
        }
    } else {
        for (mark, number) in each {
            *mark &= table.get(*number as usize).copied().unwrap_or(unknown);
        }
    }
}

/// A table of fewer numbers than a byte has, with room for every byte.
fn few(table: &[u8], unknown: u8) -> Option<[u8; 256]> {
    let mut few = [unknown; 256];
    let (known, [_]) = few.split_at_mut(255) else {
        return None;
    };
    known.get_mut(..table.len())?.copy_from_slice(table);
    Some(few)
}

fn kinds_of(marks: &[u8]) -> Vec<u8> {
    let mut kinds: Vec<u8> = marks.iter().map(|mark| cuts_of(*mark)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.retain(|cuts| *cuts != 0);
    kinds
}

/// What is the same for all rows of a profile.
struct Verdict {
    /// Whether they are visible, and which cuts want them as far as a profile says.
    mark: u8,
    /// The cuts for which the times of a row have to be asked.
    asks_times: u8,
}

/// The cuts, turned so that a row finds its own by its standing.
struct CutTable {
    by_standing: [u8; Standing::ALL.len()],
    /// Cuts that are about now.
    current: u8,
    now: i64,
    /// Cuts that are about another instant.
    as_of: Vec<(u8, i64)>,
    /// Whether a row of a standing is judged by what was known at that instant.
    judged_as_of: [bool; Standing::ALL.len()],
}

impl CutTable {
    fn of(shelf: Shelf, now: Timestamp, cuts: &[Cut<'_>]) -> Self {
        let mut table = Self {
            by_standing: [0; Standing::ALL.len()],
            current: 0,
            now: nanoseconds(now),
            as_of: Vec::new(),
            judged_as_of: [false; Standing::ALL.len()],
        };
        for (at, cut) in cuts.iter().take(CUTS_AT_ONCE).enumerate() {
            let bit = 1 << at;
            for standing in cut.standings {
                if let Some(bits) = table.by_standing.get_mut(*standing as usize) {
                    *bits |= bit;
                }
            }
            match cut.time {
                TimeIntent::Current => table.current |= bit,
                TimeIntent::AsOf(instant) => table.as_of.push((bit, nanoseconds(instant))),
                TimeIntent::Historical | TimeIntent::Any => {}
            }
        }
        for (judged, standing) in table.judged_as_of.iter_mut().zip(Standing::ALL) {
            *judged = is_judged_as_of(*standing, shelf);
        }
        table
    }

    fn verdict(&self, profile: &Profile, sight: &Sight, filter: &Filter<'_>) -> Verdict {
        if sight.visible.get(profile.place as usize).copied() != Some(true) {
            return Verdict {
                mark: 0,
                asks_times: 0,
            };
        }
        let standing = usize::from(profile.standing);
        let cuts = self.by_standing.get(standing).copied().unwrap_or(0);
        let cuts = if filter.passes(profile) { cuts } else { 0 };
        let mut asks_times = 0;
        if profile.can_end && profile.is_bounded {
            asks_times |= cuts & self.current;
        }
        if self.judged_as_of.get(standing).copied() == Some(true) {
            asks_times |= self
                .as_of
                .iter()
                .fold(0, |bits, (bit, _)| bits | cuts & bit);
        }
        Verdict {
            mark: VISIBLE | cuts,
            asks_times,
        }
    }

    /// The cuts that are about a time when a row with these times did not hold.
    fn out_of_time(&self, times: &Times) -> u8 {
        let holds_now = times.from <= self.now && self.now < times.until;
        let mut out = if holds_now { 0 } else { self.current };
        for (bit, instant) in &self.as_of {
            if !(times.known <= *instant && *instant < times.until) {
                out |= bit;
            }
        }
        out
    }
}

/// What only a reviewer or an operator is shown is no matter of time, and operators see what is over as well.
fn is_judged_as_of(standing: Standing, shelf: Shelf) -> bool {
    match standing {
        Standing::CleanPerson
        | Standing::CleanTool
        | Standing::SingleOrigin
        | Standing::Established
        | Standing::AwaitsReview
        | Standing::Contested => true,
        Standing::Superseded | Standing::Expired => shelf != Shelf::Forensic,
        Standing::Quarantined | Standing::Forensic | Standing::Rejected | Standing::Erased => false,
    }
}

/// What a request asks of the profile of a row, with its words looked up once.
struct Filter<'a> {
    wanted: &'a Filters,
    source: Lookup,
    app: Lookup,
}

/// A word that a filter asks for, by its number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lookup {
    NotAsked,
    Unknown,
    Is(u32),
}

impl Lookup {
    fn of<T: Eq + std::hash::Hash>(asked: Option<&T>, values: &Interner<T>) -> Self {
        asked.map_or(Self::NotAsked, |asked| {
            values.find(asked).map_or(Self::Unknown, Self::Is)
        })
    }

    fn passes(self, number: u32) -> bool {
        match self {
            Self::NotAsked => true,
            Self::Unknown => false,
            Self::Is(asked) => asked == number,
        }
    }
}

impl<'a> Filter<'a> {
    fn of(rows: &Rows, wanted: &'a Filters) -> Self {
        Self {
            wanted,
            source: Lookup::of(wanted.source.as_ref(), &rows.sources),
            app: Lookup::of(wanted.source_app.as_ref(), &rows.apps),
        }
    }

    fn passes(&self, profile: &Profile) -> bool {
        let wanted = self.wanted;
        wanted.kind.is_none_or(|it| kind_is(profile.kind, it))
            && wanted.plane.is_none_or(|it| plane_is(profile.plane, it))
            && wanted.scope.is_none_or(|it| scope_is(profile.scope, it))
            && self.source.passes(profile.source)
            && self.app.passes(profile.app)
    }
}

fn tags_fit(tags: &[Tag], wanted: &Filters) -> bool {
    let carries = |asked: &Tag| tags.iter().any(|tag| tag_is(tag, asked, wanted.tag_match));
    let included = match wanted.tag_mode {
        TagMode::All => wanted.tags.iter().all(carries),
        TagMode::Any => wanted.tags.is_empty() || wanted.tags.iter().any(carries),
    };
    included && !wanted.exclude_tags.iter().any(carries)
}

fn tag_is(tag: &Tag, asked: &Tag, how: TagMatch) -> bool {
    match how {
        TagMatch::Exact => tag == asked,
        TagMatch::Prefix => tag.as_str().starts_with(asked.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_says_the_same_however_many_numbers_it_has() {
        let numbers: Vec<u32> = (0..310).chain([u32::MAX]).collect();
        for count in [0, 3, 254, 255, 256, 300] {
            let table: Vec<u8> = (0..=250).cycle().take(count).collect();
            let mut marks = vec![u8::MAX; numbers.len()];
            leave(&mut marks, &numbers, &table, VISIBLE);
            for (mark, number) in marks.iter().zip(&numbers) {
                let said = table.get(*number as usize);
                assert_eq!(said.unwrap_or(&VISIBLE), mark, "{number} of {count}");
            }
        }
    }
}
