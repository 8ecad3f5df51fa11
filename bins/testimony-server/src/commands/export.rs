//! `testimony export`: what a memory holds, as lines of JSON that another memory takes in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::rows::spoken;
use crate::door::Ask;
use crate::failure::{Done, Failure};
use crate::files::NewFile;
use crate::progress::{Answer, Progress};
use crate::read::text;
use crate::sheet::{Colours, Ink, Sheet, counted};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony export memory.jsonl
  testimony export --container notes notes.jsonl
  testimony export --user mara | gzip > mara.jsonl.gz

The lines are what `testimony import` takes. The file is for its owner alone, and comes to be whole or not at all; one \
that stands there already is replaced. Keys, people, the trail, and what was erased do not travel.";

/// Write what a memory holds as lines of JSON, for another memory to take in; for operators.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExportArguments {
    /// The file; standard output where none is named.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Only this container.
    #[arg(long, value_name = "TAG")]
    container: Option<String>,

    /// Only the rows of this person.
    #[arg(long, value_name = "USER")]
    user: Option<String>,
}

/// What was written.
#[derive(Debug, Default)]
struct Written {
    lines: u64,
    bytes: u64,
    records: BTreeMap<String, u64>,
}

/// Exports.
pub(crate) fn run(arguments: &ExportArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let ask = Ask::get(&["api", "v1", "admin", "export"])
        .with("container", arguments.container.clone())
        .with("user_id", arguments.user.clone());
    let file = arguments.file.as_deref();
    match file.filter(|path| path.as_os_str() != "-") {
        Some(path) => into_file(&ask, path, shell)?,
        None => onto_standard_output(&ask, shell)?,
    }
    Ok(Done::Yes)
}

fn into_file(ask: &Ask, path: &Path, shell: &mut Shell<'_>) -> Result<(), Failure> {
    let file = NewFile::begin(path);
    let mut file = file.map_err(Failure::doing("the file of the export", "made"))?;
    let progress = Progress::beside(Answer::AtTheEnd);
    let written = each_line(ask, shell, &progress, |_, line| {
        let done = file.write(line);
        done.map_err(Failure::doing("the file of the export", "written"))
    })?;
    let done = file.end();
    done.map_err(Failure::doing("the file of the export", "written"))?;
    drop(progress);
    let answer = written.json(Some(path));
    shell.show(&answer, |sheet, _| written.tell(sheet, Some(path)))
}

#[expect(
    clippy::print_stderr,
    reason = "standard output holds the export, and nothing beside it"
)]
fn onto_standard_output(ask: &Ask, shell: &mut Shell<'_>) -> Result<(), Failure> {
    let progress = Progress::beside(Answer::OnStandardOutput);
    let written = each_line(ask, shell, &progress, Shell::write)?;
    drop(progress);
    if shell.json {
        eprintln!("{}", written.json(None));
    } else {
        let mut sheet = Sheet::new(Colours::Off);
        written.tell(&mut sheet, None);
        eprint!("{}", sheet.into_text());
    }
    Ok(())
}

/// Hands each line over as it comes.
fn each_line<'o>(
    ask: &Ask,
    shell: &mut Shell<'o>,
    progress: &Progress,
    mut take: impl FnMut(&mut Shell<'o>, &str) -> Result<(), Failure>,
) -> Result<Written, Failure> {
    let mut written = Written::default();
    shell.each_row(ask, None, |shell, row| {
        let line = format!("{row}\n");
        take(shell, &line)?;
        written.add(row, &line);
        if written.lines.is_multiple_of(100) {
            progress.say(&counted(written.lines, "line", "lines"));
        }
        Ok(())
    })?;
    Ok(written)
}

impl Written {
    fn add(&mut self, row: &Value, line: &str) {
        self.lines += 1;
        self.bytes += line.len() as u64;
        let record = text(row, "record").to_owned();
        *self.records.entry(record).or_default() += 1;
    }

    fn json(&self, path: Option<&Path>) -> Value {
        let file = path.map(|path| path.display().to_string());
        json!({ "file": file, "lines": self.lines, "bytes": self.bytes, "records": self.records })
    }

    fn tell(&self, sheet: &mut Sheet, path: Option<&Path>) {
        let holds = format!(
            "{}, {}.",
            counted(self.lines, "line", "lines"),
            counted(self.bytes, "byte", "bytes")
        );
        match path {
            Some(path) => sheet.say(&format!("The export is in {}: {holds}", path.display())),
            None => sheet.say(&format!("The export is written: {holds}")),
        }
        let rows = self.records.iter().map(|(record, count)| {
            vec![(Ink::Plain, spoken(record)), (Ink::Bold, count.to_string())]
        });
        sheet.table(2, &rows.collect::<Vec<_>>());
    }
}
