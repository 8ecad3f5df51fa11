//! Word lists as data: many words of many languages, each standing for a concept, found in one pass.
//!
//! A row of a list is `(concept, language, "word|two words|stem*")`; a trailing star also takes what the word grows
//! into. Letters of alphabets match whole words only; Chinese and Japanese match anywhere.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use aho_corasick::Anchored;
use aho_corasick::automaton::Automaton;
use aho_corasick::nfa::contiguous::NFA;
use regex::{Regex, RegexSet, RegexSetBuilder};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::folded::{Folded, Key, Word};
use crate::work::steps;

/// A set of concepts, one bit each.
pub(crate) type Mask = u128;

/// One row of a word list: what the words stand for, their language, and the words, separated by bars.
pub(crate) type Row<C> = (C, &'static str, &'static str);

/// A table of our own words, looked up by words of a text.
pub(crate) type WordMap<W, V> = HashMap<W, V, BuildHasherDefault<WordHasher>>;
/// The same without values.
pub(crate) type WordSet<W> = HashSet<W, BuildHasherDefault<WordHasher>>;

/// A quick hash for tables that nobody but us fills: what a text asks for cannot make their entries collide.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (groups, rest) = bytes.as_chunks::<8>();
        for group in groups {
            self.mix(u64::from_le_bytes(*group));
        }
        let tail = rest
            .iter()
            .fold(0, |tail, byte| tail << 8 | u64::from(*byte));
        self.mix(tail);
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(u64::from(byte));
    }

    fn finish(&self) -> u64 {
        // The table looks at the highest and the lowest bits.
        self.0 ^ self.0 >> 32
    }
}

impl WordHasher {
    const fn mix(&mut self, group: u64) {
        self.0 = (self.0.rotate_left(5) ^ group).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A word that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The concepts it stands for.
    pub(crate) mask: Mask,
    /// Where it begins, in bytes.
    pub(crate) start: usize,
    /// Where it ends, in bytes.
    pub(crate) end: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Meaning {
    whole: Mask,
    stem: Mask,
}

/// The words of a list, ready to be looked for.
pub(crate) struct Lexicon {
    /// The words and marks with which anything in the list begins, and the beginnings of its stems. Most words of most
    /// texts are neither, and are told by that alone.
    heads: Keys,
    stems: Stems,
    /// The first two words of what has more than one. Most words that begin a phrase are common, and others follow.
    pairs: Keys,
    /// What is one word: most of what is found, and found here in one look instead of one for each letter.
    singles: WordMap<String, Meaning>,
    /// The keys of those.
    alone: Keys,
    /// Everything in the list; `None` only where it cannot be built, which a test excludes for every list.
    automaton: Option<NFA>,
    meanings: Vec<Meaning>,
}

/// A set of words that may hold others as well, small enough to stay in a near cache: a bit for each key, in groups of
/// sixty-four.
pub(crate) struct Keys<const GROUPS: usize = { 1 << 10 }>(Box<[u64; GROUPS]>);

impl<const GROUPS: usize> Keys<GROUPS> {
    pub(crate) fn none() -> Self {
        Self(Box::new([0; GROUPS]))
    }

    pub(crate) fn of<K: Into<u32>>(keys: impl Iterator<Item = K>) -> Self {
        let mut set = Self::none();
        for key in keys.map(Into::into) {
            if let Some(group) = set.0.get_mut((key >> 6) as usize) {
                *group |= 1 << (key & 63);
            }
        }
        set
    }

    pub(crate) fn may_hold(&self, key: impl Into<u32>) -> bool {
        let key = key.into();
        let group = self.0.get((key >> 6) as usize);
        group.is_some_and(|group| group & 1 << (key & 63) != 0)
    }
}

/// The beginnings of words that may grow; what is asked may be none of them all the same.
pub(crate) struct Stems {
    short: Keys,
    long: Keys,
}

impl Stems {
    pub(crate) fn of<'w>(stems: impl Iterator<Item = &'w str>) -> Self {
        let is_long = |stem: &&str| stem.len() >= Key::LONG_STEM;
        let (long, short): (Vec<&str>, Vec<&str>) = stems.partition(is_long);
        let (long, short) = (long.into_iter(), short.into_iter());
        Self {
            short: Keys::of(short.map(|stem| Key::of_word(stem).stem)),
            long: Keys::of(long.map(|stem| Key::of_word(stem).long_stem)),
        }
    }

    /// Whether one of them may begin the word of this key.
    pub(crate) fn may_begin(&self, key: Key) -> bool {
        self.short.may_hold(key.stem) | self.long.may_hold(key.long_stem)
    }
}

impl Lexicon {
    /// Builds the automaton. `bit` gives the mask of a concept.
    pub(crate) fn new<C: Copy>(rows: &[(C, &str, &str)], bit: impl Fn(C) -> Mask) -> Self {
        let (words, meanings): (Vec<String>, Vec<Meaning>) =
            spellings(rows, bit).into_iter().unzip();
        let each = words.iter().zip(&meanings);
        let openings: Vec<Opening<'_>> = each
            .filter_map(|(word, meaning)| Opening::of(word, meaning.stem != 0))
            .collect();
        let whole = |opening: &Opening<'_>| Key::of_word(opening.first).whole;
        let stems = openings.iter().filter(|opening| opening.is_stem());
        let is_single = |(word, _): &(&String, _)| Folded::of(word).words.len() == 1;
        let singles = words.iter().zip(&meanings).filter(is_single);
        let singles: WordMap<String, Meaning> = singles
            .map(|(word, meaning)| (word.clone(), *meaning))
            .collect();
        Self {
            heads: Keys::of(openings.iter().map(whole)),
            stems: Stems::of(stems.map(|opening| opening.first)),
            pairs: Keys::of(openings.iter().filter_map(Opening::pair)),
            alone: Keys::of(singles.keys().map(|word| Key::of_word(word).whole)),
            singles,
            automaton: NFA::new(&words).ok(),
            meanings,
        }
    }

