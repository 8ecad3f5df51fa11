//! `testimony embedder`: which embedders there are, and what the cosines of one of them mean.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use testimony::embedding::{
    Calibration, EVERYDAY, Embedder, NotCalibrated, StaticEmbedder, calibrated_against,
};

use crate::calibration::{identity, written};
use crate::embedders::{self, Measured, Ready};
use crate::failure::{Done, Failure};
use crate::files::{self, NewFile};
use crate::read::{count, is, maybe, part, text};
use crate::settings::{EmbedderOf, of_process};
use crate::sheet::{Ink, Sheet};
use crate::shell::Shell;

const EXAMPLES: &str = "\
Examples:
  testimony embedder list
  testimony embedder calibrate house --out house.json

An embedder stands under [embedders.NAME] in the file of settings, and `embedder = \"NAME\"` says which one is wanted.";

/// List embedders, and measure what the cosines of one mean.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EmbedderArguments {
    #[command(subcommand)]
    command: EmbedderCommand,
}

#[derive(Subcommand, Debug)]
enum EmbedderCommand {
    List(ListArguments),
    Calibrate(CalibrateArguments),
}

const LIST: &str = "\
Examples:
  testimony embedder list
  testimony embedder list --json | jq 'select(.calibration == null)'";

/// List the embedders of the settings, and the table in the program.
#[derive(Args, Debug)]
#[command(after_help = LIST)]
struct ListArguments {}

const CALIBRATE: &str = "\
Examples:
  testimony embedder calibrate house --out house.json
  testimony embedder calibrate house --texts memories.txt --out house.json

Then write `calibration = \"house.json\"` under [embedders.house], and start the server again.";

/// Measure what the cosines of an embedder mean, beside the table in the program, and write it into a file.
///
/// Every text is compared with every other by both. A cosine then means the likeness above which as large a share of the
/// pairs lies. The same embedder and texts give the same file.
#[derive(Args, Debug)]
#[command(after_help = CALIBRATE)]
struct CalibrateArguments {
    /// The embedder, by its name under [embedders.NAME].
    #[arg(value_name = "NAME")]
    name: String,

    /// The file of the calibration; one that is there is replaced.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Texts like those of the memory, a line each, of which a thousand are taken at most; else three hundred everyday
    /// sentences in several languages. An embedder behind a server is sent them.
    #[arg(long, value_name = "FILE")]
    texts: Option<PathBuf>,
}

/// Lists or measures.
pub(crate) fn run(arguments: &EmbedderArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    shell.needs_the_folder("embedder")?;
    match &arguments.command {
        EmbedderCommand::List(ListArguments {}) => list(shell),
        EmbedderCommand::Calibrate(arguments) => calibrate(arguments, shell),
    }
}

fn list(shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let all = embedders::open(&shell.settings.embedders(&of_process)?)?;
    let is_any_wanted = all.iter().any(|ready| ready.is_wanted);
    let table = table()?;
    let mut lines = vec![line(None, "table", &table, !is_any_wanted)];
    lines.extend(all.iter().map(of_file));
    if shell.json {
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        shell.write(&lines)?;
    } else {
        shell.tell(|sheet| tell(sheet, &lines))?;
    }
    Ok(Done::Yes)
}

fn of_file(ready: &Ready) -> Value {
    let embedder = ready.embedder.as_ref();
    line(Some(&ready.name), ready.kind, embedder, ready.is_wanted)
}

fn line(name: Option<&str>, kind: &str, embedder: &dyn Embedder, is_wanted: bool) -> Value {
    json!({
        "name": name,
        "kind": kind,
        "embedder": identity(embedder.identity()),
        "calibration": embedder.calibration().map(Calibration::version),
        "wanted": is_wanted,
    })
}

fn tell(sheet: &mut Sheet, lines: &[Value]) {
    let rows: Vec<Vec<(Ink, String)>> = lines.iter().map(told).collect();
    sheet.table(0, &rows);
    if lines.iter().any(|line| part(line, "calibration").is_null()) {
        sheet.note(
            0,
            "The cosines of one that is not calibrated are taken as they are; `testimony embedder calibrate` measures them.",
        );
    }
}

