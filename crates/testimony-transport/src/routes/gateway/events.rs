//! Server-sent events on their way through: each goes on as it came, but for the last, which tells of the memory that
//! went with the request. A stream that ends before its end gets an event that says so.

use bytes::{Buf as _, Bytes, BytesMut};
use serde_json::{Value, json};

use super::members::{members, with_member};
use super::upstream::Endpoint;
use crate::problem::Problem;

/// The longest event that is waited for.
const LONGEST_EVENT: usize = 16 << 20;

/// Why a stream cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// An event is no JSON.
    NoJson,
    /// An event is longer than any that is waited for.
    TooLong,
    /// The stream ended before its answer did.
    Half,
}

impl Broken {
    /// What is told of it.
    pub(super) const fn told(self) -> &'static str {
        match self {
            Self::NoJson => "The model sent an event that is no JSON, so its answer ends here.",
            Self::TooLong => "The model sent an event that is too long, so its answer ends here.",
            Self::Half => "The model stopped before its answer was whole.",
        }
    }
}

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A part of the answer, or nothing of it.
    Part,
    /// The last part of the answer, or one that may be.
    Last,
    /// That nothing more comes.
    Done,
    /// That the model failed, which it says itself.
    Failed,
}

/// The events of a stream.
#[derive(Debug)]
pub(super) struct Events {
    endpoint: Endpoint,
    /// What is told of memory, as JSON.
    memory: Option<String>,
    /// What has come and is no whole event yet.
    coming: BytesMut,
    /// So much of it was looked through for the end of an event.
    looked: usize,
    /// An event that may be the last, while it is not known whether it is.
    held: Option<Bytes>,
    /// What names the answer, for an event of our own.
    named: Option<Value>,
    finished: bool,
    done: bool,
}

impl Events {
    pub(super) fn new(endpoint: Endpoint, memory: Option<String>) -> Self {
        Self {
            endpoint,
            memory,
            coming: BytesMut::new(),
            looked: 0,
            held: None,
            named: None,
            finished: false,
            done: false,
        }
    }

    /// Takes what came, and gives what goes on.
    ///
    /// # Errors
    /// [`Broken`] when nothing more can go on; what could is given with it.
    pub(super) fn take(&mut self, piece: &[u8]) -> (Bytes, Result<(), Broken>) {
        let mut out = BytesMut::new();
        self.coming.extend_from_slice(piece);
        while let Some(event) = self.next_event() {
            if let Err(broken) = self.pass(event, &mut out) {
                return (out.freeze(), Err(broken));
            }
        }
        let fits = self.coming.len() <= LONGEST_EVENT;
        let fits = fits.then_some(()).ok_or(Broken::TooLong);
        (out.freeze(), fits)
    }

    /// Nothing more comes: gives what is left to say.
    ///
    /// # Errors
    /// [`Broken::Half`] when the answer is not whole.
    pub(super) fn end(&mut self) -> (Bytes, Result<(), Broken>) {
        let mut out = BytesMut::new();
        // An event without the blank line behind it is whole where the stream ends with it.
        let rest = self.coming.split().freeze();
        if !rest.iter().all(u8::is_ascii_whitespace)
            && let Err(broken) = self.pass(rest, &mut out)
        {
            let broken = if broken == Broken::NoJson {
                Broken::Half
            } else {
                broken
            };
            return (out.freeze(), Err(broken));
        }
        if self.done || self.finished {
            self.say_memory(&mut out);
            return (out.freeze(), Ok(()));
        }
        self.release(&mut out);
        (out.freeze(), Err(Broken::Half))
    }

    /// Whether the answer is whole, so that nothing that goes wrong after it matters.
    pub(super) const fn is_whole(&self) -> bool {
        self.done || self.finished
    }

    /// The next event that is whole, with the blank line behind it.
    fn next_event(&mut self) -> Option<Bytes> {
        let end = end_of_event(&self.coming, self.looked);
        let Some(end) = end else {
            // The last bytes may be the beginning of a blank line.
            self.looked = self.coming.len().saturating_sub(3);
            return None;
        };
        self.looked = 0;
        let event = self.coming.copy_to_bytes(end);
        Some(event)
    }

