//! What a caller may ask for beside the question itself: how strict, which view, which time, which rows, how many.
//!
//! Every field narrows, orders or hints; none of them widens what an identity may see.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use testimony_domain::{
    Invalid, MemoryId, MemoryKind, MemoryScope, Plane, Problem, RecallLimit, SourceApp,
    SourceLabel, Tag, Threshold, Timestamp, TrustPolicy, words,
};

words! {
    /// Which side of memory is looked at. All but the first need a capability.
    pub enum View {
        /// What an assistant may be told: hard suppression of everything that is not memory.
        Assistant = "assistant",
        /// What a reviewer works on: also what waits, what was rejected and what is quarantined for an injection.
        Review = "review",
        /// What an operator investigates: every row that still has content.
        Forensic = "forensic",
    }
}

words! {
    /// Which channels found the candidates.
    pub enum Mode {
        /// Words and meaning.
        Hybrid = "hybrid",
        /// Meaning alone.
        Semantic = "semantic",
        /// Words alone.
        Keyword = "keyword",
    }
}

words! {
    /// The order of the results.
    pub enum Sort {
        /// The best answer first.
        Score = "score",
        /// The latest said first.
        Recent = "recent",
        /// The earliest said first.
        Oldest = "oldest",
    }
}

words! {
    /// How many of the asked tags a row has to carry.
    pub enum TagMode {
        /// Every one of them.
        All = "all",
        /// At least one of them.
        Any = "any",
    }
}

words! {
    /// When a tag of a row is the asked tag.
    pub enum TagMatch {
        /// When they are the same.
        Exact = "exact",
        /// When it starts with the asked tag.
        Prefix = "prefix",
    }
}

/// The time that a question is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeIntent {
    /// What holds now.
    #[default]
    Current,
    /// What held at some time, whether or not it still does.
    Historical,
    /// What was known to hold at this instant.
    AsOf(Timestamp),
    /// Whatever was ever known; currentness plays no part, not even in the order.
    Any,
}

impl TimeIntent {
    const ALLOWED: &'static [&'static str] = &["current", "historical", "as_of:<date>", "any"];

    /// Reads `time_query` as sent in `field`: `current`, `historical`, `any`, or `as_of:` with a date or an instant.
    ///
    /// A date means its last instant, in UTC: what was known when that day ended.
    ///
    /// # Errors
    /// [`Invalid`] when it is none of these, or what follows `as_of:` is no date.
    pub fn parse(field: &str, text: &str) -> Result<Self, Invalid> {
        match text {
            "current" => Ok(Self::Current),
            "historical" => Ok(Self::Historical),
            "any" => Ok(Self::Any),
            other => match other.strip_prefix("as_of:") {
                Some(when) => instant_of(when.trim()).map(Self::AsOf).ok_or_else(|| {
                    let expected = "as_of:2026-03-31 or as_of:2026-03-31T12:00:00Z";
                    Invalid::new(field, Problem::Malformed { expected })
                }),
                None => Err(Invalid::new(
                    field,
                    Problem::NotOneOf {
                        allowed: Self::ALLOWED,
                    },
                )),
            },
        }
    }

    /// Whether rows that no longer hold may answer.
    #[must_use]
    pub const fn looks_back(self) -> bool {
        match self {
            Self::Current => false,
            Self::Historical | Self::AsOf(_) | Self::Any => true,
        }
    }
}

/// Reads `created_after` or `created_before` as sent in `field`: an instant, or a date, which means when it begins, in
/// UTC.
///
/// # Errors
/// [`Invalid`] when it is neither.
pub fn parse_bound(field: &str, text: &str) -> Result<Timestamp, Invalid> {
    let begins = |day: Date| Some(day.to_zoned(TimeZone::UTC).ok()?.timestamp());
    let instant = text.parse().ok();
    let read = instant.or_else(|| begins(text.parse::<Date>().ok()?));
    read.ok_or_else(|| {
        let expected = "2026-03-31 or 2026-03-31T12:00:00Z";
        Invalid::new(field, Problem::Malformed { expected })
    })
}

fn instant_of(text: &str) -> Option<Timestamp> {
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(instant);
    }
    end_of_day(text.parse::<Date>().ok()?)
}

