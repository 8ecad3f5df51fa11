//! What speaks for a row: what the channels say, and what question and text have in common.

use std::collections::HashSet;

use testimony_domain::{Memory, MemoryKind, Score};

use super::nearness::{Near, Nearness};
use super::otherwise;
use super::row::{MEANT, RowText};
use super::weights::{WEIGHTS, Weights};
use super::wording::Wording;
use crate::candidate::{Candidate, Channel, Channels};
use crate::query::{
    FocusTerm, Numbered, ProfileIntent, QuestionKind, Reading, Role, WEIGHT_LIGHT, agreement,
    numbered,
};
use crate::request::{Mode, Options};
use crate::text::Word;
use crate::words::{Cell, Contrast, Cue};

/// So like a question is a row that only happens to be near, where nobody knows better.
const USUAL: f64 = 0.2;
/// So many words say much of what is asked.
const MUCH_ASKED: usize = 3;
/// So like a question is a row that holds all of its words.
const BY_WORDS: f64 = 0.6;

/// How a row stands to whom or what a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectMatch {
    /// The question names nobody.
    NotAsked,
    /// The row is about the same.
    Same,
    /// The row is about somebody or something else.
    Other,
}

/// What speaks for a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// What the channels say, as far as the request lets them count.
    pub channels: Channels,
    /// The share of the question's weighted words that the row holds.
    pub overlap: f64,
    /// The same without names: how much of what is asked of the subject the row speaks of.
    pub attribute: f64,
    /// How many of the words that say what is asked, the first and the last of them, the row does not hold.
    pub missing_keys: i32,
    /// How many of the question's words the row holds, itself or by a relative.
    pub matched_terms: usize,
    /// Whether a word of rare shape (a number, an identifier) is among them.
    pub matched_rare: bool,
    /// The share of the question's word pairs that the row holds side by side.
    pub phrase: f64,
    /// How many names and identifiers of the question the row is about.
    pub entity_hits: usize,
    /// The same as a share of them.
    pub names: f64,
    /// How many signs the row has of being about the person who asks, when they ask about themselves.
    pub profile_hits: usize,
    /// Whether it is about whom or what the question is about.
    pub subject: SubjectMatch,
    /// Whether it holds a word that excludes one of the question's.
    pub excluded: bool,
    /// Whether it speaks of another thing of the same kind: of production, where staging is asked about, or of the first
    /// violins, where the second ones are.
    pub of_another: bool,
    /// Whether whom the question is about said it, or it begins with them.
    pub by_subject: bool,
    /// How far it speaks of what is asked, word by word.
    pub wording: Wording,
    /// How far its time agrees with the dates of the question.
    pub when: f64,
    /// How much it says, from 0 to 1.
    pub length: f64,
    /// Whether it denies what the question takes for granted.
    pub denied: bool,
    /// How much more like the question it is than a row that only happens to be near; below 0 when it is less.
    pub lead: f64,
    /// The logarithm of the odds that it answers, where somebody read it.
    pub reads: Option<f64>,
}

impl Evidence {
    /// Collects what speaks for a row.
    pub(crate) fn of(
        reading: &Reading,
        options: &Options,
        candidate: &Candidate<'_>,
        row: &RowText,
        nearness: &Nearness<'_>,
    ) -> Self {
        let focus = &reading.focus;
        let near = nearness.of_row(&row.words);
        let held = held_in(reading, row, &near);
        let (overlap, attribute) = overlaps(focus, &held);
        let names: Vec<bool> = reading.names().map(|it| row.names(&it.sought)).collect();
        let entity_hits = names.iter().filter(|hit| **hit).count();
        let matched = || focus.iter().zip(&held).filter(|(_, held)| **held > 0.0);
        let phrases = phrases_in(reading, row);
        let (excluded, of_another) = exclusion(reading, row);
        let told_apart = is_told_apart(reading, row);
        Self {
            channels: counting(candidate.channels, options),
            overlap,
            attribute,
            missing_keys: missing_keys(focus, &held),
            matched_terms: matched().count(),
            matched_rare: matched().any(|(it, _)| it.is_rare_shape),
            phrase: share(phrases, reading.phrases.len()),
            entity_hits,
            names: share(entity_hits, names.len()),
            profile_hits: profile_hits(reading, candidate.memory, row),
            subject: subject_match(reading, candidate.memory, row, told_apart),
            excluded,
            of_another: of_another || told_apart,
            by_subject: is_by_subject(reading, candidate.memory, row),
            wording: Wording::of(focus, &held, &near),
            when: agreement(&reading.dates, candidate.memory, &row.words),
            length: super::wording::length(&row.words),
            denied: denies_premise(reading, row),
            lead: 0.0,
            reads: candidate.reads,
        }
    }

