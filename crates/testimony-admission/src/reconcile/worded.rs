//! A statement read for its wording alone, in any language: its words, where each of them stands, and its cues.

use std::sync::LazyLock;

use super::Cue;
use super::past;
use super::split::{Split, is_chinese_number, is_unspaced, split, split_as_typed};
use super::wording_tables::{
    ADDING, CUES, DROPPED, EXCLUSIVE, LINKS, LIVING, MANY, NUMBERS, OPPOSITE_EVENTS,
    OPPOSITE_OUTCOMES, PLACED_BEHIND, PLACING, REPLACING, SAME_WORDS, Says, WAS,
};
use crate::claims::{is_time_word, is_verb};
use crate::lexicon::{WordMap, WordSet};

/// A statement of more words is not compared by its wording, so that the work for a pair is bounded.
const LONGEST: usize = 48;

/// A statement of more bytes has more words than that.
pub(super) const LONGEST_BYTES: usize = LONGEST * 24;

/// What an amount is counted by: "39 euros a month".
const PERIODS: &[&str] = &[
    "day", "night", "week", "month", "year", "hour", "lesson", "visit", "person", "head", "piece",
    "litre", "kilo",
];

/// How a word of a correction goes on to what is right.
#[derive(Clone, Copy)]
enum Lead {
    /// By a pause, without which it is another word: "No, …".
    Pauses,
    /// At once.
    GoesOn,
    /// Whatever stands up to the next pause belongs to it.
    UpToThePause,
}

/// How a statement opens that puts something right, the longest first.
#[rustfmt::skip]
const CORRECTING: &[(&str, Lead)] = &[
    ("wait no", Lead::Pauses), ("oh no", Lead::Pauses), ("no wait", Lead::Pauses), ("no sorry", Lead::Pauses), ("sorry no", Lead::Pauses), ("hang on", Lead::Pauses), ("hold on", Lead::Pauses), ("not quite", Lead::Pauses), ("no", Lead::Pauses), ("nope", Lead::Pauses), ("wait", Lead::Pauses),
    ("nein", Lead::Pauses), ("doch nicht", Lead::Pauses), ("non", Lead::Pauses), ("nee", Lead::Pauses), ("nej", Lead::Pauses), ("não", Lead::Pauses), ("нет", Lead::Pauses),
    ("it turns out that", Lead::GoesOn), ("it turns out", Lead::GoesOn), ("as it turns out", Lead::GoesOn), ("turns out that", Lead::GoesOn), ("turns out", Lead::GoesOn), ("it turned out that", Lead::GoesOn), ("it turned out", Lead::GoesOn),
    ("contrary to what", Lead::UpToThePause), ("contrary to my", Lead::UpToThePause), ("anders als", Lead::UpToThePause), ("contrairement à", Lead::UpToThePause), ("contrariamente a", Lead::UpToThePause),
];

/// In front of "left" these make a side of it, and so do these behind it.
#[rustfmt::skip]
const SIDE_BEFORE: &[&str] = &["the", "my", "your", "his", "her", "our", "their", "its", "on", "to", "far", "top", "bottom", "upper", "lower", "turn", "turns", "a"];
#[rustfmt::skip]
const SIDE_BEHIND: &[&str] = &["side", "hand", "handed", "half", "foot", "leg", "arm", "eye", "ear", "knee", "shoulder", "lane", "wing", "column", "margin", "of"];

/// A word of a statement that carries content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) stem: String,
    /// Its place among the words as they stand in the text.
    pub(super) place: usize,
    /// Behind a copula, a preposition or a particle.
    pub(super) placed: bool,
    /// Behind the first verb, where a verb is known.
    pub(super) behind_verb: bool,
    pub(super) verb: bool,
    /// Begins with a capital, so that it may be a name.
    pub(super) capital: bool,
    pub(super) number: bool,
    /// A character of a script without spaces.
    pub(super) character: bool,
}