    /// Every word of the list in a text, in the order of where it ends, the longest first.
    pub(crate) fn hits(&self, folded: &Folded) -> Vec<Hit> {
        // Most texts have fewer; room that is not needed costs less than growing.
        let mut hits = Vec::with_capacity(16);
        self.each(folded, |hit| hits.push(hit));
        hits.sort_unstable_by_key(|hit| (hit.end, hit.start));
        hits
    }

    /// Gives everything that is found.
    fn each(&self, folded: &Folded, mut found: impl FnMut(Hit)) {
        steps(folded.words.len());
        let mut rest = folded.words.as_slice();
        while let [word, later @ ..] = rest {
            if self.may_begin(word.key) {
                if self.may_go_on(word.key, later.first()) {
                    self.begin_at(word, &folded.text, &mut found);
                } else if self.alone.may_hold(word.key.whole) {
                    self.find_single(word, &folded.text, &mut found);
                }
            }
            rest = later;
        }
    }

    /// The word alone, where it is listed.
    fn find_single(&self, word: &Word, text: &str, found: &mut impl FnMut(Hit)) {
        steps(1);
        let (start, end) = (word.start, word.end);
        let meaning = text.get(start..end).and_then(|word| self.singles.get(word));
        let Some((meaning, rest)) = meaning.zip(apart(word, text)) else {
            return;
        };
        let mask = meaning.mask(rest, end - start);
        if mask != 0 {
            found(Hit { mask, start, end });
        }
    }

    /// Everything in the list that begins where `word` does.
    fn begin_at(&self, word: &Word, text: &str, found: &mut impl FnMut(Hit)) {
        let Some((automaton, rest)) = self.automaton.as_ref().zip(apart(word, text)) else {
            return;
        };
        let Ok(mut state) = automaton.start_state(Anchored::Yes) else {
            return;
        };
        for (at, byte) in rest.bytes().enumerate() {
            steps(1);
            state = automaton.next_state(Anchored::Yes, state, byte);
            if automaton.is_dead(state) {
                return;
            }
            if !automaton.is_match(state) {
                continue;
            }
            // The longest comes first; whatever else ends here has not begun with the word.
            let longest = automaton.match_pattern(state, 0);
            let meaning = self.meanings.get(longest.as_usize());
            let len = at + 1;
            if let Some(meaning) = meaning.filter(|_| automaton.pattern_len(longest) == len) {
                let mask = meaning.mask(rest, len);
                let (start, end) = (word.start, word.start + len);
                if mask != 0 {
                    found(Hit { mask, start, end });
                }
            }
        }
    }

    /// Whether something in the list may begin with a word, told by its key alone.
    pub(crate) fn may_hold(&self, word: &str) -> bool {
        self.may_begin(Key::of_word(word))
    }

    /// All are asked before the one branch that follows: hardly any word tells beforehand which way it goes.
    pub(crate) fn may_begin(&self, key: Key) -> bool {
        self.heads.may_hold(key.whole) | self.stems.may_begin(key)
    }

    /// Whether a word that may begin something may be less than all of it: it grows, or the next word goes on with it.
    fn may_go_on(&self, key: Key, next: Option<&Word>) -> bool {
        let goes_on = |next: &Word| {
            let may_hold = |next: u16| self.pairs.may_hold(key.before(next));
            may_hold(next.key.whole) | may_hold(next.key.stem) | may_hold(Opening::ANY)
        };
        self.stems.may_begin(key) || next.is_some_and(goes_on)
    }

