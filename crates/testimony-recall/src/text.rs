//! Words of a text: cut, folded to lower case, stemmed, and told apart by their shape. One pass, linear.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use frostem::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

use crate::mark::mark;
use crate::vocabulary::Vocabulary;
use crate::words::{self, Cell, Cue, Facts, Meaning, Pair};

/// What a word looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Letters.
    Plain,
    /// Digits, perhaps with a unit or a separator.
    Number,
    /// A name of a machine's making: `us-east-1`, `main.rs`, `HTTP2`, `fooBar`.
    Identifier,
}

/// What holds of a word wherever it stands in a text of its language.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// In lower case, without a possessive ending.
    pub(crate) raw: String,
    /// Its stem in the language of the text.
    pub(crate) stem: String,
    /// Its shape.
    pub(crate) shape: Shape,
    /// Whether it begins with a capital letter.
    pub(crate) capital: bool,
    /// Whether it carries no topic.
    pub(crate) stop: bool,
    /// Whether it ended in a possessive `'s`.
    pub(crate) possessive: bool,
    facts: Facts,
    /// The number of its stem.
    pub(crate) mark: u64,
    /// The number of the word itself.
    pub(crate) raw_mark: u64,
    /// The number of its beginning, where it is a longer one.
    pub(crate) prefix: Option<u64>,
    /// The groups of meaning that it belongs to.
    pub(crate) kin: Box<[u16]>,
    /// The groups of near words and kinds by which it asks.
    pub(crate) asks: Box<[u16]>,
    /// The same by which it tells.
    pub(crate) tells: Box<[u16]>,
    /// The cells of exclusion that it belongs to.
    pub(crate) cells: &'static [Cell],
}

/// One word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    form: Arc<Form>,
    /// Whether it is the first word of a sentence, where a capital means nothing.
    pub(crate) first: bool,
    /// Whether it repeats, as a whole, the words before it: an identifier after its parts.
    pub(crate) whole: bool,
    /// Whether a hyphen ties it to the next word: "checkout" in "checkout-api".
    pub(crate) tied: bool,
    /// What it means together with the word beside it: "boarding pass".
    pub(crate) pair: Option<Pair>,
}

impl Deref for Word {
    type Target = Form;

    fn deref(&self) -> &Form {
        &self.form
    }
}

impl Word {
    /// Whether it looks like the name of somebody or something.
    pub(crate) fn is_name(&self) -> bool {
        let large = self.capital && !self.first && !self.stop;
        large && !self.is_in_the_calendar() && self.raw != "i"
    }

    /// Whether it is a month, a day of the week or a feast: it has a capital and names nobody.
    pub(crate) fn is_in_the_calendar(&self) -> bool {
        let calendar = [Cue::Month, Cue::Weekday, Cue::Feast];
        calendar.iter().any(|cue| self.is(*cue))
    }

    /// Whether it is a number, in digits or in words.
    pub(crate) fn is_number(&self) -> bool {
        self.is(Cue::Number) || self.shape != Shape::Plain && self.raw.contains(char::is_numeric)
    }

    /// Whether it is a pronoun of the person who speaks, in the language of the text.
    pub(crate) fn is_first_person(&self) -> bool {
        self.stop && self.is(Cue::FirstPerson)
    }
}

