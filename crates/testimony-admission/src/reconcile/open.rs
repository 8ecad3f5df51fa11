//! What rules leave open of a pair, and what may be told of it then, whoever tells it: a table, or a reader.

use super::compare::Pair;
use super::together::{Word, has, lacking};
use super::worded::{Worded, raw};
use super::{Cue, Relation, Stand, names, nature, same, stances};
use crate::claims::is_time_word;

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
    may_be_told(pair, judged) && is_taken_up(pair, 2)
}

/// Whether the rules found that both can hold, for no reason that settles it.
pub(super) fn may_be_told(pair: &Pair<'_>, judged: &Stand) -> bool {
    let (new, known) = pair.worded();
    let closed = judged.relation != Relation::Independent || SETTLED.contains(&judged.cue);
    !closed
        && !new.too_long
        && !known.too_long
        && !pair.mouths_differ()
        && !pair.is_unnamed()
        && !names::says_it_of_another_name(pair.worded())
}

/// What is told of a pair, where nothing speaks against telling it.
pub(super) fn as_told(pair: &Pair<'_>, relation: Relation, cue: Cue) -> Option<Stand> {
    match relation {
        Relation::Duplicate | Relation::Supporting => {
            may_be_the_same(pair).then(|| pair.supporting(cue))
        }
        Relation::Supersedes => may_meet(pair).then(|| pair.against_by(cue, Some(cue))),
        Relation::Contradicts => may_meet(pair).then(|| pair.against(cue)),
        Relation::Independent => None,
    }
}

/// Whether nothing says that one of them holds only in part, or the other way round.
fn may_be_the_same(pair: &Pair<'_>) -> bool {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    !says_other_amounts(pair)
        && !names::each_names_another(pair.worded())
        && !hold_within_others(pair)
        && stances::apart(pair.worded()).is_none()
        && one.limits(new) == other.limits(known)
        && same::turned(new, known, false).is_none()
        && !same::beside(new, known)
        && !same::other_tense(new, known)
}

/// Whether each says how much it is, and otherwise than the other.
pub(super) fn says_other_amounts(pair: &Pair<'_>) -> bool {
    let (one, other) = pair.marks();
    are_measured(pair.paired()) && !one.figures.agree(&other.figures)
        || one.scopes.count_otherwise(&other.scopes)
}

/// "10 percent for guests", "10 percent for students": whether each holds where, when or for whom the other does not.
pub(super) fn hold_within_others(pair: &Pair<'_>) -> bool {
    let (one, other) = pair.marks();
    one.scopes.are_apart(&other.scopes)
}

/// Whether the two differ in no more words than that.
pub(super) fn differ_within(pair: &Pair<'_>, (more, less): (usize, usize)) -> bool {
    let (new, known) = pair.paired();
    let count = |words: Vec<&Word>| words.iter().filter(|word| word.tells()).count();
    count(lacking(new, known)) <= more && count(lacking(known, new)) <= less
}

/// How many words that tell what they are about stand in both.
pub(super) fn words_of_both(pair: &Pair<'_>) -> usize {
    let (new, known) = pair.paired();
    let telling = new.iter().filter(|word| word.telling);
    telling.filter(|word| has(known, &word.stem)).count()
}

/// Whether both speak of the same, so that one may stand against the other: one word in common is not enough, unless both
/// say how much it is, or one says that it is over.
fn may_meet(pair: &Pair<'_>) -> bool {
    let (worded, known_worded) = pair.worded();
    let shared = words_of_both(pair);
    let over = worded.denies() && !known_worded.denies();
    Subjects::of(worded, known_worded) != Subjects::Other
        && !nature::open_with_other_names(worded, known_worded)
        && !name_other_owners(pair)
        && (shared > 1 || are_measured(pair.paired()) || over)
}

/// Whether one says of something whose it is, by a name of which the other does not speak.
pub(super) fn name_other_owners(pair: &Pair<'_>) -> bool {
    let (new, known) = pair.worded();
    names_another_owner(new, known) || names_another_owner(known, new)
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

/// Whether one word in so many of what the known one says comes back, so that it is worth a look at the rest; how much of
/// something there is does not count.
pub(super) fn is_taken_up(pair: &Pair<'_>, one_in: usize) -> bool {
    let (new, known) = pair.paired();
    comes_back(known, new, one_in)
}

/// Whether half of what each says stands in the other: two notes on what somebody is fond of have a word in common, and tell
/// two things.
pub(super) fn are_of_one_thing(pair: &Pair<'_>) -> bool {
    let (new, known) = pair.paired();
    comes_back(known, new, 2) && comes_back(new, known, 2)
}

fn comes_back(said: &[Word], other: &[Word], one_in: usize) -> bool {
    let telling = || said.iter().filter(|word| word.tells());
    let shared = telling().filter(|word| has(other, &word.stem)).count();
    shared > 0 && one_in * shared >= telling().count()
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
pub(super) enum Subjects {
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
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Same => "same",
            Self::Other => "other",
            Self::Apart => "apart",
        }
    }

    pub(super) fn of(new: &Worded, known: &Worded) -> Self {
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
    let raw = |place: usize| raw(said, place);
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
