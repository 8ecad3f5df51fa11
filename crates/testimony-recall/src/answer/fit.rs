//! Whether a row answers a question, or only stands near it: the right subject, the right attribute, the right kind of
//! answer.

use testimony_domain::{Memory, MemoryKind, Reason, TemporalState, Timestamp};

use crate::candidate::Channel;
use crate::query::{QuestionKind, Reading, Role};
use crate::request::TimeIntent;
use crate::score::{Evidence, RowText, SubjectMatch, WEIGHTS};
use crate::text::{Shape, Word};
use crate::words::Cue;

/// How well a row answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Whether it answers directly.
    pub direct: bool,
    /// How well, from 0 to 1; only the order depends on it.
    pub degree: f64,
    /// Why it does not answer, when it does not.
    pub reason: Option<Reason>,
}

type Says = fn(&Reading, &Memory, &RowText) -> f64;

/// What an answer of one kind needs.
struct Need {
    kind: QuestionKind,
    /// The share of what is asked of the subject that the row has to speak of.
    attribute: f64,
    /// How far the row says something of the kind that is asked for.
    says: Says,
}

/// What answers need, by the kind of the question. Tasks and statements ask nothing, so nothing answers them.
#[rustfmt::skip]
const NEEDS: &[Need] = &[
    Need { kind: QuestionKind::Who,        attribute: 0.40, says: a_person },
    Need { kind: QuestionKind::What,       attribute: 0.40, says: something_new },
    Need { kind: QuestionKind::Which,      attribute: 0.40, says: something_new },
    Need { kind: QuestionKind::When,       attribute: 0.45, says: a_time },
    Need { kind: QuestionKind::Where,      attribute: 0.40, says: a_place },
    Need { kind: QuestionKind::HowMany,    attribute: 0.40, says: a_number },
    Need { kind: QuestionKind::HowMuch,    attribute: 0.40, says: a_number },
    Need { kind: QuestionKind::How,        attribute: 0.45, says: something_new },
    Need { kind: QuestionKind::Why,        attribute: 0.40, says: a_reason },
    Need { kind: QuestionKind::YesNo,      attribute: 0.65, says: anything },
    Need { kind: QuestionKind::List,       attribute: 0.34, says: something_new },
    Need { kind: QuestionKind::Definition, attribute: 0.50, says: something_new },
    Need { kind: QuestionKind::Topic,      attribute: 0.60, says: anything },
];

/// A row that says less of what is asked for than this does not answer.
const SAYS_ENOUGH: f64 = 0.5;

/// Meaning may stand in for words, but only where it is this close.
const CLOSE_IN_MEANING: f64 = 0.5;

/// What remains of a row's words for each word missing that says what is asked.
const WITHOUT_KEY: f64 = 0.55;

/// How well a row answers the question.
pub(crate) fn fit(
    reading: &Reading,
    memory: &Memory,
    row: &RowText,
    evidence: &Evidence,
    now: Timestamp,
) -> Fit {
    let Some(need) = NEEDS.iter().find(|need| need.kind == reading.kind) else {
        return Fit {
            direct: false,
            degree: 0.5 * spoken_of(evidence),
            reason: Some(Reason::Tangential),
        };
    };
    let spoken_of = spoken_of(evidence);
    let says = (need.says)(reading, memory, row);
    let reason = if evidence.subject == SubjectMatch::Other {
        Some(Reason::WrongSubject)
    } else {
        let near_only = spoken_of < need.attribute
            || says < SAYS_ENOUGH
            || evidence.excluded
            || denies_premise(reading, row)
            || is_successor(reading, memory, row, now);
        near_only.then_some(Reason::Tangential)
    };
    Fit {
        direct: reason.is_none(),
        degree: 0.6 * spoken_of + 0.4 * says,
        reason,
    }
}

/// How far the row speaks of what is asked of the subject, by its words or, where they are close, by its meaning.
fn spoken_of(evidence: &Evidence) -> f64 {
    let onset = WEIGHTS
        .channels
        .iter()
        .find(|(channel, _)| *channel == Channel::Semantic)
        .map_or(0.0, |(_, weight)| weight.onset);
    let meaning = (evidence.channel(Channel::Semantic) - onset).max(0.0) / (1.0 - onset);
    let lexical = evidence.channel(Channel::Lexical);
    let by_meaning = if meaning >= CLOSE_IN_MEANING {
        meaning
    } else {
        0.0
    };
    let by_words = evidence.attribute * WITHOUT_KEY.powi(evidence.missing_keys);
    by_words.max(by_meaning).max(lexical)
}

/// A question that takes for granted what the row denies: "when did Ana visit Rome" and "Ana never visited Rome".
fn denies_premise(reading: &Reading, row: &RowText) -> bool {
    const TAKING_FOR_GRANTED: [QuestionKind; 6] = [
        QuestionKind::Who,
        QuestionKind::When,
        QuestionKind::Where,
        QuestionKind::HowMany,
        QuestionKind::HowMuch,
        QuestionKind::Why,
    ];
    if reading.negated || !TAKING_FOR_GRANTED.contains(&reading.kind) {
        return false;
    }
    let asked = |word: &Word| {
        let mut asked = reading
            .focus
            .iter()
            .filter(|term| term.role == Role::Attribute);
        asked.any(|term| term.sought.stem() == word.mark)
    };
    let denied = |at: usize| row.words.iter().skip(at + 1).take(3).any(asked);
    let mut words = row.words.iter().enumerate();
    words.any(|(at, word)| word.is(Cue::Negation) && denied(at))
}

/// "Before Porto": the row that states Porto came after.
fn is_successor(reading: &Reading, memory: &Memory, row: &RowText, now: Timestamp) -> bool {
    let Some(successor) = &reading.successor else {
        return false;
    };
    reading.time == TimeIntent::Historical
        && memory.temporal_state(now) == TemporalState::Current
        && row.words.iter().any(|word| word.stem == *successor)
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
    if named || leading || labelled || by_role {
        1.0
    } else if row.first_person || memory.speaker.is_some() {
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
    } else if memory.validity.from.is_some() {
        0.7
    } else if matches!(memory.kind, MemoryKind::Observation | MemoryKind::Episode) {
        // What was seen to happen happened when it was said.
        0.6
    } else {
        0.1
    }
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

fn a_number(_: &Reading, _: &Memory, row: &RowText) -> f64 {
    if row.has_number() { 1.0 } else { 0.1 }
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
