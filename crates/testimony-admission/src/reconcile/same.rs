//! What looks the same and is not: the same words with other parts in it, another tense, or something left over.
//!
//! Support is given only where nothing unexplained is left on either side; else a statement would be lost in another.

use std::sync::LazyLock;

use super::same_tables::{
    AGENT, ALL, COMPARING, GOVERNING, HELPING, JOINING, LIMITING, MEASURED, MUTUAL, MUTUAL_JOINTS,
    NONE, PARTS_OF_DAY, PAST, PRESENT, SENSES, SIBLING_WORDS,
};
use super::worded::{TABLES, Worded, raw};
use crate::claims::{is_time_word, is_verb};
use crate::lexicon::WordSet;

/// How two statements of like words differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unlike {
    /// Who does it and whom it is done to are exchanged; both can hold.
    Turned,
    /// What is compared is exchanged; only one can hold.
    Compared,
    /// One speaks of what was, the other of what is.
    Past,
    /// Another number, day or hour.
    Value,
    /// One says something beside it that changes what is said.
    Beside,
}

type Words = WordSet<&'static str>;

struct Lists {
    governing: Words,
    comparing: Words,
    helping: Words,
    agent: Words,
    mutual: Words,
    mutual_joints: Words,
    joining: Words,
    present: Words,
    past: Words,
    limiting: Words,
    parts_of_day: Words,
    measured: Words,
    all: Words,
    none: Words,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let list = |words: &'static str| words.split(' ').collect();
    Lists {
        governing: list(GOVERNING),
        comparing: list(COMPARING),
        helping: list(HELPING),
        agent: list(AGENT),
        mutual: list(MUTUAL),
        mutual_joints: list(MUTUAL_JOINTS),
        joining: list(JOINING),
        present: list(PRESENT),
        past: list(PAST),
        limiting: list(LIMITING),
        parts_of_day: list(PARTS_OF_DAY),
        measured: list(MEASURED),
        all: list(ALL),
        none: list(NONE),
    }
});

/// A word with the part that it has in its statement.
#[derive(Clone, Copy, Debug)]
struct Part<'w> {
    stem: &'w str,
    raw: &'w str,
    /// The word that governs it, and nothing where it stands free.
    governor: &'w str,
    /// Whether it owns what follows.
    owner: bool,
    capital: bool,
    /// Whether it is a member of a list.
    listed: bool,
    place: usize,
}

impl Part<'_> {
    fn may_act(&self) -> bool {
        !is_time_word(self.raw) && !LISTS.parts_of_day.contains(self.raw)
    }
}

/// The words of a statement that carry content, with their parts; a letter in capitals is a name.
fn parts(said: &Worded) -> Vec<Part<'_>> {
    let mut content = said.words.iter().peekable();
    let mut governor = "";
    let mut found = Vec::new();
    for (place, raw) in said.raw.iter().enumerate() {
        let word = content.next_if(|word| word.place == place);
        let capital = said.capitals.contains(&place);
        let letter = place > 0 && capital && raw.len() == 1 && raw != "i";
        if word.is_none() && !letter {
            let copula = TABLES.placing.contains(raw.as_str()) && is_verb(raw);
            if LISTS.governing.contains(raw.as_str()) {
                governor = raw;
            } else if copula {
                governor = "";
            }
            continue;
        }
        if LISTS.governing.contains(raw.as_str()) && !letter {
            governor = raw;
            continue;
        }
        // "For the plan" and "plans": behind an article it is no verb.
        let before = place.checked_sub(1).and_then(|at| said.raw.get(at));
        let named = before.is_some_and(|before| TABLES.dropped.contains(before));
        if word.is_some_and(|word| word.verb) && !named {
            governor = "";
        }
        found.push(Part {
            stem: word.map_or(raw.as_str(), |word| word.stem.as_str()),
            raw,
            governor,
            owner: said.owners.contains(&place),
            capital,
            listed: is_listed(said, place),
            place,
        });
    }
    found
}

fn is_listed(said: &Worded, place: usize) -> bool {
    let joins = |at: Option<usize>| {
        at.and_then(|at| said.raw.get(at))
            .is_some_and(|word| LISTS.joining.contains(word.as_str()))
    };
    let paused = said.paused.contains(&place) || said.paused.contains(&(place + 1));
    place > 0 && paused || joins(place.checked_sub(1)) || joins(Some(place + 1))
}