impl Form {
    fn of(written: &str, shape: Shape, language: Language) -> Self {
        let lower = lowered(written);
        let stripped = lower.strip_suffix(POSSESSIVE);
        let stripped = stripped.or_else(|| lower.strip_suffix(POSSESSIVE_OF_MANY));
        let raw = stripped.unwrap_or(&lower);
        let facts = Facts::of(raw);
        let base = language.base_of(one_of(written, raw));
        let stem = language.stem_of_base(&base);
        let (raw_mark, mark_of_stem) = (mark(raw), mark(&stem));
        let meanings = meanings(raw_mark, mark_of_stem, language);
        let begins_large = written.chars().next().is_some_and(char::is_uppercase);
        Self {
            mark: mark_of_stem,
            raw_mark,
            prefix: prefix(raw).map(mark),
            kin: groups(&meanings, |it| &it.kin),
            asks: groups(&meanings, |it| &it.asks),
            tells: groups(&meanings, |it| &it.tells),
            cells: words::cells_of(raw),
            shape,
            capital: begins_large && !language.capitalises_nouns(),
            stop: facts.is_stop(language.place),
            possessive: stripped.is_some(),
            facts,
            raw: raw.to_owned(),
            stem,
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let texts = self.raw.capacity() + self.stem.capacity();
        let groups = [&self.kin, &self.asks, &self.tells].map(|it| size_of_val(&**it));
        size_of::<Self>() + texts + groups.iter().sum::<usize>()
    }

    /// What the lists say of it.
    pub(crate) const fn facts(&self) -> Facts {
        self.facts
    }

    /// Whether it stands in a list.
    pub(crate) const fn is(&self, cue: Cue) -> bool {
        self.facts.is(cue)
    }
}

/// What stands behind a word that owns something.
const POSSESSIVE: &str = "'s";
/// What stands behind an `s` of many: "the Otters' rabbit".
const POSSESSIVE_OF_MANY: char = '\'';

fn lowered(written: &str) -> String {
    written.to_lowercase().replace('’', "'")
}

/// "GPUs" are more than one GPU: a small `s` behind large letters is an ending, and no stemmer knows it.
fn one_of<'r>(written: &str, raw: &'r str) -> &'r str {
    const LETTERS_OF_A_SHORT_NAME: usize = 2;
    let large = written.strip_suffix('s').unwrap_or_default();
    let is_short_name = large.len() >= LETTERS_OF_A_SHORT_NAME
        && large.bytes().all(|byte| byte.is_ascii_uppercase());
    raw.strip_suffix('s')
        .filter(|_| is_short_name)
        .unwrap_or(raw)
}

/// What the lists say of a text that is one word; they say the same in every language.
pub(crate) fn facts_of_one(text: &str) -> Option<Facts> {
    let cut = cut(text);
    let [only] = cut.as_slice() else {
        return None;
    };
    let lower = lowered(only.written);
    Some(Facts::of(lower.strip_suffix(POSSESSIVE).unwrap_or(&lower)))
}

/// So many letters in common make two longer words akin.
const PREFIX_LETTERS: usize = 5;

/// The beginning of a longer word.
fn prefix(raw: &str) -> Option<&str> {
    let letters = raw.chars().all(char::is_alphabetic);
    let (end, _) = raw.char_indices().nth(PREFIX_LETTERS)?;
    raw.get(..end).filter(|_| letters)
}

/// What a word means in English, since terms of the trade are mixed in everywhere, and in the language of its text: as it
/// stands, and by its stem.
fn meanings(raw: u64, stem: u64, language: Language) -> [Option<&'static Meaning>; 4] {
    let abroad = language.abroad();
    let stem = (raw != stem).then_some(stem);
    let means = |word: Option<u64>, language: Option<Language>| words::meaning_of(word?, language?);
    [
        means(Some(raw), Some(ENGLISH)),
        means(stem, Some(ENGLISH)),
        means(Some(raw), abroad),
        means(stem, abroad),
    ]
}

