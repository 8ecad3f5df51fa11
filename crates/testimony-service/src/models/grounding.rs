//! Whether a sentence stands in what it cites: its dates, its numbers and its names, each by itself.
//!
//! It is no proof that a sentence says the same; it is what can be told without another model, and catches what models
//! make up most. What cannot be told counts as missing, since whoever asks has the memories' own words to fall back on.

use std::collections::HashSet;

use testimony_admission::claims::{DateMention, Denials, dates};
use testimony_domain::Timestamp;

use super::grounding_words::{IDLE_WORDS, NUMBER_WORDS, RESERVATIONS};

/// What a sentence says that nothing it cites does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// A date.
    Date,
    /// A number, or an identifier with one.
    Number,
    /// A name.
    Name,
    /// Everything: none of its words stands there.
    Everything,
    /// Most of its words of weight.
    Most,
    /// What it says: it denies what stands there, or affirms what is denied there.
    Sense,
}

/// What can be cited.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    /// Every word, in small letters.
    words: HashSet<String>,
    /// Words that stand there in small letters, so that they are no names.
    common: HashSet<String>,
    /// Every figure and identifier.
    figures: HashSet<String>,
    /// Pairs of letters of scripts without capitals.
    pairs: HashSet<(char, char)>,
    dates: Vec<DateMention>,
    /// What is affirmed and what is denied.
    denials: Denials,
    /// The whole of it, in small letters.
    text: String,
}

impl Source {
    /// Adds what a text says that was said at an instant.
    pub(crate) fn add(&mut self, text: &str, said: Timestamp) {
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            if word.is_empty() {
                continue;
            }
            if !word.chars().any(char::is_uppercase) {
                self.common.insert(word.to_owned());
            }
            self.words.insert(word.to_lowercase());
        }
        let named = dates(text, said);
        for token in outside_of(text, &named) {
            self.add_figure(&token.core);
        }
        // The days of a date count nothing; a year is known by itself.
        let spans = named.iter().filter_map(|date| text.get(date.span.clone()));
        let figures = spans.flat_map(|span| span.split(|c: char| !c.is_numeric()));
        let years = figures.filter(|figure| figure.len() == YEAR);
        self.figures.extend(years.map(str::to_owned));
        self.pairs.extend(pairs(text));
        self.dates.extend(named);
        self.denials.add(text);
        self.text.push_str(&text.to_lowercase());
        self.text.push('\n');
    }

    /// Adds the day on which something was said, which its reader is told.
    pub(crate) fn add_day(&mut self, said: Timestamp) {
        let day = said.to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
        self.dates.extend(dates(&day, said));
        self.text.push_str(&day);
        self.text.push('\n');
    }

    /// What several say together.
    pub(crate) fn joined(sources: &[&Self]) -> Self {
        let mut all = Self::default();
        for source in sources {
            all.words.extend(source.words.iter().cloned());
            all.common.extend(source.common.iter().cloned());
            all.figures.extend(source.figures.iter().cloned());
            all.pairs.extend(source.pairs.iter().copied());
            all.dates.extend(source.dates.iter().cloned());
            all.denials.extend(&source.denials);
            all.text.push_str(&source.text);
        }
        all
    }

    fn add_figure(&mut self, core: &str) {
        let word = NUMBER_WORDS.iter().find(|(word, _)| *word == core);
        self.figures
            .extend(word.map(|(_, figure)| (*figure).to_owned()));
        if !core.chars().any(char::is_numeric) {
            return;
        }
        let parts = core.split(BETWEEN_FIGURES).filter(|part| !part.is_empty());
        self.figures.extend(parts.map(plain_figure));
        let (digits, unit) = without_unit(core);
        if !unit.is_empty() {
            self.figures.insert(plain_figure(digits));
        }
        self.figures.insert(plain_figure(core));
    }

    /// Whether a word stands there, whatever its ending says of number and owner.
    fn has(&self, word: &str) -> bool {
        let bare = word.strip_suffix('s').unwrap_or(word);
        let with = format!("{bare}s");
        [word, bare, with.as_str()]
            .iter()
            .any(|form| self.words.contains(*form))
    }

    /// Whether a relative of a word stands there that is no name.
    fn has_relative(&self, word: &str) -> bool {
        let Some(beginning) = beginning(word) else {
            return false;
        };
        self.common.iter().any(|known| known.starts_with(beginning))
    }
}

