//! Where, when or for whom a statement holds, as it says beside its answer: "10 percent for guests", "5 s in staging".
//!
//! The same phrase may be the answer itself ("the kiln is in the shed"), so it is a scope only where another answer stands
//! in front of it, or where it opens the statement. Two scopes are two questions, whatever is answered.

use std::sync::LazyLock;

use super::figures::Figures;
use super::scope_tables::{
    ASKING_FOR, EACH, ENVIRONMENTS, FOR, FOR_NOBODY, LEADING, PERIODS, RANKS, RATES, REASONS,
    RULES, SEASONS, SURROUNDING,
};
use super::worded::{TABLES, Worded, before, raw, stem};
use crate::claims::{is_time_word, is_verb};
use crate::lexicon::{WordMap, WordSet};

/// A scope is told in so many words at most.
const LONGEST: usize = 5;

/// What kind of scope it is; those of one kind are held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Environment,
    Season,
    Period,
    Land,
    Whom,
}

/// A scope, and what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Scope {
    kind: Kind,
    names: Vec<String>,
}

/// Within what a statement holds, and by what its amount is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Scopes {
    told: Vec<Scope>,
    /// "A month": the line of the unit, where one amount is counted by one.
    rate: Option<usize>,
}

struct Lists {
    leading: WordSet<&'static str>,
    of_whom: WordSet<&'static str>,
    /// Environments by the number of their line.
    environments: WordMap<&'static str, usize>,
    surrounding: WordSet<&'static str>,
    seasons: WordSet<&'static str>,
    periods: WordSet<&'static str>,
    ranks: WordSet<&'static str>,
    rules: WordSet<&'static str>,
    reasons: WordSet<&'static str>,
    asking_for: WordSet<&'static str>,
    for_nobody: WordSet<&'static str>,
    /// Units of rates by the number of their line.
    rates: WordMap<&'static str, usize>,
    each: WordSet<&'static str>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let list = |words: &'static str| words.split(' ').collect();
    let lines = |lines: &[&'static str]| {
        let numbered = lines.iter().enumerate();
        numbered
            .flat_map(|(at, line)| line.split(' ').map(move |word| (word, at)))
            .collect()
    };
    Lists {
        leading: list(LEADING),
        of_whom: list(FOR),
        environments: lines(ENVIRONMENTS),
        surrounding: list(SURROUNDING),
        seasons: list(SEASONS),
        periods: list(PERIODS),
        ranks: list(RANKS),
        rules: list(RULES),
        reasons: list(REASONS),
        asking_for: list(ASKING_FOR),
        for_nobody: list(FOR_NOBODY),
        rates: lines(RATES),
        each: list(EACH),
    }
});

impl Scopes {
    pub(super) fn read(said: &Worded, figures: &Figures) -> Self {
        let leads =
            (0..end_of_main_clause(said)).filter(|at| LISTS.leading.contains(raw(said, *at)));
        Self {
            told: leads.filter_map(|at| scope_at(said, figures, at)).collect(),
            rate: rate(said),
        }
    }

    /// Whether both hold within something of one kind, and not within the same.
    pub(super) fn are_apart(&self, other: &Self) -> bool {
        let mut told = self.told.iter();
        told.any(|scope| {
            let mut others = other.told.iter().filter(|known| known.kind == scope.kind);
            let mut seen = others.clone().peekable();
            seen.peek().is_some() && others.all(|known| !meet(&scope.names, &known.names))
        })
    }

    /// Whether it holds in an environment or for somebody of whom the wider `known` does not speak.
    pub(super) fn are_narrower_than(&self, other: &Self, known: &Worded) -> bool {
        self.told.iter().any(|scope| {
            let mut others = other.told.iter();
            let spoken_of = |name: &String| known.raw.contains(name) || known.has(name);
            matches!(scope.kind, Kind::Environment | Kind::Whom)
                && others.all(|known| known.kind != scope.kind)
                && !scope.names.iter().any(spoken_of)
        })
    }

    /// "50 euros a month", "50 euros a year": whether each is counted by something else.
    pub(super) fn count_otherwise(&self, other: &Self) -> bool {
        matches!((self.rate, other.rate), (Some(one), Some(known)) if one != known)
    }
}

fn meet(one: &[String], other: &[String]) -> bool {
    one.iter().all(|name| other.contains(name)) || other.iter().all(|name| one.contains(name))
}

