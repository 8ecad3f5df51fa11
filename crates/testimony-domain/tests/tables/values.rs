//! Support, time, texts and numbers: the small values on which the tables rest.

use testimony_domain::bounds::NUMBERS;
use testimony_domain::label::LABELS;
use testimony_domain::{
    AgentId, Clock, Confidence, CustomId, FactId, FixedClock, Invalid, KeyId, Memory, MemoryId,
    MemoryKind, MemoryScope, Origin, Owner, Partition, Plane, Problem, Redacted, RunId, Score,
    SourceClass, SourceLabel, SourceRef, Standing, State, Tag, TemporalState, Timestamp, Validity,
    Verdict, independent_origins, origin_groups,
};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn origin(key: u128, class: SourceClass) -> Origin {
    Origin {
        key: KeyId::from_uuid(uuid::Uuid::from_u128(key)),
        agent: None,
        run: None,
        source: None,
        class,
        echo: false,
    }
}

fn agent(mut origin: Origin, name: &str) -> Origin {
    origin.agent = AgentId::new("agent_id", name).ok();
    origin
}

fn run(mut origin: Origin, name: &str) -> Origin {
    origin.run = RunId::new("run_id", name).ok();
    origin
}

fn source(mut origin: Origin, name: &str) -> Origin {
    origin.source = SourceRef::new("source_ref", name).ok();
    origin
}

fn count(origins: &[Origin]) -> usize {
    independent_origins(origins)
}

#[test]
fn agents_are_independent_only_when_nothing_is_shared() {
    use SourceClass::AgentObservation as Seen;
    let (one, other) = (origin(1, Seen), origin(2, Seen));
    assert_eq!(count(&[]), 0);
    assert_eq!(count(&[one.clone(), one.clone(), one.clone()]), 1);
    assert_eq!(count(&[one.clone(), other.clone()]), 2);
    assert_eq!(
        count(&[agent(one.clone(), "a"), agent(other.clone(), "a")]),
        1
    );
    assert_eq!(
        count(&[agent(one.clone(), "a"), agent(other.clone(), "b")]),
        2
    );
    assert_eq!(count(&[run(one.clone(), "r"), run(other.clone(), "r")]), 1);
    assert_eq!(count(&[run(one.clone(), "r"), run(other.clone(), "s")]), 2);
    assert_eq!(
        count(&[source(one.clone(), "d"), source(other.clone(), "d")]),
        1
    );
    assert_eq!(count(&[source(one, "d"), source(other, "e")]), 2);
}

#[test]
fn people_are_independent_in_every_turn_but_not_when_they_quote() {
    for class in [SourceClass::UserStatement, SourceClass::Operator] {
        let turn = run(agent(origin(1, class), "a"), "r");
        assert_eq!(count(&[turn.clone(), turn.clone()]), 2);
        let quoted = source(turn, "mail");
        assert_eq!(count(&[quoted.clone(), quoted]), 1);
    }
    for class in SourceClass::ALL
        .iter()
        .filter(|class| **class < SourceClass::UserStatement)
    {
        let said = origin(1, *class);
        assert_eq!(count(&[said.clone(), said]), 1, "{class}");
    }
}

#[test]
fn an_agent_binds_the_turns_that_it_can_have_heard() {
    let turn = origin(1, SourceClass::UserStatement);
    let heard = origin(1, SourceClass::AgentObservation);
    assert_eq!(count(&[turn.clone(), heard.clone()]), 1);
    assert_eq!(count(&[turn.clone(), turn.clone(), heard.clone()]), 1);
    assert_eq!(count(&[heard, turn.clone(), turn]), 1);
}

/// Every origin over two keys and a few agents, runs, documents and classes.
fn every_origin() -> Vec<Origin> {
    let mut all = Vec::new();
    for class in [SourceClass::UserStatement, SourceClass::AgentObservation] {
        for key in [1, 2] {
            for name in [None, Some("a"), Some("b")] {
                for run_name in [None, Some("r"), Some("s")] {
                    for document in [None, Some("d"), Some("e")] {
                        let mut one = origin(key, class);
                        one = name.map_or(one.clone(), |name| agent(one, name));
                        one = run_name.map_or(one.clone(), |name| run(one, name));
                        all.push(document.map_or(one.clone(), |name| source(one, name)));
                    }
                }
            }
        }
    }
    all
}

