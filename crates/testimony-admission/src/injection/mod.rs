//! Text that tries to instruct the assistant which will read it.
//!
//! [`examine`] looks for *signals*: groups of concepts that stand close together in a sentence ("ignore", "previous",
//! "instructions", in any of the languages of the word list), and forms such as role tags or images that carry data
//! away.
//! A sentence that is worded as attacks are, by a table of weights of words ([`crate::wording`]), is a signal that makes no
//! score: what nobody put into a list is looked at by a person, and nothing is held for its wording alone.
//! Each signal has a weight; of each family of signals the heaviest counts; the sum is the score, and thresholds per
//! source class make a grade of it, because a standing order of a user is a preference and the same words on a web
//! page are an attack.
//! What is only reported (a talk about attacks, a security guide) keeps part of its weight.
//!
//! This module does not decide where a text goes. It is given every view of the text, and reads each a second time where
//! words in it are written so that no list would find them.

mod concepts;
mod frames;
mod guards;
mod leet;
mod orders;
mod persons;
mod quoting;
mod respelled;
mod run_on;
mod signals;
mod signs;
mod spelled;
mod turned;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use testimony_domain::{SourceClass, words};

use crate::folded::{Folded, Word};
use crate::lexicon::{Hit, Mask, every_choice, sentences};
use crate::listed::{List, Listed, Listing};
use crate::wording;
use concepts::Concept::*;
use concepts::mask_of;
pub(crate) use frames::gates;
use respelled::Respelled;
use signals::{Family, SIGNALS, Signal, WEAK_FROM_STRANGERS};

words! {
    /// How strongly a text tries to instruct its reader, mildest first.
    pub enum Grade {
        /// Not so that anybody would notice.
        None = "none",
        /// So that a person should look.
        Weak = "weak",
        /// So that nobody should follow it.
        Strong = "strong",
    }
}

/// One signal that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundSignal {
    /// Its stable id.
    pub id: &'static str,
    /// What it adds to the score if nothing heavier of its family does.
    pub weight: f64,
    /// Which of the given views shows it, counted from 0.
    pub view: usize,
    /// Where it stands in that view, in bytes.
    pub span: Range<usize>,
    /// Whether the words are only reported, not used.
    pub reported: bool,
}

/// What was found in all views of a text together.
#[derive(Clone, Debug, PartialEq)]
pub struct Injection {
    /// The sum of the heaviest signal of each family.
    pub score: f64,
    /// What the score means for the class of the source.
    pub grade: Grade,
    /// Every signal, heaviest first.
    pub signals: Vec<FoundSignal>,
}

/// The words of concepts, for the pass over all lists.
pub(crate) fn concepts() -> impl Iterator<Item = Listing> {
    let listed = words::WORDS.iter();
    let listed = listed.map(|(concept, _, list)| (concept.bit(), Cow::Borrowed(*list)));
    let made = words::MADE_OF.iter();
    listed.chain(made.map(|(concept, parts)| {
        let words = every_choice(parts).join("|");
        (concept.bit(), Cow::Owned(words))
    }))
}

/// Words that are verbs only where somebody is told to do something.
const COMMANDS: Mask = mask_of(&[
    Ignore, Send, Say, Act, Reveal, Circumvent, Judge, AddVerb, ActAs, Exfiltrate, Obey, Unchecked,
    Ask, Keep,
]);

/// What is said or not said to the user, by command or in a tale.
const TOLD_THE_USER: Mask = mask_of(&[TellUser, DontTell]);
/// Who tells of what they do not say: "we don't tell users which model answers".
const WHO_DO_NOT: &[&str] = &["we", "they", "he", "she", "i", "nurses", "banks", "people"];

/// Concepts that an assistant is addressed with.
const ADDRESSES: Mask = mask_of(&[AddressesAi, AiName, Assistant]);

