//! Which tense places a date: a verb that only tells how something was told leaves what was told its own, and what is
//! moved from one day to another lies ahead.

use std::ops::Range;

use super::calendar::Tense;
use super::class::*;
use super::date_forms::Reader;
use super::date_ranges::{FROM, TO};
use super::dates::tense_of;
use super::token::{Shape, Token};
use super::words::{Words, any_of};

/// The tense of what a sentence tells, where that stands in tokens, and the tense of the words around it.
#[derive(Clone, Debug)]
pub(super) struct Tenses {
    told: Range<usize>,
    of_told: Tense,
    of_frame: Tense,
}

impl Tenses {
    pub(super) fn at(&self, at: usize) -> Tense {
        if self.told.contains(&at) {
            self.of_told
        } else {
            self.of_frame
        }
    }
}

/// The tenses of a sentence, by its verbs.
pub(super) fn tenses(text: &str, tokens: &[Token]) -> Tenses {
    let told = told(text, tokens).unwrap_or(0..tokens.len());
    let part = |range: Range<usize>| tokens.get(range).unwrap_or_default();
    let around = match told.start {
        0 => told.end..tokens.len(),
        start => 0..start,
    };
    let of_frame = tense_of(text, part(around));
    let of_told = match tense_of(text, part(told.clone())) {
        // "He wrote that it will ship on 9 May": what lay ahead then may be over now.
        Tense::Future if of_frame == Tense::Past => Tense::Unknown,
        tense @ (Tense::Past | Tense::Future | Tense::Unknown) => tense,
    };
    Tenses {
        told,
        of_told,
        of_frame,
    }
}

/// Verbs behind which "that" opens what was told or thought, beside those of saying.
#[rustfmt::skip]
const THINKING: &Words = &Words::of(&[
    "heard", "learned", "learnt", "decided", "agreed", "thought", "believed", "knew", "noticed", "promised", "hoped", "realised", "realized", "wrote", "replied", "assumed", "insisted", "admitted", "added", "noted",
    "hörte", "erfuhr", "entschied", "schrieb",
]);

/// Opens what is told.
const THAT: &Words = &Words::of(&["that", "dass", "que", "qu'", "qu’"]);

/// Between a verb of saying and what is said stand at most so many tokens: to whom.
const MOST_BETWEEN: usize = 4;

/// "Ana confirmed that …", "Ana said …", "…, said Ana": where what is told stands.
fn told(text: &str, tokens: &[Token]) -> Option<Range<usize>> {
    let verb = tokens
        .iter()
        .position(|token| token.is(REPORT) || THINKING.hold(token, text))?;
    let behind = behind_that(text, tokens, verb)
        .or_else(|| behind_report(tokens, verb))
        .map(|from| from..tokens.len());
    let in_front = || framed_behind(tokens).map(|to| 0..to);
    behind.or_else(in_front).filter(|told| {
        let part = tokens.get(told.clone()).unwrap_or_default();
        part.iter().any(|token| token.is(VERB))
    })
}

/// "We decided that …", "Ana told my wife that …"; "told a joke that …" says no more than which.
fn behind_that(text: &str, tokens: &[Token], verb: usize) -> Option<usize> {
    let opens = tokens
        .iter()
        .enumerate()
        .skip(verb + 1)
        .take(MOST_BETWEEN + 1)
        .find(|(_, token)| THAT.hold(token, text))?
        .0;
    let reports = tokens.get(verb)?.is(REPORT);
    let to_whom = |token: &Token| {
        token.is_any_mark()
            || reports
                && !token.is(VERB)
                && !any_of!["a", "an"].hold(token, text)
                && (!token.is(PREPOSITION) || any_of!["to"].hold(token, text))
    };
    let between = tokens.get(verb + 1..opens)?;
    between.iter().all(to_whom).then_some(opens + 1)
}

/// "Ana said the exam is on …", "Ana told us: …": a verb in the present follows, and a subject or a colon before it.
fn behind_report(tokens: &[Token], verb: usize) -> Option<usize> {
    let from = verb + 1;
    let rest = tokens
        .get(from..)
        .filter(|_| tokens.get(verb).is_some_and(|t| t.is(REPORT)))?;
    let quotes = |token: &Token| matches!(token.shape, Shape::Mark(':' | '"' | '“' | '„' | '«'));
    if let Some(at) = rest.iter().take(MOST_BETWEEN).position(quotes) {
        return Some(from + at + 1);
    }
    let verb = rest
        .iter()
        .take(MOST_BETWEEN * 2)
        .take_while(|token| !token.is_any_mark())
        .position(|token| token.is(VERB))?;
    // "Said on 14 May the …" dates the telling itself, "told the plan to go …" tells a noun.
    let plain = |token: &Token| !token.is(PREPOSITION | COORDINATOR | SUBORDINATOR);
    let subject = rest.get(..verb)?;
    let ends_in_noun = subject
        .last()
        .is_some_and(|last| !last.is(ARTICLE | POSSESSIVE));
    let present = rest.get(verb).is_some_and(|token| !token.is(PAST));
    (present && ends_in_noun && subject.iter().all(plain)).then_some(from)
}

