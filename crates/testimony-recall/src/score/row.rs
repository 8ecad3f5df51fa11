//! What a row says: its words, what it speaks of, and what kinds of answers stand in it. It depends on the row alone, so
//! whoever keeps it spares the next reading.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use testimony_domain::{Memory, Speaker};

use super::over::names_of_what_is_over;
use crate::mark::{Marks, mark, mark_of_pair};
use crate::text::{self, Shape, Word};
use crate::vocabulary::Vocabulary;
use crate::words::{Cell, Cue, Facts, Pair};

/// A row's text, read.
#[derive(Debug)]
pub struct RowText {
    pub(crate) words: Box<[Word]>,
    /// Words of its entities, its subject and its speaker.
    about: Marks,
    /// Words of its speaker's name.
    speaker: Marks,
    /// What these may be shortened to.
    shortened: Marks,
    /// What the lists say of any of its words.
    facts: Facts,
    pub(crate) cells: Box<[Cell]>,
    pub(crate) first_person: bool,
    /// Names of which it says that they are over.
    pub(crate) over: Box<[u64]>,
    /// Whether it ends by asking something.
    pub(crate) asks: bool,
    /// By what rows that say the same are known; nothing where it says nothing.
    pub(crate) same: Option<u128>,
    /// How many bytes the words take that nobody had read before.
    brought: usize,
}

/// So far is a word held by one that means the same.
pub(crate) const MEANT: f64 = 0.8;

/// A word that is looked for in rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sought {
    raw: u64,
    stem: u64,
    prefix: Option<u64>,
    kin: Box<[u16]>,
    asks: Box<[u16]>,
    /// Its letters, where it may be the beginning of a longer name.
    short: Option<Box<str>>,
}

impl Sought {
    /// The number of its stem.
    pub(crate) const fn stem(&self) -> u64 {
        self.stem
    }

    pub(crate) fn of(word: &Word) -> Self {
        Self {
            raw: word.raw_mark,
            stem: word.mark,
            prefix: word.prefix,
            kin: word.kin.clone(),
            asks: asks_of(word),
            short: may_be_short(word).then(|| word.raw.as_str().into()),
        }
    }

    /// How far a word of a row is this one: 1 for the word itself, less for a relative of it.
    pub(crate) fn is_held_by(&self, word: &Word) -> f64 {
        if self.is(word) {
            1.0
        } else if self.is_meant_by(word) {
            MEANT
        } else if self.is_told_by(word) {
            0.55
        } else if self.prefix.is_some() && self.prefix == word.prefix {
            0.5
        } else {
            0.0
        }
    }

    fn is(&self, word: &Word) -> bool {
        self.raw == word.raw_mark || self.stem == word.mark
    }

    /// "Mel" is "Melanie".
    fn is_short_for(&self, word: &Word) -> bool {
        self.short.as_deref().is_some_and(|short| {
            word.capital && !word.stop && short_forms(&word.raw).any(|form| form == short)
        })
    }

    fn is_meant_by(&self, word: &Word) -> bool {
        share_one(&self.kin, &word.kin)
    }

    /// Whether the word means nearly the same, or is one of the kind: "pug" tells of a pet.
    fn is_told_by(&self, word: &Word) -> bool {
        let pair = word.pair.and_then(Pair::meaning);
        share_one(&self.asks, &word.tells)
            || pair.is_some_and(|it| share_one(&self.asks, &it.tells))
    }
}

/// The groups by which a word of a question asks, alone or together with the word beside it, in their order.
fn asks_of(word: &Word) -> Box<[u16]> {
    let Some(pair) = word.pair.and_then(Pair::meaning) else {
        return word.asks.clone();
    };
    once_each(word.asks.iter().chain(&pair.asks).copied())
}

/// Whether two ascending lists have a number in common.
fn share_one(one: &[u16], other: &[u16]) -> bool {
    let mut others = other.iter().peekable();
    one.iter().any(|number| {
        while others.next_if(|other| *other < number).is_some() {}
        others.peek() == Some(&number)
    })
}

fn may_be_short(word: &Word) -> bool {
    let letters = word.raw.chars().count();
    word.capital && word.shape == Shape::Plain && (SHORTEST..=LONGEST_SHORT).contains(&letters)
}