/// Words before which a verb is no command: somebody else does it, may do it, or is told not to.
#[rustfmt::skip]
const NO_COMMAND_AFTER: &[&str] = &[
    "will", "would", "can", "could", "may", "might", "did", "does", "they", "we", "i", "who", "which", "that", "users",
    "people", "a", "an", "his", "her", "its", "our", "my", "their", "not", "don't", "doesn't", "never", "didn't",
    "won't", "the", "cannot", "can't", "shouldn't", "no", "customers", "staff", "employees", "some", "often", "sometimes",
    "usually", "main", "central", "key", "this", "each", "in", "of", "for", "with", "by", "per", "your",
];

/// Families of standing orders, which an agent may well report of its user.
const ORDERS: &[Family] = &[Family::Future, Family::Answer, Family::Memory];

struct Found {
    signal: FoundSignal,
    family: Family,
    is_wish: bool,
    /// Whether somebody tells that these words were said or written.
    is_mention: bool,
    /// Whether no person says this to a memory of their own.
    is_foreign: bool,
}

impl Found {
    /// Whether no person wrote a sentence that is worded as an attack and reports none.
    fn is_worded_use(&self) -> bool {
        self.family == Family::Wording && !self.signal.reported
    }

    /// Whether it is used, not reported, and foreign to a person's own words.
    const fn is_foreign_use(&self) -> bool {
        self.is_foreign && !self.is_mention && !self.signal.reported && !self.is_wish
    }
}

/// Looks for signals in every view of a text and grades them for the class of its source.
#[must_use]
pub fn examine<'v>(views: impl IntoIterator<Item = &'v str>, class: SourceClass) -> Injection {
    let views = views.into_iter();
    let listed = views.map(|view| (view, Cow::Owned(Listed::of(view))));
    examine_listed(listed, class)
}

/// The same for views in which somebody may have looked for listed words already.
pub(crate) fn examine_listed<'v>(
    views: impl Iterator<Item = (&'v str, Cow<'v, Listed>)>,
    class: SourceClass,
) -> Injection {
    let mut found: Vec<Found> = views
        .enumerate()
        .flat_map(|(view, (text, listed))| {
            let mut found = examine_view(view, &listed);
            found.extend(examine_respelled(view, text, &listed.folded));
            found
        })
        .collect();
    found.sort_by(|a, b| b.signal.weight.total_cmp(&a.signal.weight));
    let score = score(&found, class);
    let foreign = class == SourceClass::UserStatement && found.iter().any(Found::is_foreign_use);
    let worded = class < SourceClass::UserStatement && found.iter().any(Found::is_worded_use);
    let least = if foreign || worded {
        Grade::Weak
    } else {
        Grade::None
    };
    Injection {
        score,
        grade: grade(score, class).max(least),
        signals: found.into_iter().map(|found| found.signal).collect(),
    }
}

/// Whether a text begins with an order to do something.
pub(crate) fn opens_with_command(text: &str) -> bool {
    let listed = Listed::of(text);
    let hits = hits(&listed);
    let folded = &listed.folded.text;
    let first = sentences(folded).next();
    first.is_some_and(|(start, sentence)| {
        let sentence = orders::Sentence {
            text: folded,
            span: start..start + sentence.len(),
            hits: &hits,
            mask: all_of(&hits),
        };
        sentence.opens_with_order().is_some()
    })
}

/// The grade that a score means for a class.
#[must_use]
pub fn grade(score: f64, class: SourceClass) -> Grade {
    let row = signals::THRESHOLDS.iter().find(|row| row.class == class);
    match row {
        Some(row) if score < row.weak => Grade::None,
        Some(row) if score < row.strong => Grade::Weak,
        Some(_) | None => Grade::Strong,
    }
}

