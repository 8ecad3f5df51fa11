//! Clauses: where a sentence holds several statements, each of which can stand alone.

use super::class::*;
use super::conditions::{limits_in_time, opens_condition};
use super::correcting::corrects;
use super::dates::Found;
use super::kinds::has_verb;
use super::leads::is_lead;
use super::token::{Shape, Token};
use super::words::{Words, any_of};
use crate::work::steps;

/// A clause in tokens, and whether it leaves its subject to the clause before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Whether it leans on the subject of the clause before; it only counts as a clause where it then makes a slot.
    pub(crate) elided: bool,
}

/// Words that open a clause about the circumstances of the next, though they may also ask.
const ASIDES: &[&str] = &["when", "where", "while", "once", "since", "as"];

/// No sentence is split into more clauses.
const MOST_CLAUSES: usize = 12;

/// The clauses of a sentence.
pub(crate) fn clauses(text: &str, tokens: &[Token]) -> Vec<Clause> {
    let mut out = vec![Clause {
        from: 0,
        to: tokens.len(),
        elided: false,
    }];
    let so = any_of!["so"];
    let subordinate = tokens.first().is_some_and(|token| {
        token.is(SUBORDINATOR)
            && !so.hold(token, text)
            && (!token.is(QUESTION | PRONOUN | ADVERB)
                || ASIDES.contains(&token.of(text).to_lowercase().as_str()))
    }) || opens_condition(text, tokens, 0);
    let mut verbs = Verbs::default();
    let mut quoted = false;
    let mut bracketed = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.shape {
            Shape::Mark('"' | '“' | '”' | '«' | '»' | '„') => quoted = !quoted,
            Shape::Mark('(') => bracketed += 1,
            Shape::Mark(')') => bracketed = bracketed.saturating_sub(1),
            Shape::Word | Shape::Number | Shape::Thing | Shape::Mark(_) | Shape::Symbol => {}
        }
        let seen = verbs;
        let open_at = out.last().map_or(0, |clause| clause.from);
        if token.is(VERB) && !says_whose(text, tokens, at)
            || at == open_at + 1 && sure_subject(text, tokens, open_at)
            || is_bent_behind_number(text, tokens, open_at, at)
            || is_bent_alone(text, tokens, open_at, at)
        {
            verbs = Verbs {
                first: verbs.first.or(Some(at)),
                last: Some(at),
            };
        }
        if quoted || bracketed > 0 || out.len() >= MOST_CLAUSES {
            continue;
        }
        let Some(open) = out.last().copied() else {
            break;
        };
        let Some(next) = joint(&Joint {
            text,
            tokens,
            at,
            open: open.from,
            verbs: seen,
        })
        .filter(|_| !(subordinate && open.from == 0)) else {
            continue;
        };
        verbs = Verbs::default();
        if let Some(last) = out.last_mut() {
            last.to = at;
        }
        out.push(Clause {
            from: next.from,
            to: tokens.len(),
            elided: next.elided,
        });
    }
    out
}

/// "Pump 1 feeds the pond": a word that is bent like a verb behind a name with its number.
fn is_bent_behind_number(text: &str, tokens: &[Token], open: usize, at: usize) -> bool {
    let place = at.saturating_sub(open);
    let numbered = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|before| before.shape == Shape::Number);
    (2..=3).contains(&place)
        && numbered
        && tokens.get(at).is_some_and(|token| {
            token.shape == Shape::Word && !token.capital && token.of(text).ends_with('s')
        })
}

/// "The kiln reaches 1,240 degrees", "Rosa se jubiló": a word of no table that is bent like a verb.
fn is_bent_alone(text: &str, tokens: &[Token], open: usize, at: usize) -> bool {
    let unknown = |token: &&Token| {
        token.shape == Shape::Word && !token.capital && !token.is(FUNCTION | ADVERB | PREPOSITION)
    };
    let stands_there = (1..=4).contains(&at.saturating_sub(open));
    let Some(token) = tokens.get(at).filter(unknown).filter(|_| stands_there) else {
        return false;
    };
    let word = token.of(text);
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let next = tokens.get(at + 1);
    let third = before.is_some_and(|t| t.is(PRONOUN) && t.is(THIRD)) && word.ends_with('s');
    if token.lexeme.is_some() {
        return third;
    }
    let present = word.ends_with('s')
        && !word.ends_with("ss")
        && before
            .is_some_and(|t| t.shape == Shape::Word && !t.is(ARTICLE | POSSESSIVE | PREPOSITION))
        && next.is_some_and(|t| t.is(ARTICLE | POSSESSIVE) || t.shape == Shape::Number);
    let past = word.len() > 4
        && (["ó", "aron", "ieron"].iter().any(|end| word.ends_with(end))
            || word.ends_with("ed") && before.is_some_and(is_plainly_in_front));
    present || past || third
}

