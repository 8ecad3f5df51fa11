//! The matrix itself, and what has to hold for every line of it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use expect_test::expect_file;
use testimony_domain::{Standing, State, TrustPolicy};
use testimony_recall::View;

use crate::actors::Actor;
use crate::outcome::{Route, outcome};
use crate::rows::{Place, Row, rows};

/// One line: an actor at a door for a row in a view, and what comes of it under each policy.
struct Line {
    actor: Actor,
    route: Route,
    row: Row,
    view: View,
    cells: Vec<String>,
}

/// Every line, computed once for all tests.
static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let rows = rows();
    let doors = Actor::ALL
        .iter()
        .flat_map(|actor| Route::ALL.iter().map(|route| (*actor, *route)));
    let met = doors.flat_map(|(actor, route)| rows.iter().map(move |row| (actor, route, *row)));
    met.flat_map(|(actor, route, row)| {
        let of = move |view: &View| line(actor, route, row, *view);
        View::ALL.iter().map(of)
    })
    .collect()
});

fn line(actor: Actor, route: Route, row: Row, view: View) -> Line {
    let cells = TrustPolicy::ALL
        .iter()
        .map(|policy| outcome(actor, route, row, (view, *policy)));
    Line {
        actor,
        route,
        row,
        view,
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

const HEAD: [&str; 6] = ["actor", "route", "row", "state", "place", "view"];

/// What the column says where the view changes nothing.
const EVERY_VIEW: &str = "every";

fn page() -> String {
    let head: Vec<&str> = HEAD.iter().chain(TrustPolicy::WORDS).copied().collect();
    let lines = LINES.chunks(View::ALL.len()).flat_map(written);
    format!("{}\n{}", head.join("\t"), lines.collect::<String>())
}

/// The lines of all views of one meeting: views that give the same share a line, so that what a view opens stands out.
fn written(views: &[Line]) -> Vec<String> {
    let first_of_its_kind = |line: &&Line| {
        let same = views.iter().find(|other| other.cells == line.cells);
        same.is_some_and(|other| other.view == line.view)
    };
    let shared = views.iter().filter(first_of_its_kind).map(|line| {
        let same = views.iter().filter(|other| other.cells == line.cells);
        let names: Vec<&str> = same.map(|other| other.view.as_str()).collect();
        let names = if names.len() == views.len() {
            EVERY_VIEW.to_owned()
        } else {
            names.join(", ")
        };
        format!("{}\t{names}\t{}\n", line.key(), line.cells.join("\t"))
    });
    shared.collect()
}

/// The meeting of a committed line, and the views that it speaks of.
fn read(line: &str) -> Vec<(String, &str)> {
    let fields: Vec<&str> = line.split('\t').take(HEAD.len()).collect();
    let (view, meeting) = fields.split_last().unwrap();
    let views: Vec<&str> = if *view == EVERY_VIEW {
        View::WORDS.to_vec()
    } else {
        view.split(", ").collect()
    };
    let meeting = meeting.join("\t");
    views
        .into_iter()
        .map(|view| (meeting.clone(), view))
        .collect()
}

#[test]
fn the_matrix_is_as_committed() {
    expect_file!["../../../../fixtures/governance/matrix.tsv"].assert_eq(&page());
}

/// Reads the committed file by itself, so that a line or column that is missing there is missed here.
#[test]
fn the_committed_matrix_lacks_nobody_no_door_no_state_no_view_and_no_policy() {
    let committed = include_str!("../../../../fixtures/governance/matrix.tsv");
    let mut committed_lines = committed.lines();
    let head: Vec<&str> = committed_lines.next().unwrap().split('\t').collect();
    assert_eq!(head[..HEAD.len()], HEAD);
    assert_eq!(head[HEAD.len()..], *TrustPolicy::WORDS);
    let mut known = BTreeSet::new();
    for line in committed_lines {
        assert_eq!(line.split('\t').count(), head.len(), "{line}");
        for said in read(line) {
            assert!(!known.contains(&said), "the matrix says twice: {said:?}");
            known.insert(said);
        }
    }
    for meeting in every_meeting() {
        for view in View::WORDS {
            let wanted = (meeting.clone(), *view);
            assert!(known.contains(&wanted), "the matrix lacks: {wanted:?}");
        }
    }
    for word in State::WORDS
        .iter()
        .chain(Standing::WORDS)
        .chain(Place::WORDS)
    {
        let column = format!("\t{word}\t");
        assert!(
            known
                .iter()
                .any(|(meeting, _)| format!("{meeting}\t").contains(&column)),
            "the matrix lacks `{word}`"
        );
    }
}

/// Everybody at every door for every shared row, from the tables of the domain alone.
fn every_meeting() -> Vec<String> {
    let mut meetings = Vec::new();
    for actor in Actor::ALL.iter().copied() {
        for route in Route::ALL.iter().copied() {
            for standing in Standing::ALL.iter().copied() {
                for state in standing.row().states.iter().copied() {
                    let place = Place::Shared;
                    let row = Row {
                        standing,
                        state,
                        place,
                    };
                    meetings.push(key(actor, route, row));
                }
            }
        }
    }
    meetings
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
fn what_is_sealed_is_shown_by_a_persons_view_alone_and_injected_by_none() {
    for line in LINES.iter() {
        let sealed = matches!(
            line.row.standing,
            Standing::Quarantined | Standing::Forensic | Standing::Rejected | Standing::Erased
        );
        let opened = match line.view {
            View::Assistant => false,
            View::Review => matches!(line.actor, Actor::Operator | Actor::Reviewer),
            View::Forensic => line.actor == Actor::Operator,
        };
        let shown = |cell: &String| cell.starts_with("injected") || shows(cell) && !opened;
        assert!(!sealed || !line.cells.iter().any(shown), "{}", line.key());
    }
}

/// A view opens nothing to those who lack its capability, and nothing at all to a prompt, a write or a case.
#[test]
fn a_view_changes_what_a_capable_person_reads_and_nothing_else() {
    for views in LINES.chunks(View::ALL.len()) {
        for line in views {
            let capable = matches!(line.actor, Actor::Operator | Actor::Reviewer);
            let reads = matches!(line.route, Route::Recall | Route::Mcp);
            assert!(
                line.cells == views[0].cells || capable && reads,
                "{} {}",
                line.key(),
                line.view
            );
        }
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
