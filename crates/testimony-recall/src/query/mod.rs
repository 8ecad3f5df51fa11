//! Reading a query: what it asks for, about whom, about which time, and by which words a row can be told to speak of it.

mod apart;
mod dates;
mod focus;
mod kind;
mod parts;
mod several;
mod time;
mod wanted;

use std::borrow::Cow;
use std::collections::HashSet;

use testimony_domain::{Timestamp, words};

pub(crate) use apart::Telling;
pub(crate) use dates::{AskedDate, agreement};
pub(crate) use focus::WEIGHT_LIGHT;
pub use focus::{FocusTerm, Role};
pub use kind::QuestionKind;
pub use wanted::Wanted;
pub(crate) use wanted::counts_something;

use crate::mark::{Marks, mark_of_pair};
use crate::request::TimeIntent;
use crate::text::{self, QUESTION_MARKS, Shape, Word};
use crate::words::{Cell, Cue};

words! {
    /// Whether a query is about the person who asks.
    pub enum ProfileIntent {
        /// It is not.
        None = "none",
        /// About something of theirs.
        Personal = "personal",
        /// About what they like, want or avoid.
        Preferences = "preferences",
    }
}

/// What a query says of itself.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What it asks for.
    pub kind: QuestionKind,
    /// The time it is about.
    pub time: TimeIntent,
    /// Whether the time was said, by a hint or in words.
    pub time_is_explicit: bool,
    /// Whether it is about the person who asks.
    pub profile: ProfileIntent,
    /// Whether it asks what is not so.
    pub negated: bool,
    /// The words by which a row can be told to speak of it, heaviest first.
    pub focus: Vec<FocusTerm>,
    /// In "before Porto": what came after the time asked about, so that it is no answer.
    pub(crate) successor: Vec<String>,
    /// Pairs of words that stand side by side in it.
    pub(crate) phrases: Vec<u64>,
    /// The stems of all words of `focus`.
    pub(crate) asked: Marks,
    /// Words in it that exclude others.
    pub(crate) cells: Vec<Cell>,
    /// What an answer has to hold, where that can be told.
    pub(crate) wanted: Option<Wanted>,
    /// Numbers and identifiers in it, each with what it numbers: "room 14".
    pub(crate) numbered: Vec<Numbered>,
    /// Names with an initial behind them: "Ben T.".
    pub(crate) initials: Vec<(u64, char)>,
    /// Words in it that tell one thing from another of its kind.
    pub(crate) tellings: Vec<Telling>,
    /// Whether a row that does not name its subject is about somebody or something else.
    pub(crate) excludes_others: bool,
    /// Dates that it says.
    pub(crate) dates: Vec<AskedDate>,
    /// Whether whoever asks does so for several and not for themselves alone: "we", and nowhere "I".
    pub(crate) of_a_group: bool,
    /// Whether it asks what whoever asks does or is: "where do I live", and not "who do I know".
    pub(crate) of_own_doing: bool,
    /// Whether it asks how many of something there are.
    pub(crate) asks_to_count: bool,
    /// Whether it asks what somebody does not eat.
    pub(crate) asks_what_is_refused: bool,
    /// Whether it is about something to eat.
    pub(crate) of_a_meal: bool,
    /// Whether it asks in the past tense.
    pub(crate) tells_of_past: bool,
    /// Whether it asks how things are or will be.
    pub(crate) tells_of_present: bool,
    /// The last instant of the past that it asks about by a date.
    pub(crate) past: Option<Timestamp>,
    /// Whether it wants all that is known of what it names.
    pub(crate) asks_for_all: bool,
    /// Whether it wants what several rows say.
    pub(crate) asks_for_several: bool,
    /// Where it asks two things: each of them, read by itself.
    pub(crate) parts: Vec<Self>,
}

/// Only so much of a turn is read: what is longer has said its topic by then.
const READ_CHARACTERS: usize = 4_000;

/// How rare a word is among the rows that the asker may see: 0 for one that stands everywhere, 1 for one that stands
/// nearly nowhere.
pub type Rarity<'a> = &'a dyn Fn(&str) -> f64;

