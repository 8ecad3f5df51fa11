//! What tells one thing from another of its kind: a word before its noun ("the orders database", "the API keys", "the
//! spring tournament"), or a name behind it ("the flight to Japan"). A row that says another one in its place speaks of
//! another thing.

use crate::mark::Marks;
use crate::score::Sought;
use crate::text::{Shape, Word};
use crate::words::{Cell, Cue};

/// A word of a question that says which of several things is meant, and the number of the noun that they share.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Telling {
    word: Sought,
    noun: Sought,
    by_name: bool,
    /// Whether any other word in its place, in front of the noun, tells of another one.
    by_any_word: bool,
    /// The letters of a word that stands in other rows: there is such a thing, and a row that calls the noun otherwise speaks
    /// of another.
    known: Option<Box<str>>,
    /// The words that exclude it, which tell of another one before any noun.
    cells: &'static [Cell],
}

/// What stands before a name that says which or where something is.
const PLACING: &[&str] = &[
    "of", "for", "to", "in", "at", "on", "from", "with", "about", "by", "against", "near", "into",
    "through", "via", "de", "del", "en", "con", "para", "à", "dans", "pour", "avec",
];

/// No shorter word says which of several things is meant: "10 k best".
const SHORTEST_WORD: usize = 3;

/// What stands before what is done as before a thing: "first asked".
const IN_A_ROW: [&str; 3] = ["first", "last", "next"];

/// A form of a word has so many letters more.
const LONGEST_ENDING: usize = 2;

/// A noun of the same meaning is the same kind of thing. Where nothing but the word before it tells things apart, it has to be
/// the same noun.
const BY_MEANING: f64 = 0.8;
const THE_SAME: f64 = 1.0;

/// Whether a name may follow that says which or where something is.
pub(super) fn places(word: &Word) -> bool {
    PLACING.contains(&word.raw.as_str())
}

/// What tells things apart in a question; not what names its subject, which is looked for in a row anyway.
pub(super) fn tellings(
    words: &[Word],
    subject: &[Word],
    is_known: impl Fn(&Word) -> bool,
) -> Vec<Telling> {
    let spoken: Vec<&Word> = words.iter().filter(|word| !word.whole).collect();
    let tells = |word: &Word| is_thing(word) || is_name_of_letters(word);
    let things = spoken.iter().enumerate().filter(|(_, word)| tells(word));
    let is_subject = |word: &Word| subject.iter().any(|it| it.raw_mark == word.raw_mark);
    let things = things.filter(|(_, word)| !is_subject(word));
    let told = things.filter_map(|(at, word)| {
        let by_name = word.is_name();
        let (by_any_word, noun) = if by_name {
            noun_beside(&spoken, at)?
        } else {
            let noun = *spoken.get(at + 1).filter(|noun| is_thing(noun))?;
            (is_one_of_several(&spoken, at, noun), noun)
        };
        let may_tell = !by_name && is_of_a_thing(word) && !asks_which(&spoken, at);
        let is_known = may_tell && is_known(word);
        let telling = Telling {
            word: Sought::of(word),
            noun: Sought::of(noun),
            by_name,
            by_any_word,
            known: is_known.then(|| word.raw.as_str().into()),
            cells: word.cells,
        };
        (telling.is_sure() || is_known).then_some(telling)
    });
    told.collect()
}

/// What a name tells from others of its kind: the noun behind all of it, or the one before it.
fn noun_beside<'w>(words: &[&'w Word], at: usize) -> Option<(bool, &'w Word)> {
    let is_name = |word: &&&Word| word.is_name();
    let more = words.iter().skip(at).take_while(is_name).count();
    let fewer = words.iter().take(at).rev().take_while(is_name).count();
    let thing = |noun: &&Word| is_thing(noun);
    let behind = words.get(at + more).copied().filter(thing);
    let before = || noun_before(words, at - fewer).filter(thing);
    behind
        .map(|noun| (true, noun))
        .or_else(|| Some((false, before()?)))
}

fn is_thing(word: &Word) -> bool {
    !word.stop && word.shape == Shape::Plain && !word.is(Cue::Light) && !word.possessive
}

/// Whether a word may say which of several things is meant: neither how many, nor when, nor a unit or another short sign.
fn is_of_a_thing(word: &Word) -> bool {
    let is_long = word.raw.chars().count() >= SHORTEST_WORD;
    let in_a_row = IN_A_ROW.contains(&word.raw.as_str());
    let counts = in_a_row || word.is_number() || super::is_of_calendar(word);
    is_thing(word) && is_long && !counts
}

