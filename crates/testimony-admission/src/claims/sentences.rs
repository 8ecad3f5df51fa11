//! Sentences with their spans: where one statement ends and the next begins.

use std::ops::Range;

use super::blocks::{Block, BlockKind, blocks};
use super::class::{MONTH, STARTER, WEEKDAY};
use super::direct_speech::is_saying;
use super::labels::turn;
use super::lexicon::{Language, lexicon};
use crate::work::steps;

/// A sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Where it stands, in bytes, without list marker and speaker.
    pub span: Range<usize>,
    /// What it stands in.
    pub kind: BlockKind,
    /// Where its speaker's name stands, if the text says who speaks.
    pub speaker: Option<Range<usize>>,
}

/// Words that open what is told of a quotation.
const POINTING_BACK: &[&str] = &["That's", "That’s", "Those", "These"];

/// Abbreviations behind which a sentence never ends: something that they introduce follows.
#[rustfmt::skip]
const OPEN_ABBREVIATIONS: &[&str] = &[
    "dr", "mr", "mrs", "ms", "prof", "st", "nr", "no", "vs", "e.g", "i.e", "z.b", "u.a", "d.h", "bzw", "ca", "approx", "fig", "figs", "art", "vol", "pp", "sra", "mme", "mlle", "srta", "rev", "gen", "col", "lt", "capt", "sgt",
    "hr", "fr", "sog", "evtl", "ggf", "inkl", "zzgl", "min", "max", "tel", "abs", "bd", "hrsg", "cf", "al", "p.ex", "p. ex", "p.ej", "núm", "eq", "sec", "ch", "ex", "ref", "incl", "excl", "est", "dept", "gov", "sen", "rep", "hon", "mt", "ft", "str", "viz", "resp", "vgl", "o.ä", "s", "z", "b",
    "dott", "dra", "sig", "sigg", "avv", "pag", "mevr", "dhr", "drs", "bijv", "temp", "exmo", "exma", "tfno", "apdo",
    "sr", "mag", "dipl", "ing", "med", "phil", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "okt", "dez", "mon", "tue", "wed", "thu", "fri",
];

/// Kinds of streets in front of a house number; the German one is mostly the end of a longer word.
const STREETS: &[&str] = &[
    "pl", "blvd", "av", "avda", "ave", "sq", "rd", "ln", "hwy", "pza", "plz",
];

/// Abbreviations behind which a sentence may end; it does where the next word opens one.
#[rustfmt::skip]
const CLOSED_ABBREVIATIONS: &[&str] = &[
    "etc", "inc", "ltd", "co", "corp", "llc", "plc", "jr", "u.s", "u.k", "u.n", "e.u", "a.m", "p.m", "usw", "u.s.a", "d.c", "ph.d", "m.d", "b.a", "m.a", "b.sc", "m.sc", "bros", "gmbh", "s.a", "n.v", "mio", "mrd", "ave", "blvd", "rd", "hrs", "hr", "mins", "secs", "oz", "lb", "lbs", "a.c", "b.c", "a.d",
];

/// Behind these any capital opens a sentence, unless it goes on with the time.
const HALVES_OF_THE_DAY: &[&str] = &["a.m", "p.m"];

/// Zones and places by which a time of day is told.
#[rustfmt::skip]
const TIME_ZONES: &[&str] = &[
    "eastern", "pacific", "central", "mountain", "atlantic", "greenwich", "standard", "daylight", "berlin", "london", "paris", "tokyo", "sydney", "moscow", "york", "new", "chicago", "denver", "indian", "european", "western",
];

/// Words before a number with a point that is an ordinal ("am 3. Oktober", "der 2. Weltkrieg").
const ORDINAL_LEADS: &[&str] = &[
    "am", "der", "vom", "dem", "den", "die", "das", "im", "zum", "zur", "bis", "beim", "seit",
    "ab", "jeden", "ihr", "mein", "sein", "unser", "nr", "no", "kapitel",
];

/// Abbreviations that are words too: in small letters, and before a capital, they end a sentence as words do.
const ALSO_WORDS: &[&str] = &[
    "may", "no", "art", "min", "max", "mar", "sec", "ex", "mon", "ing", "est", "str", "rep", "ref",
    "al", "mag", "fr", "ch", "hon", "ms", "s", "temp", "sig",
];

/// Names that carry a mark of their own.
const MARKED_NAMES: &[&str] = &["yahoo", "jeopardy", "joomla"];

/// How far a quotation may reach to be kept whole, in bytes.
const QUOTE_REACH: usize = 300;