    fn pass(&mut self, event: Bytes, out: &mut BytesMut) -> Result<(), Broken> {
        let Some(data) = data_of(&event) else {
            // A comment, or a field that is no data.
            out.extend_from_slice(&event);
            return Ok(());
        };
        match self.kind(&data)? {
            Kind::Part | Kind::Failed => {
                self.release(out);
                out.extend_from_slice(&event);
            }
            // Where nothing is told, nothing is waited for.
            Kind::Last if self.memory.is_none() => out.extend_from_slice(&event),
            Kind::Last if self.endpoint == Endpoint::Responses => {
                let told = self.memory.take();
                let told = told.and_then(|memory| of_response(&event, &data, &memory));
                out.extend_from_slice(told.as_deref().unwrap_or(&event));
            }
            Kind::Last => {
                self.release(out);
                self.held = Some(event);
            }
            Kind::Done => {
                self.say_memory(out);
                out.extend_from_slice(&event);
            }
        }
        Ok(())
    }

    /// What an event is, and what of it is remembered.
    fn kind(&mut self, data: &str) -> Result<Kind, Broken> {
        if data.trim() == "[DONE]" {
            self.done = true;
            return Ok(Kind::Done);
        }
        let value: Value = serde_json::from_str(data).map_err(|_| Broken::NoJson)?;
        let kind = match self.endpoint {
            Endpoint::ChatCompletions => of_chunk(&value),
            Endpoint::Responses => of_step(&value),
        };
        match kind {
            Kind::Last => self.finished = true,
            Kind::Failed => self.done = true,
            Kind::Part | Kind::Done => {}
        }
        if self.endpoint == Endpoint::ChatCompletions && self.memory.is_some() {
            self.named.get_or_insert_with(|| naming(&value));
        }
        Ok(kind)
    }

    /// Lets the event go that was held.
    fn release(&mut self, out: &mut BytesMut) {
        if let Some(held) = self.held.take() {
            out.extend_from_slice(&held);
        }
    }

    /// Lets the event go that was held, with what is told of memory; without one, that goes in an event of its own.
    fn say_memory(&mut self, out: &mut BytesMut) {
        let of_chat = self.endpoint == Endpoint::ChatCompletions;
        let Some(memory) = self.memory.take().filter(|_| of_chat) else {
            return self.release(out);
        };
        let told = match self.held.take() {
            Some(held) => with_memory(&held, &memory).unwrap_or_else(|| held.to_vec()),
            None => {
                let chunk = self.named.take().unwrap_or_else(|| naming(&Value::Null));
                let chunk = with_member(chunk.to_string().as_bytes(), "memory", &memory);
                rewritten(b"", &chunk.unwrap_or_default())
            }
        };
        out.extend_from_slice(&told);
    }
}

/// An event that says that the stream ended before its end.
pub(super) fn failed(endpoint: Endpoint, problem: &Problem) -> Bytes {
    let said = problem.envelope();
    let text = match endpoint {
        Endpoint::ChatCompletions => format!("data: {said}\n\n"),
        Endpoint::Responses => {
            let event = json!({
                "type": "error",
                "code": said.pointer("/error/code"),
                "message": said.pointer("/error/message"),
                "param": null,
                "sequence_number": 0,
            });
            format!("event: error\ndata: {event}\n\n")
        }
    };
    Bytes::from(text)
}

/// Where the first event ends, with the blank line behind it; `from` is where to begin to look.
fn end_of_event(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = bytes.get(at..)?;
        at += rest.iter().position(|byte| *byte == b'\n')? + 1;
        let behind = bytes.get(at..)?;
        let blank = match behind {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => continue,
        };
        return Some(at + blank);
    }
}