/// How alike words are in meaning, as cosines: 1 for the same word, about 0 for two that have nothing in common.
pub trait Meanings {
    /// Compares others with these words.
    fn to<'s>(&'s self, asked: &[&str]) -> Compared<'s>;
}

/// Says of a word how alike each of those is with which it is compared, in their order.
pub type Compared<'a> = Box<dyn Fn(&str, &mut [f64]) + 'a>;

/// Whoever knows how alike words are.
pub type Likeness<'a> = &'a dyn Meanings;

/// Reads rows with what is asked, or with an earlier row, and says of each by itself what it is to that.
pub trait RowReader {
    /// The logarithm of the odds that each row answers a question, or helps with a task, in their order.
    fn read(&self, question: &str, rows: &[&str]) -> Vec<f64>;

    /// The logarithm of the odds that each later row makes out of date what an earlier one says, in their order. Rows of which
    /// nothing is said are judged by their words, as all are where a reader does not say this.
    fn renews(&self, _earlier: &str, _later: &[&str]) -> Vec<f64> {
        Vec::new()
    }
}

impl Reading {
    /// Reads `query`; `hint` is the caller's word on the time, `goal` what the turn is for.
    #[must_use]
    pub fn of(
        query: &str,
        goal: Option<&str>,
        hint: Option<TimeIntent>,
        rarity: Option<Rarity<'_>>,
    ) -> Self {
        let mut whole = Self::as_one(query, goal, hint, rarity);
        let parts = parts::parts(the_point(beginning(query)), whole.kind);
        let read = |part: parts::Part| {
            let after = part.after.as_deref();
            Self::as_one(&part.text, after, hint, rarity)
        };
        whole.parts = parts.into_iter().map(read).collect();
        whole.asks_for_several |= !whole.parts.is_empty();
        whole
    }

    /// Reads what asks one thing.
    fn as_one(
        query: &str,
        goal: Option<&str>,
        hint: Option<TimeIntent>,
        rarity: Option<Rarity<'_>>,
    ) -> Self {
        let query = &in_plain_words(beginning(query));
        let (all, (point, point_words)) = read_with_point(query);
        let (kind, lead) = kind::kind_of(point, &point_words);
        let (alone, words) = what_counts(&point_words, all);
        let (dates, past, time) = times(&words, hint);
        let opening = opening(
            kind,
            opening_words(&words, &point_words, lead),
            &words,
            past,
        );
        let excluding = focus::excluding_subject(&words, &opening);
        let around = around(query, point).filter(|_| alone).into_iter();
        let focus = focus::terms(&words, &opening, rarity);
        let focus = focus_beside(focus, around.flatten().chain(goal), rarity);
        Self {
            kind,
            time: time.unwrap_or_default(),
            time_is_explicit: time.is_some(),
            profile: profile_of(&words),
            negated: words.iter().any(|word| word.is(Cue::Negation)),
            phrases: pairs(&words),
            asked: focus.iter().map(|term| term.sought.stem()).collect(),
            successor: time::what_came_after(&words),
            cells: cells(&words),
            wanted: wanted::wanted(&point_words, kind),
            numbered: numbered(&words, true).collect(),
            initials: initials(&words),
            tellings: apart::tellings(&words, excluding, |word| {
                kind.is_question() && focus::is_known(word, rarity)
            }),
            excludes_others: !excluding.is_empty() && !belong_to_the_asker(&words, excluding),
            of_a_group: asks_for_a_group(&words),
            of_own_doing: kind != QuestionKind::Who
                && (asks_what_one_does(&words) || asks_what_one_owns(&words)),
            asks_to_count: asks_to_count(&words),
            asks_what_is_refused: asks_what_is_refused(&words),
            of_a_meal: words.iter().any(|word| word.is(Cue::Meal)),
            tells_of_past: time::tells_of_past(&words),
            tells_of_present: time::tells_of_present(&words),
            asks_for_all: several::asks_for_all(&words),
            asks_for_several: several::asks_for_several(&words),
            dates,
            past,
            focus,
            parts: Vec::new(),
        }
    }