/// The words that stand once in each of the two statements, with their parts in both.
fn shared<'w>(new: &[Part<'w>], known: &[Part<'w>]) -> Vec<(Part<'w>, Part<'w>)> {
    let once = |all: &[Part<'w>], stem: &str| {
        let mut same = all.iter().filter(|part| part.stem == stem);
        same.next().copied().filter(|_| same.next().is_none())
    };
    new.iter()
        .filter_map(|part| Some((once(new, part.stem)?, once(known, part.stem)?)))
        .collect()
}

/// Whether the two say the same of exchanged parties, or of other directions, which a slot may have `explained`: "works
/// at" and "works for".
pub(super) fn turned(new: &Worded, known: &Worded, explained: bool) -> Option<Unlike> {
    if new.too_long || known.too_long {
        return None;
    }
    let (parts_new, parts_known) = (parts(new), parts(known));
    let both = shared(&parts_new, &parts_known);
    if let Some(governor) = exchanged(&both, are_mutual(new, known)) {
        return Some(if only_one_way(governor, new) {
            Unlike::Compared
        } else {
            Unlike::Turned
        });
    }
    let turned = !explained && other_way(&both)
        || around_verb(&both, new, known)
        || made_passive(&parts_new, &parts_known, &both);
    turned.then_some(Unlike::Turned)
}

/// Verbs by which one is put before another.
const PREFERRING: &[&str] = &[
    "prefer", "bevorzug", "préfèr", "préfér", "prefier", "prefir", "rather",
];

/// The same without what points another way, which is another answer and not another question.
pub(super) fn exchanges_parties(new: &Worded, known: &Worded) -> bool {
    if new.too_long || known.too_long {
        return false;
    }
    let (new_parts, known_parts) = (parts(new), parts(known));
    let both = shared(&new_parts, &known_parts);
    let exchanged = exchanged(&both, are_mutual(new, known));
    exchanged.is_some_and(|governor| !only_one_way(governor, new))
}

/// Whether what holds of the one and the other cannot hold the other way round as well: "taller than", "north of".
fn only_one_way(governor: &str, said: &Worded) -> bool {
    const SIDES: &[&str] = &[
        "north",
        "south",
        "east",
        "west",
        "nördlich",
        "südlich",
        "östlich",
        "westlich",
        "nord",
        "sud",
        "norte",
        "sur",
        "left",
        "right",
    ];
    let any = |list: &[&str]| {
        said.raw
            .iter()
            .any(|word| list.iter().any(|stem| word.starts_with(stem)))
    };
    LISTS.comparing.contains(governor)
        || any(PREFERRING)
        || matches!(governor, "of" | "von" | "de") && any(SIDES)
}

/// Whether both set one against another: "than", "als", "que".
pub(super) fn both_compare(new: &Worded, known: &Worded) -> bool {
    let compares = |said: &Worded| {
        said.raw
            .iter()
            .any(|word| LISTS.comparing.contains(word.as_str()))
    };
    compares(new) && compares(known)
}

/// Whether the words that the two do not share begin alike: "alta" and "alto".
pub(super) fn are_alike_but_for_endings(new: &Worded, known: &Worded) -> bool {
    let begins = |word: &str| word.chars().take(2).collect::<String>();
    let (one, other) = (lacking(new, known), lacking(known, new));
    one.len() == other.len()
        && one
            .iter()
            .zip(&other)
            .all(|(one, other)| begins(one) == begins(other))
}

/// The governor that passed from one word to another: "reports to Helen" and "Helen reports to".
fn exchanged<'w>(both: &[(Part<'w>, Part<'w>)], mutual: bool) -> Option<&'w str> {
    let tie = |part: &Part<'w>| (part.governor, part.owner);
    let pairs = both.iter().enumerate().flat_map(|(at, one)| {
        let others = both.iter().skip(at + 1);
        others.map(move |other| (one, other))
    });
    pairs
        .filter(|((one, _), (other, _))| one.may_act() && other.may_act())
        .filter(|((one, was), (other, had))| {
            tie(one) == tie(had) && tie(other) == tie(was) && tie(one) != tie(other)
        })
        .map(|((one, _), (other, _))| (one, other))
        .find(|(one, other)| !(mutual && may_stand_either_way(one, other)))
        .map(|(one, other)| {
            if one.governor.is_empty() {
                other.governor
            } else {
                one.governor
            }
        })
}

/// Whether both tell of something that holds either way round.
fn are_mutual(new: &Worded, known: &Worded) -> bool {
    let mutual = |said: &Worded| {
        said.raw
            .iter()
            .any(|word| LISTS.mutual.contains(word.as_str()))
    };
    mutual(new) && mutual(known)
}

