//! Text that states nothing worth remembering: small talk, whole answers of assistants, generic prose of web pages and
//! manuals, output of terminals, questions, and rows of tests, logs and programs.
//!
//! [`classify`] decides about a whole text, [`sentence_is_residue`] about one sentence, so that the sentences around a
//! fact can be dropped and the fact kept.
//! A text that mixes residue with a fact is not residue.
//!
//! This module does not look for attacks or secrets, and does not cut a text into claims.

mod cues;
mod prose;
mod question;
mod rows;
mod small_talk;
mod small_talk_words;
mod telegram;
mod telegram_words;
mod terminal;

use std::ops::Range;
use std::sync::LazyLock;

use testimony_domain::Reason;

use crate::folded::Folded;
use crate::lexicon::{Lexicon, sentences};
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

static LEXICON: LazyLock<Lexicon> = LazyLock::new(prose::lexicon);

/// How many sentences are looked at one by one; a longer text of small talk alone is not known to occur.
const SENTENCES: usize = 64;

/// What the text as a whole is, where it states nothing.
#[must_use]
pub fn classify(text: &str) -> Option<ResidueFinding> {
    let read = Folded::of(text);
    let cues = Cues::of(&LEXICON, &read);
    let folded = read.text;
    let (reason, rule) =
        whole(text, &folded, &cues).or_else(|| every_sentence(text, &folded, &cues))?;
    let start = text.len() - text.trim_start().len();
    Some(ResidueFinding {
        reason,
        rule,
        span: start..text.trim_end().len().max(start),
    })
}

/// What one sentence is, where it states nothing. The rest of the text is not looked at.
#[must_use]
pub fn sentence_is_residue(sentence: &str) -> Option<Reason> {
    let read = Folded::of(sentence);
    let cues = Cues::of(&LEXICON, &read);
    let folded = read.text;
    sentence_residue(sentence, &folded, &cues).map(|(reason, _)| reason)
}

fn whole(text: &str, folded: &str, cues: &Cues) -> Option<prose::Finding> {
    if has_no_words(text) {
        return (!text.trim().is_empty()).then_some((Reason::ResidueEmoji, "emoji.no_words"));
    }
    if rows::is_one_sign(folded) {
        return Some((Reason::TestRow, "test.one_sign"));
    }
    let row = cues
        .has(Cue::RowGate)
        .then(|| rows::row(text, folded).or_else(|| telegram::test_row(folded)))
        .flatten();
    row.or_else(|| telegram::log_line(folded))
        .or_else(|| {
            let is_output = cues.has(Cue::Terminal) && terminal::is_terminal_output(folded);
            is_output.then_some((Reason::ResidueTerminalNoise, "terminal.output"))
        })
        .or_else(|| prose::generic_prose(folded, cues))
}

/// The reason of the first sentence, if every sentence is residue.
fn every_sentence(text: &str, folded: &str, cues: &Cues) -> Option<prose::Finding> {
    if let Some(reason) = small_talk::small_talk(text) {
        return Some((reason, "talk.only"));
    }
    let mut first = None;
    for (count, (start, sentence)) in sentences(folded).enumerate() {
        let spelled = text.get(start..start + sentence.len())?;
        if count >= SENTENCES {
            return None;
        }
        // The one sentence of a text has been looked at as a whole already.
        let found = if sentence.len() == folded.trim().len() {
            bare_question(sentence).or_else(|| closes_an_answer(sentence, cues))?
        } else {
            sentence_residue(spelled, sentence, &Cues::of(&LEXICON, &Folded::of(sentence)))?
        };
        // A greeting or a word of thanks before a question does not make the question one.
        first = match first {
            Some((
                Reason::ResidueGreeting
                | Reason::ResidueThanks
                | Reason::ResidueAcknowledgement
                | Reason::ResidueEmoji,
                _,
            )) if !is_talk(found.0) => Some(found),
            None => Some(found),
            decided => decided,
        };
    }
    first
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

fn sentence_residue(sentence: &str, folded: &str, cues: &Cues) -> Option<prose::Finding> {
    talk_or_question(sentence, folded)
        .or_else(|| whole(sentence, folded, cues))
        .or_else(|| closes_an_answer(folded, cues))
}

fn talk_or_question(sentence: &str, folded: &str) -> Option<prose::Finding> {
    if let Some(reason) = small_talk::small_talk(sentence) {
        return Some((reason, "talk.only"));
    }
    bare_question(folded)
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
        && cues.has(Cue::Opener);
    (closes || announces || cues.has(Cue::Identity))
        .then_some((Reason::ResidueAnswerDump, "dump.phrase"))
}

/// Whether three words or more follow a colon: what a sentence announces so is what it says.
fn states_after_a_colon(folded: &str) -> bool {
    let after = folded.split_once(": ").map(|(_, after)| after);
    after.is_some_and(|after| after.split_whitespace().nth(2).is_some())
}

/// Whether the text has neither letters nor digits; a keycap and an emoticon such as `:D` are signs.
fn has_no_words(text: &str) -> bool {
    if !text.chars().any(char::is_alphanumeric) {
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
