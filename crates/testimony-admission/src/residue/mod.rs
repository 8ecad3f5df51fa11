//! Text that states nothing worth remembering: small talk, whole answers of assistants, generic prose of web pages and
//! manuals, output of terminals, questions, and rows of tests, logs and programs.
//!
//! [`classify`] decides about a whole text, [`sentence_is_residue`] about one sentence, so that the sentences around a
//! fact can be dropped and the fact kept.
//! A text that mixes residue with a fact is not residue.
//! What no rule knows may still be worded as rows of machines and trials or as generic prose are ([`crate::wording`]);
//! [`ResidueFinding::is_by_wording`] says so, since that is less sure than a rule.
//!
//! This module does not look for attacks or secrets, and does not cut a text into claims.

mod cues;
mod machine_lines;
mod machine_words;
mod narration;
mod notices;
mod prose;
mod question;
mod row_words;
mod rows;
mod small_talk;
mod small_talk_words;
mod telegram;
mod telegram_words;
mod telemetry;
mod terminal;

use std::borrow::Cow;
use std::ops::Range;

use testimony_domain::Reason;

use crate::folded::{Folded, Marks, Word};
use crate::lexicon::sentences;
use crate::listed::{Listed, Listing};
use crate::wording;
use cues::Cue;
use prose::Cues;

/// Why a text is residue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResidueFinding {
    /// What it is.
    pub reason: Reason,
    /// The rule that found it, by its stable id.
    pub rule: &'static str,
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
}

impl ResidueFinding {
    /// Whether only the wording says so, and no rule.
    #[must_use]
    pub fn is_by_wording(&self) -> bool {
        WORDED.iter().any(|(_, _, rule)| *rule == self.rule)
    }
}

/// The phrases that are cues, for the pass over all lists.
pub(crate) fn cues() -> impl Iterator<Item = Listing> {
    let rows = cues::CUES.iter();
    rows.map(|(cue, _, list)| (cue.bit(), Cow::Borrowed(*list)))
}

/// How many sentences are looked at one by one; a longer text of small talk alone is not known to occur.
const SENTENCES: usize = 64;

/// What the text as a whole is, where it states nothing.
#[must_use]
pub fn classify(text: &str) -> Option<ResidueFinding> {
    Look::at(text, &Listed::of(text), false).finding()
}

/// Whether a question reminds its reader of a fact: "Did I mention that …?"
pub(crate) fn question_tells(question: &str) -> bool {
    question::reminds(&Folded::of(question).text)
}

/// What one sentence is, where it states nothing. The rest of the text is not looked at.
#[must_use]
pub fn sentence_is_residue(sentence: &str) -> Option<Reason> {
    let listed = Listed::of(sentence);
    let part = Part::of(sentence, &listed, &(0..sentence.len()))?;
    sentence_residue(&part).map(|(reason, _)| reason)
}

/// A text that was looked at; what was found in it answers for each of its sentences too.
pub(crate) struct Look<'t> {
    text: &'t str,
    listed: &'t Listed,
    /// Whether a person by name said it.
    by_a_person: bool,
    found: Option<prose::Finding>,
    /// Where a sentence stands that was looked at and is no residue.
    cleared: Option<Range<usize>>,
}

impl<'t> Look<'t> {
    /// Looks at a text, which a person by name said or not.
    pub(crate) fn at(text: &'t str, listed: &'t Listed, by_a_person: bool) -> Self {
        let folded = &listed.folded;
        let mut look = Self {
            text,
            listed,
            by_a_person,
            found: None,
            cleared: None,
        };
        let Some(part) = Part::of(text, listed, &(0..text.len())) else {
            return look;
        };
        if let Some(found) = whole(&part).or_else(|| talk(&part)) {
            look.found = Some(found);
            return look;
        }
        let trimmed = folded.text.trim();
        let first = sentences(&folded.text).next();
        if first.is_some_and(|(_, first)| first.len() == trimmed.len()) {
            let found = bare_question(trimmed).or_else(|| closes_an_answer(trimmed, &part.cues));
            let is_all = trimmed.len() == text.len();
            look.cleared = (found.is_none() && is_all).then_some(0..text.len());
            look.found = found;
        } else {
            (look.found, look.cleared) = look.every_sentence();
        }
        look.found = look.found.or_else(|| look.worded(&part));
        look
    }