    /// Every concept that occurs in a text.
    pub(crate) fn mask(&self, folded: &Folded) -> Mask {
        let mut mask = 0;
        self.each(folded, |hit| mask |= hit.mask);
        mask
    }

    #[cfg(test)]
    pub(crate) const fn is_built(&self) -> bool {
        self.automaton.is_some()
    }
}

/// How something in a list begins.
struct Opening<'l> {
    first: &'l str,
    /// Its second word, where it has one.
    second: Option<&'l str>,
    /// Whether the last of these words may grow.
    grows: bool,
}

impl<'l> Opening<'l> {
    /// No shorter beginning of a word has a key.
    const SHORTEST_STEM: usize = 3;
    /// Stands for a second word of which no key tells anything.
    const ANY: u16 = 0;

    fn of(listed: &'l str, is_stem: bool) -> Option<Self> {
        let words = Folded::of(listed).words;
        let (first, second) = (words.first()?, words.get(1));
        let last = second.unwrap_or(first);
        let letters = |word: &Word| listed.get(word.start..word.end);
        Some(Self {
            first: letters(first)?,
            second: second.and_then(letters),
            // A mark is one whatever follows it.
            grows: is_stem && last.end == listed.len() && last.made_of.is_word(),
        })
    }

    const fn is_stem(&self) -> bool {
        self.grows && self.second.is_none()
    }

    /// The key of the first two words.
    fn pair(&self) -> Option<u16> {
        let second = self.second?;
        let key = Key::of_word(second);
        let second = match self.grows {
            true if second.len() < Self::SHORTEST_STEM => Self::ANY,
            true => key.stem,
            false => key.whole,
        };
        Some(Key::of_word(self.first).before(second))
    }
}

impl Meaning {
    /// What the first `len` bytes of `rest` stand for: inside of a longer word only what may grow.
    fn mask(self, rest: &str, len: usize) -> Mask {
        let Some((word, after)) = rest.split_at_checked(len) else {
            return 0;
        };
        if joins(word.chars().next_back(), after.chars().next()) {
            self.stem
        } else {
            self.stem | self.whole
        }
    }
}

/// Every spelling of every word of a list, with what it stands for.
fn spellings<C: Copy>(
    rows: &[(C, &str, &str)],
    bit: impl Fn(C) -> Mask,
) -> BTreeMap<String, Meaning> {
    let mut words: BTreeMap<String, Meaning> = BTreeMap::new();
    for (concept, _, list) in rows {
        for word in list.split('|').filter(|word| !word.is_empty()) {
            let stem = word.strip_suffix('*');
            let word = stem.unwrap_or(word);
            for spelling in [word.to_owned(), without_accents(word)] {
                let meaning = words.entry(spelling).or_default();
                let side = if stem.is_some() {
                    &mut meaning.stem
                } else {
                    &mut meaning.whole
                };
                *side |= bit(*concept);
            }
        }
    }
    words
}

/// One choice of each part after the other, in every way; a part may be empty.
pub(crate) fn every_choice(parts: &[&str]) -> Vec<String> {
    parts.iter().fold(vec![String::new()], |made, part| {
        let extended = made.iter().flat_map(|begun| {
            part.split('|').map(move |choice| {
                let joint = if begun.is_empty() || choice.is_empty() {
                    ""
                } else {
                    " "
                };
                format!("{begun}{joint}{choice}")
            })
        });
        extended.collect()
    })
}

/// The text from `word` on, unless an underscore joins it to what stands before: then it is a part of a word here.
fn apart<'t>(word: &Word, text: &'t str) -> Option<&'t str> {
    let (before, rest) = text.split_at_checked(word.start)?;
    let joined = word.made_of.is_word() && before.ends_with('_') && !rest.starts_with(is_unspaced);
    (!joined).then_some(rest)
}

/// Whether two neighbours belong to one word.
fn joins(left: Option<char>, right: Option<char>) -> bool {
    left.is_some_and(is_word_letter) && right.is_some_and(is_word_letter)
}

/// Whether words are written with this character and set apart from each other.
fn is_word_letter(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    character.is_alphanumeric() && !is_unspaced(character)
}

/// Whether the character is of a script that sets no spaces between words.
pub(crate) const fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// The word as somebody without the right keyboard writes it; unchanged where letters are not Latin.
pub(crate) fn without_accents(word: &str) -> String {
    let bare: String = word.nfd().filter(|c| !is_combining_mark(*c)).collect();
    if bare.is_ascii() {
        bare
    } else {
        word.to_owned()
    }
}

