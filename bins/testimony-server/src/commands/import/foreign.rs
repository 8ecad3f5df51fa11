//! What another service exported: one JSON document, read whole and sent part by part.

use std::path::Path;

use serde_json::Value;
use testimony::transfer::readers::{Origin, entries};

use super::batch::Batch;
use super::tally::Tally;
use super::{ImportArguments, named, unreadable};
use crate::door::Ask;
use crate::failure::Failure;
use crate::files;
use crate::progress::Progress;
use crate::sheet::counted;
use crate::shell::Shell;

/// So many entries are sent together; a route takes five times as many, and an answer to fewer comes in time.
const BATCH: usize = 1_000;
/// A larger document would fill the memory of the machine.
const MOST_BYTES: u64 = 256 << 20;

/// Takes the entries of a document in.
pub(super) fn take_in(
    origin: Origin,
    arguments: &ImportArguments,
    tally: &mut Tally,
    shell: &mut Shell<'_>,
    progress: &Progress,
) -> Result<(), Failure> {
    let document = read(&arguments.file)?;
    let ask = Ask::post(&["api", "v1", "admin", "import", origin.as_str()])
        .with("container", shell.settings.container().to_owned())
        .with("class", arguments.class.clone())
        .with("user_id", arguments.user.clone())
        .with("dry_run", arguments.dry_run.then_some(true));
    let mut send = |part: Vec<Value>, tally: &mut Tally| {
        if !part.is_empty() {
            tally.add_entries(&shell.ask(&ask.clone().with("entries", part))?);
            progress.say(&counted(tally.read(), "entry", "entries"));
        }
        Ok::<(), Failure>(())
    };
    let mut batch = Batch::of(BATCH);
    for entry in entries(origin, &document) {
        if !entry.is_object() {
            tally.refuse_entry("It is no JSON object.");
            continue;
        }
        let bytes = entry.to_string().len();
        if let Some(full) = batch.add(entry.clone(), bytes) {
            send(full, tally)?;
        }
    }
    send(batch.take(), tally)
}

fn read(path: &Path) -> Result<Value, Failure> {
    let source = files::source(path).map_err(|error| unreadable(path, &error))?;
    let bytes = files::at_most(source, MOST_BYTES).map_err(|error| unreadable(path, &error))?;
    let Some(bytes) = bytes else {
        let (name, most) = (named(path), MOST_BYTES >> 20);
        let what = format!(
            "{name} is longer than {most} MiB; split the list that it holds into several files, each a JSON list, and import them one after the other"
        );
        return Err(Failure::Unusable(what));
    };
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    serde_json::from_slice(text).map_err(|error| broken(path, &error))
}

fn broken(path: &Path, error: &serde_json::Error) -> Failure {
    let (name, line, column) = (named(path), error.line(), error.column());
    let what = if error.is_eof() {
        "breaks off there: the file was cut. Export or copy it again; nothing of it came in"
    } else {
        "is no JSON there; it has to be the document that the service exported. An export of this service needs no --from"
    };
    Failure::Unusable(format!("{name}, line {line}, byte {column}, {what}"))
}