    /// What the text is by its wording, where none of its sentences is worded as ordinary text is.
    fn worded(&self, all: &Part<'_>) -> Option<prose::Finding> {
        let bounds = if self.by_a_person { SPOKEN } else { WRITTEN };
        // "Status: blocked" is worded as nothing.
        let found = all
            .has_words(FEWEST_OF_A_TEXT)
            .then(|| worded(all, bounds.likely))??;
        // Advice between friends is worded as an assistant's answers and pages are, and is what one of them told the other.
        let between_people = self.by_a_person && is_prose(found.0);
        // Personas of samples are worded as what is said of people.
        let of_people = is_prose(found.0) || found.0 == Reason::TestRow;
        if between_people || of_people && opens_with_somebody(all.text) {
            return None;
        }
        let mut sentences = sentences(&self.listed.folded.text);
        let ordinary = sentences.any(|(start, sentence)| {
            let part = self.part(&(start..start + sentence.len()));
            part.is_some_and(|part| {
                part.has_words(FEWEST_WORDS) && worded(&part, bounds.ordinary).is_none()
            })
        });
        (!ordinary).then_some(found)
    }

    /// What the text as a whole is, where it states nothing.
    pub(crate) fn finding(&self) -> Option<ResidueFinding> {
        let (reason, rule) = self.found?;
        let start = self.text.len() - self.text.trim_start().len();
        Some(ResidueFinding {
            reason,
            rule,
            span: start..self.text.trim_end().len().max(start),
        })
    }

    /// What a sentence of the text is, where it states nothing.
    pub(crate) fn sentence(&self, sentence: &str) -> Option<Reason> {
        let Some(span) = place(self.text, sentence) else {
            return sentence_is_residue(sentence);
        };
        if self.cleared.as_ref() == Some(&span) {
            return None;
        }
        match self.part(&span) {
            Some(part) => sentence_residue(&part).map(|(reason, _)| reason),
            None => sentence_is_residue(sentence),
        }
    }

    fn part(&self, span: &Range<usize>) -> Option<Part<'_>> {
        Part::of(self.text, self.listed, span)
    }

    /// The reason of the first sentence, if every sentence is residue; else where the first stands that is none.
    fn every_sentence(&self) -> (Option<prose::Finding>, Option<Range<usize>>) {
        let mut first = None;
        for (count, (start, sentence)) in sentences(&self.listed.folded.text).enumerate() {
            if count >= SENTENCES {
                return (None, None);
            }
            let span = start..start + sentence.len();
            let Some(part) = self.part(&span) else {
                return (None, None);
            };
            let Some(found) = sentence_residue(&part) else {
                return (None, Some(span));
            };
            // A greeting or a word of thanks before a question does not make the question one.
            first = match first {
                Some((reason, _)) if is_talk(reason) && !is_talk(found.0) => Some(found),
                None => Some(found),
                decided => decided,
            };
        }
        (first, None)
    }
}

/// Where `part` stands in `text`, if it is a piece of it and no copy.
fn place(text: &str, part: &str) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    let span = start..start.checked_add(part.len())?;
    text.get(span.clone()).map(|_| span)
}

/// A piece of a text, or all of it, with its words and what was found in it.
struct Part<'t> {
    text: &'t str,
    folded: &'t str,
    words: &'t [Word],
    /// Where the places of the words count from: the whole text, and the same folded.
    around: (&'t str, &'t str),
    cues: Cues,
    /// The marks of the whole text.
    marks: Marks,
}