/// The heaviest signal of each family, together; what is only reported never adds up to an attack. How a sentence is
/// worded adds nothing: it speaks of the same words, and only brings before a person what no rule knows.
fn score(found: &[Found], class: SourceClass) -> f64 {
    let weight = |found: &Found| {
        // What a document says its reader wants is the document's own wish.
        let eased = found.is_wish && class != SourceClass::ExternalDocument;
        found.signal.weight * if eased { signals::REPORTED_WISH } else { 1.0 }
    };
    let mut families: Vec<(Family, [f64; 3])> = Vec::new();
    for one in found.iter().filter(|one| one.family != Family::Wording) {
        let at = families
            .iter()
            .position(|(family, ..)| *family == one.family);
        let at = at.unwrap_or_else(|| {
            families.push((one.family, [0.0; 3]));
            families.len() - 1
        });
        if let Some((_, [used, reported, mentioned])) = families.get_mut(at) {
            let side = match (one.is_mention, one.signal.reported) {
                (true, _) => mentioned,
                (false, true) => reported,
                (false, false) => used,
            };
            *side = side.max(weight(one));
        }
    }
    let used: f64 = families.iter().map(|(_, [used, ..])| used).sum();
    let beyond = |of: fn(&[f64; 3]) -> f64| -> f64 {
        let each = families.iter().map(|(_, all @ [used, ..])| of(all) - used);
        each.map(|more| more.max(0.0)).sum()
    };
    let reported = beyond(|[_, reported, _]| *reported).min(signals::REPORTED_AT_MOST);
    let mentioned = beyond(|[_, _, mentioned]| *mentioned).min(signals::MENTIONED_AT_MOST);
    used + reported.max(mentioned)
}

/// What is found only because words are written as words are.
fn examine_respelled(view: usize, text: &str, folded: &Folded) -> Vec<Found> {
    let Some(read) = Respelled::of(text, folded) else {
        return Vec::new();
    };
    let mut found = examine_view(view, &Listed::of(&read.text));
    // How words are put together says nothing where somebody else put them so.
    found.retain(|one| one.family != Family::Wording && read.touches(&one.signal.span));
    for one in &mut found {
        one.signal.span = read.original(&one.signal.span);
    }
    found
}

fn examine_view(view: usize, listed: &Listed) -> Vec<Found> {
    let hits = hits(listed);
    let text = &listed.folded.text;
    let mut found = sightings(text, &hits);
    found.extend(worded(listed, &hits));
    if frames::speaks_of_a_code(listed) {
        found.extend(turned(text));
    }
    let frames = frames::frames(listed).into_iter();
    found.extend(frames.map(|found| Sighting {
        id: found.frame.id,
        family: found.frame.family,
        weight: found.frame.weight,
        start: found.span.start,
        span: found.span,
        mask: 0,
        is_spoken_of: found.is_spoken_of,
    }));
    if found.is_empty() {
        return Vec::new();
    }
    let reports = hits.iter().any(|hit| hit.mask & Reports.bit() != 0);
    let quotations = quoting::quotations(text);
    found
        .into_iter()
        .map(|sighting| sighting.weighed(view, text, &quotations, reports))
        .collect()
}

/// Fewer words are a name or a label, and are worded as nothing.
const FEWEST_WORDS: usize = 4;
/// A longer sentence is read in stretches of so many words and marks.
const MOST_WORDS: usize = 64;

/// Stretches of sentences that are worded as attacks are, whatever concepts stand in them.
fn worded(listed: &Listed, hits: &[Hit]) -> Vec<Sighting> {
    let Folded { text, words, .. } = &listed.folded;
    let mut found = Vec::new();
    let mut rest = words.as_slice();
    for (start, sentence) in sentences(text) {
        let end = start + sentence.len();
        let inside = rest.partition_point(|word| word.end <= end);
        let (words, later) = rest.split_at_checked(inside).unwrap_or((rest, &[]));
        rest = later;
        let stretches = words
            .chunks(MOST_WORDS)
            .filter_map(|words| Some((words, worded_as(text, words)?)));
        for (words, id) in stretches {
            let (Some(first), Some(last)) = (words.first(), words.last()) else {
                continue;
            };
            let from = hits.partition_point(|hit| hit.end <= start);
            let inside = hits.iter().skip(from).take_while(|hit| hit.end <= end);
            found.push(Sighting {
                id,
                family: Family::Wording,
                weight: WEAK_FROM_STRANGERS,
                span: first.start..last.end,
                mask: inside.fold(0, |mask, hit| mask | hit.mask),
                start,
                is_spoken_of: false,
            });
        }
    }
    found
}

