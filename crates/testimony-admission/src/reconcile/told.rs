//! What a statement tells about a known one by itself: that it takes its place, or that it says the opposite.

use super::compare::Pair;
use super::marks::Marks;
use super::marks_tables::{ANY, LICENCE, NEVER, THRESHOLD, TURNED};
use super::nature;
use super::worded::{TABLES, Word, Worded, raw, stem};
use super::{Cue, Stand};

/// Whether `new` names something known as that which it takes the place of: "spaces instead of tabs".
pub(super) fn names_what_it_replaces(new: &Worded, marks: &Marks, known: &Worded) -> bool {
    let Some(place) = marks.replaced else {
        return false;
    };
    let Some(replaced) = new.words.iter().find(|word| word.place == place) else {
        return false;
    };
    let beside = known.words.iter().filter(|word| word.stem != replaced.stem);
    let is_told = |word: &Word| {
        let mut told = new.words.iter();
        told.any(|other| other.stem == word.stem && other.place != place)
    };
    let shared = beside.filter(|word| is_told(word)).count();
    let pronouns = new.opens_with_pronoun() && known.opens_with_pronoun();
    known.has(&replaced.stem)
        && !marks.is_once
        && !nature::tells_of_an_event(new)
        && shared + usize::from(pronouns) > 1 - usize::from(known.words.len() < 3)
        && new.words.iter().any(|word| !known.has(&word.stem))
}

/// What it says against the known one where nothing else told so.
pub(super) fn tells(pair: &Pair<'_>) -> Option<Stand> {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    if new.too_long || known.too_long || pair.is_unnamed() {
        return None;
    }
    if pair.names_what_it_replaces() {
        return Some(pair.against_by(Cue::OtherValue, Some(Cue::Update)));
    }
    if one.any(TURNED) && is_switched(new, one, known) {
        return Some(pair.against_by(Cue::OtherValue, Some(Cue::Update)));
    }
    let never = match (one.any(NEVER), other.any(NEVER)) {
        (true, false) => was_never(new, known),
        (false, true) => was_never(known, new),
        (true, true) | (false, false) => false,
    };
    let failed = (one.is(0, ANY) || other.is(0, ANY)) && some_fail(new, known);
    if never || failed || chooses_otherwise(pair) {
        return Some(pair.against(Cue::Negation));
    }
    let both = |kind| one.any(kind) && other.any(kind);
    let otherwise =
        both(THRESHOLD) && bounded_otherwise(pair) || both(LICENCE) && licensed_otherwise(pair);
    otherwise.then(|| pair.against(Cue::OtherValue))
}

/// "Only admins may", "any member may".
fn chooses_otherwise(pair: &Pair<'_>) -> bool {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    let some_alone = (one.speaks_of_some_alone(), other.speaks_of_some_alone());
    matches!(some_alone, (Some(one), Some(other)) if one != other) && share_the_end(new, known)
}

/// "Is off", "we turned it on": a switch of two states.
fn is_switched(new: &Worded, marks: &Marks, known: &Worded) -> bool {
    let on = |word: &String| match word.as_str() {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    };
    let turned = (0..new.raw.len()).find(|at| marks.is(*at, TURNED));
    let behind = turned.and_then(|at| new.raw.get(at + 1)).and_then(on);
    let now = behind.or_else(|| new.raw.last().and_then(on));
    let before = known.raw.last().and_then(on);
    if now.is_none() || before.is_none() || now == before {
        return false;
    }
    let is_state = |word: &Word| known.raw.get(word.place).and_then(on).is_some();
    let mut things = known.words.iter().filter(|word| !is_state(word)).peekable();
    things.peek().is_some() && things.all(|word| new.has(&word.stem))
}