/// Whether a word may stand in front of a verb in the past: "the museum reopened", and not "was reopened".
fn is_plainly_in_front(token: &Token) -> bool {
    token.shape == Shape::Word
        && !token.is(ARTICLE | POSSESSIVE | PREPOSITION | COPULA | PAST_COPULA | AUXILIARY)
        && !token.is(ADVERB | COORDINATOR)
}

/// The first and the last verb of the clause so far.
#[derive(Clone, Copy, Default)]
struct Verbs {
    first: Option<usize>,
    last: Option<usize>,
}

/// A place at which a new clause may begin.
struct Joint<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// Where the clause before begins.
    open: usize,
    verbs: Verbs,
}

/// Whether a new clause begins behind the token at `at`: a joining word, a semicolon, or a comma before a new subject.
fn joint(place: &Joint<'_>) -> Option<Clause> {
    let Joint {
        text,
        tokens,
        at,
        open,
        verbs,
    } = *place;
    let token = tokens.get(at)?;
    let semicolon = token.is_mark(';') || token.is_mark(':');
    let comma = token.is_mark(',')
        || token.is_mark('—')
        || token.is_mark('–')
        || (token.is_mark('-') && tokens.get(at + 1).is_some_and(|t| t.start > token.end));
    let joining = token.is(COORDINATOR);
    let said_before = tokens.get(open..at).unwrap_or_default();
    let leans = || {
        corrects(text, said_before)
            || is_lead(text, said_before)
            || follows(place)
            || limits_in_time(text, tokens, at)
    };
    if !(semicolon || comma || joining) || leans() {
        return None;
    }
    let mut from = at + 1;
    let joined = (comma || semicolon) && joins(text, tokens, from);
    from += usize::from(joined);
    let asides = (from..from + MOST_ASIDES).take_while(|at| is_aside(tokens, *at));
    from += asides.count();
    let early = verbs
        .first
        .is_none_or(|verb| verb + 1 >= at && !semicolon && !is_surely_a_verb(text, tokens, verb));
    if at < open + 2 || early && !(token.is_mark(';') && are_parallel(tokens, open, at)) {
        return None;
    }
    let begin = at + 1 + usize::from(joined);
    let own = own_subject(text, tokens, from);
    let turns_to_ask = comma
        && tokens.get(from).is_some_and(|next| next.is(QUESTION))
        && tokens.last().is_some_and(|last| last.is_mark('?'));
    let parallel = token.is_mark(';') && are_parallel(tokens, open, at);
    let strong = strong_subject(tokens, from) || opens_anew(text, tokens, open, from);
    let anew = own && (joining || semicolon || strong || from > begin);
    if parallel || anew || turns_to_ask || divides(place) {
        return Some(Clause {
            from: begin,
            to: tokens.len(),
            elided: false,
        });
    }
    let next = tokens.get(from)?;
    let verb = next.is(VERB)
        && !next.is(ATTRIBUTE)
        && !matches!(next.of(text), "am" | "'s" | "been" | "being")
        && !is_noun_like(tokens, from, verbs);
    ((joining || (comma && from > at + 1 && tokens.get(at + 1).is_some_and(|t| t.is(COORDINATOR))))
        && verb)
        .then_some(Clause {
            from: begin,
            to: tokens.len(),
            elided: true,
        })
}

