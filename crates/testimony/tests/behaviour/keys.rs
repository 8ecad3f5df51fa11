//! Who comes in, and who does not.

use testimony::access::{Credential, KeyOrder, NoEntry};
use testimony::domain::{
    AgentId, Capabilities, Capability, ContainerGrant, ContainerTag, Refusal, SourceClass,
    Timestamp,
};
use testimony::ports::ledger::audit::Actor;
use testimony::read::RecallRequest;
use testimony::write::Item;
use testimony::{NotFound, ServiceError};

use crate::support::{Desk, container};

fn order() -> KeyOrder {
    let agent = AgentId::new("agent_id", "planner").unwrap();
    KeyOrder::agent("planner", container(), agent, SourceClass::UserStatement)
}

fn refused(desk: &Desk, shown: Option<&str>) -> NoEntry {
    match desk.service().authenticate(shown) {
        Err(ServiceError::NoEntry(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn nobody_comes_in_without_a_key_that_is_known_live_and_whole() {
    let desk = Desk::new();
    let key = desk.service().make_key(Actor::Service, order()).unwrap();
    let shown = key.credential.reveal();
    assert!(desk.service().authenticate(Some(&shown)).is_ok());
    assert_eq!(refused(&desk, None), NoEntry::Missing);
    assert_eq!(refused(&desk, Some("")), NoEntry::Malformed);
    let cut = shown.get(..shown.len() - 1).unwrap();
    assert_eq!(refused(&desk, Some(cut)), NoEntry::Malformed);
    let other = Desk::new();
    assert_eq!(refused(&other, Some(&shown)), NoEntry::Unknown);
    desk.service().revoke_key(Actor::Service, key.id).unwrap();
    assert_eq!(refused(&desk, Some(&shown)), NoEntry::Revoked);
}

#[test]
fn a_key_ends_when_its_time_is_over() {
    let desk = Desk::new();
    let end: Timestamp = "2026-03-02T10:00:00Z".parse().unwrap();
    let order = KeyOrder {
        expires_at: Some(end),
        ..order()
    };
    let key = desk.service().make_key(Actor::Service, order).unwrap();
    let shown = key.credential.reveal();
    assert!(desk.service().authenticate(Some(&shown)).is_ok());
    desk.wait(1);
    assert_eq!(refused(&desk, Some(&shown)), NoEntry::Expired);
}

#[test]
fn while_a_key_is_rotated_two_secrets_open_and_afterwards_one() {
    let desk = Desk::new();
    let service = desk.service();
    let old = service.make_key(Actor::Service, order()).unwrap();
    let until = "2026-03-02T11:00:00Z".parse().unwrap();
    let new = service.rotate_key(Actor::Service, old.id, until).unwrap();
    let opens = |credential: &Credential| service.authenticate(Some(&credential.reveal())).is_ok();
    assert_eq!(
        (opens(&old.credential), opens(&new.credential)),
        (true, true)
    );
    desk.wait(3);
    assert_eq!(
        (opens(&old.credential), opens(&new.credential)),
        (false, true)
    );
    let newer = service.rotate_key(Actor::Service, old.id, until).unwrap();
    assert_eq!(
        (opens(&new.credential), opens(&newer.credential)),
        (false, true)
    );
}

#[test]
fn no_secret_of_a_key_is_in_the_ledger() {
    let desk = Desk::new();
    let key = desk.service().make_key(Actor::Service, order()).unwrap();
    let shown = key.credential.reveal();
    let secret = shown.rsplit('_').next().unwrap();
    let kept = format!(
        "{:?}",
        desk.service()
            .keys(testimony::ports::ledger::Page::first(10))
            .unwrap()
    );
    assert!(!kept.contains(secret.get(..12).unwrap()) && kept.contains("planner"));
}

#[test]
fn a_container_out_of_reach_is_refused_whether_or_not_it_exists() {
    let desk = Desk::new();
    let agent = AgentId::new("agent_id", "other").unwrap();
    let elsewhere = ContainerTag::new("container_tag", "elsewhere").unwrap();
    desk.with_key(KeyOrder::agent(
        "other",
        elsewhere.clone(),
        agent,
        SourceClass::UserStatement,
    ));
    let user = desk.user();
    let missing = ContainerTag::new("container_tag", "missing").unwrap();
    let enter = |principal, tag: &ContainerTag| {
        desk.service()
            .enter(principal, tag, Capability::Recall, &Default::default())
    };
    for tag in [&elsewhere, &missing] {
        let refusal = enter(&user.principal, tag);
        assert!(
            matches!(
                refusal,
                Err(ServiceError::Refused(Refusal::Container { .. }))
            ),
            "{tag}"
        );
    }
    let operator = desk.operator();
    assert!(enter(&operator.principal, &elsewhere).is_ok());
    let gone = enter(&operator.principal, &missing);
    assert!(matches!(
        gone,
        Err(ServiceError::NotFound(NotFound::Container(_)))
    ));
}

#[test]
fn a_key_that_may_read_may_not_write() {
    let desk = Desk::new();
    let reader = desk.with_key(KeyOrder {
        capabilities: Capabilities::of([Capability::Recall]),
        ..order()
    });
    let refusal = reader.try_retain(&reader.request(vec![Item::of("x y")]));
    assert!(matches!(
        refusal,
        Err(ServiceError::Refused(Refusal::Capability {
            needed: Capability::Write
        }))
    ));
}

#[test]
fn a_container_behind_a_prefix_is_empty_until_somebody_writes_to_it() {
    let desk = Desk::new();
    let agents = desk.with_key(KeyOrder {
        containers: ContainerGrant::parse("containers", &["user-*"]).unwrap(),
        ..order()
    });
    let tag = ContainerTag::new("container_tag", "user-42").unwrap();
    let service = desk.service();
    let made = || {
        let reader = service.ledger().reader().unwrap();
        reader.container(&tag).unwrap().is_some()
    };
    let question = RecallRequest {
        query: "Where is the lab?".to_owned(),
        ..RecallRequest::default()
    };
    let found = || {
        service
            .recall(&agents.principal, &tag, &question, |answer| {
                answer.recall.answer.results.len()
            })
            .unwrap()
    };
    assert_eq!((found(), made()), (0, false));
    let request = agents.request(vec![Item::of("The lab is on floor two.")]);
    service.retain(&agents.principal, &tag, &request).unwrap();
    assert_eq!((found(), made()), (1, true));
}
