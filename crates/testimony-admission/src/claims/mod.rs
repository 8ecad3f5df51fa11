//! Claims: what a text states, one self-contained statement at a time, each a span of the text that says it.
//!
//! The wording is never rewritten: a claim's text is what was said.
//! Who "I" or "she" is stands in the slot's subject, and the speaker beside it; a claim that leaves to the words before it
//! whom it speaks of is told with the name in brackets.
//! Nothing is lost: what is left out is named with its reason, and a text from which no claim can be drawn is one
//! claim as it stands.

mod asking;
mod attributes;
mod blocks;
mod calendar;
mod called;
mod class;
mod clauses;
mod clock_times;
mod command_words;
mod commands;
mod conditions;
mod copula;
mod correcting;
mod date_forms;
mod date_ranges;
mod date_roles;
mod date_tense;
mod dates;
mod denials;
mod direct_speech;
mod doubt;
mod drawn;
mod entities;
mod extraction;
mod foreign;
mod instead;
mod kinds;
mod labels;
mod leads;
mod leave_out;
mod lexicon;
mod noun;
mod observed;
mod pattern;
mod phrases;
mod piece;
mod procedures;
mod quantity;
mod reading;
mod reading_words;
mod referent_words;
mod referents;
mod rules;
mod sentences;
mod standing;
mod statement;
mod statuses;
mod subject;
mod titles;
mod token;
mod unowned;
mod value;
mod vocabulary;
mod words;
mod wraps;

#[cfg(test)]
mod linear_tests;

pub use blocks::BlockKind;
pub use dates::{DateMention, DateRole, dates, validity};
pub use denials::Denials;
pub use drawn::{Context, Drawn, Extraction, Instead, LeftOut, ResidueRule};
pub use extraction::extract;
pub use observed::parse_observed_at;
pub use sentences::{Sentence, sentences};
pub use statement::Statement;

pub(crate) use noun::UNNAMED_SPEAKER;
pub(crate) use quantity::{plain_amount, plain_figure, same_amount, symbol_of_unit};
pub(crate) use reading::is_many_valued;
pub(crate) use statement::{Compared, WordRole};

/// Whether a word is one that the tables know, so that it is hardly a family name.
pub(crate) fn is_common_word(word: &str) -> bool {
    lexicon::lexicon()
        .find(word)
        .is_some_and(|lexeme| lexeme.classes_in_any() != 0)
        || statuses::names_somebody(word)
}

/// Whether a word names somebody by a role or a kinship: "patient", "mother".
pub(crate) fn is_somebody_word(word: &str) -> bool {
    statuses::names_somebody(word)
}

/// Whether a word names a month, a day of the week or a day near this one, in a language that the tables know.
pub(crate) fn is_time_word(word: &str) -> bool {
    lexicon::lexicon().find(word).is_some_and(|lexeme| {
        lexeme.classes_in_any() & (class::MONTH | class::WEEKDAY | class::NEAR_DAY) != 0
    })
}

/// Whether a word is a verb in a language that the tables know, and names no attribute.
pub(crate) fn is_verb(word: &str) -> bool {
    lexicon::lexicon().find(word).is_some_and(|lexeme| {
        let classes = lexeme.classes_in_any();
        classes & class::VERB != 0 && classes & class::ATTRIBUTE == 0
    })
}