    /// Whether it says of nobody and nothing by which name or number they go.
    pub(crate) fn names_nothing(&self) -> bool {
        let names = self.tellings.iter().any(Telling::is_sure);
        !self.excludes_others && self.numbered.is_empty() && !names
    }

    /// The terms that name whom or what the query is about.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = &FocusTerm> {
        self.focus.iter().filter(|term| term.role == Role::Subject)
    }

    /// Everything else that it names by a name or an identifier, and its subjects.
    pub(crate) fn names(&self) -> impl Iterator<Item = &FocusTerm> {
        self.focus
            .iter()
            .filter(|term| matches!(term.role, Role::Subject | Role::Name))
    }
}

/// What is asked about, and what is said beside it: what stands around a question that can do without it is what the turn
/// is about.
fn focus_beside<'a>(
    mut focus: Vec<FocusTerm>,
    asides: impl Iterator<Item = &'a str>,
    rarity: Option<Rarity<'_>>,
) -> Vec<FocusTerm> {
    for aside in asides {
        focus::add_goal(&mut focus, &text::read(beginning(aside)), rarity);
    }
    focus
}

/// Sayings whose words mislead, and what they mean.
const SAYINGS: &[(&str, &str)] = &[
    ("for a living", "for work"),
    ("earn a living", "work"),
    ("earns a living", "works"),
];

/// Nouns with which such a saying goes on to be something else: "for a living room".
const LIVING: &[&str] = &[
    "room", "rooms", "will", "wage", "area", "space", "being", "trust",
];

fn in_plain_words(query: &str) -> Cow<'_, str> {
    let said = SAYINGS.iter();
    let mut said = said.filter_map(|(said, meant)| Some((query.find(said)?, said, meant)));
    let plain = said.find_map(|(at, said, meant)| {
        let (before, rest) = (query.get(..at)?, query.get(at + said.len()..)?);
        let mut next = rest.split(|c: char| !c.is_alphanumeric());
        let ends = next.next().is_some_and(str::is_empty);
        let goes_on = next.next().is_some_and(|noun| LIVING.contains(&noun));
        (ends && !goes_on).then(|| format!("{before}{meant}{rest}"))
    });
    plain.map_or(Cow::Borrowed(query), Cow::Owned)
}

/// The words of a part of a text, which mostly is all of it and was read already.
fn read_once(part: &str, whole: &str, read: &[Word]) -> Vec<Word> {
    if part == whole {
        read.to_vec()
    } else {
        text::read(part)
    }
}

