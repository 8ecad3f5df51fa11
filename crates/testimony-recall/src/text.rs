//! Words of a text: cut, folded to lower case, stemmed, and told apart by their shape. One pass, linear.

use frostem::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

use crate::mark::mark;
use crate::words::{self, Cue, Facts};

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

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// In lower case, without a possessive ending.
    pub(crate) raw: String,
    /// Its stem in the language of the text.
    pub(crate) stem: String,
    /// Its shape.
    pub(crate) shape: Shape,
    /// Whether it begins with a capital letter.
    pub(crate) capital: bool,
    /// Whether it is the first word of a sentence, where a capital means nothing.
    pub(crate) first: bool,
    /// Whether it carries no topic.
    pub(crate) stop: bool,
    /// Whether it ended in a possessive `'s`.
    pub(crate) possessive: bool,
    /// Whether it repeats, as a whole, the words before it: an identifier after its parts.
    pub(crate) whole: bool,
    facts: Facts,
    /// The number of its stem.
    pub(crate) mark: u64,
}

impl Word {
    /// What the lists say of it.
    pub(crate) const fn facts(&self) -> Facts {
        self.facts
    }

    /// Whether it stands in a list.
    pub(crate) const fn is(&self, cue: Cue) -> bool {
        self.facts.is(cue)
    }

    /// Whether it is a pronoun of the person who speaks, in the language of the text.
    pub(crate) fn is_first_person(&self) -> bool {
        self.stop && self.is(Cue::FirstPerson)
    }

    /// Whether it looks like the name of somebody or something.
    pub(crate) fn is_name(&self) -> bool {
        let calendar = self.is(Cue::Month) || self.is(Cue::Weekday);
        self.capital && !self.first && !self.stop && !calendar && self.raw != "i"
    }
}

/// Beyond this a run of letters is no word that anybody would ask for; it is kept as it is and not stemmed.
const LONGEST_STEMMED: usize = 40;

/// The words of `text`.
pub(crate) fn read(text: &str) -> Vec<Word> {
    let mut cut = cut(text);
    let language = language_of(&cut);
    let stemmer = Stemmer::new(language.algorithm);
    for word in &mut cut {
        word.stop = word.facts.is_stop(language.place);
        word.capital &= !language.capitalises_nouns();
        let base = language.base_of(&word.raw);
        word.stem = stem_with(stemmer, base);
        word.mark = mark(&word.stem);
    }
    cut
}

/// The stem of an English word, for tables.
pub(crate) fn stem_english(word: &str) -> String {
    stem_with(Stemmer::new(Algorithm::English), words::base_of(word))
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

struct Language {
    algorithm: Algorithm,
    code: &'static str,
    /// Its place among the languages with a list of stop words.
    place: usize,
}

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
    fn capitalises_nouns(&self) -> bool {
        self.code == "de"
    }

    fn base_of<'w>(&self, raw: &'w str) -> &'w str {
        if self.code == "en" {
            words::base_of(raw)
        } else {
            raw
        }
    }
}

/// So many stop words make a language; a single one may be somebody's name.
const LEAST_STOP_WORDS: usize = 2;

/// The language whose stop words are the most frequent; English when none leads.
fn language_of(cut: &[Word]) -> Language {
    let mut best = ("en", 0, 0_usize);
    for (place, code) in words::languages().enumerate() {
        let stops = cut.iter().filter(|word| word.facts.stops_in(place));
        let hits = stops.count();
        if hits > best.2 && (code == "en" || hits >= LEAST_STOP_WORDS) {
            best = (code, place, hits);
        }
    }
    let (code, place, _) = best;
    let found = STEMMERS.iter().find(|(known, _)| *known == code);
    let algorithm = found.map_or(Algorithm::English, |(_, algorithm)| *algorithm);
    Language {
        algorithm,
        code,
        place,
    }
}

/// The words of `text` as they are cut, with what the lists say of each; before its language is known they have no stem,
/// and none of them is a stop word.
pub(crate) fn cut(text: &str) -> Vec<Word> {
    let mut out = Vec::new();
    let mut first = true;
    for chunk in text.split_whitespace() {
        let core = chunk.trim_matches(|c: char| !c.is_alphanumeric());
        let before = out.len();
        let parts = core.unicode_words();
        out.extend(parts.map(|part| word(part, part_shape(part))));
        let parts_found = out.len() - before;
        if is_identifier(core) && parts_found != 1 {
            let mut whole = word(core, Shape::Identifier);
            whole.whole = true;
            out.push(whole);
        }
        if let Some(opening) = out.get_mut(before) {
            opening.first = first;
            first = false;
        }
        first |= chunk.ends_with(['.', '!', '?', ':', ';', '。', '？', '！']);
    }
    out
}

fn word(part: &str, shape: Shape) -> Word {
    let lower = part.to_lowercase().replace('’', "'");
    let stripped = lower.strip_suffix("'s");
    let raw = stripped.unwrap_or(&lower);
    Word {
        facts: Facts::of(raw),
        raw: raw.to_owned(),
        stem: String::new(),
        mark: 0,
        shape,
        capital: part.chars().next().is_some_and(char::is_uppercase),
        first: false,
        stop: false,
        possessive: stripped.is_some(),
        whole: false,
    }
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

/// A chunk with a joint inside, unless it is only words joined by hyphens: `eu-west-1`, `a_b`, not `north-west`.
fn is_identifier(core: &str) -> bool {
    let joint = |c: char| matches!(c, '-' | '_' | '.' | '/' | ':' | '@' | '#' | '\\' | '+');
    let plain_hyphen = core.chars().all(|c| c.is_alphabetic() || c == '-');
    core.chars().any(joint) && !plain_hyphen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raws(text: &str) -> Vec<String> {
        read(text).into_iter().map(|word| word.raw).collect()
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
            mice=mous first, ran=run, mr capital first, lee capital first possessive, 3rd number, c capital, talk, v2.1 identifier, 50 number, user, host, user@host whole identifier
            5 first number, 3 number, a stop, 1 number, a-1 whole identifier, a:b, 7 number, c, d stop, c\d whole identifier"#]].assert_eq(&told.join("\n"));
        let unstemmed = "walking".repeat(6);
        assert_eq!(stem_english(&unstemmed), unstemmed);
        assert_eq!(stem_english("walk1ing"), "walk1ing");
        assert_eq!(stem_english("walking"), "walk");
    }

    #[test]
    fn nothing_and_noise_are_read_too() {
        assert!(read("").is_empty());
        assert!(read("?! … \u{200b}").is_empty());
        assert_eq!(read(&"a".repeat(100_000)).len(), 1);
    }
}