    /// The same, where it is known how like the question a row is that only happens to be near.
    #[must_use]
    pub(crate) fn beside(mut self, usual: Option<f64>) -> Self {
        let likeness = self.channels.get(Channel::Semantic).map(Score::get);
        self.lead = match (likeness, usual) {
            (Some(likeness), Some(usual)) => likeness - usual,
            // Where nobody compared meanings, the words stand in for them.
            (likeness, _) => likeness.unwrap_or(0.0).max(BY_WORDS * self.wording.whole) - USUAL,
        };
        self
    }

    /// What a channel says, 0 when it says nothing.
    #[must_use]
    pub fn channel(&self, channel: Channel) -> f64 {
        self.channels.get(channel).map_or(0.0, Score::get)
    }

    /// Relevance by the weights in force.
    #[must_use]
    pub fn relevance(&self) -> Score {
        self.relevance_by(&WEIGHTS, |_| true)
    }

    /// Relevance without the entity channel and without names.
    #[must_use]
    pub fn relevance_without_entities(&self) -> Score {
        self.relevance_by(&WEIGHTS, |signal| signal != Channel::Entity)
    }

    /// Signals add up like chances that at least one of them is right, so more of any never means less relevance.
    fn relevance_by(&self, weights: &Weights, counts: impl Fn(Channel) -> bool) -> Score {
        let given = weights
            .channels
            .iter()
            .filter(|(channel, _)| counts(*channel))
            .map(|(channel, weight)| weight.share(self.channel(*channel)));
        let names = if counts(Channel::Entity) {
            self.names
        } else {
            0.0
        };
        let profile = if self.profile_hits > 0 { 1.0 } else { 0.0 };
        // Names and a profile alone say that the row is about the right one, not that it is about what is asked.
        let carried = self.attribute.max(self.overlap);
        let own = [
            weights.overlap.share(self.overlap),
            weights.phrase.share(self.phrase),
            weights.names.share(names * carried),
            weights.profile.share(profile),
        ];
        let doubt = given
            .chain(own)
            .fold(1.0, |doubt, share| doubt * (1.0 - share));
        Score::clamped(1.0 - doubt)
    }

    /// Whether a channel speaks for the row beyond its noise.
    #[must_use]
    pub fn speaks(&self, channel: Channel) -> bool {
        WEIGHTS
            .channels
            .iter()
            .find(|(of, _)| *of == channel)
            .is_some_and(|(_, weight)| weight.share(self.channel(channel)) > 0.0)
    }

    /// Whether the row speaks of whom or what is asked about by their name.
    pub(crate) fn names_the_subject(&self) -> bool {
        self.subject == SubjectMatch::Same && self.entity_hits > 0
    }

    /// Whether the row itself says that it is no answer.
    pub(crate) const fn speaks_against(&self) -> bool {
        self.excluded || self.denied
    }

    /// Whether its own words are evidence: enough of them, or a rare one.
    #[must_use]
    pub fn is_focused(&self) -> bool {
        self.overlap >= WEIGHTS.focused_overlap || self.matched_rare
    }
}

/// How far the row holds each word of the question. Where somebody is said to be is where they work, or live.
fn held_in(reading: &Reading, row: &RowText, near: &[Near]) -> Vec<f64> {
    let placed = reading.kind == QuestionKind::Where && row.says_who_is_where();
    let least = |it: &FocusTerm| -> f64 { if placed && it.is_of_being { 0.8 } else { 0.0 } };
    let held = reading.focus.iter().zip(near);
    let held = held.map(|(it, near)| {
        let least = least(it).max(otherwise::holds(reading, row, it));
        row.holds(&it.sought, near.held).max(least)
    });
    held.collect()
}

/// How many of the question's word pairs stand side by side in the row.
fn phrases_in(reading: &Reading, row: &RowText) -> usize {
    if reading.phrases.is_empty() {
        return 0;
    }
    let said: Vec<u64> = row.pairs().collect();
    let phrases = reading.phrases.iter();
    phrases.filter(|pair| said.contains(pair)).count()
}