/// The signal that the wording of a stretch is.
fn worded_as(text: &str, words: &[Word]) -> Option<&'static str> {
    let mut real = words.iter().filter(|word| word.made_of.is_word());
    real.nth(FEWEST_WORDS - 1)?;
    let stretch = text.get(words.first()?.start..words.last()?.end)?;
    if is_one_name(stretch) {
        return None;
    }
    let odds = wording::ATTACKS.likeness(text, words)?.odds;
    (odds >= signals::WORDED_FROM).then_some(signals::WORDED)
}

/// "coding-assistant-1764/note-5": words that are tied to each other are the name of something, however many they are.
fn is_one_name(stretch: &str) -> bool {
    const TIES: &[u8] = b"-_/.:";
    let ties = |byte: u8| byte.is_ascii_alphanumeric() || TIES.contains(&byte);
    stretch.bytes().all(ties)
}

/// Whether every sentence is worded as ordinary ones are: an order in it is one to people, and no machine is meant.
pub(crate) fn reads_as_ordinary(text: &str) -> bool {
    let Folded { text, words, .. } = &Folded::of(text);
    let ordinary = |(start, sentence): (usize, &str)| {
        let end = start + sentence.len();
        let inside = words.partition_point(|word| word.end <= start)
            ..words.partition_point(|word| word.end <= end);
        let words = words.get(inside).unwrap_or_default();
        let likeness = wording::ATTACKS.likeness(text, words);
        likeness
            .is_some_and(|likeness| likeness.is_known && likeness.odds < signals::ORDINARY_BELOW)
    };
    sentences(text).all(ordinary)
}

/// Every signal of concepts, sentence by sentence.
fn sightings(folded: &str, hits: &[Hit]) -> Vec<Sighting> {
    let mut found = Vec::new();
    // What all sentences together lack none of them has; most texts are done with here.
    let everywhere = all_of(hits);
    if everywhere == 0 {
        return found;
    }
    let may_order = orders::may_order(everywhere);
    let may_lower = guards::may_lower(everywhere);
    if !may_order && !may_lower && !SIGNALS.iter().any(|signal| signal.may_match(everywhere)) {
        return found;
    }
    let mut called = 0_usize;
    let mut rest = hits;
    for (start, sentence) in sentences(folded) {
        let end = start + sentence.len();
        let inside = rest.partition_point(|hit| hit.end <= end);
        let (here, later) = rest.split_at_checked(inside).unwrap_or((rest, &[]));
        rest = later;
        if here.is_empty() {
            continue;
        }
        let sentence = orders::Sentence {
            text: folded,
            span: start..end,
            hits: here,
            mask: all_of(here),
        };
        if may_order {
            let reading = sentence.read(called > 0);
            called = if reading.calls {
                orders::CALL_HOLDS
            } else {
                called.saturating_sub(1)
            };
            let order = reading.order.map(|order| (Family::Address, order));
            found.extend(order.map(|order| Sighting::of(&sentence, order)));
        }
        found.extend(matching(&sentence));
    }
    found
}

/// What a sentence lowers, and every signal of the table in it.
fn matching(sentence: &orders::Sentence<'_>) -> impl Iterator<Item = Sighting> {
    let lowered = guards::lowered(sentence).map(|order| (Family::Guard, order));
    let may_match = SIGNALS
        .iter()
        .filter(|signal| signal.may_match(sentence.mask));
    let matching = may_match.filter_map(|signal| {
        let span = closest(sentence.hits, signal)?;
        let (id, weight) = (signal.id, signal.weight);
        Some((signal.family, orders::Order { id, weight, span }))
    });
    let found = lowered.into_iter().chain(matching);
    found.map(|order| Sighting::of(sentence, order))
}

/// What stands in a text that is to be read in another way; nobody knows where of it.
fn turned(text: &str) -> Vec<Sighting> {
    let readings = turned::readings(text).into_iter();
    let mut found: Vec<Sighting> = readings
        .flat_map(|listed| sightings(&listed.folded.text, &hits(&listed)))
        .collect();
    for sighting in &mut found {
        (sighting.start, sighting.span) = (0, 0..text.len());
    }
    found
}

