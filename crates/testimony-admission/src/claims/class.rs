//! Classes of words: one bit each, so that a token carries everything that the tables say of its word.

/// A set of word classes.
pub(crate) type Class = u64;

macro_rules! classes {
    ($($(#[$meta:meta])* $name:ident;)+) => {
        classes!(@bits 0; $($(#[$meta])* $name;)+);
    };
    (@bits $bit:expr; $(#[$meta:meta])* $name:ident; $($rest:tt)*) => {
        $(#[$meta])*
        pub(crate) const $name: Class = 1 << ($bit);
        classes!(@bits ($bit) + 1; $($rest)*);
    };
    (@bits $bit:expr;) => {};
}

classes! {
    /// Stands for the subject: "I", "she", "we".
    PRONOUN;
    /// Stands for the speaker alone: "I", "me", "my".
    FIRST;
    /// "We", "our": the speaker and others.
    PLURAL_FIRST;
    /// Stands for whom the text names last: "he", "her", "it".
    THIRD;
    /// "My", "their": what follows belongs to somebody.
    POSSESSIVE;
    /// "The", "a".
    ARTICLE;
    /// A form of "to be" in the present.
    COPULA;
    /// A form of "to be" or "to have" in the past.
    PAST_COPULA;
    /// "Do", "will", "can": stands before a verb.
    AUXILIARY;
    /// Turns a statement into its opposite.
    NEGATION;
    /// May stand between the words of a pattern without changing it.
    ADVERB;
    /// Opens a question.
    QUESTION;
    /// Joins two clauses of the same rank.
    COORDINATOR;
    /// Opens a clause that depends on another.
    SUBORDINATOR;
    /// A verb in a form that can carry a sentence.
    VERB;
    /// A verb in the past.
    PAST;
    /// A month; the value is its number.
    MONTH;
    /// A day of the week; the value is 1 for Monday.
    WEEKDAY;
    /// A number in words; the value is the number.
    NUMBER;
    /// A unit of the calendar; the value is a `CalendarUnit`.
    CALENDAR;
    /// A season; the value is its first month.
    SEASON;
    /// "Last", "this", "next"; the value is -1, 0 or 1.
    RELATIVE;
    /// "Yesterday", "today"; the value is the distance in days.
    NEAR_DAY;
    /// An environment in which software runs.
    ENVIRONMENT;
    /// A word of greeting.
    GREETING;
    /// A word of thanks or goodbye.
    THANKS;
    /// A word that acknowledges.
    ACKNOWLEDGEMENT;
    /// A word that turns a statement into a supposition.
    HEDGE;
    /// Stands before a name.
    TITLE;
    /// A preposition.
    PREPOSITION;
    /// Carries no content of its own when texts are compared.
    FUNCTION;
    /// A noun that names an attribute of something.
    ATTRIBUTE;
    /// A state in which something can be.
    STATUS;
    /// A verb that asks for something when it opens a sentence.
    IMPERATIVE;
    /// A verb of saying.
    REPORT;
    /// A verb of liking, wanting or avoiding.
    PREFER;
    /// A verb of deciding.
    DECIDE;
    /// A verb of seeing or hearing.
    PERCEIVE;
    /// A verb of happening or doing, in the past.
    EVENT;
    /// A verb of making an output.
    MAKE;
    /// Opens a sentence far more often than it goes on with a name.
    STARTER;
    /// Makes an instruction a lasting one: "always", "never".
    LASTING;
    /// A name for what somebody does for a living.
    OCCUPATION;
    /// "Ago" and its kin.
    AGO;
    /// "Since", "from".
    SINCE;
    /// "Until", "through".
    UNTIL;
    /// "Only", "just": restricts what stands beside it.
    ONLY;
    /// A region.
    REGION;
    /// Opens a date that is part of another: "the end of June", "the day before yesterday".
    DATE_PART;
    /// Ends a value wherever it stands.
    CUT;
}
