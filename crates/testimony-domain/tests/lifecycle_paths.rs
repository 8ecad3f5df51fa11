//! Where the lifecycle can lead: every path from every state, followed to its end.

use std::collections::BTreeSet;

use testimony_domain::{Cell, Event, State, transition};

/// Every state that some sequence of events leads to from `start`.
fn reachable(start: State, step: impl Fn(State, Event) -> Cell) -> BTreeSet<State> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        for event in Event::ALL {
            match step(state, *event) {
                Cell::To(next) if reached.insert(next) => open.push(next),
                Cell::To(_) | Cell::Keep(_) | Cell::Refuse(_) => {}
            }
        }
    }
    reached
}

const SEALED: [State; 3] = [State::Forensic, State::QuarantinedSecret, State::Erased];

#[test]
fn no_sequence_of_events_leads_from_a_sealed_state_to_memory() {
    for start in SEALED {
        let reached = reachable(start, transition);
        let memory = [State::Active, State::Pending];
        assert!(
            memory.iter().all(|state| !reached.contains(state)),
            "{start}: {reached:?}"
        );
    }
}

#[test]
fn a_table_with_one_wrong_cell_is_caught() {
    let broken = |state, event| match (state, event) {
        (State::QuarantinedSecret, Event::Hide) => Cell::To(State::Rejected),
        _ => transition(state, event),
    };
    assert!(reachable(State::Forensic, broken).contains(&State::Active));
}

#[test]
fn whatever_a_person_can_decide_about_can_still_be_erased() {
    for start in State::ALL {
        let erasable =
            *start == State::Erased || reachable(*start, transition).contains(&State::Erased);
        assert!(erasable, "{start}");
    }
}
