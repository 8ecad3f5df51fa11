//! What speaks for every candidate of a question, a line of JSON each, to fit weights with.

use std::io::Write;

use serde_json::{Map, Value, json};
use testimony::domain::UserId;
use testimony::read::RecallRequest;
use testimony::recall::answer::{Renewal, read, renewal_sign_names, renewals};
use testimony::recall::{assess, score::sign_names};

use super::room::Room;

/// Writes a line for every candidate: the question as `about` tells it, what the row is by its name in the room, what each sign
/// says, and what is weighed of it beside the first row that answers, where it is newer.
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
            let rows = read(request, rows);
            let renewals = renewals(request, &rows);
            for row in &rows {
                let judged = assess(request, row);
                let renewal = renewals.iter().find(|it| it.later == row.memory.id);
                let earlier = |it: &Renewal| known_as(room.name(&it.earlier.to_string()));
                let line = json!({
                    "about": about,
                    "name": known_as(room.name(&row.memory.id.to_string())),
                    "row": row.memory.content.as_str(),
                    "said": row.memory.observed_at.to_string(),
                    "state": row.memory.state.as_str(),
                    "memory": row.memory.kind.as_str(),
                    "kind": format!("{:?}", request.reading().kind),
                    "signs": named(sign_names(), &judged.signs),
                    "renewal": renewal.map(|it| json!({
                        "earlier": earlier(it),
                        "read": it.read,
                        "signs": named(renewal_sign_names(), &it.signs),
                        "renews": it.renews,
                    })),
                    "relevance": judged.relevance.get(),
                    "direct": judged.fit.direct,
                    "reason": format!("{:?}", judged.fit.reason),
                    "gate": format!("{:?}", judged.gates.verdict),
                    "chance": judged.fit.chance,
                    "score": judged.fit.degree,
                    "reads": row.reads,
                });
                writeln!(file, "{line}").unwrap();
            }
        });
    weighed.unwrap();
}

/// What signs say, by their names.
fn named(names: impl Iterator<Item = &'static str>, says: &[f64]) -> Map<String, Value> {
    let named = names.zip(says);
    named
        .map(|(name, says)| (name.to_owned(), json!(says)))
        .collect()
}
