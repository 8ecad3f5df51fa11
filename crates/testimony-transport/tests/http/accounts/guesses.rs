//! Whoever guesses learns nothing from what is done about it: what does not exist is looked for and compared like what is
//! wrong. How often secrets are compared is the length of an array; how often is looked, is counted here.

use std::sync::atomic::AtomicU8;
use std::time::Duration;

use testimony_domain::{KeyId, PersonName, PrincipalKind, Timestamp};
use testimony_service::ServiceError;
use testimony_service::access::{Credential, KeyOrder, NoEntry, PersonChange};
use testimony_service::ports::ledger::accounts::Role;
use testimony_service::ports::ledger::audit::Actor;

use crate::support::{Counting, Harness, looked_up};

const PASSWORD: &str = "four lamps on the long pier";

/// What comes of something, and how often the ledger was opened for it.
fn counted<T>(done: impl FnOnce() -> Result<T, ServiceError>) -> (Result<T, ServiceError>, u64) {
    let before = looked_up();
    let came = done();
    (came, looked_up() - before)
}

/// A credential of this key with a secret of its own.
fn wrong(key: KeyId) -> String {
    let made = Credential::make(PrincipalKind::Agent, key, &Counting(AtomicU8::new(100)));
    made.unwrap().reveal()
}

fn key(harness: &Harness, expires_at: Option<Timestamp>) -> (KeyId, String) {
    let order = KeyOrder {
        kind: PrincipalKind::Agent,
        expires_at,
        ..KeyOrder::operator("somebody")
    };
    let made = harness.service.make_key(Actor::Service, order).unwrap();
    (made.id, made.credential.reveal())
}

#[test]
fn a_wrong_secret_is_looked_for_like_an_id_that_nobody_has() {
    let harness = Harness::start();
    let service = &harness.service;
    let [living, revoked] = [key(&harness, None), key(&harness, None)];
    let expired = key(&harness, Some(Timestamp::UNIX_EPOCH));
    let rotated = key(&harness, None);
    service
        .rotate_key(Actor::Service, rotated.0, Timestamp::UNIX_EPOCH)
        .unwrap();
    service.revoke_key(Actor::Service, revoked.0).unwrap();
    let unknown = wrong(format!("key_{}", "7".repeat(32)).parse().unwrap());
    let of_known = [living.0, revoked.0, expired.0].map(wrong);
    // The first time nothing is at hand, and the second time whatever there is.
    for _ in 0..2 {
        for shown in of_known.iter().chain([&unknown, &rotated.1]) {
            let (came, looked) = counted(|| service.recognise(Some(shown)));
            assert!(matches!(came, Err(ServiceError::NoEntry(NoEntry::Unknown))));
            assert_eq!(looked, 1);
        }
    }
    // Whoever knows the secret is told how it ended, and costs nobody a look.
    for (shown, end) in [
        (living.1, None),
        (revoked.1, Some(NoEntry::Revoked)),
        (expired.1, Some(NoEntry::Expired)),
    ] {
        let (came, looked) = counted(|| service.recognise(Some(&shown)));
        let ended = came.err().map(|error| error.to_string());
        assert_eq!(ended, end.map(|end| end.to_string()));
        assert_eq!(looked, 0);
    }
}

#[test]
fn a_wrong_password_is_looked_for_like_a_name_that_nobody_has() {
    let harness = Harness::start();
    let service = &harness.service;
    let named = |name: &str| {
        let name = PersonName::new("name", name).unwrap();
        let made = service.make_person(Actor::Service, &name, Role::Admin, PASSWORD);
        made.unwrap().id
    };
    named("mara");
    let shut_out = PersonChange {
        disabled: Some(true),
        ..PersonChange::default()
    };
    let olaf = named("olaf");
    service
        .change_person(Actor::Service, olaf, &shut_out)
        .unwrap();
    for (name, password) in [
        ("nobody", PASSWORD),
        ("mara", "five lamps on the long pier"),
        ("olaf", PASSWORD),
    ] {
        let (came, looked) = counted(|| service.sign_in(name, password, None));
        assert!(matches!(
            came,
            Err(ServiceError::NoEntry(NoEntry::Password))
        ));
        assert_eq!(looked, 1, "{name}");
    }
}

#[test]
fn a_connector_token_that_ended_is_looked_for_like_one_that_nobody_made() {
    let harness = Harness::start();
    let service = &harness.service;
    let made = |minutes| {
        let order = KeyOrder::operator("an editor");
        let life = Duration::from_mins(minutes);
        service.make_connector(Actor::Service, order, life).unwrap()
    };
    let (ended, used, withdrawn) = (made(1), made(60), made(60));
    service.exchange_connector(&used.token).unwrap();
    service
        .withdraw_connector(Actor::Service, withdrawn.record.id)
        .unwrap();
    harness.pass(120);
    for token in ["nothing", &ended.token, &used.token, &withdrawn.token] {
        let (came, looked) = counted(|| service.exchange_connector(token));
        assert!(matches!(came, Err(ServiceError::NotFound(_))));
        assert_eq!(looked, 1);
    }
}
