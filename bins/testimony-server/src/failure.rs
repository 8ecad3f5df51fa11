//! Why a command was not carried out, how that is told, and with which status the command ends.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Value;
use testimony::store::StoreError;
use testimony::{OpenError, ServiceError};
use testimony_transport::http::BindError;

use crate::read::{rows, text, texts};
use crate::settings::SettingError;
use crate::sheet::visible;
use crate::text::TextError;

/// What became of a command that was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// It was done.
    Yes,
    /// It was done, and the answer is no.
    No,
}

impl Done {
    /// No where somebody asked for a status and there is nothing; else yes.
    pub(crate) const fn unless(nothing: bool) -> Self {
        if nothing { Self::No } else { Self::Yes }
    }

    pub(crate) fn status(self) -> ExitCode {
        match self {
            Self::Yes => ExitCode::SUCCESS,
            Self::No => ExitCode::from(1),
        }
    }
}

/// Why a command was not carried out. No variant holds a value of the command line: it may be a secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The memory could not be opened.
    #[error(transparent)]
    Memory(#[from] OpenError),
    /// The folder of the memory could not be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another process has the memory, and there is no socket to ask it.
    #[error(
        "another process has the memory in {}, and listens at no `admin.sock` there; ask it with --url and a key, start it \
         again with --admin-socket=true and a folder whose path is short enough for a socket, or stop it", .0.display()
    )]
    Busy(PathBuf),
    /// Another process has the memory, and an agent is to use it.
    #[error(
        "another process has the memory in {}; tools act as an agent, by its key, so they ask the server itself: name its \
         address with --url, or stop it", .0.display()
    )]
    Taken(PathBuf),
    /// Another process has the memory that was to be made.
    #[error("there is a memory in {} already, and another process has it; `testimony key create` makes another key", .0.display())]
    MadeAlready(PathBuf),
    /// Another process serves the memory.
    #[error("another process has the memory in {}; it is served already, or a command works on it: stop that first", .0.display())]
    Served(PathBuf),
    /// What was to be made is there already.
    #[error("{} is there already; name another place", .0.display())]
    There(PathBuf),
    /// The socket belongs to somebody else.
    #[error(
        "{} belongs to somebody else; run the command as who runs the server, or ask the server with --url and a key",
        .0.display()
    )]
    NotYours(PathBuf),
    /// The folder holds none.
    #[error(
        "there is no memory in {}; `testimony init` makes one there, --data names another folder, and --url a server",
        .0.display()
    )]
    NoMemory(PathBuf),
    /// A server did not answer as one.
    #[error("no answer from {from}: {what}; check that a server runs there")]
    NoAnswer { from: String, what: String },
    /// The service refused.
    #[error("{}", told(problem))]
    Refused { status: u16, problem: Value },
    /// The service refused, in this process.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// A word of the command line cannot be what it claims.
    #[error(transparent)]
    Invalid(#[from] testimony::domain::Invalid),
    /// The command line asks for what it cannot have.
    #[error("{0}")]
    Usage(String),
    /// A file is not what it has to be.
    #[error("{0}")]
    Unusable(String),
    /// The settings do not hold.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A text could not be had.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The server cannot listen.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The server would listen in the open without TLS.
    #[error(
        "{0} can be reached from elsewhere, and there is no TLS; name --tls-certificate and --tls-key, or say --behind-proxy where a proxy does TLS"
    )]
    Open(SocketAddr),
    /// The issuers of tokens are not as they have to be.
    #[error("the file of issuers cannot be used:\n{0}")]
    Issuers(String),
    /// Requests were cut when the server stopped.
    #[error("{connections} connections were cut because their requests did not end in time")]
    Cut {
        /// How many.
        connections: usize,
    },
    /// A key is revoked, and has no secret any more that could be changed.
    #[error("{0} is revoked since {1}, and stays so; `testimony key create` makes another key")]
    Over(String, String),
    /// One thing of several could not be done.
    #[error("{what}: {why}")]
    Of {
        /// Which.
        what: String,
        /// Why.
        why: Box<Failure>,
    },
    /// Something of the system failed.
    #[error("{what} could not be {doing}: {source}")]
    System {
        /// What.
        what: &'static str,
        /// What was being done with it, as a participle.
        doing: &'static str,
        /// Why it failed.
        source: io::Error,
    },
}

