//! Credentials that a table names: by the header of their column, or by the cell to the left of them.
//!
//! Rows of bars, of tabs, and of commas or semicolons under a header are read, and two lines of which one holds a name
//! and the next one its value.
//! A name in a cell is a name like any other, and what stands beside it is taken where a key of that name would hold it;
//! the less speaks for a table, the more the value has to say for itself.
//! Every line is read once, and of its cells only the one before and the one above count.

use std::ops::Range;

use super::chance::changes_case;
use super::context::is_issued;
use super::find::Match;
use super::line::without_bold;
use super::name::{Name, is_about};
use super::nouns::{names_a_code, names_a_password};
use super::phrase::{Voice, is_passphrase};
use super::reference::is_reference;
use super::stated::{CODE_RULE, PASSWORD_RULE};
use super::stated_words::{POSTAL, USERS};
use super::table::KeywordHit;
use super::typed::{is_number, is_typed};
use super::value::{Class, classify, is_typed_along};
use super::words::{Head, LEGENDS, OTHER_COLUMNS, VALUES};
use crate::normalise::{Layer, View};
use crate::work::steps;

/// No name in a cell is longer, in bytes and in words.
const LONGEST_NAME: usize = 48;
const MOST_WORDS: usize = 4;
/// A shorter number under a word for passwords counts something.
const SHORTEST_NUMBER: usize = 6;
/// What parts the cells of a row; the first one that stands in a line does.
const SIGNS: [char; 4] = ['|', '\t', ';', ','];
/// What writers set a value apart with.
const MARKS: [char; 3] = ['`', '"', '\''];

/// Every value in `view` that a cell names. `hits` are the keywords of names.
pub(super) fn in_cells(view: &View<'_>, hits: &[KeywordHit]) -> Vec<Match> {
    if view.layer() == Layer::Joined {
        return Vec::new();
    }
    let text = view.text();
    let mut starts: Vec<usize> = hits.iter().map(|hit| hit.start).collect();
    starts.sort_unstable();
    let mut starts = starts.into_iter().peekable();
    let (mut found, mut header, mut named) = (Vec::new(), None, None);
    let mut start = 0;
    for line in text.split('\n') {
        let end = start + line.len();
        let mut spoken = false;
        while starts.next_if(|at| *at < end).is_some() {
            spoken = true;
        }
        let values = in_line(line, spoken, &mut header, &mut named);
        found.extend(values.into_iter().filter_map(|(rule, value)| {
            Match::in_view(view, rule, &(start + value.start..start + value.end))
        }));
        steps(line.len() + 1);
        start = end + 1;
    }
    found
}

/// A rule, and where in its line a value stands that it takes.
type Taken = (&'static str, Range<usize>);

/// The values of a line below `header` and behind the line that `named` what comes next. Only where a keyword is
/// `spoken` a cell of the line can be the name of a credential.
fn in_line<'t>(
    line: &'t str,
    spoken: bool,
    header: &mut Option<Header<'t>>,
    named: &mut Option<Kind>,
) -> Vec<Taken> {
    if let Some((name, value)) = pair(line) {
        let kind = named.take();
        if ["name", "key"].contains(&name) {
            *named = spoken.then(|| kind_of(text_of(line, &value))).flatten();
        } else if name == "value" {
            let taken = kind.and_then(|kind| taken(line, value, kind, Weight::Told));
            return taken.into_iter().collect();
        }
    }
    let cells = header.as_ref().and_then(|header| header.cells_below(line));
    if let (Some(cells), Some(above)) = (&cells, header.as_mut()) {
        if cells.iter().all(|cell| is_rule(text_of(line, cell))) {
            above.sure = true;
            return Vec::new();
        }
        return above.values(line, cells, spoken);
    }
    let sign = SIGNS.into_iter().find(|sign| line.contains(*sign));
    let Some((sign, cells)) = sign.and_then(|sign| Some((sign, cells_of(line, sign)?))) else {
        *header = None;
        return Vec::new();
    };
    let first = Header::of(line, sign, &cells, spoken);
    let values = Header::none(sign).values(line, &cells, spoken);
    *header = first;
    values
}

/// What the cells of the first row say about those below.
struct Header<'t> {
    sign: char,
    columns: Vec<Column<'t>>,
    /// A rule stands below it, or nothing in it could be a value.
    sure: bool,
    /// It speaks of what numbers stand for, where none opens anything: districts, pins on a map, faults.
    legend: bool,
}

struct Column<'t> {
    name: &'t str,
    kind: Option<Kind>,
}