impl<'t> Part<'t> {
    /// `None` where the piece begins or ends inside of a word.
    fn of(text: &'t str, listed: &'t Listed, span: &Range<usize>) -> Option<Self> {
        let Listed { folded, hits } = listed;
        let inside = hits.get(hits.partition_point(|hit| hit.end <= span.start)..)?;
        let inside = inside.iter().take_while(|hit| hit.end <= span.end);
        Some(Self {
            text: text.get(span.clone())?,
            words: folded.words_in(span)?,
            around: (text, &folded.text),
            folded: folded.text.get(span.clone())?,
            cues: Cues::of(inside.filter(|hit| hit.start >= span.start)),
            marks: folded.marks,
        })
    }

    /// Whether it has so many words, marks left out.
    fn has_words(&self, count: usize) -> bool {
        let mut words = self.words.iter().filter(|word| word.made_of.is_word());
        count == 0 || words.nth(count - 1).is_some()
    }

    fn has_digit(&self) -> bool {
        self.words.iter().any(|word| word.made_of.has_digit())
    }
}

fn whole(part: &Part<'_>) -> Option<prose::Finding> {
    let Part {
        text, folded, cues, ..
    } = part;
    if has_no_words(text) {
        return (!text.trim().is_empty()).then_some((Reason::ResidueEmoji, "emoji.no_words"));
    }
    if rows::is_one_sign(folded) {
        return Some((Reason::TestRow, "test.one_sign"));
    }
    if rows::is_typed_along_rows(folded) {
        return Some((Reason::TestRow, "test.keyboard"));
    }
    let row = cues
        .has(Cue::RowGate)
        .then(|| rows::row(text, folded))
        .flatten()
        .or_else(|| telegram::test_row(part));
    row.or_else(|| telemetry::log_line(folded, part.marks))
        .or_else(|| telegram::log_line(part))
        .or_else(|| {
            let is_output = cues.has(Cue::Terminal) && terminal::is_terminal_output(folded);
            is_output.then_some((Reason::ResidueTerminalNoise, "terminal.output"))
        })
        .or_else(|| machine_lines::machine_line(part))
        .or_else(|| notices::notice(part))
        .or_else(|| prose::generic_prose(folded, cues, part.marks))
        .or_else(|| narration::narrates(folded))
}

/// What the odds of a wording, as logarithms, are taken for.
#[derive(Clone, Copy)]
struct Bounds {
    /// From here on a text is worded as a record is and as nothing that somebody says.
    likely: f64,
    /// Below, a sentence of such a text is worded as ordinary ones are, so that it may be a fact.
    ordinary: f64,
}

const WRITTEN: Bounds = Bounds {
    likely: 0.2,
    ordinary: -2.0,
};
/// Of what a person by name says, most is worth keeping, in whatever words.
const SPOKEN: Bounds = Bounds {
    likely: 0.5,
    ordinary: -1.0,
};
/// Shorter sentences are worded as nothing.
const FEWEST_WORDS: usize = 4;
/// And so are shorter texts.
const FEWEST_OF_A_TEXT: usize = 3;
/// A text of more words is not judged as one: what holds so much holds some fact.
const MOST_WORDS: usize = 160;

/// What a text is by its wording: the name that [`wording::RECORDS`] has for it, why it is residue, by which rule.
#[rustfmt::skip]
const WORDED: [(&str, Reason, &str); 7] = [
    ("test_row", Reason::TestRow, "test.wording"),
    ("lifecycle_log", Reason::LifecycleLog, "log.wording"),
    ("system_generated", Reason::SystemGenerated, "system.wording"),
    ("residue_terminal_noise", Reason::ResidueTerminalNoise, "terminal.wording"),
    ("residue_answer_dump", Reason::ResidueAnswerDump, "dump.wording"),
    ("residue_web_prose", Reason::ResidueWebProse, "web.wording"),
    ("residue_setup_prose", Reason::ResidueSetupProse, "setup.wording"),
];

/// How what stands where a secret stood begins, in lower case. Only the claim that held it is quarantined, so its text is
/// never judged as a whole.
const LABEL: &str = "[redacted:";