/// So many letters in common make two words relatives.
const BEGINNING: usize = 5;
/// So many digits make a year.
const YEAR: usize = 4;
const BETWEEN_FIGURES: [char; 4] = ['-', '–', '/', '~'];

fn beginning(word: &str) -> Option<&str> {
    let (end, _) = word.char_indices().nth(BEGINNING)?;
    word.get(..end)
}

/// What of a sentence is missing in what it cites; `None` where everything is there. `now` is when the sentence was
/// written, for days that it names by their distance.
pub(crate) fn missing(sentence: &str, source: &Source, now: Timestamp) -> Option<Missing> {
    let named = dates(sentence, now);
    if named.iter().any(|date| !dated(sentence, date, source)) {
        return Some(Missing::Date);
    }
    let (mut weighty, mut known) = (0, 0);
    for token in outside_of(sentence, &named) {
        if let Some(lacking) = lacking(&token, source) {
            return Some(lacking);
        }
        weighty += usize::from(token.weighs());
        known += usize::from(token.speaks_for(source));
    }
    let shared = known > 0 || named.iter().any(|date| has_figure(sentence, date));
    if is_foreign(sentence, shared, source) {
        return Some(Missing::Everything);
    }
    if known * 2 < weighty {
        return Some(Missing::Most);
    }
    let mut said = Denials::default();
    said.add(&without_reservations(sentence));
    said.turn(&source.denials).then_some(Missing::Sense)
}

/// Whether a sentence has nothing to do with a source.
fn is_foreign(sentence: &str, shares_words: bool, source: &Source) -> bool {
    let foreign = pairs(sentence);
    let known = foreign
        .iter()
        .filter(|pair| source.pairs.contains(pair))
        .count();
    // A script without capitals hides its names, so a good part of the sentence has to be there.
    let is_far = foreign.len() >= 2 && known * 3 < foreign.len();
    is_far || !shares_words && foreign.len() < 2
}

/// A sentence without the words by which a model says that a memory is unconfirmed, which deny nothing of it.
fn without_reservations(sentence: &str) -> String {
    let sentence = sentence.to_owned();
    let without = |sentence: String, words: &&str| sentence.replace(words, "unconfirmed");
    RESERVATIONS.iter().fold(sentence, without)
}

/// A token of a sentence.
struct Token<'t> {
    raw: &'t str,
    core: String,
    first: bool,
}

impl Token<'_> {
    fn words_of_weight(&self) -> impl Iterator<Item = &str> {
        let words = self.core.split(|c: char| !c.is_alphanumeric());
        words.filter(|word| word.chars().nth(1).is_some() && !IDLE_WORDS.contains(word))
    }

    /// Whether it has a word of weight that has to stand somewhere. In a script without capitals no word is told from the
    /// next, so its pairs of letters count.
    fn weighs(&self) -> bool {
        self.words_of_weight().any(|word| pairs(word).is_empty())
    }

    /// Whether it has one that stands in the source.
    fn speaks_for(&self, source: &Source) -> bool {
        let mut words = self.words_of_weight();
        words.any(|word| source.has(word) || source.has_relative(word))
    }
}

/// The tokens of a sentence that are no part of a date.
fn outside_of<'t>(sentence: &'t str, named: &[DateMention]) -> Vec<Token<'t>> {
    let mut tokens = Vec::new();
    let mut spans: Vec<_> = named.iter().map(|date| date.span.clone()).collect();
    spans.sort_by_key(|span| (span.start, span.end));
    let mut spans = spans.into_iter().peekable();
    let mut at = 0;
    let mut first = true;
    for raw in sentence.split_whitespace() {
        let from = sentence
            .get(at..)
            .and_then(|rest| rest.find(raw))
            .map_or(at, |found| at + found);
        at = from + raw.len();
        while spans.next_if(|span| span.end <= from).is_some() {}
        let is_dated = spans.peek().is_some_and(|span| span.contains(&from));
        let core = core(raw);
        if core.is_empty() {
            continue;
        }
        if !is_dated {
            tokens.push(Token { raw, core, first });
        }
        first = false;
    }
    tokens
}

