//! Which rows a search is about: first who may know of them, then which of them are wanted, and for which cut.
//!
//! All of it is decided before anything is cut, so that no row that cannot be shown takes the room of one that can.

use testimony_domain::{EffectiveIdentity, Standing, Tag, Timestamp};
use testimony_recall::{Filters, TagMatch, TagMode, TimeIntent, View};
use testimony_service::ports::index::Cut;

use super::interner::Interner;
use super::place::Shelf;
use super::rows::{Census, Cold, Hot, Rows, kind_is, nanoseconds, plane_is, scope_is};

/// How many cuts are made in one pass; the bit behind them says that a row is visible.
pub(super) const CUTS_AT_ONCE: usize = 31;
const VISIBLE: u32 = 1 << CUTS_AT_ONCE;

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
pub(super) struct Marks(Vec<u32>);

impl Marks {
    /// Marks the rows for up to [`CUTS_AT_ONCE`] cuts.
    pub(super) fn of(
        rows: &Rows,
        sight: &Sight,
        filters: &Filters,
        now: Timestamp,
        cuts: &[Cut<'_>],
    ) -> Self {
        let table = CutTable::of(sight.shelf, now, cuts);
        let mut filter = Filter::of(rows, filters);
        let marks = rows.hot.iter().zip(&rows.cold).map(|(hot, cold)| {
            if sight.visible.get(hot.place as usize).copied() != Some(true) {
                return 0;
            }
            let cuts = table.cuts_of(hot, cold);
            if cuts != 0 && filter.passes(hot, cold) {
                VISIBLE | cuts
            } else {
                VISIBLE
            }
        });
        Self(marks.collect())
    }

    pub(super) fn is_visible(&self, slot: u32) -> bool {
        self.0
            .get(slot as usize)
            .is_some_and(|mark| mark & VISIBLE != 0)
    }

    /// For every slot in its order the cuts that want its row, as bits.
    pub(super) fn all_cuts(&self) -> impl ExactSizeIterator<Item = u32> {
        self.0.iter().map(|mark| mark & !VISIBLE)
    }
}

/// The cuts, turned so that a row finds its own by its standing.
struct CutTable {
    by_standing: [u32; Standing::ALL.len()],
    /// Cuts that are about now.
    current: u32,
    now: i64,
    /// Cuts that are about another instant.
    as_of: Vec<(u32, i64)>,
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

    fn cuts_of(&self, hot: &Hot, cold: &Cold) -> u32 {
        let standing = usize::from(hot.standing);
        let mut cuts = self.by_standing.get(standing).copied().unwrap_or(0);
        if cuts & self.current != 0
            && hot.can_end
            && !(hot.from <= self.now && self.now < hot.until)
        {
            cuts &= !self.current;
        }
        if self.judged_as_of.get(standing).copied() == Some(true) {
            for (bit, instant) in &self.as_of {
                if !(cold.known <= *instant && *instant < hot.until) {
                    cuts &= !bit;
                }
            }
        }
        cuts
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

/// The filters of a request, with their words looked up once.
struct Filter<'a> {
    wanted: &'a Filters,
    tags: &'a Interner<Vec<Tag>>,
    /// What was found about each set of tags so far.
    known: Vec<Option<bool>>,
    source: Lookup,
    app: Lookup,
    after: i64,
    before: i64,
    is_open: bool,
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
    fn of(rows: &'a Rows, wanted: &'a Filters) -> Self {
        Self {
            wanted,
            tags: &rows.tags,
            known: Vec::new(),
            source: Lookup::of(wanted.source.as_ref(), &rows.sources),
            app: Lookup::of(wanted.source_app.as_ref(), &rows.apps),
            after: wanted.created_after.map_or(i64::MIN, nanoseconds),
            before: wanted.created_before.map_or(i64::MAX, nanoseconds),
            is_open: *wanted == Filters::default(),
        }
    }

    fn passes(&mut self, hot: &Hot, cold: &Cold) -> bool {
        if self.is_open {
            return true;
        }
        let wanted = self.wanted;
        wanted.kind.is_none_or(|it| kind_is(hot.kind, it))
            && wanted.plane.is_none_or(|it| plane_is(cold.plane, it))
            && wanted.scope.is_none_or(|it| scope_is(cold.scope, it))
            && self.after <= cold.created
            && (wanted.created_before.is_none() || cold.created < self.before)
            && self.source.passes(cold.source)
            && self.app.passes(cold.app)
            && self.tags_fit(cold.tags)
    }

    fn tags_fit(&mut self, number: u32) -> bool {
        let wanted = self.wanted;
        if wanted.tags.is_empty() && wanted.exclude_tags.is_empty() {
            return true;
        }
        self.known.resize(self.tags.len(), None);
        let Some(known) = self.known.get_mut(number as usize) else {
            return false;
        };
        *known.get_or_insert_with(|| {
            let tags = self.tags.value(number).map_or(&[][..], Vec::as_slice);
            let carries = |asked: &Tag| tags.iter().any(|tag| tag_is(tag, asked, wanted.tag_match));
            let included = match wanted.tag_mode {
                TagMode::All => wanted.tags.iter().all(carries),
                TagMode::Any => wanted.tags.is_empty() || wanted.tags.iter().any(carries),
            };
            included && !wanted.exclude_tags.iter().any(carries)
        })
    }
}

fn tag_is(tag: &Tag, asked: &Tag, how: TagMatch) -> bool {
    match how {
        TagMatch::Exact => tag == asked,
        TagMatch::Prefix => tag.as_str().starts_with(asked.as_str()),
    }
}