/// "Has never been to Japan", "was in Japan in 2019".
fn was_never(never: &Worded, known: &Worded) -> bool {
    const BEEN: &[&str] = &[
        "been", "visited", "gewesen", "été", "estado", "stato", "stata", "geweest",
    ];
    const WAS: &[&str] = &[
        "was", "were", "went", "visited", "been", "war", "waren", "été", "estuve", "estuvo",
        "stato", "stata", "geweest",
    ];
    let any =
        |said: &Worded, list: &[&str]| said.raw.iter().any(|word| list.contains(&word.as_str()));
    let opens_alike = never.raw.first() == known.raw.first();
    let mut places = never
        .words
        .iter()
        .filter(|word| word.capital && word.place > 0)
        .peekable();
    any(never, BEEN)
        && any(known, WAS)
        && !known.denies()
        && opens_alike
        && places.peek().is_some()
        && places.all(|word| known.has(&word.stem))
}

/// "All tests pass", "two tests fail".
fn some_fail(new: &Worded, known: &Worded) -> bool {
    const ALL: &[&str] = &[
        "all", "every", "alle", "jeder", "tous", "toutes", "todos", "todas", "tutti", "tutte",
    ];
    let outcome = |said: &Worded| {
        let mut told = said
            .words
            .iter()
            .filter_map(|word| TABLES.outcomes.get(&word.stem).copied());
        told.next()
    };
    let of_all = |said: &Worded| {
        said.raw
            .first()
            .is_some_and(|word| ALL.contains(&word.as_str()))
    };
    let bare = |said: &Worded| -> Vec<String> {
        let kept = said.words.iter().filter(|word| {
            let raw = raw(said, word.place);
            !word.number && !ALL.contains(&raw) && !TABLES.outcomes.contains_key(&word.stem)
        });
        kept.map(|word| word.stem.clone()).collect()
    };
    let opposed = matches!((outcome(new), outcome(known)), (Some((one, first)), Some((other, second))) if one == other && first != second);
    opposed && (of_all(new) || of_all(known)) && bare(new) == bare(known)
}

/// Whether both end in the same words behind who it is said of.
fn share_the_end(new: &Worded, known: &Worded) -> bool {
    let pairs = new.raw.iter().rev().zip(known.raw.iter().rev());
    let same = pairs.take_while(|(one, other)| one == other).count();
    same > 1 && same + 3 >= new.raw.len() && same + 3 >= known.raw.len()
}

/// "Orders above 50 euros", "above 80 euros": one threshold with two bounds.
fn bounded_otherwise(pair: &Pair<'_>) -> bool {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    let bound = |said: &Worded, marks: &Marks, other: &Worded| {
        let mut lacking = said.words.iter().filter(|word| !other.has(&word.stem));
        let bound = lacking.next().filter(|word| {
            word.number
                && word
                    .place
                    .checked_sub(1)
                    .is_some_and(|at| marks.is(at, THRESHOLD))
        });
        bound
            .filter(|_| lacking.next().is_none())
            .map(|word| word.place)
    };
    let places = (bound(new, one, known), bound(known, other, new));
    matches!(places, (Some(at), Some(place)) if at == place) && new.words.len() > 3
}

/// "Licensed under MIT", "licensed under GPL": of one thing there is one licence.
fn licensed_otherwise(pair: &Pair<'_>) -> bool {
    let ((new, known), (one, other)) = (pair.worded(), pair.marks());
    let licence =
        |marks: &Marks, said: &Worded| (0..said.raw.len()).find(|at| marks.is(*at, LICENCE));
    let (Some(at), Some(place)) = (licence(one, new), licence(other, known)) else {
        return false;
    };
    let subject = |said: &Worded, at: usize| -> Vec<String> {
        let before = said.words.iter().filter(|word| word.place < at);
        before.map(|word| stem(raw(said, word.place))).collect()
    };
    let named = |said: &'_ Worded, at: usize| {
        let mut behind = at + 1..said.raw.len();
        let is_name = |place: &usize| said.capitals.contains(place);
        behind
            .find(is_name)
            .and_then(|place| said.raw.get(place).cloned())
    };
    let licences = (named(new, at), named(known, place));
    subject(new, at) == subject(known, place)
        && matches!(licences, (Some(one), Some(other)) if one != other)
        && !new.adds()
}