/// A statement as its wording is compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Worded {
    pub(super) words: Vec<Word>,
    pub(super) raw: Vec<String>,
    /// The places of the words that begin with a capital.
    pub(super) capitals: Vec<usize>,
    /// The places of the words in front of which a comma or a dash stands.
    pub(super) paused: Vec<usize>,
    /// The places of the words that own what follows.
    pub(super) owners: Vec<usize>,
    pub(super) cues: Vec<Says>,
    /// The events that it speaks of: which pair, and whether the first of it.
    pub(super) events: Vec<(usize, bool)>,
    pub(super) has_verb: bool,
    /// Whether it opens by saying that it puts something right: "No, the code is 4712".
    pub(super) puts_right: bool,
    /// Whether it tells of the past: "In 2022 the rent was …".
    pub(super) is_history: bool,
    pub(super) too_long: bool,
}

pub(super) struct Tables {
    pub(super) dropped: WordSet<String>,
    pub(super) placing: WordSet<&'static str>,
    pub(super) placed_behind: WordSet<&'static str>,
    pub(super) many: WordSet<&'static str>,
    pub(super) was: WordSet<&'static str>,
    pub(super) links: WordSet<&'static str>,
    pub(super) living: WordSet<&'static str>,
    pub(super) exclusive: WordSet<&'static str>,
    pub(super) replacing: WordSet<&'static str>,
    pub(super) numbers: WordMap<&'static str, &'static str>,
    /// Events and their opposites, by the number of the pair.
    pub(super) events: WordMap<&'static str, Vec<(usize, bool)>>,
    /// Outcomes and their opposites, by the number of the pair.
    pub(super) outcomes: WordMap<String, (usize, bool)>,
    /// Words that stand for others, by what they stand for.
    same: WordMap<String, String>,
    /// Phrases by their first word, the longest first.
    pub(super) cues: WordMap<String, Vec<(Vec<String>, Says)>>,
}

/// A word as it stands; nothing where there is none.
pub(super) fn raw(said: &Worded, at: usize) -> &str {
    said.raw.get(at).map_or("", String::as_str)
}

/// The word in front of a place; nothing where there is none.
pub(super) fn before(said: &Worded, at: usize) -> &str {
    at.checked_sub(1).map_or("", |at| raw(said, at))
}

pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut cues: WordMap<String, Vec<(Vec<String>, Says)>> = WordMap::default();
    for (says, phrases) in CUES {
        for phrase in *phrases {
            let words = split(phrase);
            if let Some(first) = words.first().cloned() {
                cues.entry(first).or_default().push((words, *says));
            }
        }
    }
    for phrases in cues.values_mut() {
        phrases.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    }
    let mut events: WordMap<&'static str, Vec<(usize, bool)>> = WordMap::default();
    for (pair, (one, other)) in OPPOSITE_EVENTS.iter().enumerate() {
        for (list, first) in [(one, true), (other, false)] {
            for word in list.split(' ') {
                events.entry(word).or_default().push((pair, first));
            }
        }
    }
    let mut outcomes = WordMap::default();
    for (pair, (one, other)) in OPPOSITE_OUTCOMES.iter().enumerate() {
        for (list, first) in [(one, true), (other, false)] {
            outcomes.extend(list.split(' ').map(|word| (bare_stem(word), (pair, first))));
        }
    }
    let lines = SAME_WORDS.iter().filter_map(|line| line.split_once(' '));
    let same = lines.flat_map(|(first, others)| {
        let others = others.split(' ');
        others.map(move |word| (bare_stem(word), bare_stem(first)))
    });
    Tables {
        events,
        outcomes,
        same: same.collect(),
        dropped: DROPPED.split(' ').map(str::to_owned).collect(),
        placing: PLACING.split(' ').collect(),
        placed_behind: PLACED_BEHIND.split(' ').collect(),
        many: MANY.split(' ').collect(),
        was: WAS.split(' ').collect(),
        links: LINKS.split(' ').collect(),
        living: LIVING.split(' ').collect(),
        exclusive: EXCLUSIVE.split(' ').collect(),
        replacing: REPLACING.split(' ').collect(),
        numbers: NUMBERS.iter().copied().collect(),
        cues,
    }
});

