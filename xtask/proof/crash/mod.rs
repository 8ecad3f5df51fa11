//! The server ended at any moment: what it acknowledged is there, and nothing half.

use serde_json::{Value, json};

use crate::client::{get_as, post};
use crate::server::Server;
use crate::trial::{Family, Scenario, Trial};

pub(crate) const FAMILY: Family = Family {
    name: "crash",
    passes_when: "every acknowledged id can be read, and nothing is half done",
    scenarios: &[Scenario {
        name: "killed while it retains",
        short: 5,
        long: 100,
        run: killed_while_it_retains,
    }],
    canary: Scenario {
        name: "an acknowledged id that was never written",
        short: 1,
        long: 1,
        run: an_id_that_was_never_written,
    },
};

fn killed_while_it_retains(trial: &mut Trial) {
    let folder = trial.room("data");
    let mut acknowledged = Vec::new();
    for round in 0..trial.rounds {
        let Ok(server) = Server::start(trial.program, &folder) else {
            trial.lost("the server did not start again");
            return;
        };
        acknowledged.extend(retained(trial, &server, round));
        server.kill();
        trial.fault();
        trial.round();
    }
    are_there(trial, &folder, &acknowledged);
}

/// The ids of what was acknowledged before the server was to be ended.
fn retained(trial: &mut Trial, server: &Server, round: usize) -> Vec<String> {
    let (key, mut client) = (server.first_key("agent_key"), server.client());
    let count = trial.chance.below(20);
    let told = (0..count).filter_map(|number| {
        let text = format!("The badge of colleague {round}-{number} opens door {number}.");
        let body = json!({ "content": text });
        let path = "/api/v2/containers/default/retain";
        let answer = client.send(&post(&key, path, &body)).ok()?;
        let id = answer.json()["memories"][0]["id"].as_str()?.to_owned();
        (answer.status == 200).then_some(id)
    });
    told.collect()
}

fn are_there(trial: &mut Trial, folder: &std::path::Path, ids: &[String]) {
    let Ok(server) = Server::start(trial.program, folder) else {
        trial.lost("the server did not start again");
        return;
    };
    let (key, mut client) = (server.first_key("operator_key"), server.client());
    for id in ids {
        let path = format!("/api/v1/memories/{id}/courtroom");
        let found = client.send(&get_as(&key, &path));
        let report = found.map_or(Value::Null, |answer| answer.json());
        if report.is_null() || report.get("error").is_some() {
            trial.lost(format!("{id} was acknowledged and is gone"));
        }
    }
}

fn an_id_that_was_never_written(trial: &mut Trial) {
    let folder = trial.room("data");
    are_there(trial, &folder, &["mem_that_never_was".to_owned()]);
    trial.round();
}