/// The sentences of `text`, in order, without overlaps; only white space, list markers, speakers and lines without a
/// letter or digit stand between them.
#[must_use]
pub fn sentences(text: &str) -> Vec<Sentence> {
    let mut out = Vec::new();
    for block in blocks(text) {
        match block.kind {
            BlockKind::Code | BlockKind::Table | BlockKind::Heading => out.push(Sentence {
                span: block.span,
                kind: block.kind,
                speaker: None,
            }),
            BlockKind::Prose
            | BlockKind::Item
            | BlockKind::KeyValue
            | BlockKind::Title
            | BlockKind::TitleOfProse => {
                split(text, &block, &mut out);
            }
        }
    }
    out
}

fn split(text: &str, block: &Block, out: &mut Vec<Sentence>) {
    let content = text.get(block.span.clone()).unwrap_or_default();
    steps(content.len());
    let mut from = 0;
    let mut speaker = block.speaker.clone();
    let mut cut = |from: usize, to: usize| {
        let part = content.get(from..to).unwrap_or_default();
        let lead = part.len() - part.trim_start().len();
        let body = part.trim();
        if !body.is_empty() {
            let start = block.span.start + from + lead;
            let end = start + body.len();
            let name_of = |name: &Option<Range<usize>>| text.get(name.clone()?);
            let heard = name_of(&block.speaker).zip(name_of(&speaker));
            let taken = heard.and_then(|(first, before)| turn(body, [first, before]));
            let behind = taken.as_ref().map_or(0, |(_, behind)| *behind);
            if let Some((name, _)) = taken {
                speaker = Some(start + name.start..start + name.end);
            }
            out.push(Sentence {
                span: start + behind..end,
                kind: block.kind,
                speaker: speaker.clone(),
            });
        }
    };
    let mut quoted_until = 0;
    let mut unquoted_until = 0;
    let mut boundary_at = 0;
    for (at, c) in marks(content) {
        if at < boundary_at {
            continue;
        }
        if let Some(closer) = closing_quote(c) {
            let opens = at >= quoted_until && at >= unquoted_until && is_opening(content, at, c);
            if opens {
                let end = quote_end(content, at + c.len_utf8(), closer);
                steps(end.unwrap_or_else(|searched| searched) - at);
                match end {
                    Ok(end) => quoted_until = end,
                    Err(searched) => unquoted_until = searched,
                }
            }
        }
        if at < quoted_until || !is_end_mark(c) {
            continue;
        }
        let boundary = Boundary {
            content,
            at,
            mark: c,
            sentence_start: from,
        };
        if let Some(end) = boundary.end() {
            cut(from, end);
            from = end;
            boundary_at = end;
        } else {
            // A run of end marks is judged once.
            let run = content
                .get(at..)
                .unwrap_or_default()
                .chars()
                .take_while(|c| is_end_mark(*c));
            boundary_at = at + run.map(char::len_utf8).sum::<usize>();
        }
    }
    cut(from, content.len());
}

/// Every mark of `content` that may end a sentence or open a quotation; whatever else is beyond ASCII comes along.
fn marks(content: &str) -> impl Iterator<Item = (usize, char)> {
    let bytes = content.as_bytes();
    // Most stretches of a text hold no mark, and a whole stretch is asked at once.
    let held = (0..bytes.len()).step_by(STRETCH).filter_map(move |start| {
        let stretch = bytes.get(start..bytes.len().min(start + STRETCH))?;
        // Of one size and summed as numbers, so that the processor asks many bytes at once.
        let marks = |bytes: &[u8]| {
            bytes
                .iter()
                .fold(0, |found, byte| found | u8::from(is_mark(*byte)))
        };
        let found = stretch
            .first_chunk::<STRETCH>()
            .map_or_else(|| marks(stretch), |whole| marks(whole));
        (found != 0).then_some((start, stretch))
    });
    let found = held.flat_map(|(start, stretch)| {
        let within = stretch.iter().enumerate();
        within
            .filter(|(_, byte)| is_mark(**byte))
            .map(move |(at, _)| start + at)
    });
    found.filter_map(|at| content.get(at..)?.chars().next().map(|c| (at, c)))
}

/// How many bytes are asked at once whether a mark is among them.
const STRETCH: usize = 32;

/// Whether a byte is a mark, or begins a character of several bytes; the bytes within one lie below.
const fn is_mark(byte: u8) -> bool {
    (byte == b'.') | (byte == b'!') | (byte == b'?') | (byte == b'"') | (byte >= 0xc0)
}