/// Whether two words stand on the sides of what holds either way round: "is married to".
fn may_stand_either_way(one: &Part<'_>, other: &Part<'_>) -> bool {
    let joint =
        |part: &Part<'_>| part.governor.is_empty() || LISTS.mutual_joints.contains(part.governor);
    one.owner == other.owner && joint(one) && joint(other)
}

/// Whether a word stands behind words of different senses: "to Oslo", "from Oslo".
fn other_way(both: &[(Part<'_>, Part<'_>)]) -> bool {
    let lines = |word: &str| -> Vec<usize> {
        let senses = SENSES.iter().enumerate();
        let within = senses.filter(|(_, line)| line.split(' ').any(|other| other == word));
        within.map(|(at, _)| at).collect()
    };
    both.iter().any(|(new, known)| {
        let (one, other) = (lines(new.governor), lines(known.governor));
        let meets = one.iter().any(|line| other.contains(line));
        !one.is_empty() && !other.is_empty() && !meets
    })
}

/// Whether two words changed sides around a third: "Bea owes Jon", "Jon owes Bea".
fn around_verb(both: &[(Part<'_>, Part<'_>)], new: &Worded, known: &Worded) -> bool {
    if are_mutual(new, known) {
        return false;
    }
    let acting = |(new, known): &&(Part<'_>, Part<'_>)| {
        new.may_act() && new.governor == known.governor && !new.listed && !known.listed
    };
    let acting: Vec<_> = both.iter().filter(acting).collect();
    let moved = |middle: (usize, usize), forth: bool| {
        acting.iter().find(move |(new, known)| {
            let before = known.place < middle.1 && new.place > middle.0;
            let after = known.place > middle.1 && new.place < middle.0;
            if forth { before } else { after }
        })
    };
    let verb = helping_verb(new).zip(helping_verb(known));
    let middles = acting.iter().map(|(new, known)| (new.place, known.place));
    middles.chain(verb).any(|middle| {
        let pair = (moved(middle, true), moved(middle, false));
        matches!(pair, (Some((one, _)), Some((other, _))) if one.governor == other.governor && is_name(one) == is_name(other))
    })
}

/// Where the verb stands that helps another one at the end: "hat Eva 50 Euro geliehen".
fn helping_verb(said: &Worded) -> Option<usize> {
    let helps = |word: &String| LISTS.helping.contains(word.as_str());
    said.raw.iter().position(helps)
}

fn is_name(part: &Part<'_>) -> bool {
    part.capital && part.place > 0 || part.place == 0
}

/// "Nadia coached Theo" and "Nadia was coached by Theo": the one who is spoken of first did it, and then it was done to her.
fn made_passive(new: &[Part<'_>], known: &[Part<'_>], both: &[(Part<'_>, Part<'_>)]) -> bool {
    let opens_alike = matches!((new.first(), known.first()), (Some(one), Some(other)) if one.stem == other.stem && one.may_act());
    let agent = |one: &Part<'_>, other: &Part<'_>| {
        LISTS.agent.contains(one.governor) && other.governor.is_empty()
    };
    opens_alike
        && both
            .iter()
            .skip(1)
            .any(|(new, known)| agent(new, known) || agent(known, new))
}

/// Whether one speaks of what was and the other of what is: "has 32 GB", "had 32 GB".
pub(super) fn other_tense(new: &Worded, known: &Worded) -> bool {
    let told = matches!((tense(new), tense(known)), (Some(one), Some(other)) if one != other);
    told || did(new, known) || did(known, new)
}

/// Whether a verb stands alone in the past in the first and in the present in the second: "worked", "works".
fn did(first: &Worded, second: &Worded) -> bool {
    let raw = |said: &'_ Worded, place: usize| said.raw.get(place).cloned().unwrap_or_default();
    let helped = |said: &Worded, place: usize| {
        said.raw.iter().take(place).any(|word| {
            LISTS.past.contains(word.as_str())
                || LISTS.present.contains(word.as_str())
                || matches!(word.as_str(), "be" | "been" | "get" | "gets" | "got")
        })
    };
    first.words.iter().any(|word| {
        let past = word.verb && raw(first, word.place).ends_with("ed");
        let same = |other: &&super::worded::Word| other.stem == word.stem;
        past && !helped(first, word.place)
            && second.words.iter().find(same).is_some_and(|other| {
                let present = raw(second, other.place);
                other.verb && !present.ends_with("ed") && !present.ends_with("ing")
            })
    })
}