/// The groups of one kind in what a word means, in their order.
fn groups(
    meanings: &[Option<&'static Meaning>],
    list: impl Fn(&'static Meaning) -> &'static Vec<u16>,
) -> Box<[u16]> {
    let known = meanings.iter().flatten();
    let mut groups: Vec<u16> = known.flat_map(|meaning| list(meaning)).copied().collect();
    groups.sort_unstable();
    groups.dedup();
    groups.into_boxed_slice()
}

/// Beyond this a run of letters is no word that anybody would ask for; it is kept as it is and not stemmed.
const LONGEST_STEMMED: usize = 40;

/// Marks with which a question ends, or begins in Spanish.
pub(crate) const QUESTION_MARKS: [char; 4] = ['?', '？', '؟', '¿'];

/// The words of `text`.
pub(crate) fn read(text: &str) -> Vec<Word> {
    read_by(text, |it, language| Arc::new(it.form(language)))
}

/// The same, where words that were read before are looked up.
pub(crate) fn read_with(text: &str, vocabulary: &mut Vocabulary) -> Vec<Word> {
    read_by(text, |it, language| vocabulary.form(it, language))
}

fn read_by(text: &str, mut form: impl FnMut(&Piece<'_>, Language) -> Arc<Form>) -> Vec<Word> {
    let cut = cut(text);
    let mut read = |language: Language| -> Vec<Word> {
        let word = |it: &Piece<'_>| Word {
            form: form(it, language),
            first: it.first,
            whole: it.whole,
            tied: it.tied,
            pair: None,
        };
        let mut words: Vec<Word> = cut.iter().map(word).collect();
        pair(&mut words, language);
        words
    };
    let in_english = read(ENGLISH);
    // The lists say the same of a word in every language, so any of them tells which it is.
    let language = language_of(&in_english);
    if language.place == ENGLISH.place {
        return in_english;
    }
    read(language)
}

/// Marks words that mean something together, in English or in the language of their text. Of pairs that share a word the
/// first one holds.
fn pair(words: &mut [Word], language: Language) {
    let abroad = language.abroad();
    for at in 1..words.len() {
        let Some([one, other]) = words.get_mut(at - 1..=at) else {
            return;
        };
        if one.pair.is_some() {
            continue;
        }
        let of = |language| words::pair_of(one.mark, other.mark, language);
        let pair = of(ENGLISH).or_else(|| of(abroad?));
        (one.pair, other.pair) = (pair, pair);
    }
}

fn stem_with(stemmer: Stemmer, raw: &str) -> String {
    let letters = raw.len() <= LONGEST_STEMMED && raw.chars().all(char::is_alphabetic);
    if letters {
        without_accents(&stemmer.stem(raw))
    } else {
        raw.to_owned()
    }
}

/// Accents that people leave out when they type in haste.
const ACCENTS: &[(&str, &str)] = &[
    ("àáâãäåā", "a"),
    ("çć", "c"),
    ("èéêëē", "e"),
    ("ìíîïī", "i"),
    ("ñń", "n"),
    ("òóôõöøō", "o"),
    ("ùúûüū", "u"),
    ("ýÿ", "y"),
    ("ß", "ss"),
];

fn without_accents(stem: &str) -> String {
    if stem.is_ascii() {
        return stem.to_owned();
    }
    let mut plain = String::with_capacity(stem.len());
    for letter in stem.chars() {
        match ACCENTS.iter().find(|(with, _)| with.contains(letter)) {
            Some((_, without)) => plain.push_str(without),
            None => plain.push(letter),
        }
    }
    plain
}

/// The language of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Language {
    algorithm: Algorithm,
    code: &'static str,
    /// Its place among the languages with a list of stop words.
    pub(crate) place: usize,
}

const ENGLISH: Language = Language {
    algorithm: Algorithm::English,
    code: "en",
    place: 0,
};

const STEMMERS: &[(&str, Algorithm)] = &[
    ("en", Algorithm::English),
    ("de", Algorithm::German),
    ("fr", Algorithm::French),
    ("es", Algorithm::Spanish),
    ("it", Algorithm::Italian),
    ("pt", Algorithm::Portuguese),
    ("nl", Algorithm::Dutch),
];

impl Language {
    /// Where every noun has a capital, a capital tells no name.
    fn capitalises_nouns(self) -> bool {
        self.code == "de"
    }

    /// The language with a code, English where nobody knows it.
    pub(crate) fn named(code: &str) -> Self {
        let place = words::languages().position(|known| known == code);
        place.map_or(ENGLISH, Self::at)
    }

    fn at(place: usize) -> Self {
        let code = words::languages().nth(place).unwrap_or(ENGLISH.code);
        let found = STEMMERS.iter().find(|(known, _)| *known == code);
        let algorithm = found.map_or(ENGLISH.algorithm, |(_, algorithm)| *algorithm);
        Self {
            algorithm,
            code,
            place,
        }
    }

    /// The language, where it is another one than English, whose words are mixed in everywhere.
    fn abroad(self) -> Option<Self> {
        (self.place != ENGLISH.place).then_some(self)
    }

    /// The stem of a word of it.
    pub(crate) fn stem(self, word: &str) -> String {
        self.stem_of_base(&self.base_of(word))
    }

    fn stem_of_base(self, base: &str) -> String {
        stem_with(Stemmer::new(self.algorithm), base)
    }

    fn base_of(self, raw: &str) -> Cow<'_, str> {
        if self.code == "en" {
            words::base_of(raw)
        } else {
            Cow::Borrowed(raw)
        }
    }
}