/// What a name is called for short: its beginning, with at least two letters gone.
fn short_forms(name: &str) -> impl Iterator<Item = &str> {
    let letters = name.chars().count();
    let ends = name.char_indices().map(|(at, _)| at).enumerate();
    ends.filter(move |(count, _)| {
        (SHORTEST..=LONGEST_SHORT).contains(count) && count + 2 <= letters
    })
    .filter_map(|(_, end)| name.get(..end))
}

/// A name shortened has so many letters.
const SHORTEST: usize = 3;
const LONGEST_SHORT: usize = 5;

/// What a name among the labels of a row counts that does not stand in its text.
const LABELLED: f64 = 0.9;

/// Only so much of a row is read; admission keeps claims far shorter, and a verbatim row has said its topic by then.
const READ_BYTES: usize = 16_384;

impl RowText {
    /// Reads a row.
    #[must_use]
    pub fn of(memory: &Memory) -> Self {
        Self::read_with(memory, &mut Vocabulary::default())
    }

    /// The same, where words that were read before are looked up.
    #[must_use]
    pub fn read_with(memory: &Memory, vocabulary: &mut Vocabulary) -> Self {
        let before = vocabulary.brought();
        let words = text::read_with(beginning(memory.content.as_str()), vocabulary);
        let facts = words.iter().map(|word| word.facts());
        let facts = facts.fold(Facts::default(), Facts::joined);
        let cells = words.iter().flat_map(|word| word.cells.iter().copied());
        let first_person = words.iter().any(Word::is_first_person) || facts.is(Cue::UserNoun);
        let of_another = speaks_of_another(&words, first_person);
        let speaker = memory.speaker.iter();
        let speaker = speaker.flat_map(|it| text::read_with(it.as_str(), vocabulary));
        let speaker: Vec<Word> = speaker.collect();
        let shortened = speaker.iter().flat_map(|word| short_forms(&word.raw));
        Self {
            about: about(memory, of_another, vocabulary),
            shortened: shortened.map(mark).collect(),
            speaker: speaker.iter().map(|word| word.mark).collect(),
            cells: once_each(cells),
            same: same(memory, &words, first_person),
            facts,
            first_person,
            over: once_each(names_of_what_is_over(&words).into_iter()),
            asks: asks(memory.content.as_str()),
            brought: vocabulary.brought() - before,
            words: words.into_boxed_slice(),
        }
    }