/// Where the word begins in which the mark at `at` stands.
fn word_start(content: &str, at: usize) -> usize {
    let before = content.get(..at).unwrap_or_default();
    before
        .char_indices()
        .rfind(|(_, c)| c.is_whitespace())
        .map_or(0, |(place, c)| place + c.len_utf8())
}

const fn is_end_mark(c: char) -> bool {
    matches!(
        c,
        '.' | '!' | '?' | '…' | '。' | '！' | '？' | '؟' | '।' | '｡'
    )
}

const fn closing_quote(c: char) -> Option<char> {
    match c {
        '"' => Some('"'),
        '“' => Some('”'),
        '„' => Some('“'),
        '«' => Some('»'),
        '「' => Some('」'),
        '『' => Some('』'),
        _ => None,
    }
}

/// A straight quotation mark opens where a space or a bracket stands before it; the others always do.
fn is_opening(content: &str, at: usize, c: char) -> bool {
    let before = content.get(..at).and_then(|text| text.chars().next_back());
    c != '"' || before.is_none_or(|b| b.is_whitespace() || matches!(b, '(' | '[' | ':' | ','))
}

/// Where the quotation ends, short of the mark that closes it; `Err` with the place up to which there is no such mark.
fn quote_end(content: &str, from: usize, closer: char) -> Result<usize, usize> {
    let rest = content.get(from..).unwrap_or_default();
    for (at, c) in rest.char_indices() {
        if at > QUOTE_REACH {
            return Err(from + at);
        }
        if c == closer {
            // The mark before the closing one may end the sentence, so it is looked at.
            let last = rest
                .get(..at)
                .and_then(|text| text.trim_end().char_indices().next_back());
            return Ok(from + last.map_or(at, |(place, _)| place));
        }
    }
    Err(content.len())
}

/// A mark at which a sentence may end.
struct Boundary<'a> {
    content: &'a str,
    at: usize,
    mark: char,
    sentence_start: usize,
}

impl Boundary<'_> {
    /// Where the sentence ends, if the mark ends it.
    fn end(&self) -> Option<usize> {
        let Self {
            content,
            at,
            mark,
            sentence_start,
        } = *self;
        let mut end = at + mark.len_utf8();
        let rest = content.get(end..).unwrap_or_default();
        let more = rest
            .chars()
            .take_while(|c| is_end_mark(*c))
            .map(char::len_utf8)
            .sum::<usize>();
        let dots = (mark == '.' && more > 0) || mark == '…';
        end += more;
        let behind = content.get(end..).unwrap_or_default();
        let spaced = if behind.starts_with(" »") || behind.starts_with("\u{a0}»") {
            behind.chars().next().map_or(0, char::len_utf8)
        } else {
            0
        };
        end += spaced;
        let behind = behind.get(spaced..).unwrap_or_default();
        let closers: usize = behind
            .chars()
            .take_while(|c| is_closer(*c))
            .map(char::len_utf8)
            .sum();
        let quoted = closers > 0 && behind.starts_with(['"', '”', '“', '»', '’', '」', '』']);
        end += closers;
        let after = content.get(end..).unwrap_or_default();
        if after.is_empty() {
            return Some(end);
        }
        if matches!(mark, '。' | '！' | '？' | '｡') {
            // What a quotation is followed by without a space goes on with it.
            let goes_on = closers > 0 && after.starts_with(char::is_alphanumeric);
            return (!goes_on).then_some(end);
        }
        if !after.starts_with(char::is_whitespace) {
            return None;
        }
        let next = after.trim_start();
        let next_word = next.split_whitespace().next().unwrap_or_default();
        let small = next_word
            .chars()
            .find(|c| c.is_alphanumeric())
            .is_some_and(char::is_lowercase);
        if (quoted || dots) && small || quoted && self.is_told_by(next) {
            return None;
        }
        let word_start = word_start(content, at);
        // Behind the mark up to the end of the next word, and back to the beginning of its own.
        let next_end = content.len() - next.len() + next_word.len();
        steps(next_end - word_start);
        let word = content
            .get(word_start.max(sentence_start)..at)
            .unwrap_or_default();
        if mark == '.' && more == 0 {
            return ends_at_point(content, word, word_start, next_word, small).then_some(end);
        }
        let named = mark == '!' && is_marked_name(word) && !opens_sentence(next_word);
        let bracketed = closers > 0 && behind.starts_with(')') && small;
        (!named && !bracketed).then_some(end)
    }
}

