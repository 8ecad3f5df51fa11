//! The time for which a statement is made: "In May the rent was 900" and "In June the rent was 950" both hold.
//!
//! A date that frames a statement is not its answer; two frames that do not meet are two questions.

use jiff::civil::Date;

use super::split::split;
use super::worded::{LONGEST_BYTES, TABLES, Worded};
use super::wording_tables::{FRAMING, ONCE, PEOPLE, SCHEDULED, STATES_ON, TAKING, UNTIL};
use crate::claims::{DateMention, DateRole, is_somebody_word, is_time_word, is_verb};

/// A period of so many days is no exception of anything, and what holds in it may be what holds.
const LONG_DAYS: i32 = 300;

/// Behind these a number is an hour.
const AT_HOUR: &[&str] = &[
    "at", "um", "à", "las", "alle", "às", "om", "kl", "from", "until",
];

/// The days that a statement names, and what it says beside them.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// The first day and the first that is no longer meant, of each.
    spans: Vec<(Date, Date)>,
    /// Whether it opens with them: "On 3 May the …".
    opens: bool,
    /// Whether a word says that it holds within them alone: "during August".
    within: bool,
    /// Whether it opens with the end of its time: "Until June …".
    until: bool,
    /// Whether it speaks of what was.
    past: bool,
    /// The words beside the days, without those that carry nothing.
    rest: Vec<String>,
    /// The numbers among them that are no hours.
    counts: Vec<String>,
}

impl Frame {
    pub(super) fn read(text: &str, mentions: &[DateMention]) -> Self {
        let mut frame = Self::default();
        if text.len() > LONGEST_BYTES {
            return frame;
        }
        let mut outside = String::new();
        let mut from = 0;
        for mention in mentions {
            outside.push_str(text.get(from..mention.span.start).unwrap_or_default());
            outside.push(' ');
            from = from.max(mention.span.end);
            frame.take(text, mention);
        }
        if frame.spans.is_empty() && !frame.until {
            return frame;
        }
        outside.push_str(text.get(from..).unwrap_or_default());
        frame.rest = split(&outside);
        frame.past = frame
            .rest
            .iter()
            .any(|word| TABLES.was.contains(word.as_str()));
        let hour =
            |before: Option<&String>| before.is_some_and(|word| AT_HOUR.contains(&word.as_str()));
        let counted = frame.rest.iter().enumerate().filter(|(at, word)| {
            let before = at.checked_sub(1).and_then(|at| frame.rest.get(at));
            word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(':') && !hour(before)
        });
        frame.counts = counted.map(|(_, word)| word.clone()).collect();
        frame.rest.retain(|word| {
            let word = word.as_str();
            !TABLES.dropped.contains(word) && (!TABLES.placing.contains(word) || is_verb(word))
        });
        frame
    }

    fn take(&mut self, text: &str, mention: &DateMention) {
        let before = split(text.get(..mention.span.start).unwrap_or_default());
        let bare = |word: &String| {
            let word = word.as_str();
            TABLES.placing.contains(word)
                || TABLES.dropped.contains(word)
                || FRAMING.contains(&word)
        };
        let opens = before.len() <= 3 && before.iter().all(bare);
        let leads = |list: &[&str]| {
            let mut last = before.iter().rev().take(2);
            last.any(|word| list.contains(&word.as_str()))
        };
        match mention.role {
            DateRole::Until => self.until |= opens,
            DateRole::Since => {}
            DateRole::Event | DateRole::Temporary => {
                self.spans.push((mention.from, mention.until));
                self.opens |= opens;
                self.within |= leads(FRAMING);
                self.until |= opens && leads(UNTIL);
            }
        }
    }

    /// Whether it is made for its days alone, beside what holds at other times.
    fn is_exception(&self) -> bool {
        (self.opens || self.within) && (self.past || self.is_short())
    }

    fn is_short(&self) -> bool {
        let days = |(from, until): &(Date, Date)| {
            from.until(*until).map_or(i32::MAX, |span| span.get_days())
        };
        self.spans.iter().all(|span| days(span) < LONG_DAYS)
    }

    fn meets(&self, other: &Self) -> bool {
        self.spans.iter().any(|(from, until)| {
            other
                .spans
                .iter()
                .any(|(since, end)| from < end && since < until)
        })
    }
}

/// Whether the two are made for times that do not meet.
pub(super) fn are_apart(new: &Frame, known: &Frame) -> bool {
    if new.until != known.until {
        return true;
    }
    match (new.spans.is_empty(), known.spans.is_empty()) {
        (true, true) => false,
        (false, false) => {
            let framed = new.opens && known.opens || new.counts != known.counts;
            framed && new.rest != known.rest && !new.meets(known)
        }
        (false, true) => new.is_exception(),
        (true, false) => known.is_exception(),
    }
}

/// Whether the two tell of what happens again and again, or happened more than once, and name other days for it.
pub(super) fn are_repeated(new: &Worded, known: &Worded) -> bool {
    differ_in_days(new, known)
        && (is_habit(new) && is_habit(known)
            || is_one_of_many(new) && is_one_of_many(known)
            || has_happened(new) && has_happened(known))
}

/// Whether nothing but days is other.
fn differ_in_days(new: &Worded, known: &Worded) -> bool {
    let beside = |said: &Worded| -> Vec<String> {
        let words = said.words.iter().filter(|word| !is_day(said, word.place));
        words.map(|word| word.stem.clone()).collect()
    };
    let named = |said: &Worded| said.words.iter().any(|word| is_day(said, word.place));
    named(new) && named(known) && beside(new) == beside(known)
}