    /// About how many bytes it takes. Words that were read before are counted where they were.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let marks = self.about.bytes() + self.speaker.bytes() + self.shortened.bytes();
        size_of::<Self>()
            + self.brought
            + size_of_val(&*self.words)
            + marks
            + size_of_val(&*self.cells)
            + size_of_val(&*self.over)
    }

    /// How far the row holds a word of the question, whose nearest among its own words holds it so far.
    pub(super) fn holds(&self, word: &Sought, nearest: f64) -> f64 {
        if nearest < LABELLED && self.is_labelled(word) {
            LABELLED
        } else {
            nearest
        }
    }

    /// Whether a word of the same meaning stands in it.
    pub(crate) fn means(&self, word: &Sought) -> bool {
        self.words.iter().any(|own| word.is_meant_by(own))
    }

    /// Whether the row is about something of this name: it stands in the text or among its entities.
    pub(crate) fn names(&self, word: &Sought) -> bool {
        let is_it = |own: &Word| word.is(own) || word.is_short_for(own);
        self.words.iter().any(is_it) || self.is_labelled(word) || self.is_short_for_speaker(word)
    }

    /// Whether the name stands among its entities, its subject or its speaker.
    pub(crate) fn is_labelled(&self, word: &Sought) -> bool {
        self.about.hold(word.raw) || self.about.hold(word.stem)
    }

    /// Whether somebody of this name said it.
    pub(crate) fn is_spoken_by(&self, word: &Sought) -> bool {
        self.speaker.hold(word.stem) || self.is_short_for_speaker(word)
    }

    fn is_short_for_speaker(&self, word: &Sought) -> bool {
        word.short.is_some() && self.shortened.hold(word.raw)
    }

    /// Whether a word of its own stands there too.
    pub(crate) fn labels(&self, word: &Word) -> bool {
        self.about.hold(word.mark) || self.about.hold(word.raw_mark)
    }

    /// Words that stand side by side in it, by their numbers.
    pub(super) fn pairs(&self) -> impl Iterator<Item = u64> {
        let spoken = || self.words.iter().filter(|word| !word.whole);
        spoken()
            .zip(spoken().skip(1))
            .filter(|(a, b)| !a.stop && !b.stop)
            .map(|(a, b)| mark_of_pair(a.mark, b.mark))
    }

    /// Whether a word of the list stands in it.
    pub(crate) const fn has(&self, cue: Cue) -> bool {
        self.facts.is(cue)
    }

    /// Whether a number stands in it, in digits or in words.
    pub(crate) fn has_number(&self) -> bool {
        self.words.iter().any(Word::is_number)
    }

    /// Whether a longer form of this name stands in it: "PostgreSQL" for "Postgres".
    pub(crate) fn lengthens(&self, name: &str) -> bool {
        const LONG: usize = 8;
        let is_long = name.chars().count() >= LONG;
        is_long && self.words.iter().any(|word| word.raw.starts_with(name))
    }

    /// Whether names can be told from other words in it: not where every noun has a capital.
    pub(crate) fn tells_names(&self) -> bool {
        self.words.iter().any(|word| word.capital)
    }

    /// Whether it says of somebody no more than where they are: "Ana is now at the harbour office".
    pub(crate) fn says_who_is_where(&self) -> bool {
        let spoken: Vec<&Word> = self.words.iter().filter(|word| !word.whole).collect();
        let is_name = |word: &Word| word.is_name() || word.first && word.capital && !word.stop;
        spoken.windows(3).enumerate().any(|(at, three)| {
            let [name, verb, next] = three else {
                return false;
            };
            let skip = usize::from(next.is(Cue::Change));
            let behind = |by: usize| spoken.get(at + 2 + skip + by);
            let placed = behind(0).is_some_and(|word| word.is(Cue::PlacedBy));
            let mut named = (1..=2).filter_map(behind);
            let is = matches!(verb.raw.as_str(), "is" | "ist" | "está" | "est");
            is_name(name) && is && placed && named.any(|word| word.is_name())
        })
    }

    /// Whom it begins with, where that is somebody of the one who speaks, and nothing else in it is theirs: the sister of
    /// "My sister Clara lives in Munich".
    pub(crate) fn leading_relative(&self) -> Option<&Word> {
        let mut words = self.words.iter();
        let (first, second) = (words.next()?, words.next()?);
        // What one's own company does is one's own affair.
        let is_somebody = second.is(Cue::Person) && !second.is(Cue::Ours);
        let somebodys = first.is_first_person() && is_somebody;
        let alone = !words.any(Word::is_first_person);
        (somebodys && alone).then_some(second)
    }

    /// What may be the name behind its label: "Babysitter: Kirsty from number 41".
    pub(crate) fn name_behind_label(&self) -> Option<&Word> {
        let label = words_of_label(&self.words);
        let name = self.words.get(label).filter(|_| label > 0);
        name.filter(|name| may_be_a_name(name))
    }

    /// The name with which it begins: "Ana prefers tea", "Ana's dog".
    pub(crate) fn leading_name(&self) -> Option<&Word> {
        leading_name(&self.words)
    }
}

/// How many words stand before a colon or another end of a sentence where a row begins with few of them: "Medical: Ngozi is
/// allergic to penicillin".
fn words_of_label(words: &[Word]) -> usize {
    const LONGEST_LABEL: usize = 2;
    let begins = |at: &usize| words.get(*at).is_some_and(|word| word.first);
    (1..=LONGEST_LABEL).find(begins).unwrap_or(0)
}

fn leading_name(words: &[Word]) -> Option<&Word> {
    let mut words = words.iter().skip(words_of_label(words));
    let (first, second) = (words.next()?, words.next()?);
    let compound = words.next().is_some_and(|third| are_nouns(second, third));
    let own = first.is_first_person() || first.is(Cue::UserNoun);
    let of_things = NOUN_ENDINGS.iter().any(|end| first.raw.ends_with(end));
    let no_name = own || of_things || compound;
    (may_be_a_name(first) && !no_name && (first.possessive || is_followed_by_verb(first, second)))
        .then_some(first)
}