fn beginning(text: &str) -> &str {
    let end = text
        .char_indices()
        .nth(READ_CHARACTERS)
        .map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// The words of a query, and the sentence that asks with its own.
fn read_with_point(query: &str) -> (Vec<Word>, (&str, Vec<Word>)) {
    let all = text::read(query);
    let point = the_point(query);
    let own = read_once(point, query, &all);
    (all, (point, own))
}

/// The sentence that asks; the whole text when none does.
fn the_point(query: &str) -> &str {
    let mut start = 0;
    for (at, mark) in query.match_indices(['.', '!', '?', '？', '؟', '\n']) {
        let after = query.get(at + mark.len()..).unwrap_or_default();
        let sentence = query.get(start..at).unwrap_or_default();
        if mark.contains(QUESTION_MARKS) {
            return query.get(start..at + mark.len()).unwrap_or(query).trim();
        }
        let ends = after.starts_with(char::is_whitespace) && !goes_on(sentence, after);
        if mark != "." || ends {
            start = at + mark.len();
        }
    }
    query.trim()
}

/// Whether the sentence that asks can do without those around it, and so the words that count.
fn what_counts(point: &[Word], all: Vec<Word>) -> (bool, Vec<Word>) {
    let alone = point.len() < all.len() && stands_alone(point);
    (alone, if alone { point.to_vec() } else { all })
}

/// Whether a sentence can be understood without those around it: it names whom or what it asks about, and points to
/// nothing that was said before.
fn stands_alone(point: &[Word]) -> bool {
    let names =
        |word: &Word| word.is_name() || word.is_first_person() || word.shape == Shape::Identifier;
    let points_back = |word: &Word| word.is(Cue::RefersBack);
    point.iter().any(names) && !point.iter().any(points_back)
}

/// How a question opens, and what of it is about the time alone: a date too, where it asks what held then.
fn opening(
    kind: QuestionKind,
    lead: usize,
    words: &[Word],
    past: Option<Timestamp>,
) -> focus::Opening {
    let aside = time::words_of_time(words).into_iter();
    // What somebody did has its date; what held at one need not.
    let of_a_state = past.filter(|_| words.iter().all(|word| word.raw != "did"));
    let date = of_a_state.map(|_| dates::words_of_dates(words));
    let aside = aside
        .chain(time::what_came_after(words))
        .chain(date.into_iter().flatten())
        .collect();
    focus::Opening { kind, lead, aside }
}

/// What stands before and behind a part of a text.
fn around<'q>(query: &'q str, point: &str) -> Option<[&'q str; 2]> {
    let at = query.find(point)?;
    Some([query.get(..at)?, query.get(at + point.len()..)?])
}

/// Whether a sentence goes on behind a full stop: behind a title, an initial or what is cut short ("Dr", "J", "approx"),
/// and behind the number of a day ("am 11. Juli").
fn goes_on(sentence: &str, after: &str) -> bool {
    let last = sentence.rsplit(char::is_whitespace).next();
    let last = last.unwrap_or_default();
    text::is_cut_short(last)
        || last.chars().count() <= 3 && last.starts_with(char::is_uppercase)
        || text::is_ordinal(last, after)
}

/// Which words of the whole text only lead up to the question.
fn opening_words(words: &[Word], point: &[Word], lead: usize) -> usize {
    if words.len() == point.len() { lead } else { 0 }
}

/// "What does Ana not eat", "which food do I avoid".
fn asks_what_is_refused(words: &[Word]) -> bool {
    let any = |cue: Cue| words.iter().any(|word| word.is(cue));
    any(Cue::Refusing) || any(Cue::Negation) && any(Cue::Eating)
}

/// What stands before things that are to be counted.
const COUNTING: &[&str] = &[
    "many", "viele", "wieviele", "cuántos", "cuántas", "quanti", "quante", "quantos", "quantas",
];

fn asks_to_count(words: &[Word]) -> bool {
    let counts = |word: &Word| COUNTING.contains(&word.raw.as_str());
    words.iter().any(counts)
}

/// The dates that a question says, the last instant of the past among them, and the time that it is about.
fn times(
    words: &[Word],
    hint: Option<TimeIntent>,
) -> (Vec<AskedDate>, Option<Timestamp>, Option<TimeIntent>) {
    let dates = dates::asked(words);
    let past = time::dated_past(words, &dates);
    let time = hint.or_else(|| time::said_or_dated(words, &dates));
    (dates, past, time)
}

/// Whether somebody asks for several and not for themselves alone.
fn asks_for_a_group(words: &[Word]) -> bool {
    let mut own = words
        .iter()
        .filter(|word| word.is_first_person())
        .peekable();
    own.peek().is_some() && own.all(|word| word.is(Cue::Group))
}

/// "Our children's doctor": what belongs to those who belong to the asker is theirs too, and a row need not name them.
fn belong_to_the_asker(words: &[Word], subject: &[Word]) -> bool {
    let [owner] = subject else { return false };
    let ours = owner.possessive && owner.is(Cue::Ours);
    let mut pairs = words.iter().zip(words.iter().skip(1));
    ours && pairs.any(|(one, next)| one.is_first_person() && next.raw_mark == owner.raw_mark)
}

