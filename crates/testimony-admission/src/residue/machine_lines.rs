//! Lines that programs write, told by how much in them only a program would say.
//!
//! The vocabulary of [`super::telegram`] tells a line of which it knows every word. Here each sign of a program speaks
//! for a line (a time in milliseconds, a path, a worker, what became of it) and each word of people against it; the
//! sum decides, so that a word that nobody listed makes no fact of a log, nor one that somebody listed a log of a fact.

use std::cell::Cell;
use std::sync::LazyLock;

use regex::Regex;
use testimony_domain::Reason;

use super::Part;
use super::machine_words::{SAID, Says};
use super::prose::Finding;
use super::row_words::Class::*;
use super::row_words::{Gap, LONGEST, Word, any, words};
use crate::lexicon::{WordMap, is_unspaced, pattern};

/// So many points make a line of a program.
const ENOUGH: i32 = 3;
/// After so many words that speak for nobody the rest is not read: it is prose.
const MOST_UNKNOWN: i32 = 4;
/// Of what is said more often than this, the rest says no more.
const MOST_OF_A_KIND: i32 = 3;

const OWN: i32 = -6;
const PEOPLE: i32 = -3;
const SENTENCE: i32 = -1;

/// What the letters and figures of a line look like.
struct Shape {
    points: i32,
    /// How many of them count.
    most: usize,
    /// Whether it tells that something ran or happened, and not only what there is.
    tells: bool,
    pattern: Regex,
}

/// The shapes: points, how many count, whether it tells of a run, pattern.
#[rustfmt::skip]
const SHAPES: &[(i32, usize, bool, &str)] = &[
    // A clock with seconds in front.
    (2, 1, true, r"^[\W_]*(?:\d{4}-\d\d-\d\d[t _])?\d\d:\d\d:\d\d"),
    // A level in front.
    (2, 1, true, r"^[\W_]*(?:[\w./-]+ +)?[\[(<]?(?:info|warn|warning|error|debug|notice|fatal|warnung|fehler|aviso|avviso|erreur|échec|ошибка|警告)\b[\])>]?(?::| {2}| \[)"),
    // The part of a program that speaks, in brackets or as one tied name.
    (2, 1, false, r"^\W*(?:\[[\w./:-]+\]\s|[a-z]+[\w.]*[\d_/.][\w./-]*(?:\[\d+\])?:\s|[a-z]+[\d_/.][\w./-]*\s)"),
    // How long it took.
    (2, 2, false, r"\b\d+(?:[.,]\d+)? ?(?:ms|µs|μs|us|ns)\b|\b\d+(?:[.,]\d+)?s\b|\b\d+(?:[.,]\d+)? (?:s|с)\b|\b\d\d:\d\d:\d\d\b|\b\d+m ?\d+s\b|\b\d+d \d+h\b|\d+分\d+秒|\d秒"),
    // How much.
    (1, 2, false, r"\b\d+(?:[.,]\d+)? ?(?:[kmgt]i?b|bytes|byte|octets|tokens)\b"),
    (1, 1, false, r"\b\d+(?:[.,]\d+)? ?%"),
    (1, 1, false, r"\b\d+ ?/ ?\d+\b|\b\d+\.? (?:of|von|sur|de|di|van|z|из) \d+\b"),
    // A name and its value.
    (2, 2, false, r"(?:^|[\s(\[,;])[a-z][\w.-]*=[^\s=]"),
    (4, 1, false, r#"^\{"\w+":"#),
    (1, 1, false, r"->|→|=>|<-|⇒"),
    // Names that only programs have.
    (1, 2, false, r"\b[a-z]+[-_:]\w*\d\w*\b|\b0x[0-9a-f]+\b|#\d+\b|(?:^|[\s(])/\w+/\w|\b\d+\.\d+\.\d+\.\d+\b|\b[a-z]+_[a-z][a-z_]*\b|\b[0-9a-f]{7,}\b|\b\d{4,}\b|\b(?:pid|port|code|cursor|offset|term|slot|depth|exit|level|cpu|position) \d+"),
    (1, 1, false, r"…|\.\.\."),
    // A call: a line of code, and no line that its program wrote.
    (-4, 1, false, r"[a-z_]\([^s)]|[;{]$|\s(?:#|//) |`|^\s*[\x22|]|,$"),
];

/// The words that say something, by what they say.
static SAYS: LazyLock<WordMap<&'static str, Says>> = LazyLock::new(|| {
    let rows = SAID.iter();
    let words = rows.flat_map(|(says, _, list)| list.split('|').map(|word| (word, *says)));
    words.collect()
});