/// The channels that the request lets count.
fn counting(channels: Channels, options: &Options) -> Channels {
    let counts = |channel: Channel| match channel {
        Channel::Keyword | Channel::Lexical => options.mode != Mode::Semantic,
        Channel::Semantic => options.mode != Mode::Keyword,
        Channel::Graph => options.graph_traversal,
        Channel::Entity | Channel::Profile | Channel::Before | Channel::After => true,
    };
    Channel::ALL
        .iter()
        .filter(|channel| counts(**channel))
        .filter_map(|channel| Some((*channel, channels.get(*channel)?)))
        .fold(Channels::default(), |kept, (channel, score)| {
            kept.with(channel, score)
        })
}

#[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// The weighted share of all terms; and of those that say what is asked, or of all the turn's own where none does.
fn overlaps(focus: &[FocusTerm], held: &[f64]) -> (f64, f64) {
    let share = |counts: &dyn Fn(&FocusTerm) -> bool| {
        let terms = || focus.iter().zip(held).filter(|(term, _)| counts(term));
        let all: f64 = terms().map(|(term, _)| term.weight).sum();
        let held: f64 = terms().map(|(term, held)| term.weight * held).sum();
        if all > 0.0 { held / all } else { 0.0 }
    };
    let own = |term: &FocusTerm| term.role != Role::Goal;
    let asked = |term: &FocusTerm| own(term) && !is_subject(term);
    let attribute = if focus.iter().any(asked) {
        share(&asked)
    } else {
        share(&own)
    };
    (share(&|_| true), attribute)
}

fn missing_keys(focus: &[FocusTerm], held: &[f64]) -> i32 {
    let keys = focus.iter().zip(held).filter(|(term, _)| term.is_key);
    keys.map(|(_, held)| i32::from(*held <= 0.0)).sum()
}

fn is_subject(term: &FocusTerm) -> bool {
    term.role == Role::Subject
}

fn profile_hits(reading: &Reading, memory: &Memory, row: &RowText) -> usize {
    let taste = match reading.profile {
        ProfileIntent::None => return 0,
        ProfileIntent::Personal => false,
        ProfileIntent::Preferences => {
            memory.kind == MemoryKind::Preference || row.has(Cue::Preference)
        }
    };
    let own = is_about_asker(reading, memory, row);
    usize::from(own && row.first_person) + usize::from(own && taste)
}

/// A row is about the person who asks when it speaks in the first person or of the user, or names nobody else.
fn is_about_asker(reading: &Reading, memory: &Memory, row: &RowText) -> bool {
    if row.first_person {
        return true;
    }
    !begins_with_another(reading, row)
        && matches!(
            memory.kind,
            MemoryKind::Preference | MemoryKind::Fact | MemoryKind::Decision
        )
}

/// Whether what somebody close to the asker does is told, where it is asked what the asker does: "My sister lives in Munich"
/// for "Where do I live?".
fn is_about_a_relative(reading: &Reading, row: &RowText) -> bool {
    let asked = |word: &Word| {
        let mut terms = reading.focus.iter();
        terms.any(|it| it.sought.is_held_by(word) > 0.0)
    };
    reading.of_own_doing && row.leading_relative().is_some_and(|who| !asked(who))
}

/// Whether a row begins with the name of somebody of whom the question does not speak. A word of the question is what is
/// asked about, whatever its capital: "Passport is valid until May", where somebody asks for their passport.
fn begins_with_another(reading: &Reading, row: &RowText) -> bool {
    let asked = |name: &Word| {
        let mut terms = reading.focus.iter();
        terms.any(|it| it.role != Role::Goal && it.sought.is_held_by(name) > 0.0)
    };
    row.leading_name().is_some_and(|name| !asked(name))
}

/// Whether the row says another word where the question says which of several things it means.
fn is_told_apart(reading: &Reading, row: &RowText) -> bool {
    let mut tellings = reading.tellings.iter();
    tellings.any(|it| it.is_another_in(&row.words, &reading.asked))
}