/// Whether "I" stands there, in front of what somebody does alone: whoever has or visits a sister asks for her too.
fn asks_what_one_does(words: &[Word]) -> bool {
    const WITH_OTHERS: [&str; 9] = [
        "have", "had", "got", "know", "see", "meet", "visit", "call", "get",
    ];
    let is_i = |word: &Word| word.is(Cue::FirstPerson) && matches!(word.raw.as_str(), "i" | "ich");
    let mut pairs = words.iter().zip(words.iter().skip(1));
    pairs.any(|(one, next)| is_i(one) && !WITH_OTHERS.contains(&next.raw.as_str()))
}

/// "My dose", "my birthday": something that is theirs, and nobody who is.
fn asks_what_one_owns(words: &[Word]) -> bool {
    const MY: [&str; 8] = ["my", "mein", "meine", "mi", "mon", "ma", "mio", "mia"];
    let is_my = |word: &Word| word.is_first_person() && MY.contains(&word.raw.as_str());
    let somebody = [Cue::Person, Cue::Relatives, Cue::Ours];
    let is_somebody = |word: &Word| somebody.iter().any(|cue| word.is(*cue));
    let at = words.iter().position(is_my);
    let owned = at.map(|at| words.iter().skip(at + 1).take(2));
    owned.is_some_and(|mut owned| !owned.any(is_somebody))
}

fn profile_of(words: &[Word]) -> ProfileIntent {
    let own = words.iter().any(Word::is_first_person);
    let taste = words.iter().any(|word| word.is(Cue::Preference));
    let users = words.iter().any(|word| word.is(Cue::UserNoun));
    match (own || users && taste, taste) {
        (true, true) => ProfileIntent::Preferences,
        (true, false) => ProfileIntent::Personal,
        (false, _) => ProfileIntent::None,
    }
}

/// A number or an identifier, and what it numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbered {
    /// The number of the stem of what it numbers, or of the letters before its digits.
    of: u64,
    /// The number of the word itself.
    is: u64,
    /// Whether it is made of digits alone, as many things are numbered.
    bare: bool,
}

impl Numbered {
    /// What is told from others by something else than digits alone.
    const fn named(of: u64, is: u64) -> Self {
        Self {
            of,
            is,
            bare: false,
        }
    }

    /// Whether another one of the same things is meant.
    pub(crate) fn is_another(self, other: Self) -> bool {
        self.of == other.of && self.is != other.is
    }

    /// Whether both number the same things.
    pub(crate) const fn is_of_kind(self, other: Self) -> bool {
        self.of == other.of
    }

    pub(crate) fn is_same(self, other: Self) -> bool {
        self.is == other.is && (!self.bare || self.is_of_kind(other))
    }
}

/// "Ben T.": a name, and the letter with which another name of the same person begins.
fn initials(words: &[Word]) -> Vec<(u64, char)> {
    let is_initial = |word: &Word| word.capital && word.raw != "i" && word.raw.len() == 1;
    let is_name = |word: &Word| word.capital && !word.first && !word.possessive;
    let pairs = words.iter().zip(words.iter().skip(1));
    let told = pairs.filter(|(name, next)| is_name(name) && is_initial(next));
    told.filter_map(|(name, next)| Some((name.mark, next.raw.chars().next()?)))
        .collect()
}

/// What stands behind a number that counts: "50 euros", "3 days". A verb behind one that names is none: "invoice 1002 paid".
fn is_counted(word: &Word) -> bool {
    const UNITS: &[&str] = &[
        "percent", "euro", "dollar", "pound", "km", "m", "cm", "mm", "kg", "g", "mg", "ml", "l",
        "gb", "mb", "tb", "kb", "people", "children", "men", "women", "am", "pm",
    ];
    let many = word.raw.ends_with('s') && !word.raw.ends_with("ss") && !word.stop;
    many || word.is(Cue::TimeUnit) || UNITS.contains(&word.raw.as_str())
}

