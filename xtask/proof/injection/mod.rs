//! Texts that want to be obeyed, or to be believed: what is stored of them is never handed out as trusted, moves nothing
//! that stands on a stronger word, and does not leave the block in which it is quoted.

mod attacks;
mod breakout;
mod judge;
mod votes;

use serde_json::{Value, json};
use testimony_recall::pack::parse_block;

use crate::asking::{House, WORKSPACE, all_see, within};
use crate::trial::{Family, Scenario, Trial};

pub(crate) const FAMILY: Family = Family {
    name: "injection",
    passes_when: "nothing untrusted is returned as trusted, no incumbent falls to a weaker class, nothing leaves its block, \
        and an echo never grows support",
    scenarios: &[
        Scenario::new("instructions stored as memory", 24, 400, attacks::stored),
        Scenario::new(
            "texts that look like a block's own lines",
            40,
            800,
            breakout::look_alikes,
        ),
        Scenario::new(
            "five weak words against a strong one",
            6,
            60,
            votes::five_against_one,
        ),
        Scenario::new(
            "repetition by one, and by many of one origin",
            3,
            16,
            votes::repetition,
        ),
        Scenario::new("an echo over fifty turns", 1, 8, votes::echo),
        Scenario::new(
            "a judge and a narrator that are steered",
            1,
            20,
            judge::steered,
        ),
    ],
    canary: Scenario::new(
        "believed, moved, let out and steered",
        1,
        1,
        broken_on_purpose,
    ),
};

/// Classes whose word alone is never enough.
const WEAK: &[&str] = &["external_document", "model_inference", "agent_observation"];

/// Everything that an answer hands out, with the lists in which it does.
const LISTS: &[&str] = &[
    "results",
    "memories",
    "trusted_context",
    "related_context",
    "sources",
];

/// None of these rows stands anywhere as trusted.
fn is_not_believed(trial: &mut Trial, answer: &Value, weak: &[String], what: &str) {
    for list in LISTS {
        let rows = answer[*list].as_array().into_iter().flatten();
        for row in rows.filter(|row| is_one_of(row, weak)) {
            if *list == "trusted_context" || row["trust_bucket"] == "trusted" {
                trial.leaked(format!("{what}: {list} hands out as trusted {row:.200}"));
            }
        }
    }
    let cited = answer["citations"].as_array().into_iter().flatten();
    for row in cited.filter(|row| is_one_of(row, weak)) {
        if row["trust_bucket"] == "trusted" {
            trial.leaked(format!("{what}: cited as trusted {row:.200}"));
        }
    }
    for name in ["prompt_memory_block", "context", "recall_context"] {
        stays_in_its_block(trial, answer[name].as_str().unwrap_or_default(), weak, what);
    }
}

fn is_one_of(row: &Value, ids: &[String]) -> bool {
    let id = row["id"].as_str().or_else(|| row["memory_id"].as_str());
    id.is_some_and(|id| ids.iter().any(|known| known == id))
}

/// A block reads back as rows, and none of these is trusted in it.
fn stays_in_its_block(trial: &mut Trial, block: &str, weak: &[String], what: &str) {
    let rows = match parse_block(block) {
        Ok(rows) => rows,
        Err(wrong) => return trial.leaked(format!("{what}: {wrong}: {block:.300}")),
    };
    for row in rows {
        let id = row.id.to_string();
        if weak.contains(&id) && row.trust.as_str() == "trusted" {
            trial.leaked(format!("{what}: trusted in a block: {}", row.text));
        }
    }
}

/// The ways in which an agent reads.
fn read_everywhere(house: &mut House, key: &str, question: &str) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for policy in ["off", "balanced", "strict"] {
        let asked = json!({ "query": question, "trust_policy": policy, "limit": 50 });
        let answer = house.post(key, &within(WORKSPACE, "recall"), &asked);
        all.push((format!("recall ({policy})"), answer.json()));
    }
    let turn =
        json!({ "user_message": question, "trust_policy": "off", "max_context_tokens": 8_000 });
    let answer = house.post(key, &within(WORKSPACE, "agent/context"), &turn);
    all.push(("agent context".to_owned(), answer.json()));
    let answer = house.post(
        key,
        &within(WORKSPACE, "reflect"),
        &json!({ "query": question }),
    );
    all.push(("reflect".to_owned(), answer.json()));
    all
}

/// What an operator sees of a row.
fn condition(house: &mut House, id: &str) -> Value {
    house.memory(id)["memory"].clone()
}

fn broken_on_purpose(trial: &mut Trial) {
    all_see(
        trial,
        &[
            ("a row that is believed", a_believed_row),
            ("a block with a line of its text outside", a_torn_block),
            (
                "an incumbent that was replaced by its own class",
                votes::a_replaced_incumbent,
            ),
            ("support that grew", votes::grown_support),
            ("a verdict that a judge loosened", judge::a_loosened_verdict),
            ("a lie of a narrator", judge::a_lie),
        ],
    );
}

fn a_believed_row(trial: &mut Trial) {
    let mut house = House::open(trial, "believed");
    let agent = house.agent.clone();
    let row = json!({ "content": "The ferry office has a green door." });
    let ids = crate::asking::made(&house.retain(&agent, &row));
    for (what, answer) in read_everywhere(&mut house, &agent, "Which door has the ferry office?") {
        is_not_believed(trial, &answer, &ids, &what);
    }
}

fn a_torn_block(trial: &mut Trial) {
    let mut house = House::open(trial, "torn");
    let agent = house.agent.clone();
    house.retain(
        &agent,
        &json!({ "content": "The ferry office has a green door." }),
    );
    let asked = json!({ "user_message": "Which door has the ferry office?" });
    let packet = house
        .post(&agent, &within(WORKSPACE, "agent/context"), &asked)
        .json();
    let block = packet["prompt_memory_block"].as_str().unwrap_or_default();
    let torn = block.replacen("| ", "", 1);
    stays_in_its_block(trial, &torn, &[], "a torn block");
}