fn lines(event: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = event.split(|byte| *byte == b'\n');
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

fn data_line(line: &[u8]) -> Option<&[u8]> {
    let data = line.strip_prefix(b"data:")?;
    Some(data.strip_prefix(b" ").unwrap_or(data))
}

/// The data of an event; `None` where it has none, or none that is text.
fn data_of(event: &[u8]) -> Option<String> {
    let all: Vec<&[u8]> = lines(event).filter_map(data_line).collect();
    if all.is_empty() {
        return None;
    }
    Some(String::from_utf8_lossy(&all.join(&b'\n')).into_owned())
}

/// An event with other data: its other lines stay.
fn rewritten(event: &[u8], data: &[u8]) -> Vec<u8> {
    let others = lines(event).filter(|line| !line.is_empty() && data_line(line).is_none());
    let mut text: Vec<u8> = others.flat_map(|line| [line, b"\n"].concat()).collect();
    for line in data.split(|byte| *byte == b'\n') {
        text.extend_from_slice(b"data: ");
        text.extend_from_slice(line);
        text.push(b'\n');
    }
    text.push(b'\n');
    text
}

fn with_memory(event: &[u8], memory: &str) -> Option<Vec<u8>> {
    let data = data_of(event)?;
    let data = with_member(data.as_bytes(), "memory", memory)?;
    Some(rewritten(event, &data))
}

/// An event of a response with what is told of memory within the response.
fn of_response(event: &[u8], data: &str, memory: &str) -> Option<Vec<u8>> {
    let members = members(data.as_bytes())?;
    let response = members.iter().find(|member| member.name == "response")?;
    let inner = data.as_bytes().get(response.value.clone())?;
    let inner = with_member(inner, "memory", memory)?;
    let before = data.as_bytes().get(..response.value.start)?;
    let after = data.as_bytes().get(response.value.end..)?;
    Some(rewritten(event, &[before, &inner, after].concat()))
}

/// What a chunk of a chat completion is.
fn of_chunk(value: &Value) -> Kind {
    if value.get("error").is_some_and(|error| !error.is_null()) {
        return Kind::Failed;
    }
    let Some(Value::Array(choices)) = value.get("choices") else {
        return Kind::Part;
    };
    let ends = |choice: &Value| {
        let reason = choice.get("finish_reason");
        reason.is_some_and(|reason| !reason.is_null())
    };
    let counts = choices.is_empty() && value.get("usage").is_some_and(Value::is_object);
    if counts || choices.iter().any(ends) {
        Kind::Last
    } else {
        Kind::Part
    }
}

/// What a step of a response is.
fn of_step(value: &Value) -> Kind {
    match value.get("type").and_then(Value::as_str) {
        Some("response.completed" | "response.incomplete" | "response.failed") => Kind::Last,
        Some("error") => Kind::Failed,
        None if value.get("error").is_some() => Kind::Failed,
        Some(_) | None => Kind::Part,
    }
}

/// A chunk without content, named as another one is.
fn naming(like: &Value) -> Value {
    let of = |name: &str| like.get(name).cloned().unwrap_or(Value::Null);
    json!({
        "id": of("id"),
        "object": "chat.completion.chunk",
        "created": of("created"),
        "model": of("model"),
        "choices": [],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMORY: &str = "{\"tokens_injected\":7}";

    /// What goes on of pieces, and how it ends.
    fn passed(
        endpoint: Endpoint,
        memory: Option<&str>,
        pieces: &[&[u8]],
    ) -> (String, Result<(), Broken>) {
        let mut events = Events::new(endpoint, memory.map(str::to_owned));
        let mut all = Vec::new();
        for piece in pieces {
            let (out, end) = events.take(piece);
            all.extend_from_slice(&out);
            if end.is_err() {
                return (String::from_utf8(all).unwrap(), end);
            }
        }
        let (out, end) = events.end();
        all.extend_from_slice(&out);
        (String::from_utf8(all).unwrap(), end)
    }

    const CHAT: &str = concat!(
        ": hello\n\n",
        "data: {\"id\":\"c1\",\"choices\":[{\"delta\":{\"content\":\"a\\n\\nb\"},\"finish_reason\":null}]}\r\n\r\n",
        "data: {\"id\":\"c1\",\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
        "data: {\"id\":\"c1\",\"choices\":[],\"usage\":{\"total_tokens\":1.0e1}}\n\n",
        "data: [DONE]\n\n",
    );

    #[test]
    fn without_memory_every_byte_goes_on_however_it_is_cut() {
        for size in [1, 2, 3, 7, 64, 4096] {
            let pieces: Vec<&[u8]> = CHAT.as_bytes().chunks(size).collect();
            let chat = passed(Endpoint::ChatCompletions, None, &pieces);
            assert_eq!(chat, (CHAT.to_owned(), Ok(())), "{size}");
        }
    }

    #[test]
    fn the_last_chunk_tells_of_memory_and_the_others_stay() {
        let last = "\"usage\":{\"total_tokens\":1.0e1}}";
        let told = "\"usage\":{\"total_tokens\":1.0e1},\"memory\":{\"tokens_injected\":7}}";
        for size in [1, 5, 4096] {
            let pieces: Vec<&[u8]> = CHAT.as_bytes().chunks(size).collect();
            let (text, end) = passed(Endpoint::ChatCompletions, Some(MEMORY), &pieces);
            assert_eq!((text, end), (CHAT.replace(last, told), Ok(())), "{size}");
        }
        let without_usage = "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n";
        let (text, end) = passed(
            Endpoint::ChatCompletions,
            Some(MEMORY),
            &[without_usage.as_bytes()],
        );
        assert_eq!(end, Ok(()));
        assert_eq!(
            text,
            "data: {\"choices\":[{\"finish_reason\":\"stop\"}],\"memory\":{\"tokens_injected\":7}}\n\n"
        );
        let bare = "data: {\"id\":\"c9\",\"choices\":[{\"delta\":{}}]}\n\ndata: [DONE]\n\n";
        let (text, _) = passed(Endpoint::ChatCompletions, Some(MEMORY), &[bare.as_bytes()]);
        let own: Value =
            serde_json::from_str(text.lines().nth(2).unwrap().strip_prefix("data: ").unwrap())
                .unwrap();
        assert_eq!(
            (&own["id"], &own["memory"]["tokens_injected"]),
            (&json!("c9"), &json!(7))
        );
        assert!(text.ends_with("\n\ndata: [DONE]\n\n"), "{text}");
    }

    #[test]
    fn a_response_tells_of_memory_when_it_is_completed() {
        let text = concat!(
            "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r1\"}}\n\n",
            "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"id\":\"r1\",\"n\":1.50},\"sequence_number\":2}\n\n",
        );
        let told = text.replace(
            "\"n\":1.50}",
            "\"n\":1.50,\"memory\":{\"tokens_injected\":7}}",
        );
        for size in [1, 9, 4096] {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            let came = passed(Endpoint::Responses, Some(MEMORY), &pieces);
            assert_eq!(came, (told.clone(), Ok(())), "{size}");
            let came = passed(Endpoint::Responses, None, &pieces);
            assert_eq!(came, (text.to_owned(), Ok(())), "{size}");
        }
    }

    #[test]
    fn what_is_half_or_no_json_is_said_and_what_was_whole_went_on() {
        let whole = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
        for (rest, expected) in [
            ("", Broken::Half),
            ("data: {\"choices\":[{\"de", Broken::Half),
            ("data: oh no\n\n", Broken::NoJson),
        ] {
            let text = format!("{whole}{rest}");
            let came = passed(Endpoint::ChatCompletions, None, &[text.as_bytes()]);
            assert_eq!(came, (whole.to_owned(), Err(expected)), "{rest}");
        }
        let said = "data: {\"error\":{\"message\":\"overloaded\"}}\n\n";
        let came = passed(Endpoint::ChatCompletions, None, &[said.as_bytes()]);
        assert_eq!(came, (said.to_owned(), Ok(())));
        let long = vec![b'x'; LONGEST_EVENT + 1];
        let came = passed(Endpoint::ChatCompletions, None, &[&long]);
        assert_eq!(came, (String::new(), Err(Broken::TooLong)));
    }

    #[test]
    fn no_parts_are_held_back() {
        let mut events = Events::new(Endpoint::ChatCompletions, Some(MEMORY.to_owned()));
        let part =
            b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":null}]}\n\n";
        let (out, end) = events.take(part);
        assert_eq!((out.as_ref(), end), (part.as_slice(), Ok(())));
    }
}
