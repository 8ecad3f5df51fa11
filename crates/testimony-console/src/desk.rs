//! The port through which pages reach the service.

use serde_json::{Map, Value};
use testimony_domain::Timestamp;

use crate::answer::Kept;

testimony_domain::words! {
    /// What a person may do.
    pub enum Role {
        /// Decide about what waits.
        Reviewer = "reviewer",
        /// Everything.
        Admin = "admin",
    }
}

/// Who has signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Their id.
    pub id: String,
    /// Their name.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// What every form of theirs shows.
    pub page_token: String,
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The status that goes with it.
    pub status: u16,
    /// What went wrong, in a few words.
    pub title: String,
    /// Why, and what to do about it.
    pub detail: String,
    /// What is wrong with which value.
    pub faults: Vec<(String, String)>,
}

impl Refused {
    pub(crate) fn nothing_here() -> Self {
        Self {
            status: 404,
            title: "There is nothing here".to_owned(),
            detail: "The page or the thing that it is about is not there, or not yours to see."
                .to_owned(),
            faults: Vec::new(),
        }
    }

    pub(crate) fn not_from_here() -> Self {
        Self {
            status: 403,
            title: "This did not come from a page of the console".to_owned(),
            detail: "Nothing was done. Open the page again and send it once more.".to_owned(),
            faults: Vec::new(),
        }
    }
}

/// What comes of asking a route.
pub type Answered = Result<Value, Refused>;

/// A session that was opened, as the browser keeps it.
pub type SignIn = Result<Kept, Refused>;

/// How many requests that read took so long, in an hour and through one door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Took {
    /// When the hour began.
    pub hour: Timestamp,
    /// Through which door.
    pub route: &'static str,
    /// How long at most, in microseconds.
    pub micros: u64,
    /// How many.
    pub requests: u64,
}

/// How often something was done in an hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// When the hour began.
    pub hour: Timestamp,
    /// What was done, as the trail names it.
    pub action: &'static str,
    /// What was decided about it, or nothing.
    pub decision: String,
    /// How often.
    pub events: u64,
}

/// How a part of the service is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which.
    pub name: String,
    /// How, in a stable word.
    pub state: String,
    /// Why it is not as it should be.
    pub because: Option<String>,
}

/// What stands behind the pages. Whatever is asked through it is asked as the person who signed in.
pub trait Desk {
    /// What time it is.
    fn now(&self) -> Timestamp;
    /// The address under which callers know the service, without a slash at its end.
    fn address(&self) -> &str;
    /// The version of the service.
    fn version(&self) -> &str;
    /// Who has signed in.
    fn person(&self) -> Option<&Person>;
    /// Whether a form shows the token of the session, in a time that does not tell how much of it is right.
    fn is_of_page(&self, shown: &str) -> bool;

    /// Asks a route.
    ///
    /// # Errors
    /// [`Refused`], as whoever asks over HTTP would be.
    fn ask(&self, method: &str, path: &str, input: Map<String, Value>) -> Answered;
    /// A recall as the holder of a key, or an agent, would be answered it.
    ///
    /// # Errors
    /// [`Refused`] when it could not be asked.
    fn recall_as(&self, container: &str, input: Map<String, Value>) -> Answered;
    /// The containers.
    ///
    /// # Errors
    /// [`Refused`] when they cannot be read.
    fn containers(&self) -> Result<Vec<String>, Refused>;

    /// Rows of one origin that wait, and about which nobody has to be asked, in groups that one decision can serve:
    /// `{items: [{group, rows, first}], next, rows, more}`, where `rows` counts those behind this part too, and `more` says
    /// that there are more than were counted.
    ///
    /// # Errors
    /// [`Refused`] when they cannot be read.
    fn waiting_groups(&self, container: &str, after: &str) -> Answered;
    /// The rows of such a group, as far as one page holds them: `{items}`.
    ///
    /// # Errors
    /// [`Refused`] when they cannot be read.
    fn waiting(&self, container: &str, group: &str) -> Answered;
    /// Takes such rows up, and says under which cases; one that waits no more is passed over.
    ///
    /// # Errors
    /// [`Refused`] when none of them waits.
    fn take_up(&self, container: &str, memories: &[&str]) -> Result<Vec<String>, Refused>;

    /// Whether nobody is named yet.
    ///
    /// # Errors
    /// [`Refused`] when that cannot be known.
    fn awaits_first(&self) -> Result<bool, Refused>;
    /// Names the first person.
    ///
    /// # Errors
    /// [`Refused`] when the token is wrong, or somebody is named.
    fn make_first(&self, token: &str, name: &str, password: &str) -> Result<(), Refused>;
    /// Signs somebody in.
    ///
    /// # Errors
    /// [`Refused`] when name and password do not belong together.
    fn sign_in(&self, name: &str, password: &str) -> SignIn;

    /// Looks what a key is good for: `{checks: [{name, passed, detail}]}`.
    fn examine_key(&self, words: &str) -> Value;
    /// How a client keeps the service: `[{client, file, text, command}]`.
    fn setups(&self, key: &str) -> Value;
    /// How long requests took since the start: `[{route, requests, p50_us, p95_us, p99_us}]`.
    fn durations(&self) -> Value;
    /// How long requests that read took since the hour of an instant, as far as that is kept.
    ///
    /// # Errors
    /// [`Refused`] when they cannot be read.
    fn took(&self, container: &str, since: Timestamp) -> Result<Vec<Took>, Refused>;
    /// How often memories and jobs were made, and how jobs ended, since the hour of an instant.
    ///
    /// # Errors
    /// [`Refused`] when it cannot be read.
    fn tallies(&self, container: &str, since: Timestamp) -> Result<Vec<Tally>, Refused>;
    /// When each key was last used, as far as that is known without a long look: `{key_id: instant}`.
    ///
    /// # Errors
    /// [`Refused`] when it cannot be read.
    fn last_uses(&self) -> Answered;
    /// How each part is.
    fn parts(&self) -> Vec<Part>;
    /// What the process was started with: `{name: {value, from}}`.
    fn settings(&self) -> Value;
    /// Has a backup made where backups lie.
    ///
    /// # Errors
    /// [`Refused`] when there is none.
    fn back_up(&self) -> Answered;
}