impl Worded {
    pub(super) fn read(text: &str) -> Self {
        if text.len() > LONGEST_BYTES {
            return Self {
                too_long: true,
                ..Self::default()
            };
        }
        let Split {
            words: raw,
            capitals,
            paused,
            owners,
        } = split_as_typed(text);
        if raw.len() > LONGEST {
            return Self {
                too_long: true,
                ..Self::default()
            };
        }
        let mut read = Self {
            raw,
            capitals,
            paused,
            owners,
            ..Self::default()
        };
        read.words = read.content();
        read.events = read.events_told();
        read.is_history = past::tells_of_the_past(&read);
        read
    }

    /// The cue that begins at a word, and how long it is.
    fn cue_at(&self, at: usize) -> Option<(Says, usize)> {
        let first = self.raw.get(at)?;
        let phrases = TABLES.cues.get(first)?;
        phrases.iter().find_map(|(words, says)| {
            let here = self.raw.get(at..at + words.len())?;
            (here == words.as_slice() && !self.is_other_word(at)).then_some((*says, words.len()))
        })
    }

    /// "The left hand", "to the left of the door": where "left" is a side, and nobody went away.
    pub(super) fn names_a_side(&self, at: usize) -> bool {
        raw(self, at) == "left"
            && (SIDE_BEFORE.contains(&before(self, at))
                || self.owners.contains(&(at.wrapping_sub(1)))
                || SIDE_BEHIND.contains(&raw(self, at + 1)))
    }

    /// Whether what it says of "left" is where something is, and nothing in it denies or tells an end.
    pub(super) fn tells_a_side_alone(&self) -> bool {
        let mut sides = (0..self.raw.len())
            .filter(|at| raw(self, *at) == "left")
            .peekable();
        sides.peek().is_some() && sides.all(|at| self.names_a_side(at)) && !self.says(Says::Ended)
    }