/// Where the first clause with a verb ends: what a reason speaks of is no scope of what is said.
fn end_of_main_clause(said: &Worded) -> usize {
    let verb = (1..said.raw.len()).find(|at| is_verb(raw(said, *at)));
    let from = verb.unwrap_or(0) + 1;
    let ends = |at: &usize| said.paused.contains(at) || LISTS.reasons.contains(raw(said, *at));
    (from..said.raw.len()).find(ends).unwrap_or(said.raw.len())
}

/// The scope that a word leads to.
fn scope_at(said: &Worded, figures: &Figures, at: usize) -> Option<Scope> {
    let phrase = phrase_behind(said, at);
    let words: Vec<&str> = phrase.clone().map(|at| raw(said, at)).collect();
    let names = words.iter().filter(|word| !TABLES.dropped.contains(**word));
    let names: Vec<&str> = names.copied().collect();
    let answered = at == 0 || is_answered_before(said, figures, at);
    if names.is_empty() || !answered {
        return None;
    }
    let kind = kind_of(said, figures, at, &names)?;
    let plain = |word: &&str| match LISTS.environments.get(word) {
        Some(line) if kind == Kind::Environment => line.to_string(),
        Some(_) | None => stem(word),
    };
    let kept = names
        .iter()
        .filter(|word| kind != Kind::Environment || !LISTS.surrounding.contains(**word));
    Some(Scope {
        kind,
        names: kept.map(plain).collect(),
    })
}

fn kind_of(said: &Worded, figures: &Figures, at: usize, names: &[&str]) -> Option<Kind> {
    let all = |holds: &dyn Fn(&str) -> bool| names.iter().all(|word| holds(word));
    let any = |holds: &dyn Fn(&str) -> bool| names.iter().any(|word| holds(word));
    let environment = |word: &str| LISTS.environments.contains_key(word);
    // "In the test" asks for no environment, "in the test environment" does.
    let bare = at + 1 + names.len() == phrase_behind(said, at).end;
    let named = bare || any(&|word| LISTS.surrounding.contains(word));
    if named
        && any(&environment)
        && all(&|word| environment(word) || LISTS.surrounding.contains(word))
    {
        return Some(Kind::Environment);
    }
    if any(&|word| LISTS.seasons.contains(word)) && !any(&is_time_word) {
        return Some(Kind::Season);
    }
    // "Per week" counts, and "per" is "for" elsewhere.
    let counted = figures.tell_before(at) && raw(said, at) != "per";
    let ranked =
        |word: &str| LISTS.ranks.contains(word) || word.bytes().all(|b| b.is_ascii_digit());
    let period = |word: &str| LISTS.periods.contains(word);
    if counted && any(&period) && all(&|word| period(word) || ranked(word)) {
        return Some(Kind::Period);
    }
    if LISTS.of_whom.contains(raw(said, at)) {
        return is_of_whom(said, at, names).then_some(Kind::Whom);
    }
    is_in_a_land(said, figures, at, names).then_some(Kind::Land)
}

/// "14 days in France", "free in Spain": a name behind "in", where an amount or a rule is what is told.
fn is_in_a_land(said: &Worded, figures: &Figures, at: usize, names: &[&str]) -> bool {
    let capital = |word: &&str| said.capitals.iter().any(|place| raw(said, *place) == *word);
    let rules = |word: &String| LISTS.rules.contains(word.as_str());
    let told = || {
        figures.tell_an_amount_before(at, verb_before(said, at))
            || said.raw.iter().take(at).any(rules)
    };
    at > 0
        && matches!(raw(said, at), "in" | "en" | "à")
        && names.first().is_some_and(capital)
        && told()
}

/// Whether behind "for" stands for whom or what, and not how long, how many, or the answer.
fn is_of_whom(said: &Worded, at: usize, names: &[&str]) -> bool {
    let before = before(said, at);
    let first = names.first().copied().unwrap_or_default();
    // "Pour ne plus gêner": what it is for, and not for whom.
    let to_do = |word: &&str| word.ends_with("ing") || *word == "ne" || *word == "no";
    let counts = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            || TABLES.numbers.contains_key(*word)
            || is_time_word(word)
            || LISTS.periods.contains(*word)
            || LISTS.rates.contains_key(*word)
    };
    !LISTS.asking_for.contains(before)
        && !LISTS.for_nobody.contains(first)
        && !names.iter().any(counts)
        && !names.iter().any(to_do)
}