/// Whether a word with which a sentence begins may be a name.
fn may_be_a_name(word: &Word) -> bool {
    let like_one = word.capital && !word.stop && word.shape == Shape::Plain;
    like_one && !NO_NAMES.iter().any(|cue| word.is(*cue))
}

/// What opens a sentence and names nobody: "New boss", "Nobody posts", "Two tablets"; a title stands before a name.
const NO_NAMES: [Cue; 8] = [
    Cue::Title,
    Cue::Change,
    Cue::Light,
    Cue::When,
    Cue::Weekday,
    Cue::Month,
    Cue::Negation,
    Cue::Number,
];

/// Endings of nouns that are no names: "Watering", "Installation", "Furniture".
const NOUN_ENDINGS: [&str; 5] = ["ing", "tion", "sion", "ture", "ness"];

/// Whether a word in `s` is no verb, since one stands behind it: "Kitchen shelves are", "Ticket sales have".
fn are_nouns(second: &Word, third: &Word) -> bool {
    let many = [
        "are", "were", "have", "sind", "waren", "haben", "son", "sont",
    ];
    let verb = third.is(Cue::OfOne) && !third.is(Cue::Joins) || many.contains(&third.raw.as_str());
    verb && second.raw.ends_with('s') && !second.is(Cue::OfOne)
}

/// Whether what stands second is what somebody does or is. After many things stands another form of a verb: "Rehearsals
/// moved", but "Joris is".
fn is_followed_by_verb(first: &Word, second: &Word) -> bool {
    let of_one = second.is(Cue::OfOne);
    if first.raw.ends_with('s') {
        return of_one;
    }
    of_one || second.is(Cue::Past) || second.raw.ends_with('s') || second.raw.ends_with("ed")
}

/// Whether the last thing that it says is a question.
fn asks(text: &str) -> bool {
    let said = text.trim_end_matches(|c: char| c.is_whitespace() || "\"'”’)".contains(c));
    said.ends_with(['?', '？', '؟'])
}

fn beginning(text: &str) -> &str {
    let end = (0..=READ_BYTES.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    text.get(..end).unwrap_or(text)
}

fn once_each<T: Ord>(all: impl Iterator<Item = T>) -> Box<[T]> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    all.dedup();
    all.into_boxed_slice()
}

/// Whether whoever said it speaks of somebody else: "Ana rows on Mondays" or "He rows on Mondays", said by Ben.
fn speaks_of_another(words: &[Word], first_person: bool) -> bool {
    let first = words.first();
    let of_him = first.is_some_and(|word| word.is(Cue::SomebodyElse));
    !first_person && (of_him || leading_name(words).is_some())
}

fn about(memory: &Memory, of_another: bool, vocabulary: &mut Vocabulary) -> Marks {
    let entities = memory.entities.iter().map(String::as_str);
    let subject = memory.slot.iter().map(|slot| slot.key.subject.as_str());
    let speaker = memory.speaker.iter().map(Speaker::as_str);
    let speaker = speaker.filter(|_| !of_another);
    entities
        .chain(subject)
        .chain(speaker)
        .flat_map(|name| text::read_with(name, vocabulary))
        .filter(|word| !word.stop)
        .flat_map(|word| [word.raw_mark, word.mark])
        .collect()
}

/// The number of what it says, without what says nothing: case, endings, articles, the marks of a sentence. What a
/// text says by signs is kept apart: `-5` and `5`, `C++` and `C`.
fn same(memory: &Memory, words: &[Word], first_person: bool) -> Option<u128> {
    let mut telling = words
        .iter()
        .filter(|word| !word.whole && !word.is(Cue::Article))
        .peekable();
    telling.peek()?;
    let mut halves = [0_u64, 1].map(|half| {
        let mut hash = DefaultHasher::new();
        half.hash(&mut hash);
        hash
    });
    for word in telling {
        halves.iter_mut().for_each(|half| word.mark.hash(half));
    }
    let mut take = |part: &str| {
        for half in &mut halves {
            part.hash(half);
        }
    };
    let text = memory.content.as_str();
    telling_signs(text).for_each(|signs| take(&signs));
    // Two people who say "I" do not say the same.
    if first_person {
        let user = memory.partition.labels().user.as_ref();
        memory.speaker.iter().for_each(|it| take(it.as_str()));
        user.iter().for_each(|it| take(it.as_str()));
    }
    // What was not read can differ.
    take(text.get(beginning(text).len()..).unwrap_or_default());
    let [high, low] = halves.map(|half| u128::from(half.finish()));
    Some(high << 64 | low)
}