/// "De stroom valt uit; de servers gaan eerder uit", "the courier says it was left, but nobody has it": a semicolon or an
/// adversative behind a comma divides two statements, each of which goes on for a few words.
fn divides(place: &Joint<'_>) -> bool {
    let Joint {
        text,
        tokens,
        at,
        open,
        ..
    } = *place;
    let Some((before, [mark, behind @ ..])) = tokens.split_at_checked(at) else {
        return false;
    };
    let against = any_of![
        "but", "aber", "doch", "mais", "pero", "mas", "ma", "però", "maar"
    ];
    let turns = mark.is_mark(',') && behind.first().is_some_and(|t| against.hold(t, text));
    if !turns && !mark.is_mark(';') {
        return false;
    }
    let is_semicolon = |t: &Token| t.is_mark(';');
    // A sentence may hold thousands of such places, so each is looked at from near by.
    let near = |tokens: &'_ [Token], from: usize| from..tokens.len().min(from + DIVIDED_REACH);
    let before = before.get(near(before, open)).unwrap_or_default();
    let behind = behind
        .get(near(behind, usize::from(turns)))
        .unwrap_or_default();
    let behind = behind.split(is_semicolon).next().unwrap_or_default();
    steps(behind.len());
    // "It's tough, but rewarding": what follows leans on what stands before, unless it says itself of whom it speaks.
    let subject = PRONOUN | POSSESSIVE | ARTICLE | NEGATION;
    let own = |t: &Token| t.is(subject) || t.capital || t.shape == Shape::Thing;
    let known = behind.iter().filter(|t| t.lexeme.is_some()).count();
    let foreign = 2 * known < behind.len();
    (!turns || foreign || behind.first().is_some_and(own))
        && states(text, before, false)
        && states(text, behind, mark.is_mark(';'))
}

/// Whether a stretch looks like a statement: words enough, and a verb or words of which no table knows whether they are.
fn states(text: &str, tokens: &[Token], apart: bool) -> bool {
    let words = || tokens.iter().filter(|t| !t.is_any_mark());
    let first = words().next();
    // "…; since 2022 I've been freelance", "…; about 90 of them run": a semicolon stands for a full stop.
    let dated = words().nth(1).is_some_and(|t| t.shape == Shape::Number);
    let leaning = if apart {
        SUBORDINATOR | VERB
    } else {
        PREPOSITION | SUBORDINATOR | VERB
    };
    let leans = first.is_some_and(|t| t.is(leaning) && !t.is(PRONOUN | POSSESSIVE | ARTICLE))
        && !(apart && dated);
    let unknown = words()
        .filter(|t| t.shape == Shape::Word && !t.capital && t.lexeme.is_none())
        .count();
    !leans
        && words().count() >= STATED_WORDS
        && (has_verb(text, tokens) || 2 * unknown > words().count())
}

/// A statement that a mark divides from another has so many words.
const STATED_WORDS: usize = 3;
/// What says that it is one stands among so many of its words and marks.
const DIVIDED_REACH: usize = 40;

/// "On Sundays it's different, then …", "what went wrong: …": what follows says nothing without what stands before it.
fn follows(place: &Joint<'_>) -> bool {
    let Joint {
        text,
        tokens,
        at,
        open,
        ..
    } = *place;
    let then = any_of!["then", "dann", "alors", "entonces"];
    let is = |at: usize, classes: Class| tokens.get(at).is_some_and(|token| token.is(classes));
    let then = tokens.get(at + 1).is_some_and(|next| then.hold(next, text));
    let colon = tokens.get(at).is_some_and(|token| token.is_mark(':'));
    then && is(open, PREPOSITION | SUBORDINATOR)
        || colon && is(open, QUESTION) && !is(open, PRONOUN)
}

/// "Warden's log": behind a noun, and in front of another, it is no verb.
pub(super) fn says_whose(text: &str, tokens: &[Token], at: usize) -> bool {
    let place = tokens
        .get(at)
        .is_some_and(|token| matches!(token.of(text), "'s" | "’s"));
    let pronoun = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|before| before.is(PRONOUN | QUESTION));
    let noun_behind = tokens.get(at + 1).is_some_and(|next| {
        next.shape == Shape::Word
            && !next.is(ARTICLE | PREPOSITION | STATUS | ADVERB | NEGATION | PAST | POSSESSIVE)
    });
    place && !pronoun && noun_behind
}

/// "The team moved and …": in the past and behind no article, so that it is no noun that looks like a verb.
fn is_surely_a_verb(text: &str, tokens: &[Token], at: usize) -> bool {
    let past = tokens.get(at).is_some_and(|token| {
        token.is(PAST) && !token.is(AUXILIARY | PAST_COPULA | ATTRIBUTE)
            || token.of(text).ends_with('ó')
    });
    let determined = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_none_or(|before| before.is(ARTICLE | POSSESSIVE | PREPOSITION | COPULA | PAST_COPULA));
    past && !determined
}

/// A sentence of adverbs alone may hold thousands; nobody sets more of them in front of a subject.
const MOST_ASIDES: usize = 8;

/// An adverb or a hedge in front of a subject, or a comma beside one: "and, uh, the rent", "and maybe the rent".
fn is_aside(tokens: &[Token], at: usize) -> bool {
    let adverb = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.is(ADVERB | HEDGE) && !token.is(VERB | PRONOUN | QUESTION))
    };
    let comma = tokens.get(at).is_some_and(|token| token.is_mark(','));
    adverb(at) || comma && (adverb(at + 1) || at.checked_sub(1).is_some_and(adverb))
}