    /// Whether a word of a cue is another word here: "plus âgée que" compares where nothing is denied, and "Mai" is
    /// a month.
    fn is_other_word(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.raw.get(at));
        let next = raw(self, at + 1);
        let in_month = || {
            before.is_some_and(|word| {
                matches!(word.as_str(), "en" | "de" | "du" | "le" | "in" | "im")
                    || word.starts_with(|c: char| c.is_ascii_digit())
            })
        };
        let denied = || {
            self.raw
                .iter()
                .any(|word| matches!(word.as_str(), "ne" | "n" | "non"))
        };
        match self.raw.get(at).map(String::as_str) {
            Some("left") => self.names_a_side(at),
            Some("plus" | "più") => !denied(),
            Some("mai") => self.capitals.contains(&at) || in_month(),
            // "Noor succeeded Ida" names who came next; "the upload succeeded" tells how it went.
            Some("succeeded") => next.is_empty() || TABLES.placing.contains(next),
            // "En asu" denies; "en mai" and "en el instituto" do not.
            Some("en") => {
                at > 0
                    || TABLES.dropped.contains(next)
                    || is_time_word(next)
                    || self.capitals.contains(&(at + 1))
            }
            // "Ab Mai" and "ab 1. Mai"; "läuft ab" and "ab 18 Jahren" begin nothing.
            Some("ab") => {
                let ahead = self.raw.iter().skip(at + 1).take(2);
                !matches!(next, "sofort" | "jetzt")
                    && !ahead.into_iter().any(|word| is_time_word(word))
            }
            Some(_) | None => false,
        }
    }

    /// How many words at the beginning say that what follows puts something right: "No, …", "It turns out that …".
    fn lead_of_a_correction(&self) -> usize {
        let led = CORRECTING.iter().find_map(|(lead, paused)| {
            let length = lead.split(' ').count();
            let said = self.raw.iter().take(length).map(String::as_str);
            let is_told = said.eq(lead.split(' '));
            // "Contrary to what I said, …": the lead goes on to its pause.
            let end = match paused {
                Lead::Pauses => length,
                Lead::GoesOn => return is_told.then_some(length),
                Lead::UpToThePause => *self.paused.iter().find(|at| **at > length)?,
            };
            (is_told && self.paused.contains(&end)).then_some(end)
        });
        led.filter(|end| *end < self.raw.len()).unwrap_or(0)
    }

    /// Notes that it opens by putting something right, and tells where what is right begins.
    fn take_lead(&mut self) -> usize {
        let lead = self.lead_of_a_correction();
        if lead > 0 {
            self.puts_right = true;
            self.cues.push(Says::Corrected);
        }
        lead
    }

    /// Drops cues and words without content, and says of the rest where it stands.
    fn content(&mut self) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let (mut at, mut placed, mut run, mut behind_verb) = (self.take_lead(), false, 0, false);
        while at < self.raw.len() {
            if let Some((says, length)) = self.cue_at(at) {
                at += length;
                run = words.len();
                if says == Says::Since && !self.names_a_time(at) {
                    placed = true;
                    continue;
                }
                self.cues.push(says);
                behind_verb |= says.changes() && (!words.is_empty() || self.opens_with_pronoun());
                placed |= says.changes();
                if says == Says::Since {
                    at += self.date_length(at);
                }
                continue;
            }
            let place = at;
            let Some(word) = self.raw.get(at).cloned() else {
                break;
            };
            let pair = self
                .raw
                .get(at..at + 2)
                .map(<[String]>::concat)
                .filter(|_| word.chars().all(is_unspaced));
            let (word, length) = match pair {
                Some(pair)
                    if TABLES.dropped.contains(&pair) || TABLES.placing.contains(pair.as_str()) =>
                {
                    (pair, 2)
                }
                _ => (word, 1),
            };
            at += length;
            if TABLES.placing.contains(word.as_str()) && !self.is_english_verb(&word) {
                if TABLES.placed_behind.contains(word.as_str()) {
                    words
                        .iter_mut()
                        .skip(run)
                        .for_each(|word| word.placed = true);
                }
                // At the beginning "in" is a heading, and "a", "o" and "i" are articles or say who speaks.
                placed = !words.is_empty() || !matches!(word.as_str(), "in" | "a" | "i" | "o");
                behind_verb |= !words.is_empty() && is_verb(&word) && !self.is_article(place);
                run = words.len();
                continue;
            }
            if TABLES.dropped.contains(word.as_str()) && !self.is_abbreviated(place) {
                continue;
            }
            let mut read = self.word(&word, placed, behind_verb);
            read.verb &= !words.is_empty() || self.opens_with_pronoun();
            read.verb &= !self.is_gone_to(place);
            read.behind_verb |= read.verb;

            if run < words.len() && !read.character && read.verb {
                placed = false;
            }
            behind_verb |= read.verb;

            read.capital = self.capitals.contains(&place);
            read.place = place;
            words.push(read);
        }
        self.has_verb = behind_verb;
        words
    }

    /// "The US region", "the IT team": a pronoun is written small inside a sentence.
    fn is_abbreviated(&self, at: usize) -> bool {
        let word = self.raw.get(at).map(String::as_str);
        at > 0 && matches!(word, Some("us" | "it")) && self.capitals.contains(&at)
    }

    /// "Gus met the captain": what is a preposition in Dutch.
    fn is_english_verb(&self, word: &str) -> bool {
        word == "met" && self.raw.iter().any(|word| word == "the")
    }

    /// Whether a day or a time is named there: "dal binario 5" begins nothing.
    fn names_a_time(&self, at: usize) -> bool {
        let ahead = self.raw.iter().skip(at).take(3);
        ahead.clone().next().is_some_and(|word| {
            word.starts_with(|c: char| c.is_ascii_digit()) || word.chars().any(is_unspaced)
        }) || ahead.clone().any(|word| is_time_word(word))
    }

    /// "Takes the tram to work": a noun that is a verb elsewhere.
    fn is_gone_to(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.raw.get(at));
        before
            .is_some_and(|word| matches!(word.as_str(), "to" | "from" | "after" | "before" | "at"))
            && at + 1 == self.raw.len()
    }

    /// "39 euros a month": an "a" that is no form of "to have" in French.
    fn is_article(&self, at: usize) -> bool {
        let word = |at: usize| raw(self, at);
        word(at) == "a"
            && (PERIODS.contains(&word(at + 1)) || self.raw.iter().any(|word| word == "the"))
    }

    /// How many words behind "since" name the day.
    fn date_length(&self, at: usize) -> usize {
        let behind = self.raw.iter().skip(at).take(4).enumerate();
        let dated = behind.take_while(|(place, word)| {
            let plain =
                !TABLES.placing.contains(word.as_str()) && !TABLES.dropped.contains(word.as_str());
            plain
                && (*place == 0
                    || word.starts_with(|c: char| c.is_ascii_digit())
                    || self.raw.get(at).is_some_and(|first| {
                        first.starts_with(|c: char| c.is_ascii_digit()) || first == "last"
                    }))
        });
        dated.count()
    }

    pub(super) fn opens_with_pronoun(&self) -> bool {
        self.raw.iter().take(2).any(|word| {
            matches!(
                word.as_str(),
                "i" | "we" | "ich" | "wir" | "je" | "nous" | "j" | "yo"
            )
        })
    }

    fn word(&self, word: &str, placed: bool, behind_verb: bool) -> Word {
        let turkish = word.split_once('\'').filter(|(_, ending)| {
            matches!(
                *ending,
                "de" | "da" | "te" | "ta" | "den" | "dan" | "ya" | "ye"
            )
        });
        let korean = ["에서", "에", "으로", "로"]
            .iter()
            .any(|ending| word.ends_with(ending));
        let bare = word.split_once('\'').map_or(word, |(bare, _)| bare);
        let number = TABLES.numbers.get(bare).copied();
        let stem = number.map_or_else(|| stem(plain_hour(bare)), str::to_owned);
        Word {
            number: number.is_some()
                || stem.starts_with(|c: char| {
                    c.is_ascii_digit() || is_chinese_number(c) || matches!(c, '$' | '€' | '£' | '#')
                }),
            placed: placed || turkish.is_some() || korean,
            behind_verb,
            verb: is_verb(bare),
            capital: false,
            place: 0,
            character: bare.chars().next().is_some_and(is_unspaced),
            stem,
        }
    }

    /// The events that it speaks of; what merely is open or closed is no event.
    fn events_told(&self) -> Vec<(usize, bool)> {
        let mut told = Vec::new();
        let mut state = false;
        for (at, word) in self.raw.iter().enumerate() {
            let pair = self
                .raw
                .get(at..at + 2)
                .filter(|_| word.chars().all(is_unspaced));
            let events = TABLES
                .events
                .get(word.as_str())
                .or_else(|| TABLES.events.get(pair?.concat().as_str()))
                .filter(|_| !state);
            told.extend(events.into_iter().flatten().copied());
            state = TABLES.placing.contains(word.as_str()) && is_verb(word);
        }
        told
    }

    pub(super) fn denies(&self) -> bool {
        self.says(Says::Denied) || self.says(Says::Ended)
    }

    /// Whether it says that it comes on top of something else: "also", "another".
    pub(super) fn adds(&self) -> bool {
        self.raw.iter().any(|word| ADDING.contains(&word.as_str()))
    }

    pub(super) fn says(&self, says: Says) -> bool {
        self.cues.contains(&says)
    }

    /// The cue of a change, the strongest first.
    pub(super) fn change(&self) -> Option<Cue> {
        [
            (Says::Corrected, Cue::Correction),
            (Says::Ended, Cue::Ended),
            (Says::Changed, Cue::Update),
            (Says::Became, Cue::Update),
            (Says::Renamed, Cue::Update),
            (Says::Amount, Cue::Update),
            (Says::Placed, Cue::Update),
            (Says::Now, Cue::Update),
            (Says::Since, Cue::LaterDate),
        ]
        .into_iter()
        .find_map(|(says, cue)| self.says(says).then_some(cue))
    }

    pub(super) fn has(&self, stem: &str) -> bool {
        self.words.iter().any(|word| word.stem == stem)
    }

    pub(super) fn has_any(&self, words: &WordSet<&'static str>) -> bool {
        self.raw.iter().any(|word| words.contains(word.as_str()))
            // Only what is written without spaces is cut into words of which two make one of a list.
            || self
                .raw
                .windows(2)
                .filter(|pair| pair.iter().all(|word| !word.is_ascii()))
                .any(|pair| words.contains(pair.concat().as_str()))
    }

    /// Whether a word stands where the subject stands: in front of the verb, or first where none is known.
    pub(super) fn is_of_subject(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| {
            if word.number && at > 0 && !self.has_verb {
                // "Bus 12 stops at the museum": the number belongs to the name in front of it.
                return at == 1 && !word.placed && self.words.len() > 3;
            }
            if self.has_verb && !word.character {
                !(word.behind_verb || word.placed && at > 0 && self.words.len() == at + 1)
            } else {
                !word.placed && (at == 0 || word.character && self.words.len() > 2 * (at + 1))
            }
        })
    }

    /// Whether a word stands where an answer stands: placed, a number, or last where no verb is known.
    pub(super) fn is_answer(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| {
            word.placed || word.number || !self.has_verb && at > 0 && at + 1 == self.words.len()
        })
    }
}

