//! What kind of turn it is: a question and what it asks for, a bare topic, a task, or a statement.

use testimony_domain::words;

use crate::text::{QUESTION_MARKS, Shape, Word};
use crate::words::{Cue, OPENINGS, QUESTIONS};

words! {
    /// What a turn asks for.
    pub enum QuestionKind {
        /// A person or a group.
        Who = "who",
        /// A thing.
        What = "what",
        /// One of several things.
        Which = "which",
        /// A time.
        When = "when",
        /// A place.
        Where = "where",
        /// A number.
        HowMany = "how_many",
        /// An amount.
        HowMuch = "how_much",
        /// A way of doing.
        How = "how",
        /// A reason.
        Why = "why",
        /// Whether something holds.
        YesNo = "yes_no",
        /// Several things.
        List = "list",
        /// What something is.
        Definition = "definition",
        /// Nothing by a verb: a few words about a topic.
        Topic = "topic",
        /// Nothing: it wants something done.
        Task = "task",
        /// Nothing: it says something.
        Statement = "statement",
    }
}

impl QuestionKind {
    /// Whether a memory can answer it.
    #[must_use]
    pub const fn is_question(self) -> bool {
        !matches!(self, Self::Task | Self::Statement)
    }
}

/// Words that may stand before the question word: "in which city", "since when".
const PREPOSITIONS: &[&str] = &[
    "in", "at", "on", "by", "for", "from", "to", "with", "of", "about", "an", "am", "auf", "aus",
    "bei", "bis", "für", "mit", "nach", "seit", "um", "über", "von", "vor", "zu", "a", "con", "de",
    "desde", "en", "hasta", "para", "por", "à", "avec", "dans", "depuis", "pour",
];

/// Whoever does something is called so, and is nobody for whom something is to be done: "Yesterday we moved".
const DOING: &[&str] = &[
    "i", "we", "he", "she", "they", "ich", "wir", "er", "sie", "yo", "él", "ella", "je", "nous",
];

/// A topic is short; more words without a question are a statement.
const LONGEST_TOPIC: usize = 8;

/// A question word further in than this belongs to a subordinate clause.
const LATEST_QUESTION_WORD: usize = 14;

/// The kind of a turn, and how many of its words only lead up to it.
pub(crate) fn kind_of(text: &str, words: &[Word]) -> (QuestionKind, usize) {
    let spoken: Vec<&str> = spoken(words);
    let asks = text.contains(QUESTION_MARKS);
    let (start, asked) = skip_openings(&spoken);
    let rest = spoken.get(start..).unwrap_or_default();
    if let Some((at, kind)) = question_at(rest, asks || asked) {
        return (kind, start + at);
    }
    if asked {
        return (QuestionKind::Topic, start);
    }
    if let Some(length) = task_at(words, rest, start) {
        return (QuestionKind::Task, start + length);
    }
    if let Some((at, kind)) = behind_a_topic(text, words, rest) {
        return (kind, start + at);
    }
    let opens = opens_with_verb(text, words, start);
    let kind = match (asks, opens) {
        (true, true) => QuestionKind::YesNo,
        (false, true) => return (QuestionKind::Task, start + 1),
        (false, false) if says_a_sentence(text, words, rest) => QuestionKind::Statement,
        (_, false) => QuestionKind::Topic,
    };
    (kind, start)
}

/// Whether it is too long for a topic, or begins and ends as a sentence does that asks for something: nobody writes a full
/// stop behind a topic. What is stated of somebody or something is looked up as a topic is: "Mara lives in Oslo."
fn says_a_sentence(text: &str, words: &[Word], rest: &[&str]) -> bool {
    let own = words.iter().any(Word::is_first_person);
    let large = text.trim_start().starts_with(char::is_uppercase) && rest.len() > 1;
    let mut spoken = words.iter();
    let states = spoken.next().is_some_and(|first| first.stop)
        || spoken
            .next()
            .is_some_and(|verb| verb.is(Cue::OfOne) || verb.raw.ends_with('s') && !verb.stop);
    let sentence = (own || large && !states) && text.trim_end().ends_with('.');
    rest.len() > LONGEST_TOPIC || sentence
}

/// Whether the first word is a verb by what stands behind it: "Funktioniert das Licht?", "Sketch the poster". A topic has
/// no article, nor anybody's, behind its first word.
fn opens_with_verb(text: &str, words: &[Word], start: usize) -> bool {
    let mut spoken = words.iter().filter(|word| !word.whole).skip(start);
    let (Some(first), Some(second)) = (spoken.next(), spoken.next()) else {
        return false;
    };
    let more = spoken.next().is_some();
    let asks = text.contains(QUESTION_MARKS);
    let large = text.starts_with(|c: char| c.is_uppercase() || c == '¿');
    let verb = first.shape == Shape::Plain && !first.stop && !first.possessive;
    let article = second.is(Cue::Article) && !matches!(second.raw.as_str(), "der" | "des");
    let does = !asks && DOING.contains(&second.raw.as_str());
    let pronoun = (second.is_first_person() || second.is(Cue::SomebodyElse)) && !does;
    let owned = second.possessive && !second.capital;
    verb && (article || pronoun || owned) && (asks || large && more)
}

