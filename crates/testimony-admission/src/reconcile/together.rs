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
use super::worded::{TABLES, Worded, stem};
use super::{Cue, Relation, Stand, nature, same};
use crate::claims::is_time_word;
use crate::wording::{Table, key_of};
use crate::work::steps;

static PAIRS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("together.tsv"), key_of));

/// The names of its kinds, as they stand in the table.
const KINDS: [(&str, Relation); 3] = [
    ("same", Relation::Supporting),
    ("newer", Relation::Supersedes),
    ("otherwise", Relation::Contradicts),
];

/// A relation is told from so much more than any other on, as the logarithm of the odds: what takes the place of a known
/// one or stands against it has to be surer than what is kept beside it.
const SAME_FROM: f64 = 1.2;
const NEWER_FROM: f64 = 1.4;
const OTHERWISE_FROM: f64 = 1.6;

/// So many words, amounts aside, the claim may say that the known one does not, and the known one that the claim does not:
/// what comes back to a topic with much else to say tells of another thing.
const ROOM_OF_SAME: (usize, usize) = (6, 2);
const ROOM_OF_NEWER: (usize, usize) = (5, 1);
const ROOM_OF_OTHERWISE: (usize, usize) = (4, 2);

/// What rules say for these reasons is not asked again: they name when, where and under which condition each holds.
const SETTLED: [Cue; 6] = [
    Cue::History,
    Cue::Temporary,
    Cue::OtherTime,
    Cue::OtherScope,
    Cue::Negation,
    Cue::NothingKnown,
];

/// Whether the rules found that both can hold, for no reason that settles it, and both speak of something that they share.
pub(super) fn is_left_open(pair: &Pair<'_>, judged: &Stand) -> bool {
    let (new, known) = pair.worded();
    let closed = judged.relation != Relation::Independent || SETTLED.contains(&judged.cue);
    !closed
        && !new.too_long
        && !known.too_long
        && !pair.mouths_differ()
        && !pair.is_unnamed()
        && speak_of_the_same(pair.paired())
}

/// How the claim stands to the neighbour by how both are worded, where the rules leave that open.
pub(super) fn told_by_wording(pair: &Pair<'_>, judged: &Stand) -> Option<Stand> {
    if !is_left_open(pair, judged) {
        return None;
    }
    let mut keys = Vec::new();
    each_sign(pair, judged, &mut |sign| keys.push(key_of(sign)));
    steps(keys.len());
    let odds = PAIRS.odds(&keys);
    let (kind, likeliest) = odds.likeliest()?;
    let beside = odds.all().filter(|(other, _)| *other != kind);
    let margin = beside.fold(likeliest, |least, (_, other)| least.min(likeliest - other));
    let (_, relation) = KINDS.iter().find(|(name, _)| *name == kind)?;
    let told =
        |from: f64, room: (usize, usize)| margin >= from && differ_within(pair.paired(), room);
    match relation {
        Relation::Supporting if told(SAME_FROM, ROOM_OF_SAME) && may_be_the_same(pair) => {
            Some(pair.supporting(Cue::Wording))
        }
        Relation::Supersedes if told(NEWER_FROM, ROOM_OF_NEWER) && may_meet(pair) => {
            Some(pair.against_by(Cue::Wording, Some(Cue::Wording)))
        }
        Relation::Contradicts if told(OTHERWISE_FROM, ROOM_OF_OTHERWISE) && may_meet(pair) => {
            Some(pair.against(Cue::Wording))
        }
        Relation::Duplicate
        | Relation::Supporting
        | Relation::Supersedes
        | Relation::Contradicts
        | Relation::Independent => None,
    }
}

/// Whether the two differ in no more words than that.
fn differ_within((new, known): (&[Word], &[Word]), (more, less): (usize, usize)) -> bool {
    let count = |words: Vec<&Word>| {
        let telling = words.iter().filter(|word| word.telling && !word.number);
        telling.count()
    };
    count(lacking(new, known)) <= more && count(lacking(known, new)) <= less
}

/// Whether nothing says that one of them holds only in part, or the other way round.
fn may_be_the_same(pair: &Pair<'_>) -> bool {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    let other_amounts = are_measured(pair.paired()) && !one.figures.agree(&other.figures);
    !other_amounts
        && one.limits(new) == other.limits(known)
        && same::turned(new, known, false).is_none()
        && !same::beside(new, known)
        && !same::other_tense(new, known)
}

/// Whether both speak of the same, so that one may stand against the other: one word in common is not enough, unless both
/// say how much it is, or one says that it is over.
fn may_meet(pair: &Pair<'_>) -> bool {
    let (new, known) = pair.paired();
    let (worded, known_worded) = pair.worded();
    let shared = new
        .iter()
        .filter(|word| word.telling && has(known, &word.stem))
        .count();
    let over = worded.denies() && !known_worded.denies();
    Subjects::of(worded, known_worded) != Subjects::Other
        && !nature::open_with_other_names(worded, known_worded)
        && !names_another_owner(worded, known_worded)
        && !names_another_owner(known_worded, worded)
        && (shared > 1 || are_measured(pair.paired()) || over)
}

