//! The words by which a row can be told to speak of what a query asks, with how much each of them counts.

use std::collections::HashSet;
use std::ops::Range;

use testimony_domain::words;

use super::apart::places;
use super::{QuestionKind, Rarity};
use crate::score::Sought;
use crate::text::{Shape, Word};
use crate::words::{Cue, QUESTIONS, Set, units_of};

words! {
    /// What a term does in a query.
    pub enum Role {
        /// It names whom or what the query is about.
        Subject = "subject",
        /// It names something else, or is an identifier.
        Name = "name",
        /// It says what is asked of the subject.
        Attribute = "attribute",
        /// It comes from the goal of the turn, not from the turn itself.
        Goal = "goal",
    }
}

/// A word by which a row can be told to speak of what is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct FocusTerm {
    /// The word in lower case.
    pub raw: String,
    /// Its stem.
    pub stem: String,
    /// How much it counts.
    pub weight: f64,
    /// What it does.
    pub role: Role,
    /// Whether its shape makes it rare: a number or an identifier.
    pub is_rare_shape: bool,
    /// Whether it is the first or the last word that says what is asked of the subject: without it, a row rather
    /// speaks of something near.
    pub is_key: bool,
    /// Whether it stands in no row that the asker may see, as far as the search knows.
    pub(crate) is_unseen: bool,
    /// Whether it says what somebody did, and the question takes that for granted: "why did they sell the boat".
    pub(crate) is_taken_for_granted: bool,
    /// Whether it says little of what is asked: "use", "keep".
    pub(crate) is_light: bool,
    /// Whether it only says of what kind the answer is: the "port" of "which port does Kestrel use".
    pub(crate) is_category: bool,
    /// Whether it asks where somebody is for a longer time: "work", "live".
    pub(crate) is_of_being: bool,
    /// Whether it is written as a name is.
    pub(crate) is_name: bool,
    /// Whether it is all that the question calls somebody or something: no other part of a name stands beside it.
    pub(crate) is_whole_name: bool,
    /// Whether a hyphen ties it to another part of the same name: "Hartmann-Leclerc".
    pub(crate) is_tied: bool,
    /// Whether it asks what somebody eats, avoids or does not do.
    pub(crate) is_of_refusing: bool,
    /// In which units a number says it: metres for "how deep".
    pub(crate) units: Option<&'static Set>,
    /// Where it says of what kind a thing is, and another word which: the "CI" of a "CI system".
    pub(crate) modifier: Option<Sought>,
    /// How rows are asked for it.
    pub(crate) sought: Sought,
}

/// So many terms tell a topic; a longer turn is told by its heaviest.
const MOST_TERMS: usize = 64;

const WEIGHT_PLAIN: f64 = 1.0;
pub(crate) const WEIGHT_LIGHT: f64 = 0.35;
/// A light word and the category of an answer are no keys; how rare a word is decides nothing here.
const LIGHTEST_KEY: f64 = 0.39;
const WEIGHT_NAME: f64 = 1.3;
const WEIGHT_RARE_SHAPE: f64 = 1.6;
const WEIGHT_LONG: f64 = 1.15;
const LONG_WORD: usize = 8;
const GOAL_SHARE: f64 = 0.5;
/// A word that stands everywhere keeps this much of its weight.
const LEAST_RARITY: f64 = 0.25;

/// So rare is only what stands nowhere.
const UNSEEN: f64 = 0.999_9;

/// What is known of a turn before its words are weighed.
pub(crate) struct Opening {
    /// What it asks for.
    pub(crate) kind: QuestionKind,
    /// How many of its words only lead up to it.
    pub(crate) lead: usize,
    /// Words and stems that say when, or what is no answer; they are no topic.
    pub(crate) aside: HashSet<String>,
}

/// The terms of a turn, heaviest first.
pub(crate) fn terms(
    words: &[Word],
    opening: &Opening,
    rarity: Option<Rarity<'_>>,
) -> Vec<FocusTerm> {
    let (kind, lead) = (opening.kind, opening.lead);
    let subject = subject_run(words, opening);
    let taken = taken_for_granted(words, opening, &subject);
    let mut seen = HashSet::new();
    let mut terms: Vec<FocusTerm> = words
        .iter()
        .enumerate()
        .filter(|(at, word)| counts(words, *at, word, kind, lead))
        .filter(|(_, word)| {
            !opening.aside.contains(&word.raw) && !opening.aside.contains(&word.stem)
        })
        .map(|(at, word)| {
            let role = role_of(words, at, opening, &subject);
            let mut term = term(word, role, rarity);
            term.is_taken_for_granted = taken == Some(at);
            told_by_place(&mut term, words, at, opening);
            term
        })
        .filter(|term| seen.insert(term.raw.clone()))
        .collect();
    if kind.is_question() {
        weigh_lone_category(&mut terms);
        mark_keys(&mut terms);
    }
    heaviest_first(&mut terms);
    terms
}

