//! Whether a row answers a question, or only stands near it: the right subject, what is asked of it, the right kind of
//! answer.

use testimony_domain::{Memory, MemoryKind, Reason, TemporalState, Timestamp};

use crate::query::{QuestionKind, Reading, counts_something};
use crate::request::TimeIntent;
use crate::score::{
    Evidence, Judged, READ_FROM, RowText, STATED_FROM, SubjectMatch, Weighed, as_read, signs,
    stated,
};
use crate::text::{Shape, Word};
use crate::words::Cue;

/// How well a row answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Whether it answers directly.
    pub direct: bool,
    /// The chance that it answers, from 0 to 1.
    pub degree: f64,
    /// The same by its words and its meaning alone, whoever read it.
    pub chance: f64,
    /// What puts it before other rows, from 0 to 1.
    pub place: f64,
    /// The chance that it states what is asked, by its words and its meaning alone.
    pub stated: f64,
    /// Why it does not answer, when it does not.
    pub reason: Option<Reason>,
    /// What it says.
    pub told: Told,
}

/// What a row says, as far as a question or a task can use it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    /// How far it says something of the kind that is asked for.
    pub says: f64,
    /// Whether it says how things are to be done, or what somebody wants.
    pub rule: bool,
    /// Whether it ends by asking something itself.
    pub asks: bool,
}

type Says = fn(&Reading, &Memory, &RowText) -> f64;

/// What a row has to say, by the kind of the question. Tasks and statements ask nothing, so nothing answers them.
const SAYS: &[(QuestionKind, Says)] = &[
    (QuestionKind::Who, a_person),
    (QuestionKind::What, something_new),
    (QuestionKind::Which, something_new),
    (QuestionKind::When, a_time),
    (QuestionKind::Where, a_place),
    (QuestionKind::HowMany, a_number),
    (QuestionKind::HowMuch, a_number),
    (QuestionKind::How, something_new),
    (QuestionKind::Why, a_reason),
    (QuestionKind::YesNo, anything),
    (QuestionKind::List, something_new),
    (QuestionKind::Definition, something_new),
    (QuestionKind::Topic, anything),
];

/// From this chance on a row counts as an answer.
const ANSWERS_FROM: f64 = 0.10;
/// A row that says less of the kind that is asked for than this needs more.
const SAYS_ENOUGH: f64 = 0.5;
/// A row says a time itself from this on.
const SAYS_A_TIME: f64 = 0.75;
/// From this chance on that a row states what is asked, words alone decide: what they say for certain needs no reading.
const CERTAIN: f64 = 0.82;
/// So much says a row that holds nothing of what an answer would hold.
const SILENT: f64 = 0.1;
const SILENT_ANSWERS_FROM: f64 = 0.35;

/// So much helps with a task what whoever does it has to mind.
const MINDED: f64 = 0.25;

/// A row that holds hardly anything of what is asked, where other rows hold much of it, speaks of something else.
const HARDLY: f64 = 0.2;
const MUCH: f64 = 0.3;

/// How well a row answers the question.
pub(crate) fn fit(
    reading: &Reading,
    memory: &Memory,
    row: &RowText,
    evidence: &Evidence,
    now: Timestamp,
) -> Fit {
    let told = told_by(reading, memory, row);
    let judged = judged(reading, evidence, told);
    let weighed = Weighed::of(&judged);
    let stated = stated(&judged, weighed.chance);
    let reads = evidence
        .reads
        .filter(|_| !is_dated_by_its_telling(reading, told));
    let as_read = reads.map(|reads| as_read(&judged, weighed.chance, reads));
    let answers = match as_read {
        Some(chance) => chance >= READ_FROM,
        None => seems_to_answer(&judged, weighed.chance, stated),
    };
    let reason = if says_of(reading.kind).is_none() {
        Some(Reason::Tangential)
    } else if evidence.subject == SubjectMatch::Other {
        Some(Reason::WrongSubject)
    } else {
        let otherwise = evidence.denied || evidence.of_another;
        let near_only = !answers || otherwise || is_successor(reading, memory, row, now);
        near_only.then_some(Reason::Tangential)
    };
    let reason = reason.filter(|_| !tells_of_all(reading, evidence));
    let least = least_of_help(reading, row);
    Fit {
        direct: reason.is_none(),
        degree: as_read.unwrap_or(weighed.chance).max(least),
        chance: weighed.chance,
        place: as_read.unwrap_or(weighed.place).max(least),
        stated,
        reason,
        told,
    }
}

