//! A statement read for its wording alone, in any language: its words, where each of them stands, and its cues.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::Cue;
use super::wording_tables::{
    CUES, DROPPED, EXCLUSIVE, LINKS, MANY, NUMBERS, OPPOSITE_EVENTS, PLACED_BEHIND, PLACING, Says,
    WAS,
};
use crate::claims::is_verb;

/// A statement of more words is not compared by its wording, so that the work for a pair is bounded.
const LONGEST: usize = 48;

/// What an amount is counted by: "39 euros a month".
const PERIODS: &[&str] = &[
    "day", "night", "week", "month", "year", "hour", "lesson", "visit", "person", "head", "piece",
    "litre", "kilo",
];

/// A word of a statement that carries content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) stem: String,
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
    pub(super) cues: Vec<Says>,
    /// The events that it speaks of: which pair, and whether the first of it.
    pub(super) events: Vec<(usize, bool)>,
    pub(super) has_verb: bool,
    pub(super) too_long: bool,
}

pub(super) struct Tables {
    pub(super) dropped: HashSet<String>,
    pub(super) placing: HashSet<&'static str>,
    pub(super) placed_behind: HashSet<&'static str>,
    pub(super) many: HashSet<&'static str>,
    pub(super) was: HashSet<&'static str>,
    pub(super) links: HashSet<&'static str>,
    pub(super) exclusive: HashSet<&'static str>,
    pub(super) numbers: HashMap<&'static str, &'static str>,
    /// Events and their opposites, by the number of the pair.
    pub(super) events: HashMap<&'static str, Vec<(usize, bool)>>,
    /// Phrases by their first word, the longest first.
    pub(super) cues: HashMap<String, Vec<(Vec<String>, Says)>>,
}

pub(super) static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut cues: HashMap<String, Vec<(Vec<String>, Says)>> = HashMap::new();
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
    let mut events: HashMap<&'static str, Vec<(usize, bool)>> = HashMap::new();
    for (pair, (one, other)) in OPPOSITE_EVENTS.iter().enumerate() {
        for (list, first) in [(one, true), (other, false)] {
            for word in list.split(' ') {
                events.entry(word).or_default().push((pair, first));
            }
        }
    }
    Tables {
        events,
        dropped: DROPPED.split(' ').map(str::to_owned).collect(),
        placing: PLACING.split(' ').collect(),
        placed_behind: PLACED_BEHIND.split(' ').collect(),
        many: MANY.split(' ').collect(),
        was: WAS.split(' ').collect(),
        links: LINKS.split(' ').collect(),
        exclusive: EXCLUSIVE.split(' ').collect(),

        numbers: NUMBERS.iter().copied().collect(),
        cues,
    }
});

/// Whether a character belongs to a script that is written without spaces.
const fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{0e00}'..='\u{0eff}' | '\u{1780}'..='\u{17ff}')
}

const fn is_chinese_number(c: char) -> bool {
    matches!(
        c,
        '一' | '二'
            | '三'
            | '四'
            | '五'
            | '六'
            | '七'
            | '八'
            | '九'
            | '十'
            | '百'
            | '千'
            | '万'
            | '两'
            | '零'
            | '〇'
    )
}

/// The words of a text in lower case; characters one by one where a script has no spaces, numbers in one.
fn split(text: &str) -> Vec<String> {
    split_with_capitals(text).0
}