/// A text that is worded as records are, with such odds at least, whatever nobody put into a list of them. What people
/// say to each other is not judged by wording, since they say facts in the same words.
fn worded(part: &Part<'_>, least: f64) -> Option<prose::Finding> {
    let may_be = !part.has_words(MOST_WORDS + 1) && !part.folded.contains(LABEL);
    let words = Some(part.words).filter(|_| may_be)?;
    let likeness = wording::RECORDS.likeness(part.around.1, words)?;
    let (_, reason, rule) = WORDED.iter().find(|(kind, ..)| *kind == likeness.kind)?;
    (likeness.is_known && likeness.odds >= least).then_some((*reason, *rule))
}

const fn is_prose(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::ResidueAnswerDump | Reason::ResidueWebProse | Reason::ResidueSetupProse
    )
}

/// Words that open a sentence with a capital and are nobody.
#[rustfmt::skip]
const NOBODY: [&str; 16] = [
    "This", "That", "It", "There", "Here", "What", "Which", "These", "Everything", "Nothing", "Something", "Each", "Everyone", "Nobody", "One", "Its",
];

/// "Joanna enjoys relaxing with long walks": whoever it is said of, it is said of somebody, in whatever words of prose.
/// "Yoga helps" begins alike, so prose that does is left to the rules.
fn opens_with_somebody(text: &str) -> bool {
    let bare = |word: &'_ str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let mut words = text.split_whitespace().map(bare);
    let Some(first) = words.next() else {
        return false;
    };
    let name = first.split(['\'', '’']).next().unwrap_or_default();
    let mut letters = name.chars();
    let named = letters.next().is_some_and(char::is_uppercase)
        && letters.as_str().len() > 1
        && letters.all(|c| c.is_lowercase() || c == '-')
        && !NOBODY.contains(&name);
    let mut verb = words.next().unwrap_or_default();
    if verb == "and" {
        verb = words.nth(1).unwrap_or_default();
    }
    if verb.ends_with("ly") {
        verb = words.next().unwrap_or_default();
    }
    let third =
        verb.ends_with('s') && !verb.ends_with("ss") || verb.ends_with("ed") || verb == "had";
    let is_small = verb.chars().all(char::is_lowercase);
    // "Joanna's family …": a name that owns tells of somebody too.
    named && (name.len() < first.len() || third && is_small)
}

const fn is_talk(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::ResidueGreeting
            | Reason::ResidueThanks
            | Reason::ResidueAcknowledgement
            | Reason::ResidueEmoji
    )
}

fn sentence_residue(part: &Part<'_>) -> Option<prose::Finding> {
    talk(part)
        .or_else(|| bare_question(part.folded))
        .or_else(|| whole(part))
        .or_else(|| closes_an_answer(part.folded, &part.cues))
}

fn talk(part: &Part<'_>) -> Option<prose::Finding> {
    let reason = small_talk::may_be(part)
        .then(|| small_talk::small_talk(part.text))
        .flatten()?;
    Some((reason, "talk.only"))
}

fn bare_question(folded: &str) -> Option<prose::Finding> {
    question::is_bare_question(folded).then_some((Reason::ResidueQuestion, "question.bare"))
}

/// A sentence in which an assistant opens or closes its answer and says nothing else.
fn closes_an_answer(folded: &str, cues: &Cues) -> Option<prose::Finding> {
    let closes =
        cues.has(Cue::Closer) && !folded.contains(" was ") && !states_after_a_colon(folded);
    let announces = cues.has(Cue::HereIs)
        && folded.trim_end().ends_with([':', '：', '!', '！'])
        && cues.has(Cue::Opener)
        || gives_what_was_asked(folded);
    (closes || announces || cues.has(Cue::Identity))
        .then_some((Reason::ResidueAnswerDump, "dump.phrase"))
}

/// "Here is a summary of the text you sent:": what is announced was asked for, and follows.
fn gives_what_was_asked(folded: &str) -> bool {
    const ASKED: &[&str] = &[
        " you provided",
        " you shared",
        " you sent",
        " you asked for",
        " you requested",
        " you wanted",
        " your request",
        " you gave me",
        " du geschickt hast",
        " du wolltest",
        " que pediste",
        " que me diste",
        " que enviaste",
        " que tu as demandé",
    ];
    const GIVES: &[&str] = &["here ", "here's", "below ", "hier ", "voici", "aquí"];
    folded.trim_end().ends_with([':', '：'])
        && GIVES
            .iter()
            .any(|word| folded.trim_start().starts_with(word))
        && ASKED.iter().any(|words| folded.contains(words))
}