/// What opens the name of a thing: an article, or whose it is.
const OPENING: [Cue; 3] = [Cue::Article, Cue::FirstPerson, Cue::SomebodyElse];

/// Whether a sentence begins here or an article or a possessive stands before, with no more than a word between: what names a
/// thing opens so, and "development, branches" does not.
fn opens(words: &[&Word], at: usize) -> bool {
    let opens = |at: Option<usize>| match at.and_then(|at| words.get(at)) {
        Some(word) => word.possessive || OPENING.iter().any(|cue| word.is(*cue)),
        None => false,
    };
    let begins = |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(|it| it.first);
    begins(Some(at))
        || begins(at.checked_sub(1))
        || opens(at.checked_sub(1))
        || opens(at.checked_sub(2))
}

/// "Milas Prüfung" is Mila's.
fn is_form_of(one: &str, other: &str) -> bool {
    let ends = one.strip_prefix(other).or_else(|| other.strip_prefix(one));
    ends.is_some_and(|end| end.len() <= LONGEST_ENDING)
}

/// "Which service plan": what is asked for says which it is.
fn asks_which(words: &[&Word], at: usize) -> bool {
    let mut before = words.iter().take(at).rev().take(WHICH_WITHIN);
    let which = before.find(|word| word.stop || WHICH.contains(&word.raw.as_str()));
    which.is_some_and(|word| WHICH.contains(&word.raw.as_str()))
}

/// What asks which one of several is meant, and how far before it.
#[rustfmt::skip]
const WHICH: [&str; 14] = [
    "which", "what", "welche", "welcher", "welches", "welchen", "welchem", "quel", "quelle", "qué", "cuál", "qual", "quale", "welk",
];
const WHICH_WITHIN: usize = 2;

/// A name of letters alone, in whatever case they are.
fn is_name_of_letters(word: &Word) -> bool {
    word.is_name() && !word.possessive && word.raw.chars().all(char::is_alphabetic)
}

/// "The data team", "of the orders table": there is more than one such thing.
fn is_one_of_several(words: &[&Word], at: usize, noun: &Word) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| words.get(at));
    let article = before(1).is_some_and(|word| word.is(Cue::Article));
    let of = before(2).is_some_and(|word| matches!(word.raw.as_str(), "of" | "de"));
    article && (of || noun.is(Cue::Several))
}

/// In "the flight to Japan", the flight.
fn noun_before<'w>(words: &[&'w Word], at: usize) -> Option<&'w Word> {
    let before = |back: usize| at.checked_sub(back).and_then(|at| words.get(at).copied());
    let article = before(1).is_some_and(|word| word.is(Cue::Article));
    let back = if article { 2 } else { 1 };
    before(back).filter(|word| places(word))?;
    before(back + 1)
}

impl Telling {
    /// Whether it tells things apart whatever other rows say.
    pub(crate) const fn is_sure(&self) -> bool {
        self.by_name || self.by_any_word || !self.cells.is_empty()
    }

    /// Whether a row says another word where this one stands, and nowhere this one.
    pub(crate) fn is_another_in(&self, row: &[Word], asked: &Marks) -> bool {
        if row.iter().any(|word| self.word.is_held_by(word) > 0.0) {
            return false;
        }
        let spoken: Vec<&Word> = row.iter().filter(|word| !word.whole).collect();
        let is_asked = |at: usize| spoken.get(at).is_some_and(|word| asked.hold(word.mark));
        let mut places = (0..spoken.len()).filter(|at| !is_asked(*at));
        places.any(|at| {
            let noun = self.noun_of_another(&spoken, at);
            noun.is_some_and(|least| self.is_beside_noun(&spoken, at, least))
        })
    }

    /// How near the noun beside a word has to be, where that may tell of another thing.
    fn noun_of_another(&self, words: &[&Word], at: usize) -> Option<f64> {
        let word = words.get(at)?;
        if self.by_name && (word.is_name() || word.first && word.capital && !word.stop) {
            return Some(BY_MEANING);
        }
        let excludes = |own: &Cell| word.cells.iter().any(|other| own.excludes(*other));
        if self.cells.iter().any(excludes) {
            return Some(BY_MEANING);
        }
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let article = before.is_some_and(|before| before.is(Cue::Article));
        if word.is(Cue::Change) {
            None
        } else if self.by_any_word && article && is_thing(word) {
            Some(BY_MEANING)
        } else {
            // "The 16 tooth sprocket" is measured, "the Plus plan" says which, and `cold-logs` is a name of its own.
            let is_measured = before.is_some_and(|before| before.is_number());
            let names = word.is_name() || word.tied;
            let may_tell = is_of_a_thing(word) && !names && !is_measured && opens(words, at);
            let another = |known: &str| may_tell && !is_form_of(known, &word.raw);
            self.known
                .as_deref()
                .is_some_and(another)
                .then_some(THE_SAME)
        }
    }

