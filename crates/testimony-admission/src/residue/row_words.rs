//! The words of a row of programs: what each can stand for, and what stands between them.

use std::sync::LazyLock;

use super::telegram_words::{MADE_OF, WORDS};
use crate::folded::{self, Folded, Key};
use crate::lexicon::{Keys, Stems, WordMap, WordSet, every_choice, is_unspaced, without_accents};
use crate::work::steps;

/// What a word can stand for in such a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    /// What runs: session, agent, worker.
    Machine,
    /// What is run: job, task, step.
    Work,
    /// What became of it: started, finished.
    State,
    /// What goes on, without a word for whom: waiting, shutting down.
    Doing,
    /// What a memory service keeps: memories, index, embeddings.
    Store,
    /// What it does with that: rebuilt, merged.
    Kept,
    /// Marks of what a program wrote by itself.
    Auto,
    /// Not to be answered.
    Reply,
    /// A kind of test: canary, smoke test, dummy.
    Kind,
    /// What is written for one: row, record, marker.
    Thing,
    /// Both in one word: *Testeintrag*.
    Named,
    /// What is tested: the recall API.
    Api,
    /// A test of that in one word.
    Probing,
    /// Somebody who is only trying.
    Just,
    /// Whether it is remembered.
    Recalls,
    /// Words with which a row speaks of itself: "this is".
    Declares,
    /// To be ignored or deleted.
    Ignore,
    /// Names of test runners.
    Harness,
    /// Who wrote the row.
    Wrote,
    /// What an evaluation expects.
    Expected,
    /// Verbs that state something about what stands before them.
    Verb,
    /// Words with which people speak of their own things.
    Own,
    /// Words that may stand in any line of a log.
    Company,
    /// Words that may stand in any row of a test.
    Filler,
    /// Words with which a sentence says how a thing is, not what has become of it.
    Is,
    /// What a memory service rules on; people have cases and conflicts too.
    Govern,
}

use Class::*;

pub(super) type Classes = u32;

pub(super) const fn any(classes: &[Class]) -> Classes {
    let mut mask = 0;
    let mut rest = classes;
    while let [first, others @ ..] = rest {
        mask |= 1 << *first as u8;
        rest = others;
    }
    mask
}

/// What may stand in a line of a log or of a program.
pub(super) const LOG_WORDS: Classes = any(&[
    Machine, Work, State, Doing, Store, Kept, Auto, Reply, Declares, Company, Govern,
]);
/// What may stand in a row of a test that consists of nothing else.
pub(super) const TEST_WORDS: Classes = any(&[
    Kind, Thing, Named, Api, Probing, Ignore, Harness, Declares, Wrote, Company, Filler,
]);

/// What names a test. Every rule about rows of tests asks for one of these.
const TESTS: Classes = any(&[Kind, Named, Probing, Just, Harness]);

/// Not a class: marks words with which longer phrases begin.
const GOES_ON: Classes = 1 << (Classes::BITS - 1);

/// What stands between a word and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// A space, or nothing at all.
    Space,
    /// A hyphen or an underscore inside of a name.
    Joint,
    /// A colon, a bar or a dash, after which content follows.
    Colon,
    /// Any other mark.
    Mark,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) classes: Classes,
    pub(super) gap: Gap,
    pub(super) is_identifier: bool,
    /// Where it stands in the text.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Word {
    pub(super) const fn is(&self, classes: Classes) -> bool {
        self.classes & classes != 0
    }
}

/// Longer texts are no rows; a row has at most this many words.
pub(super) const LONGEST: usize = 240;
/// A phrase of the vocabulary has at most this many words, and so many letters of an unspaced script.
const PHRASE: usize = 6;
const UNSPACED_LETTERS: usize = 11;
/// No stem of the vocabulary has more bytes.
pub(super) const LONGEST_STEM: usize = 48;
/// No shorter beginning of a word counts as a stem.
const SHORTEST_STEM: usize = 4;

pub(super) struct Vocabulary {
    /// Every phrase, and every beginning of one.
    pub(super) phrases: WordMap<String, Classes>,
    pub(super) stems: WordMap<String, Classes>,
    /// The words with which phrases begin, and the beginnings of stems: most words are told by them to be neither.
    pub(super) heads: Keys,
    pub(super) stem_heads: Stems,
    /// The same for what names a test, and the words with which that begins.
    tests: Keys,
    test_stems: Stems,
    test_words: WordSet<String>,
}

