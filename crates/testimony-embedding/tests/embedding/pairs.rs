//! The reader in the binary beside the rules of `reconcile`, on pairs that it was not taught with.

use serde::Deserialize;
use testimony_admission::reconcile::{Challenger, Cue, Neighbour, PairReader, Relation, reconcile};
use testimony_domain::{MemoryId, SequentialIds, SourceClass, Validity};
use testimony_embedding::BuiltInReader;

/// What is known, what comes in a month later, and how an examiner says that it stands to it.
#[derive(Deserialize)]
struct Pair {
    known: String,
    new: String,
    relation: String,
}

fn judged(known: &str, new: &str, reader: Option<&dyn PairReader>) -> (Relation, Cue) {
    let neighbour = Neighbour {
        id: MemoryId::mint(&SequentialIds::default()),
        text: known,
        speaker: None,
        slot: None,
        class: SourceClass::UserStatement,
        approved: false,
        established: false,
        observed_at: "2023-05-20T12:00:00Z".parse().unwrap(),
        validity: Validity::default(),
    };
    let challenger = Challenger {
        text: new,
        speaker: None,
        slot: None,
        class: SourceClass::UserStatement,
        observed_at: "2023-06-20T12:00:00Z".parse().unwrap(),
        validity: Validity::default(),
        supersedes: &[],
        retracts: &[],
        reader,
    };
    let found = reconcile(&challenger, &[neighbour]);
    (found.relation, found.cue)
}

#[test]
fn what_stands_in_no_rule_is_read() {
    let reader = BuiltInReader::new().unwrap();
    for (known, new, relation) in [
        (
            "The release branch is frozen until Thursday noon.",
            "Until 12:00 on Thursday the release branch stays frozen.",
            Relation::Supporting,
        ),
        (
            "Students may use calculators in the physics exam.",
            "Calculators are forbidden in the physics exam.",
            Relation::Contradicts,
        ),
    ] {
        assert_eq!(judged(known, new, None).0, Relation::Independent, "{new}");
        assert_eq!(
            judged(known, new, Some(&reader)),
            (relation, Cue::Reading),
            "{new}"
        );
    }
}

/// What each of six examiners wrote, the least that is told alike, and how many independent ones may be replaced.
#[rustfmt::skip]
const SETS: [(u8, &str, usize, usize); 6] = [
    (1, include_str!("../../../../fixtures/unseen_texts/pairs.jsonl"),   202, 0),
    (2, include_str!("../../../../fixtures/unseen_texts/pairs_2.jsonl"), 219, 1),
    (3, include_str!("../../../../fixtures/unseen_texts/pairs_3.jsonl"), 158, 0),
    (4, include_str!("../../../../fixtures/unseen_texts/pairs_4.jsonl"), 153, 1),
    (5, include_str!("../../../../fixtures/unseen_texts/pairs_5.jsonl"), 142, 1),
    (6, include_str!("../../../../fixtures/unseen_texts/pairs_6.jsonl"), 188, 1),
];

/// The figures stand in docs/testing.md; these bounds hold them from below. What says the same may come as support.
#[test]
fn pairs_of_other_examiners_are_told_as_they_would_be() {
    let reader = BuiltInReader::new().unwrap();
    let same = |relation: &str| match relation {
        "duplicate" => "supporting".to_owned(),
        other => other.to_owned(),
    };
    for (set, pairs, least, most_replaced) in SETS {
        let (mut right, mut by_rules, mut replaced, mut all) = (0, 0, 0, 0);
        for line in pairs.lines() {
            let pair: Pair = serde_json::from_str(line).unwrap();
            let told = |reader| judged(&pair.known, &pair.new, reader).0;
            let (alone, read) = (told(None), told(Some(&reader as &dyn PairReader)));
            let is_right = |found: Relation| same(&pair.relation) == same(found.as_str());
            all += 1;
            by_rules += usize::from(is_right(alone));
            right += usize::from(is_right(read));
            replaced += usize::from(pair.relation == "independent" && read == Relation::Supersedes);
        }
        println!(
            "set {set}: {right} of {all} told alike, {by_rules} by rules and tables alone, {replaced} replaced"
        );
        assert!(right >= least && replaced <= most_replaced, "set {set}");
    }
}
