//! A model that answers in text, as the service asks it: `POST /v1/chat/completions`.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Value, json};
use testimony_domain::words;
use testimony_service::ports::health::Health;
use testimony_service::ports::models::{
    ChatModel, Ended, ModelError, ModelIdentity, ModelQuestion, ModelReply, TokenUsage,
};
use tokio::time::Instant;

use crate::driver::Driver;
use crate::line::{Letter, Line};

words! {
    /// How a model wants to be asked.
    pub enum ChatStyle {
        /// As nearly all of them do.
        Usual = "usual",
        /// With `max_completion_tokens` and without `temperature`, as models that reason first want it.
        Reasoning = "reasoning",
    }
}

/// The longest answer that is read.
const LONGEST_ANSWER: usize = 4 << 20;

/// A model as the service asks it.
#[derive(Debug)]
pub(crate) struct Chat {
    pub(crate) line: Arc<Line>,
    pub(crate) style: ChatStyle,
    pub(crate) driver: Arc<Driver>,
}

impl ChatModel for Chat {
    fn identity(&self) -> &ModelIdentity {
        &self.line.identity
    }

    fn complete(&self, question: &ModelQuestion<'_>) -> Result<ModelReply, ModelError> {
        let letter = Letter {
            to: self.line.address("/v1", "/chat/completions")?,
            body: Bytes::from(written(&self.line.identity.model, self.style, question)),
            accept: "application/json",
        };
        let deadline = question.deadline.min(self.line.patience().total);
        let line = Arc::clone(&self.line);
        let by = Instant::now() + deadline;
        self.driver.wait(&self.line.named, deadline, async move {
            let response = line.ask(&letter, by).await?;
            let bytes = line.whole(response, LONGEST_ANSWER, by).await?;
            let reply = ChatStyle::read(&bytes).map_err(|because| line.unreadable(because))?;
            line.counts.used(reply.usage.unwrap_or_default());
            Ok(reply)
        })
    }

    fn health(&self) -> Health {
        self.line.standing.health()
    }
}

/// The question as it is sent: what is to be kept to apart from what it is about.
fn written(model: &str, style: ChatStyle, question: &ModelQuestion<'_>) -> String {
    let mut body = json!({
        "model": model,
        "messages": [
            { "role": "system", "content": question.instructions },
            { "role": "user", "content": question.material },
        ],
        "stream": false,
    });
    let more = match style {
        ChatStyle::Usual => json!({
            "max_tokens": question.max_tokens,
            "temperature": question.temperature,
        }),
        ChatStyle::Reasoning => json!({ "max_completion_tokens": question.max_tokens }),
    };
    let form = question
        .as_json
        .then(|| json!({ "response_format": { "type": "json_object" } }));
    let more = [Some(more), form].into_iter().flatten();
    let fields = more.filter_map(|fields| match fields {
        Value::Object(fields) => Some(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    });
    if let Value::Object(body) = &mut body {
        body.extend(fields.flatten());
    }
    body.to_string()
}

impl ChatStyle {
    /// Reads an answer, which is the same whichever way was asked.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(bytes: &[u8]) -> Result<ModelReply, &'static str> {
        let body: Value = serde_json::from_slice(bytes).map_err(|_| "it is no JSON")?;
        let choice = body.pointer("/choices/0").ok_or("it has no choice")?;
        let message = choice.get("message").ok_or("its choice has no message")?;
        let text = text(message);
        let refused = message.get("refusal").and_then(Value::as_str);
        let ended = match (choice.get("finish_reason").and_then(Value::as_str), refused) {
            (_, Some(_)) | (Some("content_filter"), None) => Ended::Filtered,
            (Some("stop"), None) => Ended::Stop,
            (Some("length"), None) => Ended::Length,
            (Some(_) | None, None) => Ended::Other,
        };
        if text.is_empty() && ended != Ended::Filtered {
            return Err("it holds no text");
        }
        let named = body.get("model").and_then(Value::as_str);
        Ok(ModelReply {
            text,
            ended,
            usage: body.get("usage").and_then(usage),
            model: named.unwrap_or_default().to_owned(),
        })
    }
}

/// The text of a message, whether it is one or comes in parts.
fn text(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect()
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => {
            String::new()
        }
    }
}

fn usage(usage: &Value) -> Option<TokenUsage> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    Some(TokenUsage {
        prompt: count("prompt_tokens")?,
        completion: count("completion_tokens").unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use testimony_service::ports::models::ModelUse;

    use super::*;

    const QUESTION: ModelQuestion<'static> = ModelQuestion {
        purpose: ModelUse::Judge,
        instructions: "Judge.",
        material: "The case.",
        max_tokens: 300,
        temperature: 0.25,
        as_json: true,
        deadline: Duration::from_secs(5),
    };

    #[test]
    fn a_question_keeps_instructions_and_material_apart() {
        let body: Value = serde_json::from_str(&written("m", ChatStyle::Usual, &QUESTION)).unwrap();
        assert_eq!(
            body["messages"][0],
            json!({ "role": "system", "content": "Judge." })
        );
        assert_eq!(
            body["messages"][1],
            json!({ "role": "user", "content": "The case." })
        );
        assert_eq!(body["response_format"]["type"], "json_object");
        assert_eq!(
            (&body["max_tokens"], &body["temperature"]),
            (&json!(300), &json!(0.25))
        );
        let body: Value =
            serde_json::from_str(&written("m", ChatStyle::Reasoning, &QUESTION)).unwrap();
        assert_eq!(body["max_completion_tokens"], 300);
        assert!(body.get("temperature").is_none() && body.get("max_tokens").is_none());
    }

    #[test]
    fn answers_are_read_in_every_form_that_they_have() {
        let of = |choice: Value| {
            let usage = json!({ "prompt_tokens": 7, "completion_tokens": 2 });
            let body = json!({ "model": "m-1", "choices": [choice], "usage": usage });
            ChatStyle::read(body.to_string().as_bytes())
        };
        let reply =
            of(json!({ "message": { "content": "Yes." }, "finish_reason": "stop" })).unwrap();
        assert_eq!(
            (reply.text.as_str(), reply.ended, reply.model.as_str()),
            ("Yes.", Ended::Stop, "m-1")
        );
        assert_eq!(
            reply.usage,
            Some(TokenUsage {
                prompt: 7,
                completion: 2
            })
        );
        let parts = json!([{ "type": "text", "text": "Ye" }, { "type": "image" }, { "type": "text", "text": "s." }]);
        let reply =
            of(json!({ "message": { "content": parts }, "finish_reason": "length" })).unwrap();
        assert_eq!((reply.text.as_str(), reply.ended), ("Yes.", Ended::Length));
        let refused = json!({ "message": { "content": null, "refusal": "I cannot." } });
        assert_eq!(of(refused).unwrap().ended, Ended::Filtered);
        assert_eq!(
            of(json!({ "message": { "content": "" }, "finish_reason": "stop" })),
            Err("it holds no text")
        );
        assert_eq!(
            ChatStyle::read(b"{\"choices\": []}"),
            Err("it has no choice")
        );
        assert_eq!(ChatStyle::read(b"<html>"), Err("it is no JSON"));
    }
}