/// What is numbered in these words: "invoice 1002", "LH 440", "T-13". What is measured is not: "50 euros"; nor is a date.
/// Of a question, `asked`, a number before what can be counted may be a measure.
pub(crate) fn numbered(words: &[Word], asked: bool) -> impl Iterator<Item = Numbered> {
    let before = std::iter::once(None).chain(words.iter().map(Some));
    let after = words.iter().skip(1).map(Some).chain([None]);
    let each = words.iter().zip(before.zip(after)).enumerate();
    each.filter_map(move |(at, (word, (before, after)))| {
        if let Some(told) = numbered_without_a_number(words, at, before) {
            return Some(told);
        }
        if word.tied && after.is_some_and(Word::is_number) {
            return None;
        }
        if word.shape == Shape::Plain || !word.raw.contains(char::is_numeric) {
            return None;
        }
        let measured = asked && word.shape == Shape::Number && after.is_some_and(is_counted);
        let named = before.filter(|it| {
            !it.stop
                && !is_of_calendar(it)
                && it.shape == Shape::Plain
                && !it.raw.contains(char::is_numeric)
        });
        let letters = word.raw.trim_end_matches(|c: char| !c.is_alphabetic());
        let prefix = word
            .raw
            .find(char::is_numeric)
            .and_then(|at| word.raw.get(..at));
        let prefix =
            prefix.filter(|it| it.chars().any(char::is_alphabetic) && letters.len() <= it.len());
        let of = match (named, prefix) {
            (Some(named), _) if !measured => named.mark,
            (_, Some(prefix)) => crate::mark::mark(prefix),
            (Some(_) | None, None) => return None,
        };
        Some(Numbered {
            of,
            is: word.raw_mark,
            bare: word.raw.chars().all(char::is_numeric),
        })
    })
}

/// What tells a thing from others as a number does: a letter, a part of a name, two numbers together.
fn numbered_without_a_number(words: &[Word], at: usize, before: Option<&Word>) -> Option<Numbered> {
    let word = words.get(at)?;
    let told = lettered(word).or_else(|| hosted(word));
    let told = told.or_else(|| numbered_in_two(words, at));
    told.or_else(|| tied(word, before?))
        .or_else(|| letter_behind(word, before?))
}

/// "Prod-us" is not "prod-eu": what a hyphen ties to a word tells one thing from others, as a number does.
fn tied(word: &Word, before: &Word) -> Option<Numbered> {
    const LETTERS: usize = 3;
    let is_word = before.shape == Shape::Plain && !before.stop && !before.is_number();
    let tells = before.tied && is_word && before.raw.chars().count() >= LETTERS;
    (tells && !is_of_calendar(word)).then(|| Numbered::named(before.mark, word.mark))
}

/// "Invoice 2025-03": both numbers together are the number.
fn numbered_in_two(words: &[Word], at: usize) -> Option<Numbered> {
    let (word, of) = (words.get(at)?, words.get(at.checked_sub(3)?)?);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (one, other) = word.raw.split_once('-').filter(|_| word.whole)?;
    let is_noun = of.shape == Shape::Plain && !of.stop && !is_of_calendar(of);
    (digits(one) && digits(other) && is_noun).then(|| Numbered::named(of.mark, word.raw_mark))
}

/// The machines "www.acme.example" and "api.acme.example": of one domain each name is another one.
fn hosted(word: &Word) -> Option<Numbered> {
    let (_, domain) = word.raw.split_once('.')?;
    let mut parts = word.raw.split('.');
    let is_domain = domain.contains('.')
        && !word.raw.starts_with(|c: char| c.is_ascii_digit())
        && parts.all(|part| !part.is_empty() && part.chars().all(char::is_alphanumeric));
    is_domain.then(|| Numbered::named(crate::mark::mark(domain), word.raw_mark))
}

/// "Freezer B": a letter behind a noun numbers it; behind a name it is where another name begins.
fn letter_behind(letter: &Word, before: &Word) -> Option<Numbered> {
    let is_letter = letter.capital && letter.raw.len() == 1 && letter.raw != "i";
    let is_noun = before.shape == Shape::Plain && !before.stop && !before.is_name();
    (is_letter && is_noun && !letter.first).then(|| Numbered::named(before.mark, letter.raw_mark))
}

