//! Keys, people and sessions come back as they were kept.

use testimony_domain::{
    AgentScope, Capabilities, Capability, ConnectorId, ContainerGrant, KeyId, Labels, PersonId,
    Principal, PrincipalKind, SessionId, SourceApp, SourceClass,
};
use testimony_service::ports::ledger::accounts::{
    Allowance, KeyRecord, Person, Role, SecretHash, Session,
};
use testimony_service::ports::ledger::audit::{Action, Actor, Digest};
use testimony_service::ports::ledger::connectors::ConnectorToken;
use testimony_service::ports::ledger::{Ledger, LedgerError, Made, Page};
use testimony_storage::ledger::SqliteLedger;

use crate::support::{Maker, actions, agent_id, at, place, user, whole_chain, write};

fn made() -> Made {
    Made {
        at: at(1),
        by: Actor::Person(PersonId::from_uuid(uuid::Uuid::from_u128(3))),
    }
}

pub(crate) fn key(maker: &Maker, containers: ContainerGrant) -> KeyRecord {
    KeyRecord {
        principal: Principal {
            key: maker.id(KeyId::mint),
            kind: PrincipalKind::Agent,
            containers,
            capabilities: Capabilities::of([Capability::Recall, Capability::Write]),
            source_app: Some(SourceApp::new("source_app", "desk").unwrap()),
            agent: Some(agent_id(1)),
            agent_scope: AgentScope::Own,
            class: SourceClass::UserStatement,
            ceiling: SourceClass::ToolResult,
            labels: Labels {
                user: Some(user(1)),
                ..Labels::default()
            },
            expires_at: Some(at(900)),
        },
        name: "the desk's key".to_owned(),
        secrets: vec![SecretHash {
            hash: Digest([1; 32]),
            until: None,
        }],
        made: made(),
        revoked_at: None,
        allowance: Allowance {
            requests_per_minute: Some(60),
            items_per_day: Some(4_000),
            gateway_memory: true,
        },
    }
}

/// A connector token whose hash is of this number.
pub(crate) fn connector(maker: &Maker, number: u8) -> ConnectorToken {
    ConnectorToken {
        id: maker.id(ConnectorId::mint),
        token: Digest([number; 32]),
        key: KeyRecord {
            secrets: Vec::new(),
            ..key(maker, ContainerGrant::Listed(vec![place(0)]))
        },
        ends_at: at(600),
        used_at: None,
        withdrawn_at: None,
    }
}

#[test]
fn a_connector_token_comes_back_as_it_was_kept_and_is_closed() {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    let maker = Maker::default();
    let mut tokens = [1, 2, 3].map(|number| connector(&maker, number));
    let kept = tokens.clone();
    write(&ledger, 2, move |writer| {
        for token in &kept {
            writer.make_connector(token)?;
        }
        assert!(matches!(
            writer.make_connector(&kept[0]),
            Err(LedgerError::Exists { .. })
        ));
        Ok(())
    })
    .unwrap();
    tokens[0].used_at = Some(at(5));
    tokens[1].withdrawn_at = Some(at(6));
    let closed = [tokens[0].clone(), tokens[1].clone()];
    let unknown = connector(&maker, 4);
    write(&ledger, 3, move |writer| {
        assert!(matches!(
            writer.close_connector(&unknown),
            Err(LedgerError::Missing { .. })
        ));
        closed
            .iter()
            .try_for_each(|token| writer.close_connector(token))
    })
    .unwrap();
    let reader = ledger.reader().unwrap();
    assert_eq!(reader.connectors(Page::first(9)).unwrap(), tokens);
    let page = Page {
        after: Some(tokens[0].id),
        limit: 1,
    };
    assert_eq!(reader.connectors(page).unwrap(), tokens[1..2]);
    assert_eq!(
        reader.connector(tokens[2].id).unwrap().as_ref(),
        Some(&tokens[2])
    );
    assert_eq!(
        reader.connector_of(Digest([1; 32])).unwrap().as_ref(),
        Some(&tokens[0])
    );
    assert_eq!(reader.connector_of(Digest([9; 32])).unwrap(), None);
    assert_eq!(
        reader.key(tokens[0].key.principal.key).unwrap(),
        None,
        "it is no key yet"
    );
    use Action::{ConnectorChanged, ConnectorMade};
    let expected = [
        ConnectorMade,
        ConnectorMade,
        ConnectorMade,
        ConnectorChanged,
        ConnectorChanged,
    ];
    assert_eq!(actions(&*reader), expected);
    drop(reader);
    whole_chain(&ledger);
}