/// So many stop words make a language; a single one may be somebody's name.
const LEAST_STOP_WORDS: usize = 2;

/// The language whose stop words are the most frequent; English when none leads.
fn language_of(cut: &[Word]) -> Language {
    let (mut best, mut most) = (ENGLISH.place, 0_usize);
    for (place, code) in words::languages().enumerate() {
        let stops = cut.iter().filter(|word| word.facts.stops_in(place));
        let hits = stops.count();
        if hits > most && (code == "en" || hits >= LEAST_STOP_WORDS) {
            (best, most) = (place, hits);
        }
    }
    Language::at(best)
}

/// A word as it is written, and how it stands.
pub(crate) struct Piece<'t> {
    pub(crate) written: &'t str,
    first: bool,
    /// Whether it is an identifier that stands here after its parts.
    pub(crate) whole: bool,
    /// Whether a hyphen ties it to the next.
    tied: bool,
}

impl Piece<'_> {
    /// The word, read.
    pub(crate) fn form(&self, language: Language) -> Form {
        let shape = if self.whole {
            Shape::Identifier
        } else {
            part_shape(self.written)
        };
        Form::of(self.written, shape, language)
    }
}

fn cut(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut first = true;
    let mut chunks = text.split_whitespace().peekable();
    while let Some(chunk) = chunks.next() {
        let core = chunk.trim_matches(|c: char| !c.is_alphanumeric());
        let before = out.len();
        let piece = |written, whole| Piece {
            written,
            first: false,
            whole,
            tied: false,
        };
        // Letters and digits without anything between them are one word; most are such.
        if core.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let is_bare = core.len() == chunk.len();
            let owner = (!is_bare).then(|| owner_of_many(chunk)).flatten();
            let word = owner.unwrap_or(core);
            out.extend((!core.is_empty()).then(|| piece(word, false)));
        } else {
            out.extend(core.unicode_words().map(|part| piece(part, false)));
            tie(out.get_mut(before..).unwrap_or_default(), core);
            if is_identifier(core) && out.len() - before != 1 {
                out.push(piece(core, true));
            }
        }
        // "85 €", "£1,850": that it is money, and nothing that anybody looks for.
        out.extend(currency_in(chunk).map(|sign| piece(sign, true)));
        if let Some(opening) = out.get_mut(before) {
            opening.first = first;
            first = false;
        }
        let next = chunks.peek().copied().unwrap_or_default();
        first |= chunk.ends_with(['.', '!', '?', ':', ';', '。', '？', '！'])
            && !(chunk.strip_suffix('.'))
                .is_some_and(|it| is_cut_short(it) || is_ordinal(it, next));
    }
    out
}

