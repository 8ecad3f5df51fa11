//! Conditions: a rule is stated by one; a case that is not real and a plan that is left open state nothing.

use testimony_domain::Slot;

use super::class::*;
use super::leave_out::Sight;
use super::lexicon::Language;
use super::phrases::Sense;
use super::token::{Token, lower_case};
use super::words::{Words, any_of};

/// Words that open a condition in whatever language they stand.
const CONDITIONS: &Words = &Words::of(&[
    "if",
    "unless",
    "falls",
    "wenn",
    "provided",
    "providing",
    "assuming",
    "supposing",
    "jeśli",
]);

/// "Si è deciso …": behind these "si" is Italian, and no condition.
const ITALIAN_VERBS: &Words = &Words::of(&[
    "è", "sono", "era", "erano", "può", "possono", "deve", "devono", "va", "fa", "prega", "parte",
    "chiama",
]);

/// Words that make a case of the main clause which is not real.
const UNREAL_VERBS: &Words = &Words::of(&[
    "would", "würde", "würden", "wäre", "wären", "hätte", "hätten", "zou", "zouden",
]);

/// Behind "would" these tell a habit or a wish.
const WISHED_OR_USUAL: &Words = &Words::of(&[
    "like", "love", "prefer", "rather", "always", "never", "often",
]);

/// How verbs end in French, and in Italian, Portuguese and Spanish, that speak of what is not so.
const FRENCH_UNREAL: &[&str] = &[
    "rait", "rais", "raient", "rions", "ría", "rían", "ríamos", "uviera", "uvieran",
];
#[rustfmt::skip]
const SOUTHERN_UNREAL: &[&str] = &[
    "ría", "rías", "rían", "ríamos", "iera", "ieran", "iese", "fuera", "fueran",
    "ria", "riam", "rebbe", "rebbero", "erei", "irei", "esse", "asse", "isse", "osse",
];

/// Conditions that lean on what was said before: "if so", "if not".
const LEANING: &Words = &Words::of(&[
    "so",
    "not",
    "any",
    "anything",
    "possible",
    "necessary",
    "needed",
    "required",
    "nicht",
    "nötig",
    "möglich",
    "non",
    "no",
    "nécessaire",
    "posible",
]);

/// Whether a condition opens at `at`, by words that mean nothing else in any language.
pub(super) fn opens_condition(text: &str, tokens: &[Token], at: usize) -> bool {
    let is = |at: usize, words: &Words| tokens.get(at).is_some_and(|t| words.hold(t, text));
    is(at, CONDITIONS) || is(at, any_of!["in"]) && is(at + 1, any_of!["case"])
}

/// "Payments goes to Hamid while Irina is on leave": for how long what stands before it holds, and no statement of its own.
///
/// Behind a comma it tells one thing beside another, unless somebody is away or something does not work.
pub(super) fn limits_in_time(text: &str, tokens: &[Token], at: usize) -> bool {
    let is = |at: usize, words: &Words| tokens.get(at).is_some_and(|t| words.hold(t, text));
    let is_comma = |at: usize| tokens.get(at).is_some_and(|token| token.is_mark(','));
    let opens = at + usize::from(is_comma(at));
    let comma = opens.checked_sub(1).is_some_and(is_comma);
    let away = || {
        let copula = |place: &usize| tokens.get(*place).is_some_and(|t| t.is(COPULA));
        let copula = (opens + 2..opens + 2 + LONGEST_SUBJECT).find(copula);
        copula.is_some_and(|copula| is(copula + 1, AWAY))
    };
    let limits = is(opens, any_of!["while", "mientras"]);
    limits
        && if comma {
            away()
        } else {
            !is_told_beside(text, tokens, opens)
        }
}

