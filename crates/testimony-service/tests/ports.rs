//! What the ports promise before anybody fills them: the chain of events, and changes that only the tables allow.

use proptest::prelude::*;
use testimony_domain::{Cell, Event, Reason, State, Timestamp, transition};
use testimony_service::ports::ledger::audit::{
    Action, Actor, AuditEvent, ChainBreak, ChainHead, Digest, Seq, follow,
};
use testimony_service::ports::ledger::memories::{Change, Condition};
use testimony_testkit::{config, strategy};

/// A chain of events that say different things.
fn chain(length: u64) -> Vec<AuditEvent> {
    let mut head = ChainHead::default();
    let event = |seq: Seq, previous: Digest| {
        let mut event = AuditEvent {
            seq,
            at: Timestamp::constant(1_700_000_000, 0),
            actor: Actor::Service,
            request: None,
            action: Action::MemoryChanged,
            container: None,
            object: format!("mem_{seq}"),
            decision: Some("promote".to_owned()),
            reasons: vec![Reason::Admitted, Reason::Novel],
            rules: "1".to_owned(),
            previous,
            own: Digest::default(),
        };
        event.own = event.digest();
        event
    };
    (0..length)
        .map(|_| {
            let next = event(head.seq.next(), head.hash);
            head = ChainHead {
                seq: next.seq,
                hash: next.own,
            };
            next
        })
        .collect()
}

/// A way of changing an event.
type Forgery = fn(&mut AuditEvent);

/// What somebody may do to an event who wants to change what happened.
const FORGERIES: &[(&str, Forgery)] = &[
    ("another time", |event| {
        event.at = Timestamp::constant(1_700_000_001, 0);
    }),
    ("another actor", |event| {
        event.actor = Actor::Key(testimony_domain::KeyId::mint(
            &testimony_domain::SequentialIds::default(),
        ));
    }),
    ("another action", |event| event.action = Action::MemoryMade),
    ("another row", |event| event.object.push('0')),
    ("another decision", |event| {
        event.decision = Some("approve".to_owned());
    }),
    ("no decision", |event| event.decision = None),
    ("a reason less", |event| {
        event.reasons.pop();
    }),
    ("a reason that was the rules", |event| {
        event.reasons.pop();
        event.rules = "novel1".to_owned();
    }),
    ("other rules", |event| event.rules.push('2')),
];

#[test]
fn a_chain_ends_where_its_last_event_says() {
    let events = chain(20);
    let head = follow(ChainHead::default(), &events).unwrap();
    assert_eq!(head.seq, Seq(20));
    assert_eq!(Some(head.hash), events.last().map(|event| event.own));
    let half = follow(ChainHead::default(), &events[..10]).unwrap();
    assert_eq!(follow(half, &events[10..]), Ok(head));
}

#[test]
fn every_forgery_breaks_the_chain_even_with_a_hash_to_match() {
    for (what, forge) in FORGERIES {
        let mut events = chain(5);
        forge(&mut events[2]);
        let altered = follow(ChainHead::default(), &events);
        assert_eq!(altered, Err(ChainBreak::Altered { at: Seq(3) }), "{what}");
        events[2].own = events[2].digest();
        let unlinked = follow(ChainHead::default(), &events);
        assert_eq!(unlinked, Err(ChainBreak::Unlinked { at: Seq(4) }), "{what}");
    }
}

#[test]
fn what_is_left_out_or_cut_off_is_noticed() {
    let events = chain(5);
    let mut gap = events.clone();
    gap.remove(2);
    let expected = ChainBreak::Gap {
        expected: Seq(3),
        found: Seq(4),
    };
    assert_eq!(follow(ChainHead::default(), &gap), Err(expected));
    // A chain that was cut off is whole in itself; only a head that was kept elsewhere tells.
    let cut = follow(ChainHead::default(), &events[..3]).unwrap();
    assert_ne!(cut, follow(ChainHead::default(), &events).unwrap());
}

proptest! {
    #![proptest_config(config())]

    /// Whatever is touched beside it, the state is where the table leads and nowhere else.
    #[test]
    fn a_change_moves_a_state_only_as_the_table_does(
        memory in strategy::memory::memories(),
        event in proptest::sample::select(Event::ALL),
        wanted in proptest::sample::select(State::ALL),
    ) {
        let change = Change::of(&memory, event, |condition| condition.state = wanted);
        match transition(memory.state, event) {
            Cell::To(state) => {
                let (change, effect) = change.unwrap();
                prop_assert_eq!(change.becomes().state, state);
                prop_assert_eq!(effect, None);
            }
            Cell::Keep(expected) => {
                let (change, effect) = change.unwrap();
                prop_assert_eq!(change.becomes().state, memory.state);
                prop_assert_eq!(effect, Some(expected));
            }
            Cell::Refuse(reason) => prop_assert_eq!(change.unwrap_err(), reason),
        }
        let within = Change::within_state(&memory, |condition| condition.state = wanted);
        prop_assert_eq!(within.becomes().state, memory.state);
    }

    #[test]
    fn a_condition_put_back_on_its_memory_changes_nothing(memory in strategy::memory::memories()) {
        prop_assert_eq!(Condition::of(&memory).applied_to(&memory), memory);
    }
}
