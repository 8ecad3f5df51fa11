//! What a statement says by the way: of whom it speaks, under which condition, on which occasion, and in which figures.
//!
//! It is read once for each statement and compared for each pair.

use std::ops::Range;
use std::sync::LazyLock;

use super::figures::{self, Figures};
use super::marks_tables::{
    ANY, BARE_VERB, CONDITION, DEED, DETERMINER, FRAME, FROM_ON, IN_PLACE_OF, INSTEAD, KINDS, Kind,
    LIMIT, NEAR, ONE_OF_TIME, ONLY, OPEN, OPENER, PERIOD, PRONOUN, PRONOUN_BEFORE_VERB, PURPOSE,
    ROLE_OF_MANY, THRESHOLD,
};
use super::scope::Scopes;
use super::split::split;
use super::worded::{TABLES, Worded, raw};
use crate::claims::{is_time_word, is_verb};
use crate::lexicon::WordMap;

/// A frame is told in so many words.
const LONGEST_FRAME: usize = 8;

/// What a statement says by the way; a place is one among its words as they stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// What each word may be.
    kinds: Vec<Kind>,
    /// What any of its words may be.
    all_kinds: Kind,
    /// Whether it speaks of somebody or something that it does not name.
    pub(super) is_unnamed: bool,
    /// Whether it speaks of a role of which there is one beside every other one.
    pub(super) is_of_a_role: bool,
    /// Whether it tells what takes the place of something on one occasion.
    pub(super) is_once: bool,
    /// What tells one thing of a name from others, with the name in front of it: "Room A".
    pub(super) identifier: Option<(usize, usize)>,
    /// The words in front of the statement that say where or when it holds.
    pub(super) frame: Range<usize>,
    /// The words behind the last "for".
    pub(super) purpose: Option<usize>,
    /// A verb of what holds of many.
    pub(super) open: Option<usize>,
    /// A deed, and to what it was done.
    pub(super) deed: Option<(usize, usize)>,
    /// Numbers, and the names of what they count.
    pub(super) counted: Vec<(usize, usize)>,
    /// The first word of what it takes the place of.
    pub(super) replaced: Option<usize>,
    /// Amounts and hours.
    pub(super) figures: Figures,
    /// Within what it holds.
    pub(super) scopes: Scopes,
}

struct Tables {
    kinds: WordMap<&'static str, Kind>,
    /// Verbs of what holds of many, with the word behind them where one is needed.
    open: WordMap<&'static str, Vec<&'static str>>,
    /// How it is told that one takes the place of another, by the first word.
    in_place_of: WordMap<String, Vec<Vec<String>>>,
}

static MARKS: LazyLock<Tables> = LazyLock::new(|| {
    let mut kinds: WordMap<&'static str, Kind> = WordMap::default();
    for (kind, words) in KINDS {
        for word in words.split(' ') {
            *kinds.entry(word).or_default() |= kind;
        }
    }
    let mut open: WordMap<&'static str, Vec<&'static str>> = WordMap::default();
    for phrase in OPEN {
        let (verb, behind) = phrase.split_once(' ').unwrap_or((phrase, ""));
        open.entry(verb).or_default().push(behind);
    }
    let mut in_place_of: WordMap<String, Vec<Vec<String>>> = WordMap::default();
    for words in IN_PLACE_OF.iter().map(|phrase| split(phrase)) {
        if let Some(first) = words.first().cloned() {
            in_place_of.entry(first).or_default().push(words);
        }
    }
    Tables {
        kinds,
        open,
        in_place_of,
    }
});

/// Whether a word stands for somebody or something that was named before.
pub(super) fn stands_for_another(word: &str) -> bool {
    let kinds = MARKS.kinds.get(word).copied().unwrap_or(0);
    kinds & (PRONOUN | PRONOUN_BEFORE_VERB) != 0
}

