//! Conventions: orders that say how things of a kind are always done, told by what they speak of and not by their verb.
//!
//! "Keep functions under 50 lines" speaks of all functions, and "ask Priya before changing the schema" of every time it is
//! changed; "fix the test" and "write me a poem" are done once and forgotten.

use super::class::*;
use super::command_words::{ASKING_VERBS, MANNERS};
use super::leave_out::Sight;
use super::lexicon::Language;
use super::token::Shape;
use super::words::{Words, any_of};

/// Verbs that ask for an answer: of whatever kind it is, they ask once.
#[rustfmt::skip]
const ANSWERED: &Words = &Words::of(&[
    "show", "tell", "list", "find", "search", "describe", "compare", "summarize", "summarise", "translate", "draft", "generate", "help", "suggest", "recommend", "imagine", "draw", "rewrite", "rephrase", "proofread", "calculate", "convert",
]);

/// Verbs of what is done once even to many: only the manner in which it is done makes a convention of it.
#[rustfmt::skip]
const ERRANDS: &Words = &Words::of(&[
    "add", "remove", "delete", "update", "set", "rename", "move", "copy", "buy", "order", "book", "install", "upload", "download", "push", "pull", "merge", "restart", "replace", "bring", "grab", "pick", "fetch", "send", "invite", "cancel", "restore", "swap", "revert", "reboot", "reload", "change", "switch", "turn", "refactor", "clean", "clear", "close", "implement",
]);

/// Words of here and now, wherever they stand in an order.
const HERE_AND_NOW: &Words = &Words::of(&[
    "me", "us", "this", "these", "those", "here", "now", "above", "again", "asap",
]);

/// Words that stand for the one thing of which was spoken.
const THE_ONE: &Words = &Words::of(&["it", "them", "him", "her", "that"]);

/// Words in front of a deed around which something is done each time.
const AROUND: &Words = &Words::of(&["before", "after", "when", "while"]);

/// Nouns that end as deeds do.
#[rustfmt::skip]
const NO_DEEDS: &Words = &Words::of(&[
    "morning", "evening", "meeting", "wedding", "nothing", "anything", "everything", "something", "building", "king", "spring", "string", "ring", "thing", "ceiling", "christening", "housewarming", "sibling",
]);

/// Words in front of all of a kind.
const OF_ALL: &Words = &Words::of(&["all", "any", "no", "both", "new", "other"]);

/// Joined to these, "every" and "per" say that something goes with each of a kind.
const BEFORE_EACH: &Words = &Words::of(&["to", "in", "with", "at", "under", "into"]);

/// Prepositions that say how something is done.
const HOW: &Words = &Words::of(&["in", "into", "with", "without", "by", "via"]);

/// Prepositions that say how far or how long.
const HOW_FAR: &Words = &Words::of(&["under", "below", "within", "above", "over", "at", "to"]);

/// The same of words that no table calls prepositions.
const BEYOND: &Words = &Words::of(&["below", "above"]);

/// Prepositions that only say of what or for whom, and particles of a verb.
const NO_SCOPE: &Words = &Words::of(&["of", "for", "about", "up", "off", "out", "down", "than"]);

/// What an order speaks of has so many words at most.
const LONGEST_OBJECT: usize = 6;

/// How a phrase behind the object limits an order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// In which manner: "in English", "as drafts", "under 50 lines".
    Manner,
    /// Where or with whom: "in the blue folder", "under /v2".
    Place,
}