/// "Otters'": a word in `s` and its apostrophe, where no quotation ends there.
fn owner_of_many(chunk: &str) -> Option<&str> {
    let open = chunk.trim_start_matches(|c: char| !c.is_alphanumeric() && !"'‘’\"".contains(c));
    let end = open.find(['\'', '’'])?;
    let (word, rest) = open.split_at_checked(end)?;
    let letters = word.len() > 2 && word.chars().all(char::is_alphabetic) && word.ends_with('s');
    let apostrophe = rest.chars().next()?.len_utf8();
    let ends = !rest.get(apostrophe..)?.contains(char::is_alphanumeric);
    (letters && ends).then(|| open.get(..end + apostrophe))?
}

/// The sign of a currency, where one stands in a chunk: with a number, or alone, and not in "$HOME".
fn currency_in(chunk: &str) -> Option<&str> {
    let at = chunk.find(['€', '£', '$', '¥'])?;
    if chunk.contains(char::is_alphabetic) && !chunk.contains(char::is_numeric) {
        return None;
    }
    let length = chunk.get(at..)?.chars().next()?.len_utf8();
    chunk.get(at..at + length)
}

/// Ties the parts of words that are joined by hyphens: each but the last to the next.
fn tie(parts: &mut [Piece<'_>], core: &str) {
    let last = parts.len().saturating_sub(1);
    let joined = core.chars().all(|c| c.is_alphanumeric() || c == '-');
    for part in parts.iter_mut().take(last).filter(|_| joined) {
        part.tied = true;
    }
}

/// Whether a word with a full stop behind it is a title, or cut short: "Prof", "approx".
pub(crate) fn is_cut_short(word: &str) -> bool {
    let core = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let facts = Facts::of(&lowered(core));
    facts.is(Cue::Title) || facts.is(Cue::Abbreviation)
}

/// Whether a number with a full stop behind it counts a day: a month follows, or what opens no sentence.
pub(crate) fn is_ordinal(number: &str, after: &str) -> bool {
    const DIGITS_OF_A_DAY: usize = 2;
    let is_day = number.len() <= DIGITS_OF_A_DAY && number.parse::<u8>().is_ok();
    let next = after.split_whitespace().next().unwrap_or_default();
    let goes_on = next.starts_with(char::is_lowercase)
        || facts_of_one(next).is_some_and(|facts| facts.is(Cue::Month));
    is_day && goes_on
}

fn part_shape(part: &str) -> Shape {
    let digits = part.chars().any(char::is_numeric);
    let letters = part.chars().any(char::is_alphabetic);
    let number_first = part.chars().next().is_some_and(char::is_numeric);
    match (digits, letters) {
        (true, true) if !number_first => Shape::Identifier,
        (true, _) => Shape::Number,
        (false, _) if is_camel(part) => Shape::Identifier,
        (false, _) => Shape::Plain,
    }
}

fn is_camel(part: &str) -> bool {
    let small_then_capital = part
        .chars()
        .zip(part.chars().skip(1))
        .any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    small_then_capital && part.is_ascii()
}

/// A chunk with a joint inside, unless it is only words joined by hyphens: `eu-west-1`, `a_b`, not
/// `north-west`.
fn is_identifier(core: &str) -> bool {
    let joint = |c: char| matches!(c, '-' | '_' | '.' | '/' | ':' | '@' | '#' | '\\' | '+');
    let plain_hyphen = core.chars().all(|c| c.is_alphabetic() || c == '-');
    core.chars().any(joint) && !plain_hyphen || is_lettered(core)
}

/// "B-Jugend": a letter that tells one thing from others of its kind.
fn is_lettered(core: &str) -> bool {
    let mut letters = core.chars();
    let large = letters.next().is_some_and(char::is_uppercase) && letters.next() == Some('-');
    large && letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raws(text: &str) -> Vec<String> {
        read(text)
            .into_iter()
            .map(|word| word.raw.clone())
            .collect()
    }

    #[test]
    fn possessives_identifiers_and_sentences_are_seen() {
        assert_eq!(raws("Ana's dog"), ["ana", "dog"]);
        assert_eq!(
            raws("in us-east-1."),
            ["in", "us", "east", "1", "us-east-1"]
        );
        let words = read("It rained. Ana slept in Porto.");
        let names: Vec<&str> = words
            .iter()
            .filter(|word| word.is_name())
            .map(|word| word.raw.as_str())
            .collect();
        assert_eq!(names, ["porto"]);
    }

    #[test]
    fn large_letters_with_a_small_s_are_several_of_one() {
        let stems = |text: &str| -> Vec<String> {
            let words = read(text);
            words.iter().map(|word| word.stem.clone()).collect()
        };
        assert_eq!(stems("GPUs VMs GPU"), ["gpu", "vm", "gpu"]);
        assert_eq!(stems("DNS"), ["dns"]);
    }

    #[test]
    fn the_language_decides_stop_words_and_stems() {
        let german = read("Wann hat die Firma die Verträge gekündigt");
        assert!(german.iter().any(|word| word.raw == "die" && word.stop));
        let english = read("Rex must not die of thirst");
        assert!(english.iter().any(|word| word.raw == "die" && !word.stop));
    }

    /// Every word of a text with its stem, where that is another, and what is known of it.
    fn told(text: &str) -> String {
        let tell = |word: Word| {
            let flags = [
                (word.capital, "capital"),
                (word.first, "first"),
                (word.stop, "stop"),
                (word.possessive, "possessive"),
                (word.whole, "whole"),
                (word.shape == Shape::Number, "number"),
                (word.shape == Shape::Identifier, "identifier"),
            ];
            let flags = flags.iter().filter(|(holds, _)| *holds);
            let flags: String = flags.map(|(_, flag)| format!(" {flag}")).collect();
            let other = Some(&word.stem).filter(|stem| **stem != word.raw);
            let stem = other.map_or(String::new(), |stem| format!("={stem}"));
            format!("{}{stem}{flags}", word.raw)
        };
        read(text)
            .into_iter()
            .map(tell)
            .collect::<Vec<_>>()
            .join(", ")
    }

    #[test]
    fn words_are_told_apart_by_shape_language_and_place() {
        let texts = [
            "Ana’s fooBar listens on HTTP2 at 9am: 4411.",
            "Deploy a_b and x.y/z to eu-west-1, not north-west or ÜberCool",
            "Was kostet das Öl der Firma? Und die Straße?",
            "Où habite la cousine de René à présent ?",
            "mice ran; Mr. Lee's 3rd C++ talk (v2.1) 50% user@host",
            "-5 +3 a-1 a:b #7 c\\d",
        ];
        let told: Vec<String> = texts.iter().map(|text| told(text)).collect();
        expect_test::expect![[r#"
            ana capital first possessive, foobar identifier, listens=listen, on stop, http2 capital identifier, at stop, 9am number, 4411 first number
            deploy capital first, a_b, and stop, x.y, z, x.y/z whole identifier, to stop, eu, west, 1 number, eu-west-1 whole identifier, not, north, west, or stop, übercool=ubercool capital
            was first stop, kostet=kost, das stop, öl=ol, der stop, firma, und first stop, die stop, straße=strass
            où=ou capital first stop, habite=habit, la stop, cousine=cousin, de stop, rené=ren capital, à=a, présent=present
            mice=mous first, ran=run, mr capital first, lee capital possessive, 3rd number, c capital, talk, v2.1 identifier, 50 number, user, host, user@host whole identifier
            5 first number, 3 number, a stop, 1 number, a-1 whole identifier, a:b, 7 number, c, d stop, c\d whole identifier"#]].assert_eq(&told.join("\n"));
        let unstemmed = "walking".repeat(6);
        assert_eq!(ENGLISH.stem(&unstemmed), unstemmed);
        assert_eq!(ENGLISH.stem("walk1ing"), "walk1ing");
        assert_eq!(ENGLISH.stem("walking"), "walk");
    }

    #[test]
    fn nothing_and_noise_are_read_too() {
        assert!(read("").is_empty());
        assert!(read("?! … \u{200b}").is_empty());
        assert_eq!(read(&"a".repeat(100_000)).len(), 1);
    }
}
