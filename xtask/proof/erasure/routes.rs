//! Every route that shows what is kept, asked for what is erased.

use serde_json::{Value, json};

use crate::bytes::Wanted;
use crate::server::Server;
use crate::told::{Asker, all};
use crate::trial::Trial;

/// Lists, each read to its end.
const LISTS: &[&str] = &[
    "/api/v1/admin/containers/workspace/memories?limit=500",
    "/api/v1/admin/containers/workspace/memories?limit=500&state=erased",
    "/api/v1/admin/containers/workspace/quarantine?limit=100",
    "/api/v1/admin/containers/workspace/reads?limit=100",
    "/api/v1/containers/workspace/reviews?state=any&limit=100",
    "/api/v1/containers/workspace/reviews/groups?limit=100",
    "/api/v1/admin/jobs?state=done&limit=100",
    "/api/v1/admin/erasures?limit=100",
    "/api/v1/admin/export?limit=500",
];
/// Routes that tell of everything at once.
const WHOLE: &[&str] = &[
    "/api/v1/admin/containers/workspace/statistics",
    "/api/v1/admin/containers/workspace/exemptions",
    "/api/v1/admin/audit/rollups",
    "/metrics",
];
/// Routes that tell of one memory.
const OF_ONE: &[&str] = &[
    "/api/v1/admin/memories/{}",
    "/api/v1/admin/memories/{}/history",
    "/api/v1/memories/{}/courtroom",
    "/v1/memories/{}/courtroom?include_ai=true",
];
/// Routes that answer a question, and the member that holds it.
const ANSWERS: &[(&str, &str)] = &[
    ("recall", "query"),
    ("reflect", "query"),
    ("agent/context", "user_message"),
];
/// Members of an answer that repeat what was asked.
const REPEATED: &[&str] = &["query", "original_query", "expanded_query", "asked_as"];

/// What of it stands in which answer.
pub(super) fn showing(
    trial: &mut Trial,
    server: &Server,
    wanted: &Wanted,
    ids: &[String],
    asked: (&str, Option<&str>),
) -> Vec<String> {
    let (mut operator, mut agent) = (Asker::operator(server), Asker::agent(server));
    let mut answers = Vec::new();
    for route in LISTS.iter().chain(WHOLE) {
        let answer = operator.get(route).unwrap();
        if answer.status != 200 {
            trial.broken(format!("{route} was answered {}", answer.status));
        }
        answers.push(((*route).to_owned(), answer.body));
    }
    for list in LISTS {
        let rows = all(&mut operator, list);
        answers.extend(
            rows.iter()
                .map(|row| ((*list).to_owned(), row.to_string().into_bytes())),
        );
    }
    for route in ids
        .iter()
        .flat_map(|id| OF_ONE.iter().map(move |it| it.replace("{}", id)))
    {
        let answer = operator.get(&route).unwrap();
        answers.push((route, answer.body));
    }
    answers.extend(answered(&mut agent, &mut operator, ids, asked));
    let found = answers.into_iter().flat_map(|(route, body)| {
        let found = wanted.found_in(&body).into_iter().take(1);
        found.map(move |it| format!("`{it}` stands in an answer of {route}"))
    });
    found.collect()
}

/// What is answered to a question, and why a memory is no answer, without what was asked.
fn answered(
    agent: &mut Asker,
    operator: &mut Asker,
    ids: &[String],
    (question, user): (&str, Option<&str>),
) -> Vec<(String, Vec<u8>)> {
    let routes = ANSWERS.iter().map(|(route, member)| {
        let path = format!("/api/v2/containers/workspace/{route}");
        let (_, answer) = agent.ask(&path, &json!({ *member: question, "user_id": user }));
        (path, answer)
    });
    let mut answers: Vec<(String, Value)> = routes.collect();
    for id in ids {
        let path = format!("/api/v1/admin/memories/{id}/why");
        let (_, answer) = operator.ask(&path, &json!({ "query": question, "user_id": user }));
        answers.push((path, answer));
    }
    let without_question = |(path, mut answer): (String, Value)| {
        if let Some(answer) = answer.as_object_mut() {
            answer.retain(|name, _| !REPEATED.contains(&name.as_str()));
        }
        (path, answer.to_string().into_bytes())
    };
    answers.into_iter().map(without_question).collect()
}