/// Compiles a pattern of one of our own tables; `None` only for a mistake that a test excludes.
pub(crate) fn pattern(source: &str) -> Option<Regex> {
    Regex::new(&plain_classes(source)).ok()
}

/// Room for the automaton of a set; with less of it a set falls back to a slow search.
const CACHE_BYTES: usize = 1 << 25;

/// The same for patterns that are tried together.
pub(crate) fn pattern_set(sources: impl IntoIterator<Item = &'static str>) -> Option<RegexSet> {
    RegexSetBuilder::new(sources.into_iter().map(plain_classes))
        .dfa_size_limit(CACHE_BYTES)
        .build()
        .ok()
}

/// The pattern with `\d`, `\w`, `\s` and `\b` read simply: every letter beyond ASCII counts as one of a word, and
/// edges of words are looked for between ASCII letters only. What is as simple as that runs without backtracking.
fn plain_classes(source: &str) -> String {
    let mut plain = String::with_capacity(source.len() + 64);
    let mut characters = source.chars();
    let mut in_class = false;
    while let Some(character) = characters.next() {
        if character != '\\' {
            in_class = match character {
                '[' => true,
                ']' => false,
                _ => in_class,
            };
            plain.push(character);
            continue;
        }
        let word = if in_class {
            "0-9a-zA-Z_\\x{80}-\\x{10FFFF}"
        } else {
            "[0-9a-zA-Z_\\x{80}-\\x{10FFFF}]"
        };
        match characters.next() {
            Some('w') => plain.push_str(word),
            Some('d') => plain.push_str(if in_class { "0-9" } else { "[0-9]" }),
            Some('s') => plain.push_str(if in_class {
                " \\t\\r\\n"
            } else {
                "[ \\t\\r\\n]"
            }),
            Some('S') if !in_class => plain.push_str("[^ \\t\\r\\n]"),
            Some('W') if !in_class => plain.push_str(r"[^\p{L}\p{N}_]"),
            Some('b') if !in_class => plain.push_str(r"(?-u:\b)"),
            Some(other) => plain.extend(['\\', other]),
            None => plain.push('\\'),
        }
    }
    plain
}

/// The sentences of a text with their offsets: cut at line ends and at closing marks that a space or the end follows.
///
/// Coarser than the segmentation that claims are drawn with, because an abbreviation that is cut in two changes
/// nothing about what a stage here looks for.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    std::iter::from_fn(move || {
        while start < text.len() {
            let rest = text.get(start..)?;
            let len = sentence_len(rest);
            let (sentence, at) = (rest.get(..len)?, start);
            start += len;
            let trimmed = sentence.trim_start();
            if !trimmed.is_empty() {
                return Some((at + sentence.len() - trimmed.len(), trimmed.trim_end()));
            }
        }
        None
    })
}

fn sentence_len(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
    // A mark with which a sentence opens does not close it.
    let opening = bytes.iter().position(|byte| !is_blank(byte));
    let mut from = opening.map_or(bytes.len(), |at| at + 1);
    while let Some(next) = bytes.get(from..).and_then(next_mark) {
        let at = from + next;
        let ends = match bytes.get(at) {
            Some(b'\n') => true,
            Some(mark @ (b'.' | b'!' | b'?')) => ends_sentence(rest, at, *mark),
            // The full-width marks 。 ！ ？ need no space after them.
            Some(0x82) => bytes.get(at.wrapping_sub(2)..at) == Some(&[0xe3, 0x80]),
            _ => bytes.get(at.wrapping_sub(2)..at) == Some(&[0xef, 0xbc]),
        };
        from = at + 1;
        if ends {
            return from;
        }
    }
    rest.len()
}

/// Where the next byte stands with which a mark that may close a sentence ends.
fn next_mark(bytes: &[u8]) -> Option<usize> {
    let may_end = |byte: &u8| MAY_END.get(usize::from(*byte)) == Some(&true);
    bytes.iter().position(may_end)
}

/// The last bytes of the marks that may close a sentence: one look instead of seven comparisons.
static MAY_END: [bool; 256] = {
    let mut may_end = [false; 256];
    let mut rest = may_end.as_mut_slice();
    let mut byte = 0_u8;
    while let [first, others @ ..] = rest {
        *first = matches!(byte, b'\n' | b'.' | b'!' | b'?' | 0x81 | 0x82 | 0x9f);
        byte = byte.wrapping_add(1);
        rest = others;
    }
    may_end
};