fn subject_match(
    reading: &Reading,
    memory: &Memory,
    row: &RowText,
    told_apart: bool,
) -> SubjectMatch {
    if told_apart || is_another(reading, row) || has_another_initial(reading, row) {
        return SubjectMatch::Other;
    }
    let asked: Vec<&FocusTerm> = reading.subjects().collect();
    if asked.is_empty() {
        return where_nobody_is_named(reading, memory, row);
    }
    // "My father" is the row's "Dad".
    let is_found = |it: &&&FocusTerm| {
        row.names(&it.sought) || !it.is_name && row.means(&it.sought) || row.lengthens(&it.raw)
    };
    let found: Vec<&&FocusTerm> = asked.iter().filter(is_found).collect();
    let same = found.len() == asked.len() || found.iter().any(|it| stands_alone(it, row));
    if same {
        SubjectMatch::Same
    } else if reading.excludes_others && !leaves_the_name_out(reading, row) {
        SubjectMatch::Other
    } else {
        where_nobody_is_named(reading, memory, row)
    }
}

/// "Flu jab done, left arm" for "in which arm did Mum have the flu jab": who keeps notes of one person leaves the name out.
/// Only a row that says all else that is asked, and much of it, and names nobody does.
fn leaves_the_name_out(reading: &Reading, row: &RowText) -> bool {
    let mut asked = reading.focus.iter().filter(|term| {
        term.role == Role::Attribute && !term.is_light && term.weight > WEIGHT_LIGHT
    });
    let said = |term: &FocusTerm| {
        let held = |word: &Word| term.sought.is_held_by(word) >= MEANT;
        row.words.iter().any(held)
    };
    let another = |word: &Word| !reading.asked.hold(word.mark);
    let names = |word: &Word| word.is_name() && another(word);
    let nobody = !row.first_person
        && !row.leading_name().is_some_and(another)
        && !row.words.iter().any(names);
    nobody && asked.clone().count() >= MUCH_ASKED && asked.all(said)
}

/// How a row stands to a question about the person who asks, or about nobody. Whoever is named may be one of those for whom
/// somebody says "we".
fn where_nobody_is_named(reading: &Reading, memory: &Memory, row: &RowText) -> SubjectMatch {
    if reading.profile == ProfileIntent::None {
        SubjectMatch::NotAsked
    } else if is_about_a_relative(reading, row) {
        SubjectMatch::Other
    } else if is_about_asker(reading, memory, row) {
        SubjectMatch::Same
    } else if reading.of_a_group || !begins_with_another(reading, row) {
        SubjectMatch::NotAsked
    } else if names_whom(reading, row) {
        SubjectMatch::Same
    } else {
        SubjectMatch::Other
    }
}

/// Whether what the question numbers has another number in the row, and the question's nowhere: "room 12" for "room 14",
/// where "room 12 and room 14" asks for either.
fn is_another(reading: &Reading, row: &RowText) -> bool {
    if reading.numbered.is_empty() {
        return false;
    }
    let said: Vec<Numbered> = numbered(&row.words, false).collect();
    let numbered = || reading.numbered.iter();
    let said_of = |asked: &Numbered| said.iter().any(|it| asked.is_same(*it));
    numbered().any(|asked| {
        let mut of_kind = numbered().filter(|it| it.is_of_kind(*asked));
        said.iter().any(|it| asked.is_another(*it)) && !of_kind.any(said_of)
    })
}

/// "Ben T." is not "Ben R.", and may be "Ben Tanner".
fn has_another_initial(reading: &Reading, row: &RowText) -> bool {
    reading.initials.iter().any(|(name, letter)| {
        let behind = row.words.iter().zip(row.words.iter().skip(1));
        let behind = behind.filter(|(one, _)| one.mark == *name && !one.possessive);
        let mut met = behind.map(|(_, next)| next).peekable();
        let is_another =
            |next: &Word| next.capital && !next.first && !next.raw.starts_with(*letter);
        met.peek().is_some() && met.all(is_another)
    })
}

/// "My sister": the row may call her by her name.
fn names_whom(reading: &Reading, row: &RowText) -> bool {
    reading.names().any(|it| row.names(&it.sought))
}

/// Part of a name stands for all of it where it is a name and no other surname follows: "Ana" for "Ana Souza", but not
/// "Ana Lima", and not "the project" for "Project Falcon".
fn stands_alone(term: &FocusTerm, row: &RowText) -> bool {
    if term.is_tied {
        return false;
    }
    if term.is_whole_name || row.is_labelled(&term.sought) {
        return true;
    }
    let next = row.words.iter().skip(1).map(Some).chain([None]);
    row.words.iter().zip(next).any(|(word, next)| {
        word.mark == term.sought.stem() && word.capital && !next.is_some_and(Word::is_name)
    })
}