fn told_by(reading: &Reading, memory: &Memory, row: &RowText) -> Told {
    let says = says_of(reading.kind).map_or(0.5, |says| says(reading, memory, row));
    Told {
        says: as_wanted(reading, row, says),
        rule: is_rule(memory, row),
        asks: row.asks,
    }
}

/// What tells how far a row says what such a question asks for; nothing where nothing is asked.
fn says_of(kind: QuestionKind) -> Option<Says> {
    let mut all = SAYS.iter();
    all.find(|(of, _)| *of == kind).map(|(_, says)| *says)
}

/// Whether when something was can only be known from when it was told, which stands nowhere in what is read.
fn is_dated_by_its_telling(reading: &Reading, told: Told) -> bool {
    reading.kind == QuestionKind::When && told.says < SAYS_A_TIME && !reading.tells_of_present
}

impl Fit {
    /// Whether its words say for certain what is asked, so that nobody has to read it.
    pub(super) fn is_certain(&self, reading: &Reading) -> bool {
        let says = self.told.says >= SAYS_ENOUGH || is_dated_by_its_telling(reading, self.told);
        self.direct && self.stated >= CERTAIN && says
    }
}

/// Whether a row that nobody read answers, by its words and its meaning.
fn seems_to_answer(judged: &Judged<'_>, chance: f64, stated: f64) -> bool {
    let (evidence, wording) = (judged.evidence, &judged.evidence.wording);
    let speaks_of_something_else = wording.asked < HARDLY && wording.elsewhere > MUCH;
    chance >= needed_of(judged.says)
        && stated >= STATED_FROM
        && !evidence.excluded
        && !speaks_of_something_else
}

/// Whether all that is known of somebody or something is asked for, and the row speaks of them by their name.
fn tells_of_all(reading: &Reading, evidence: &Evidence) -> bool {
    reading.asks_for_all && evidence.names_the_subject() && !evidence.speaks_against()
}

/// Whoever makes something to eat has to know what somebody cannot eat, in whatever words.
fn least_of_help(reading: &Reading, row: &RowText) -> f64 {
    let minded = !reading.kind.is_question() && reading.of_a_meal && row.has(Cue::Diet);
    if minded { MINDED } else { 0.0 }
}

/// The chance that a row needs to count as an answer.
const fn needed_of(says: f64) -> f64 {
    if says < SAYS_ENOUGH {
        SILENT_ANSWERS_FROM
    } else {
        ANSWERS_FROM
    }
}

/// How far a row says what is asked for, where it can be told more closely than by the kind of the question.
fn as_wanted(reading: &Reading, row: &RowText, says: f64) -> f64 {
    match reading.wanted {
        Some(wanted) if !wanted.is_in(&row.words) => SILENT,
        Some(_) | None => says,
    }
}

/// Whether a row says how things are to be done, or what somebody wants.
fn is_rule(memory: &Memory, row: &RowText) -> bool {
    let meant = matches!(memory.kind, MemoryKind::Preference | MemoryKind::Decision);
    meant || row.has(Cue::Rule)
}

fn judged<'e>(reading: &Reading, evidence: &'e Evidence, told: Told) -> Judged<'e> {
    Judged {
        evidence,
        kind: reading.kind,
        says: told.says,
        rule: told.rule,
        asks: told.asks,
    }
}

/// What each sign says of a row that was judged, in the order of [`crate::score::sign_names`].
pub(crate) fn told(reading: &Reading, evidence: &Evidence, fit: &Fit) -> Vec<f64> {
    signs(&judged(reading, evidence, fit.told))
}

/// "Before Porto": the row that states Porto came after.
fn is_successor(reading: &Reading, memory: &Memory, row: &RowText, now: Timestamp) -> bool {
    let came_after = |word: &Word| reading.successor.contains(&word.raw);
    reading.time == TimeIntent::Historical
        && memory.temporal_state(now) == TemporalState::Current
        && row.words.iter().any(came_after)
        && !row.has(Cue::Past)
}

fn anything(_: &Reading, _: &Memory, _: &RowText) -> f64 {
    1.0
}

/// Content words of the row that the question does not hold already.
fn new_words<'r>(reading: &'r Reading, row: &'r RowText) -> impl Iterator<Item = &'r Word> {
    let words = row.words.iter();
    words.filter(|word| !word.stop && !reading.asked.hold(word.mark))
}