fn all_of(hits: &[Hit]) -> Mask {
    hits.iter().fold(0, |mask, hit| mask | hit.mask)
}

/// A signal in one view, before it is known whether it is only reported.
struct Sighting {
    id: &'static str,
    family: Family,
    weight: f64,
    span: Range<usize>,
    /// The concepts of its sentence.
    mask: Mask,
    /// Where its sentence begins.
    start: usize,
    /// Whether it is markup that is only named.
    is_spoken_of: bool,
}

impl Sighting {
    fn of(sentence: &orders::Sentence<'_>, (family, order): (Family, orders::Order)) -> Self {
        Self {
            id: order.id,
            family,
            weight: order.weight,
            span: order.span,
            mask: sentence.mask,
            start: sentence.span.start,
            is_spoken_of: false,
        }
    }

    fn weighed(self, view: usize, text: &str, quotations: &[Range<usize>], reports: bool) -> Found {
        let quoted = self.is_quoted(text, quotations);
        // A sentence that opens with the command itself does not report it, whatever else it talks about.
        let opens = self.span.start <= self.start + 2;
        // A whole sentence that is only worded as an attack may be one about them, with whatever word it opens.
        let is_whole = self.family == Family::Wording;
        let about_attacks = self.mask & Reports.bit() != 0 && (is_whole || !opens);
        let is_mention =
            self.is_spoken_of || quoted && self.mask & mask_of(&[Reports, Mentions]) != 0;
        let told = self.mask & Told.bit() != 0 && reports && !opens;
        let part = if told {
            signals::TOLD_IN_A_REPORT
        } else if is_mention {
            signals::QUOTED_ABOUT_ATTACKS
        } else {
            match (quoted, about_attacks) {
                (true, _) => signals::QUOTED,
                (false, true) => signals::ABOUT_ATTACKS,
                (false, false) => 1.0,
            }
        };
        Found {
            family: self.family,
            is_mention,
            is_foreign: self.is_foreign(text, opens),
            is_wish: self.mask & Wish.bit() != 0 && ORDERS.contains(&self.family),
            signal: FoundSignal {
                id: self.id,
                weight: self.weight * part,
                view,
                span: self.span,
                reported: quoted || about_attacks || told || is_mention,
            },
        }
    }
}

impl Sighting {
    /// Whether it stands in quotation marks, and not as the name of something.
    fn is_quoted(&self, text: &str, quotations: &[Range<usize>]) -> bool {
        // Quotations stand one after the other: only the last that begins before it can hold it.
        let begun = quotations.partition_point(|range| range.start <= self.span.start);
        let last = begun.checked_sub(1).and_then(|at| quotations.get(at));
        let holds = last.filter(|range| self.span.end <= range.end);
        let is_name = |range| self.mask & Reports.bit() == 0 && quoting::is_a_name(text, range);
        let is_cut = || self.family.overrules() && quoting::cuts_a_mention(quotations, &self.span);
        holds.map_or_else(is_cut, |range| !is_name(range))
    }

    fn is_foreign(&self, text: &str, opens: bool) -> bool {
        /// So far behind it is read for what it is about.
        const BEHIND: usize = 40;
        let rest = text.get(self.span.end..).unwrap_or_default();
        // A stem ends inside of its word.
        let rest = rest.trim_start_matches(char::is_alphabetic);
        let behind = rest.get(..rest.floor_char_boundary(BEHIND)).unwrap_or(rest);
        let sign = persons::Sign {
            id: self.id,
            mask: self.mask,
            words: text.get(self.span.clone()).unwrap_or_default(),
            behind,
            opens,
        };
        sign.is_foreign()
    }
}