    fn is_beside_noun(&self, words: &[&Word], at: usize, least: f64) -> bool {
        let is_name = |word: &&&Word| self.by_name && word.is_name();
        let is_noun = |noun: &Word| self.noun.is_held_by(noun) >= least;
        let more = words.iter().skip(at + 1).take_while(is_name).count();
        let at_end = at + more;
        let owned = if words.get(at).is_some_and(|word| word.possessive) {
            2
        } else {
            1
        };
        let mut behind = words.iter().skip(at_end + 1).take(owned);
        let fewer = words.iter().take(at).rev().take_while(is_name).count();
        let before = || noun_before(words, at - fewer).is_some_and(is_noun);
        behind.any(|noun| is_noun(noun)) || self.by_name && before()
    }
}

#[cfg(test)]
mod tests {
    use crate::query::Reading;
    use crate::text;

    /// A question, the word of it that stands in other rows, and a row that speaks of another thing of that kind.
    #[rustfmt::skip]
    const OF_ANOTHER: &[(&str, &str, &str)] = &[
        ("How long are worker logs kept?", "worker", "API logs are kept for 30 days."),
        ("Who sets the rope routes?", "rope", "Wiebke sets the bouldering routes now."),
        ("what's the guest wifi called", "guest", "Staff wifi is called larch-staff."),
        ("who leads the adults drill", "adults", "Annika leads the youth drill now."),
        ("Who tunes the grand piano?", "grand", "Nora does the tuning of the upright piano."),
        ("when does the file backup run?", "file", "The nightly database backup starts at 01:15."),
    ];

    /// The same with a row that may speak of it.
    #[rustfmt::skip]
    const OF_THE_SAME: &[(&str, &str, &str)] = &[
        // Nobody knows of such a thing, the row speaks of it, or of all of its kind.
        ("What's the visitor wifi called?", "", "The staff wifi is called larch-staff."),
        ("Who sets the rope routes?", "rope", "The rope routes are set by Ashby, not the bouldering routes."),
        ("Who sets the rope routes?", "rope", "Ashby sets the routes."),
        // What is measured, is a name of its own, or opens no name.
        ("Which front sprocket is on the bike?", "front", "It has the 16 tooth sprocket."),
        ("How do I query logs?", "query", "Older ones go to the bucket cold-logs."),
        ("Who sold the old car?", "old", "Mira sold the Plus car."),
        ("How long may a feature branch exist?", "feature", "We do trunk-based development, branches live two days."),
        // What is asked for says which.
        ("Which service plan do they have?", "service", "The bronze plan is theirs."),
        // Neither a place in a row, nor how many, nor when tells things apart, nor a unit, a form, or a task.
        ("Where is the next stop?", "next", "The bus stop is in Mill Lane."),
        ("Who are the two bridesmaids?", "two", "The chosen bridesmaids are Carys and Imogen."),
        ("When is the summer fete?", "summer", "The village fete is on 13 June."),
        ("What's my 10 k best?", "k", "My personal best is 46:55."),
        ("wann ist die Milas Prüfung", "milas", "Die Mila Prüfung ist am 2. April."),
        ("Write the team report.", "team", "The weekly report has one page."),
    ];

    fn is_of_another((question, known, row): &(&str, &str, &str)) -> bool {
        let rarity = |word: &str| if *known == word { 0.5 } else { 1.0 };
        let reading = Reading::of(question, None, None, Some(&rarity));
        let row = text::read(row);
        let mut tellings = reading.tellings.iter();
        tellings.any(|it| it.is_another_in(&row, &reading.asked))
    }

    #[test]
    fn what_is_called_otherwise_is_another_thing_where_there_is_such_a_thing() {
        for case in OF_ANOTHER {
            assert!(is_of_another(case), "{case:?}");
        }
        for case in OF_THE_SAME {
            assert!(!is_of_another(case), "{case:?}");
        }
    }
}
