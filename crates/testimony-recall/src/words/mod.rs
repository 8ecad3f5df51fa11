//! The word lists as data, read once: stop words, words of the same meaning, words that exclude each other, cues.

mod phrases;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::mark::{ByMark, mark, mark_of_pair};
use crate::text::Language;

pub(crate) use phrases::Phrases;

pub(crate) type Set = HashSet<&'static str>;

/// How questions open.
pub(crate) static QUESTIONS: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::read(include_str!("questions.txt")));

/// How turns open before they come to the point.
pub(crate) static OPENINGS: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::read(include_str!("openings.txt")));

/// What a question asks for more closely than by its kind.
pub(crate) static WANTED: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::read(include_str!("wanted.txt")));

/// How a question says that it wants what several rows say.
pub(crate) static SEVERAL: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::read(include_str!("several.txt")));

/// How a row says that something named is over, before its name and behind it.
pub(crate) static OVER: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::read(include_str!("over.txt")));

/// How a question says which time it is about.
pub(crate) static TIMES: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::read(include_str!("times.txt")));

/// What is known of every word that stands in a list, so that a word is looked up once.
static FACTS: LazyLock<HashMap<&'static str, Facts>> = LazyLock::new(|| {
    let mut facts: HashMap<&'static str, Facts> = HashMap::new();
    for (place, (_, words)) in LANGUAGES.iter().enumerate() {
        for word in words {
            facts.entry(word).or_default().stops_in |= 1 << place;
        }
    }
    for (name, words) in named_lines(include_str!("cues.txt")) {
        for cue in Cue::ALL.iter().filter(|cue| cue.name() == name) {
            for word in &words {
                facts.entry(word).or_default().cues |= cue.bit();
            }
        }
    }
    facts
});

/// The languages with a list of stop words, English first.
static LANGUAGES: LazyLock<Vec<(&'static str, Set)>> =
    LazyLock::new(|| named_lines(include_str!("stop.txt")));

macro_rules! cues {
    ($($cue:ident = $name:literal,)+) => {
        /// The small closed lists, each by what its words make of a text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Cue { $($cue,)+ }

        impl Cue {
            const ALL: &[Self] = &[$(Self::$cue,)+];

            const fn name(self) -> &'static str {
                match self { $(Self::$cue => $name,)+ }
            }
        }
    };
}

cues! {
    Month = "month",
    Weekday = "weekday",
    When = "when",
    Place = "place",
    PlacedBy = "placed_by",
    Reason = "reason",
    Number = "number",
    Person = "person",
    Negation = "negation",
    FirstPerson = "first_person",
    RefersBack = "refers_back",
    UserNoun = "user_noun",
    Preference = "preference",
    Past = "past",
    Light = "light",
    AskedNoun = "asked_noun",
    Article = "article",
    Change = "change",
    Rule = "rule",
    OfOne = "of_one",
    SomebodyElse = "somebody_else",
    Joins = "joins",
    TimeUnit = "time_unit",
    Span = "span",
    Frequency = "frequency",
    Age = "age",
    Colour = "colour",
    Title = "title",
    Abbreviation = "abbreviation",
    Extent = "extent",
    Money = "money",
    Currency = "currency",
    Several = "several",
    Meal = "meal",
    Diet = "diet",
    OfBeing = "of_being",
    Group = "group",
    Ours = "ours",
    Relatives = "relatives",
    Category = "category",
    Eating = "eating",
    Refusing = "refusing",
    Feast = "feast",
}

impl Cue {
    const fn bit(self) -> u64 {
        1 << self as u64
    }
}

/// What the lists say of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    cues: u64,
    stops_in: u8,
}

impl Facts {
    /// What the lists say of `word`, in lower case.
    pub(crate) fn of(word: &str) -> Self {
        FACTS.get(word).copied().unwrap_or_default()
    }

    /// What the lists say of either.
    #[must_use]
    pub(crate) const fn joined(self, other: Self) -> Self {
        Self {
            cues: self.cues | other.cues,
            stops_in: self.stops_in | other.stops_in,
        }
    }

    /// Whether it stands in a list.
    pub(crate) const fn is(self, cue: Cue) -> bool {
        self.cues & cue.bit() != 0
    }

    /// Whether it carries no topic in a language. English stop words count in every language, because terms of the
    /// trade are mixed in everywhere.
    pub(crate) const fn is_stop(self, language: usize) -> bool {
        self.stops_in & (1 << language | 1) != 0
    }

    /// Whether it is a stop word of a language.
    pub(crate) const fn stops_in(self, language: usize) -> bool {
        self.stops_in & 1 << language != 0
    }
}