impl Failure {
    pub(crate) fn doing(what: &'static str, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System {
            what,
            doing,
            source,
        }
    }

    /// What the service said in so many words, for scripts.
    pub(crate) fn problem(&self) -> Option<&Value> {
        if let Self::Refused { problem, .. } = self {
            Some(problem)
        } else if let Self::Of { why, .. } = self {
            why.problem()
        } else {
            None
        }
    }

    /// The same, with the name of the thing that it is about.
    pub(crate) fn of(what: impl Into<String>) -> impl FnOnce(Self) -> Self {
        let what = what.into();
        move |why| Self::Of {
            what,
            why: Box::new(why),
        }
    }

    /// Whether what was spoken of is not there.
    pub(crate) const fn is_missing(&self) -> bool {
        matches!(self, Self::Refused { status: 404, .. })
    }

    /// Says it, and gives the exit status.
    #[expect(clippy::print_stderr, reason = "errors of a command go to stderr")]
    pub(crate) fn tell(&self) -> ExitCode {
        if let Self::System { source, .. } = self
            && source.kind() == ErrorKind::BrokenPipe
        {
            // Whoever read the answer, `head` for example, has seen enough of it.
            return ExitCode::SUCCESS;
        }
        eprintln!("testimony: {self}");
        ExitCode::from(if self.is_of_the_command_line() { 2 } else { 3 })
    }

    fn is_of_the_command_line(&self) -> bool {
        match self {
            Self::Of { why, .. } => why.is_of_the_command_line(),
            Self::Invalid(_)
            | Self::Issuers(_)
            | Self::Open(_)
            | Self::Usage(_)
            | Self::Unusable(_)
            | Self::Setting(_) => true,
            Self::Refused { status, .. } => matches!(status, 413 | 422),
            Self::Memory(_)
            | Self::Store(_)
            | Self::Busy(_)
            | Self::There(_)
            | Self::Over(..)
            | Self::MadeAlready(_)
            | Self::Served(_)
            | Self::Taken(_)
            | Self::NotYours(_)
            | Self::NoMemory(_)
            | Self::NoAnswer { .. }
            | Self::Service(_)
            | Self::Text(_)
            | Self::Bind(_)
            | Self::Cut { .. }
            | Self::System { .. } => false,
        }
    }
}

/// Fields of the interface that the command line calls otherwise.
#[rustfmt::skip]
const FLAGS: &[(&str, &str)] = &[
    ("agent_id", "--agent"), ("app_id", "--app"), ("capabilities", "--capability"),
    ("containers", "--container"), ("expires_at", "--expires"), ("org_id", "--org"),
    ("overlap_hours", "--overlap"), ("run_id", "--run"), ("user_id", "--user"),
];

/// A place in a request, as a person reads it: its name, with the flag that stands for it, and which of several it is.
fn place(pointer: &str) -> String {
    let mut parts = pointer.split('/').filter(|part| !part.is_empty());
    let Some(name) = parts.next() else {
        return "request".to_owned();
    };
    let flag = FLAGS.iter().find(|(field, _)| *field == name);
    let mut place = flag.map_or_else(|| name.to_owned(), |(_, flag)| (*flag).to_owned());
    for part in parts {
        match part.parse::<usize>() {
            Ok(index) => place.push_str(&format!(", number {}", index + 1)),
            Err(_) => place.push_str(&format!(", {part}")),
        }
    }
    place
}

/// A problem as a person reads it: each value that is wrong, by its name; else what went wrong.
fn told(problem: &Value) -> String {
    let faults = rows(problem, "errors");
    let lines = faults.iter().map(|fault| {
        let line = format!(
            "{}: {}",
            place(text(fault, "pointer")),
            text(fault, "detail")
        );
        visible(&line)
    });
    let lines: Vec<String> = lines.collect();
    let mut said = match lines.as_slice() {
        [] => visible(text(problem, "detail")),
        [one] => one.clone(),
        several => format!(
            "{} values are wrong:\n  {}",
            several.len(),
            several.join("\n  ")
        ),
    };
    if said.is_empty() {
        "the service refused, and did not say why".clone_into(&mut said);
    }
    let conflicts = problem
        .get("kept")
        .map_or(&[][..], |kept| rows(kept, "conflicts"));
    for conflict in conflicts {
        said.push_str("\n  ");
        said.push_str(&visible(&conflicting(conflict)));
    }
    if !conflicts.is_empty() {
        said.push('\n');
        said.push_str(&visible(text(problem, "remedy")));
    }
    said
}

/// A row that waits, what it is in conflict with, and the command that shows the case.
fn conflicting(conflict: &Value) -> String {
    format!(
        "{} waits beside {}; `testimony review show {}`",
        text(conflict, "memory_id"),
        texts(conflict, "existing_ids").join(", "),
        text(conflict, "case_id"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_every_value_that_is_wrong() {
        let problem = serde_json::json!({
            "detail": "2 values are wrong; `errors` says which, and what to send instead.",
            "errors": [
                { "pointer": "/capabilities/0", "detail": "It is none." },
                { "pointer": "/limit", "detail": "It is not between 1 and 100." },
                { "pointer": "", "detail": "It is no object." },
            ],
        });
        let failure = Failure::Refused {
            status: 422,
            problem,
        };
        expect_test::expect![[r#"
            3 values are wrong:
              --capability, number 1: It is none.
              limit: It is not between 1 and 100.
              request: It is no object."#]]
        .assert_eq(&failure.to_string());
    }

    #[test]
    fn a_conflict_names_both_sides_the_case_and_what_to_do() {
        let problem = serde_json::json!({
            "detail": "It says otherwise than what is known.",
            "remedy": "Send it again with `supersedes`.",
            "kept": { "conflicts": [
                { "memory_id": "mem_2", "existing_ids": ["mem_1"], "case_id": "case_1" },
            ] },
        });
        let failure = Failure::Refused {
            status: 409,
            problem,
        };
        expect_test::expect![[r#"
            It says otherwise than what is known.
              mem_2 waits beside mem_1; `testimony review show case_1`
            Send it again with `supersedes`."#]]
        .assert_eq(&failure.to_string());
    }
}