impl Boundary<'_> {
    /// `"I don't drink coffee!" Nina told me.`, `"I quit." That's what Ana told us.`: behind a quotation that opens its sentence, who said it.
    fn is_told_by(&self, next: &str) -> bool {
        const OPENING: &[char] = &['"', '“', '„', '«', '»'];
        let said = self.content.get(self.sentence_start..).unwrap_or_default();
        let mut words = next.split_whitespace().take(3);
        let first = words.next().unwrap_or_default();
        let points_back = POINTING_BACK.contains(&first);
        let named = first.starts_with(char::is_uppercase) && words.any(is_saying);
        said.trim_start().starts_with(OPENING) && (points_back || named)
    }
}

fn is_marked_name(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    MARKED_NAMES.contains(&bare.to_lowercase().as_str())
}

const fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '”' | '“' | '»' | '’' | '\'' | ')' | ']' | '」' | '』' | '*' | '_' | '）'
    )
}

/// Whether a single point behind `word` ends a sentence that `next` would go on from.
fn ends_at_point(content: &str, word: &str, word_start: usize, next: &str, small: bool) -> bool {
    let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let length = bare.chars().count();
    if bare.is_empty() {
        return true;
    }
    if bare.chars().all(|c| c.is_ascii_digit()) && length <= 2 {
        let before = content.get(..word_start).unwrap_or_default().trim_end();
        let lead = before
            .rsplit(char::is_whitespace)
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let month = lexicon()
            .find(next.trim_matches(|c: char| !c.is_alphanumeric()))
            .is_some_and(|w| w.classes_in(Language::German) & MONTH != 0);
        let opens_text = before.is_empty();
        return !(month || opens_text || small || ORDINAL_LEADS.contains(&lead.as_str()));
    }
    if length == 1 && bare.chars().all(char::is_uppercase) {
        // "340 N. The next": a unit behind its number, and no initial of a name.
        let counted = content
            .get(..word_start)
            .is_some_and(|before| before.trim_end().ends_with(|c: char| c.is_ascii_digit()));
        return opens_sentence(next) || counted && !small || bare == "I" && word_start > 0;
    }
    let numbered = next.starts_with(|c: char| c.is_ascii_digit());
    if numbered && bare.ends_with("str") && bare.starts_with(char::is_uppercase) {
        return false;
    }
    if length > 6 {
        return true;
    }
    let lower = bare.to_lowercase();
    let lower = lower.as_str();
    if numbered && STREETS.contains(&lower) {
        return false;
    }
    let also_a_word = ALSO_WORDS.contains(&lower) && !word.starts_with('(');
    if also_a_word && (!small || lower == "no") && bare == lower && !numbered {
        return true;
    }
    // "(ref. NX-2207)": no sentence ends between a bracket and its second word.
    let bracketed = word.starts_with('(') && !word.contains(')');
    if OPEN_ABBREVIATIONS.contains(&lower) || bracketed {
        let calendar = lexicon()
            .find(lower)
            .is_some_and(|w| w.classes_in(Language::English) & MONTH != 0);
        return calendar && opens_sentence(next);
    }
    if CLOSED_ABBREVIATIONS.contains(&lower) {
        let after_time = HALVES_OF_THE_DAY.contains(&lower) && !goes_on_behind_time(next);
        return !small && (opens_sentence(next) || after_time);
    }
    if lower.contains('.') {
        return !small
            && (opens_sentence(next) || lower.chars().any(|c| c.is_ascii_digit()) || length > 5);
    }
    let vowels = lower.chars().any(|c| {
        !c.is_ascii() || matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y') || c.is_ascii_digit()
    });
    vowels || !small
}

/// Whether `word` goes on with a time of day: a day, a month, a zone.
fn goes_on_behind_time(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let lower = bare.to_lowercase();
    let calendar = lexicon()
        .find(bare)
        .is_some_and(|w| w.classes_in(Language::English) & (MONTH | WEEKDAY) != 0);
    let zone = bare.chars().all(char::is_uppercase) && (2..=5).contains(&bare.len());
    calendar
        || zone
        || TIME_ZONES.contains(&lower.as_str())
        || !bare.starts_with(char::is_uppercase)
}

/// Whether `word` opens a sentence far more often than it goes on with a name.
fn opens_sentence(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let head = bare.split(['\'', '’']).next().unwrap_or(bare);
    let known = lexicon()
        .find(head)
        .is_some_and(|lexeme| lexeme.classes_in(Language::English) & STARTER != 0);
    known && bare.starts_with(char::is_uppercase)
}
