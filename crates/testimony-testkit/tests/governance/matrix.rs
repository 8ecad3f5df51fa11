//! The matrix itself, and what has to hold for every line of it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use expect_test::expect_file;
use testimony_domain::{Standing, State, TrustPolicy};

use crate::actors::Actor;
use crate::outcome::{Route, outcome};
use crate::rows::{Place, Row, rows};

/// One line: an actor at a door for a row, and what comes of it under each policy.
struct Line {
    actor: Actor,
    route: Route,
    row: Row,
    cells: Vec<String>,
}

/// Every line, computed once for all tests.
static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let rows = rows();
    let doors = Actor::ALL
        .iter()
        .flat_map(|actor| Route::ALL.iter().map(|route| (*actor, *route)));
    let lines =
        doors.flat_map(|(actor, route)| rows.iter().map(move |row| line(actor, route, *row)));
    lines.collect()
});

fn line(actor: Actor, route: Route, row: Row) -> Line {
    let cells = TrustPolicy::ALL
        .iter()
        .map(|policy| outcome(actor, route, row, *policy));
    Line {
        actor,
        route,
        row,
        cells: cells.collect(),
    }
}

impl Line {
    fn key(&self) -> String {
        key(self.actor, self.route, self.row)
    }
}

fn key(actor: Actor, route: Route, row: Row) -> String {
    let Row {
        standing,
        state,
        place,
    } = row;
    format!("{actor}\t{route}\t{standing}\t{state}\t{place}")
}

const HEAD: [&str; 5] = ["actor", "route", "row", "state", "place"];

fn page() -> String {
    let head: Vec<&str> = HEAD.iter().chain(TrustPolicy::WORDS).copied().collect();
    let lines = LINES
        .iter()
        .map(|line| format!("{}\t{}\n", line.key(), line.cells.join("\t")));
    format!("{}\n{}", head.join("\t"), lines.collect::<String>())
}

#[test]
fn the_matrix_is_as_committed() {
    expect_file!["../../../../fixtures/governance/matrix.tsv"].assert_eq(&page());
}

/// Reads the committed file by itself, so that a line or column that is missing there is missed here.
#[test]
fn the_committed_matrix_lacks_nobody_no_door_no_state_and_no_policy() {
    let committed = include_str!("../../../../fixtures/governance/matrix.tsv");
    let mut committed_lines = committed.lines();
    let head: Vec<&str> = committed_lines.next().unwrap().split('\t').collect();
    assert_eq!(head[..HEAD.len()], HEAD);
    assert_eq!(head[HEAD.len()..], *TrustPolicy::WORDS);
    let keys: BTreeSet<String> = committed_lines
        .map(|line| {
            line.splitn(HEAD.len() + 1, '\t')
                .take(HEAD.len())
                .collect::<Vec<_>>()
                .join("\t")
        })
        .collect();
    for actor in Actor::ALL.iter().copied() {
        for route in Route::ALL.iter().copied() {
            for standing in Standing::ALL.iter().copied() {
                for state in standing.row().states.iter().copied() {
                    let wanted = key(
                        actor,
                        route,
                        Row {
                            standing,
                            state,
                            place: Place::Shared,
                        },
                    );
                    assert!(keys.contains(&wanted), "the matrix lacks: {wanted}");
                }
            }
        }
    }
    for word in State::WORDS
        .iter()
        .chain(Standing::WORDS)
        .chain(Place::WORDS)
    {
        let column = format!("\t{word}\t");
        assert!(
            keys.iter().any(|key| format!("{key}\t").contains(&column)),
            "the matrix lacks `{word}`"
        );
    }
}

fn shows(cell: &str) -> bool {
    cell.starts_with("result") || cell.starts_with("injected")
}

#[test]
fn refused_keys_get_nothing_anywhere() {
    for line in LINES.iter() {
        let refused = match line.actor {
            Actor::Expired => Some("refused 401"),
            Actor::Lacking | Actor::OtherContainer => Some("refused 403"),
            Actor::Operator
            | Actor::Reviewer
            | Actor::Writer
            | Actor::WriterOtherKey
            | Actor::OtherAgent
            | Actor::ContainerScope
            | Actor::OtherUser
            | Actor::Connector => None,
        };
        if let Some(refused) = refused {
            assert!(
                line.cells.iter().all(|cell| cell == refused),
                "{}",
                line.key()
            );
        }
    }
}

#[test]
fn another_users_key_sees_no_row_of_ada() {
    for line in LINES.iter().filter(|line| line.actor == Actor::OtherUser) {
        assert!(
            line.cells.iter().all(|cell| cell.ends_with("invisible")),
            "{}",
            line.key()
        );
    }
}

#[test]
fn what_is_private_is_shown_to_its_agent_to_container_scope_and_to_operators_alone() {
    for line in LINES.iter() {
        let private =
            line.row.place != Place::Shared || line.row.standing == Standing::SingleOrigin;
        let outside = matches!(line.actor, Actor::OtherAgent | Actor::Connector);
        if private && outside {
            assert!(
                line.cells.iter().all(|cell| cell.ends_with("invisible")),
                "{}",
                line.key()
            );
        }
    }
}

#[test]
fn what_is_sealed_is_shown_nowhere() {
    for line in LINES.iter() {
        let sealed = matches!(
            line.row.standing,
            Standing::Quarantined | Standing::Forensic | Standing::Rejected | Standing::Erased
        );
        assert!(
            !sealed || !line.cells.iter().any(|cell| shows(cell)),
            "{}",
            line.key()
        );
    }
}

#[test]
fn two_keys_of_one_agent_get_the_same() {
    let of = |actor: Actor| LINES.iter().filter(move |line| line.actor == actor);
    for (one, other) in of(Actor::Writer).zip(of(Actor::WriterOtherKey)) {
        assert_eq!(one.cells, other.cells, "{}", one.key());
    }
}

#[test]
fn a_stricter_policy_shows_no_more() {
    for line in LINES.iter() {
        let shown: Vec<bool> = line.cells.iter().map(|cell| shows(cell)).collect();
        assert!(
            shown.is_sorted_by(|looser, stricter| looser >= stricter),
            "{}",
            line.key()
        );
    }
}
