//! `testimony backup` and `testimony restore`: a copy of the ledger while it runs, and the way back from one.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use testimony::Testimony;

use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::files::copy_for_owner;
use crate::read::{count, text};
use crate::sheet::{Sheet, counted};
use crate::shell::Shell;

const BACKUP: &str = "\
Examples:
  testimony backup /srv/backups/memory-2026-03-01
  testimony backup --with-secret /srv/backups/memory-2026-03-01

Nothing waits for a backup. It holds the ledger; the index is built from it again. What was erased after it stands in the \
file `erasures.list` in the folder of the memory: keep that beside your backups too.";

/// Copy the ledger into a file while it runs, and verify the copy.
#[derive(Args, Debug)]
#[command(after_help = BACKUP)]
pub(crate) struct BackupArguments {
    /// The file, which is not there yet.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Copy the service's own secret too, into FILE.secret: without it no key of today is known after a restore.
    #[arg(long)]
    with_secret: bool,
}

const RESTORE: &str = "\
Examples:
  testimony restore /srv/backups/memory-2026-03-01 --data restored
  testimony restore memory-2026-03-01 --secret memory-2026-03-01.secret \\
      --erasures erasures.list --data restored";

/// Make a memory from a backup, in a folder that has none.
///
/// What the lists of erasures name is erased again; without them what was erased after the backup is back. Without the
/// secret of before the memory begins with a new one, and no key of before is known; `testimony key create --operator`
/// makes a new one.
#[derive(Args, Debug)]
#[command(after_help = RESTORE)]
pub(crate) struct RestoreArguments {
    /// The backup.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The service's own secret, as a backup with it left it.
    #[arg(long, value_name = "FILE")]
    secret: Option<PathBuf>,

    /// A list of what was erased, from the folder that was backed up; several times for several.
    #[arg(long, value_name = "FILE")]
    erasures: Vec<PathBuf>,
}

/// Makes a backup.
pub(crate) fn back_up(arguments: &BackupArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    shell.needs_the_folder("backup")?;
    let file = std::path::absolute(&arguments.file);
    let file = file.map_err(Failure::doing("the place of the backup", "found"))?;
    let secret = beside(&file);
    if arguments.with_secret && secret.symlink_metadata().is_ok() {
        // Before anything is made of which only half could be.
        return Err(Failure::There(secret));
    }
    let ask =
        Ask::post(&["api", "v1", "admin", "backups"]).with("path", file.display().to_string());
    let answer = shell.ask(&ask)?;
    if arguments.with_secret {
        let own = shell.settings.data().join(Testimony::SECRET);
        let copied = copy_for_owner(&own, &secret);
        copied.map_err(Failure::doing("the secret of the service", "copied"))?;
    }
    shell.show(&answer, |sheet, answer| {
        tell(sheet, answer, arguments.with_secret);
    })?;
    Ok(Done::Yes)
}

fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".secret");
    PathBuf::from(name)
}

fn tell(sheet: &mut Sheet, answer: &Value, with_secret: bool) {
    let bytes = counted(count(answer, "bytes"), "byte", "bytes");
    sheet.say(&format!(
        "The backup is in {}: {bytes}, verified.",
        text(answer, "path")
    ));
    if with_secret {
        sheet.say("The secret of the service is beside it, for its owner alone.");
    }
    sheet.note(
        0,
        &format!(
            "The chain of events ends in it with {}",
            text(answer, "head")
        ),
    );
}

/// Makes a memory from a backup.
pub(crate) fn restore(
    arguments: &RestoreArguments,
    shell: &mut Shell<'_>,
) -> Result<Done, Failure> {
    shell.needs_the_folder("restore")?;
    let data = shell.settings.data();
    let lists: Vec<&Path> = arguments.erasures.iter().map(PathBuf::as_path).collect();
    let was_beside = data.join(Testimony::ERASURES).exists();
    let secret = arguments.secret.as_deref();
    let head = Testimony::restore(&arguments.file, &data, &lists, secret)?;
    let head = format!("{}:{}", head.seq, head.hash);
    let answer = json!({ "data": data, "head": head, "keys": arguments.secret.is_some() });
    shell.show(&answer, |sheet, _| {
        sheet.say(&format!("The memory is in {}.", data.display()));
        if arguments.secret.is_none() {
            sheet.say("Without the secret of before its keys are not known; `testimony key create --operator` makes one.");
        }
        sheet.note(0, &format!("The chain of events ends with {head}"));
    })?;
    if lists.is_empty() && !was_beside {
        shell.warn(&format!(
            "what was erased after this backup was made is back: no list of erasures was named with --erasures; `{}` in the \
             folder that was backed up is one",
            Testimony::ERASURES
        ));
    }
    Ok(Done::Yes)
}