pub(super) static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut vocabulary = Vocabulary {
        phrases: WordMap::default(),
        stems: WordMap::default(),
        heads: Keys::none(),
        stem_heads: Stems::of([].into_iter()),
        tests: Keys::none(),
        test_stems: Stems::of([].into_iter()),
        test_words: WordSet::default(),
    };
    for (class, _, list) in WORDS {
        for word in list.split('|') {
            vocabulary.add(word, any(&[*class]));
        }
    }
    for (class, parts) in MADE_OF {
        for phrase in every_choice(parts) {
            vocabulary.add(&phrase, any(&[*class]));
        }
    }
    vocabulary.heads = heads(&vocabulary.phrases, Classes::MAX);
    vocabulary.stem_heads = stem_heads(&vocabulary.stems, Classes::MAX);
    vocabulary.tests = heads(&vocabulary.phrases, TESTS);
    vocabulary.test_words = first_words(&vocabulary.phrases, TESTS).collect();
    vocabulary.test_stems = stem_heads(&vocabulary.stems, TESTS);
    vocabulary
});

/// The first words of the phrases of some classes.
fn first_words(
    phrases: &WordMap<String, Classes>,
    classes: Classes,
) -> impl Iterator<Item = String> {
    let wanted = phrases.iter();
    let wanted = wanted.filter(move |(_, class)| **class & classes & !GOES_ON != 0);
    wanted.filter_map(|(phrase, _)| {
        let first = *Folded::of(phrase).words.first()?;
        Some(phrase.get(..first.end)?.to_owned())
    })
}

fn heads(phrases: &WordMap<String, Classes>, classes: Classes) -> Keys {
    Keys::of(first_words(phrases, classes).map(|word| Key::of_word(&word).whole))
}

fn stem_heads(stems: &WordMap<String, Classes>, classes: Classes) -> Stems {
    let wanted = stems.iter().filter(|(_, class)| **class & classes != 0);
    Stems::of(wanted.map(|(stem, _)| stem.as_str()))
}

impl Vocabulary {
    fn add(&mut self, word: &str, class: Classes) {
        for spelling in [word.to_owned(), without_accents(word)] {
            if let Some(stem) = spelling.strip_suffix('*') {
                *self.stems.entry(stem.to_owned()).or_default() |= class;
                continue;
            }
            let parts: Vec<&str> = spelling.split(|c| !is_letter(c)).collect();
            for count in 1..=parts.len() {
                let beginning = parts.iter().take(count).copied().collect::<Vec<_>>();
                let classes = self.phrases.entry(beginning.join(" ")).or_default();
                *classes |= if count == parts.len() { class } else { GOES_ON };
            }
        }
    }

    /// How many of the pieces the longest phrase takes that they begin with, and what it stands for.
    fn longest_phrase<'w>(
        &self,
        text: &str,
        first: &folded::Word,
        others: impl Iterator<Item = &'w folded::Word>,
    ) -> (usize, Classes) {
        let begun = text.get(first.start..first.end).unwrap_or_default();
        let unspaced = begun.starts_with(is_unspaced);
        steps(1);
        let known = self.phrases.get(begun).copied();
        let mut found = (1, known.unwrap_or_default() & !GOES_ON);
        if !unspaced && known.is_none_or(|known| known & GOES_ON == 0) {
            return found;
        }
        let mut phrase = Phrase::begun(text, first, unspaced);
        let most = if unspaced { UNSPACED_LETTERS } else { PHRASE };
        for (at, piece) in others.take(most - 1).enumerate() {
            if matches!(
                gap_between(text, phrase.end, piece.start),
                Gap::Colon | Gap::Mark
            ) {
                break;
            }
            phrase.add(piece);
            steps(1);
            let known = self.phrases.get(phrase.words()).copied();
            let classes = known.unwrap_or_default() & !GOES_ON;
            if classes != 0 {
                found = (at + 2, classes);
            }
            if !unspaced && known.is_none_or(|known| known & GOES_ON == 0) {
                break;
            }
        }
        found
    }

    /// Whether what names a test may begin with a word of a folded text.
    pub(super) fn may_name_a_test(&self, text: &str, word: &folded::Word) -> bool {
        let letters = || text.get(word.start..word.end).unwrap_or_default();
        let whole = self.tests.may_hold(word.key.whole);
        let stem = self.test_stems.may_begin(word.key);
        // Both are asked before the one branch, which hardly any word takes.
        (whole | stem)
            && (whole && self.test_words.contains(letters())
                || stem && self.stem(letters(), word.key) & TESTS != 0)
    }

    pub(super) fn stem(&self, word: &str, key: Key) -> Classes {
        if !self.stem_heads.may_begin(key) {
            return 0;
        }
        let ends = word
            .char_indices()
            .map(|(at, letter)| at + letter.len_utf8());
        let ends = ends.inspect(|_| steps(1));
        ends.take_while(|at| *at <= LONGEST_STEM)
            .filter(|at| *at >= SHORTEST_STEM)
            .filter_map(|at| self.stems.get(word.get(..at)?))
            .fold(0, |all, classes| all | classes)
    }
}