impl Marks {
    pub(super) fn read(text: &str, said: &Worded) -> Self {
        if said.too_long {
            return Self::default();
        }
        let kind = |word: &String| MARKS.kinds.get(word.as_str()).copied().unwrap_or(0);
        let mut marks = Self {
            kinds: said.raw.iter().map(kind).collect(),
            figures: figures::read(said),
            ..Self::default()
        };
        marks.all_kinds = marks.kinds.iter().fold(0, |all, kinds| all | kinds);
        marks.is_unnamed = marks.opens_unnamed(said);
        marks.is_of_a_role = marks.opens_with_a_role(text, said);
        marks.identifier = marks.told_identifier(said);
        marks.frame = marks.opening_frame(said);
        marks.purpose = marks.told_purpose(said);
        marks.open = (0..said.raw.len()).find(|at| is_open(said, *at));
        marks.deed = marks.told_deed(said);
        marks.counted = counted(said);
        marks.replaced = told_replaced(said);
        marks.scopes = Scopes::read(said, &marks.figures);
        marks.is_once = marks.tells_one_occasion(said);
        marks
    }

    pub(super) fn is(&self, at: usize, kind: Kind) -> bool {
        self.kinds.get(at).is_some_and(|kinds| kinds & kind != 0)
    }

    pub(super) fn any(&self, kind: Kind) -> bool {
        self.all_kinds & kind != 0
    }

    fn find(&self, kind: Kind) -> Option<usize> {
        self.kinds.iter().position(|kinds| kinds & kind != 0)
    }

    fn opens_unnamed(&self, said: &Worded) -> bool {
        let mut places = 0..self.kinds.len();
        let Some(first) = places.find(|at| !self.is(*at, OPENER)) else {
            return false;
        };
        let verb_follows = || {
            said.raw
                .get(first + 1)
                .is_some_and(|word| is_verb(word) || self.is(first + 1, BARE_VERB))
        };
        self.is(first, PRONOUN | BARE_VERB) || self.is(first, PRONOUN_BEFORE_VERB) && verb_follows()
    }

    /// "Contact: Ana Ruiz", "the new contact is Ana Ruiz": of whom it is the contact is not told.
    fn opens_with_a_role(&self, text: &str, said: &Worded) -> bool {
        let Some(role) = self.find(ROLE_OF_MANY).filter(|at| *at < 3) else {
            return false;
        };
        let labelled = role == 0
            && text
                .trim_start()
                .split(' ')
                .next()
                .is_some_and(|word| word.ends_with(':'));
        let bare = said.raw.get(role + 1).is_some_and(|word| is_verb(word));
        labelled || bare
    }

    /// "Jo walked instead yesterday", "this week Ida instead of Bob"; "from tomorrow on" is no occasion.
    fn tells_one_occasion(&self, said: &Worded) -> bool {
        let once = |at: usize| {
            let begins = at.checked_sub(1).is_some_and(|at| self.is(at, FROM_ON));
            let near = self.is(at, NEAR);
            let one = self.is(at, ONE_OF_TIME)
                && (self.is(at + 1, PERIOD)
                    || said.raw.get(at + 1).is_some_and(|word| is_time_word(word)));
            (near || one) && !begins
        };
        (self.any(INSTEAD) || self.replaced.is_some()) && (0..self.kinds.len()).any(once)
    }

    /// "Room A", "plan B": a letter, or a number in front of the verb, tells one from others of its name.
    fn told_identifier(&self, said: &Worded) -> Option<(usize, usize)> {
        let is_told = |(at, word): (usize, &String)| at > 0 && word.len() > 1 && is_verb(word);
        let verb = said.raw.iter().enumerate().position(is_told);
        let end = verb.unwrap_or(4).min(5);
        let named = |at: &usize| {
            let word = raw(said, *at);
            let before = raw(said, *at - 1);
            let letter = word.len() == 1 && word != "i" && said.capitals.contains(at);
            let number = verb.is_some() && word.starts_with(|c: char| c.is_ascii_digit());
            let governs = TABLES.dropped.contains(before)
                || TABLES.placing.contains(before)
                || self.is(*at - 1, THRESHOLD | FRAME | PURPOSE | FROM_ON);
            (letter || number) && !governs
        };
        (1..end).find(named).map(|at| (at - 1, at))
    }