/// "Mira's number": of whom the other does not speak.
fn names_another_owner(said: &Worded, other: &Worded) -> bool {
    let mut named = said.owners.iter().filter(|at| said.capitals.contains(at));
    named.any(|at| {
        said.raw
            .get(*at)
            .is_some_and(|name| !other.raw.contains(name))
    })
}

/// Whether each says a number that the other does not.
fn are_measured((new, known): (&[Word], &[Word])) -> bool {
    let counts =
        |words: &[Word], other: &[Word]| lacking(words, other).iter().any(|word| word.number);
    counts(new, known) && counts(known, new)
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
    stem: String,
    /// How a sign names it: numbers and names are told by what they are.
    shown: String,
    /// Whether it carries content.
    telling: bool,
    number: bool,
    name: bool,
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

fn has(words: &[Word], stem: &str) -> bool {
    words.iter().any(|word| word.stem == stem)
}

/// Whether half of what the known one says comes back, so that it is worth a look at the rest; how much of something
/// there is does not count.
fn speak_of_the_same((new, known): (&[Word], &[Word])) -> bool {
    let telling = || known.iter().filter(|word| word.telling && !word.number);
    let shared = telling().filter(|word| has(new, &word.stem)).count();
    shared > 0 && 2 * shared >= telling().count()
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

/// Whether each tells what it speaks of from the other's by a word in front of its verb: "the marketing budget", "the training
/// budget"; "the office in Cork", "the office in Galway". What is new is still the same.
pub(super) fn are_told_apart(new: &Worded, known: &Worded) -> bool {
    const STILL_THE_SAME: [&str; 6] = ["new", "current", "latest", "old", "former", "previous"];
    let of_time = |said: &Worded| {
        let mut words = said.raw.iter();
        words.any(|raw| STILL_THE_SAME.contains(&raw.as_str()))
    };
    let (one, other) = (subject(new), subject(known));
    let both = one.iter().filter(|stem| other.contains(stem)).count();
    // "The staging database port", "the staging DB port": two words in common say which one.
    both == 1 && Subjects::of(new, known) == Subjects::Other && !of_time(new) && !of_time(known)
}

/// How what is spoken of in front of the verbs of both stands to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subjects {
    /// One of them names nothing there that could differ.
    Open,
    /// The same, or one says more exactly which.
    Same,
    /// "The day shift", "the night shift"; "my brother", "my brother-in-law", of whom the same is said.
    Other,
    /// Neither word of the one stands in the other.
    Apart,
}

impl Subjects {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Same => "same",
            Self::Other => "other",
            Self::Apart => "apart",
        }
    }

    fn of(new: &Worded, known: &Worded) -> Self {
        if !new.has_verb || !known.has_verb {
            return Self::Open;
        }
        let (subject, known_subject) = (subject(new), subject(known));
        if subject.is_empty() || known_subject.is_empty() {
            return Self::Open;
        }
        let meet = subject.iter().any(|stem| known_subject.contains(stem));
        let held = |said: &Worded, stem: &str| {
            said.has(stem) || stem.len() == 1 && said.raw.iter().any(|raw| raw == stem)
        };
        let foreign = subject.iter().any(|stem| !held(known, stem));
        let left = known_subject.iter().any(|stem| !held(new, stem));
        let mut rest = known
            .words
            .iter()
            .filter(|word| !known_subject.contains(&word.stem.as_str()));
        match (meet, foreign && left) {
            (true, true) => Self::Other,
            (true, false) => Self::Same,
            (false, true) if rest.all(|word| new.has(&word.stem)) => Self::Other,
            (false, _) => Self::Apart,
        }
    }
}

/// What carries content in front of the verb, times aside.
fn subject(said: &Worded) -> Vec<&str> {
    let in_front = said
        .words
        .iter()
        .filter(|word| !word.behind_verb && !word.verb);
    let raw = |place: usize| said.raw.get(place).map_or("", String::as_str);
    let is_plain_number = |raw: &str| raw.bytes().all(|byte| byte.is_ascii_digit());
    let kept = in_front.filter(|word| {
        let raw = raw(word.place);
        !is_time_word(raw) && !is_plain_number(raw)
    });
    let kept = kept.map(|word| word.stem.as_str());
    // "Hall A": what is no article.
    let verb = said.words.iter().find(|word| word.verb || word.behind_verb);
    let before = said
        .raw
        .iter()
        .take(verb.map_or(0, |word| word.place))
        .enumerate();
    let letters = before
        .filter(|(at, raw)| *at > 0 && raw.len() == 1 && *raw != "i" && said.capitals.contains(at));
    kept.chain(letters.map(|(_, raw)| raw.as_str())).collect()
}

/// The words that one of two lacks.
fn lacking<'w>(words: &'w [Word], other: &[Word]) -> Vec<&'w Word> {
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
