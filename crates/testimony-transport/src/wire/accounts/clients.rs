//! Kinds of clients that connect over MCP, and where and how each keeps its servers: a line a client.

use serde_json::{Map, Value, json};

/// A kind of client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its name.
    pub kind: &'static str,
    /// Where it keeps its servers.
    file: &'static str,
    /// How it writes them down.
    form: Form,
    /// The command by which it takes one, with places for address and key.
    command: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// JSON: servers under this name, the address under that one, and the kind of transport where it is wanted.
    Json(&'static str, &'static str, Option<&'static str>),
    /// TOML, as a table of its own.
    Toml,
}

macro_rules! clients {
    ($($kind:literal, $file:literal, $form:expr, $command:expr;)+) => {
        /// The kinds that are known.
        pub(crate) const KINDS: &[&str] = &[$($kind),+];
        const CLIENTS: &[Client] = &[$(Client { kind: $kind, file: $file, form: $form, command: $command }),+];
    };
}

#[rustfmt::skip]
clients! {
    "claude_code", ".mcp.json", Form::Json("mcpServers", "url", Some("http")),
        Some("claude mcp add --transport http testimony {url} --header \"Authorization: Bearer {key}\"");
    "codex", "~/.codex/config.toml", Form::Toml, None;
    "cursor", "~/.cursor/mcp.json", Form::Json("mcpServers", "url", None), None;
    "gemini_cli", "~/.gemini/settings.json", Form::Json("mcpServers", "httpUrl", None), None;
    "vscode", ".vscode/mcp.json", Form::Json("servers", "url", Some("http")), None;
    "windsurf", "~/.codeium/windsurf/mcp_config.json", Form::Json("mcpServers", "serverUrl", None), None;
    "other", "mcp.json", Form::Json("mcpServers", "url", Some("http")), None;
}

/// Under this name a client keeps the service.
const SERVER: &str = "testimony";

impl Client {
    /// The kind that somebody names, in any spelling; `other` where it is not known.
    #[must_use]
    pub fn of(named: &str) -> Self {
        let bare = |text: &str| -> String {
            let letters = text.chars().filter(|c| c.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect()
        };
        let named = bare(named);
        let found = CLIENTS.iter().find(|client| bare(client.kind) == named);
        found.copied().unwrap_or_else(Self::other)
    }

    /// The kind of whoever says nothing about it.
    #[must_use]
    pub const fn other() -> Self {
        Self {
            kind: "other",
            file: "mcp.json",
            form: Form::Json("mcpServers", "url", Some("http")),
            command: None,
        }
    }

    /// What the client needs, as it keeps it.
    pub(super) fn configuration(&self, url: &str, key: &str) -> Value {
        let (format, text) = match self.form {
            Form::Json(servers, address, transport) => {
                ("json", json_text((servers, address, transport), url, key))
            }
            Form::Toml => ("toml", toml_text(url, key)),
        };
        let filled = |command: &str| command.replace("{url}", url).replace("{key}", key);
        json!({
            "file": self.file,
            "format": format,
            "text": text,
            "command": self.command.map(filled),
        })
    }
}

/// What every kind of client needs, as each keeps it.
pub(crate) fn setups(url: &str, key: &str) -> Vec<Value> {
    let all = CLIENTS.iter().map(|client| {
        let mut setup = client.configuration(url, key);
        if let Some(setup) = setup.as_object_mut() {
            setup.insert("client".to_owned(), client.kind.into());
        }
        setup
    });
    all.collect()
}

fn json_text(
    (servers, address, transport): (&str, &str, Option<&str>),
    url: &str,
    key: &str,
) -> String {
    let mut server = Map::new();
    if let Some(transport) = transport {
        server.insert("type".to_owned(), transport.into());
    }
    server.insert(address.to_owned(), url.into());
    let headers = json!({ "Authorization": format!("Bearer {key}") });
    server.insert("headers".to_owned(), headers);
    let all = json!({ servers: { SERVER: server } });
    format!("{all:#}\n")
}

/// Neither address nor key holds what a text of TOML would have to escape: both are URLs, letters and digits.
fn toml_text(url: &str, key: &str) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let (url, bearer) = (quoted(url), quoted(&format!("Bearer {key}")));
    format!("[mcp_servers.{SERVER}]\nurl = {url}\nhttp_headers = {{ Authorization = {bearer} }}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_known_in_any_spelling() {
        for (named, kind) in [
            ("Claude Code", "claude_code"),
            ("claude-code", "claude_code"),
            ("CURSOR", "cursor"),
            ("gemini-cli", "gemini_cli"),
            ("something else", "other"),
            ("", "other"),
        ] {
            assert_eq!(Client::of(named).kind, kind, "{named}");
        }
        assert_eq!(Client::of("other"), Client::other());
    }

    #[test]
    fn every_client_gets_address_and_key_in_its_own_form() {
        for client in CLIENTS {
            let written = client.configuration("https://memory.example/mcp", "tst_key");
            let text = written["text"].as_str().unwrap();
            assert!(text.contains("\"https://memory.example/mcp\""), "{text}");
            assert!(text.contains("\"Bearer tst_key\""), "{text}");
            if written["format"] == "json" {
                assert!(serde_json::from_str::<Value>(text).is_ok(), "{text}");
            }
        }
        let command = Client::of("claude code").configuration("u", "k")["command"].clone();
        let expected =
            "claude mcp add --transport http testimony u --header \"Authorization: Bearer k\"";
        assert_eq!(command, expected);
    }
}
