//! Browser sessions: a person signs in with a password, and is known by a token that the browser keeps.
//!
//! The token is kept as a hash, like every secret. Beside it goes a second one that only a page of the service can read;
//! what changes anything has to show both.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use testimony_domain::{
    AgentScope, Capabilities, Capability, ContainerGrant, KeyId, Labels, Principal, PrincipalKind,
    SessionId, SourceClass,
};

use super::NoEntry;
use super::credential::unguessable;
use super::throttle::Attempt;
use crate::error::ServiceError;
use crate::ports::ledger::Fate;
use crate::ports::ledger::accounts::{Person, Role, Session};
use crate::ports::ledger::audit::Actor;
use crate::service::Service;

/// After so long a session ends by itself.
const LIFE: Duration = Duration::from_hours(12);

/// Somebody who has signed in.
#[derive(Clone)]
pub struct SignedIn {
    /// Who.
    pub person: Person,
    /// The session.
    pub session: Session,
    /// The token that the browser keeps.
    pub token: String,
    /// The token that a page shows with everything that changes something.
    pub page_token: String,
}

impl fmt::Debug for SignedIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SignedIn({} {}, …)", self.person.id, self.session.id)
    }
}

impl SignedIn {
    /// As whom the person acts.
    #[must_use]
    pub fn principal(&self) -> Principal {
        let may: &[Capability] = match self.person.role {
            Role::Reviewer => &[
                Capability::Review,
                Capability::CourtroomRead,
                Capability::Recall,
            ],
            Role::Admin => &[Capability::Admin],
        };
        Principal {
            key: KeyId::from_uuid(self.person.id.uuid()),
            kind: PrincipalKind::Person,
            containers: ContainerGrant::All,
            capabilities: Capabilities::of(may.iter().copied()),
            source_app: None,
            agent: None,
            agent_scope: AgentScope::Container,
            class: SourceClass::Operator,
            ceiling: SourceClass::Operator,
            labels: Labels::default(),
            expires_at: Some(self.session.expires_at),
        }
    }
}

impl Service {
    /// Signs a person in.
    ///
    /// A name that nobody has takes as long as a wrong password and is answered the same.
    ///
    /// # Errors
    /// [`NoEntry::Password`] when name or password is wrong; [`ServiceError::TooManyAttempts`] when it was tried too
    /// often.
    pub fn sign_in(
        &self,
        name: &str,
        password: &str,
        from: Option<IpAddr>,
    ) -> Result<SignedIn, ServiceError> {
        let person = self.guarded(Attempt { name, from }, || self.known_by(name, password))?;
        let token = unguessable(self.chance.as_ref())?;
        let act = self.act(Actor::Person(person.id), None);
        let session = Session {
            id: SessionId::mint(self.ids.as_ref()),
            person: person.id,
            token: self.keyring.hash_of(&token),
            opened_at: act.at,
            expires_at: act.at.checked_add(LIFE).unwrap_or(act.at),
        };
        let (opened, known) = (session.clone(), person.clone());
        let (is_open, _) = self.ledger.write(act, move |writer| {
            // What was checked may have changed while it was.
            if writer.person(known.id)?.as_ref() != Some(&known) {
                return Ok((Fate::Discard, false));
            }
            writer.open_session(&opened)?;
            Ok((Fate::Keep, true))
        })?;
        if !is_open {
            return Err(NoEntry::Password.into());
        }
        Ok(self.signed_in(person, session, token))
    }

    /// The person of this name, where this is the password.
    fn known_by(&self, name: &str, password: &str) -> Result<Person, ServiceError> {
        let person = self.ledger.reader()?.person_named(name)?;
        let hash = person.as_ref().map(|person| person.password.as_str());
        let is_right = self.passwords.is_hash_of(hash, password)?;
        let person = person.filter(|person| is_right && person.disabled_at.is_none());
        person.ok_or_else(|| NoEntry::Password.into())
    }

    /// Who keeps this token of a session.
    ///
    /// # Errors
    /// [`NoEntry::Session`] when there is no such session, or it ended, or its person changed since.
    pub fn session(&self, token: &str) -> Result<SignedIn, ServiceError> {
        let reader = self.ledger.reader()?;
        let found = reader.session(self.keyring.hash_of(token))?;
        let now = self.clock.now();
        let session = found.filter(|session| now < session.expires_at);
        let session = session.ok_or(NoEntry::Session)?;
        let person = reader.person(session.person)?.filter(|person| {
            person.disabled_at.is_none() && person.password_set_at <= session.opened_at
        });
        let person = person.ok_or(NoEntry::Session)?;
        Ok(self.signed_in(person, session, token.to_owned()))
    }

    /// Whether a page of this session shows its token, in a time that does not tell how much of it is right.
    #[must_use]
    pub fn is_of_page(&self, signed_in: &SignedIn, shown: &str) -> bool {
        let (expected, shown) = (&signed_in.page_token, shown);
        // Both are hashed first, so that the comparison says nothing about either.
        self.keyring
            .is_hash_of(self.keyring.hash_of(expected), shown)
    }

    /// Ends a session.
    ///
    /// # Errors
    /// [`ServiceError::Ledger`] when it cannot be ended.
    pub fn sign_out(&self, signed_in: &SignedIn) -> Result<(), ServiceError> {
        let id = signed_in.session.id;
        let act = self.act(Actor::Person(signed_in.person.id), None);
        self.ledger.write(act, move |writer| {
            writer.close_session(id)?;
            Ok((Fate::Keep, ()))
        })?;
        Ok(())
    }

    /// Gives a person a new password, and ends every session of theirs, this one too.
    ///
    /// # Errors
    /// [`NoEntry::Password`] when the old one is wrong.
    pub fn change_password(
        &self,
        signed_in: &SignedIn,
        (old, new): (&str, &str),
        from: Option<IpAddr>,
    ) -> Result<(), ServiceError> {
        super::check_password("new_password", new)?;
        let person = &signed_in.person;
        let name = &person.name;
        self.guarded(Attempt { name, from }, || {
            let is_right = self.passwords.is_hash_of(Some(&person.password), old)?;
            is_right
                .then_some(())
                .ok_or_else(|| NoEntry::Password.into())
        })?;
        let change = super::PersonChange {
            password: Some(new.to_owned()),
            ..super::PersonChange::default()
        };
        let actor = Actor::Person(person.id);
        self.change_person(actor, person.id, &change).map(drop)
    }

    /// Lets somebody try something that can be guessed, a few times in a while. An attempt is counted before it is known
    /// what comes of it, so that many at once are not more than that, and what was no wrong guess is given back. How many
    /// passwords are worked on at a time is bounded beside it, also for whoever always knows the right one.
    pub(super) fn guarded<T>(
        &self,
        attempt: Attempt<'_>,
        guess: impl FnOnce() -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        let now = self.clock.now();
        if let Some(wait) = self.throttle.attempt(&self.keyring, attempt, now) {
            return Err(ServiceError::TooManyAttempts { wait });
        }
        let outcome = guess();
        let was_wrong = matches!(
            outcome,
            Err(ServiceError::NoEntry(NoEntry::Password | NoEntry::First))
        );
        if !was_wrong {
            self.throttle.give_back(&self.keyring, attempt);
        }
        outcome
    }

    fn signed_in(&self, person: Person, session: Session, token: String) -> SignedIn {
        SignedIn {
            page_token: self.keyring.page_token(&token),
            person,
            session,
            token,
        }
    }
}