/// In what is said how deep or how heavy something is, by the adjective.
static MEASURES: LazyLock<HashMap<&'static str, Set>> = LazyLock::new(|| {
    let mut measures = HashMap::new();
    for (adjectives, units) in
        data_lines(include_str!("measures.txt")).filter_map(|line| line.split_once(':'))
    {
        let units: Set = units.split_whitespace().collect();
        for adjective in adjectives.split_whitespace() {
            measures.insert(adjective, units.clone());
        }
    }
    measures
});

/// The units in which it is said how `adjective` something is.
pub(crate) fn units_of(adjective: &str) -> Option<&'static Set> {
    MEASURES.get(adjective)
}

/// Base form by irregular form.
static IRREGULAR: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    data_lines(include_str!("irregular.txt"))
        .filter_map(|line| line.split_once(':'))
        .flat_map(|(base, forms)| {
            forms
                .split_whitespace()
                .map(move |form| (form, base.trim()))
        })
        .collect()
});

/// How the beginnings of English words are written, in order, and how they are read: "colour" as "color". None begins
/// another one, so that only the last one that is no greater than a word can begin it.
static SPELLING: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let lines = data_lines(include_str!("spelling.txt")).filter_map(|line| line.split_once(':'));
    let mut spelling: Vec<(&str, &str)> = lines
        .flat_map(|(read, written)| {
            let written = written.split_whitespace();
            written.map(move |written| (written, read.trim()))
        })
        .collect();
    spelling.sort_unstable();
    spelling
});

/// Lists, each with the code of its language.
type Lists = &'static [(&'static str, &'static str)];

macro_rules! lists {
    ($folder:literal, $($language:literal: $($field:literal)+),+) => {
        &[$($(($language, include_str!(concat!($folder, "/", $field, ".txt"))),)+)+]
    };
}

/// Words that mean nearly the same, by their fields.
#[rustfmt::skip]
const NEAR_LISTS: Lists = lists!(
    "kin",
    "en": "home" "work" "tech" "life" "body" "people" "house" "leisure" "office" "software" "trades",
    "de": "german", "es": "spanish"
);

/// Kinds of things, by their fields.
const KIND_LISTS: Lists = lists!("kinds", "en": "home" "work" "tech" "life");

/// With which words it is told what is asked for with others, by their fields.
#[rustfmt::skip]
const TOLD_LISTS: Lists = lists!(
    "told",
    "en": "body" "people" "house" "leisure" "office" "software" "trades",
    "de": "german", "es": "spanish"
);

/// What a word means beside itself, by numbers of groups.
#[derive(Debug, Default)]
pub(crate) struct Meaning {
    /// The groups of words that mean the same as it.
    pub(crate) kin: Vec<u16>,
    /// The groups by which it asks: of words that mean nearly the same, of the kind that it calls by its name, and of what
    /// is told with other words.
    pub(crate) asks: Vec<u16>,
    /// The groups by which it tells: of words that mean nearly the same, of the kind of which it is one, and of what is
    /// asked for with other words. Whoever asks for a pet is told of a pug, and not the other way round.
    pub(crate) tells: Vec<u16>,
}

/// What the lists say that words mean.
#[derive(Default)]
struct Meanings {
    /// Of single words, by language and by the numbers of their stems.
    words: Vec<ByMark<Meaning>>,
    /// Of two words side by side, by language and by the number of both: where they stand among these.
    pairs: Vec<ByMark<Pair>>,
    of_pairs: Vec<Meaning>,
}

/// Two words that mean something together, as they stand in a list with a hyphen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair(u16);

impl Pair {
    /// What they mean.
    pub(crate) fn meaning(self) -> Option<&'static Meaning> {
        MEANINGS.of_pairs.get(usize::from(self.0))
    }

    /// Its number.
    pub(crate) const fn number(self) -> u16 {
        self.0
    }
}

