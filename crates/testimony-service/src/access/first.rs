//! The first person: whoever starts the service is given a token, and with it names the person who operates the console.
//!
//! The token is drawn from the service's own secret, so it is kept nowhere, and it counts only while nobody is named.

use std::net::IpAddr;

use testimony_domain::{PersonId, PersonName};

use super::NoEntry;
use super::throttle::Attempt;
use crate::error::ServiceError;
use crate::ports::ledger::accounts::{Person, Role};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::{Fate, Made};
use crate::service::Service;

impl Service {
    /// The token with which the first person is named; nothing once somebody is.
    ///
    /// # Errors
    /// [`ServiceError::Ledger`] when it cannot be known whether somebody is.
    pub fn first_token(&self) -> Result<Option<String>, ServiceError> {
        let nobody = self.ledger.reader()?.people()?.is_empty();
        Ok(nobody.then(|| self.keyring.first_token()))
    }

    /// Names the first person, who operates the console. Nothing is said of name or password to whoever has not the token.
    ///
    /// # Errors
    /// [`NoEntry::First`] when the token is wrong, or somebody is named already; [`ServiceError::Invalid`] when nobody can
    /// have this name or this password; [`ServiceError::TooManyAttempts`] when
    /// it was tried too often.
    pub fn make_first_person(
        &self,
        token: &str,
        name: &str,
        password: &str,
        from: Option<IpAddr>,
    ) -> Result<Person, ServiceError> {
        self.check_first_token(token, from)?;
        let name = PersonName::new("name", name)?;
        super::check_password("password", password)?;
        let hash = self.passwords.hash(password, self.chance.as_ref())?;
        let act = self.act(Actor::Service, None);
        let person = Person {
            id: PersonId::mint(self.ids.as_ref()),
            name: name.as_str().to_owned(),
            role: Role::Admin,
            password: hash,
            made: Made {
                at: act.at,
                by: Actor::Service,
            },
            password_set_at: act.at,
            disabled_at: None,
        };
        let made = person.clone();
        let (is_first, _) = self.ledger.write(act, move |writer| {
            if !writer.people()?.is_empty() {
                return Ok((Fate::Discard, false));
            }
            writer.make_person(&person)?;
            Ok((Fate::Keep, true))
        })?;
        if is_first {
            Ok(made)
        } else {
            Err(NoEntry::First.into())
        }
    }

    fn check_first_token(&self, token: &str, from: Option<IpAddr>) -> Result<(), ServiceError> {
        let name = "the first person";
        self.guarded(Attempt { name, from }, || {
            let is_right = self.keyring.is_first_token(token);
            is_right.then_some(()).ok_or_else(|| NoEntry::First.into())
        })
    }
}