/// The words behind a leading word, up to the next one, a pause or the end.
fn phrase_behind(said: &Worded, at: usize) -> std::ops::Range<usize> {
    let ends = |place: &usize| {
        said.paused.contains(place)
            || TABLES.placing.contains(raw(said, *place))
            || LISTS.leading.contains(raw(said, *place))
            || is_verb(raw(said, *place)) && at == 0
    };
    let end = (at + 1..said.raw.len()).take(LONGEST).find(ends);
    at + 1..end.unwrap_or((at + 1 + LONGEST).min(said.raw.len()))
}

fn verb_before(said: &Worded, at: usize) -> Option<usize> {
    (1..at).find(|place| is_verb(raw(said, *place)))
}

/// Whether something is told between the verb and a place.
fn is_answered_before(said: &Worded, figures: &Figures, at: usize) -> bool {
    let Some(verb) = verb_before(said, at) else {
        return figures.tell_before(at);
    };
    // "Takes place in summer": the verb is told by two words.
    const OF_A_VERB: &[&str] = &["place", "lieu", "lugar", "luogo", "statt", "plaats"];
    let mut words = said.words.iter();
    words.any(|word| {
        (verb + 1..at).contains(&word.place) && !OF_A_VERB.contains(&raw(said, word.place))
    })
}

/// By what the one amount of a statement is counted.
fn rate(said: &Worded) -> Option<usize> {
    let mut found = (1..said.raw.len()).filter_map(|at| {
        let word = raw(said, at);
        if let Some((_, unit)) = word.rsplit_once('/') {
            return LISTS.rates.get(unit).copied();
        }
        let adverb = word.ends_with("ly") && word.len() > 4;
        let counted = adverb || LISTS.each.contains(raw(said, at - 1));
        LISTS.rates.get(word).filter(|_| counted).copied()
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::super::figures;
    use super::*;

    fn scopes(text: &str) -> (Scopes, Worded) {
        let said = Worded::read(text);
        (Scopes::read(&said, &figures::read(&said)), said)
    }

    #[test]
    fn what_holds_within_something_else_is_told_from_another_answer() {
        for (known, new, apart) in [
            (
                "The fee is 15 euros for residents.",
                "The fee is 15 euros for visitors.",
                true,
            ),
            (
                "The limit is 3 in production.",
                "The limit is 10 in staging.",
                true,
            ),
            (
                "The limit is 3 in production.",
                "The limit is 10 in prod.",
                false,
            ),
            (
                "The café closes at six in summer.",
                "The café closes at six in winter.",
                true,
            ),
            (
                "Turnover was 3 million in Q1.",
                "Turnover was 3 million in Q2.",
                true,
            ),
            (
                "Refunds take 14 days in France.",
                "Refunds take 14 days in Spain.",
                true,
            ),
            (
                "The kiln is in the shed.",
                "The kiln is in the cellar.",
                false,
            ),
            (
                "The parcel is for Edith.",
                "The parcel is for Magnus.",
                false,
            ),
            ("The launch is in Q1.", "The launch is in Q2.", false),
            (
                "The table is booked for four.",
                "The table is booked for six.",
                false,
            ),
            (
                "We meet at nine in the lobby.",
                "We meet at nine in the kitchen.",
                false,
            ),
        ] {
            let ((one, _), (other, _)) = (scopes(new), scopes(known));
            assert_eq!(one.are_apart(&other), apart, "{known} {new}");
        }
    }

    #[test]
    fn an_amount_is_counted_by_something_else_or_by_the_same() {
        for (known, new, otherwise) in [
            (
                "It costs 90 dollars a month.",
                "It costs 90 dollars a year.",
                true,
            ),
            (
                "It costs 90 dollars a month.",
                "It costs 90 dollars per month.",
                false,
            ),
            (
                "It costs 90 dollars monthly.",
                "It costs 90 dollars/year.",
                true,
            ),
            ("It costs 90 dollars.", "It costs 90 dollars a year.", false),
        ] {
            let ((one, _), (other, _)) = (scopes(new), scopes(known));
            assert_eq!(one.count_otherwise(&other), otherwise, "{known} {new}");
        }
    }
}
