//! What ended: an appointment that was cancelled, a role that was given up, a thing that was sold.
//!
//! An ending closes what is known where both speak of the same one: whatever the clause of the ending names stands in
//! the known statement, which tells of a state that such an ending ends.

use super::ending_tables::{
    BREAKS, BY_THE_WAY, ENDINGS, Ending, FORMERLY, NOT, ONWARD, POSTS, RANKS, UNREAL,
};
use super::split::split;
use super::worded::{TABLES, Word, Worded, raw};
use crate::claims::{is_time_word, is_verb};
use crate::lexicon::WordMap;
use std::sync::LazyLock;

/// A phrase, and what it ends.
type Phrase = (Vec<String>, &'static Ending);

/// Phrases of ending by their first word, the longest first.
static PHRASES: LazyLock<WordMap<String, Vec<Phrase>>> = LazyLock::new(|| {
    let mut all: WordMap<String, Vec<Phrase>> = WordMap::default();
    for ending in ENDINGS {
        for phrase in ending.phrases {
            let words = split(phrase);
            if let Some(first) = words.first().cloned() {
                all.entry(first).or_default().push((words, ending));
            }
        }
    }
    for phrases in all.values_mut() {
        phrases.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    }
    all
});

/// How it is said that something was once.
static ONCE: LazyLock<Vec<Vec<String>>> =
    LazyLock::new(|| FORMERLY.iter().map(|phrase| split(phrase)).collect());

/// An ending that a statement tells.
struct Told<'w> {
    ending: &'static Ending,
    /// The words of its clause that carry content.
    named: Vec<&'w Word>,
    /// Whether it opens its statement, so that nobody is named in front of it.
    opens: bool,
}

/// Whether `new` tells that what `known` says ended.
pub(super) fn ends(new: &Worded, known: &Worded) -> bool {
    if new.too_long || known.too_long || is_over(known) {
        return false;
    }
    told(new).any(|told| closes(&told, new, known)) || was_once(new, known)
}

/// Whether it tells of what was, or happened.
fn is_over(known: &Worded) -> bool {
    const HAPPENED: &[&str] = &["took", "happened", "fand", "eut", "tuvo", "avvenne"];
    known.has_any(&TABLES.was)
        || known
            .raw
            .iter()
            .any(|word| HAPPENED.contains(&word.as_str()))
}

/// The endings that the first phrase of an ending tells; one phrase may end several kinds of states.
fn told(said: &Worded) -> impl Iterator<Item = Told<'_>> {
    let first = (0..said.raw.len()).find_map(|at| {
        let phrases = PHRASES.get(said.raw.get(at)?)?;
        let begins = |words: &[String]| {
            said.raw
                .get(at..at + words.len())
                .is_some_and(|here| here == words)
        };
        let (words, _) = phrases.iter().find(|(words, _)| begins(words))?;
        let before = said.raw.get(..at)?;
        let unreal = before.iter().any(|word| UNREAL.contains(&word.as_str()));
        (!unreal && !said.names_a_side(at)).then_some((phrases, words, at))
    });
    first.into_iter().flat_map(move |(phrases, told, at)| {
        let same = phrases.iter().filter(move |(words, _)| words == told);
        same.map(move |(words, ending)| Told {
            ending,
            named: clause(said, at, words.len()),
            opens: at == 0,
        })
    })
}

/// The words that carry content in the clause of an ending, without those of the ending itself and of the time.
fn clause(said: &Worded, at: usize, length: usize) -> Vec<&Word> {
    let word_at = |place: usize| raw(said, place);
    let breaks = |place: &usize| said.paused.contains(place) || BREAKS.contains(&word_at(*place));
    let first = (1..=at).rev().find(|place| breaks(place)).unwrap_or(0);
    let goes_on = |place: &usize| breaks(place) || ONWARD.contains(&word_at(*place));
    let behind = (at + length..said.raw.len()).find(goes_on);
    let end = behind.unwrap_or(said.raw.len());
    let kept = |word: &&Word| {
        let raw = word_at(word.place);
        let inside = (first..end).contains(&word.place);
        let of_ending = (at..at + length).contains(&word.place);
        inside && !of_ending && !BY_THE_WAY.contains(&raw) && !is_past_time(raw)
    };
    said.words.iter().filter(kept).collect()
}

fn is_past_time(word: &str) -> bool {
    let year = word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
    is_time_word(word) || year && word.bytes().all(|b| b.is_ascii_digit())
}

fn closes(told: &Told<'_>, new: &Worded, known: &Worded) -> bool {
    let Told {
        ending,
        named,
        opens,
    } = told;
    let Some(last) = named.last() else {
        return false;
    };
    // "Vendí mi barco", "tengo un barco": who speaks is told by the verb alone.
    let state = known
        .raw
        .first()
        .is_some_and(|word| ending.states.split(' ').any(|state| state == word));
    let unnamed = *opens && state;
    let named_first = !new.opens_with_pronoun() && ending.of_somebody && !unnamed;
    let objects = named.len() - usize::from(named_first);
    named.iter().all(|word| known.has(&word.stem))
        && objects >= usize::from(ending.needs_object) + usize::from(ending.names_both)
        && is_state(ending, known)
        && (!ending.planned || is_planned(known) && !is_of_another(new, known))
        && !is_of_another_rank(new, known)
        && (!ending.of_somebody || unnamed || same_opening(named, new, known))
        && stands_alone(last, known)
}

