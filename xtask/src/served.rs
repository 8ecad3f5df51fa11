//! A server of this tree on a folder of its own, for tasks that talk to one.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::{Trouble, shell};

/// A server that runs; it ends with the value.
pub(crate) struct Served {
    child: Child,
    pub(crate) url: String,
    /// The key of the first agent.
    pub(crate) key: String,
    /// The key of the first operator.
    pub(crate) operator: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

pub(crate) fn no_program(name: &str, error: &std::io::Error) -> Trouble {
    Trouble::Program {
        name: name.to_owned(),
        what: error.to_string(),
    }
}

impl Served {
    /// Starts a server on a free port, and reads from its greeting where it listens.
    pub(crate) fn start(program: &Path, folder: &Path) -> Result<Self, Trouble> {
        let name = program.display().to_string();
        let words = "serve --listen 127.0.0.1:0 --log error --data";
        let mut child = Command::new(program)
            .args(words.split(' '))
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| no_program(&name, &error))?;
        let said = child.stdout.take().map(BufReader::new);
        let mut served = Self {
            child,
            url: String::new(),
            key: String::new(),
            operator: String::new(),
        };
        let mut lines = said
            .into_iter()
            .flat_map(BufReader::lines)
            .map_while(Result::ok);
        let greeting = lines.next().unwrap_or_default();
        let url = greeting.split(' ').find(|word| word.starts_with("http://"));
        // Keys are there once it says where.
        let told = lines.next();
        let (Some(url), Some(_)) = (url, told) else {
            return Err(Trouble::Program {
                name,
                what: "it did not say where it listens".to_owned(),
            });
        };
        url.clone_into(&mut served.url);
        let keys = folder.join("first-keys.json");
        served.key = key(&keys, "agent_key")?;
        served.operator = key(&keys, "operator_key")?;
        Ok(served)
    }
}

/// One of the first keys.
fn key(path: &Path, name: &str) -> Result<String, Trouble> {
    let keys: Option<Value> = serde_json::from_slice(&shell::read(path)?).ok();
    let key = keys.and_then(|keys| Some(keys.get(name)?.as_str()?.to_owned()));
    key.ok_or_else(|| Trouble::Malformed {
        place: path.display().to_string(),
        what: format!("it holds no `{name}`"),
    })
}