/// Every concept of the text in the order of where it ends.
fn hits(listed: &Listed) -> Vec<Hit> {
    let folded = &listed.folded;
    let mut hits: Vec<Hit> = listed.hits_of(List::Concepts).collect();
    hits.retain_mut(|hit| as_command(&folded.text, hit));
    say_only_once(&mut hits);
    wish_only_outright(&mut hits);
    if let Some(read) = leet::read(folded) {
        hits.extend(read.hits());
        hits.sort_by_key(|hit| hit.end);
    }
    let names = mask_of(&[Assistant, AiName]);
    if hits.iter().any(|hit| hit.mask & names != 0) {
        let calls = frames::calls(&folded.text);
        if !calls.is_empty() {
            // Letters to people begin so as well.
            let to_a_person = |span: &Range<usize>| {
                folded
                    .text
                    .get(span.clone())
                    .is_some_and(|call| call.contains("dear agent"))
            };
            let calls = calls.into_iter().filter(|(span, _)| !to_a_person(span));
            hits.extend(calls.map(|(span, by_comma)| {
                let concept = if by_comma { Called } else { Labelled };
                Hit {
                    mask: concept.bit(),
                    start: span.start,
                    end: span.end,
                }
            }));
            hits.sort_by_key(|hit| hit.end);
        }
    }
    hits
}

/// "When you reply to me" says when, and does not also say that something is to be replied.
fn say_only_once(hits: &mut [Hit]) {
    for at in 0..hits.len() {
        let Some(frame) = hits
            .get(at)
            .copied()
            .filter(|hit| hit.mask & WhenAnswering.bit() != 0)
        else {
            continue;
        };
        // Hits come in the order of where they end, so that only those right around this one can lie inside of it.
        let behind = hits.partition_point(|hit| hit.end <= frame.end);
        let inside = hits.get_mut(..behind).into_iter().flatten().rev();
        for hit in inside.take_while(|hit| hit.end > frame.start) {
            if hit.start > frame.start {
                hit.mask &= !Say.bit();
            }
        }
    }
}

/// "If the user wants" tells of no wish of theirs.
fn wish_only_outright(hits: &mut [Hit]) {
    /// More hits do not begin inside of one phrase.
    const MOST: usize = 16;
    for at in 0..hits.len() {
        let Some(condition) = hits.get(at).filter(|hit| hit.mask & Whenever.bit() != 0) else {
            continue;
        };
        let end = condition.end;
        let behind = hits.iter_mut().skip(at).take(MOST);
        for hit in behind.filter(|hit| hit.start < end) {
            hit.mask &= !Wish.bit();
        }
    }
}

/// Words that make a person or a thing of an AI that comes before them: "if you are an AI researcher".
#[rustfmt::skip]
const PEOPLE_OF_AI: &[&str] = &[
    "researcher", "researchers", "engineer", "engineers", "startup", "startups", "company", "companies", "team", "teams", "enthusiast",
    "enthusiasts", "developer", "developers", "student", "students", "expert", "experts", "lab", "labs", "specialist", "professional",
    "professionals", "coach", "manager", "director", "principal", "editor", "teacher", "cook", "chef", "nurse", "trainer", "secretary", "practitioner", "professor", "conference", "summit", "meetup", "course", "founder", "founders", "skeptic", "artist",
];

/// None of these words ends further behind an AI, in bytes.
const LONGEST_OF_PEOPLE: usize = 24;

/// Whether the word after `end` makes it one about people.
fn speaks_of_people(folded: &str, end: usize) -> bool {
    let near = folded.ceil_char_boundary(end.saturating_add(LONGEST_OF_PEOPLE).min(folded.len()));
    let after = folded
        .get(end..near)
        .unwrap_or_default()
        .trim_start_matches([' ', '-']);
    let stop = after
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(after.len());
    after
        .get(..stop)
        .is_some_and(|word| PEOPLE_OF_AI.contains(&word))
}

/// The concepts that a hit lacks because it is about something else.
fn lost(folded: &str, hit: &Hit) -> Mask {
    const OF_AN_ASSISTANT: Mask = mask_of(&[Prior, TopMark, DontTell]);
    let has = |mask: Mask| hit.mask & mask != 0;
    let is_else = has(OF_AN_ASSISTANT) && quoting::is_of_something_else(folded, hit);
    let is_old = has(Rules.bit()) && quoting::is_of_an_old_document(folded, hit.end);
    let if_so = |holds: bool, mask: Mask| if holds { mask } else { 0 };
    if_so(is_else, OF_AN_ASSISTANT) | if_so(is_old, Rules.bit())
}