#[test]
fn a_key_comes_back_as_it_was_kept_and_can_be_rotated() {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    let maker = Maker::default();
    let grants = [
        ContainerGrant::Listed(vec![place(0), place(1)]),
        ContainerGrant::Prefix("user-".to_owned()),
        ContainerGrant::All,
    ];
    let keys: Vec<KeyRecord> = grants.into_iter().map(|grant| key(&maker, grant)).collect();
    let mut rotated = keys[1].clone();
    rotated.secrets = vec![
        SecretHash {
            hash: Digest([2; 32]),
            until: None,
        },
        SecretHash {
            hash: Digest([1; 32]),
            until: Some(at(99)),
        },
    ];
    rotated.revoked_at = Some(at(50));
    let (keys_too, rotated_too, stranger) = (
        keys.clone(),
        rotated.clone(),
        key(&maker, ContainerGrant::All),
    );
    write(&ledger, 2, move |writer| {
        keys_too.iter().try_for_each(|key| writer.make_key(key))?;
        assert!(matches!(
            writer.make_key(&keys_too[0]),
            Err(LedgerError::Exists { .. })
        ));
        assert!(matches!(
            writer.replace_key(&stranger),
            Err(LedgerError::Missing { .. })
        ));
        writer.replace_key(&rotated_too)
    })
    .unwrap();
    let reader = ledger.reader().unwrap();
    assert_eq!(
        reader.key(keys[0].principal.key).unwrap().as_ref(),
        Some(&keys[0])
    );
    let first = reader.keys(Page::first(2)).unwrap();
    assert_eq!(first, [keys[0].clone(), rotated]);
    let page = Page {
        after: Some(first[1].principal.key),
        limit: 9,
    };
    assert_eq!(reader.keys(page).unwrap(), keys[2..]);
    drop(reader);
    whole_chain(&ledger);
}

#[test]
fn people_and_sessions_come_and_go() {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    let maker = Maker::default();
    let person = Person {
        id: maker.id(PersonId::mint),
        name: "Ida".to_owned(),
        role: Role::Reviewer,
        password: "$argon2id$v=19$…".to_owned(),
        made: made(),
        password_set_at: at(1),
        disabled_at: None,
    };
    let session = |number: u8| Session {
        id: maker.id(SessionId::mint),
        person: person.id,
        token: Digest([number; 32]),
        opened_at: at(2),
        expires_at: at(200),
    };
    let (one, two) = (session(1), session(2));
    let shut_out = Person {
        disabled_at: Some(at(9)),
        role: Role::Admin,
        ..person.clone()
    };
    let namesake = Person {
        id: maker.id(PersonId::mint),
        ..person.clone()
    };
    let (person_too, shut_out_too, one_too, two_too) =
        (person.clone(), shut_out.clone(), one.clone(), two.clone());
    write(&ledger, 2, move |writer| {
        assert!(matches!(
            writer.open_session(&one_too),
            Err(LedgerError::Missing { .. })
        ));
        writer.make_person(&person_too)?;
        assert!(matches!(
            writer.make_person(&namesake),
            Err(LedgerError::Exists { .. })
        ));
        assert!(matches!(
            writer.replace_person(&namesake),
            Err(LedgerError::Exists { .. }) | Err(LedgerError::Missing { .. })
        ));
        writer.open_session(&one_too)?;
        writer.open_session(&two_too)?;
        writer.replace_person(&shut_out_too)
    })
    .unwrap();
    let reader = ledger.reader().unwrap();
    assert_eq!(reader.person(person.id).unwrap(), Some(shut_out.clone()));
    assert_eq!(reader.person_named("Ida").unwrap(), Some(shut_out.clone()));
    assert_eq!(reader.people().unwrap(), [shut_out]);
    assert_eq!(reader.session(two.token).unwrap(), Some(two.clone()));
    drop(reader);
    let (closed, _) = write(&ledger, 3, move |writer| {
        writer.close_session(one.id)?;
        writer.close_session(one.id)?;
        writer.close_sessions_of(two.person)
    })
    .unwrap();
    assert_eq!(closed, 1);
    let reader = ledger.reader().unwrap();
    assert_eq!(reader.session(Digest([2; 32])).unwrap(), None);
    use Action::{PersonChanged, PersonMade, SessionClosed, SessionOpened};
    assert_eq!(
        actions(&*reader),
        [
            PersonMade,
            SessionOpened,
            SessionOpened,
            PersonChanged,
            SessionClosed,
            SessionClosed
        ]
    );
}

#[test]
fn sessions_that_are_over_are_let_go_of_the_oldest_first() {
    let ledger = SqliteLedger::open_in_memory().unwrap();
    let maker = Maker::default();
    let person = Person {
        id: maker.id(PersonId::mint),
        name: "Ida".to_owned(),
        role: Role::Admin,
        password: "$argon2id$v=19$…".to_owned(),
        made: made(),
        password_set_at: at(1),
        disabled_at: None,
    };
    let session = |number: u8, ends: i64| Session {
        id: maker.id(SessionId::mint),
        person: person.id,
        token: Digest([number; 32]),
        opened_at: at(2),
        expires_at: at(ends),
    };
    let all = [
        session(1, 30),
        session(2, 10),
        session(3, 20),
        session(4, 21),
    ];
    write(&ledger, 2, move |writer| {
        writer.make_person(&person)?;
        all.iter().try_for_each(|one| writer.open_session(one))
    })
    .unwrap();
    let left = |ledger: &SqliteLedger| {
        let reader = ledger.reader().unwrap();
        let kept = (1..=4).filter(|n| reader.session(Digest([*n; 32])).unwrap().is_some());
        kept.collect::<Vec<u8>>()
    };
    let gone = |limit| {
        let gone = write(&ledger, 3, move |writer| {
            writer.let_go_of_sessions(at(20), limit)
        });
        gone.unwrap().0
    };
    assert_eq!((gone(1), left(&ledger)), (1, vec![1, 3, 4]));
    assert_eq!((gone(9), left(&ledger)), (1, vec![1, 4]));
    assert_eq!((gone(9), left(&ledger)), (0, vec![1, 4]));
}