/// Whether whom the question is about said the row, or the row begins with their name.
fn is_by_subject(reading: &Reading, memory: &Memory, row: &RowText) -> bool {
    let is_subject = |word: &Word| {
        let mut subjects = reading.subjects();
        subjects.any(|it| it.sought.stem() == word.mark)
    };
    row.leading_name().is_some_and(is_subject)
        || memory.speaker.is_some() && reading.subjects().any(|it| row.is_spoken_by(&it.sought))
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
    let attribute = |term: &&FocusTerm| term.role == Role::Attribute;
    let is_asked = |word: &Word| {
        let mut asked = reading.focus.iter().filter(attribute);
        asked.any(|term| term.sought.stem() == word.mark)
    };
    let denied = |at: usize| row.words.iter().skip(at + 1).take(3).any(is_asked);
    let denies = |at: usize| !is_but(row, at + 1) && denied(at) && !says_anew(row, at);
    let mut most_said = None;
    let mut start = 0;
    row.words.chunk_by(|_, next| !next.first).any(|sentence| {
        let from = start;
        start += sentence.len();
        let mut negations = (from..)
            .zip(sentence)
            .filter(|(_, it)| it.is(Cue::Negation));
        negations.any(|(at, _)| denies(at)) && !says_when_it_may(sentence) && {
            let said =
                *most_said.get_or_insert_with(|| most_asked_where_nothing_is_denied(reading, row));
            said == 0 || said < asked_in(reading, sentence)
        }
    })
}

/// How many words of the question a sentence holds.
fn asked_in(reading: &Reading, sentence: &[Word]) -> usize {
    let asked = sentence.iter().filter(|word| reading.asked.hold(word.mark));
    asked.map(|word| word.mark).collect::<HashSet<u64>>().len()
}

/// "Refunds take a week. We never refund to another card": what one sentence denies another says, and as much of what is
/// asked with it.
fn most_asked_where_nothing_is_denied(reading: &Reading, row: &RowText) -> usize {
    let sentences = row.words.chunk_by(|_, next| !next.first);
    let affirming = sentences.filter(|it| !it.iter().any(|word| word.is(Cue::Negation)));
    affirming.map(|it| asked_in(reading, it)).max().unwrap_or(0)
}

/// "Nothing but pumpkins", "no more than two": what follows is so.
fn is_but(row: &RowText, at: usize) -> bool {
    const BUT: [&str; 5] = ["but", "except", "als", "außer", "sino"];
    let next = row.words.get(at);
    next.is_some_and(|next| BUT.contains(&next.raw.as_str()))
}

/// "Don't touch it without asking Ruth": what is denied is so under a condition alone.
fn says_when_it_may(sentence: &[Word]) -> bool {
    const UNDER: [&str; 6] = ["without", "unless", "until", "ohne", "sin", "sans"];
    let denied = sentence.iter().position(|word| word.is(Cue::Negation));
    let behind = denied.and_then(|at| sentence.get(at + 1..));
    let mut behind = behind.unwrap_or_default().iter();
    behind.any(|word| UNDER.contains(&word.raw.as_str()))
}

/// "I moved to Bergen, so I no longer live in Oslo" denies what is over, and says what holds.
fn says_anew(row: &RowText, negation: usize) -> bool {
    let is_over = row
        .words
        .get(negation + 1)
        .is_some_and(|word| word.raw == "longer");
    let before = row.words.iter().take(negation);
    is_over && before.into_iter().any(|word| word.is(Cue::Change))
}

/// Whether the row holds a word that excludes one of the question's, and whether it so speaks of another thing of one kind.
fn exclusion(reading: &Reading, row: &RowText) -> (bool, bool) {
    excluding(reading, row).fold((false, false), |(_, another), asked| {
        (true, another || asked.kind == Contrast::Things)
    })
}

/// The groups of words of the question of which the row holds another one alone.
fn excluding<'r>(reading: &'r Reading, row: &'r RowText) -> impl Iterator<Item = &'r Cell> {
    let yes_no = reading.kind == QuestionKind::YesNo;
    let everywhere = reading
        .cells
        .iter()
        .filter(|it| it.kind != Contrast::Tellings);
    everywhere.filter(move |asked| {
        let of_group = row.cells.iter().any(|cell| cell.group == asked.group);
        let agrees = reading
            .cells
            .iter()
            .any(|any| row.cells.contains(any) && any.group == asked.group);
        !(agrees || yes_no && asked.kind == Contrast::Opposites) && of_group
    })
}