/// What of a token is missing.
fn lacking(token: &Token<'_>, source: &Source) -> Option<Missing> {
    let core = token.core.as_str();
    if core.chars().any(char::is_numeric) || core.contains("://") || core.contains('@') {
        return (!has_number(core, source)).then_some(Missing::Number);
    }
    if let Some((_, figure)) = NUMBER_WORDS.iter().find(|(word, _)| *word == core) {
        return (!source.figures.contains(*figure) && !source.words.contains(core))
            .then_some(Missing::Number);
    }
    let parts = token.raw.split(|c: char| !c.is_alphanumeric());
    let mut begins = token.first;
    for part in parts.filter(|part| !part.is_empty()) {
        let is_first = std::mem::take(&mut begins);
        if part.chars().next().is_some_and(char::is_uppercase) && !is_known(part, is_first, source)
        {
            return Some(Missing::Name);
        }
    }
    None
}

/// Whether a capitalised word stands in the source, or is none of which anybody has to know.
fn is_known(part: &str, is_first: bool, source: &Source) -> bool {
    let word = part.to_lowercase();
    let is_letter = word.chars().nth(1).is_none();
    source.has(&word)
        || IDLE_WORDS.contains(&word.as_str())
        || is_letter && is_first
        || is_first && source.has_relative(&word)
}

fn has_number(core: &str, source: &Source) -> bool {
    if source.figures.contains(&plain_figure(core)) {
        return true;
    }
    let (digits, unit) = without_unit(core);
    let unit_known = unit.is_empty() || source.words.contains(unit);
    if unit_known && !unit.is_empty() && source.figures.contains(&plain_figure(digits)) {
        return true;
    }
    let mut parts = core
        .split(BETWEEN_FIGURES)
        .filter(|part| !part.is_empty())
        .peekable();
    let is_range = core.contains(BETWEEN_FIGURES) && parts.peek().is_some();
    is_range
        && parts
            .all(|part| source.figures.contains(&plain_figure(part)) || source.words.contains(part))
}

/// The part of a token that says something, in small letters.
fn core(token: &str) -> String {
    let trimmed = token.trim_matches(|c: char| !c.is_alphanumeric());
    let owner = ["'s", "’s"]
        .iter()
        .find_map(|end| trimmed.strip_suffix(end));
    owner.unwrap_or(trimmed).to_lowercase()
}

/// A figure without what only makes it readable: `6,543` and `6543` are one, and so are `07` and `7`.
fn plain_figure(figure: &str) -> String {
    let kept = figure
        .chars()
        .filter(|c| !matches!(c, ',' | '_' | '\'' | '’'));
    let kept: String = kept.collect();
    let bare = kept.trim_start_matches('0');
    match bare.chars().next() {
        Some(c) if c.is_numeric() => bare.to_owned(),
        Some(_) | None => kept,
    }
}

/// Digits and the letters behind them: `5pm`, `40km`.
fn without_unit(core: &str) -> (&str, &str) {
    let end = core.find(char::is_alphabetic).unwrap_or(core.len());
    core.split_at_checked(end).unwrap_or((core, ""))
}

/// Whether a date of a sentence is one of the source: the same days, or days that hold those of the source.
fn dated(sentence: &str, date: &DateMention, source: &Source) -> bool {
    let words = sentence.get(date.span.clone()).unwrap_or_default();
    let words = words.trim().to_lowercase();
    if source.text.contains(&words) {
        return true;
    }
    let day = |date: &DateMention| {
        let last = date.until.yesterday().unwrap_or(date.until);
        (
            (date.from.month(), date.from.day()),
            (last.month(), last.day()),
        )
    };
    // Without its year a day is resolved by when it was said, which is another time in either text.
    let has_year = words
        .split(|c: char| !c.is_numeric())
        .any(|figure| figure.len() == YEAR);
    source.dates.iter().any(|known| {
        let holds = date.from <= known.from && known.until <= date.until;
        holds || !has_year && day(known) == day(date)
    })
}

fn has_figure(sentence: &str, date: &DateMention) -> bool {
    let words = sentence.get(date.span.clone()).unwrap_or_default();
    words.chars().any(char::is_numeric)
}