impl<'t> Header<'t> {
    const fn none(sign: char) -> Self {
        Self {
            sign,
            columns: Vec::new(),
            sure: false,
            legend: false,
        }
    }

    fn of(line: &'t str, sign: char, cells: &[Range<usize>], spoken: bool) -> Option<Self> {
        let mut columns = Vec::new();
        for cell in cells {
            let name = unmarked(text_of(line, cell));
            // A line of a program ends with a sign, a header does not.
            let left_open = name.is_empty() && is_loose(sign);
            if left_open || !name.is_empty() && !is_name(name) {
                return None;
            }
            let kind = spoken.then(|| kind_of(name)).flatten();
            columns.push(Column { name, kind });
        }
        let explains = |word: &str| {
            let word = word.to_lowercase();
            [POSTAL, LEGENDS]
                .iter()
                .any(|known| known.contains(&word.as_str()))
        };
        Some(Self {
            sign,
            sure: !line.bytes().any(|b| b.is_ascii_digit()),
            legend: line.split(|c: char| !c.is_alphabetic()).any(explains),
            columns,
        })
    }

    /// The cells of a line, if it goes on with the table.
    fn cells_below(&self, line: &str) -> Option<Vec<Range<usize>>> {
        let cells = cells_of(line, self.sign)?;
        // Commas and semicolons stand in any sentence.
        (!is_loose(self.sign) || cells.len() == self.columns.len()).then_some(cells)
    }

    fn values(&self, line: &str, cells: &[Range<usize>], spoken: bool) -> Vec<Taken> {
        let mut values = Vec::new();
        if !spoken && self.columns.iter().all(|column| column.kind.is_none()) {
            return values;
        }
        for (at, cell) in cells.iter().enumerate() {
            let above = self.columns.get(at).filter(|_| self.sure);
            let by_column = above
                .and_then(|column| column.kind)
                .filter(|kind| !(self.legend && *kind == Kind::Code))
                .and_then(|kind| taken(line, cell.clone(), kind, Weight::Told));
            let left = at
                .checked_sub(1)
                .filter(|_| spoken)
                .and_then(|left| cells.get(left));
            let by_row = || {
                let weight = self.weight_of_a_row(above)?;
                let kind = kind_of(unmarked(text_of(line, left?)))?;
                taken(line, cell.clone(), kind, weight)
            };
            values.extend(by_column.or_else(by_row));
        }
        values
    }

    /// How much it says that the cell to the left names a credential; nothing where the column holds something else.
    fn weight_of_a_row(&self, above: Option<&Column<'_>>) -> Option<Weight> {
        let name = above.map(|column| column.name).unwrap_or_default();
        let last = last_word(name);
        let is = |known: &[&str]| known.contains(&last.as_str());
        if is_about(name) || is(OTHER_COLUMNS) || is(USERS) {
            return None;
        }
        let told = is(VALUES);
        Some(match (told, is_loose(self.sign)) {
            (true, _) => Weight::Told,
            (false, false) => Weight::Placed,
            (false, true) => Weight::Near,
        })
    }
}

const fn is_loose(sign: char) -> bool {
    matches!(sign, ',' | ';')
}

/// What a name in a cell promises.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Named(Head),
    Code,
}

/// How much speaks for a value beside what it looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// Its column is one of credentials, or of values.
    Told,
    /// It stands in a row behind a name.
    Placed,
    /// It stands behind a comma.
    Near,
}

fn kind_of(name: &str) -> Option<Kind> {
    let name = unmarked(name);
    if !is_name(name) {
        return None;
    }
    if let Some(head) = Name::head_of_given(name) {
        return Some(Kind::Named(head));
    }
    let password = || names_a_password(name).then_some(Kind::Named(Head::Password));
    names_a_code(name).then_some(Kind::Code).or_else(password)
}

/// A few words, and no sentence, command or assignment.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || " _-/().#'’&".contains(c);
    name.len() <= LONGEST_NAME
        && name.split_whitespace().count() <= MOST_WORDS
        && name.chars().all(plain)
        && name.starts_with(char::is_alphanumeric)
        && !name.ends_with('.')
        // "Password (old)" is a name, and `use(token)` a call.
        && name.split('(').rev().skip(1).all(|before| before.ends_with(' '))
}