/// "My flight is on 14 May," said Ana: a few last words behind a pause, with a verb of saying.
fn framed_behind(tokens: &[Token]) -> Option<usize> {
    const MOST_WORDS: usize = 5;
    let ends = tokens.iter().rposition(|token| !token.is_any_mark())? + 1;
    let tail = tokens.get(ends.saturating_sub(MOST_WORDS)..ends)?;
    let pause = tail
        .iter()
        .rposition(|token| matches!(token.shape, Shape::Mark(_)))?;
    let frame = tail.get(pause + 1..)?;
    let says = frame.iter().any(|token| token.is(REPORT))
        && !frame.iter().any(|token| token.is(SUBORDINATOR));
    says.then_some(ends.saturating_sub(MOST_WORDS) + pause)
}

/// Verbs of moving something to another day.
#[rustfmt::skip]
const MOVING: &Words = &Words::of(&[
    "moved", "move", "moves", "moving", "postponed", "postpone", "postpones", "rescheduled", "reschedule", "pushed", "shifted", "changed", "delayed", "rebooked", "brought", "bring", "put", "slipped", "slips", "deferred", "advanced", "switched",
    "verschoben", "verlegt", "vorverlegt", "verschieben", "verlegen", "umgebucht",
    "déplacé", "déplacée", "reporté", "reportée", "repoussé", "repoussée", "avancé", "avancée", "décalé", "décalée",
    "movido", "movida", "aplazado", "aplazada", "pospuesto", "pospuesta", "cambiado", "cambiada", "trasladado", "trasladada", "adelantado", "adelantada", "movió", "movimos", "aplazó", "cambió",
]);

/// Between a verb of moving and the first day stand at most so many tokens.
const NEAR: usize = 7;

impl Reader<'_> {
    /// The tense that places the date at `at`: what is moved to a day or holds until it lies ahead, whatever the tense of
    /// the verb.
    pub(super) fn tense_at(&self, at: usize) -> Tense {
        let ahead = any_of!["to", "until", "till", "by", "bis", "hasta", "al"];
        let onto = at.saturating_sub(1 + usize::from(self.is(at.wrapping_sub(1), ARTICLE)));
        if self.before_is(at, ahead) || self.word_is(onto, any_of!["auf"]) && self.is_moved(onto) {
            return Tense::Future;
        }
        if self.before_is(at, FROM) && self.is_moved(at.saturating_sub(1)) {
            return Tense::Unknown;
        }
        // "She said that she works there since May": what holds since a day has begun.
        if self.before_is(at, any_of!["since", "seit", "depuis"]) {
            return Tense::Past;
        }
        self.tense(at)
    }

    /// "Moved from 3 May to 10 May": whether the day behind the word at `opens` is one that no longer counts, and no
    /// beginning.
    pub(super) fn leaves_day(&self, opens: usize, behind: usize) -> bool {
        let goes_on =
            (behind..behind + 2).any(|at| self.word_is(at, TO) || self.word_is(at, any_of!["auf"]));
        self.word_is(opens, FROM) && goes_on && self.is_moved(opens)
    }

    /// Whether something is moved by the verb around the word at `place`.
    fn is_moved(&self, place: usize) -> bool {
        let moves = |at: usize| self.word_is(at, MOVING);
        // German puts the verb last: "wurde vom 3. auf den 10. Mai verschoben".
        let moves_last = || {
            let last = self.tokens.iter().rposition(|token| !token.is_any_mark());
            last.is_some_and(|last| (place..place + 2 * NEAR).contains(&last) && moves(last))
        };
        let verb = (place.saturating_sub(NEAR)..place)
            .rev()
            .find(|at| moves(*at) || self.is(*at, VERB));
        verb.is_some_and(|at| moves(at) || self.is(at, PAST_COPULA | AUXILIARY) && moves_last())
    }
}