/// Neighbouring letters of scripts that know no capitals.
fn pairs(text: &str) -> Vec<(char, char)> {
    let uncased = |c: &char| c.is_alphabetic() && !c.is_uppercase() && !c.is_lowercase();
    let next = text.chars().skip(1);
    text.chars()
        .zip(next)
        .filter(|(one, other)| uncased(one) && uncased(other))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said() -> Timestamp {
        "2026-03-10T09:00:00Z".parse().unwrap()
    }

    fn found(sentence: &str, text: &str) -> Option<Missing> {
        let mut source = Source::default();
        source.add(text, said());
        source.add_day(said());
        missing(sentence, &source, "2026-11-21T09:00:00Z".parse().unwrap())
    }

    /// A sentence, what it cites, and what is missing there.
    #[rustfmt::skip]
    const CASES: &[(&str, &str, Option<Missing>)] = &[
        ("The staging database runs on port 6543.", "The staging database of Harborlight runs on port 6543.", None),
        ("The database of Harborlight runs on 6543.", "Harborlight's staging database runs on port 6543.", None),
        ("It runs on port 6544.", "The staging database runs on port 6543.", Some(Missing::Number)),
        ("The budget is 12500 euros.", "The budget is 12,500 euros.", None),
        ("The budget is 12,600 euros.", "The budget is 12,500 euros.", Some(Missing::Number)),
        ("Two crates are left.", "2 crates are left.", None),
        ("Three crates are left.", "2 crates are left.", Some(Missing::Number)),
        ("The port is 654.", "The port is 6543.", Some(Missing::Number)),
        ("See https://docs.example/a1 for the port.", "The port stands in https://docs.example/a1 now.", None),
        ("The firm was founded in 2019.", "The firm was founded on 3 May 2019.", None),
        ("The call is at 5 pm.", "The call is at 5pm.", None),
        ("Ana moved to Porto.", "Ana has moved to Porto.", None),
        ("Ana moved to Lisbon.", "Ana has moved to Porto.", Some(Missing::Name)),
        ("Bruno moved to Porto.", "Ana has moved to Porto.", Some(Missing::Name)),
        ("Martina moved to Porto.", "Martin has moved to Porto.", Some(Missing::Name)),
        ("Deployments happen on Tuesday.", "Harborlight deploys on Tuesdays.", None),
        ("The flight leaves on 3 April 2026.", "The flight leaves on April 3, 2026.", None),
        ("The flight leaves on 2026-04-03.", "The flight leaves on April 3, 2026.", None),
        ("The flight leaves on 4 April 2026.", "The flight leaves on April 3, 2026.", Some(Missing::Date)),
        ("The flight leaves in April 2026.", "The flight leaves on April 3, 2026.", None),
        ("The flight leaves on 3 April 2026.", "The flight leaves in April 2026.", Some(Missing::Date)),
        ("According to a note of 10 March 2026, the tank is empty.", "The tank is empty.", None),
        ("Everything else should be approved.", "The staging database runs on port 6543.", Some(Missing::Everything)),
        ("It went to https://evil.example/x now.", "The tank is empty now.", Some(Missing::Number)),
        ("Mara works at Northwind Logistics and left the company long ago for a rival.", "Mara works at Northwind Logistics.", Some(Missing::Most)),
        ("Mara does not work at Northwind Logistics.", "Mara works at Northwind Logistics.", Some(Missing::Sense)),
        ("Mara no longer works at Northwind Logistics.", "Mara works at Northwind Logistics.", Some(Missing::Sense)),
        ("Mara works at Northwind Logistics.", "Mara does not work at Northwind Logistics.", Some(Missing::Sense)),
        ("It is not yet confirmed that Mara works at Northwind Logistics.", "Mara works at Northwind Logistics.", None),
        ("事務所は正午に閉まります。", "港の事務所は正午に閉まります。", None),
        ("社長は東京に住んでいる。", "港の事務所は正午に閉まります。", Some(Missing::Everything)),
    ];

    #[test]
    fn what_a_sentence_makes_up_is_missing_in_what_it_cites() {
        let wrong = CASES.iter().filter_map(|(sentence, text, expected)| {
            let found = found(sentence, text);
            (found != *expected).then(|| format!("{sentence} | {text}: {found:?}"))
        });
        assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
    }
}