static MEANINGS: LazyLock<Meanings> = LazyLock::new(|| {
    let mut all = Meanings::default();
    all.words.resize_with(LANGUAGES.len(), ByMark::default);
    all.pairs.resize_with(LANGUAGES.len(), ByMark::default);
    // Most words stand in several lines, and a stem takes longest to find.
    let mut stems: HashMap<(usize, &str), u64> = HashMap::new();
    let mut put = |said: &Said, number: u16, list: fn(&mut Meaning) -> &mut Vec<u16>| {
        let language = said.language;
        let mut stem = |word| {
            let stem = stems.entry((language.place, word));
            *stem.or_insert_with(|| mark(&language.stem(word)))
        };
        for word in said.words.split_whitespace() {
            // More than two parts are an identifier, which is read as a whole too: `us-east-1`.
            let pair = word
                .split_once('-')
                .filter(|(_, other)| !other.contains('-'));
            let meaning = match pair {
                None => all.of_word(language, stem(word)),
                Some((one, other)) => all.of_pair(language, mark_of_pair(stem(one), stem(other))),
            };
            let Some(groups) = meaning.map(list) else {
                continue;
            };
            if groups.last() != Some(&number) {
                groups.push(number);
            }
        }
    };
    let core = data_lines(include_str!("kin/core.txt"));
    for (number, words) in (0_u16..).zip(core.map(|words| Said::of("en", words))) {
        put(&words, number, |it| &mut it.kin);
    }
    for (number, (asks, tells)) in (0_u16..).zip(asked_and_told()) {
        put(&asks, number, |it| &mut it.asks);
        put(&tells, number, |it| &mut it.tells);
    }
    all
});

impl Meanings {
    fn of_word(&mut self, language: Language, stem: u64) -> Option<&mut Meaning> {
        Some(self.words.get_mut(language.place)?.entry(stem).or_default())
    }

    fn of_pair(&mut self, language: Language, stems: u64) -> Option<&mut Meaning> {
        let next = u16::try_from(self.of_pairs.len()).ok()?;
        let pairs = self.pairs.get_mut(language.place)?;
        let Pair(place) = *pairs.entry(stems).or_insert(Pair(next));
        if place == next {
            self.of_pairs.push(Meaning::default());
        }
        self.of_pairs.get_mut(usize::from(place))
    }
}

/// Words of one language.
struct Said {
    language: Language,
    words: &'static str,
}

impl Said {
    fn of(code: &str, words: &'static str) -> Self {
        let language = Language::named(code);
        Self { language, words }
    }
}

/// The words of a question and those of rows that tell what it asks for, group by group.
fn asked_and_told() -> impl Iterator<Item = (Said, Said)> {
    let near = listed(NEAR_LISTS).map(|(code, words)| (code, (words, words)));
    let told = listed(KIND_LISTS).chain(listed(TOLD_LISTS));
    let told = told.filter_map(|(code, line)| Some((code, line.split_once(':')?)));
    near.chain(told)
        .map(|(code, (asks, tells))| (Said::of(code, asks), Said::of(code, tells)))
}

/// The lines of lists, each with the code of its language.
fn listed(lists: Lists) -> impl Iterator<Item = (&'static str, &'static str)> {
    lists
        .iter()
        .flat_map(|(code, list)| data_lines(list).map(move |line| (*code, line)))
}

/// Group and cell by word.
static CONTRAST: LazyLock<HashMap<&'static str, Vec<Cell>>> = LazyLock::new(|| {
    let mut cells: HashMap<&'static str, Vec<Cell>> = HashMap::new();
    for (group, line) in (0_u16..).zip(data_lines(include_str!("contrast.txt"))) {
        let (kind, line) = Contrast::of(line);
        for (cell, words) in (0_u16..).zip(line.split('|')) {
            for word in words.split_whitespace() {
                cells
                    .entry(word)
                    .or_default()
                    .push(Cell { group, cell, kind });
            }
        }
    }
    cells
});

/// A cell of a group of words that exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cell {
    /// The group.
    pub(crate) group: u16,
    /// The cell within it.
    pub(crate) cell: u16,
    /// What the group holds.
    pub(crate) kind: Contrast,
}

impl Cell {
    /// Whether this is another one of the same group.
    pub(crate) const fn excludes(self, other: Self) -> bool {
        self.group == other.group && self.cell != other.cell
    }
}

/// What words are that exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Contrast {
    /// Times and qualities, of which another one is rarely an answer.
    Qualities,
    /// Things of one kind: what is said of another one of them is no answer.
    Things,
    /// Opposites of doing: each of them answers a question of yes or no about the other.
    Opposites,
    /// What tells things of one name apart: they exclude each other in front of one noun, and nowhere else.
    Tellings,
}

impl Contrast {
    /// What a line of the list holds, by the mark in front of it, and the rest of the line.
    fn of(line: &str) -> (Self, &str) {
        let marked = |(mark, kind): &(char, Self)| Some((*kind, line.strip_prefix(*mark)?));
        let marks = [
            ('!', Self::Things),
            ('~', Self::Opposites),
            ('+', Self::Tellings),
        ];
        marks
            .iter()
            .find_map(marked)
            .unwrap_or((Self::Qualities, line))
    }
}

fn data_lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn named_lines(text: &'static str) -> Vec<(&'static str, Set)> {
    data_lines(text)
        .filter_map(|line| line.split_once(':'))
        .map(|(name, words)| (name.trim(), words.split_whitespace().collect()))
        .collect()
}