/// Whether the parts on both sides of a semicolon open alike with an article or a possessive, and each goes on for a few
/// words: "the violin teacher charges 45; the flute teacher charges 38".
fn are_parallel(tokens: &[Token], open: usize, at: usize) -> bool {
    let determined = |place: usize| {
        tokens
            .get(place)
            .is_some_and(|token| token.is(ARTICLE | POSSESSIVE))
    };
    let next_mark = tokens
        .iter()
        .skip(at + 1)
        .take(PARALLEL_WORDS)
        .position(Token::is_any_mark);
    at >= open + PARALLEL_WORDS
        && at + PARALLEL_WORDS < tokens.len()
        && next_mark.is_none()
        && determined(open)
        && determined(at + 1)
}

/// Parts that open alike are statements from so many words on.
const PARALLEL_WORDS: usize = 4;

/// "Works and plays": a noun that looks like a verb, behind a preposition or another verb's object.
fn is_noun_like(tokens: &[Token], from: usize, verbs: Verbs) -> bool {
    let last_verb = verbs.last.unwrap_or(0);
    let to_infinitive = tokens
        .get(last_verb.wrapping_sub(1))
        .is_some_and(|t| t.is(PREPOSITION))
        && tokens.get(last_verb).is_some_and(|t| !t.is(PAST));
    let base_form = tokens
        .get(from)
        .is_some_and(|token| !token.is(PAST | COPULA | PAST_COPULA | AUXILIARY));
    to_infinitive && base_form
}

/// "Rollbacks": a noun of many, with which only a verb without an ending agrees.
fn are_many(word: &str) -> bool {
    word.ends_with('s') && !word.ends_with("ss")
}

/// A pronoun or possessive, so that a comma alone is enough.
fn strong_subject(tokens: &[Token], from: usize) -> bool {
    tokens
        .get(from)
        .is_some_and(|token| token.is(PRONOUN | POSSESSIVE) && !token.is(SUBORDINATOR | ARTICLE))
}

/// A joining word behind a comma: "and", or "so" in front of who does it.
fn joins(text: &str, tokens: &[Token], at: usize) -> bool {
    let so = any_of!["so"];
    tokens.get(at).is_some_and(|word| {
        let subject = tokens
            .get(at + 1)
            .is_some_and(|next| next.is(PRONOUN | POSSESSIVE) && !next.is(SUBORDINATOR | QUESTION));
        word.is(COORDINATOR) || so.hold(word, text) && subject
    })
}

/// "We got engaged last night, the wedding is in May": an article that opens no relative clause, behind a clause that no
/// preposition and no condition opens.
fn opens_anew(text: &str, tokens: &[Token], open: usize, from: usize) -> bool {
    let article = any_of!["the", "le", "la", "les", "el", "los", "las"];
    let first = tokens.get(open);
    // "The new one is …" says nothing without what stands before it.
    let leans = |at: usize| {
        let ones = any_of!["one", "ones", "other", "others", "latter", "former", "same"];
        tokens.get(at).is_some_and(|token| ones.hold(token, text))
    };
    tokens
        .get(from)
        .is_some_and(|token| article.hold(token, text))
        && !(from + 1..from + 4).any(leans)
        && !first.is_some_and(|token| {
            token.is(PREPOSITION | SUBORDINATOR | IMPERATIVE) && !token.is(PRONOUN | POSSESSIVE)
        })
}

/// "I hope", "we reckon": these stand for nothing but a subject, whatever verb follows.
const SUBJECTS: &Words = &Words::of(&[
    "I", "we", "he", "she", "they", "We", "He", "She", "They", "ich", "Ich", "wir", "Wir", "je",
    "Je",
]);

/// Whether a word that can only be a subject begins at `from`, and a plain word behind it.
fn sure_subject(text: &str, tokens: &[Token], from: usize) -> bool {
    let verb = |token: &Token| {
        token.shape == Shape::Word
            && !token.capital
            && !token.is(ARTICLE | POSSESSIVE | PREPOSITION | COORDINATOR | PRONOUN | SUBORDINATOR)
    };
    tokens
        .get(from)
        .is_some_and(|token| SUBJECTS.hold_exactly(token, text))
        && tokens.get(from + 1).is_some_and(verb)
}

