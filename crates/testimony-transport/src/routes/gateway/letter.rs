//! A request on its way to a model: the name of the model becomes the one that its provider knows, what is said of memory
//! is taken out, and what is known goes ahead of the conversation. Every other byte stays.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::members::{Changes, Member, elements, members};
use crate::problem::Problem;
use crate::wire::fault::{Fault, Pointer};

/// Members that are read here and by the model: said twice, each might believe another one.
const READ: &[&str] = &["model", "messages", "input", "memory", "stream"];
/// Roles of whoever built the conversation, and not of those who speak in it.
const OF_THE_BUILDER: &[&str] = &["system", "developer"];

/// A request as it came.
pub(super) struct Letter<'b> {
    bytes: &'b Bytes,
    members: Vec<Member>,
}

impl<'b> Letter<'b> {
    /// Takes a request.
    ///
    /// # Errors
    /// [`Problem`] when it says something twice.
    pub(super) fn read(bytes: &'b Bytes) -> Result<Self, Problem> {
        let members = members(bytes);
        let members = members.ok_or_else(|| Problem::no_json("the body is not a JSON object"))?;
        let twice = READ.iter().filter(|name| {
            let same = members.iter().filter(|member| member.name == **name);
            same.count() > 1
        });
        let faults: Vec<Fault> = twice
            .map(|name| {
                let detail = "It is there twice, so it is not known which counts; send it once.";
                Fault::at(Pointer::root().below(name), detail)
            })
            .collect();
        if faults.is_empty() {
            Ok(Self { bytes, members })
        } else {
            Err(Problem::invalid(faults))
        }
    }

    fn at(&self, name: &str) -> Option<(usize, &Member)> {
        let mut all = self.members.iter().enumerate();
        all.find(|(_, member)| member.name == name)
    }

    /// The request as the model gets it: `there` is what it is called, `block` what is known.
    pub(super) fn sent(
        &self,
        body: &Map<String, Value>,
        there: &str,
        block: Option<&str>,
    ) -> Option<Bytes> {
        let mut changes = Changes::default();
        let (_, model) = self.at("model")?;
        if body.get("model").and_then(Value::as_str) != Some(there) {
            changes.put(model.value.clone(), json!(there).to_string());
        }
        if let Some((at, _)) = self.at("memory") {
            changes.take_out(&self.members, at);
        }
        if let Some(block) = block {
            self.put_ahead(body, block, &mut changes)?;
        }
        Some(changes.made(self.bytes))
    }

    /// Puts what is known ahead of the conversation, behind what its builder says.
    fn put_ahead(
        &self,
        body: &Map<String, Value>,
        block: &str,
        changes: &mut Changes,
    ) -> Option<()> {
        let (_, turns) = self.at("messages").or_else(|| self.at("input"))?;
        let (start, raw) = (turns.value.start, self.bytes.get(turns.value.clone())?);
        let value = body.get(&turns.name)?;
        let Value::Array(list) = value else {
            let message = turn("system", block);
            let text = std::str::from_utf8(raw).ok()?;
            let both = format!("[{message},{{\"role\":\"user\",\"content\":{text}}}]");
            changes.put(turns.value.clone(), both);
            return Some(());
        };
        let leading = list.iter().map_while(role_of_builder);
        let role = leading.clone().last().unwrap_or("system");
        let (message, leading) = (turn(role, block), leading.count());
        let places = elements(raw)?;
        let (at, text) = match (places.get(leading), places.last()) {
            (Some(next), _) => (next.start, format!("{message},")),
            (None, Some(last)) => (last.end, format!(",{message}")),
            (None, None) => (1, message),
        };
        changes.put(start + at..start + at, text);
        Some(())
    }
}

fn role_of_builder(turn: &Value) -> Option<&'static str> {
    let role = turn.get("role")?.as_str()?;
    OF_THE_BUILDER.iter().copied().find(|known| *known == role)
}

fn turn(role: &str, block: &str) -> String {
    json!({ "role": role, "content": block }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(text: &str, there: &str, block: Option<&str>) -> String {
        let bytes = Bytes::from(text.to_owned());
        let body: Map<String, Value> = serde_json::from_str(text).unwrap();
        let letter = Letter::read(&bytes).unwrap();
        let sent = letter.sent(&body, there, block).unwrap();
        String::from_utf8(sent.to_vec()).unwrap()
    }

    #[test]
    fn what_is_not_asked_for_stays_byte_for_byte() {
        let text = "{ \"model\" : \"m\", \"n\":1.50, \"messages\":[ {\"role\":\"user\"} ] }\n";
        assert_eq!(sent(text, "m", None), text);
        assert_eq!(
            sent(text, "other", None),
            text.replace("\"m\"", "\"other\"")
        );
    }

    #[test]
    fn memory_is_taken_out_and_what_is_known_goes_ahead_of_the_conversation() {
        let ahead = "{\"content\":\"<k>\",\"role\":\"system\"}";
        for (text, expected) in [
            (
                "{\"memory\":{\"a\":[1]},\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"\\u00e9\"}]}",
                "{\"model\":\"m\",\"messages\":[@,{\"role\":\"user\",\"content\":\"\\u00e9\"}]}",
            ),
            (
                "{\"model\":\"m\",\"messages\":[ {\"role\":\"system\"} , {\"role\":\"user\"}],\"memory\":{}}",
                "{\"model\":\"m\",\"messages\":[ {\"role\":\"system\"} , @,{\"role\":\"user\"}]}",
            ),
            (
                "{\"model\":\"m\",\"messages\":[{\"role\":\"system\"}]}",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"system\"},@]}",
            ),
            (
                "{\"model\":\"m\",\"input\":\"hi \\\"you\\\"\"}",
                "{\"model\":\"m\",\"input\":[@,{\"role\":\"user\",\"content\":\"hi \\\"you\\\"\"}]}",
            ),
            (
                "{\"model\":\"m\",\"input\":[]}",
                "{\"model\":\"m\",\"input\":[@]}",
            ),
        ] {
            assert_eq!(
                sent(text, "m", Some("<k>")),
                expected.replace('@', ahead),
                "{text}"
            );
        }
        let developer =
            "{\"model\":\"m\",\"messages\":[{\"role\":\"developer\"},{\"role\":\"user\"}]}";
        assert!(
            sent(developer, "m", Some("<k>"))
                .contains("{\"content\":\"<k>\",\"role\":\"developer\"}")
        );
    }

    #[test]
    fn what_is_said_twice_is_refused() {
        for name in READ {
            let text = Bytes::from(format!("{{\"{name}\":1,\"a\":1,\"{name}\":2}}"));
            let problem = Letter::read(&text).err().unwrap();
            assert_eq!(problem.faults[0].pointer.to_string(), format!("/{name}"));
        }
        let harmless = Bytes::from_static(b"{\"a\":1,\"a\":2}");
        assert!(Letter::read(&harmless).is_ok());
    }
}
