//! What a clause is by its words: whether it states something at all, and which kind of memory it makes.

use testimony_domain::{EvidenceChannel, MemoryKind};

use super::class::*;
use super::command_words::Command;
use super::leave_out::Sight;
use super::phrases::Sense;
use super::reading::Read;
use super::token::{Shape, Token};
use super::words::any_of;

/// Whether a verb can be seen: one that the tables know, or a word that is bent like one.
pub(crate) fn has_verb(text: &str, tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        if token.is(VERB) {
            return !token.is(ATTRIBUTE) || at > 0;
        }
        let word = token.of(text);
        let small = token.shape == Shape::Word && !token.capital && token.lexeme.is_none();
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        // "Ella no conduce": the denial stands between them.
        let denies = any_of!["non", "não", "nie"];
        let denied = at > 1 && before.is_some_and(|t| t.is(NEGATION) || denies.hold(t, text));
        let subject = before
            .filter(|_| !denied)
            .or_else(|| tokens.get(at.checked_sub(2)?));
        let after_subject = subject.is_some_and(|t| t.is(PRONOUN) && !t.is(ARTICLE) || t.capital);
        // "The teacher charges 38": bent like a verb, and an amount follows.
        let counts = at > 1
            && word.ends_with('s')
            && before.is_some_and(|t| t.shape == Shape::Word && !t.is(PREPOSITION))
            && tokens.get(at + 1).is_some_and(|t| t.shape == Shape::Number);
        // "My brother repairs old radios": bent like a verb, behind a noun with its article.
        let carries = (2..=3).contains(&at)
            && word.ends_with('s')
            && !word.ends_with("ss")
            && tokens.first().is_some_and(|t| t.is(ARTICLE | POSSESSIVE))
            && tokens
                .get(at + 1)
                .is_some_and(|t| t.shape == Shape::Word && !t.is(PREPOSITION | COORDINATOR | VERB));
        small
            && at > 0
            && (word.ends_with("ed") && word.len() > 4
                || counts
                || carries
                || after_subject
                    && (denied || word.ends_with('s') || before.is_some_and(|t| t.is(PRONOUN))))
    })
}

/// What a claim is that is kept as it stands, since no table knows how its words hang together.
pub(crate) fn kind_by_words(sight: &Sight<'_>) -> Option<MemoryKind> {
    if sight.classes & DECIDE != 0 || sight.has(Sense::Decided) {
        Some(MemoryKind::Decision)
    } else if sight.has(Sense::Preferred) {
        Some(MemoryKind::Preference)
    } else {
        None
    }
}

/// What a claim is.
pub(crate) fn kind(
    sight: &Sight<'_>,
    read: &Read,
    command: Option<Command>,
    channel: EvidenceChannel,
) -> MemoryKind {
    let tokens = sight.tokens;
    let any = |class| sight.classes & class != 0;
    let attribute = read
        .slot
        .as_ref()
        .map_or("", |slot| slot.key.attribute.as_str());
    let preferred = attribute.starts_with("prefer")
        || attribute.starts_with("favorite")
        || matches!(attribute, "likes" | "dislikes" | "wants");
    let wishes = matches!(
        command,
        Some(Command::Lasting | Command::Styled | Command::Reasoned | Command::Once)
    );
    if wishes || preferred {
        return MemoryKind::Preference;
    }
    let labelled = tokens.first().is_some_and(|t| t.is(DECIDE))
        && tokens.get(1).is_some_and(|t| t.is_mark(':'));
    let decided = tokens.iter().take(12).any(|t| t.is(DECIDE))
        && !matches!(attribute, "progress" | "is" | "date");
    if labelled || decided || sight.has(Sense::Decided) {
        return MemoryKind::Decision;
    }
    if any(PREFER) && attribute.is_empty() || sight.has(Sense::Preferred) {
        return MemoryKind::Preference;
    }
    let names_output = || {
        tokens.iter().any(|t| {
            t.shape == Shape::Thing
                && t.of(sight.text).contains(['/', '.'])
                && !t.of(sight.text).contains('@')
        })
    };
    if any(MAKE) && names_output() || channel == EvidenceChannel::Artifact {
        return MemoryKind::Artifact;
    }
    let happened = any(PERCEIVE)
        || (any(EVENT)
            && any(PAST)
            && !sight.holds_in_a_case_only()
            && (attribute.is_empty() || matches!(attribute, "duration" | "count")));
    if happened || (channel == EvidenceChannel::ObservedFact && any(PAST) && attribute.is_empty()) {
        return MemoryKind::Observation;
    }
    MemoryKind::Fact
}