/// What a word is by where it stands.
fn told_by_place(term: &mut FocusTerm, words: &[Word], at: usize, opening: &Opening) {
    let (kind, lead) = (opening.kind, opening.lead);
    let word = words.get(at);
    let names_category = word.is_some_and(|word| word.is(Cue::Category));
    term.is_whole_name = term.is_name && !has_name_beside(words, at, kind);
    term.is_tied = term.is_name && is_tied(words, at);
    term.units = units_of(&term.raw).filter(|_| MEASURING.contains(&kind));
    term.modifier = modifier(words, at)
        .filter(|_| names_category)
        .map(Sought::of);
    // "How big", "which port": what the question word asks for need not be said, other than in which unit.
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    let opens = at < lead && kind.is_question() && before.is_some_and(is_question_word);
    let opens = opens && term.units.is_none();
    let is_category = opens || is_category(words, at, kind, lead) || names_category && at == lead;
    if is_category && term.role == Role::Attribute {
        term.weight = WEIGHT_LIGHT;
        term.is_category = !names_category;
    }
}

/// Where nothing else says what is asked, the kind of the answer does: "which linter do we use".
fn weigh_lone_category(terms: &mut [FocusTerm]) {
    let says_little = |term: &FocusTerm| term.is_category || term.is_light;
    if terms.iter().all(says_little) {
        let categories = terms.iter_mut().filter(|term| term.is_category);
        categories.for_each(|term| term.weight = WEIGHT_PLAIN);
    }
}

/// Kinds of questions that a number with its unit may answer: "how heavy is", "what does she weigh".
const MEASURING: [QuestionKind; 3] = [
    QuestionKind::HowMany,
    QuestionKind::HowMuch,
    QuestionKind::What,
];

fn is_question_word(word: &Word) -> bool {
    QUESTIONS.at(&[word.raw.as_str()]).is_some()
}

/// Whether a hyphen ties a word to another one: "Hartmann-Leclerc".
fn is_tied(words: &[Word], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    let mut either = before.into_iter().chain(words.get(at));
    either.any(|word| word.tied)
}

fn mark_keys(terms: &mut [FocusTerm]) {
    let mut asked = terms
        .iter_mut()
        .filter(|term| term.role == Role::Attribute && term.weight > LIGHTEST_KEY);
    if let Some(first) = asked.next() {
        asked.next_back().unwrap_or(&mut *first).is_key = true;
        first.is_key = true;
    }
}

/// Adds the words of the turn's goal, at half weight.
pub(crate) fn add_goal(terms: &mut Vec<FocusTerm>, goal: &[Word], rarity: Option<Rarity<'_>>) {
    let known: HashSet<String> = terms.iter().map(|term| term.raw.clone()).collect();
    let mut seen = HashSet::new();
    let added = goal
        .iter()
        .filter(|word| !word.stop && !known.contains(&word.raw))
        .filter(|word| seen.insert(word.raw.as_str()))
        .map(|word| {
            let mut term = term(word, Role::Goal, rarity);
            term.weight *= GOAL_SHARE;
            term
        });
    terms.extend(added);
    heaviest_first(terms);
}

fn heaviest_first(terms: &mut Vec<FocusTerm>) {
    terms.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    terms.truncate(MOST_TERMS);
}

fn counts(words: &[Word], at: usize, word: &Word, kind: QuestionKind, lead: usize) -> bool {
    let asks = kind.is_question() && kind != QuestionKind::Topic;
    let asked_noun = asks && at <= lead && word.is(Cue::AskedNoun);
    // A task's verb and a question's opening say what is wanted, not what it is about.
    let opens = at < lead && (!asks || word.is(Cue::Light));
    // A word within an identifier that stands there as a whole is counted with it.
    let in_whole = word.shape != Shape::Identifier
        && word.raw.chars().count() < 2
        && words.iter().skip(at).take(6).any(|next| next.whole);
    !word.stop && !asked_noun && !opens && !in_whole && !is_title(words, at)
}