/// The same, and the places of the words that begin with a capital.
fn split_with_capitals(text: &str) -> (Vec<String>, Vec<usize>) {
    let mut capitals: Vec<usize> = Vec::new();
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut digits = false;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let joins = matches!(c, '.' | ':' | ',' | '-' | '@' | '/' | '_')
            && !word.is_empty()
            && rest.peek().is_some_and(|next| {
                next.is_alphanumeric()
                    && (word.ends_with(|l: char| l.is_ascii_digit()) == next.is_ascii_digit())
            });
        if is_unspaced(c) {
            let goes_on = digits && is_chinese_number(c);
            if !goes_on && !word.is_empty() {
                out.push(std::mem::take(&mut word));
            }
            digits = is_chinese_number(c);
            word.push(c);
            if !digits {
                out.push(std::mem::take(&mut word));
            }
        } else if c.is_alphanumeric()
            || joins
            || matches!(c, '%' | '€' | '$' | '£' | '#')
            || is_mark_of_letter(c)
        {
            if digits {
                digits = false;
                out.push(std::mem::take(&mut word));
            }
            if word.is_empty() && c.is_uppercase() {
                capitals.push(out.len());
            }
            word.extend(c.to_lowercase());
        } else if matches!(c, '\'' | '’') && !word.is_empty() && is_possessive(&rest) {
            rest.next();
        } else if matches!(c, '\'' | '’') && !word.is_empty() {
            word.push('\'');
            // "l'autobus" and "don't": an article goes, a denial stays.
            if word.chars().count() <= 3 && !matches!(word.as_str(), "d'" | "it'") {
                word.pop();
                out.push(std::mem::take(&mut word));
            }
        } else if !word.is_empty() {
            digits = false;
            out.push(std::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    (out, capitals)
}

/// Whether an `s` and the end of the word follow, as in "Mara's".
fn is_possessive(rest: &std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    let mut ahead = rest.clone();
    matches!(ahead.next(), Some('s' | 'S')) && ahead.next().is_none_or(|c| !c.is_alphanumeric())
}

/// Signs that stand on letters in scripts of India and the Near East.
const fn is_mark_of_letter(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036f}' | '\u{0900}'..='\u{0dff}' | '\u{064b}'..='\u{065f}')
}

impl Worded {
    pub(super) fn read(text: &str) -> Self {
        // A statement of more bytes has more words than are compared.
        if text.len() > LONGEST * 24 {
            return Self {
                too_long: true,
                ..Self::default()
            };
        }
        let (raw, capitals) = split_with_capitals(text);
        if raw.len() > LONGEST {
            return Self {
                too_long: true,
                ..Self::default()
            };
        }
        let mut read = Self {
            raw,
            capitals,
            ..Self::default()
        };
        read.words = read.content();
        read.events = read.events_told();
        read
    }

    /// The cue that begins at a word, and how long it is.
    fn cue_at(&self, at: usize) -> Option<(Says, usize)> {
        let first = self.raw.get(at)?;
        let phrases = TABLES.cues.get(first)?;
        phrases.iter().find_map(|(words, says)| {
            let here = self.raw.get(at..at + words.len())?;
            (here == words.as_slice()).then_some((*says, words.len()))
        })
    }

    /// Drops cues and words without content, and says of the rest where it stands.
    fn content(&mut self) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let (mut at, mut placed, mut run, mut behind_verb) = (0, false, 0, false);
        while at < self.raw.len() {
            if let Some((says, length)) = self.cue_at(at) {
                self.cues.push(says);
                let changes = matches!(
                    says,
                    Says::Changed | Says::Renamed | Says::Amount | Says::Placed | Says::Ended
                );
                behind_verb |= changes && (!words.is_empty() || self.opens_with_pronoun());
                placed = changes || placed;
                at += length;
                if says == Says::Since {
                    at += self.date_length(at);
                }
                run = words.len();
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
            if TABLES.placing.contains(word.as_str()) {
                if TABLES.placed_behind.contains(word.as_str()) {
                    words
                        .iter_mut()
                        .skip(run)
                        .for_each(|word| word.placed = true);
                }
                placed = !words.is_empty() || word != "in";
                behind_verb |= !words.is_empty() && is_verb(&word) && !self.is_article(place);
                run = words.len();
                continue;
            }
            if TABLES.dropped.contains(word.as_str()) {
                continue;
            }
            let mut read = self.word(&word, placed, behind_verb);
            read.verb &= !words.is_empty() || self.opens_with_pronoun();
            read.behind_verb |= read.verb;

            if run < words.len() && !read.character && read.verb {
                placed = false;
            }
            behind_verb |= read.verb;

            read.capital = self.capitals.contains(&place);
            words.push(read);
        }
        self.has_verb = behind_verb;
        words
    }

    /// "39 euros a month": an "a" that is no form of "to have" in French.
    fn is_article(&self, at: usize) -> bool {
        let word = |at: usize| self.raw.get(at).map_or("", String::as_str);
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

    fn opens_with_pronoun(&self) -> bool {
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
        let stem = number.map_or_else(|| stem(bare), str::to_owned);
        Word {
            number: number.is_some()
                || stem.starts_with(|c: char| {
                    c.is_ascii_digit() || is_chinese_number(c) || matches!(c, '$' | '€' | '£' | '#')
                }),
            placed: placed || turkish.is_some() || korean,
            behind_verb,
            verb: is_verb(bare),
            capital: false,
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

    pub(super) fn says(&self, says: Says) -> bool {
        self.cues.contains(&says)
    }

    /// The cue of a change, the strongest first.
    pub(super) fn change(&self) -> Option<Cue> {
        [
            (Says::Corrected, Cue::Correction),
            (Says::Ended, Cue::Ended),
            (Says::Changed, Cue::Update),
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

    pub(super) fn has_any(&self, words: &HashSet<&'static str>) -> bool {
        self.raw.iter().any(|word| words.contains(word.as_str()))
            || self
                .raw
                .windows(2)
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

    /// Of what it spoke in the past: "In 2022 the rent was …".
    pub(super) fn is_history(&self) -> bool {
        let dated = self.raw.iter().any(|word| {
            word.len() == 4
                && (word.starts_with("19") || word.starts_with("20"))
                && word.parse::<u16>().is_ok()
        }) || self.raw.iter().any(|word| {
            matches!(
                word.as_str(),
                "back"
                    | "previously"
                    | "formerly"
                    | "früher"
                    | "damals"
                    | "antes"
                    | "prima"
                    | "avant"
                    | "raньше"
                    | "раньше"
                    | "kiedyś"
                    | "ago"
            )
        });
        dated && self.has_any(&TABLES.was)
    }
}

/// A word without the endings of number and person.
fn stem(word: &str) -> String {
    if word.len() > 3
        && word.is_ascii()
        && !word.ends_with("ss")
        && !word.ends_with(|c: char| c.is_ascii_digit())
    {
        if let Some(head) = word.strip_suffix("ies") {
            return format!("{head}y");
        }
        if let Some(head) = word.strip_suffix("ing").filter(|head| head.len() > 2) {
            return head.to_owned();
        }
        if let Some(head) = word.strip_suffix('s') {
            return head.to_owned();
        }
    }
    word.to_owned()
}