static SHAPE_PATTERNS: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let shapes = SHAPES.iter();
    let shapes = shapes.filter_map(|(points, most, tells, source)| {
        Some(Shape {
            points: *points,
            most: *most,
            tells: *tells,
            pattern: pattern(source)?,
        })
    });
    shapes.collect()
});

/// Whether the text is such a line.
pub(super) fn machine_line(part: &Part<'_>) -> Option<Finding> {
    if part.folded.len() > LONGEST || !part.has_digit() {
        return None;
    }
    let words = words_say(part)?;
    // Most lines tell of no run, and what else is in them says nothing then.
    if !words.tells && !tells_of_a_run(part.folded) {
        return None;
    }
    let points = words.points + shapes_say(part.folded);
    (points >= ENOUGH).then_some((Reason::LifecycleLog, "log.signs"))
}

/// What the words of a line say of it.
#[derive(Clone, Copy, Debug)]
struct Signs {
    points: i32,
    /// Whether it tells that something ran or happened.
    tells: bool,
}

/// What the words say together; nothing where too many of them say nothing.
fn words_say(part: &Part<'_>) -> Option<Signs> {
    let all = part.around.1;
    let said = |word: &Word| {
        let letters = all.get(word.start..word.end).unwrap_or_default();
        (says(word, letters), letters)
    };
    let unknown = Cell::new(0);
    let read = words(all, part.words, |word| {
        let (says, letters) = said(word);
        let counts = says.is_none() && word.gap != Gap::Joint && !letters.starts_with(is_unspaced);
        unknown.set(unknown.get() + i32::from(counts));
        unknown.get() <= MOST_UNKNOWN
    })?;
    let mut tally = Tally::default();
    for (at, word) in read.iter().enumerate() {
        tally.count(at, said(word).0);
    }
    Some(Signs {
        points: tally.points() - unknown.get(),
        tells: tally.deeds > 0,
    })
}

fn tells_of_a_run(folded: &str) -> bool {
    let mut shapes = SHAPE_PATTERNS.iter().filter(|shape| shape.tells);
    shapes.any(|shape| shape.pattern.is_match(folded))
}

/// The points of all shapes.
fn shapes_say(folded: &str) -> i32 {
    let shapes = SHAPE_PATTERNS.iter();
    let points = shapes.map(|shape| {
        let found = shape.pattern.find_iter(folded).take(shape.most).count();
        shape.points * i32::try_from(found).unwrap_or_default()
    });
    points.sum()
}

/// What a word says; `None` of a word that nobody listed.
fn says(word: &Word, letters: &str) -> Option<Says> {
    if let Some(says) = SAYS.get(letters) {
        return Some(*says);
    }
    if word.is(any(&[Machine, Work, Store])) {
        Some(Says::Thing)
    } else if word.is(any(&[State, Doing, Kept])) {
        Some(Says::Deed)
    } else if word.classes != 0 || word.is_identifier {
        Some(Says::Neither)
    } else {
        None
    }
}

/// How often each kind of word was said.
#[derive(Default)]
struct Tally {
    things: i32,
    deeds: i32,
    opens_with_a_deed: bool,
    own: i32,
    people: i32,
    sentence: i32,
}

impl Tally {
    fn count(&mut self, at: usize, says: Option<Says>) {
        match says {
            Some(Says::Thing) => self.things += 1,
            Some(Says::Deed) => {
                self.deeds += 1;
                self.opens_with_a_deed |= at == 0;
            }
            Some(Says::Own) => self.own += 1,
            Some(Says::People) => self.people += 1,
            Some(Says::Sentence) => self.sentence += 1,
            Some(Says::Neither) | None => {}
        }
    }

    fn points(&self) -> i32 {
        self.things.min(MOST_OF_A_KIND)
            + self.deeds.min(MOST_OF_A_KIND)
            + i32::from(self.opens_with_a_deed)
            + self.own * OWN
            + self.people * PEOPLE
            + self.sentence * SENTENCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listed::Listed;

    fn found(text: &str) -> bool {
        let listed = Listed::of(text);
        Part::of(text, &listed, &(0..text.len()))
            .and_then(|part| machine_line(&part))
            .is_some()
    }

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(SHAPE_PATTERNS.len(), SHAPES.len());
    }

    #[test]
    fn what_a_program_did_is_told_from_what_somebody_says_of_a_program() {
        assert!(found("Flushed 31 segments to disk in 212 ms"));
        assert!(found("worker-12 picked up job 55210"));
        assert!(!found(
            "The worker pool is capped at 8, 2 of them for my builds, in 212 ms."
        ));
        assert!(!found("raised the ingest worker timeout to 30 s"));
        assert!(!found("boiler serviced, next due Oct 2027"));
    }
}
