//! The three ways to the routes of the service: over the network with a key, through the socket of a server that runs
//! on the folder, or in this process on the folder itself. Which one is taken makes no difference to what is answered.

pub(crate) mod folder;
#[cfg(unix)]
mod socket;
pub(crate) mod url;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::settings::Settings;

/// What stands in a path as it is.
const IN_A_PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A question to a route.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    method: &'static str,
    path: String,
    input: Map<String, Value>,
    makes: bool,
}

impl Ask {
    pub(crate) fn get(path: &[&str]) -> Self {
        Self::new("GET", path)
    }

    pub(crate) fn post(path: &[&str]) -> Self {
        Self::new("POST", path)
    }

    pub(crate) fn patch(path: &[&str]) -> Self {
        Self::new("PATCH", path)
    }

    pub(crate) fn delete(path: &[&str]) -> Self {
        Self::new("DELETE", path)
    }

    fn new(method: &'static str, path: &[&str]) -> Self {
        let parts = path.iter().map(|part| utf8_percent_encode(part, IN_A_PATH));
        let path = parts.map(|part| format!("/{part}")).collect();
        Self {
            method,
            path,
            input: Map::new(),
            makes: false,
        }
    }

    /// The same in a container: what stands behind its tag.
    pub(crate) fn in_container(container: &str, operation: &[&str]) -> Self {
        let path = [&["api", "v2", "containers", container], operation].concat();
        Self::post(&path)
    }

    /// With this, where there is something.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        let is_said = match &value {
            Value::Null => false,
            Value::Array(list) => !list.is_empty(),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => true,
        };
        if is_said {
            self.input.insert(name.to_owned(), value);
        }
        self
    }

    /// With `null` said in so many words, which takes away what holds.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.input.insert(name.to_owned(), Value::Null);
        self
    }

    /// The same, which may make the memory where there is none.
    pub(crate) const fn that_makes(mut self) -> Self {
        self.makes = true;
        self
    }

    fn has_body(&self) -> bool {
        matches!(self.method, "POST" | "PATCH")
    }

    /// Path and query.
    fn target(&self) -> String {
        if self.has_body() || self.input.is_empty() {
            return self.path.clone();
        }
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in &self.input {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            query.append_pair(name, &text);
        }
        format!("{}?{}", self.path, query.finish())
    }

    fn body(&self) -> Option<Vec<u8>> {
        let body = || Value::Object(self.input.clone()).to_string().into_bytes();
        self.has_body().then(body)
    }
}

/// What was answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Answer {
    fn read(status: u16, bytes: &[u8], from: &str) -> Result<Self, Failure> {
        if bytes.is_empty() {
            return Ok(Self {
                status,
                body: Value::Null,
            });
        }
        let body = serde_json::from_slice(bytes);
        let body = body.map_err(|_| Failure::NoAnswer {
            from: from.to_owned(),
            what: format!("its answer, with status {status}, is no JSON"),
        })?;
        Ok(Self { status, body })
    }
}

/// A way to the routes.
pub(crate) enum Door {
    /// Over the network.
    Url(url::Url),
    /// Through the socket of a server on this machine.
    #[cfg(unix)]
    Socket(socket::Socket),
    /// In this process.
    Folder(folder::Folder),
}

impl Door {
    /// Finds the way that the settings and the folder leave.
    pub(crate) fn find(settings: &Settings, makes: bool) -> Result<Self, Failure> {
        if let Some(address) = settings.find("url") {
            return Ok(Self::Url(url::Url::of(address, settings.find("key"))?));
        }
        let data = settings.data();
        #[cfg(unix)]
        if let Some(socket) = socket::Socket::of(&data)? {
            return Ok(Self::Socket(socket));
        }
        folder::Folder::open(settings, makes).map(Self::Folder)
    }

    pub(crate) fn ask(&self, ask: &Ask) -> Result<Answer, Failure> {
        match self {
            Self::Url(url) => url.ask(ask),
            #[cfg(unix)]
            Self::Socket(socket) => socket.ask(ask),
            Self::Folder(folder) => Ok(folder.ask(ask)),
        }
    }
}

impl Ask {
    pub(crate) const fn may_make(&self) -> bool {
        self.makes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_holds_its_parts_and_nothing_that_they_would_make_of_it() {
        let ask = Ask::get(&["api", "v1", "memories", "a/../b?c", "courtroom"])
            .with("query", "who & why?");
        assert_eq!(
            ask.target(),
            "/api/v1/memories/a%2F..%2Fb%3Fc/courtroom?query=who+%26+why%3F"
        );
        assert_eq!(ask.body(), None);
    }

    #[test]
    fn what_is_not_said_is_not_sent() {
        let ask = Ask::in_container("workspace", &["recall"])
            .with("query", "who?")
            .with("limit", None::<u32>)
            .with("tags", Vec::<String>::new());
        assert_eq!(ask.target(), "/api/v2/containers/workspace/recall");
        assert_eq!(ask.body().unwrap(), br#"{"query":"who?"}"#);
    }
}