#[test]
fn two_origins_are_one_exactly_when_they_share_a_cause() {
    fn same<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
        one.is_some() && one == other
    }
    let all = every_origin();
    for one in &all {
        for other in &all {
            let is_person = |it: &Origin| it.class == SourceClass::UserStatement;
            let people = is_person(one) && is_person(other);
            let same_document = same(one.source.as_ref(), other.source.as_ref());
            let same_hand = one.key == other.key
                || same(one.agent.as_ref(), other.agent.as_ref())
                || same(one.run.as_ref(), other.run.as_ref());
            let expected = same_document || !people && same_hand;
            assert_eq!(one.shares_cause_with(other), expected, "{one:?} {other:?}");
            assert_eq!(
                count(&[one.clone(), other.clone()]) == 1,
                expected,
                "{one:?} {other:?}"
            );
        }
    }
}

#[test]
fn groups_are_joined_by_a_late_link() {
    use SourceClass::ToolResult as Tool;
    let (one, other) = (run(origin(1, Tool), "r"), source(origin(2, Tool), "d"));
    let link = source(run(origin(3, Tool), "r"), "d");
    let mut echo = origin(1, Tool);
    echo.echo = true;
    let listed = [&one, &other, &echo, &link];
    assert_eq!(origin_groups(&listed), [Some(0), Some(0), None, Some(0)]);
    assert_eq!(
        origin_groups(&[&one, &other, &echo]),
        [Some(0), Some(1), None]
    );
}

#[test]
fn counting_many_origins_with_one_cause_does_not_grow_with_their_square() {
    let many: Vec<Origin> = (0..50_000)
        .map(|key| run(origin(key, SourceClass::ToolResult), "r"))
        .collect();
    assert_eq!(count(&many), 1);
    let people = vec![origin(1, SourceClass::UserStatement); 50_000];
    assert_eq!(count(&people), 50_000);
}

#[test]
fn a_fixed_clock_stands_still() {
    let clock = FixedClock(at(7));
    assert_eq!((clock.now(), clock.now()), (at(7), at(7)));
}

#[test]
fn a_claim_holds_from_its_start_until_before_its_end() {
    let spell = Validity {
        from: Some(at(10)),
        until: Some(at(20)),
    };
    let holds: Vec<bool> = [9, 10, 19, 20]
        .map(|second| spell.holds_at(at(second)))
        .into();
    assert_eq!(holds, [false, true, true, false]);
    assert!(Validity::default().holds_at(at(0)));
}

#[test]
fn temporal_states_follow_state_then_expiry_then_validity() {
    let ended = Validity {
        from: None,
        until: Some(at(5)),
    };
    let open = Validity::default();
    for state in State::ALL.iter().copied() {
        let of = |validity: &Validity, expires| TemporalState::of(state, validity, expires, at(5));
        let fixed = match state {
            State::Superseded => Some(TemporalState::Superseded),
            State::Expired => Some(TemporalState::Stale),
            State::Active | State::Pending => None,
            State::QuarantinedInjection
            | State::QuarantinedSecret
            | State::Forensic
            | State::Rejected
            | State::Erased => Some(TemporalState::NonCurrent),
        };
        assert_eq!(
            of(&open, None),
            fixed.unwrap_or(TemporalState::Current),
            "{state}"
        );
        assert_eq!(
            of(&open, Some(at(6))),
            fixed.unwrap_or(TemporalState::Current),
            "{state}"
        );
        assert_eq!(
            of(&open, Some(at(5))),
            fixed.unwrap_or(TemporalState::Stale),
            "{state}"
        );
        assert_eq!(
            of(&ended, None),
            fixed.unwrap_or(TemporalState::NonCurrent),
            "{state}"
        );
        assert_eq!(
            of(&ended, Some(at(5))),
            fixed.unwrap_or(TemporalState::Stale),
            "{state}"
        );
    }
}

fn memory(state: State, class: SourceClass) -> Memory {
    let container = testimony_domain::ContainerTag::new("container_tag", "workspace").unwrap();
    let owner = Owner::Key(KeyId::from_uuid(uuid::Uuid::nil()));
    let labels = testimony_domain::Labels::default();
    Memory {
        id: MemoryId::from_uuid(uuid::Uuid::nil()),
        fact: FactId::from_uuid(uuid::Uuid::nil()),
        revision: 1,
        content: Redacted::attest("The pump runs."),
        kind: MemoryKind::Fact,
        slot: None,
        entities: Vec::new(),
        speaker: None,
        partition: Partition::stored(container, Plane::Task, MemoryScope::User, owner, labels),
        class,
        source: SourceLabel::new("source", "api").unwrap(),
        source_app: None,
        tags: Vec::new(),
        custom_id: None,
        state,
        approved: false,
        review: None,
        contested: false,
        origins: 1,
        reasons: Vec::new(),
        evidence: Vec::new(),
        observed_at: at(0),
        created_at: at(0),
        validity: Validity::default(),
        expires_at: Some(at(9)),
    }
}

