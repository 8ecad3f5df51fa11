//! How a claim stands to a neighbour by whoever reads both together, where rules and table leave it open.
//!
//! Rules and tables look at words; that "no refunds are given" says what "we never refund" says has to be read.
//! Who reads is blind where rules are not: for who does what to whom, and for numbers that name.
//! So it is asked last, speaks only where the rules find that both can hold, and what it says has to pass the same guards.

use super::compare::Pair;
use super::same::Unlike;
use super::together::{Word, has};
use super::{Cue, Relation, Stand, figures, guard, names, open, same};

/// Reads what is known and what comes in together.
pub trait PairReader {
    /// The logarithm of how likely each relation of `new` to `known` is, up to a number that all of them share; what is no
    /// number says nothing.
    fn read(&self, known: &str, new: &str) -> PairOdds;
}

/// Of each relation, in the order of [`Relation::ALL`], how likely it is.
pub type PairOdds = [f64; Relation::ALL.len()];

/// Where nothing was read.
pub const SAYS_NOTHING: PairOdds = [f64::NAN; Relation::ALL.len()];

/// Each is told from so much likelier on than any other, as the logarithm of the odds: what hides a known one or makes work for
/// a person has to be surer than what is the same and is kept in a row of its own.
const SAME_FROM: f64 = 1.0;
const OTHERWISE_FROM: f64 = 2.5;
const NEWER_FROM: f64 = 2.5;

/// So many words of what is known may be missing in what takes its place: what else it says would be out of sight with it.
const LEFT_BEHIND: usize = 2;
/// One word in so many of what is known has to come back.
const TAKEN_UP: usize = 4;
/// A statement of so many words that tell what it is about is short.
const SHORT: usize = 3;

/// How the claim stands to the neighbour by what is read of both, where that is left open and somebody reads.
pub(super) fn told_by_reading(pair: &Pair<'_>, judged: &Stand) -> Option<Stand> {
    let reader = pair.challenger.reader?;
    if !(open::may_be_told(pair, judged) && are_worth_reading(pair)) {
        return None;
    }
    let odds = reader.read(pair.neighbour.text, pair.challenger.text);
    let (relation, margin) = likeliest(odds)?;
    as_read(pair, relation, margin)
}

/// Whether both may be of the same, whatever the rules say: reading takes a few milliseconds, and most of what stands near a
/// claim speaks of something else of somebody.
pub(super) fn are_worth_reading(pair: &Pair<'_>) -> bool {
    open::is_taken_up(pair, TAKEN_UP)
        && shares_more_than_a_name(pair.paired())
        && !guard::names_another(pair)
}

/// Whether more comes back than of whom it is; of a short statement nothing else may.
fn shares_more_than_a_name((new, known): (&[Word], &[Word])) -> bool {
    let telling = || known.iter().filter(|word| word.tells());
    let more = telling().any(|word| !word.name && has(new, &word.stem));
    more || telling().count() <= SHORT
}

/// What was read, as it stands, where it is sure enough and nothing speaks against it.
fn as_read(pair: &Pair<'_>, relation: Relation, margin: f64) -> Option<Stand> {
    match relation {
        Relation::Duplicate | Relation::Supporting => {
            let same = margin >= SAME_FROM
                && may_be_of_one_thing(pair)
                && !open::says_other_amounts(pair)
                && !names::each_names_another(pair.worded())
                && !open::hold_within_others(pair)
                && !is_turned(pair);
            same.then(|| pair.supporting(Cue::Reading))
        }
        Relation::Contradicts => {
            let against =
                margin >= OTHERWISE_FROM && may_be_of_one_thing(pair) && !holds_both_ways(pair);
            against.then(|| pair.against(Cue::Reading))
        }
        Relation::Supersedes => {
            let newer = margin >= NEWER_FROM && takes_all_of_its_place(pair);
            newer.then(|| pair.against_by(Cue::Reading, Some(Cue::Reading)))
        }
        Relation::Independent => None,
    }
}

/// Whether both may be of one thing, as far as words tell: of what two say by name in a talk half has to come back on both
/// sides, since talks dwell on what somebody is fond of, and tell another thing of it each time.
fn may_be_of_one_thing(pair: &Pair<'_>) -> bool {
    let of_a_talk = pair.challenger.speaker.is_some() && pair.neighbour.speaker.is_some();
    !of_a_talk || open::are_of_one_thing(pair)
}

/// Whether it speaks of the same, leaves little behind, and tells no event: who left the club at ten is a member of it.
fn takes_all_of_its_place(pair: &Pair<'_>) -> bool {
    let (new, known) = pair.worded();
    let event = figures::happened_at_an_hour(new) && !figures::happened_at_an_hour(known);
    open::words_of_both(pair) > 1
        && open::differ_within(pair, (usize::MAX, LEFT_BEHIND))
        && !open::name_other_owners(pair)
        && !event
}

/// Whether it only turns round what is known, which is not seen by who reads: "Bo paid Ida", "Ida paid Bo".
fn is_turned(pair: &Pair<'_>) -> bool {
    turned(pair).is_some()
}

/// Whether it turns round what holds both ways: "the valve feeds the tank", and not "is cheaper than", or what comes first.
fn holds_both_ways(pair: &Pair<'_>) -> bool {
    const ONE_WAY: [&str; 5] = ["than", "before", "after", "ahead", "behind"];
    let (new, _) = pair.worded();
    let one_way = new.raw.iter().any(|word| ONE_WAY.contains(&word.as_str()));
    turned(pair) == Some(Unlike::Turned) && !one_way && !open::says_other_amounts(pair)
}

fn turned(pair: &Pair<'_>) -> Option<Unlike> {
    let (new, known) = pair.worded();
    let turned = open::differ_within(pair, (0, 0)).then(|| same::turned(new, known, false));
    turned.flatten()
}

/// The likeliest relation, and how much likelier it is than any other; the same words and other words are one.
fn likeliest(odds: PairOdds) -> Option<(Relation, f64)> {
    let [duplicate, supporting, rest @ ..] = odds;
    let most = duplicate.max(supporting);
    let same = most + ((duplicate - most).exp() + (supporting - most).exp()).ln();
    let [supersedes, contradicts, independent] = rest;
    let mut all = [
        (Relation::Supporting, same),
        (Relation::Supersedes, supersedes),
        (Relation::Contradicts, contradicts),
        (Relation::Independent, independent),
    ];
    all.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let [(relation, first), (_, second), ..] = all;
    let margin = first - second;
    margin.is_finite().then_some((relation, margin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_relation_comes_with_its_margin_whatever_all_share() {
        let same = (4.0_f64.exp() + 2.0_f64.exp()).ln();
        for (odds, relation, margin) in [
            ([4.0, 2.0, 0.0, 0.0, 0.0], Relation::Supporting, same),
            ([0.0, 0.0, 5.0, 3.0, -1.0], Relation::Supersedes, 2.0),
            ([-9.0, -9.0, 0.5, 3.0, 1.0], Relation::Contradicts, 2.0),
            ([-9.0, -9.0, -4.0, -3.0, 1.0], Relation::Independent, 4.0),
        ] {
            for shared in [0.0, 3.0, -40.0] {
                let told = likeliest(odds.map(|it| it + shared));
                let found = told.is_some_and(|(which, ahead)| {
                    which == relation && (ahead - margin).abs() < 1e-9
                });
                assert!(found, "{odds:?} and {shared}: {told:?}");
            }
        }
    }
}
