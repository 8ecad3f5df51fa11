//! The lifecycle table searched exhaustively: what can be reached from where, by whom, and by which events.

use std::collections::BTreeSet;

use testimony_domain::Cell::{Keep, Refuse, To};
use testimony_domain::{Cell, Effect, Event, Reason, State, transition};

type Table = dyn Fn(State, Event) -> Cell;

/// Every state that some sequence of `events` leads to.
fn reachable(table: &Table, from: State, events: &[Event]) -> BTreeSet<State> {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        for event in events {
            if let To(next) = table(state, *event)
                && seen.insert(next)
            {
                open.push(next);
            }
        }
    }
    seen
}

const SEALED: [State; 3] = [State::QuarantinedSecret, State::Forensic, State::Erased];

fn sealed_stays_sealed(table: &Table) -> bool {
    let active_from = |from: &State| reachable(table, *from, Event::ALL).contains(&State::Active);
    !SEALED.iter().any(active_from)
}

#[test]
fn no_sequence_of_events_frees_what_is_sealed() {
    assert!(sealed_stays_sealed(&transition));
    for from in SEALED {
        let reached = reachable(&transition, from, Event::ALL);
        assert!(
            reached.iter().all(|state| SEALED.contains(state)),
            "{from}: {reached:?}"
        );
    }
}

#[test]
fn canary_every_single_wrong_cell_that_opens_a_sealed_row_is_caught() {
    let open = [
        State::Active,
        State::Pending,
        State::Rejected,
        State::Superseded,
        State::Expired,
    ];
    for sealed in SEALED {
        for event in Event::ALL {
            for target in open {
                let wrong = move |state, happened| {
                    if state == sealed && happened == *event {
                        To(target)
                    } else {
                        transition(state, happened)
                    }
                };
                assert!(
                    !sealed_stays_sealed(&wrong),
                    "{sealed} by {event} to {target}"
                );
            }
        }
    }
}

#[test]
fn everything_else_can_come_back_by_a_persons_hand() {
    for from in State::ALL.iter().filter(|state| !SEALED.contains(state)) {
        let reached = reachable(&transition, *from, Event::ALL);
        assert!(reached.contains(&State::Active), "{from}: {reached:?}");
        assert!(reached.contains(&State::Erased), "{from}: {reached:?}");
    }
}

#[test]
fn what_is_quarantined_or_decided_against_does_not_come_back_by_itself() {
    let of_the_service = [
        Event::Promote,
        Event::Demote,
        Event::Supersede,
        Event::Expire,
        Event::FindInjection,
        Event::FindSecret,
        Event::FindForensic,
    ];
    for from in [
        State::QuarantinedInjection,
        State::Rejected,
        State::Expired,
        State::Superseded,
    ] {
        let reached = reachable(&transition, from, &of_the_service);
        assert!(!reached.contains(&State::Active), "{from}: {reached:?}");
        assert!(!reached.contains(&State::Pending), "{from}: {reached:?}");
    }
}

#[test]
fn what_is_held_again_stays_held_until_a_person_approves_it() {
    for state in State::ALL.iter().filter(|state| **state != State::Erased) {
        let held = match transition(*state, Event::HoldAgain) {
            To(next) => next,
            Keep(_) => *state,
            Refuse(reason) => panic!("{state}: {reason}"),
        };
        let events = Event::ALL.iter().copied();
        let without_approval: Vec<Event> =
            events.filter(|event| *event != Event::Approve).collect();
        let reached = reachable(&transition, held, &without_approval);
        assert!(!reached.contains(&State::Active), "{state}: {reached:?}");
        assert!(!reached.contains(&State::Pending), "{state}: {reached:?}");
    }
}

#[test]
fn every_way_into_active_is_a_promotion_or_an_approval() {
    for state in State::ALL.iter().filter(|state| **state != State::Active) {
        for event in Event::ALL {
            let opens = transition(*state, *event) == To(State::Active);
            let expected = matches!(
                (state, event),
                (State::Pending, Event::Promote | Event::Approve)
                    | (State::QuarantinedInjection, Event::Approve)
            );
            assert_eq!(opens, expected, "{state} by {event}");
        }
    }
}

#[test]
fn each_finding_and_each_decision_leads_where_its_name_says() {
    let targets = [
        (Event::Demote, State::Pending),
        (Event::Reject, State::Rejected),
        (Event::Hide, State::Rejected),
        (Event::Retract, State::Rejected),
        (Event::Reopen, State::Pending),
        (Event::HoldAgain, State::QuarantinedInjection),
        (Event::Supersede, State::Superseded),
        (Event::Reinstate, State::Pending),
        (Event::Expire, State::Expired),
        (Event::FindInjection, State::QuarantinedInjection),
        (Event::FindSecret, State::QuarantinedSecret),
        (Event::FindForensic, State::Forensic),
        (Event::Erase, State::Erased),
    ];
    for (event, target) in targets {
        for state in State::ALL {
            if let To(next) = transition(*state, event) {
                assert_eq!(next, target, "{state} by {event}");
                assert_ne!(next, *state, "{state} by {event} is no move");
            }
        }
    }
}

#[test]
fn a_secret_is_found_and_content_is_erased_in_every_state() {
    for state in State::ALL {
        let after = |event| match transition(*state, event) {
            To(next) => next,
            Keep(_) | Refuse(_) => *state,
        };
        assert_eq!(after(Event::Erase), State::Erased, "{state}");
        let with_secret = after(Event::FindSecret);
        assert!(
            matches!(with_secret, State::QuarantinedSecret | State::Erased),
            "{state}"
        );
    }
}

#[test]
fn refusals_say_what_holds() {
    let expected = [
        (State::Erased, Event::Approve, Reason::ContentErased),
        (
            State::QuarantinedSecret,
            Event::Approve,
            Reason::NeverTrusted,
        ),
        (State::Forensic, Event::Promote, Reason::NeverTrusted),
        (
            State::QuarantinedInjection,
            Event::Promote,
            Reason::NotDecidedYet,
        ),
        (State::Superseded, Event::Approve, Reason::NoLongerOpen),
        (State::Active, Event::Reinstate, Reason::NothingToUndo),
        (
            State::Pending,
            Event::ReleaseRedacted,
            Reason::NothingRedacted,
        ),
    ];
    for (state, event, reason) in expected {
        assert_eq!(
            transition(state, event),
            Refuse(reason),
            "{state} by {event}"
        );
    }
    assert_eq!(
        transition(State::Active, Event::Approve),
        Keep(Effect::CloseCase)
    );
}

#[test]
fn outside_both_quarantines_have_one_name() {
    for state in State::ALL {
        let quarantined = [State::QuarantinedInjection, State::QuarantinedSecret].contains(state);
        let expected = if quarantined {
            "quarantined"
        } else {
            state.as_str()
        };
        assert_eq!(state.public_name(), expected);
    }
}
