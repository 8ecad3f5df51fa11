//! Doubt: which clauses of a sentence are only supposed.

use super::class::*;
use super::clauses::Clause;
use super::command_words::Command;
use super::leave_out::Sight;
use super::token::Token;

/// The first clause behind the last semicolon: what is said before it is said for itself.
pub(super) fn behind_semicolon(tokens: &[Token], parts: &[Clause]) -> usize {
    let mark = tokens.iter().rposition(|token| token.is_mark(';'));
    mark.and_then(|mark| parts.iter().position(|clause| clause.from > mark))
        .unwrap_or(0)
}

/// What of a sentence is only supposed.
#[derive(Default)]
pub(super) struct Doubt {
    /// Whether the whole of it ends in doubt, and from which clause on that counts.
    at_the_end: bool,
    from: usize,
    /// Whether the clause before is only supposed, and whether it says that what follows is not sure.
    supposed: bool,
    unsure: bool,
}

impl Doubt {
    pub(super) fn new(at_the_end: bool, from: usize) -> Self {
        Self {
            at_the_end,
            from,
            ..Self::default()
        }
    }

    pub(super) fn falls_on(
        &mut self,
        command: Option<Command>,
        number: usize,
        elided: bool,
        sight: &Sight<'_>,
    ) -> bool {
        let wished = matches!(command, Some(Command::Lasting | Command::Styled));
        let at_the_end = self.at_the_end && number >= self.from;
        let leaning = elided && self.supposed || self.unsure;
        self.supposed = !wished && (at_the_end || sight.is_supposed() || leaning);
        // "I'm not sure, but …": what follows is what is not sure.
        let first = sight.tokens.first();
        self.unsure = self.supposed
            && sight.tokens.len() <= 6
            && first.is_some_and(|it| it.is(FIRST | PLURAL_FIRST | NEGATION | AUXILIARY));
        self.supposed
    }
}