fn something_new(reading: &Reading, _: &Memory, row: &RowText) -> f64 {
    if new_words(reading, row).next().is_some() {
        1.0
    } else {
        0.2
    }
}

fn a_person(reading: &Reading, memory: &Memory, row: &RowText) -> f64 {
    let named = new_words(reading, row).any(Word::is_name);
    let leading = row
        .leading_name()
        .is_some_and(|name| !reading.asked.hold(name.mark));
    let labelled = new_words(reading, row).any(|word| row.labels(word));
    let by_role = new_words(reading, row).any(|word| word.is(Cue::Person));
    let behind_label = row
        .name_behind_label()
        .is_some_and(|name| !reading.asked.hold(name.mark));
    if named || leading || labelled || by_role || behind_label {
        1.0
    } else if row.first_person || memory.speaker.is_some() && !row.tells_names() {
        0.7
    } else {
        0.2
    }
}

fn a_time(_: &Reading, memory: &Memory, row: &RowText) -> f64 {
    let said = [Cue::Month, Cue::Weekday, Cue::When]
        .iter()
        .any(|cue| row.has(*cue));
    if said || row.words.iter().any(is_year_or_clock) {
        1.0
    } else if is_at_a_number(row) {
        0.8
    } else if memory.validity.from.is_some() {
        0.7
    } else if matches!(memory.kind, MemoryKind::Observation | MemoryKind::Episode) {
        // What was seen to happen happened when it was said.
        0.6
    } else {
        0.1
    }
}

/// "At 10", "moved to 11", "um 10", "a las 9".
fn is_at_a_number(row: &RowText) -> bool {
    const BEFORE_A_CLOCK: &[&str] = &[
        "at", "to", "by", "until", "from", "von", "de", "um", "ab", "bis", "auf", "las", "alle",
        "à", "às",
    ];
    let pairs = row.words.iter().zip(row.words.iter().skip(1));
    pairs.into_iter().any(|(before, word)| {
        word.shape == Shape::Number && BEFORE_A_CLOCK.contains(&before.raw.as_str())
    })
}

fn is_year_or_clock(word: &Word) -> bool {
    let year = word.shape == Shape::Number
        && word.raw.len() == 4
        && (word.raw.starts_with("19") || word.raw.starts_with("20"));
    let digits = word.raw.chars().filter(char::is_ascii_digit).count();
    let dated = word.whole && digits >= 3 && word.raw.contains([':', '-', '/', '.']);
    let clock =
        word.shape == Shape::Number && (word.raw.ends_with("am") || word.raw.ends_with("pm"));
    year || dated || clock
}

fn a_place(reading: &Reading, _: &Memory, row: &RowText) -> f64 {
    let nearby =
        |at: usize, holds: &dyn Fn(&Word) -> bool| row.words.iter().skip(at + 1).take(4).any(holds);
    let placed = |holds: &dyn Fn(&Word) -> bool| {
        row.words
            .iter()
            .enumerate()
            .any(|(at, word)| word.is(Cue::PlacedBy) && nearby(at, holds))
    };
    let is_path = |word: &Word| word.whole && word.raw.contains('/');
    let is_named = |word: &Word| {
        let identifier = word.shape == Shape::Identifier && word.raw.contains(char::is_alphabetic);
        word.is_name() || identifier
    };
    let dated = |word: &Word| {
        let calendar = [Cue::Month, Cue::Weekday, Cue::When];
        calendar.iter().any(|cue| word.is(*cue)) || word.shape == Shape::Number
    };
    let is_new = |word: &Word| !word.stop && !dated(word) && !reading.asked.hold(word.mark);
    if row.words.iter().any(is_path) || placed(&is_named) {
        1.0
    } else if row.has(Cue::Place) {
        0.8
    } else if placed(&is_new) {
        0.6
    } else {
        0.1
    }
}

fn a_number(reading: &Reading, _: &Memory, row: &RowText) -> f64 {
    let counted = || counts_something(&row.words, &reading.asked);
    let said = row.has_number() && (!reading.asks_to_count || counted());
    if said { 1.0 } else { 0.1 }
}

fn a_reason(_: &Reading, _: &Memory, row: &RowText) -> f64 {
    let purpose = row
        .words
        .iter()
        .zip(row.words.iter().skip(1))
        .any(|(a, b)| a.raw == "to" && !b.stop && !b.capital || a.raw == "for" && !b.stop);
    if row.has(Cue::Reason) {
        1.0
    } else if purpose {
        0.5
    } else {
        0.2
    }
}