/// Marks that only divide a text.
const MARKS: &str = ".,;:!?…'\"`“”‘’„«»()[]–—-、，。！？：；（）「」*_|>";

/// Signs that say something beside the words, each group with the place of its chunk.
fn telling_signs(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace()
        .enumerate()
        .filter(|(_, chunk)| !chunk.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .filter_map(|(at, chunk)| {
            let mut chars = chunk.chars();
            let below_zero = matches!(chars.next(), Some('-' | '−' | '–'))
                && chars.next().is_some_and(char::is_numeric);
            let telling = |c: &char| !c.is_alphanumeric() && !MARKS.contains(*c);
            let signs: String = below_zero
                .then_some('-')
                .into_iter()
                .chain(chunk.chars().filter(telling))
                .collect();
            (!signs.is_empty()).then(|| format!("{at}{signs}"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_begins_with_a_name_only_where_it_says_what_somebody_does() {
        let leading = |text: &str| {
            let words = text::read(text);
            leading_name(&words).map(|word| word.raw.clone())
        };
        for (text, name) in [
            ("Joris is allergic to pollen.", "joris"),
            ("Ana prefers tea.", "ana"),
            ("Ana's boat leaks.", "ana"),
            ("Ana and Ben row.", "ana"),
            ("Ana rows and swims.", "ana"),
            ("Ana has had lessons.", "ana"),
        ] {
            assert_eq!(leading(text).as_deref(), Some(name), "{text}");
        }
        for text in [
            "Rehearsals moved to the barn.",
            "New boss since May: Irma Holt.",
            "Nobody brings a dog.",
            "Watering cans only.",
            "Rust on the hull, all of it scraped.",
            "Ventilation is checked in May.",
            "Kitchen shelves are from the market.",
            "Ticket sales have doubled.",
        ] {
            assert_eq!(leading(text), None, "{text}");
        }
    }

    #[test]
    fn a_name_is_met_by_its_beginning() {
        let of = |name: &str, text: &str| {
            let asked = text::read(&format!("Did {name} row?"));
            let sought = asked.get(1).map(Sought::of).expect("a name");
            text::read(text)
                .iter()
                .any(|word| sought.is_short_for(word))
        };
        for (name, text) in [
            ("Mel", "Melanie rows."),
            ("Deb", "I met Deborah there."),
            ("Jon", "Jonas left."),
        ] {
            assert!(of(name, text), "{name}: {text}");
        }
        // One letter more is another name, and a word is no name.
        for (name, text) in [
            ("Dan", "Dana rows."),
            ("Jo", "Joanna rows."),
            ("Con", "We met a conductor."),
            ("mel", "Melanie rows."),
        ] {
            assert!(!of(name, text), "{name}: {text}");
        }
        assert_eq!(
            short_forms("melanie").collect::<Vec<_>>(),
            ["mel", "mela", "melan"]
        );
        assert_eq!(short_forms("ana").count(), 0);
    }

    #[test]
    fn a_row_asks_where_the_last_thing_it_says_is_a_question() {
        for text in [
            "Where do you row?",
            "I row. \u{201c}And you?\u{201d} ",
            "你呢？",
        ] {
            assert!(asks(text), "{text}");
        }
        for text in ["Where? On the lake.", "", "What a lake!"] {
            assert!(!asks(text), "{text}");
        }
    }

    #[test]
    fn who_says_he_or_she_speaks_of_somebody_else() {
        let of_another = |text: &str| speaks_of_another(&text::read(text), false);
        assert!(of_another("He takes two tablets at noon."));
        assert!(!of_another("Two tablets at noon."));
    }
}