fn ends_sentence(rest: &str, at: usize, mark: u8) -> bool {
    let next = rest.as_bytes().get(at + 1);
    next.is_none_or(u8::is_ascii_whitespace) && !(mark == b'.' && is_abbreviation(rest, at))
}

/// Titles and the like, after which a full stop ends no sentence; in lower case.
#[rustfmt::skip]
const ABBREVIATIONS: &[&str] = &[
    "dr", "mr", "mrs", "ms", "prof", "st", "jr", "sr", "vs", "e.g", "i.e", "eg", "approx", "fig", "hr", "fr", "frau", "bzw", "z.b", "mme", "sra",
    "sig", "dott", "gen", "col", "capt", "rev", "hon", "inkl", "ca",
];

fn is_abbreviation(rest: &str, at: usize) -> bool {
    let from = rest.floor_char_boundary(at.saturating_sub(8));
    let Some(before) = rest.get(from..at) else {
        return false;
    };
    let start = before.rfind([' ', '\n', '(']).map_or(0, |space| space + 1);
    let word = before.get(start..).unwrap_or_default();
    word.len() <= 6
        && ABBREVIATIONS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(word))
}

/// Work counted in words and letters looked at, for the tests of whatever looks words up.
#[cfg(test)]
pub(crate) mod work {
    use super::*;
    use crate::work::growth;

    /// What a text costs at most for each of its bytes: from every word, as far as the longest phrase reaches.
    const PER_BYTE: usize = 40;

    /// Whether a text that grows costs in proportion.
    pub(crate) fn stays_linear(part: &str, work: impl Fn(&str) -> usize) -> bool {
        [64, 256, 1024].into_iter().all(|times| {
            let text = part.repeat(times);
            work(&text) <= PER_BYTE * text.len()
        })
    }

    /// What it costs to look a text up.
    pub(crate) fn of(lexicon: &Lexicon, text: &str) -> usize {
        let folded = Folded::of(text);
        growth::of(|| lexicon.each(&folded, drop))
    }

    /// That the word list is linear on texts that begin its phrases over and over, and that a search which begins anew
    /// from every word is caught on each of them.
    pub(crate) fn grows_with_the_text_alone(lexicon: &Lexicon, costly: &[&str]) {
        for part in costly {
            assert!(stays_linear(part, |text| of(lexicon, text)), "{part}");
            let anew = |text: &str| anew_from_every_word(lexicon, text);
            assert!(
                !stays_linear(part, anew),
                "the canary must be caught: {part}"
            );
        }
    }

    /// The canary: a search that reads on to the end from every word.
    pub(crate) fn anew_from_every_word(lexicon: &Lexicon, text: &str) -> usize {
        let words = Folded::of(text).words;
        let rest = |word: &Word| text.get(word.start..).unwrap_or_default();
        words.iter().map(|word| of(lexicon, rest(word))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon {
        Lexicon::new(
            &[
                (0_u8, "en", "cat|prompt*|new rule"),
                (1, "fr", "été"),
                (2, "zh", "忽略"),
            ],
            |bit| 1 << bit,
        )
    }

    fn mask(text: &str) -> Mask {
        lexicon().mask(&Folded::of(text))
    }

    #[test]
    fn words_stand_alone_and_stems_may_grow() {
        assert_eq!(mask("concat cats"), 0);
        assert_eq!(mask("the cat sat"), 1);
        assert_eq!(mask("prompts"), 1);
        assert_eq!(mask("a new rule."), 1);
        assert_eq!(mask("a new\u{a0}rule, new rules, new"), 0);
        assert_eq!(mask("l'ete"), 2);
        assert_eq!(mask("请忽略它"), 4);
    }

    /// Texts every word of which begins what is listed, and letters that stand alone.
    const COSTLY: [&str; 5] = ["new rule ", "new ", "cat", "忽略", "prompt new ru "];

    #[test]
    fn looking_words_up_stays_linear() {
        let lexicon = lexicon();
        for part in COSTLY {
            assert!(
                work::stays_linear(part, |text| work::of(&lexicon, text)),
                "{part}"
            );
        }
    }

    #[test]
    fn a_search_that_reads_on_from_every_word_is_caught() {
        let lexicon = lexicon();
        let anew = |text: &str| work::anew_from_every_word(&lexicon, text);
        assert!(!work::stays_linear("new rule ", anew));
    }

    #[test]
    fn sentences_end_at_marks_and_lines() {
        let cut: Vec<&str> = sentences("One at a.b/c. Two!\nThree\n\n四。五？")
            .map(|(_, s)| s)
            .collect();
        assert_eq!(cut, ["One at a.b/c.", "Two!", "Three", "四。", "五？"]);
    }
}