/// "Dr Osei" is asked about by her name; every doctor has the title.
fn is_title(words: &[Word], at: usize) -> bool {
    let large = |at: usize| words.get(at).filter(|word| word.capital);
    large(at).is_some_and(|word| word.is(Cue::Title)) && large(at + 1).is_some_and(Word::is_name)
}

/// In "which port does …" the port is the category of the answer, which the row need not name.
fn is_category(words: &[Word], at: usize, kind: QuestionKind, lead: usize) -> bool {
    let asks_for_one = matches!(kind, QuestionKind::What | QuestionKind::Which);
    asks_for_one && at == lead && words.get(at + 1).is_some_and(|next| next.stop)
}

fn says_refusal(word: &Word) -> bool {
    let cues = [Cue::Eating, Cue::Refusing, Cue::Negation];
    cues.iter().any(|cue| word.is(*cue))
}

/// What stands right before a word and carries a topic.
fn modifier(words: &[Word], at: usize) -> Option<&Word> {
    let before = at.checked_sub(1).and_then(|at| words.get(at))?;
    (!before.stop && !before.is(Cue::Light)).then_some(before)
}

/// Whether a word stands in some row.
pub(crate) fn is_known(word: &Word, rarity: Option<Rarity<'_>>) -> bool {
    rarity.is_some_and(|of| of(&word.raw) < UNSEEN)
}

fn term(word: &Word, role: Role, rarity: Option<Rarity<'_>>) -> FocusTerm {
    let is_rare_shape = word.shape != Shape::Plain;
    let by_shape = match (role, is_rare_shape) {
        (_, true) => WEIGHT_RARE_SHAPE,
        (Role::Subject | Role::Name, false) => WEIGHT_NAME,
        (Role::Attribute | Role::Goal, false) if word.is(Cue::Light) => WEIGHT_LIGHT,
        (Role::Attribute | Role::Goal, false) if word.raw.chars().count() >= LONG_WORD => {
            WEIGHT_LONG
        }
        (Role::Attribute | Role::Goal, false) => WEIGHT_PLAIN,
    };
    let rarity = rarity.map(|of| of(&word.raw).clamp(0.0, 1.0));
    let by_rarity = rarity.map_or(1.0, |rarity| LEAST_RARITY + (1.0 - LEAST_RARITY) * rarity);
    FocusTerm {
        raw: word.raw.clone(),
        stem: word.stem.clone(),
        weight: by_shape * by_rarity,
        role,
        is_rare_shape,
        is_key: false,
        is_taken_for_granted: false,
        is_light: word.is(Cue::Light),
        is_category: false,
        is_of_refusing: says_refusal(word),
        is_tied: false,
        units: None,
        modifier: None,
        is_of_being: word.is(Cue::OfBeing),
        is_name: word.capital,
        is_whole_name: false,
        is_unseen: rarity.is_some_and(|rarity| rarity >= UNSEEN),
        sought: Sought::of(word),
    }
}

fn role_of(words: &[Word], at: usize, opening: &Opening, subject: &Range<usize>) -> Role {
    let names = |word: &Word| named(word, opening.kind) || word.shape == Shape::Identifier;
    if is_category(words, at, opening.kind, opening.lead) {
        Role::Attribute
    } else if subject.contains(&at) {
        Role::Subject
    } else if words.get(at).is_some_and(names) {
        Role::Name
    } else {
        Role::Attribute
    }
}

/// The words that name the subject, where whoever does not speak of it speaks of something else. None where its name only
/// says which of several things is meant, nor where it is joined with the person who asks.
pub(super) fn excluding_subject<'w>(words: &'w [Word], opening: &Opening) -> &'w [Word] {
    let kind = opening.kind;
    let run = subject_run(words, opening);
    let named = words.get(run.clone()).unwrap_or_default();
    let owner = named.iter().any(|word| word.possessive);
    let modifying = kind != QuestionKind::Topic && !owner && only_modifies(words, &run, kind);
    let joined = is_joined_with_asker(words, &run) || is_joined_with_thing(words, &run);
    let excludes = !modifying && !joined;
    if excludes { named } else { &[] }
}