/// Whether one who is compared stands beside others: "taller than Kim", "taller than Lou".
pub(super) fn compares_with_another(new: &Worded, known: &Worded) -> bool {
    const THAN: &[&str] = &["than", "als", "que", "dan", "di"];
    let (one, other) = (parts(new), parts(known));
    let only = |said: &[Part<'_>], other: &[Part<'_>]| {
        let lacks = |part: &&Part<'_>| !other.iter().any(|word| word.stem == part.stem);
        let mut lacking = said.iter().filter(lacks).peekable();
        lacking.peek().is_some()
            && lacking.all(|part| {
                THAN.contains(&part.governor) && !part.raw.starts_with(|c: char| c.is_ascii_digit())
            })
    };
    only(&one, &other) && only(&other, &one)
}

/// Whether a statement says by "to be" or "to have" that something was; nothing where that only helps another verb.
fn tense(said: &Worded) -> Option<bool> {
    let any = |list: &Words| said.raw.iter().any(|word| list.contains(word.as_str()));
    let (past, present) = (any(&LISTS.past), any(&LISTS.present));
    // "Had a clock": behind an article a word is no verb.
    let helps = said.raw.windows(2).any(|pair| {
        matches!(pair, [before, word] if !TABLES.dropped.contains(before) && is_participle(word))
    });
    (past != present && !helps).then_some(past)
}

pub(super) fn is_participle(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "ed", "é", "ée", "és", "ado", "ada", "ido", "ida", "iert", "ing",
    ];
    const STATES: &[&str] = &[
        "paid", "sent", "built", "sold", "made", "held", "done", "shut", "lost", "won",
    ];
    let german = word.len() > 5 && word.starts_with("ge") && word.ends_with(['t', 'n']);
    let plain =
        TABLES.placing.contains(word) || LISTS.past.contains(word) || LISTS.present.contains(word);
    german
        || ENDINGS
            .iter()
            .any(|ending| word.len() > ending.len() + 2 && word.ends_with(ending))
        || STATES.contains(&word)
        || is_verb(word) && !plain
}

/// Whether the two say of all and of none the same.
pub(super) fn all_and_none(new: &Worded, known: &Worded) -> bool {
    let count = |said: &Worded, list: &Words| {
        let counts = |word: &&String| list.contains(word.as_str());
        said.raw.iter().take(3).filter(counts).count()
    };
    let is = |said: &Worded, yes: &Words, no: &Words| count(said, yes) == 1 && count(said, no) == 0;
    let opposed = is(new, &LISTS.all, &LISTS.none) && is(known, &LISTS.none, &LISTS.all)
        || is(new, &LISTS.none, &LISTS.all) && is(known, &LISTS.all, &LISTS.none);
    if !opposed {
        return false;
    }
    let rest = |said: &Worded| -> Vec<String> {
        let counted = |raw: &str| LISTS.all.contains(raw) || LISTS.none.contains(raw);
        let kept = said.words.iter().filter(|word| {
            let raw = raw(said, word.place);
            !counted(raw) && raw != "one"
        });
        kept.map(|word| word.stem.clone()).collect()
    };
    // "Archivos" and "archivo", "públicos" and "público".
    let alike = |one: &String, other: &String| one.chars().take(4).eq(other.chars().take(4));
    let (one, other) = (rest(new), rest(known));
    one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| alike(one, other))
}

/// Whether both speak of things of one name that a word in front of it keeps apart: "the old laptop", "the new laptop".
pub(super) fn are_siblings(new: &Worded, known: &Worded) -> bool {
    let within = |list: &str, word: &str| list.split(' ').any(|other| other == word);
    let before = |said: &Worded, list: &str, noun: &str| {
        said.raw
            .windows(2)
            .take(4)
            .any(|pair| matches!(pair, [word, behind] if within(list, word) && behind == noun))
    };
    new.raw.windows(2).take(4).any(|pair| {
        let [word, noun] = pair else { return false };
        SIBLING_WORDS.iter().any(|(one, other)| {
            within(one, word) && before(known, other, noun)
                || within(other, word) && before(known, one, noun)
        })
    })
}

