//! `testimony mcp`: the tools for agents, a message a line, on standard input and output.

mod conversation;
mod message;
mod peer;

use std::io::{BufReader, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::door::folder;
use crate::failure::{Done, Failure};
use crate::files;
use crate::shell::Shell;
use conversation::Conversation;
use peer::{Here, Peer, Remote};

const EXAMPLES: &str = "\
Examples:
  TESTIMONY_KEY=tst_agent_… testimony mcp --url https://memory.example.com
  testimony mcp --url http://127.0.0.1:8420 --key-file ~/.config/testimony/key
  testimony mcp --data /var/lib/testimony --key-file ~/.config/testimony/key

The key is an agent's, from TESTIMONY_KEY or the first line of a file: tools act as an agent, never \
as whoever is at the machine. Without --url the folder itself is used, while no server runs on it.";

/// Speak MCP on standard input and output, for clients that start their servers themselves.
///
/// A message of JSON-RPC is a line. Nothing else is written to standard output; it ends when the input does.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct McpArguments {
    /// A file whose first line is the key, instead of `TESTIMONY_KEY`.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

/// Speaks until the input ends.
pub(crate) fn run(arguments: &McpArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let key = key(arguments.key_file.as_deref(), shell)?;
    let peer = match shell.settings.find("url") {
        Some(url) => Peer::Remote(Remote::of(url, &key)?),
        None => Peer::Here(Here::of(
            &folder::open_made(&shell.settings).map_err(taken)?,
            key,
        )),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(Failure::doing("the conversation", "started"))?;
    let conversation = Conversation::with(peer);
    let ended = runtime.block_on(conversation.run(BufReader::new(stdin()), stdout()));
    // Whoever reads the input may wait for a line that never comes.
    runtime.shutdown_background();
    ended
        .map(|()| Done::Yes)
        .map_err(Failure::doing("the answers", "written"))
}

/// A folder that another process has can be asked through its socket by commands of its owner, and not by an agent: the
/// socket knows no keys.
fn taken(failure: Failure) -> Failure {
    if let Failure::Busy(data) = failure {
        return Failure::Taken(data);
    }
    failure
}

const NO_KEY: &str =
    "the tools act as an agent, by its key; put one into TESTIMONY_KEY, or name --key-file";

fn key(file: Option<&Path>, shell: &Shell<'_>) -> Result<String, Failure> {
    let Some(file) = file else {
        let key = shell.settings.find("key").map(str::to_owned);
        return key.ok_or_else(|| Failure::Usage(NO_KEY.to_owned()));
    };
    let text = files::text(file).map_err(Failure::doing("the file of the key", "read"))?;
    let first = text.lines().next().map(str::trim).unwrap_or_default();
    if first.is_empty() {
        let what =
            "the first line of the file of the key is empty; write the key there, and nothing else";
        return Err(Failure::Unusable(what.to_owned()));
    }
    Ok(first.to_owned())
}
