//! One statement read on its own: its slot, its cues, and the words by which it is compared.

use testimony_domain::{Slot, Timestamp, Validity};

use super::class::*;
use super::dates::{Found, find, validity};
use super::leave_out::Sight;
use super::noun::Scene;
use super::phrases::Sense;
use super::reading::{Read, read};
use super::token::{Shape, tokens};
use super::value::View;

/// What a text says when it is read as one statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The question that it answers, with the answer.
    pub slot: Option<Slot>,
    /// When it holds, as far as it says.
    pub validity: Validity,
    /// Who is said to have said it.
    pub attributed_to: Option<String>,
    pub(crate) cues: Cues,
}

/// What a statement says about how it stands to others, by the phrases in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cues {
    pub(crate) update: bool,
    pub(crate) correction: bool,
    pub(crate) ended: bool,
    pub(crate) past: bool,
    pub(crate) temporary: bool,
    /// The first day of which it speaks, where it says since when it holds.
    pub(crate) since: Option<Timestamp>,
    /// Whether any date in it depends on when it was said.
    pub(crate) dated: bool,
}

impl Statement {
    /// Reads `text` as said by `speaker` at `observed_at`.
    #[must_use]
    pub fn read(text: &str, speaker: Option<&str>, observed_at: Timestamp) -> Self {
        let (tokens, language) = tokens(text, 0, text.len());
        let dates = find(text, &tokens, language, observed_at);
        let scene = Scene {
            speaker: speaker.map(str::to_lowercase),
            ..Scene::default()
        };
        let view = View {
            text,
            tokens: &tokens,
            dates: &dates,
            scene: &scene,
        };
        let Read {
            slot,
            attributed_to,
            ..
        } = read(&view);
        let sight = Sight::new(text, &tokens, language);
        let mentions = || dates.iter().map(|found| &found.mention);
        Self {
            slot,
            validity: validity(mentions()),
            attributed_to,
            cues: cues(&sight, &dates),
        }
    }
}

fn cues(sight: &Sight<'_>, dates: &[Found]) -> Cues {
    let held = validity(dates.iter().map(|found| &found.mention));
    let temporary = dates
        .iter()
        .any(|found| found.mention.role == super::dates::DateRole::Temporary);
    Cues {
        update: sight.has(Sense::Update),
        correction: sight.has(Sense::Correction),
        ended: sight.has(Sense::Ended),
        past: sight.has(Sense::Past),
        temporary: temporary || sight.has(Sense::Temporary),
        since: held.from,
        dated: !dates.is_empty(),
    }
}

/// The words of a text that carry content: lower case, without the endings of number, and without function words; and
/// every number and name among them.
pub(crate) fn comparable_words(text: &str) -> Vec<String> {
    let (tokens, _) = tokens(text, 0, text.len());
    let content = tokens.iter().filter(|token| {
        !matches!(token.shape, Shape::Mark(_) | Shape::Symbol)
            && !token.is(FUNCTION | ARTICLE | POSSESSIVE)
            || token.is(NEGATION)
    });
    content
        .map(|token| stem(&token.of(text).to_lowercase().replace('’', "'")))
        .collect()
}

/// A word without the endings that mark number and person.
fn stem(word: &str) -> String {
    for (ending, instead) in [
        ("ies", "y"),
        ("sses", "ss"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("ing", ""),
        ("ed", ""),
        ("es", ""),
        ("s", ""),
        ("e", ""),
    ] {
        if let Some(head) = word
            .strip_suffix(ending)
            .filter(|head| head.chars().count() >= 3 && !head.ends_with('s'))
        {
            return format!("{head}{instead}");
        }
    }
    word.to_owned()
}