/// "B-Jugend": a letter numbers too.
fn lettered(word: &Word) -> Option<Numbered> {
    let (letter, of) = word.raw.split_once('-').filter(|_| word.whole)?;
    let is_letter = letter.chars().count() == 1 && of.chars().all(char::is_alphabetic);
    is_letter.then(|| Numbered::named(crate::mark::mark(of), word.raw_mark))
}

fn is_of_calendar(word: &Word) -> bool {
    let calendar = [Cue::Month, Cue::Weekday, Cue::When];
    calendar.iter().any(|cue| word.is(*cue))
}

/// Each cell once, so that their number is bounded by the table.
fn cells(words: &[Word]) -> Vec<Cell> {
    let mut seen = HashSet::new();
    words
        .iter()
        .flat_map(|word| word.cells.iter().copied())
        .filter(|cell| seen.insert(*cell))
        .collect()
}

fn pairs(words: &[Word]) -> Vec<u64> {
    let spoken: Vec<&Word> = words.iter().filter(|word| !word.whole).collect();
    spoken
        .iter()
        .zip(spoken.iter().skip(1))
        .filter(|(a, b)| !a.stop && !b.stop)
        .map(|(a, b)| mark_of_pair(a.mark, b.mark))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::TimeIntent::{Any, AsOf, Current, Historical};

    fn read(query: &str) -> Reading {
        Reading::of(query, None, None, None)
    }

    /// What is asked, among other things; the words that count in full.
    const AMONG_OTHERS: &[(&str, &[&str])] = &[
        (
            "Where does Mara work? I prefer answers in Portuguese.",
            &["mara", "work"],
        ),
        (
            "I am writing the invitation. Where does Mara work?",
            &["mara", "work"],
        ),
        (
            "Mara left the observatory. Where does she work now?",
            &["mara", "left", "observatory", "work"],
        ),
        (
            "The harbour was closed. When does the office open?",
            &["harbour", "closed", "office", "open"],
        ),
    ];

    #[test]
    fn a_question_that_stands_alone_is_not_lost_among_other_sentences() {
        for (query, expected) in AMONG_OTHERS {
            let reading = read(query);
            let asked = reading.focus.iter().filter(|term| term.role != Role::Goal);
            let asked: HashSet<&str> = asked.map(|term| term.raw.as_str()).collect();
            let expected: HashSet<&str> = expected.iter().copied().collect();
            assert_eq!(asked, expected, "{query}");
        }
    }

    #[test]
    fn kinds_are_told_by_how_a_turn_opens() {
        use QuestionKind::{
            Definition, How, HowMany, HowMuch, List, Statement, Task, Topic, What, When, Where,
            Which, Who, Why, YesNo,
        };
        for (query, kind) in [
            ("Who owns the parser?", Who),
            ("Hey, can you remind me who owns the parser?", Who),
            ("In which city does Ana live?", Where),
            ("And the meeting, when is it?", When),
            ("how many seats are left", HowMany),
            ("What is the price of the desk?", HowMuch),
            ("How come the build broke?", Why),
            ("How do I rotate a key?", How),
            ("What does SLA mean?", What),
            ("What is a canary?", Definition),
            ("What are Ana's hobbies?", List),
            ("Which editor do I use?", Which),
            ("Is the office open?", YesNo),
            ("Could you write the release notes?", Task),
            ("Write the deploy script", Task),
            ("Please fix the login page", Task),
            ("deploy region staging", Topic),
            ("Ana's birthday?", Topic),
            (
                "Yesterday we moved all of the old machines into the new cellar",
                Statement,
            ),
            ("Warum ist der Laden zu?", Why),
            ("¿Dónde vive Inés?", Where),
            ("Met Dr. Hale today. When is the next visit?", When),
            ("Good morning! Is the office open?", YesNo),
            ("That is all\nIs the office open?", YesNo),
            ("We are at it. Is the office open?", YesNo),
            ("We met Anton. Is the office open?", YesNo),
            ("Is v2.1 out?", YesNo),
        ] {
            assert_eq!(read(query).kind, kind, "{query}");
        }
    }

    #[test]
    fn a_saying_is_read_as_whole_words() {
        for (query, plain) in [
            (
                "What does Ana do for a living?",
                "What does Ana do for work?",
            ),
            ("And for a living these days?", "And for work these days?"),
            (
                "Which curtains suit for a living room?",
                "Which curtains suit for a living room?",
            ),
            (
                "What did she ask for a livings?",
                "What did she ask for a livings?",
            ),
        ] {
            assert_eq!(in_plain_words(query), plain);
        }
    }

    #[test]
    fn what_other_rows_alone_tell_apart_names_nothing() {
        let names_nothing = |query| Reading::of(query, None, None, Some(&|_| 0.5)).names_nothing();
        assert!(names_nothing("Who runs bug triage?"));
        assert!(!names_nothing("Who runs the orders database?"));
    }

    #[test]
    fn another_number_is_another_thing() {
        let said = |text: &str, asked| numbered(&text::read(text), asked).collect::<Vec<_>>();
        let is_another = |question: &str, row: &str| {
            let row = said(row, false);
            let asked = said(question, true);
            asked
                .iter()
                .any(|it| row.iter().any(|row| it.is_another(*row)))
        };
        for (question, row) in [
            ("Is invoice 1002 paid?", "Invoice 1001 is paid."),
            ("Does room 14 have a projector?", "Room 12 has a projector."),
            (
                "Who is ticket T-13 assigned to?",
                "Ticket T-12 is assigned to Uwe.",
            ),
            ("When does LH 440 leave?", "LH 438 leaves at 10:25."),
            (
                "How much rent does flat 4D pay?",
                "Flat 3C pays 1,150 euros rent.",
            ),
        ] {
            assert!(is_another(question, row), "{question}");
        }
        for (question, row) in [
            (
                "Did I pay 50 euros for the chair?",
                "I paid 40 euros for the chair.",
            ),
            ("Where were we on May 3?", "On May 4 we were in Rome."),
            ("What happened in 2023?", "In 2022 the harbour was rebuilt."),
            ("Is invoice 1001 paid?", "Invoice 1001 is paid."),
        ] {
            assert!(!is_another(question, row), "{question}");
        }
    }

    #[test]
    fn the_time_is_said_or_left_open() {
        let end_of_march = "2025-03-31T23:59:59.999999999Z".parse().unwrap();
        for (query, time) in [
            ("Where does Ana live?", Current),
            ("Where does Ana live now?", Current),
            ("Where did Ana live before Porto?", Historical),
            ("Which region did we use previously?", Historical),
            ("What was the old region?", Historical),
            ("How old is Ana?", Current),
            ("Has Ana ever been to Rome?", Any),
            ("Who led the team as of March 2025?", AsOf(end_of_march)),
            ("Who led the team as of 2025-03-31?", AsOf(end_of_march)),
        ] {
            assert_eq!(read(query).time, time, "{query}");
        }
        let hinted = Reading::of("Where does Ana live now?", None, Some(Any), None);
        assert_eq!(hinted.time, Any);
    }

    #[test]
    fn subject_and_profile_are_told_apart() {
        let subject = |query: &str| -> Vec<String> {
            read(query)
                .subjects()
                .map(|term| term.raw.clone())
                .collect()
        };
        assert_eq!(subject("When is Ana Souza's birthday?"), ["ana", "souza"]);
        assert_eq!(subject("where does ana live"), ["ana"]);
        assert_eq!(subject("What do I like?"), [""; 0]);
        assert_eq!(read("What do I like?").profile, ProfileIntent::Preferences);
        assert_eq!(read("Where is my bike?").profile, ProfileIntent::Personal);
        assert_eq!(read("Where is Mia's bike?").profile, ProfileIntent::None);
        assert!(read("What does Ana not eat?").negated);
    }
}
