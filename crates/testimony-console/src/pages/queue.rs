//! One queue of all that waits for a person: a section a kind, in the order in which it is worth deciding, of each the
//! oldest groups first. Cases, and rows about which nobody was asked, stand in one list.

use maud::{Markup, html};
use serde_json::Value;

use super::review::{Alike, KINDS, Shown, as_case, cards};
use crate::desk::Refused;
use crate::parts::frame::empty;
use crate::serve::Room;
use crate::text::{at, count, fields, flag, link, list, said as told, text, whole};

/// So many groups of a kind stand on the page of all kinds: enough to begin with, and no kind hides the next.
const FIRST: usize = 5;
/// So many on the page of one.
const PART: usize = 25;

/// How much waits, by kind.
pub(super) struct Open {
    cases: Value,
    /// Rows about which no case is open, in groups, from where the page goes on.
    rows: Value,
    /// How many of them there are in all, and whether there are more than were counted.
    waiting: (u64, bool),
}

impl Open {
    pub(super) fn of(room: &Room<'_>, container: &str, base: &str) -> Result<Self, Refused> {
        let asked = fields(&[("limit", "1")]);
        let mut found = room.desk.ask("GET", &format!("{base}/groups"), asked)?;
        let rows = room.desk.waiting_groups(container, "")?;
        Ok(Self {
            cases: found.get_mut("kinds").map(Value::take).unwrap_or_default(),
            waiting: (whole(&rows, "rows"), flag(&rows, "more")),
            rows: match room.visit.or_empty("rows_after") {
                "" => rows,
                after => room.desk.waiting_groups(container, after)?,
            },
        })
    }

    fn number(&self, kind: &str) -> u64 {
        let rows = if kind == "pending" { self.waiting.0 } else { 0 };
        whole(&self.cases, kind) + rows
    }

    /// How much of a kind waits, or of all where none is named; nothing where nothing does.
    pub(super) fn of_kind(&self, kind: &str) -> Option<String> {
        let number = match kind {
            "" => KINDS.iter().map(|(word, ..)| self.number(word)).sum(),
            kind => self.number(kind),
        };
        let is_short = self.waiting.1 && matches!(kind, "" | "pending");
        let more = if is_short { "+" } else { "" };
        (number > 0).then(|| format!("{}{more}", count(number)))
    }
}

/// The sections that are wanted and hold something.
pub(super) fn sections(
    room: &Room<'_>,
    container: &str,
    base: &str,
    open: &Open,
) -> Result<Markup, Refused> {
    let wanted = room.visit.or_empty("kind");
    let mut all = Vec::new();
    for (kind, name, _, why) in KINDS {
        if (wanted.is_empty() || wanted == *kind) && open.number(kind) > 0 {
            all.push((Section::of(room, base, open, kind)?, *name, *why));
        }
    }
    let shown: Vec<Vec<Shown<'_>>> = all.iter().map(|(section, ..)| section.shown()).collect();
    let behind = |place: usize| shown.iter().skip(place + 1).flatten().next();
    Ok(html! {
        @if shown.iter().all(Vec::is_empty) { (nothing()) }
        @for (place, ((section, name, why), cases)) in all.iter().zip(&shown).enumerate() {
            header.kind {
                h2 { (name) " " span.number { (open.of_kind(section.kind).unwrap_or_default()) } }
                p.note { (why) }
            }
            (cards(room, cases, &behind(place).map_or_else(String::new, Shown::mark)))
            (section.ways_on(container))
        }
    })
}

fn nothing() -> Markup {
    empty(
        "Nothing waits",
        &html! {
            p { "What a person has to look at appears here: contradictions, statements of one origin, what looks like an injection. Lifecycle logs, test rows and other residue never ask." }
        },
    )
}

/// What waits of one kind.
struct Section<'o> {
    kind: &'static str,
    /// Whether it stands among others, and shows only its beginning.
    is_one_of_many: bool,
    /// Groups of cases.
    groups: Value,
    /// Groups of rows about which no case is open, each with its first as if there were one.
    rows: Vec<(&'o Value, Value)>,
    /// Where rows go on.
    rows_next: Option<&'o str>,
}

impl<'o> Section<'o> {
    fn of(
        room: &Room<'_>,
        base: &str,
        open: &'o Open,
        kind: &'static str,
    ) -> Result<Self, Refused> {
        let visit = room.visit;
        let is_one_of_many = visit.or_empty("kind").is_empty();
        let (after, goes_on_in_rows) = (visit.or_empty("after"), visit.get("rows_after").is_some());
        let limit = if is_one_of_many { FIRST } else { PART }.to_string();
        let asked = fields(&[("kind", kind), ("after", after), ("limit", &limit)]);
        let groups = match goes_on_in_rows {
            true => Value::Null,
            false => room.desk.ask("GET", &format!("{base}/groups"), asked)?,
        };
        let has_rows = kind == "pending" && after.is_empty();
        let rows = if has_rows {
            list(&open.rows, "items")
        } else {
            &[]
        };
        Ok(Self {
            kind,
            is_one_of_many,
            groups,
            rows: rows
                .iter()
                .map(|group| (group, as_case(at(group, "first"))))
                .collect(),
            rows_next: told(&open.rows, "next").filter(|_| has_rows),
        })
    }

    /// Cases, and behind them rows; rows of a group that a case stands for already are counted with it.
    fn shown(&self) -> Vec<Shown<'_>> {
        let of_cases = list(&self.groups, "items");
        let stands_for = |case: &Value, row: &Value| text(case, "group") == text(row, "group");
        let rows_of = |case: &Value| -> u64 {
            let alike = self.rows.iter().filter(|(row, _)| stands_for(case, row));
            alike.map(|(row, _)| whole(row, "rows")).sum()
        };
        let cases = of_cases.iter().map(|group| {
            let number = whole(group, "cases") + rows_of(group);
            self.alike(at(group, "first"), text(group, "group"), number)
        });
        let alone = self
            .rows
            .iter()
            .filter(|(row, _)| !of_cases.iter().any(|case| stands_for(case, row)));
        let rows =
            alone.map(|(row, first)| self.alike(first, text(row, "group"), whole(row, "rows")));
        let most = if self.is_one_of_many {
            FIRST
        } else {
            usize::MAX
        };
        cases.chain(rows).take(most).collect()
    }

    fn alike<'s>(&self, case: &'s Value, group: &'s str, cases: u64) -> Shown<'s> {
        let kind = self.kind;
        Shown {
            case,
            alike: Some(Alike { group, kind, cases }),
            titled: false,
        }
    }

    /// Where it goes on.
    fn ways_on(&self, container: &str) -> Markup {
        let next = told(&self.groups, "next");
        let more = |name: &str, next: &str| {
            let fields = [("container", container), ("kind", self.kind), (name, next)];
            html! { p.pager { a href=(link("/review", &fields)) rel="next" { "More" } } }
        };
        let is_cut = next.is_some() || self.rows_next.is_some() || self.rows.len() > FIRST;
        html! {
            @if self.is_one_of_many {
                @if is_cut { p.pager { a href=(link("/review", &[("container", container), ("kind", self.kind)])) { "All of these" } } }
            } @else {
                @if let Some(next) = next { (more("after", next)) }
                @if let Some(next) = self.rows_next { (more("rows_after", next)) }
            }
        }
    }
}
