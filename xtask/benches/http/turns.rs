//! Sentences that facts and turns of agents are made of: ordinary ones, so that admission and reconciliation do their work.

use serde_json::{Value, json};

const FIRST: &[&str] = &[
    "Mara", "Idris", "Oksana", "Tomasz", "Leila", "Bram", "Chidi", "Sanna", "Rafael", "Yuki",
    "Nadia", "Piet", "Amara", "Goran", "Hanne", "Luis", "Freya", "Kofi", "Elin", "Viktor",
];
const LAST: &[&str] = &[
    "Okafor",
    "Lindqvist",
    "Haddad",
    "Novak",
    "Ferreira",
    "Tanaka",
    "Brandt",
    "Moreau",
    "Osei",
    "Kowalski",
    "Ricci",
    "Petrov",
    "Alvarez",
    "Nakamura",
    "Visser",
    "Duarte",
    "Holm",
    "Farkas",
    "Mensah",
    "Sato",
];
const SERVICES: &[&str] = &[
    "billing",
    "search",
    "ledger",
    "catalogue",
    "dispatch",
    "invoicing",
    "loyalty",
    "pricing",
    "returns",
    "stock",
];
const TOOLS: &[&str] = &[
    "Terraform",
    "Postgres",
    "Kafka",
    "Redis",
    "Grafana",
    "Nomad",
    "Vault",
];
const LANGUAGES: &[&str] = &["Portuguese", "German", "Dutch", "Polish", "Finnish"];

/// One of a list by a number; the lists are not empty.
fn of<'a>(list: &[&'a str], number: usize) -> &'a str {
    list[number % list.len()]
}

/// A person; the name does not come again before four hundred others.
fn person(number: usize) -> String {
    let last = of(LAST, number / FIRST.len());
    format!("{} {last}", of(FIRST, number))
}

/// A fact that says otherwise than no other one.
pub(crate) fn fact(number: usize) -> String {
    let name = person(number);
    let serial = 10_000 + number;
    match number % 6 {
        0 => format!("Machine {serial} stands in the north shed beside the desk of {name}."),
        1 => format!("Customer account {serial} belongs to {name}."),
        2 => format!("Purchase order {serial} was signed by {name}."),
        3 => format!("Course {serial} is taught by {name} on Thursday evenings."),
        4 => format!("Room {serial} was painted by {name} in March."),
        _ => format!("Chapter {serial} of the handbook was translated by {name}."),
    }
}

/// What an agent writes back after a turn.
///
/// Most of it is about work of its own; some things many agents see, a few see them differently, and some turns say
/// nothing that lasts.
pub(crate) fn turn(agent: usize, turn: usize) -> Value {
    let serial = agent * 1_000 + turn;
    let name = person(serial);
    let service = of(SERVICES, agent + turn / 10);
    let tool = of(TOOLS, serial);
    match turn % 10 {
        0 => {
            json!({ "observed_facts": [format!("The {service} service runs on port {}.", 8_000 + service.len())] })
        }
        1 => {
            json!({ "observed_facts": [format!("Build {serial} of {service} took {} minutes.", 3 + serial % 20)] })
        }
        2 => {
            json!({ "observed_facts": [format!("Customer {serial} asked {name} for a refund of {} euros.", 20 + serial % 300)] })
        }
        3 => json!({ "observed_facts": [
            format!("The delivery for order {serial} goes to {name}."),
            format!("The root cause of ticket {serial} was a missing index in {service}."),
        ] }),
        4 => preference(of(LANGUAGES, agent), agent % USERS),
        5 => {
            json!({ "decisions": [format!("The {service} team decided to move job {serial} to {tool}.")] })
        }
        6 => {
            json!({ "observed_facts": [format!("The {service} database has {} tables.", tables(agent, service))] })
        }
        7 => {
            json!({ "assistant_response": format!("I have restarted job {serial}, and it is running again.") })
        }
        8 => {
            json!({ "artifacts": [format!("The report for order {serial} is in reports/{serial}.pdf.")] })
        }
        _ => {
            json!({ "observed_facts": ["Thanks, that is all for now!"], "user_message": "Thanks!" })
        }
    }
}

/// How many people the agents work for; each has one language.
const USERS: usize = 40;

fn preference(language: &str, user: usize) -> Value {
    let said = format!("I prefer answers in {language}.");
    let user = format!("user-{user}");
    json!({ "preferences": [said], "user_message": said, "user_id": user })
}

/// Nine of ten agents count the same.
fn tables(agent: usize, service: &str) -> usize {
    let most = 40 + service.len();
    if agent % 10 == 9 { most + 1 } else { most }
}