/// Words that may be a phrase, as the vocabulary writes them.
struct Phrase<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    /// What the vocabulary writes between two words.
    joint: &'static str,
    /// The words put together, where the text writes them otherwise; most often it does not.
    joined: Option<String>,
}

impl<'t> Phrase<'t> {
    fn begun(text: &'t str, first: &folded::Word, unspaced: bool) -> Self {
        Self {
            text,
            start: first.start,
            end: first.end,
            joint: if unspaced { "" } else { " " },
            joined: None,
        }
    }

    fn add(&mut self, piece: &folded::Word) {
        let between = self.text.get(self.end..piece.start).unwrap_or_default();
        if self.joined.is_none() && between != self.joint {
            self.joined = Some(self.words().to_owned());
        }
        self.end = piece.end;
        if let Some(joined) = &mut self.joined {
            joined.push_str(self.joint);
            joined.push_str(self.text.get(piece.start..piece.end).unwrap_or_default());
        }
    }

    fn words(&self) -> &str {
        let as_it_stands = || self.text.get(self.start..self.end).unwrap_or_default();
        self.joined.as_deref().unwrap_or_else(as_it_stands)
    }
}

fn gap_between(text: &str, end: usize, start: usize) -> Gap {
    gap(text.get(end..start).unwrap_or_default())
}

const fn is_joint(character: char) -> bool {
    matches!(character, '-' | '_' | '/' | '.' | '@' | '=')
}

fn is_letter(character: char) -> bool {
    character.is_alphanumeric()
}

/// The words among the words and marks of a text; letters of unspaced scripts stand alone.
pub(super) fn pieces(words: &[folded::Word]) -> impl Iterator<Item = &folded::Word> + Clone {
    words.iter().filter(|word| word.made_of.is_word())
}

fn gap(between: &str) -> Gap {
    if matches!(between, " " | "") {
        Gap::Space
    } else if between.contains([':', '|', '：', '–', '—', '#', '→']) || between.contains(" - ")
    {
        Gap::Colon
    } else if between.chars().all(char::is_whitespace) || matches!(between, "'" | "’") {
        Gap::Space
    } else if between.chars().count() == 1 && between.chars().all(is_joint) {
        Gap::Joint
    } else {
        Gap::Mark
    }
}

/// The words of a text, the longest phrases first; stops at the first word that `is_wanted` refuses.
///
/// `text` is folded, and the places of `words` count from its beginning.
pub(super) fn words(
    text: &str,
    words: &[folded::Word],
    is_wanted: impl Fn(&Word) -> bool,
) -> Option<Vec<Word>> {
    let mut read: Vec<Word> = Vec::with_capacity(words.len().min(LONGEST));
    let mut pieces = pieces(words);
    let mut before: Option<usize> = None;
    while let Some(first) = pieces.next() {
        let gap = before.map_or(Gap::Mark, |end| gap_between(text, end, first.start));
        let (mut taken, mut classes) = (1, 0);
        if VOCABULARY.heads.may_hold(first.key.whole) {
            (taken, classes) = VOCABULARY.longest_phrase(text, first, pieces.clone());
        }
        if classes == 0 {
            let letters = text.get(first.start..first.end).unwrap_or_default();
            classes = VOCABULARY.stem(letters, first.key);
        }
        let last = pieces.by_ref().take(taken - 1).last().unwrap_or(first);
        let word = Word {
            classes,
            gap,
            is_identifier: classes == 0 && first.made_of.has_digit(),
            start: first.start,
            end: last.end,
        };
        if !is_wanted(&word) {
            return None;
        }
        read.push(word);
        before = Some(last.end);
    }
    Some(read)
}