/// The words that name the subject: one, and the names that follow it at once. Empty when there is none.
fn subject_run(words: &[Word], opening: &Opening) -> Range<usize> {
    let kind = opening.kind;
    let Some(start) = subject_of(words, opening) else {
        return 0..0;
    };
    if tied_name(words, start) > 0 {
        return start..start + tied_name(words, start);
    }
    let more = names_following(words, start, kind);
    let before = words.iter().take(start).rev();
    let fewer = if words.get(start).is_some_and(|word| word.capital) {
        before.take_while(|word| named(word, kind)).count()
    } else {
        0
    };
    start - fewer..start + 1 + more
}

/// Kinds of questions that take for granted that something was done.
const TAKING_FOR_GRANTED: [QuestionKind; 3] =
    [QuestionKind::When, QuestionKind::Why, QuestionKind::Where];

/// Where the verb stands that says what was done: behind "who", behind "did" and a name or a pronoun, or behind "was".
fn taken_for_granted(words: &[Word], opening: &Opening, subject: &Range<usize>) -> Option<usize> {
    let (kind, lead) = (opening.kind, opening.lead);
    if kind == QuestionKind::Who {
        return words
            .get(lead)
            .filter(|word| says_what_was_done(word))
            .map(|_| lead);
    }
    if !TAKING_FOR_GRANTED.contains(&kind) {
        return None;
    }
    let Some(did) = words.iter().position(|word| word.raw == "did") else {
        return suffered(words);
    };
    let behind = words.get(did + 1)?;
    let by_name = subject.start == did + 1;
    let verb = if by_name { subject.end } else { did + 2 };
    let acts = by_name || behind.is(Cue::FirstPerson) || behind.is(Cue::SomebodyElse);
    acts.then_some(verb).filter(|at| *at < words.len())
}

/// "When was the account closed": what was done to somebody or something.
fn suffered(words: &[Word]) -> Option<usize> {
    let is_passive = |word: &Word| matches!(word.raw.as_str(), "was" | "were");
    let was = words.iter().position(is_passive)?;
    let behind = words.iter().enumerate().skip(was + 1);
    let mut done = behind.filter(|(_, word)| says_what_was_done(word));
    done.next().map(|(at, _)| at)
}

/// A regular verb of the past that says more than that something was there.
fn says_what_was_done(word: &Word) -> bool {
    let verb = word.shape == Shape::Plain && word.raw.ends_with("ed");
    verb && !(word.stop || word.capital || word.is(Cue::Light))
}

/// How many words behind a name belong to it, or to others that are joined with it: "Ana Souza and Ben". Behind an owner
/// stands what is owned: "Ana's Q4 target".
fn names_following(words: &[Word], start: usize, kind: QuestionKind) -> usize {
    let following = words.get(start + 1..).unwrap_or_default();
    let joined = |at: usize, word: &Word| {
        let next = following.get(at + 1);
        word.is(Cue::Joins) && next.is_some_and(|next| named(next, kind))
    };
    let owned = |at: usize| {
        words
            .get(start + at)
            .is_some_and(|before| before.possessive)
    };
    let belongs =
        |(at, word): &(usize, &Word)| joined(*at, word) || named(word, kind) && !owned(*at);
    following.iter().enumerate().take_while(belongs).count()
}

fn has_name_beside(words: &[Word], at: usize, kind: QuestionKind) -> bool {
    let owner = |word: &&Word| !word.possessive;
    let before = at.checked_sub(1).and_then(|at| words.get(at)).filter(owner);
    let after = words
        .get(at + 1)
        .filter(|_| words.get(at).is_some_and(|word| !word.possessive));
    [before, after]
        .into_iter()
        .flatten()
        .any(|word| named(word, kind))
}

/// In a topic the first word may be a name; in a task or a statement its capital means nothing.
fn named(word: &Word, kind: QuestionKind) -> bool {
    let opens_topic = kind == QuestionKind::Topic && word.first && word.capital;
    let may_be_one = (opens_topic || word.possessive && word.capital) && !word.stop;
    word.is_name() || may_be_one && !word.is_in_the_calendar()
}