/// The value in a cell, if its name takes it.
fn taken(line: &str, cell: Range<usize>, kind: Kind, weight: Weight) -> Option<Taken> {
    let all = unmarked(text_of(line, &cell));
    let ends = |c: char| c.is_whitespace() || MARKS.contains(&c);
    let value = all.split(ends).next().unwrap_or_default();
    let alone = value.len() == all.len();
    let at = |part: &str| {
        let start = (part.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?;
        Some(start..start + part.len())
    };
    let class = classify(value);
    let told = weight == Weight::Told;
    // Calls and indexing stand between such signs too, where nobody chooses a password.
    let code = value.contains(['(', ')', '[', ']', '{', '}', '<', '>']);
    let chosen = told && kind == Kind::Named(Head::Password);
    let drawn = class >= Class::Digest && !is_typed_along(value) && (chosen || !code);
    let number = || alone && weight != Weight::Near && is_plain_number(value);
    let mixed = || class == Class::Mixed && changes_case(value) && is_typed(value, false);
    let typed = || match kind {
        Kind::Code => false,
        Kind::Named(Head::Password) => {
            let number = told && value.len() >= SHORTEST_NUMBER && is_plain_number(value);
            mixed() || is_typed(value, !told) || number
        }
        // Columns of these names hold the names of things, and words that were counted.
        Kind::Named(Head::Secret) => mixed(),
        Kind::Named(Head::Token | Head::Key) => mixed() && is_issued(class, value),
    };
    let phrase = chosen && is_passphrase(all, Voice::Told);
    match kind {
        Kind::Code => number().then_some((CODE_RULE, at(value)?)),
        _ if phrase => Some((PASSWORD_RULE, at(all)?)),
        Kind::Named(_) if is_reference(value) || is_dated(value) => None,
        Kind::Named(head) => {
            let taken = drawn || alone && weight != Weight::Near && typed();
            taken.then_some((head.rule(), at(value)?))
        }
    }
}

/// `4471`, `4471#`: what a keypad takes, and no place on a map.
fn is_plain_number(value: &str) -> bool {
    is_number(value, "") && !value.contains(['-', '.', '/'])
}

/// `2026-05-03`, whatever time stands behind it: tables of tokens tell when each was used.
fn is_dated(value: &str) -> bool {
    let day = value.as_bytes().iter().take("2026-05-03".len());
    let shape = day.map(|byte| if byte.is_ascii_digit() { b'0' } else { *byte });
    shape.eq(b"0000-00-00".iter().copied())
}

/// `name: DB_PASSWORD`, `- key = "x"`: the name of the line, and where in it the rest stands.
fn pair(line: &str) -> Option<(&str, Range<usize>)> {
    let name = line.trim_start_matches([' ', '\t', '-', '{', '"', '\'']);
    let end = name.find([':', '='])?;
    let value = name.get(end + 1..)?;
    let from = line.len() - value.len();
    let name = name.get(..end)?.trim_end_matches([' ', '"', '\'']);
    let value = value.trim_end_matches([',', '}', ' ', '\r']);
    Some((name, trimmed(line, from..from + value.len())))
}

/// Where the cells of a line stand, if it has at least two.
fn cells_of(line: &str, sign: char) -> Option<Vec<Range<usize>>> {
    let mut inside = trimmed(line, 0..line.len());
    if sign == '\t' {
        inside.start = 0;
    }
    let row = text_of(line, &inside);
    if sign == '|' {
        inside.end -= usize::from(row.len() > 1 && row.ends_with('|'));
        inside.start += usize::from(row.starts_with('|'));
    }
    let (mut cells, mut from, mut quoted) = (Vec::new(), inside.start, false);
    for (at, c) in text_of(line, &inside).char_indices() {
        let at = inside.start + at;
        if c == '"' && is_loose(sign) {
            quoted = !quoted;
        } else if c == sign && !quoted {
            cells.push(trimmed(line, from..at));
            from = at + 1;
        }
    }
    cells.push(trimmed(line, from..inside.end));
    (cells.len() > 1).then_some(cells)
}

/// `---`, `:---:`: what stands below a header.
fn is_rule(cell: &str) -> bool {
    cell.contains('-') && cell.bytes().all(|b| matches!(b, b'-' | b':' | b' '))
}

fn text_of<'t>(line: &'t str, cell: &Range<usize>) -> &'t str {
    line.get(cell.clone()).unwrap_or_default()
}

fn trimmed(line: &str, range: Range<usize>) -> Range<usize> {
    let text = text_of(line, &range);
    let end = range.start + text.trim_end().len();
    let start = range.end - text.trim_start().len();
    start.min(end)..end
}

/// Without what sets it apart.
fn unmarked(cell: &str) -> &str {
    let bare = without_bold(cell);
    let bare = bare.strip_suffix("**").unwrap_or(bare);
    bare.trim_end_matches(':').trim_matches(MARKS)
}

fn last_word(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).rev();
    let last = words.into_iter().find(|word| !word.is_empty());
    last.unwrap_or_default().to_lowercase()
}
