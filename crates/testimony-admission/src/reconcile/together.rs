//! How two statements are worded together, in numbers that were learnt from labelled pairs.
//!
//! Rules know the turns that somebody thought of: "moved to", "is now", "no longer".
//! What nobody thought of is still worded like other changes, denials and repetitions, so `together.tsv` gives weights to
//! *signs* of a pair: words that stand in one of the two alone, words side by side of which one is new, small words that
//! both have, how much they share and where they differ, and what the rules make of them.
//! `cargo xtask fit` learns it from `fixtures/pairs`; [`crate::wording`] says how such a table is read.
//!
//! It speaks only where the rules find that both can hold, and says so in its cue; who may replace whom stays a matter
//! of class and approval, as for every other cue.

use std::sync::LazyLock;

use super::compare::Pair;
use super::open::{self, Subjects};
use super::worded::{TABLES, Worded, stem};
use super::{Cue, Relation, Stand};
use crate::wording::{Table, key_of};
use crate::work::steps;

static PAIRS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("together.tsv"), key_of));

/// Its kinds by their names in the table, and what it takes to tell them.
///
/// A relation is told from so much more than any other on, as the logarithm of the odds: what takes the place of a known one
/// or stands against it has to be surer than what is kept beside it. And so many words, amounts aside, the claim may say
/// that the known one does not, and the known one that the claim does not: what comes back to a topic with much else to say
/// tells of another thing.
#[rustfmt::skip]
const KINDS: [(&str, Relation, f64, (usize, usize)); 3] = [
    ("same",      Relation::Supporting,  1.2, (6, 2)),
    ("newer",     Relation::Supersedes,  1.4, (5, 1)),
    ("otherwise", Relation::Contradicts, 1.6, (4, 2)),
];

/// How the claim stands to the neighbour by how both are worded, where the rules leave that open.
pub(super) fn told_by_wording(pair: &Pair<'_>, judged: &Stand) -> Option<Stand> {
    if !open::is_left_open(pair, judged) {
        return None;
    }
    let mut keys = Vec::new();
    each_sign(pair, judged, &mut |sign| keys.push(key_of(sign)));
    steps(keys.len());
    let odds = PAIRS.odds(&keys);
    let (kind, likeliest) = odds.likeliest()?;
    let beside = odds.all().filter(|(other, _)| *other != kind);
    let margin = beside.fold(likeliest, |least, (_, other)| least.min(likeliest - other));
    let (_, relation, from, room) = KINDS.iter().find(|(name, ..)| *name == kind)?;
    let told = margin >= *from && open::differ_within(pair, *room);
    told.then(|| open::as_told(pair, *relation, Cue::Wording))?
}

/// The signs of a pair, as the table writes them.
pub(super) fn written(pair: &Pair<'_>, judged: &Stand) -> Vec<String> {
    let mut found = Vec::new();
    each_sign(pair, judged, &mut |sign| {
        found.push(sign.to_owned());
    });
    found
}

/// A word of a pair.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// What it is compared by.
    pub(super) stem: String,
    /// How a sign names it: numbers and names are told by what they are.
    shown: String,
    /// Whether it carries content.
    pub(super) telling: bool,
    pub(super) number: bool,
    pub(super) name: bool,
}

impl Word {
    /// Whether it tells what is spoken of, and not how much of it there is.
    pub(super) const fn tells(&self) -> bool {
        self.telling && !self.number
    }
}

/// The words of a statement; "isn't" is two.
pub(super) fn words_of(said: &Worded) -> Vec<Word> {
    let mut out = Vec::with_capacity(said.raw.len() + 2);
    for (place, raw) in said.raw.iter().enumerate() {
        let capital = place > 0 && said.capitals.contains(&place);
        if let Some(denied) = raw.strip_suffix("n't") {
            out.push(word(denied, false));
            out.push(word("not", false));
        } else if let Some((owner, rest)) = raw.split_once('\'').filter(|(_, rest)| rest.len() < 3)
        {
            out.push(word(owner, capital));
            out.push(word(rest, false));
        } else {
            out.push(word(raw, capital));
        }
    }
    out
}

fn word(raw: &str, capital: bool) -> Word {
    let number = TABLES.numbers.get(raw).copied();
    let stem = number.map_or_else(|| stem(raw), str::to_owned);
    let counts = number.is_some() || stem.starts_with(|c: char| c.is_ascii_digit());
    let name = capital && !counts;
    Word {
        shown: match (counts, name) {
            (true, _) => "#".to_owned(),
            (false, true) => "@".to_owned(),
            (false, false) => stem.clone(),
        },
        telling: !TABLES.dropped.contains(raw) && !TABLES.placing.contains(raw),
        number: counts,
        name,
        stem,
    }
}

pub(super) fn has(words: &[Word], stem: &str) -> bool {
    words.iter().any(|word| word.stem == stem)
}

