//! A value in two rows: no prompt block shows it whole.

use serde_json::{Value, json};

use super::samples::{rows, samples};
use crate::asking::{House, WORKSPACE, within};
use crate::trial::Trial;

/// Two rows, and the value that they are parts of.
struct Pair {
    rows: Vec<String>,
    value: String,
}

/// Those of the folder, or halves of made-up values.
fn pairs(trial: &mut Trial) -> Vec<Pair> {
    let found = trial
        .data
        .as_deref()
        .map(|folder| rows(&folder.join("split-across-rows.jsonl.gz")));
    let Some(found) = found else {
        return halves(trial);
    };
    let pair = |row: Value| {
        let rows = row["rows"].as_array()?.iter();
        let rows = rows
            .filter_map(|it| it.as_str().map(str::to_owned))
            .collect();
        let value = row["secret"].as_str()?.to_owned();
        Some(Pair { rows, value })
    };
    found.into_iter().filter_map(pair).collect()
}

fn halves(trial: &mut Trial) -> Vec<Pair> {
    let count = std::mem::replace(&mut trial.rounds, usize::MAX);
    let made = samples(trial);
    trial.rounds = count;
    let whole = |value: &str| {
        value.is_ascii() && (20..=80).contains(&value.len()) && !value.contains(char::is_whitespace)
    };
    let alone = made
        .into_iter()
        .filter(|it| it.alone && whole(&it.values[0]));
    let pair = |sample: super::Sample| {
        let value = sample.values[0].clone();
        let (first, second) = value.split_at(value.len() / 2);
        let rows = vec![
            format!("The deploy token of the ferry office begins with {first}"),
            format!("{second} is how the deploy token of the ferry office goes on."),
        ];
        Pair { rows, value }
    };
    alone.take(count).map(pair).collect()
}

/// Each round is one pair, in a container of its own.
pub(super) fn over_two_rows(trial: &mut Trial) {
    let rounds = trial.rounds;
    let mut house = House::open(trial, "data");
    for (at, pair) in pairs(trial).into_iter().take(rounds).enumerate() {
        in_a_container(trial, &mut house, &pair, at);
        trial.round();
    }
    house.is_well(trial, "credentials over two rows");
}

fn in_a_container(trial: &mut Trial, house: &mut House, pair: &Pair, at: usize) {
    for (kind, together) in [("batch", true), ("rows", false)] {
        let container = format!("{kind}-{at}");
        let key = house.key(json!({ "containers": [container] })).secret;
        let path = within(&container, "retain");
        if together {
            house.post(&key, &path, &json!({ "contents": pair.rows }));
        } else {
            for row in &pair.rows {
                house.post(&key, &path, &json!({ "content": row }));
            }
        }
        trial.fault();
        let asked = json!({ "user_message": pair.rows.join(" "), "trust_policy": "off", "max_context_tokens": 8_000 });
        let packet = house
            .post(&key, &within(&container, "agent/context"), &asked)
            .json();
        judge(
            trial,
            packet["prompt_memory_block"].as_str().unwrap_or_default(),
            pair,
        );
    }
}

/// A block shows a value where nothing but its own lines and blanks stand between its parts.
fn judge(trial: &mut Trial, block: &str, pair: &Pair) {
    let said = block.lines().filter_map(|line| line.strip_prefix("| "));
    let joined: String = said.flat_map(str::split_whitespace).collect();
    if joined.contains(&pair.value) {
        trial.leaked("a block shows a value whole that came in two rows".to_owned());
    }
}

/// Eyes for values that two rows show together: a word that no rule knows.
pub(super) fn shown_together(trial: &mut Trial) {
    let mut house = House::open(trial, "together");
    let agent = house.agent.clone();
    let pair = Pair {
        rows: vec!["The word of the house begins with marzipan".to_owned()],
        value: "marzipan".to_owned(),
    };
    house.retain(&agent, &json!({ "content": pair.rows[0] }));
    let asked = json!({ "user_message": "What does the word of the house begin with?" });
    let packet = house
        .post(&agent, &within(WORKSPACE, "agent/context"), &asked)
        .json();
    judge(
        trial,
        packet["prompt_memory_block"].as_str().unwrap_or_default(),
        &pair,
    );
}
