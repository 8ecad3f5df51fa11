//! Whether something of a known statement would be lost if another took its place: "the lesson is on Tuesdays with
//! Mrs. Adler" says with whom, and "the lesson moved to Wednesdays" does not.
//!
//! A statement of several facts is replaced by none that tells one of them anew. What it tells is looked at by kind, since
//! another value is of the kind of the one that it replaces: a name for a name, a number for a number, a day for a day.

use super::past::is_year;
use super::worded::{TABLES, Word, Worded, before, raw};
use crate::claims::is_time_word;

/// A kind of what may be told of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Name,
    Number,
    Time,
    Place,
}

/// In front of a number these make an hour or a day of it.
const WHEN: &[&str] = &[
    "at", "um", "à", "alle", "om", "by", "before", "after", "until",
];

/// In front of a month or a year these say since when something holds, and tell nothing of it.
const SINCE: &[&str] = &[
    "from", "since", "starting", "as", "ab", "seit", "dès", "desde", "da", "vanaf",
];

/// Whether `known` tells something of another kind, or more of one, beside what `new` tells anew.
pub(super) fn is_left(new: &Worded, known: &Worded) -> bool {
    let (told, left) = (only_in(new, known), only_in(known, new));
    let count = |kinds: &[Kind], kind: Kind| kinds.iter().filter(|it| **it == kind).count();
    let anew = |kind: Kind| count(&told, kind) > 0 && count(&left, kind) > 0;
    let is_left = |kind: Kind| match kind {
        // A day may be told anew without its hour, and when something was is over with it.
        Kind::Time => count(&left, kind) > 0 && !anew(kind) && !known.has_any(&TABLES.was),
        Kind::Name => count(&left, kind) > 0 && !anew(kind),
        Kind::Number | Kind::Place => count(&left, kind) > count(&told, kind),
    };
    const ALL: [Kind; 4] = [Kind::Name, Kind::Number, Kind::Time, Kind::Place];
    ALL.iter().any(|kind| anew(*kind)) && ALL.iter().any(|kind| is_left(*kind))
}

/// The kinds of what one tells and the other does not. "Linda Moss" is one name, and known where one word of it is.
fn only_in(said: &Worded, other: &Worded) -> Vec<Kind> {
    let kinds = said
        .words
        .iter()
        .filter_map(|word| Some((word, kind_of(said, word)?)));
    let kinds: Vec<(&Word, Kind)> = kinds.collect();
    let one_name = |(word, kind): &(&Word, Kind), (next, next_kind): &(&Word, Kind)| {
        [*kind, *next_kind] == [Kind::Name; 2] && word.place + 1 == next.place
    };
    let is_known = |(word, _): &(&Word, Kind)| {
        let own = raw(said, word.place);
        other.has(&word.stem) || other.raw.iter().any(|it| it == own)
    };
    let told = kinds
        .chunk_by(one_name)
        .filter(|told| !told.iter().any(is_known));
    told.filter_map(|told| told.first().map(|(_, kind)| *kind))
        .collect()
}

fn kind_of(said: &Worded, word: &Word) -> Option<Kind> {
    let (own, before) = (raw(said, word.place), before(said, word.place));
    let says_since = SINCE.contains(&before);
    let is_hour = own.contains(':') || own.ends_with("am") || own.ends_with("pm");
    if is_time_word(own) {
        (!says_since).then_some(Kind::Time)
    } else if own.contains('/') && own.contains(char::is_alphabetic) {
        Some(Kind::Place)
    } else if word.number {
        let next = raw(said, word.place + 1);
        let may_be_a_day = own.parse::<u16>().is_ok_and(|day| day <= 31) || is_year(own);
        let of_a_day = may_be_a_day && (is_time_word(before) || is_time_word(next));
        let of_an_hour = is_hour || matches!(next, "am" | "pm" | "uhr" | "o'clock");
        let when = of_a_day || of_an_hour || says_since || WHEN.contains(&before);
        Some(if when { Kind::Time } else { Kind::Number })
    } else {
        let opens = word.place == 0 || word.verb;
        (word.capital && !opens).then_some(Kind::Name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_of_another_kind_would_be_lost() {
        for (known, new, left) in [
            (
                "Piano lesson for Tom on Tuesdays at 16:30 with Mrs. Adler.",
                "Tom's piano lesson moved to Wednesdays at 17:00.",
                true,
            ),
            (
                "Flat 1 is rented to the Bakers, 850 a month.",
                "New rent for flat 1 from January: 890.",
                true,
            ),
            (
                "Acme has 30 seats, contact is Linda Moss.",
                "Acme now has 45 seats.",
                true,
            ),
            (
                "The API server listens on port 8080 and the admin UI on 3100.",
                "The API server now listens on port 9090.",
                true,
            ),
            (
                "The database is Postgres 14, migrations live in db/migrations.",
                "We upgraded the database to Postgres 16.",
                true,
            ),
            (
                "I work at Cafe Linden on Saturdays for 11.80 an hour.",
                "Cafe Linden pays me 12.40 an hour now.",
                true,
            ),
            (
                "The meeting is on Tuesday at 10.",
                "The meeting moved to Thursday.",
                false,
            ),
            (
                "Our contact at Delmont is Rachel Singh.",
                "Our contact at Delmont is now Bernard Achebe.",
                false,
            ),
            (
                "Olga owns the billing module.",
                "The billing module was handed over from Olga to Yusuf.",
                false,
            ),
            (
                "We pay the cleaner Marta 18 euros an hour.",
                "Marta now gets 20 euros an hour.",
                false,
            ),
            (
                "Rent is 1,450 a month.",
                "From May the rent is 1,520 a month.",
                false,
            ),
            (
                "The launch is on 4 May.",
                "The launch slipped to 18 May.",
                false,
            ),
            (
                "We use Jira for tickets.",
                "We moved from Jira to Linear for tickets.",
                false,
            ),
        ] {
            assert_eq!(
                is_left(&Worded::read(new), &Worded::read(known)),
                left,
                "{known} {new}"
            );
        }
    }
}