/// Everything by which a pair is told.
fn each_sign(pair: &Pair<'_>, judged: &Stand, found: &mut dyn FnMut(&str)) {
    let (new, known) = pair.paired();
    each_word(new, known, found);
    let lacking = (lacking(new, known), lacking(known, new));
    each_amount(&lacking, new, known, found);
    each_place(new, known, found);
    let (worded, known_worded) = pair.worded();
    found(&format!(
        "~denies {} {}",
        u8::from(worded.denies()),
        u8::from(known_worded.denies())
    ));
    let rule = judged.cue.as_str();
    found(&format!("~rule {rule}"));
    let change = worded.change().map_or("none", |cue| cue.as_str());
    found(&format!("~change {change}"));
    let subjects = Subjects::of(worded, known_worded).as_str();
    found(&format!("~subjects {subjects}"));
    let past = |said: &Worded| u8::from(said.has_any(&TABLES.was));
    found(&format!("~was {} {}", past(worded), past(known_worded)));
}

/// The words that one of two lacks.
pub(super) fn lacking<'w>(words: &'w [Word], other: &[Word]) -> Vec<&'w Word> {
    words
        .iter()
        .filter(|word| !has(other, &word.stem))
        .collect()
}

/// Words that stand in one alone, two side by side of which one does, and small ones that both have.
fn each_word(new: &[Word], known: &[Word], found: &mut dyn FnMut(&str)) {
    for word in new {
        if !has(known, &word.stem) {
            found(&format!("+{}", word.shown));
        } else if !word.telling {
            found(&format!("={}", word.stem));
        }
    }
    for word in lacking(known, new) {
        found(&format!("-{}", word.shown));
    }
    for pair in new.windows(2) {
        if let [one, other] = pair
            && !(has(known, &one.stem) && has(known, &other.stem))
        {
            found(&format!("+{} {}", one.shown, other.shown));
        }
    }
}

/// How much they share, and how much of what only one says counts or names.
fn each_amount(
    (added, left): &(Vec<&Word>, Vec<&Word>),
    new: &[Word],
    known: &[Word],
    found: &mut dyn FnMut(&str),
) {
    let telling = |words: &[&Word]| words.iter().filter(|word| word.telling).count();
    let all = |words: &[Word]| words.iter().filter(|word| word.telling).count();
    let quarters = |lacking: usize, all: usize| (4 * (all - lacking) + all / 2) / all.max(1);
    let (more, less) = (telling(added), telling(left));
    let (of_new, of_known) = (quarters(more, all(new)), quarters(less, all(known)));
    found(&format!("~share {of_new} {of_known}"));
    found(&format!("~share new {of_new}"));
    found(&format!("~share known {of_known}"));
    for bound in [0, 1, 2, 3, 4, 6] {
        if more > bound {
            found(&format!("~more {bound}"));
        }
        if less > bound {
            found(&format!("~less {bound}"));
        }
    }
    let of = |words: &[&Word], is: fn(&Word) -> bool| {
        words.iter().filter(|word| is(word)).count().min(2)
    };
    let numbers: fn(&Word) -> bool = |word| word.number;
    let names: fn(&Word) -> bool = |word| word.name;
    found(&format!(
        "~numbers {} {}",
        of(added, numbers),
        of(left, numbers)
    ));
    found(&format!("~names {} {}", of(added, names), of(left, names)));
    if more == 1 && less == 1 {
        found("~one for one");
    }
}

/// Where they differ: how both begin and end, and what stands between.
fn each_place(new: &[Word], known: &[Word], found: &mut dyn FnMut(&str)) {
    let alike = |(one, other): &(&Word, &Word)| one.stem == other.stem;
    let shorter = new.len().min(known.len());
    let front = new.iter().zip(known).take_while(alike).count();
    let back = new
        .iter()
        .rev()
        .zip(known.iter().rev())
        .take_while(alike)
        .count();
    let back = back.min(shorter - front);
    let between = |words: &[Word]| (words.len() - front - back).min(3);
    let place = match (front, back) {
        (0, _) => "front",
        (_, 0) => "end",
        _ => "middle",
    };
    found(&format!(
        "~differs {place} {} {}",
        between(new),
        between(known)
    ));
    found(&format!("~begins {}", front.min(4)));
    let middle = |words: &[Word]| is_a_number(words.get(front..words.len() - back));
    if middle(new) && middle(known) {
        found(&format!("~numbers differ {place}"));
    }
    each_order(new, known, found);
}

/// Whether numbers stand there and nothing else.
fn is_a_number(words: Option<&[Word]>) -> bool {
    words.is_some_and(|words| !words.is_empty() && words.iter().all(|word| word.number))
}

/// Whether what they share comes in one order.
fn each_order(new: &[Word], known: &[Word], found: &mut dyn FnMut(&str)) {
    let order = |words: &[Word], other: &[Word]| -> Vec<String> {
        let both = words
            .iter()
            .filter(|word| word.telling && has(other, &word.stem));
        both.map(|word| word.stem.clone()).collect()
    };
    let same_order = order(new, known) == order(known, new);
    found(if same_order {
        "~same order"
    } else {
        "~other order"
    });
}
