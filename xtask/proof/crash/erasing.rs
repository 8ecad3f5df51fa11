//! Killed while several erase: what was acknowledged is gone from every byte, and no row is half gone.

use std::path::Path;

use serde_json::json;

use super::{HANDS, folders, moment, struck};
use crate::bytes::Wanted;
use crate::server::Server;
use crate::told::{Asker, Told, again, is_sound, text};
use crate::trial::Trial;

/// A folder gets new rows when it has fewer than this.
const FEW: usize = 24;

/// A row, and what was asked of it.
struct Row {
    id: String,
    word: String,
    asked: bool,
    /// Whether it was acknowledged, or seen, that it is gone.
    gone: bool,
}

pub(super) fn run(trial: &mut Trial) {
    for (number, rounds) in folders(trial.rounds) {
        let folder = trial.room(&format!("data-{number}"));
        let mut rows = Vec::new();
        for _ in 0..rounds {
            let Some(server) = again(trial, &folder) else {
                return;
            };
            more(trial, &server, &mut rows);
            rows = one(trial, server, rows);
            let Some(server) = again(trial, &folder) else {
                return;
            };
            stand_or_are_gone(trial, &server, &mut rows);
            server.kill();
            trial.round();
        }
        nothing_is_left(trial, &folder, &rows);
    }
}

/// As many rows as are needed.
fn more(trial: &mut Trial, server: &Server, rows: &mut Vec<Row>) {
    if rows.iter().filter(|row| !row.gone).count() >= FEW {
        return;
    }
    let mut agent = Asker::agent(server);
    for _ in 0..4 {
        let mut told = Told::new(&mut trial.chance, 15);
        drop(told.say(&mut agent));
        let ids = told.ids.unwrap_or_default();
        rows.extend(ids.into_iter().zip(told.words).map(|(id, word)| Row {
            id,
            word,
            asked: false,
            gone: false,
        }));
    }
}

fn one(trial: &mut Trial, server: Server, rows: Vec<Row>) -> Vec<Row> {
    let mut shares: Vec<Vec<Row>> = (0..HANDS).map(|_| Vec::new()).collect();
    for (at, row) in rows.into_iter().enumerate() {
        shares[at % HANDS].push(row);
    }
    let hands: Vec<_> = shares
        .into_iter()
        .map(|rows| (Asker::operator(&server), rows))
        .collect();
    let hands = hands
        .into_iter()
        .map(|(asker, rows)| move || erased(asker, rows));
    let after = moment(trial, 300);
    trial.fault();
    struck(server, after, hands).into_iter().flatten().collect()
}

/// Erases one row after another, until the server is gone.
fn erased(mut operator: Asker, mut rows: Vec<Row>) -> Vec<Row> {
    for row in rows.iter_mut().filter(|row| !row.gone) {
        let body = json!({ "target": { "memory": row.id }, "dry_run": false, "reason": "mistake" });
        row.asked = true;
        match operator.post("/api/v1/admin/erasures", &body) {
            Ok(answer) => row.gone = answer.status == 200,
            Err(_) => break,
        }
    }
    rows
}

/// A row is as it was said, or gone; one whose erasure was acknowledged is gone.
fn stand_or_are_gone(trial: &mut Trial, server: &Server, rows: &mut [Row]) {
    let mut operator = Asker::operator(server);
    for row in rows {
        let (status, found) = operator.look(&format!("/api/v1/admin/memories/{}", row.id));
        let state = found["memory"]["state"].as_str().unwrap_or_default();
        let content = found["memory"]["content"].as_str().unwrap_or_default();
        let stands = state == "active" && content == text(&row.word);
        let gone = state == "erased" && content.is_empty();
        match (stands, gone) {
            (true, _) if row.gone => trial.leaked("an erased row came back"),
            (_, true) if !row.asked => trial.lost("a row that nobody erased is gone"),
            (true, _) => {}
            (_, true) => row.gone = true,
            _ => trial.broken(format!("half an erasure: {status}, {state}, {content}")),
        }
    }
}

fn nothing_is_left(trial: &mut Trial, folder: &Path, rows: &[Row]) {
    let Some(server) = again(trial, folder) else {
        return;
    };
    is_sound(trial, &server);
    server.stop();
    let gone = rows.iter().filter(|row| row.gone);
    let gone = Wanted::whole(gone.map(|row| row.word.as_str()));
    for found in gone.found_below(folder) {
        trial.leaked(found);
    }
}