/// Whom or what a query is about: the owner in "Ana's dog", else what stands after the auxiliary verb, else the first
/// name that is more than a time: in "my manager before Ana" nobody is named.
fn subject_of(words: &[Word], opening: &Opening) -> Option<usize> {
    let (kind, lead) = (opening.kind, opening.lead);
    if !kind.is_question() {
        return None;
    }
    let owner = words
        .iter()
        .position(|word| word.possessive && !word.stop && !word.is(Cue::When));
    let after_auxiliary = || {
        let at = words
            .iter()
            .skip(lead.saturating_sub(1))
            .position(|word| AUXILIARIES.contains(&word.raw.as_str()))?
            + lead.saturating_sub(1)
            + 1;
        let word = words.get(at)?;
        let bare = !word.stop && word.shape == Shape::Plain && words.len() > at + 1;
        (bare && (named(word, kind) || takes_bare_subject(words, at))).then_some(at)
    };
    owner
        .filter(|at| *at > 0 || words.get(*at).is_some_and(|word| word.capital))
        .or_else(|| (0..words.len()).find(|at| tied_name(words, *at) > 0))
        .or_else(after_auxiliary)
        .or_else(|| {
            let is_topic = |word: &Word| !opening.aside.contains(&word.stem);
            let mut all = words.iter().enumerate();
            let names = |(at, word): &(usize, &Word)| {
                named(word, kind) && is_topic(word) && !is_category(words, *at, kind, lead)
            };
            all.find(names).map(|(at, _)| at)
        })
}

/// Whether a name only says of something else which it is, and the question is about that: "the API keys". It weighs as a
/// name does, and a row need not hold it.
fn only_modifies(words: &[Word], run: &Range<usize>, kind: QuestionKind) -> bool {
    let Some(word) = words.get(run.start).filter(|word| named(word, kind)) else {
        return false;
    };
    let before = run.start.checked_sub(1).and_then(|at| words.get(at));
    let behind_verb = before
        .is_none_or(|before| before.is(Cue::OfOne) || AUXILIARIES.contains(&before.raw.as_str()));
    let after = words.get(run.end);
    let of_a_noun = after.is_some_and(|next| !next.stop && next.shape == Shape::Plain);
    let placed = before.is_some_and(places);
    !word.first && !behind_verb && !placed && of_a_noun
}

/// "Ana and I": both are asked about, and whoever says "I" is not called by a name.
fn is_joined_with_asker(words: &[Word], subject: &Range<usize>) -> bool {
    let own = |at: usize| words.get(at).is_some_and(Word::is_first_person);
    let joins = |at: usize| words.get(at).is_some_and(|word| word.is(Cue::Joins));
    let before = subject.start.checked_sub(2);
    joins(subject.end) && own(subject.end + 1) || before.is_some_and(|at| own(at) && joins(at + 1))
}

/// "The insurance and Adobe": whoever speaks of either speaks of what is asked about.
fn is_joined_with_thing(words: &[Word], subject: &Range<usize>) -> bool {
    let before = |back: usize| {
        let at = subject.start.checked_sub(back);
        at.and_then(|at| words.get(at))
    };
    let is_thing = |word: &Word| !word.stop && !word.is_name() && word.shape == Shape::Plain;
    let joins = before(1).is_some_and(|word| word.is(Cue::Joins));
    !subject.is_empty() && joins && before(2).is_some_and(is_thing)
}

const AUXILIARIES: &[&str] = &["do", "does", "did"];

/// How many words make a name by their hyphens: "the owner of search-indexer", "does mail-relay listen". What is of a kind
/// has an article, and what says how something is stands before a noun: "the follow-up", "of long-term plans".
fn tied_name(words: &[Word], start: usize) -> usize {
    let before = start.checked_sub(1).and_then(|at| words.get(at));
    let opens = |word: &Word| {
        matches!(word.raw.as_str(), "of" | "for" | "is" | "was")
            || AUXILIARIES.contains(&word.raw.as_str())
    };
    let run = words.get(start..).unwrap_or_default();
    let tied = run
        .iter()
        .take_while(|word| word.tied && !word.stop)
        .count();
    let last = run.get(tied).filter(|word| !word.stop);
    let ends = run.get(tied + 1).is_none_or(|next| next.stop || next.whole)
        || before.is_some_and(|it| it.raw == "does");
    let is_name = tied > 0 && last.is_some() && ends && before.is_some_and(opens);
    if is_name { tied + 1 } else { 0 }
}

/// "where does ana live": a bare word between `does` and a verb is a name that somebody did not capitalise.
fn takes_bare_subject(words: &[Word], at: usize) -> bool {
    let after_does = at.checked_sub(1).and_then(|before| words.get(before));
    after_does.is_some_and(|word| word.raw != "do")
        && !words.get(at).is_some_and(|word| word.raw.ends_with('s'))
}