/// Whether three words or more follow a colon: what a sentence announces so is what it says.
fn states_after_a_colon(folded: &str) -> bool {
    let after = folded.split_once(": ").map(|(_, after)| after);
    after.is_some_and(|after| after.split_whitespace().nth(2).is_some())
}

/// Letters that serve as eyes, mouths and arms in faces made of signs.
#[rustfmt::skip]
const FACES: &[char] = &[
    'ツ', 'ッ', 'シ', 'ノ', 'ﾉ', 'ヽ', 'づ', 'つ', 'っ', 'ᴥ', 'ʕ', 'ʔ', 'ω', 'д', 'Д', 'ಠ', 'ಥ', 'ε', 'з', 'З', 'σ', 'ლ', 'و', '๑', 'ง', '皿', '益', 'ヮ', 'ロ', 'ﾟ',
    'o', 'O', 'u', 'U', 'w', 'T', 't', 'x', 'X', 'v', 'V', 'm', 'º', 'ー', 'へ', 'ヘ', 'ᗜ', 'ᐛ', 'ᵔ', 'ᴗ', 'ʖ', '͡', 'Ɛ', 'ｏ', 'ค', 'ᕙ', 'ᕕ', 'ᕗ', 'ᕦ', 'ᕤ', 'ʘ',
];

/// The longest face, in bytes.
const LONGEST_FACE: usize = 60;

/// Whether the text is a face made of signs: `¯\\_(ツ)_/¯`. Latin letters stand alone in one.
fn is_kaomoji(text: &str) -> bool {
    let text = text.trim();
    let other = |c: char| c.is_alphanumeric() && !FACES.contains(&c);
    // Nearly every text ends here, at one of its first letters.
    if text.len() > LONGEST_FACE || text.chars().any(other) {
        return false;
    }
    let mut latin = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_sign = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    text.contains(['(', '（', 'ʕ', '^', '¯', '┻', '╯', '_'])
        && text.chars().any(is_sign)
        && latin.all(|word| word.len() <= 1)
}

/// Whether the text has neither letters nor digits; a keycap and an emoticon such as `:D` are signs.
fn has_no_words(text: &str) -> bool {
    if !text.chars().any(char::is_alphanumeric) || is_kaomoji(text) {
        return true;
    }
    const EMOTICONS: &[&str] = &[
        ":d", ":p", ":-d", ":-p", ";p", "=d", "xd", ":o", ":s", ":3", "<3", "=p", ";d", ":-o",
        "\\o/", "o/",
    ];
    text.len() <= 16
        && text.split_whitespace().all(|word| {
            !word.chars().any(char::is_alphanumeric)
                || EMOTICONS.contains(&word.to_lowercase().as_str())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_of_a_text_is_judged_as_it_is_alone() {
        let text =
            "Thanks! I moved to Oslo_in March. What time is it? 谢谢。 test row 12, please ignore";
        let listed = Listed::of(text);
        let look = Look::at(text, &listed, false);
        for (start, _) in text.char_indices() {
            for (end, _) in text.char_indices().filter(|(end, _)| *end >= start) {
                let piece = text.get(start..end).unwrap();
                assert_eq!(look.sentence(piece), sentence_is_residue(piece), "{piece}");
            }
        }
    }

    #[test]
    fn every_kind_of_record_is_told_by_its_name() {
        let names = WORDED.iter().map(|(name, ..)| *name);
        assert!(wording::RECORDS.kinds().iter().copied().eq(names));
    }

    #[test]
    fn a_fact_beside_small_talk_is_kept() {
        assert_eq!(
            classify("Thanks! By the way I moved to Oslo in March."),
            None
        );
        assert_eq!(sentence_is_residue("Thanks!"), Some(Reason::ResidueThanks));
        assert_eq!(
            sentence_is_residue("By the way I moved to Oslo in March."),
            None
        );
    }
}