/// "Bruno lives in Turin while Nadia works in Oslo": both sides are told alike, so the one is no limit of the other.
fn is_told_beside(text: &str, tokens: &[Token], at: usize) -> bool {
    let behind_verb = |tokens: &[Token]| {
        let verb = tokens
            .iter()
            .take(LONGEST_SUBJECT + 1)
            .position(|token| token.is(VERB) && !token.is(COPULA))?;
        let next = tokens.get(verb + 1)?;
        next.is(PREPOSITION).then(|| lower_case(next.of(text)))
    };
    let Some((before, [_, behind @ ..])) = tokens.split_at_checked(at) else {
        return false;
    };
    let before = behind_verb(before);
    before.is_some() && before == behind_verb(behind)
}

/// Who or what is away has so many words at most.
const LONGEST_SUBJECT: usize = 4;

/// How it is said that somebody is away, or that something does not work.
const AWAY: &Words = &Words::of(&[
    "on",
    "away",
    "abroad",
    "out",
    "off",
    "ill",
    "sick",
    "travelling",
    "traveling",
    "down",
    "broken",
    "closed",
    "gone",
    "missing",
    "unavailable",
]);

/// Words that say in which case or for how long something holds.
const LIMITING: &Words = &Words::of(&[
    "while", "until", "till", "unless", "if", "when", "whenever", "once", "long", "mientras",
]);

/// Those in front of a sentence: what is said behind the comma holds in this case or for so long only.
const LIMITING_AHEAD: &Words = &Words::of(&["while", "until", "till", "whenever", "mientras"]);

/// Those behind a statement that make a case of it, where another statement follows.
const LIMITING_BEHIND: &Words = &Words::of(&["while", "unless", "if", "whenever", "mientras"]);

/// "In case of rain the match moves": more tokens than the case has say what follows, though no verb is known.
const LEAST_RULE: usize = 6;