/// How many words open a task. A verb that may be a noun opens one only where a word without a topic follows.
fn task_at(words: &[Word], rest: &[&str], start: usize) -> Option<usize> {
    OPENINGS.named_at("task", rest).or_else(|| {
        let length = OPENINGS.named_at("task_or_noun", rest)?;
        let mut after = words.iter().filter(|word| !word.whole).skip(start + length);
        after.any(|word| word.stop).then_some(length)
    })
}

/// The words as they are said, without the wholes of which the parts stand there.
pub(super) fn spoken(words: &[Word]) -> Vec<&str> {
    words
        .iter()
        .filter(|word| !word.whole)
        .map(|word| word.raw.as_str())
        .collect()
}

/// Skips fillers and asks ("hey, can you remind me"); says whether an ask was among them.
fn skip_openings(spoken: &[&str]) -> (usize, bool) {
    let (mut at, mut asked) = (0, false);
    while let Some(rest) = spoken.get(at..) {
        if let Some(length) = OPENINGS.named_at("filler", rest) {
            at += length;
        } else if let Some(length) = OPENINGS.named_at("ask_of_two", rest)
            && names_two(rest)
        {
            at += length;
            asked = true;
        } else if let Some(length) = OPENINGS.named_at("ask", rest)
            && OPENINGS
                .named_at("task", rest)
                .is_none_or(|task| task <= length)
        {
            at += length;
            asked = true;
        } else {
            break;
        }
    }
    (at.min(spoken.len()), asked)
}

/// Whether something is set beside something else: "compare the harvests of 2023 and 2024" asks, "compare prices" does not.
fn names_two(rest: &[&str]) -> bool {
    const BESIDE: [&str; 9] = ["and", "with", "to", "vs", "versus", "und", "mit", "y", "et"];
    rest.iter().any(|word| BESIDE.contains(word))
}

/// Where the question word stands and what it asks for.
fn question_at(rest: &[&str], asks: bool) -> Option<(usize, QuestionKind)> {
    let lead = rest.first().is_some_and(|word| PREPOSITIONS.contains(word));
    if let Some(found) = question_in(rest, usize::from(lead)) {
        return asks_indeed(found.1, rest, asks).then_some(found);
    }
    if let Some(found) = question_in(rest, 0) {
        return asks_indeed(found.1, rest, asks).then_some(found);
    }
    if !asks {
        return None;
    }
    // "And the meeting, when is it?": only a question word counts that far in, not an auxiliary verb.
    (1..rest.len().min(LATEST_QUESTION_WORD))
        .filter_map(|at| question_in(rest, at))
        .find(|(_, kind)| *kind != QuestionKind::YesNo && *kind != QuestionKind::List)
}

/// What a question that stands behind its topic asks for, beside amounts: "the report, which is late" states.
const ASKING_BEHIND: [QuestionKind; 4] = [
    QuestionKind::What,
    QuestionKind::When,
    QuestionKind::Where,
    QuestionKind::How,
];

/// What stands behind a question word that asks.
const VERBS_BEHIND: [&str; 14] = [
    "is", "are", "was", "were", "do", "does", "did", "must", "can", "should", "will", "has",
    "have", "to",
];

/// "Descaler for the big machine how many sachets", "registration form, by what date must it be there": who types in haste
/// asks behind the topic, and without a mark.
fn behind_a_topic(text: &str, words: &[Word], rest: &[&str]) -> Option<(usize, QuestionKind)> {
    let own = words.iter().any(Word::is_first_person);
    if own || text.trim_end().ends_with('.') {
        return None;
    }
    let of_amount = |kind| matches!(kind, QuestionKind::HowMany | QuestionKind::HowMuch);
    // "Where is it", "by what date".
    let asks = |end: usize| {
        let back = |by: usize| end.checked_sub(by).and_then(|at| rest.get(at));
        let what = back(1) == Some(&"what") && back(2).is_some_and(|it| PREPOSITIONS.contains(it));
        what || rest
            .get(end)
            .is_some_and(|next| VERBS_BEHIND.contains(next))
    };
    (1..rest.len().min(LATEST_QUESTION_WORD))
        .filter_map(|at| question_in(rest, at))
        .find(|(end, kind)| of_amount(*kind) || ASKING_BEHIND.contains(kind) && asks(*end))
}

fn question_in(rest: &[&str], at: usize) -> Option<(usize, QuestionKind)> {
    let here = rest.get(at..)?;
    let (length, name) = QUESTIONS.at(here)?;
    let kind = QuestionKind::ALL
        .iter()
        .find(|kind| kind.as_str() == name)?;
    Some((at + length, *kind))
}

/// "Can you write …" opens like a question and is a task; "do the dishes" too.
fn asks_indeed(kind: QuestionKind, rest: &[&str], asks: bool) -> bool {
    if kind != QuestionKind::YesNo {
        return true;
    }
    let second = rest.get(1).copied().unwrap_or_default();
    let to_assistant = second == "you" && OPENINGS.named_at("task", rest) == Some(2);
    !to_assistant && (asks || rest.len() > 2 && !matches!(second, "the" | "not" | "it"))
}
