//! Somebody asks who must not: with a key of another room, a dead key, a forged token, through a browser, or within
//! somebody else's request.

mod browser;
mod dead;
mod partitions;
mod routes;
mod smuggling;
mod tokens;

use serde_json::json;

use crate::asking::{House, Key, all_see, first_id, within};
use crate::client::Answer;
use crate::trial::{Family, Scenario, Trial};

pub(crate) const FAMILY: Family = Family {
    name: "identity",
    passes_when: "not a byte of somebody else, refusals exact, what is foreign answered like what is missing, revocation \
        at once, and no counter or rank moves",
    scenarios: &[
        Scenario::new(
            "every route with every kind of key",
            1,
            6,
            routes::foreign_and_missing,
        ),
        Scenario::new("tokens as RFC 8725 warns of them", 1, 20, tokens::forged),
        Scenario::new(
            "an unknown key against a wrong one",
            1,
            10,
            dead::unknown_or_wrong,
        ),
        Scenario::new("revoked under load", 3, 40, dead::revoked_under_load),
        Scenario::new(
            "pages of somebody else in a browser",
            1,
            6,
            browser::strange_pages,
        ),
        Scenario::new("requests within requests", 1, 5, smuggling::hidden_requests),
        Scenario::new("partitions", 1, 6, partitions::rooms),
    ],
    canary: Scenario::new("doors that stand open", 1, 1, open_doors),
};

/// Words that stand in foreign rows alone.
const MARKS: &[&str] = &["quillfeather", "zanderquoll"];
/// The container that no key here reaches.
const HARBOUR: &str = "harbour";

/// What is there and is nobody's business.
struct Foreign {
    owner: Key,
    memory: String,
    person: String,
    connector: String,
    case: String,
}

impl Foreign {
    /// Rows of somebody else, in a container of their own, with everything that goes with them.
    fn settle(house: &mut House) -> Self {
        let owner = house.key(json!({ "containers": [HARBOUR], "user_id": "mara" }));
        let path = within(HARBOUR, "retain");
        let row = json!({
            "content": "The vault of Quillfeather stands behind pier 6543.",
            "tags": ["zanderquoll"], "metadata": { "note": "quillfeather" },
        });
        let memory = first_id(&house.post(&owner.secret, &path, &row)).unwrap();
        let held = json!({ "content": "The gate of Quillfeather opens at nine.", "review_required": true });
        let waits = house.post(&owner.secret, &path, &held).json();
        let case = waits["memories"][0]["case_id"].as_str().unwrap_or_default();
        let case = case.to_owned();
        let person = crate::console::named(house, "mara", "reviewer");
        let order = json!({ "containers": [HARBOUR], "name": "quillfeather" });
        let made = house.order("/api/v1/admin/connectors", &order);
        let connector = made["id"].as_str().unwrap_or_default().to_owned();
        Self {
            owner,
            memory,
            person,
            connector,
            case,
        }
    }

    /// What stands in the place of names in paths.
    fn there(&self) -> [(&str, &str); 6] {
        [
            ("container_tag", HARBOUR),
            ("memory_id", &self.memory),
            ("key_id", &self.owner.id),
            ("person_id", &self.person),
            ("connector_id", &self.connector),
            ("case_id", &self.case),
        ]
    }
}

/// Looks for foreign words in an answer.
fn is_clean(trial: &mut Trial, answer: &Answer, ids: &[&str], what: &str) {
    let said = String::from_utf8_lossy(&answer.body).to_lowercase();
    let words = MARKS.iter().chain(ids).filter(|word| !word.is_empty());
    for word in words {
        if said.contains(*word) {
            trial.leaked(format!("{what}: `{word}` in {said:.300}"));
        }
    }
}

fn open_doors(trial: &mut Trial) {
    all_see(
        trial,
        &[
            (
                "a key that reaches the foreign rows",
                routes::a_key_that_reaches,
            ),
            (
                "a foreign id that is answered otherwise",
                routes::an_answer_that_tells,
            ),
            ("a token that is in order", tokens::a_good_token),
            ("a key that was not revoked", dead::a_living_key),
            (
                "a cookie with the token of its page",
                browser::an_honest_page,
            ),
            (
                "two requests one behind the other",
                smuggling::two_honest_requests,
            ),
            (
                "a key that sees both sides of a partition",
                partitions::a_key_of_both_sides,
            ),
        ],
    );
}