#[test]
fn a_weak_row_is_private_until_vouched_for_and_a_strong_one_never() {
    for state in State::ALL.iter().copied() {
        for class in SourceClass::ALL.iter().copied() {
            let alone = memory(state, class);
            let supported = Memory {
                origins: 2,
                ..alone.clone()
            };
            let approved = Memory {
                approved: true,
                ..alone.clone()
            };
            let weak = class < SourceClass::ToolResult;
            assert_eq!(alone.is_private_until_supported(), weak, "{state} {class}");
            let waits = weak && state == State::Pending;
            assert_eq!(
                supported.is_private_until_supported(),
                waits,
                "{state} {class}"
            );
            assert_eq!(
                approved.is_private_until_supported(),
                waits,
                "{state} {class}"
            );
        }
    }
}

#[test]
fn a_memory_reads_the_tables_with_its_own_values() {
    let row = memory(State::Active, SourceClass::ToolResult);
    assert_eq!(row.standing(), Standing::CleanTool);
    assert_eq!(row.ruling().verdict, Verdict::Caution);
    assert_eq!(row.temporal_state(at(8)), TemporalState::Current);
    assert_eq!(row.temporal_state(at(9)), TemporalState::Stale);
    let contested = Memory {
        contested: true,
        ..row
    };
    assert_eq!(contested.standing(), Standing::Contested);
}

#[test]
fn a_head_is_cut_between_characters_and_only_when_needed() {
    let text = Redacted::attest("äöü");
    let heads = [0, 1, 2, 3, 4].map(|max| text.head(max).to_string());
    assert_eq!(heads, ["", "ä", "äö", "äöü", "äöü"]);
    assert_eq!(format!("{:?}", text.head(1)), "\"ä\"");
    assert_eq!(text.as_str(), "äöü");
}

#[test]
fn every_bound_is_kept_at_both_ends() {
    let label = |length: usize| Tag::new("tags", &"t".repeat(length));
    assert!(label(1).is_ok() && label(128).is_ok());
    assert_eq!(label(0).unwrap_err().problem, Problem::Empty);
    assert_eq!(
        label(129).unwrap_err().problem,
        Problem::TooLong {
            length: 129,
            max: 128
        }
    );
    assert_eq!(
        CustomId::new("custom_id", " \u{a0} ").unwrap_err().problem,
        Problem::Empty
    );
    assert_eq!(NUMBERS.len() + LABELS.len(), 33);
    for bound in NUMBERS.iter().chain(LABELS) {
        assert!(
            bound.min < bound.max && !bound.meaning.is_empty(),
            "{}",
            bound.name
        );
    }
    assert_eq!(Score::new("score", 0.0), Ok(Score::MIN));
    assert_eq!(Score::new("score", 1.0), Ok(Score::MAX));
    assert!(Confidence::new("confidence", 1.0 + f64::EPSILON).is_err());
    assert_eq!(Confidence::clamped(1.0), Confidence::MAX);
    assert!((Confidence::clamped(0.5).get() - 0.5).abs() < f64::EPSILON);
}

#[test]
fn every_problem_says_what_is_wrong_and_what_helps() {
    let problems = [
        (
            Problem::OutOfRange { min: 0.0, max: 1.0 },
            "`f` is not between 0 and 1; send a number from 0 to 1",
        ),
        (Problem::Empty, "`f` is empty; send at least one character"),
        (
            Problem::TooLong { length: 3, max: 2 },
            "`f` has 3 characters where 2 are allowed; send at most 2 characters, or split it",
        ),
        (
            Problem::BadCharacter {
                position: 1,
                allowed: "digits",
            },
            "`f` has a character at position 1 that cannot be used here; use only digits",
        ),
        (
            Problem::NotOneOf {
                allowed: &["a", "b"],
            },
            "`f` is not a known word; send one of: a, b",
        ),
        (
            Problem::Malformed {
                expected: "2025-01-31",
            },
            "`f` does not have the expected form; write it like 2025-01-31",
        ),
        (
            Problem::Needs { other: "g" },
            "`f` means nothing without `g`; send `g` too",
        ),
    ];
    for (problem, sentence) in problems {
        assert_eq!(Invalid::new("f", problem).to_string(), sentence);
    }
}

#[test]
fn words_are_read_back_as_they_are_written() {
    for state in State::ALL {
        assert_eq!(State::parse("lifecycle_state", state.as_str()), Ok(*state));
        assert_eq!(state.to_string(), state.as_str());
    }
    let refused = Verdict::parse("verdict", "Trusted").unwrap_err();
    assert_eq!(
        refused.problem,
        Problem::NotOneOf {
            allowed: Verdict::WORDS
        }
    );
}