/// Whether the known statement tells of the kind of state that the ending ends.
fn is_state(ending: &Ending, known: &Worded) -> bool {
    let listed = |word: &String| ending.states.split(' ').any(|state| state == word);
    let already = known.raw.iter().enumerate().any(|(at, word)| {
        PHRASES.get(word).is_some_and(|phrases| {
            phrases
                .iter()
                .any(|(words, _)| known.raw.get(at..at + words.len()) == Some(words.as_slice()))
        })
    });
    let denied = known.raw.iter().any(|word| NOT.contains(&word.as_str()));
    !already && !denied && (ending.states.is_empty() || known.raw.iter().any(listed))
}

/// Whether it tells of what is to come: it is booked, or names a time.
fn is_planned(known: &Worded) -> bool {
    const BOOKED: &[&str] = &[
        "booked",
        "planned",
        "scheduled",
        "arranged",
        "starts",
        "begins",
        "gebucht",
        "geplant",
        "prévu",
        "réservé",
        "reservado",
        "prenotato",
    ];
    known
        .raw
        .iter()
        .any(|word| BOOKED.contains(&word.as_str()) || is_time_word(word))
}

/// Whether the known statement opens with a name that the new one lacks: what is cancelled may be another's.
fn is_of_another(new: &Worded, known: &Worded) -> bool {
    known
        .words
        .first()
        .is_some_and(|word| word.place == 0 && word.capital && !new.has(&word.stem))
}

/// Whether the known role is of another rank than the one that ended: the deputy secretary is not the secretary.
fn is_of_another_rank(new: &Worded, known: &Worded) -> bool {
    let of_rank = |word: &&String| RANKS.contains(&word.as_str());
    let mut ranks = known.raw.iter().filter(of_rank);
    ranks.any(|rank| !new.raw.contains(rank))
}

/// Whether both are of the same one: both of who speaks, or opening with the same word.
fn same_opening(named: &[&Word], new: &Worded, known: &Worded) -> bool {
    if new.opens_with_pronoun() || known.opens_with_pronoun() {
        return new.opens_with_pronoun() && known.opens_with_pronoun();
    }
    matches!((named.first(), known.words.first()), (Some(one), Some(other)) if one.stem == other.stem)
}

/// Whether the last thing that the ending names is no part of another name there: a meeting is no meeting room.
fn stands_alone(last: &Word, known: &Worded) -> bool {
    let Some(at) = known.words.iter().position(|word| word.stem == last.stem) else {
        return false;
    };
    let Some(word) = known.words.get(at) else {
        return false;
    };
    let follows = known
        .words
        .get(at + 1)
        .filter(|next| next.place == word.place + 1);
    let joined = follows.is_some_and(|next| {
        let raw = raw(known, next.place);
        let apart = next.number || next.verb || next.capital || is_verb(raw) || is_time_word(raw);
        let participle = raw.ends_with("ed") || raw.ends_with("en");
        !apart && !participle
    });
    let owned = known.words.get(at + 1).is_some() && known.owners.contains(&word.place);
    !joined && !owned
}

fn is_hour(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        || TABLES.numbers.contains_key(word)
        || matches!(word, "noon" | "midnight" | "dawn" | "dusk")
}

/// "I left the keys at the office" ends no work there: whether what is left is a thing that is known of nowhere,
/// or a place at an hour.
pub(super) fn leaves_a_thing(new: &Worded, known: &Worded) -> bool {
    const OF_ONE: &[&str] = &["the", "my", "our", "his", "her", "their", "a", "an"];
    const AT: &[&str] = &["at", "in", "on", "with"];
    let at_an_hour = new.raw.windows(2).any(|pair| {
        matches!(pair, [at, hour] if at == "at" && is_hour(hour) && !known.raw.contains(hour))
    });
    let goes_away = at_an_hour && new.raw.iter().any(|word| word == "left");
    goes_away
        || new.raw.windows(4).any(|four| {
            matches!(four, [left, one, thing, at] if left == "left"
            && OF_ONE.contains(&one.as_str())
            && AT.contains(&at.as_str())
            && !POSTS.contains(&thing.as_str())
            && !known.raw.contains(thing))
        })
}

/// Whether the same is said of what was: "used to live in Lisbon".
fn was_once(new: &Worded, known: &Worded) -> bool {
    let once = |said: &Worded| {
        (0..said.raw.len()).find_map(|at| {
            ONCE.iter().find_map(|words| {
                let here = said.raw.get(at..at + words.len())?;
                (here == words.as_slice()).then_some((at, words.len()))
            })
        })
    };
    let Some((at, length)) = once(new).filter(|_| once(known).is_none()) else {
        return false;
    };
    if new.opens_with_pronoun() != known.opens_with_pronoun() && at > 0 || known.denies() {
        return false;
    }
    let bare = |said: &Worded, from: usize, to: usize| -> Vec<String> {
        let kept = said
            .words
            .iter()
            .filter(|word| !(from..to).contains(&word.place));
        let mut stems: Vec<String> = kept.map(|word| bare_verb(&word.stem)).collect();
        stems.retain(|stem| !BY_THE_WAY.contains(&stem.as_str()));
        stems.sort_unstable();
        stems
    };
    let known_words = bare(known, 0, 0);
    !known_words.is_empty() && bare(new, at, at + length) == known_words
}

/// "Gewohnt" and "wohne" without what their forms add.
fn bare_verb(stem: &str) -> String {
    let participle = stem
        .strip_prefix("ge")
        .and_then(|word| word.strip_suffix('t'))
        .filter(|word| word.len() > 2);
    let ending = ["en", "st", "e", "t"];
    let plain = || ending.iter().find_map(|end| stem.strip_suffix(end));
    let head = participle.or_else(plain).filter(|word| word.len() > 2);
    head.unwrap_or(stem).to_owned()
}