/// "Maybe Otto retires": behind a hedge and a name, a word that is bent like a verb.
fn is_bent_behind_a_hedged_name(text: &str, tokens: &[Token], from: usize) -> bool {
    let hedged = from
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|before| before.is(HEDGE));
    let named = tokens.get(from).is_some_and(|name| name.capital);
    let bent = |token: &Token| {
        token.shape == Shape::Word && !token.capital && token.of(text).ends_with('s')
    };
    hedged && named && tokens.get(from + 1).is_some_and(bent)
}

/// Whether a subject with its verb begins at `from`; a capital inside a sentence makes no verb: "a bit of Go".
pub(super) fn own_subject(text: &str, tokens: &[Token], from: usize) -> bool {
    let Some(first) = tokens.get(from) else {
        return false;
    };
    if first.is(QUESTION | SUBORDINATOR | NEGATION) && !first.is(PRONOUN | ARTICLE) {
        return false;
    }
    let starts = first.is(PRONOUN | POSSESSIVE | ARTICLE)
        || first.capital
        || first.shape == Shape::Thing
        || (first.shape == Shape::Word && !first.is(VERB | PREPOSITION | ADVERB));
    if !starts {
        return false;
    }
    if sure_subject(text, tokens, from) {
        return true;
    }
    let determined = first.is(ARTICLE | POSSESSIVE);
    // Without an article or a capital, only a verb that stands close by shows a subject.
    let bare = !determined && !first.is(PRONOUN) && !first.capital;
    let pronoun = first.is(PRONOUN) && !first.is(ARTICLE);
    let limit = if pronoun || bare { 3 } else { 8 };
    let search = from + 1 + usize::from(determined)..(from + limit + 1).min(tokens.len());
    let stops = |token: &Token| {
        token.is_any_mark()
            || token.is(COORDINATOR | SUBORDINATOR)
            || token.of(text) == "to"
            || (bare && token.is(PREPOSITION))
    };
    for at in search {
        let Some(token) = tokens.get(at) else {
            return false;
        };
        // "The new trainee in the paint lab": behind an article it is a noun.
        let noun = at > from + 1 && tokens.get(at - 1).is_some_and(|before| before.is(ARTICLE));
        if token.is(VERB) && !token.capital && !noun {
            let possessive = matches!(token.of(text), "'s" | "’s") && !first.is(PRONOUN);
            // "Bus 101 runs": the number shows that the word in front of it names something.
            let numbered = at == from + 2
                && tokens
                    .get(from + 1)
                    .is_some_and(|t| t.shape == Shape::Number);
            let agrees =
                at == from + 1 && are_many(first.of(text)) && !token.of(text).ends_with('s');
            let carries = !bare
                || numbered
                || agrees && !token.is(ATTRIBUTE) && token.of(text) != "like"
                || token.is(COPULA | PAST | PAST_COPULA | AUXILIARY);
            return carries && !possessive;
        }
        if at == from + 1 && is_bent_behind_a_hedged_name(text, tokens, from) {
            return true;
        }
        let third = pronoun && first.is(THIRD) && at == from + 1;
        if third && is_bent_alone(text, tokens, from, at) {
            return true;
        }
        let titled =
            token.is_mark('.') && tokens.get(at - 1).is_some_and(|before| before.is(TITLE));
        if titled {
            continue;
        }
        // "The old one stops working": here the pronoun is the noun.
        let one = determined && any_of!["one", "ones", "other", "others"].hold(token, text);
        if stops(token) || token.is(PRONOUN) && !token.is(ARTICLE | POSSESSIVE) && !one {
            return false;
        }
    }
    false
}

/// Where the words of a clause begin and end, without the marks that join it to others.
pub(super) fn ends(tokens: &[Token]) -> Option<(usize, usize)> {
    let joining = |token: &&Token| {
        !(token.is_mark(',')
            || token.is_mark(';')
            || token.is_mark('—')
            || token.is_mark('–')
            || token.is_mark('-'))
    };
    let first = tokens.iter().find(joining)?;
    let last = tokens.iter().rev().find(joining)?;
    Some((first.start, last.end))
}

/// The dates of a clause, by its own tokens.
pub(super) fn within(dates: &[Found], clause: Clause) -> Vec<Found> {
    let inside = dates
        .iter()
        .filter(|found| found.first >= clause.from && found.behind <= clause.to);
    inside
        .cloned()
        .map(|found| Found {
            first: found.first - clause.from,
            behind: found.behind - clause.from,
            ..found
        })
        .collect()
}
