//! Procedures: orders that say with what, through whom or where something is done, which is worth knowing the next time.
//!
//! "Check the logs in Kibana" and "book rooms through Outlook" tell how it goes; "book a table for two", "summarise the
//! report in three bullets" and "check this code" are wished once, from whoever reads them.

use super::class::*;
use super::command_words::ASKING_VERBS;
use super::leave_out::Sight;
use super::token::{Shape, Token};
use super::words::{Words, any_of};

/// Verbs of a piece of work that is wanted from the reader, however it is to be done.
#[rustfmt::skip]
const WORK: &Words = &Words::of(&[
    "write", "create", "make", "build", "implement", "develop", "fix", "refactor", "explain", "summarize", "summarise", "translate", "give", "print", "play", "debug", "solve", "analyze", "analyse", "review", "look", "verify", "confirm", "remind", "replace", "swap", "compare", "merge", "combine", "share", "discuss", "add", "remove", "delete", "rename", "move", "turn", "set", "change", "update", "try", "stop", "wait", "come", "go", "help", "tell", "send", "forward", "upload", "download", "submit", "plan", "prepare", "organise", "organize",
]);

/// What anybody may want to know at once, wherever it is looked up.
#[rustfmt::skip]
const OF_TODAY: &Words = &Words::of(&[
    "weather", "forecast", "news", "time", "traffic", "price", "prices", "grammar", "spelling", "score", "attached", "attachment", "following", "same",
]);

/// Prepositions that lead to a means or a helper.
const THROUGH: &Words = &Words::of(&["with", "through", "via", "using", "by"]);

/// Prepositions that lead to a place where something is done.
const WHERE: &Words = &Words::of(&["in", "on", "at", "under"]);

/// Verbs that say to whom or where one turns.
const TURNING: &Words = &Words::of(&["call", "see", "contact", "consult", "phone"]);

/// Verbs of money, which is paid in a currency or a manner.
const CHARGING: &Words = &Words::of(&[
    "invoice",
    "pay",
    "bill",
    "charge",
    "price",
    "quote",
    "reimburse",
]);

/// What is done, and how, stand in so many words.
const REACH: usize = 7;

impl Sight<'_> {
    /// Whether the order at `verb` says how, where or with whom something is done.
    pub(super) fn is_a_procedure(&self, verb: usize) -> bool {
        if self.word_is(verb, WORK) || !self.speaks_of_something_known(verb + 1) {
            return false;
        }
        let near = verb + 2..self.tokens.len().min(verb + 2 + REACH);
        let pauses = |at: &usize| {
            self.tokens
                .get(*at)
                .is_some_and(|token| token.is_mark(',') || token.is_mark(';'))
        };
        // "Plan the set-up for the concert in Antwerp": the place is the concert's.
        let first = near
            .clone()
            .find(|at| self.is(*at, PREPOSITION) || self.word_is(*at, THROUGH));
        let reach = || {
            near.clone()
                .take_while(|at| !pauses(at) && first.is_none_or(|first| *at <= first))
        };
        let named = self.names_something(verb + 1);
        // "Ask Mrs Lindgren for the homework" is done once; "see docs/setup.md for local setup" holds.
        let what_for = |at: usize| {
            self.word_is(at, any_of!["for"])
                && self.tokens.get(at + 1).is_some_and(|next| {
                    next.shape == Shape::Word && !next.is(ARTICLE | POSSESSIVE | PRONOUN | NUMBER)
                })
                && (verb + 1..at).all(|at| self.names_something(at))
        };
        let turns = self.word_is(verb, TURNING) && named && reach().any(what_for);
        turns || reach().any(|at| self.leads_to_a_means(verb, at))
    }

    /// "The logs", "rooms", "Kestrel": no single one that is yet to come, and nothing of which anybody asks.
    fn speaks_of_something_known(&self, at: usize) -> bool {
        let article = self.word_is(at, any_of!["the"]) || self.is(at, POSSESSIVE);
        let head = at + usize::from(article);
        let Some(token) = self.tokens.get(head) else {
            return false;
        };
        let known = article || token.capital || token.shape == Shape::Thing || {
            let word = self.word(at);
            word.ends_with('s') && !word.ends_with("ss")
        };
        let small = PRONOUN | ARTICLE | PREPOSITION | NUMBER | QUESTION | SUBORDINATOR | ADVERB;
        known && !token.is(small) && !(head..head + 2).any(|at| self.word_is(at, OF_TODAY))
    }

    /// "With Stefan", "through Outlook", "in Kibana", "at 28 degrees", "in dollars" behind what is done.
    fn leads_to_a_means(&self, verb: usize, at: usize) -> bool {
        let Some(next) = self.tokens.get(at + 1) else {
            return false;
        };
        let named = self.names_something(at + 1);
        // "Read the file at docs/a.txt" says which file.
        let which = next.shape == Shape::Thing && self.word_is(verb, ASKING_VERBS);
        let keeps = self.word_is(verb, any_of!["keep", "store", "leave"]);
        let measured = keeps && next.shape == Shape::Number;
        let kept = keeps && next.is(ARTICLE | POSSESSIVE);
        // "In dollars", "in cash": the last word of the order.
        let plain = next.shape == Shape::Word
            && next.classes & (FUNCTION | CALENDAR | PRONOUN | NEGATION | ADVERB) == 0;
        let ends = self.tokens.iter().skip(at + 2).all(Token::is_any_mark);
        let in_kind = self.word_is(at, any_of!["in"])
            && plain
            && !next.capital
            && ends
            && self.word_is(verb, CHARGING);
        self.word_is(at, THROUGH) && named
            || self.word_is(at, WHERE) && (named && !which || measured || kept || in_kind)
    }

    /// A name, a path, or what stands between backticks.
    fn names_something(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            token.shape == Shape::Word
                && token.capital
                && !token.is(WEEKDAY | MONTH | NEAR_DAY | PRONOUN)
                || token.shape == Shape::Thing
                || token.of(self.text).starts_with('`')
        })
    }
}