/// What is left over where the answers of two slots are the same, `value` being the answer.
pub(super) fn left_over(new: &Worded, known: &Worded, value: &str) -> Option<Unlike> {
    if new.too_long || known.too_long {
        return None;
    }
    let (only_new, only_known) = (lacking(new, known), lacking(known, new));
    let is_counted = value.contains(|c: char| c.is_ascii_digit());
    let (new_left, known_left) = (LeftOver::of(&only_new), LeftOver::of(&only_known));
    let (clocks_new, clocks_known) = (clocks(new), clocks(known));
    if !clocks_new.is_empty() && clocks_new == clocks_known {
        return None;
    }
    if !is_counted && new_left.any() && known_left.any() {
        return Some(Unlike::Value);
    }
    let (one, other) = (new_left, known_left);
    let narrower = |left: &LeftOver, bare: &LeftOver| {
        let parts = left.parts_of_day && !bare.any();
        let numbers = left.numbers && !left.days && !bare.any();
        !is_counted && (parts || numbers)
    };
    (narrower(&one, &other) || narrower(&other, &one)).then_some(Unlike::Beside)
}

/// The hours that a statement names, in minutes: "7 pm" and "19:00" are the same.
fn clocks(said: &Worded) -> Vec<u32> {
    let read = |(at, word): (usize, &String)| {
        let (hour, minute) = word.split_once([':', '.']).unwrap_or((word.as_str(), "0"));
        let (hour, minute) = (hour.parse::<u32>().ok()?, minute.parse::<u32>().ok()?);
        let behind = raw(said, at + 1);
        let hour = match behind {
            "pm" if hour < 12 => hour + 12,
            "am" if hour == 12 => 0,
            _ => hour,
        };
        let told = matches!(behind, "am" | "pm" | "uhr" | "h") || word.contains(':');
        (told && hour < 25 && minute < 60).then_some(hour * 60 + minute)
    };
    said.raw.iter().enumerate().filter_map(read).collect()
}

/// What of times and numbers only one of two statements says.
struct LeftOver {
    days: bool,
    parts_of_day: bool,
    numbers: bool,
}

impl LeftOver {
    fn of(words: &[&str]) -> Self {
        let is_number = |word: &&&str| {
            word.starts_with(|c: char| c.is_ascii_digit()) || TABLES.numbers.contains_key(**word)
        };
        Self {
            days: words.iter().any(|word| is_time_word(word)),
            parts_of_day: words.iter().any(|word| LISTS.parts_of_day.contains(word)),
            numbers: words.iter().any(|word| is_number(&word)),
        }
    }

    const fn any(&self) -> bool {
        self.days || self.parts_of_day || self.numbers
    }
}

/// Whether one says something beside what both say that takes away from it, or measures another side of it.
pub(super) fn beside(new: &Worded, known: &Worded) -> bool {
    // "Half an hour", "an hour and a half": an amount, which takes nothing away.
    let is_amount = |said: &Worded, at: usize| {
        let article = |at: Option<usize>| {
            at.and_then(|at| said.raw.get(at))
                .is_some_and(|word| matches!(word.as_str(), "a" | "an"))
        };
        said.raw.get(at).is_some_and(|word| word == "half")
            && (article(Some(at + 1)) || article(at.checked_sub(1)))
    };
    let limits = |said: &Worded| {
        let mut words = said.raw.iter().enumerate();
        words.any(|(at, word)| LISTS.limiting.contains(word.as_str()) && !is_amount(said, at))
    };
    !new.too_long
        && !known.too_long
        && (limits(new) != limits(known) || measure_other_sides(new, known))
}

/// Whether the two measure two sides of a thing: "3 m high", "3 m long".
pub(super) fn measure_other_sides(new: &Worded, known: &Worded) -> bool {
    let measured = |words: Vec<&str>| words.iter().any(|word| LISTS.measured.contains(word));
    measured(lacking(new, known)) && measured(lacking(known, new))
}

/// The words of one statement that the other lacks, as they stand.
fn lacking<'w>(said: &'w Worded, other: &Worded) -> Vec<&'w str> {
    let lacks = |word: &&super::worded::Word| !other.has(&word.stem);
    let words = said.words.iter().filter(lacks);
    // "… and is six": an answer of its own.
    let of_its_own = |place: usize| {
        place
            .checked_sub(2)
            .and_then(|at| said.raw.get(at..at + 2))
            .is_some_and(|two| matches!(two, [and, is] if LISTS.joining.contains(and.as_str()) && LISTS.present.contains(is.as_str())))
    };
    words
        .filter(|word| !of_its_own(word.place))
        .filter_map(|word| said.raw.get(word.place).map(String::as_str))
        .collect()
}