/// A full hour without its minutes: "7:00" is "7".
pub(super) fn plain_hour(word: &str) -> &str {
    let hour = word
        .strip_suffix(":00")
        .or_else(|| word.strip_suffix(".00"));
    let hour = hour.filter(|hour| hour.len() <= 2 && hour.bytes().all(|b| b.is_ascii_digit()));
    hour.map_or(word, |hour| hour.strip_prefix('0').unwrap_or(hour))
}

/// A word without its endings, or what it stands for.
pub(super) fn stem(word: &str) -> String {
    let bare = bare_stem(word);
    TABLES.same.get(&bare).cloned().unwrap_or(bare)
}

/// A word without the endings of number, person and tense.
fn bare_stem(word: &str) -> String {
    if word.len() <= 3 || !word.bytes().all(|b| b.is_ascii_alphabetic()) || word.ends_with("ss") {
        return word.to_owned();
    }
    if let Some(head) = word.strip_suffix("ies") {
        return format!("{head}y");
    }
    let verbal = ["ing", "ed"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending));
    let head = verbal.filter(|head| head.len() > 2).map(undoubled);
    let head = head.or_else(|| word.strip_suffix('s')).unwrap_or(word);
    let head = if head.len() > 3 {
        head.strip_suffix('e').unwrap_or(head)
    } else {
        head
    };
    head.to_owned()
}

/// "runn" of "running" is "run"; "fall" of "falling" stays.
fn undoubled(head: &str) -> &str {
    let mut ends = head.bytes().rev();
    let doubled = matches!((ends.next(), ends.next()), (Some(last), Some(before)) if last == before && !matches!(last, b'l' | b's' | b'z' | b'e' | b'o'));
    if doubled {
        head.get(..head.len() - 1).unwrap_or(head)
    } else {
        head
    }
}