    /// "In the Berlin office, …", "while Ida is away, …"; a day or "in fact" is no such frame.
    fn opening_frame(&self, said: &Worded) -> Range<usize> {
        let opens = self.is(0, FRAME | CONDITION);
        let pause = said.paused.iter().copied().find(|at| *at > 1);
        let end = pause.filter(|end| opens && *end <= LONGEST_FRAME);
        let end = end.filter(|end| {
            let mut words = said.raw.iter().take(*end);
            let timed = words
                .any(|word| is_time_word(word) || word.starts_with(|c: char| c.is_ascii_digit()));
            let told = said.words.iter().any(|word| word.place < *end);
            told && (!timed || self.is(0, CONDITION))
        });
        0..end.unwrap_or(0)
    }

    fn told_purpose(&self, said: &Worded) -> Option<usize> {
        let last = self.kinds.iter().rposition(|kinds| kinds & PURPOSE != 0)?;
        let mut behind = last + 1;
        while self.is(behind, DETERMINER) {
            behind += 1;
        }
        let word = said.raw.get(behind)?;
        let counts = word.starts_with(|c: char| c.is_ascii_digit()) || is_time_word(word);
        (last > 1 && !counts).then_some(behind)
    }

    /// "Changed her surname": the deed and the thing, whichever of them stands first.
    fn told_deed(&self, said: &Worded) -> Option<(usize, usize)> {
        let deed = self.find(DEED).filter(|at| *at > 0)?;
        let mut places = 1..self.kinds.len();
        let mut thing = places.find(|at| {
            self.is(*at, DETERMINER) && !self.is(*at + 1, DETERMINER | DEED) && *at != deed
        })? + 1;
        // "Switched the old heater off": what a thing is like stands in front of it.
        if said
            .raw
            .get(thing)
            .is_some_and(|word| matches!(word.as_str(), "old" | "new"))
        {
            thing += 1;
        }
        said.raw.get(thing).map(|_| (deed, thing))
    }

    /// Whether it limits what it says: "until", "but"; "9 until 5" is a span.
    pub(super) fn limits(&self, said: &Worded) -> bool {
        (0..self.kinds.len()).any(|at| {
            let spans = at
                .checked_sub(1)
                .and_then(|at| said.raw.get(at))
                .is_some_and(|word| {
                    word.starts_with(|c: char| c.is_ascii_digit()) || is_time_word(word)
                });
            self.is(at, LIMIT) && !self.is(at, DETERMINER) && !spans
        })
    }

    /// Whether it speaks of some alone, or of any: nothing where it does neither.
    pub(super) fn speaks_of_some_alone(&self) -> Option<bool> {
        match (self.is(0, ONLY), self.is(0, ANY)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            (true, true) | (false, false) => None,
        }
    }
}

/// Behind "instead of", the first word that carries something.
fn told_replaced(said: &Worded) -> Option<usize> {
    let behind = (0..said.raw.len()).find_map(|at| {
        let phrases = MARKS.in_place_of.get(said.raw.get(at)?)?;
        phrases.iter().find_map(|words| {
            let here = said.raw.get(at..at + words.len())?;
            (here == words.as_slice()).then_some(at + words.len())
        })
    })?;
    let mut words = said.words.iter().filter(|word| word.place >= behind);
    words.next().map(|word| word.place)
}

fn is_open(said: &Worded, at: usize) -> bool {
    let word = |at: usize| raw(said, at);
    let behind = MARKS.open.get(word(at));
    at > 0 && behind.is_some_and(|behind| behind.contains(&"") || behind.contains(&word(at + 1)))
}

/// Numbers with the words behind them that name what is counted; a unit is no such word.
fn counted(said: &Worded) -> Vec<(usize, usize)> {
    let is_number = |word: &str| {
        word.bytes().all(|b| b.is_ascii_digit())
            || TABLES
                .numbers
                .get(word)
                .is_some_and(|value| !value.ends_with(['t', 'd', 'h']))
    };
    let words = said.raw.windows(2).enumerate();
    let counts = words.filter(|(at, pair)| match pair {
        [number, what] => {
            is_number(number)
                && what.chars().all(char::is_alphabetic)
                && !said.capitals.contains(&(*at + 1))
                && !TABLES.dropped.contains(what)
                && !TABLES.placing.contains(what.as_str())
                && !is_time_word(what)
                && !figures::is_unit(what)
        }
        _ => false,
    });
    counts.map(|(at, _)| (at, at + 1)).collect()
}