/// The codes of the languages with a list of stop words, English first.
pub(crate) fn languages() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|(code, _)| *code)
}

/// The base form of an English word that is bent irregularly, and one spelling of a word that has two; any other word as
/// it is.
pub(crate) fn base_of(word: &str) -> Cow<'_, str> {
    if let Some(base) = IRREGULAR.get(word) {
        return Cow::Borrowed(base);
    }
    let behind = SPELLING.partition_point(|(written, _)| *written <= word);
    let written = behind.checked_sub(1).and_then(|at| SPELLING.get(at));
    let spelt = written.and_then(|(written, read)| Some((read, word.strip_prefix(written)?)));
    spelt.map_or(Cow::Borrowed(word), |(read, rest)| {
        Cow::Owned(format!("{read}{rest}"))
    })
}

/// What a stem of a language means beside itself, by its number, where the lists say so.
pub(crate) fn meaning_of(stem: u64, language: Language) -> Option<&'static Meaning> {
    MEANINGS.words.get(language.place)?.get(&stem)
}

/// Two words of a language side by side, by the numbers of their stems, where the lists say that they mean something
/// together.
pub(crate) fn pair_of(one: u64, other: u64, language: Language) -> Option<Pair> {
    let pairs = MEANINGS.pairs.get(language.place)?;
    pairs.get(&mark_of_pair(one, other)).copied()
}

