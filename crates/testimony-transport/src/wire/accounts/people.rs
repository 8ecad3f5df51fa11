//! People and their sessions: what names and changes a person, what signs one in, and how they are sent.

use serde_json::{Map, Value, json};
use testimony_domain::{Bound, Invalid, PersonName};
use testimony_service::access::{PersonChange, SignedIn, check_password};
use testimony_service::ports::ledger::accounts::{Person, Role};

use crate::wire::Notes;
use crate::wire::fault::{Fault, Pointer};
use crate::wire::field::{Field, Form, Kind, Table, label};
use crate::wire::reader::{Log, Object};
use crate::wire::shape::{Member, Shape};

/// A password as it is shown; whether it can be one is not said of one that is only compared.
const SHOWN: Bound = Bound {
    name: "password",
    min: 1.0,
    max: 256.0,
    default: None,
    unit: "characters",
    meaning: "A password as a person shows it.",
};

const CHOSEN: Kind = Kind::Form(Form {
    like: "a sentence of 12 to 256 characters that only you know",
    check: check_password,
});
const ROLE: Kind = Kind::Word(Role::WORDS);

/// What names a person.
#[rustfmt::skip]
pub const MAKE: Table = &[&[
    Field::new("name", label!(PersonName), "The name with which the person signs in.").required(),
    Field::new("role", ROLE, "What the person may do.").or(|| Role::Reviewer.as_str().into()),
    Field::new("password", CHOSEN, "The first password; the person changes it.").required(),
]];

/// What changes a person.
#[rustfmt::skip]
pub const CHANGE: Table = &[&[
    Field::new("role", ROLE, "What the person may do."),
    Field::new("disabled", Kind::Flag, "Whether the person is shut out."),
    Field::new("password", CHOSEN, "A new password."),
]];

/// What signs somebody in.
#[rustfmt::skip]
pub const SIGN_IN: Table = &[&[
    Field::new("name", label!(PersonName), "The person's name.").required(),
    Field::new("password", Kind::Text(&SHOWN), "The person's password.").required(),
]];

/// What gives somebody another password.
#[rustfmt::skip]
pub const PASSWORD: Table = &[&[
    Field::new("password", Kind::Text(&SHOWN), "The password that holds.").required(),
    Field::new("new_password", CHOSEN, "The password that is to hold.").required(),
]];

/// A person that is wanted. What is absent was a fault.
#[derive(Clone)]
pub struct NewPerson {
    /// The name.
    pub name: Option<PersonName>,
    /// What the person may do.
    pub role: Role,
    /// The first password.
    pub password: String,
}

/// Reads what names a person.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_new(body: &Map<String, Value>) -> Result<(NewPerson, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, MAKE, &mut log);
    let person = NewPerson {
        name: object.read("name", &mut log, PersonName::new),
        role: role(&object, &mut log).unwrap_or(Role::Reviewer),
        password: object.owned("password").unwrap_or_default(),
    };
    log.end(person)
}

/// Reads what changes a person.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_change(body: &Map<String, Value>) -> Result<(PersonChange, Notes), Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, CHANGE, &mut log);
    let change = PersonChange {
        role: role(&object, &mut log),
        disabled: object.flag("disabled"),
        password: object.owned("password"),
    };
    log.end(change)
}

fn role(object: &Object<'_>, log: &mut Log) -> Option<Role> {
    object.read("role", log, |field, text| -> Result<Role, Invalid> {
        Role::parse(field, text)
    })
}

/// Reads two texts that have to be there.
fn pair(
    body: &Map<String, Value>,
    fields: Table,
    names: [&str; 2],
) -> Result<[String; 2], Vec<Fault>> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(body, &root, fields, &mut log);
    let texts = names.map(|name| object.owned(name).unwrap_or_default());
    log.end(texts).map(|(texts, _)| texts)
}

/// Reads the name and the password of whoever signs in.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_sign_in(body: &Map<String, Value>) -> Result<[String; 2], Vec<Fault>> {
    pair(body, SIGN_IN, ["name", "password"])
}

/// Reads the old and the new password.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_password(body: &Map<String, Value>) -> Result<[String; 2], Vec<Fault>> {
    pair(body, PASSWORD, ["password", "new_password"])
}

/// A person as one is sent.
#[rustfmt::skip]
pub const PERSON: &[Member] = &[
    Member::new("id", Shape::Id("person"), "Who."),
    Member::new("name", Shape::Text, "The name with which the person signs in."),
    Member::new("role", Shape::Word(Role::WORDS), "What the person may do."),
    Member::new("made_at", Shape::Time, "When the person was named."),
    Member::new("made_by", Shape::Text, "By whom."),
    Member::new("password_set_at", Shape::Time, "When the password was last set."),
    Member::new("disabled_at", Shape::Maybe(&Shape::Time), "When the person was shut out."),
    Member::new("warnings", Shape::List(&Shape::Anything), "What is worth a word about the request.").at_times(),
];

/// Every person.
#[rustfmt::skip]
pub const PEOPLE: &[Member] = &[
    Member::new("items", Shape::List(&Shape::Object(PERSON)), "People by name."),
    Member::new("next", Shape::Maybe(&Shape::Text), "Where to go on; they come at once."),
];

/// A session as it is sent.
#[rustfmt::skip]
pub const SESSION: &[Member] = &[
    Member::new("id", Shape::Id("ses"), "Which."),
    Member::new("person", Shape::Object(PERSON), "Who has signed in."),
    Member::new("opened_at", Shape::Time, "When it began."),
    Member::new("expires_at", Shape::Time, "When it ends by itself."),
    Member::new("csrf_token", Shape::Text, "What a page sends as `X-CSRF-Token` with everything that changes something."),
];

/// That nobody is signed in any more.
pub const SIGNED_OUT: &[Member] = &[Member::new(
    "signed_in",
    Shape::Flag,
    "Whether somebody is signed in.",
)];

/// A person as one is sent.
#[must_use]
pub fn sent(person: &Person) -> Value {
    json!({
        "id": person.id.to_string(),
        "name": person.name,
        "role": person.role.as_str(),
        "made_at": person.made.at.to_string(),
        "made_by": person.made.by.to_string(),
        "password_set_at": person.password_set_at.to_string(),
        "disabled_at": person.disabled_at.map(|at| at.to_string()),
    })
}

/// A session as it is sent.
#[must_use]
pub fn sent_session(signed_in: &SignedIn) -> Value {
    let session = &signed_in.session;
    json!({
        "id": session.id.to_string(),
        "person": sent(&signed_in.person),
        "opened_at": session.opened_at.to_string(),
        "expires_at": session.expires_at.to_string(),
        "csrf_token": signed_in.page_token,
    })
}
