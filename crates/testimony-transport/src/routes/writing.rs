//! What writes have in common: an answer that is kept to be sent again, and a conflict that is the whole answer.

use std::sync::Arc;

use serde_json::{Value, json};
use testimony_service::write::{Idempotency, Render, Replay, WriteAnswer, Written};

use super::{Outcome, Reply};
use crate::problem::{Code, Problem};
use crate::wire::written::{mark_replayed, refusal};

/// Writes an answer down.
pub(super) type Body = Arc<dyn Fn(&WriteAnswer) -> Value + Send + Sync>;

/// Writes an answer down as it is kept: with what decides about its status.
pub(super) fn kept(body: &Body) -> Render {
    let body = Arc::clone(body);
    Render::new(move |answer| {
        json!({
            "refused": answer.is_refused(),
            "answer": body(answer),
            "refusal": refused(answer, &body),
        })
        .to_string()
    })
}

fn refused(answer: &WriteAnswer, body: &Body) -> Value {
    if answer.is_refused() {
        Value::Object(refusal(answer, &body(answer)))
    } else {
        Value::Null
    }
}

/// What came of a write, as it is sent; `left` writes down what is left of an answer that was sent before and is gone.
pub(super) fn reply(written: Written, body: &Body, left: impl FnOnce(&Replay) -> Value) -> Outcome {
    match written {
        Written::Done(answer) if answer.is_refused() => {
            Err(conflict(refusal(&answer, &body(&answer))))
        }
        Written::Done(answer) => Ok(Reply::ok(body(&answer))),
        Written::Replayed(replay) => {
            let kept = replay.response.as_deref();
            let kept: Option<Value> = kept.and_then(|text| serde_json::from_str(text).ok());
            match kept {
                Some(kept) => again(kept),
                None => Ok(Reply::ok(left(&replay))),
            }
        }
    }
}

/// An answer that was sent before.
fn again(mut kept: Value) -> Outcome {
    let refused = kept.get("refused").and_then(Value::as_bool) == Some(true);
    let mut part = |name: &str| kept.get_mut(name).map(Value::take).unwrap_or_default();
    if refused {
        let mut refusal = part("refusal");
        if let Some(answer) = refusal.get_mut("answer") {
            mark_replayed(answer);
        }
        let Value::Object(mut refusal) = refusal else {
            return Err(conflict(serde_json::Map::new()));
        };
        let replayed = Idempotency::Replayed.as_str();
        refusal.insert("idempotency_status".to_owned(), replayed.into());
        return Err(conflict(refusal));
    }
    let mut answer = part("answer");
    mark_replayed(&mut answer);
    Ok(Reply::ok(answer))
}

fn conflict(more: serde_json::Map<String, Value>) -> Problem {
    Problem {
        more,
        ..Problem::new(
            Code::Conflict,
            "It says otherwise than what is known. Evidence, the new value and a review case are kept and named here; nothing that was known changed.",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::shape::differences;
    use crate::wire::{retain, writeback};
    use testimony_domain::{MemoryId, SequentialIds};

    #[test]
    fn where_the_first_answer_is_gone_the_ids_that_are_left_are_named() {
        let left = MemoryId::mint(&SequentialIds::default());
        let body: Body = Arc::new(|_| Value::Null);
        for (shape, rest) in [
            (
                retain::ANSWER,
                retain::replayed as fn(&str, &str, &Replay) -> Value,
            ),
            (writeback::ANSWER, writeback::replayed),
        ] {
            let replay = Written::Replayed(Replay {
                response: None,
                memories: vec![left],
            });
            let again = reply(replay, &body, |replay| rest("workspace", "turn-1", replay));
            let again = again.unwrap().into_json();
            assert_eq!(differences(&shape, &again), Vec::<String>::new());
            assert_eq!(again["idempotency_status"], "replayed");
            assert_eq!(again["operation_trail_id"], "turn-1");
            assert_eq!(again["committed_memory_ids"], json!([left.to_string()]));
            assert_eq!(again["warnings"][0]["code"], "erased");
        }
    }
}
