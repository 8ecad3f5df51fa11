//! What speaks for every candidate of a question, a line of JSON each, to fit weights with.

use std::io::Write;

use serde_json::{Map, Value, json};
use testimony::domain::UserId;
use testimony::read::RecallRequest;
use testimony::recall::{assess, score::sign_names};

use super::room::Room;

/// Writes a line for every candidate: the question as `about` tells it, what the row is by its name in the room, and
/// what each sign says.
pub(crate) fn weigh(
    room: &Room,
    question: &str,
    about: &Value,
    known_as: impl Fn(Option<&String>) -> Value,
    file: &mut impl Write,
) {
    let Some((memory, who, container)) = room.asked.here() else {
        return;
    };
    let mut asked = RecallRequest::of(question);
    asked.claim.labels.user = Some(UserId::new("user_id", &room.person).unwrap());
    let weighed = memory
        .service()
        .weigh(who, &container, &asked, |request, rows| {
            for row in rows {
                let judged = assess(request, row);
                let signs = sign_names().zip(&judged.signs);
                let signs: Map<String, Value> = signs
                    .map(|(name, says)| (name.to_owned(), json!(says)))
                    .collect();
                let line = json!({
                    "about": about,
                    "name": known_as(room.name(&row.memory.id.to_string())),
                    "row": row.memory.content.as_str(),
                    "said": row.memory.observed_at.to_string(),
                    "state": row.memory.state.as_str(),
                    "memory": row.memory.kind.as_str(),
                    "kind": format!("{:?}", request.reading().kind),
                    "signs": signs,
                    "relevance": judged.relevance.get(),
                    "direct": judged.fit.direct,
                    "reason": format!("{:?}", judged.fit.reason),
                    "gate": format!("{:?}", judged.gates.verdict),
                    "chance": judged.fit.degree,
                });
                writeln!(file, "{line}").unwrap();
            }
        });
    weighed.unwrap();
}