fn is_day(said: &Worded, place: usize) -> bool {
    said.raw.get(place).is_some_and(|word| names_a_day(word))
}

fn names_a_day(word: &str) -> bool {
    is_time_word(word) || word.strip_suffix('s').is_some_and(is_time_word)
}

/// Whether somebody does it on such a day: "swims on Mondays"; hours and services have one time.
fn is_habit(said: &Worded) -> bool {
    const EACH: &[&str] = &[
        "on", "every", "each", "jeden", "jede", "chaque", "cada", "ogni", "los", "le", "elke",
    ];
    let habitual = said.raw.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).and_then(|at| said.raw.get(at));
        let plural = word.strip_suffix('s').is_some_and(is_time_word);
        let german =
            plural && word.ends_with("tags") || word.ends_with("wochs") || word.ends_with("abends");
        let each = before.is_some_and(|word| EACH.contains(&word.as_str()));
        let single_on = !plural && before.is_some_and(|word| word == "on");
        names_a_day(word) && (german || each && !single_on)
    });
    habitual && acts(said) && !has_any(said, SCHEDULED)
}

/// Whether it says more of its subject than what it is: another word stands beside the days.
fn acts(said: &Worded) -> bool {
    const IS: &str = "is are was were ist sind war est sont était es son era fue è sono é são";
    let copula = said.raw.iter().any(|word| has_word(IS, word));
    let beside = said.words.iter().filter(|word| !is_day(said, word.place));
    let subject = usize::from(!said.opens_with_pronoun());
    !copula && beside.count() > subject
}

fn has_any(said: &Worded, list: &str) -> bool {
    let listed = |word: &str| list.split(' ').any(|other| other == word);
    said.raw.iter().any(|word| listed(word))
}

/// "We have a call on Monday": one of those that there are.
fn is_one_of_many(said: &Worded) -> bool {
    const HAVE: &[&str] = &[
        "have", "has", "had", "hatte", "tuve", "tuvo", "habe", "hat", "haben", "ai", "a", "avons",
        "tengo", "tiene", "tenemos", "ho", "ha", "abbiamo", "heb", "heeft",
    ];
    const ONE: &[&str] = &[
        "a", "an", "ein", "eine", "einen", "un", "une", "una", "uno", "een", "another",
    ];
    let have = said
        .raw
        .iter()
        .take(4)
        .position(|word| HAVE.contains(&word.as_str()));
    have.is_some_and(|at| {
        let mut behind = said.raw.iter().skip(at + 1).take(3);
        behind.any(|word| ONE.contains(&word.as_str()))
    })
}

/// Whether both tell of what happens once: a bridge is opened on one day.
pub(super) fn happen_once(new: &Worded, known: &Worded) -> bool {
    has_any(new, ONCE) && has_any(known, ONCE)
}

/// Whether it tells what somebody did that is done more than once: "visited in May".
fn has_happened(said: &Worded) -> bool {
    const PAST_TENSE: &[&str] = &[
        "went", "met", "came", "saw", "ran", "rang", "flew", "ate", "swam", "wrote",
    ];
    let done = |at: usize, word: &str| {
        let before = at.checked_sub(1).and_then(|at| said.raw.get(at));
        let helped =
            before.is_some_and(|word| TABLES.placing.contains(word.as_str()) && is_verb(word));
        (word.ends_with("ed") || PAST_TENSE.contains(&word)) && !helped
    };
    let mut words = said.raw.iter().enumerate().take(5);
    words.any(|(at, word)| done(at, word)) && !has_any(said, ONCE)
}

/// Whether both say of somebody what is taken or given, of which there may be several: "takes iron", "is on metformin";
/// but "takes the tram".
pub(super) fn are_of_several(new: &Worded, known: &Worded) -> bool {
    let others = |given: fn(&Worded) -> Option<&str>| matches!((given(new), given(known)), (Some(one), Some(other)) if one != other);
    others(taken) || others(given)
}

/// What somebody takes: "takes iron".
fn taken(said: &Worded) -> Option<&str> {
    const OTHERWISE: &str = "place part care turns time";
    let bare = |what: &str| {
        !TABLES.dropped.contains(what)
            && !what.starts_with(|c: char| c.is_ascii_digit())
            && !TABLES.numbers.contains_key(what)
            && !has_word(OTHERWISE, what)
    };
    let mut words = said.raw.windows(2).enumerate();
    words.find_map(|(at, pair)| match pair {
        [takes, what] if has_word(TAKING, takes) && bare(what) && is_of_somebody(said, at) => {
            Some(what.as_str())
        }
        _ => None,
    })
}

/// What somebody is on: "the patient is on metformin", but "the project is on hold".
fn given(said: &Worded) -> Option<&str> {
    let bare = |at: usize, what: &str| {
        said.raw.len() == at + 3
            && !said.capitals.contains(&(at + 2))
            && !has_word(STATES_ON, what)
            && !names_a_day(what)
            && what.chars().all(char::is_alphabetic)
    };
    let mut words = said.raw.windows(3).enumerate();
    words.find_map(|(at, three)| match three {
        [is, on, what]
            if is == "is" && on == "on" && bare(at, what) && is_of_somebody(said, at) =>
        {
            Some(what.as_str())
        }
        _ => None,
    })
}

/// Whether the word before `at` names somebody.
fn is_of_somebody(said: &Worded, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| said.raw.get(at));
    let is_name = at == 1 && said.capitals.contains(&0);
    is_name || before.is_some_and(|word| is_somebody_word(word) || has_word(PEOPLE, word))
}

fn has_word(list: &str, word: &str) -> bool {
    list.split(' ').any(|other| other == word)
}
