//! Two slots side by side: do they ask the same, and do they answer the same.

use testimony_domain::Slot;

use super::Cue;
use crate::claims::{UNNAMED_SPEAKER, same_amount};

/// Attributes that ask the same where both are about one subject.
const SAME_QUESTION: &[(&str, &str)] = &[
    ("deadline", "date"),
    ("expiry", "date"),
    ("birthday", "date"),
    ("status", "progress"),
    ("address", "port"),
    ("time", "date"),
    ("location", "address"),
    ("spouse", "partner"),
];

/// Attributes of which one is the denial of the other.
const OPPOSITES: &[(&str, &str)] = &[("likes", "dislikes")];

/// Attributes of people, in which a first name may stand for a full one.
const OF_PEOPLE: &[&str] = &[
    "residence",
    "employer",
    "occupation",
    "age",
    "birthday",
    "email",
    "phone",
    "spouse",
    "partner",
    "allergy",
    "likes",
    "dislikes",
    "speaks",
    "nickname",
    "manager",
    "diet",
    "owns",
    "birthplace",
    "origin",
    "marital status",
];

/// A slot as it is compared: opposite attributes are put to one, with the sign turned.
pub(super) fn put_plainly(slot: &Slot) -> Slot {
    let mut plain = slot.clone();
    if let Some((positive, _)) = OPPOSITES
        .iter()
        .find(|(_, negative)| *negative == slot.key.attribute)
    {
        (*positive).clone_into(&mut plain.key.attribute);
        plain.negated = !plain.negated;
    }
    plain
}

/// Why two slots ask different questions; `None` where they ask the same.
pub(super) fn other_question(one: &Slot, other: &Slot) -> Option<Cue> {
    if one.key.attribute != other.key.attribute && !asks_the_same(one, other) {
        return Some(Cue::OtherAttribute);
    }
    if !same_subject(one, other) {
        return Some(Cue::OtherSubject);
    }
    (one.key.scope != other.key.scope).then_some(Cue::OtherScope)
}

fn asks_the_same(one: &Slot, other: &Slot) -> bool {
    let (a, b) = (one.key.attribute.as_str(), other.key.attribute.as_str());
    let listed = SAME_QUESTION
        .iter()
        .any(|(x, y)| (*x == a && *y == b) || (*x == b && *y == a));
    let time_in_date =
        (a == "time" || b == "time") && (one.value.contains(':') != other.value.contains(':'));
    listed && !time_in_date
}

fn same_subject(one: &Slot, other: &Slot) -> bool {
    let (a, b) = (one.key.subject.as_str(), other.key.subject.as_str());
    if a == b {
        return true;
    }
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let first_name = long.split(' ').count() == 2
        && long
            .strip_prefix(short)
            .is_some_and(|rest| rest.starts_with(' '))
        && !long.ends_with("'s");
    first_name
        && short != UNNAMED_SPEAKER
        && OF_PEOPLE.contains(&one.key.attribute.as_str())
        && !is_kin(long)
}

/// "Mara sister" is not Mara.
fn is_kin(subject: &str) -> bool {
    let last = subject.rsplit(' ').next().unwrap_or_default();
    crate::claims::is_common_word(last)
}

/// How two answers to one question compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    Same,
    /// One says more exactly what the other says.
    Finer,
    Different,
}

pub(super) fn answers(one: &Slot, other: &Slot) -> Answers {
    if one.value == other.value && one.unit == other.unit {
        return Answers::Same;
    }
    let amount = same_amount(
        (&one.value, one.unit.as_deref()),
        (&other.value, other.unit.as_deref()),
    );
    if let Some(same) = amount {
        return if same {
            Answers::Same
        } else {
            Answers::Different
        };
    }
    if singular(&one.value) == singular(&other.value) && one.unit == other.unit {
        return Answers::Same;
    }
    if one.value == other.value && (one.unit.is_none() || other.unit.is_none()) {
        return Answers::Finer;
    }
    if days_within(&one.value, &other.value) || days_within(&other.value, &one.value) {
        return Answers::Finer;
    }
    let numeric = |value: &str| value.contains(|c: char| c.is_ascii_digit());
    if !numeric(&one.value)
        && !numeric(&other.value)
        && (words_within(&one.value, &other.value) || words_within(&other.value, &one.value))
    {
        return Answers::Finer;
    }
    Answers::Different
}

/// "Cashews" and "cashew" are the same; "a1s" and "a1" are not.
fn singular(value: &str) -> &str {
    let head = value.strip_suffix('s').unwrap_or(value);
    let plain =
        head.len() > 2 && !head.ends_with('s') && head.bytes().all(|b| b.is_ascii_lowercase());
    if plain { head } else { value }
}

/// Whether every value that one lists is among those that the other lists: "Spanish" in "Spanish and English".
pub(super) fn one_of_several(one: &Slot, other: &Slot) -> bool {
    let within = |inner: &str, outer: &str| {
        let listed: Vec<&str> = outer.split(" and ").take(LONGEST_LIST).collect();
        listed.len() > 1
            && inner
                .split(" and ")
                .take(LONGEST_LIST)
                .all(|value| listed.contains(&value))
    };
    within(&one.value, &other.value) || within(&other.value, &one.value)
}

/// No list of values is read further than this.
const LONGEST_LIST: usize = 16;

/// Whether the days of `inner` lie within those of `outer`, or `inner` adds a time to the same day.
fn days_within(inner: &str, outer: &str) -> bool {
    if let Some(rest) = inner.strip_prefix(outer) {
        return rest.starts_with(' ') && outer.len() == 10;
    }
    let Some((from, until)) = outer.split_once("..") else {
        return false;
    };
    let (first, behind) = inner.split_once("..").unwrap_or((inner, inner));
    let dated = first.len() >= 10 && first.get(4..5) == Some("-");
    // Days in this form are ordered as their letters are.
    dated && first >= from && (behind < until || (behind == until && inner.contains("..")))
}

/// Whether every word of `inner` stands in `outer` at its beginning or end: "oslo" in "oslo norway".
fn words_within(inner: &str, outer: &str) -> bool {
    let bounded = |rest: &str, space: bool| rest.is_empty() || space;
    inner.len() >= 2
        && (outer
            .strip_prefix(inner)
            .is_some_and(|rest| bounded(rest, rest.starts_with(' ')))
            || outer
                .strip_suffix(inner)
                .is_some_and(|rest| bounded(rest, rest.ends_with(' '))))
        && !outer.contains(" and ")
        && !outer.contains(" or ")
        && !outer.starts_with("not ")
        && !outer.starts_with("former ")
        && !outer.starts_with("assistant ")
        && !outer.starts_with("deputy ")
        && !outer.starts_with("new ")
}
