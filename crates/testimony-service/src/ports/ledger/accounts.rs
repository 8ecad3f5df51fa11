//! Who may come in: keys, named people and their sessions. No secret is kept, only what a secret hashes to.

use testimony_domain::{KeyId, PersonId, Principal, SessionId, Timestamp, words};

use super::audit::Digest;
use super::{LedgerError, Made, Page};

/// A key as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRecord {
    /// What it lets its holder do.
    pub principal: Principal,
    /// What its maker calls it.
    pub name: String,
    /// What its secrets hash to: one, or two while it is being rotated.
    pub secrets: Vec<SecretHash>,
    /// When it was made, and by whom.
    pub made: Made,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// How much it may be used, and how the gateway serves it.
    pub allowance: Allowance,
}

/// How much a key may be used, and how the gateway serves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// How many requests a minute it may make; without limit where absent.
    pub requests_per_minute: Option<u32>,
    /// How many items it may hand in on a day; without limit where absent.
    pub items_per_day: Option<u32>,
    /// Whether the gateway brings memory into its requests that say nothing about memory.
    pub gateway_memory: bool,
}

/// What a secret hashes to, under the service's own key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretHash {
    /// The keyed hash.
    pub hash: Digest,
    /// When it ends; a secret that was rotated out lives on for a while.
    pub until: Option<Timestamp>,
}

words! {
    /// What a person may do in the console.
    pub enum Role {
        /// Decide review cases.
        Reviewer = "reviewer",
        /// Everything.
        Admin = "admin",
    }
}

/// A named person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The id.
    pub id: PersonId,
    /// The name with which the person signs in.
    pub name: String,
    /// What the person may do.
    pub role: Role,
    /// The password's hash, in the form that names its own parameters.
    pub password: String,
    /// When the person was named, and by whom.
    pub made: Made,
    /// When the password was last set; sessions from before do not count.
    pub password_set_at: Timestamp,
    /// When the person was shut out.
    pub disabled_at: Option<Timestamp>,
}

/// A browser session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The id.
    pub id: SessionId,
    /// Whose.
    pub person: PersonId,
    /// What its token hashes to.
    pub token: Digest,
    /// When it began.
    pub opened_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Timestamp,
}

/// What can be asked of accounts.
pub trait Reads {
    /// The key with this id.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn key(&self, id: KeyId) -> Result<Option<KeyRecord>, LedgerError>;

    /// Keys in the order in which they were made.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn keys(&self, page: Page<KeyId>) -> Result<Vec<KeyRecord>, LedgerError>;

    /// The person with this id.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn person(&self, id: PersonId) -> Result<Option<Person>, LedgerError>;

    /// The person with this name.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn person_named(&self, name: &str) -> Result<Option<Person>, LedgerError>;

    /// Every person, by name.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be read.
    fn people(&self) -> Result<Vec<Person>, LedgerError>;

    /// When a key last did anything, be it that it read or that it changed something: so far back as the last hundred
    /// thousand of each go.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn last_use(&self, id: KeyId) -> Result<Option<Timestamp>, LedgerError>;

    /// When each key last did anything, so far back as the last ten thousand of each go; one that did nothing since is not
    /// among them.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn last_uses(&self) -> Result<Vec<(KeyId, Timestamp)>, LedgerError>;

    /// The session whose token hashes to this.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be read.
    fn session(&self, token: Digest) -> Result<Option<Session>, LedgerError>;
}

/// What can be done with accounts.
pub trait Writes {
    /// Makes a key.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] when its id is there already.
    fn make_key(&mut self, key: &KeyRecord) -> Result<(), LedgerError>;

    /// Puts a key in place of the one with its id: rotation, revocation, other rights.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when there is none.
    fn replace_key(&mut self, key: &KeyRecord) -> Result<(), LedgerError>;

    /// Names a person.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] when the id or the name is there already.
    fn make_person(&mut self, person: &Person) -> Result<(), LedgerError>;

    /// Puts a person in place of the one with this id: another role or password, or shut out.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when there is none.
    fn replace_person(&mut self, person: &Person) -> Result<(), LedgerError>;

    /// Opens a session.
    ///
    /// # Errors
    /// [`LedgerError::Missing`] when there is no such person.
    fn open_session(&mut self, session: &Session) -> Result<(), LedgerError>;

    /// Ends a session; one that is not there is ended.
    ///
    /// # Errors
    /// [`LedgerError`] when it cannot be ended.
    fn close_session(&mut self, id: SessionId) -> Result<(), LedgerError>;

    /// Ends every session of a person; returns how many.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be ended.
    fn close_sessions_of(&mut self, person: PersonId) -> Result<u64, LedgerError>;

    /// Lets go of sessions that were over by then, at most so many, the oldest first; returns how many. That they ended
    /// was said when they began, so no event tells of it.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be let go of.
    fn let_go_of_sessions(&mut self, by: Timestamp, limit: usize) -> Result<u64, LedgerError>;
}