/// The last instant of a day, in UTC.
pub(crate) fn end_of_day(day: Date) -> Option<Timestamp> {
    let last = day
        .at(23, 59, 59, 999_999_999)
        .to_zoned(TimeZone::UTC)
        .ok()?;
    Some(last.timestamp())
}

/// Which rows a request wants at all. An absent or empty filter lets everything through.
#[derive(Clone, Debug, PartialEq)]
pub struct Filters {
    /// The plane.
    pub plane: Option<Plane>,
    /// The scope.
    pub scope: Option<MemoryScope>,
    /// What kind of memory.
    pub kind: Option<MemoryKind>,
    /// Tags that rows carry.
    pub tags: Vec<Tag>,
    /// Whether all of `tags` or one of them.
    pub tag_mode: TagMode,
    /// How a tag is compared, for `tags` and `exclude_tags` alike.
    pub tag_match: TagMatch,
    /// Tags that rows do not carry.
    pub exclude_tags: Vec<Tag>,
    /// The source label.
    pub source: Option<SourceLabel>,
    /// The application that wrote the row.
    pub source_app: Option<SourceApp>,
    /// Kept at or after this instant.
    pub created_after: Option<Timestamp>,
    /// Kept before this instant.
    pub created_before: Option<Timestamp>,
}

impl Default for Filters {
    fn default() -> Self {
        Self {
            plane: None,
            scope: None,
            kind: None,
            tags: Vec::new(),
            tag_mode: TagMode::All,
            tag_match: TagMatch::Exact,
            exclude_tags: Vec::new(),
            source: None,
            source_app: None,
            created_after: None,
            created_before: None,
        }
    }
}

/// What a request asks for beside its question.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How many results at most.
    pub limit: RecallLimit,
    /// The caller's own floor, on top of the system's.
    pub threshold: Threshold,
    /// Which channels count.
    pub mode: Mode,
    /// How strict.
    pub trust_policy: TrustPolicy,
    /// Which view.
    pub view: View,
    /// The order of the results.
    pub sort: Sort,
    /// Which rows.
    pub filters: Filters,
    /// The time asked about; absent, it is read from the question.
    pub time_query: Option<TimeIntent>,
    /// Rows that go first when they are eligible.
    pub priority_ids: Vec<MemoryId>,
    /// Tags that lift a row in the order, and never over the floor.
    pub context_tags: Vec<Tag>,
    /// Kinds that lift a row in the order, and never over the floor.
    pub context_types: Vec<MemoryKind>,
    /// Whether the graph channel counts.
    pub graph_traversal: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limit: RecallLimit::default(),
            threshold: Threshold::default(),
            mode: Mode::Hybrid,
            trust_policy: TrustPolicy::Off,
            view: View::Assistant,
            sort: Sort::Score,
            filters: Filters::default(),
            time_query: None,
            priority_ids: Vec::new(),
            context_tags: Vec::new(),
            context_types: Vec::new(),
            graph_traversal: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_instants_or_the_beginning_of_a_day() {
        let read = |text| parse_bound("created_after", text);
        assert_eq!(read("2026-03-31"), read("2026-03-31T00:00:00Z"));
        assert_eq!(read("2026-03-31T02:00:00+02:00"), read("2026-03-31"));
        assert!(read("last week").is_err());
    }

    #[test]
    fn time_queries_are_read_or_refused_with_the_allowed_words() {
        assert_eq!(TimeIntent::parse("time_query", "any"), Ok(TimeIntent::Any));
        let noon = "2026-03-31T12:00:00Z".parse().unwrap();
        assert_eq!(
            TimeIntent::parse("time_query", "as_of:2026-03-31T12:00:00Z"),
            Ok(TimeIntent::AsOf(noon))
        );
        let evening = "2026-03-31T23:59:59.999999999Z".parse().unwrap();
        assert_eq!(
            TimeIntent::parse("time_query", "as_of:2026-03-31"),
            Ok(TimeIntent::AsOf(evening))
        );
        let refused = TimeIntent::parse("time_query", "yesterday").unwrap_err();
        assert!(refused.to_string().contains("as_of:<date>"), "{refused}");
        assert!(TimeIntent::parse("time_query", "as_of:soon").is_err());
    }
}