/// The cells of exclusion that a word belongs to.
pub(crate) fn cells_of(word: &str) -> &'static [Cell] {
    CONTRAST.get(word).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_none_is_empty() {
        assert_eq!(languages().next(), Some("en"));
        assert!(LANGUAGES.len() <= 8 && LANGUAGES.iter().all(|(_, words)| words.len() > 50));
        let named = named_lines(include_str!("cues.txt"));
        let names: Vec<&str> = named.iter().map(|(name, _)| *name).collect();
        let cues: Vec<&str> = Cue::ALL.iter().map(|cue| cue.name()).collect();
        assert_eq!(names, cues);
        assert!(named.iter().all(|(_, words)| !words.is_empty()));
        let is_month = |word| Facts::of(word).is(Cue::Month);
        assert!(is_month("april") && !is_month("apples"));
    }

    fn meaning(code: &str, word: &str) -> Option<&'static Meaning> {
        let language = Language::named(code);
        meaning_of(mark(&language.stem(word)), language)
    }

    fn tells(asked: &str, told: &str) -> bool {
        tells_in("en", asked, told)
    }

    fn tells_in(code: &str, asked: &str, told: &str) -> bool {
        let groups = |word, of: fn(&Meaning) -> &Vec<u16>| meaning(code, word).map(of);
        let (asks, tells) = (groups(asked, |it| &it.asks), groups(told, |it| &it.tells));
        let (Some(asks), Some(tells)) = (asks, tells) else {
            return false;
        };
        asks.iter().any(|group| tells.contains(group))
    }

    #[test]
    fn one_of_a_kind_tells_of_the_kind_and_of_no_other_one() {
        assert!(tells("pet", "hamster") && tells("beverage", "rooibos"));
        assert!(!tells("hamster", "pet") && !tells("hamster", "rabbit"));
        assert!(tells("gratuity", "tip") && tells("tip", "gratuity"));
    }

    #[test]
    fn what_tells_of_what_is_asked_tells_it_in_its_own_language() {
        assert!(tells("commute", "cycles") && !tells("cycles", "commute"));
        assert!(tells_in("de", "arbeitsweg", "fahrrad") && !tells("arbeitsweg", "fahrrad"));
        assert!(tells_in("es", "vivienda", "piso") && !tells("vivienda", "piso"));
    }

    #[test]
    fn every_group_has_words_to_ask_by_and_others_to_tell_by() {
        for (code, list) in listed(NEAR_LISTS) {
            let language = Language::named(code);
            let stem = |word| language.stem(word);
            let stems: HashSet<String> = list.split_whitespace().map(stem).collect();
            assert!(
                stems.len() > 1,
                "all of it is one word to the stemmer: {list}"
            );
        }
        for (lists, least) in [(KIND_LISTS, 4), (TOLD_LISTS, 1)] {
            for (_, list) in listed(lists) {
                let (asks, tells) = list.split_once(':').unwrap_or_default();
                let told = tells.split_whitespace().count();
                assert!(!asks.trim().is_empty() && told >= least, "{list}");
            }
        }
        // Numbers of groups have to have room.
        assert!(asked_and_told().count() < usize::from(u16::MAX));
    }

    /// What a line asks and what it tells, by stems of its language.
    type Line = (usize, HashSet<u64>, HashSet<u64>);

    #[test]
    fn no_line_says_only_what_another_one_says() {
        let stems = |said: &Said| -> HashSet<u64> {
            let words = said.words.split_whitespace();
            words.map(|word| mark(&said.language.stem(word))).collect()
        };
        let lines: Vec<Line> = asked_and_told()
            .map(|(asks, tells)| (asks.language.place, stems(&asks), stems(&tells)))
            .collect();
        let mut by_asked: HashMap<(usize, u64), Vec<usize>> = HashMap::new();
        for (at, (language, asks, _)) in lines.iter().enumerate() {
            for stem in asks {
                by_asked.entry((*language, *stem)).or_default().push(at);
            }
        }
        let said_by = |at: usize, (language, asks, tells): &Line| {
            let first = asks.iter().next().unwrap();
            let mut others = by_asked[&(*language, *first)].iter();
            others.any(|other| {
                let (_, also_asks, also_tells) = &lines[*other];
                at != *other && asks.is_subset(also_asks) && tells.is_subset(also_tells)
            })
        };
        let said = asked_and_told().zip(&lines).enumerate();
        let twice = said.filter(|(at, (_, line))| said_by(*at, line));
        let twice: Vec<String> = twice
            .map(|(_, ((asks, tells), _))| format!("{}: {}", asks.words, tells.words))
            .collect();
        assert!(twice.is_empty(), "{}", twice.join("\n"));
    }

    #[test]
    fn no_group_holds_words_that_exclude_each_other() {
        for (_, list) in listed(NEAR_LISTS) {
            let cells: Vec<Cell> = list
                .split_whitespace()
                .flat_map(cells_of)
                .copied()
                .collect();
            let apart = |one: &Cell| cells.iter().any(|other| one.excludes(*other));
            assert!(!cells.iter().any(apart), "{list}");
        }
    }

    #[test]
    fn two_words_side_by_side_ask_and_tell_together() {
        let english = Language::named("en");
        let stem = |word| mark(&english.stem(word));
        let meaning = |one, other| pair_of(stem(one), stem(other), english)?.meaning();
        let asked = meaning("racket", "sports").unwrap();
        let told = meaning_of(stem("tennis"), english).unwrap();
        assert!(asked.asks.iter().any(|group| told.tells.contains(group)));
        assert!(meaning("sport", "racket").is_none());
        let parts =
            |(_, list): (_, &'static str)| list.split(|c: char| c == ':' || c.is_whitespace());
        let lists = [NEAR_LISTS, KIND_LISTS, TOLD_LISTS];
        let words = lists.into_iter().flat_map(listed).flat_map(parts);
        let is_whole = |word: &str| word.contains(|c: char| c.is_ascii_digit());
        let longer = words.filter(|it| it.matches('-').count() > 1 && !is_whole(it));
        assert_eq!(
            longer.collect::<Vec<_>>(),
            [""; 0],
            "three words are not read together"
        );
    }

    #[test]
    fn a_word_that_is_spelt_in_two_ways_is_one() {
        for (here, there) in [
            ("colours", "colors"),
            ("favourite", "favorite"),
            ("licence", "license"),
            ("organisation", "organization"),
            ("realised", "realizing"),
            ("travelling", "traveled"),
            ("tyres", "tire"),
            ("kilometres", "kilometer"),
        ] {
            let english = Language::named("en");
            assert_eq!(english.stem(here), english.stem(there));
        }
        for word in ["organ", "promise", "dial", "travel", "colony", "a", "zz"] {
            assert_eq!(base_of(word), word);
        }
        let pairs = SPELLING.windows(2);
        let begun = pairs.filter(|pair| pair[1].0.starts_with(pair[0].0));
        assert_eq!(begun.count(), 0, "a beginning begins another one");
    }

    #[test]
    fn kin_meet_across_forms_and_contrasts_keep_apart() {
        let shared = |a: &str, b: &str| {
            let kin = |word| meaning("en", word).map(|it| &it.kin);
            let (Some(left), Some(right)) = (kin(a), kin(b)) else {
                return false;
            };
            left.iter().any(|it| right.contains(it))
        };
        assert!(shared("live", "resides"));
        assert!(shared("birthday", "born"));
        assert!(!shared("live", "born"));
        let (staging, production) = (cells_of("staging"), cells_of("production"));
        assert_eq!(
            staging.first().map(|it| it.group),
            production.first().map(|it| it.group)
        );
        assert_ne!(staging, production);
    }
}