impl Sight<'_> {
    /// Whether the order at `verb` tells how things of a kind are always done.
    pub(super) fn is_convention(&self, verb: usize) -> bool {
        // "Please no spiders in the descriptions" orders as well.
        let no_order = self.is(verb, NO_ORDER) && !self.is(verb, NEGATION);
        if self.language != Language::English
            || self.answers_once(verb)
            || no_order
            || self.word_is(verb + 1, THE_ONE)
            || self.is_of_the_moment(verb + 1)
        {
            return false;
        }
        self.goes_around_a_deed(verb)
            || self.goes_with_each(verb)
            || self.is_of_a_kind(verb)
            || self.is_a_procedure(verb)
    }

    /// "Suggest a menu for every day": what is asked for is an answer.
    pub(super) fn answers_once(&self, verb: usize) -> bool {
        self.word_is(verb, ANSWERED)
    }

    /// "Squash PRs before merging": an order by a verb that no table knows, told by the deeds around which it is carried out.
    pub(super) fn orders_by_convention(&self) -> bool {
        let at = self.first_word();
        let opens = self.tokens.get(at).is_some_and(|token| {
            let word = token.of(self.text);
            token.shape == Shape::Word
                && token.classes & NO_ORDER == 0
                && (token.lexeme.is_none() || token.is(VERB) && !token.is(PAST))
                && !["s", "ed", "ing", "ly"]
                    .iter()
                    .any(|end| word.ends_with(end))
        });
        // A verb that carries a sentence shows that what stands in front of it is its subject.
        let carried = |from: usize, by: Class| self.tokens.iter().skip(from).any(|it| it.is(by));
        let manner = || {
            let kind = self.object(at + 1).filter(|object| object.many);
            kind.is_some_and(|it| {
                self.scope(it.end) == Some(Scope::Manner) && !carried(it.end, VERB)
            })
        };
        opens
            && self.language == Language::English
            && !self.is_of_the_moment(at + 1)
            && !carried(at + 1, COPULA | PAST_COPULA | AUXILIARY | PAST)
            && (self.goes_around_a_deed(at) || self.is(at, VERB) && manner())
    }

    /// "This", "now", "tomorrow", "next week": the order is for one occasion.
    fn is_of_the_moment(&self, from: usize) -> bool {
        self.tokens
            .iter()
            .enumerate()
            .skip(from)
            .any(|(at, token)| {
                HERE_AND_NOW.hold(token, self.text)
                    || token.is(NEAR_DAY)
                    || token.is(RELATIVE) && self.is(at + 1, CALENDAR | WEEKDAY | MONTH | SEASON)
                    || token.is_mark('?')
                    || self.word_is(at, any_of!["currently", "immediately"])
            })
    }

    /// "… before merging", "… before long trips": around any deed of its kind.
    fn goes_around_a_deed(&self, verb: usize) -> bool {
        (verb + 1..self.tokens.len())
            .any(|at| self.word_is(at, AROUND) && (self.is_deed(at + 1) || self.are_occasions(at)))
    }

    fn is_deed(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            let word = token.of(self.text);
            token.shape == Shape::Word
                && !token.capital
                && word.len() > 4
                && word.ends_with("ing")
                && !NO_DEEDS.hold(token, self.text)
        })
    }

    /// "Before long trips", "after meals": each of a kind of occasion.
    fn are_occasions(&self, at: usize) -> bool {
        self.word_is(at, any_of!["before", "after"])
            && self
                .object(at + 1)
                .is_some_and(|it| it.many && !self.is(it.end - 1, CALENDAR))
    }

    /// "One test per bug fix", "an entry to every pull request": something goes with each of a kind.
    fn goes_with_each(&self, verb: usize) -> bool {
        (verb + 2..self.tokens.len()).any(|at| {
            let each = self.word_is(at, any_of!["per"])
                || self.word_is(at, any_of!["every", "each"]) && self.word_is(at - 1, BEFORE_EACH);
            let plain = self.is_plain(at + 1) && !self.is(at + 1, CALENDAR);
            let of = || (verb + 1..at).any(|at| self.word_is(at, any_of!["of"]));
            each && plain && !of()
        })
    }

    /// All of a kind, and in which manner or where: "new endpoints under /v2".
    fn is_of_a_kind(&self, verb: usize) -> bool {
        let Some(object) = self.object(verb + 1) else {
            return false;
        };
        let asks = self.word_is(verb, ASKING_VERBS);
        let once = asks || self.word_is(verb, ERRANDS);
        let article = || self.word_is(object.end, any_of!["a", "an"]);
        // "Give new tables a created_at column."
        let gets = self.word_is(verb, any_of!["give"]) && object.many && article();
        let scope = (object.end..self.tokens.len())
            .take(LONGEST_OBJECT)
            .find_map(|at| self.scope(at));
        let of_kind = object.many
            || self.word_is(verb, any_of!["write"])
            || !once && (scope == Some(Scope::Manner) || self.word_is(verb, any_of!["keep"]));
        let first = || {
            let last = self.tokens.iter().rposition(|token| !token.is_any_mark());
            last.is_some_and(|last| self.word_is(last, any_of!["first"]))
        };
        let limited = match scope {
            Some(Scope::Manner) => true,
            Some(Scope::Place) => !once || first(),
            None => false,
        };
        gets || of_kind && limited
    }

    /// What the words from `from` on name without an article: all of a kind, or a stuff.
    fn object(&self, from: usize) -> Option<Object> {
        let all = usize::from(self.word_is(from, OF_ALL));
        let goes_on = |at: &usize| {
            let inside = self.word_is(*at, any_of!["of", "and", "or"]) && self.is_plain(at + 1);
            self.is_plain(*at) || *at > from + all && inside
        };
        let end = (from + all..self.tokens.len())
            .take(LONGEST_OBJECT)
            .take_while(goes_on)
            .last()?
            + 1;
        let head = (from + all..end)
            .find(|at| self.word_is(*at, any_of!["of"]))
            .unwrap_or(end);
        Some(Object {
            end,
            many: self.are_many(head.checked_sub(1)?),
        })
    }

    /// "Functions", "PRs": a noun of many.
    fn are_many(&self, at: usize) -> bool {
        let word = self.word(at);
        word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("is") && word.len() > 2
            || self.word_is(at, any_of!["people", "children", "women", "men", "feet"])
    }

    /// A word that names something, without a capital unless it is short for something: "PRs".
    fn is_plain(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            token.shape == Shape::Word
                && (!token.capital || is_short_for_something(token.of(self.text)))
                && !token.is(ARTICLE | POSSESSIVE | PRONOUN | NUMBER | PREPOSITION | QUESTION)
                && !token.is(SUBORDINATOR | COORDINATOR | NEGATION | COPULA | AUXILIARY | ADVERB)
                && !BEYOND.hold(token, self.text)
        })
    }

    /// How the phrase that begins at `at` limits an order, if one does.
    fn scope(&self, at: usize) -> Option<Scope> {
        let next = self.tokens.get(at + 1)?;
        let opens =
            self.is(at, PREPOSITION) || self.word_is(at, any_of!["as"]) || self.word_is(at, BEYOND);
        let out_of =
            self.word_is(at, any_of!["of"]) && self.word_is(at.wrapping_sub(1), any_of!["out"]);
        if !opens || self.word_is(at, NO_SCOPE) && !out_of {
            return None;
        }
        let counted = next.shape == Shape::Number
            || next.is(NUMBER)
            || self.word_is(at + 1, any_of!["most", "least"])
            || next.is(ARTICLE) && self.is(at + 2, CALENDAR);
        let named = (at + 1..at + 3).any(|at| self.word_is(at, MANNERS));
        let bare = self.is_plain(at + 1) && !next.is(ENVIRONMENT);
        let manner = self.word_is(at, any_of!["as"])
            || self.word_is(at, HOW_FAR) && counted
            || self.word_is(at, HOW) && (named || bare);
        Some(if manner { Scope::Manner } else { Scope::Place })
    }
}

/// What an order speaks of, where no article makes it one thing.
struct Object {
    end: usize,
    many: bool,
}

/// Classes of words that open no order.
const NO_ORDER: Class = PRONOUN
    | ARTICLE
    | POSSESSIVE
    | COPULA
    | PAST
    | PAST_COPULA
    | AUXILIARY
    | ADVERB
    | PREPOSITION
    | COORDINATOR
    | SUBORDINATOR
    | QUESTION
    | NEGATION
    | HEDGE
    | NUMBER
    | WEEKDAY
    | MONTH
    | GREETING
    | THANKS
    | ACKNOWLEDGEMENT;

/// "PRs", "API", "UTC".
fn is_short_for_something(word: &str) -> bool {
    let letters = word.strip_suffix('s').unwrap_or(word);
    letters.len() > 1 && letters.bytes().all(|byte| byte.is_ascii_uppercase())
}