impl Sight<'_> {
    /// Whether it tells what somebody may do, or what happens on a condition, and so not how things stand.
    pub(crate) fn holds_in_a_case_only(&self) -> bool {
        self.is_permission() || self.opens_with_a_condition() || self.is_limited()
    }

    /// "Until Jan is back, …", "as long as Tunde is ill, …", "… unless it rains", "… while the proxy is broken".
    fn is_limited(&self) -> bool {
        let first = self.first_word();
        let as_long = |at: usize| {
            self.word_is(at, any_of!["as"])
                && self.word_is(at + 1, any_of!["long"])
                && self.word_is(at + 2, any_of!["as"])
        };
        let last_verb = self.tokens.iter().rposition(|token| token.is(VERB));
        let states = |at: usize| {
            self.word_is(at, any_of!["unless"]) || last_verb.is_some_and(|last| at < last)
        };
        let ahead = self.word_is(first, LIMITING_AHEAD) || as_long(first);
        let behind = |at: usize| (self.word_is(at, LIMITING_BEHIND) || as_long(at)) && states(at);
        let comma = self.tokens.iter().position(|token| token.is_mark(','));
        let stated = |comma: usize| self.tokens.iter().take(comma).any(|token| token.is(VERB));
        ahead && comma.is_some_and(stated) || (first + 2..self.tokens.len()).any(behind)
    }

    /// "Ruth signs contracts if Karl is travelling": whether what was read reaches over such a word, and says of the one
    /// what was said of the other.
    pub(super) fn reads_over_a_limit(slot: &Slot) -> bool {
        let reaches = |words: &str| words.split(' ').skip(1).any(|it| LIMITING.hold_word(it));
        reaches(&slot.key.subject) || slot.key.attribute.starts_with("long as ")
    }

    /// Whether it opens with a condition.
    fn opens_with_a_condition(&self) -> bool {
        let at = self.first_word();
        let romance = matches!(self.language, Language::French | Language::Spanish);
        opens_condition(self.text, self.tokens, at)
            || self.word_is(at, any_of!["si"])
                && (romance || self.has_a_comma())
                && !self.word_is(at + 1, ITALIAN_VERBS)
            || self.language == Language::French && self.word_is(at, any_of!["s'", "s’"])
            || !romance && self.word_is(at, any_of!["se"]) && self.has_a_comma()
    }

    fn has_a_comma(&self) -> bool {
        self.tokens.iter().any(|token| token.is_mark(','))
    }

    /// Whether its case is not real, its plan is left open, or nothing follows from its condition.
    pub(super) fn is_supposed_case(&self) -> bool {
        let supposes = || self.word_is(self.first_word(), any_of!["suppose"]);
        let stated = || !self.is_unreal_case() && !self.is_left_open() && self.follows_something();
        // In Spanish "se" opens no condition, but Italian and Portuguese look like it.
        let unreal_se = || {
            self.word_is(self.first_word(), any_of!["se"])
                && self.has_a_comma()
                && self.is_unreal_case()
        };
        self.is_unreal_by_its_verb()
            || supposes()
            || unreal_se()
            || self.opens_with_a_condition() && !stated()
    }

    /// "I would buy a boat", and not "Femi said he would take it".
    fn is_unreal_by_its_verb(&self) -> bool {
        UNREAL_VERBS.may_be_among(self.sketches)
            && self.tokens.iter().enumerate().any(|(at, token)| {
                UNREAL_VERBS.hold_exactly(token, self.text)
                    && !self.word_is(at + 1, WISHED_OR_USUAL)
                    && !self.is_quoted(at)
                    && !self.is_reported(at)
            })
    }

    /// Whether somebody is said to have said what stands at `at`.
    pub(super) fn is_reported(&self, at: usize) -> bool {
        let promising = any_of!["promised", "agreed", "offered", "versprach", "prometió"];
        let before = self.tokens.get(..at).unwrap_or_default();
        before
            .iter()
            .any(|token| token.is(REPORT) || promising.hold(token, self.text))
    }

    /// "If I had a car, I could drive", "si tuviera dinero, …".
    fn is_unreal_case(&self) -> bool {
        let unreal = any_of!["could", "'d", "’d"];
        let endings = if self.language == Language::French {
            FRENCH_UNREAL
        } else {
            SOUTHERN_UNREAL
        };
        let tabled = self.word_is(self.first_word(), CONDITIONS);
        self.tokens.iter().enumerate().any(|(at, token)| {
            unreal.hold(token, self.text)
                && !self.is(at + 1, NEGATION)
                && !self.word_is(at + 1, WISHED_OR_USUAL)
                || !tabled && self.is_bent_like(at, token, endings)
        })
    }

    /// Whether a word that is no noun ends like one of these.
    fn is_bent_like(&self, at: usize, token: &Token, endings: &[&str]) -> bool {
        let before = at.checked_sub(1);
        let noun = ARTICLE | POSSESSIVE | PREPOSITION;
        let named = before.is_some_and(|before| self.is(before, noun));
        let word = lower_case(token.of(self.text));
        !token.capital && !named && endings.iter().any(|end| word.ends_with(end))
    }

    /// "If I have time, …", "if all goes well, …", "if so, …".
    fn is_left_open(&self) -> bool {
        let first = self.first_word();
        let open = |found: &super::pattern::Sighting| {
            found.sense == Sense::LeftOpen && found.from == first
        };
        let leans = self.word_is(first + 1, LEANING)
            && self.tokens.get(first + 2).is_none_or(Token::is_any_mark);
        leans || self.phrases.iter().any(open)
    }

    /// Whether something follows from the condition: words behind its comma, or else a second verb.
    fn follows_something(&self) -> bool {
        let words = |token: &&Token| !token.is_any_mark();
        match self.tokens.iter().position(|token| token.is_mark(',')) {
            Some(comma) => self.tokens.iter().skip(comma).filter(words).count() > 1,
            None => {
                let verbs = self.tokens.iter().filter(|t| t.is(VERB | IMPERATIVE));
                let nominal = self.word_is(self.first_word() + 2, any_of!["of"]);
                verbs.count() > usize::from(!nominal) || nominal && self.tokens.len() > LEAST_RULE
            }
        }
    }
}
