//! Named people: who may sign in, and as what.

use testimony_domain::{PersonId, PersonName};

use crate::error::{NotFound, ServiceError, Taken};
use crate::ports::ledger::accounts::{Person, Role};
use crate::ports::ledger::audit::Actor;
use crate::ports::ledger::{Fate, Made};
use crate::service::Service;

/// What changes about a person; what is absent stays.
#[derive(Clone, Debug, Default)]
pub struct PersonChange {
    /// What the person may do.
    pub role: Option<Role>,
    /// Whether the person is shut out.
    pub disabled: Option<bool>,
    /// The new password.
    pub password: Option<String>,
}

impl Service {
    /// Names a person.
    ///
    /// # Errors
    /// [`Taken::Person`] when somebody has this name.
    pub fn make_person(
        &self,
        actor: Actor,
        name: &PersonName,
        role: Role,
        password: &str,
    ) -> Result<Person, ServiceError> {
        super::check_password("password", password)?;
        let hash = self.passwords.hash(password, self.chance.as_ref())?;
        let act = self.act(actor, None);
        let person = Person {
            id: PersonId::mint(self.ids.as_ref()),
            name: name.as_str().to_owned(),
            role,
            password: hash,
            made: Made {
                at: act.at,
                by: actor,
            },
            password_set_at: act.at,
            disabled_at: None,
        };
        let made = person.clone();
        let (is_new, _) = self.ledger.write(act, move |writer| {
            if writer.person_named(&person.name)?.is_some() {
                return Ok((Fate::Discard, false));
            }
            writer.make_person(&person)?;
            Ok((Fate::Keep, true))
        })?;
        if is_new {
            Ok(made)
        } else {
            Err(Taken::Person.into())
        }
    }

    /// Every person, by name.
    ///
    /// # Errors
    /// [`ServiceError::Ledger`] when they cannot be read.
    pub fn people(&self) -> Result<Vec<Person>, ServiceError> {
        Ok(self.ledger.reader()?.people()?)
    }

    /// A person.
    ///
    /// # Errors
    /// [`NotFound::Person`] when there is none with this id.
    pub fn person(&self, id: PersonId) -> Result<Person, ServiceError> {
        let found = self.ledger.reader()?.person(id)?;
        found.ok_or_else(|| NotFound::Person.into())
    }

    /// Changes a person, and ends every session of theirs: who they were when they signed in is over.
    ///
    /// # Errors
    /// [`NotFound::Person`] when there is none with this id.
    pub fn change_person(
        &self,
        actor: Actor,
        id: PersonId,
        change: &PersonChange,
    ) -> Result<Person, ServiceError> {
        let hash = match &change.password {
            Some(password) => {
                super::check_password("password", password)?;
                Some(self.passwords.hash(password, self.chance.as_ref())?)
            }
            None => None,
        };
        let (role, disabled) = (change.role, change.disabled);
        let act = self.act(actor, None);
        let now = act.at;
        let (found, _) = self.ledger.write(act, move |writer| {
            let Some(mut person) = writer.person(id)? else {
                return Ok((Fate::Discard, None));
            };
            person.role = role.unwrap_or(person.role);
            person.disabled_at = match disabled {
                Some(true) => person.disabled_at.or(Some(now)),
                Some(false) => None,
                None => person.disabled_at,
            };
            if let Some(hash) = hash {
                person.password = hash;
                person.password_set_at = now;
            }
            writer.replace_person(&person)?;
            writer.close_sessions_of(id)?;
            Ok((Fate::Keep, Some(person)))
        })?;
        found.ok_or_else(|| NotFound::Person.into())
    }
}