fn told(line: &Value) -> Vec<(Ink, String)> {
    let embedder = part(line, "embedder");
    let dimensions = count(embedder, "dimensions");
    let calibrated = match maybe(line, "calibration") {
        Some(_) => (Ink::Plain, "calibrated"),
        None => (Ink::Careful, "not calibrated"),
    };
    let wanted = if is(line, "wanted") { "wanted" } else { "" };
    let name = maybe(line, "name").unwrap_or("(in the program)");
    vec![
        (Ink::Bold, name.to_owned()),
        (Ink::Plain, text(line, "kind").to_owned()),
        (Ink::Plain, text(embedder, "name").to_owned()),
        (Ink::Dim, text(embedder, "revision").to_owned()),
        (Ink::Plain, format!("{dimensions} dimensions")),
        (calibrated.0, calibrated.1.to_owned()),
        (Ink::Good, wanted.to_owned()),
    ]
}

fn calibrate(arguments: &CalibrateArguments, shell: &mut Shell<'_>) -> Result<Done, Failure> {
    let embedder = named(&arguments.name, shell)?;
    let of = embedder.identity();
    let texts = texts(arguments.texts.as_deref())?;
    let lines: Vec<&str> = texts.lines().collect();
    let made = calibrated_against(&table()?, embedder.as_ref(), &lines);
    let made = made.map_err(|wrong| refused(&arguments.name, &wrong))?;
    write(&arguments.out, &written(of, &made))?;
    let points = made.points().iter();
    let points: Vec<[f32; 2]> = points.map(|point| [point.cosine, point.likeness]).collect();
    let answer = json!({
        "name": arguments.name,
        "embedder": identity(of),
        "version": made.version(),
        "points": points,
        "file": arguments.out,
    });
    shell.show(&answer, |sheet, _| {
        sheet.say(&format!(
            "The calibration is in {}; name it as `calibration` under [embedders.{}].",
            arguments.out.display(),
            arguments.name
        ));
        tell_points(sheet, &points);
    })?;
    Ok(Done::Yes)
}

/// The embedder of this name, of which nothing is measured yet.
fn named(name: &str, shell: &Shell<'_>) -> Result<Arc<dyn Embedder>, Failure> {
    let all = shell.settings.embedders(&of_process)?;
    let said = all.iter().find(|said| said.name() == name);
    let said = said.ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(EmbedderOf::name).collect();
        let known = match known.as_slice() {
            [] => "none".to_owned(),
            known => known.join(", "),
        };
        Failure::Usage(format!(
            "NAME has to be that of a table [embedders.NAME] of the file of settings; there are: {known}"
        ))
    })?;
    Ok(embedders::ready(said, Measured::NotYet)?.embedder)
}

/// The table in the program, whose cosines are known.
fn table() -> Result<StaticEmbedder, Failure> {
    StaticEmbedder::built_in().map_err(|wrong| Failure::Memory(wrong.into()))
}

fn texts(file: Option<&Path>) -> Result<String, Failure> {
    let read = file.map(files::text).transpose();
    let read = read.map_err(Failure::doing("the file of texts", "read"))?;
    Ok(read.unwrap_or_else(|| EVERYDAY.to_owned()))
}

fn refused(name: &str, wrong: &NotCalibrated) -> Failure {
    match wrong {
        NotCalibrated::TooFewTexts { .. } => Failure::Usage(format!("--texts: {wrong}")),
        NotCalibrated::Embedder(wrong) => Failure::NoAnswer {
            from: format!("[embedders.{name}]"),
            what: wrong.to_string(),
        },
        NotCalibrated::NoReference { .. } | NotCalibrated::NoLine(_) => {
            Failure::Unusable(format!("[embedders.{name}]: {wrong}"))
        }
    }
}

fn write(place: &Path, text: &str) -> Result<(), Failure> {
    let written = NewFile::begin(place).and_then(|mut file| {
        file.write(text)?;
        file.end()
    });
    written.map_err(Failure::doing("the calibration", "written"))
}

fn tell_points(sheet: &mut Sheet, points: &[[f32; 2]]) {
    let row = |head: &str, of: fn(&[f32; 2]) -> f32| {
        let cells = points.iter().map(of);
        let cells = cells.map(|number| (Ink::Plain, format!("{number:.2}")));
        let head = std::iter::once((Ink::Dim, head.to_owned()));
        head.chain(cells).collect::<Vec<_>>()
    };
    let cosines = row("a cosine of", |[cosine, _]| *cosine);
    let likenesses = row("means a likeness of", |[_, likeness]| *likeness);
    sheet.table(2, &[cosines, likenesses]);
}