/// Takes the concepts from a hit that only a command has, where it is none; false when nothing is left of it.
fn as_command(folded: &str, hit: &mut Hit) -> bool {
    if hit.mask & ADDRESSES != 0 && speaks_of_people(folded, hit.end) {
        return false;
    }
    hit.mask &= !lost(folded, hit);
    if hit.mask == 0 {
        return false;
    }
    if hit.mask & (COMMANDS | TOLD_THE_USER | FalseConsent.bit()) == 0 {
        return true;
    }
    let (Some(before), Some(word)) = (folded.get(..hit.start), folded.get(hit.start..hit.end))
    else {
        return false;
    };
    let before = before.trim_end_matches(' ');
    if quoting::is_told_of(before, word) {
        return false;
    }
    let word_start = before.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '\''));
    let word = before
        .get(word_start.map_or(0, |at| at + 1)..)
        .unwrap_or_default();
    let tells_you = word == "will"
        && ["you will", ", will"]
            .iter()
            .any(|lead| before.ends_with(lead));
    if NO_COMMAND_AFTER.contains(&word) && !tells_you {
        hit.mask &= !(COMMANDS | TellUser.bit());
    }
    if hit.mask & DontTell.bit() != 0 && WHO_DO_NOT.contains(&word) {
        hit.mask &= !DontTell.bit();
    }
    hit.mask != 0
}

/// Where the concepts that a signal needs stand closest together, if that is close enough.
fn closest(hits: &[Hit], signal: &Signal) -> Option<Range<usize>> {
    let mut last: [Option<(usize, usize)>; 4] = [None; 4];
    let mut tightest: Option<Range<usize>> = None;
    for hit in hits {
        let mut touched = false;
        for (need, seen) in signal.needs.iter().zip(last.iter_mut()) {
            if hit.mask & need.bit() != 0 {
                *seen = Some((hit.start, hit.end));
                touched = true;
            }
        }
        if !touched {
            continue;
        }
        let seen = || signal.needs.iter().zip(last.iter()).map(|(_, seen)| *seen);
        if seen().any(|seen| seen.is_none()) {
            continue;
        }
        let start = seen()
            .flatten()
            .map(|(start, _)| start)
            .min()
            .unwrap_or(hit.start);
        let end = seen()
            .flatten()
            .map(|(_, end)| end)
            .max()
            .unwrap_or(hit.end);
        let fits = signal.within == 0 || end - start <= signal.within;
        if fits
            && tightest
                .as_ref()
                .is_none_or(|span| end - start < span.len())
        {
            tightest = Some(start..end);
        }
    }
    tightest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_many_words_is_worded_as_nothing() {
        for id in [
            "coding-assistant-1764290000000/a5",
            "asked-coding-assistant-1764290000000/a26",
        ] {
            let found = examine([id], SourceClass::ExternalDocument);
            assert_eq!(found.grade, Grade::None, "{id}");
        }
    }

    #[test]
    fn every_signal_needs_few_concepts() {
        assert!(
            SIGNALS
                .iter()
                .all(|signal| (1..=4).contains(&signal.needs.len()))
        );
    }

    #[test]
    fn every_class_has_a_threshold_and_they_rise() {
        let classes: Vec<SourceClass> = signals::THRESHOLDS.iter().map(|row| row.class).collect();
        assert_eq!(classes, SourceClass::ALL);
        assert!(signals::THRESHOLDS.iter().all(|row| row.weak <= row.strong));
        assert!(
            signals::THRESHOLDS
                .windows(2)
                .all(|pair| pair[0].weak <= pair[1].weak && pair[0].strong <= pair[1].strong)
        );
    }

    #[test]
    fn signal_ids_are_unique() {
        let mut ids: Vec<&str> = SIGNALS
            .iter()
            .map(|s| s.id)
            .chain(frames::FRAMES.iter().map(|f| f.id))
            .chain(orders::IDS.iter().chain(guards::IDS).copied())
            .chain([signals::WORDED])
            .collect();
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
