//! An export of our own, taken in batch by batch: its lines are read one at a time, and never all of them.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::Value;
use testimony::transfer::FORMAT;

use super::batch::Batch;
use super::tally::Tally;
use super::{named, unreadable};
use crate::door::Ask;
use crate::failure::Failure;
use crate::files;
use crate::progress::Progress;
use crate::read::text;
use crate::shell::Shell;

/// So many lines are sent together.
const BATCH: usize = 1_000;
/// No server takes a longer line.
const MOST_BYTES: u64 = 20 << 20;

/// Takes the lines of a file in.
pub(super) fn take_in(
    path: &Path,
    tally: &mut Tally,
    shell: &mut Shell<'_>,
    progress: &Progress,
) -> Result<(), Failure> {
    let source = files::source(path).map_err(|error| unreadable(path, &error))?;
    let mut lines = Lines::of(source, path);
    let Some(header) = lines.next()? else {
        let what = format!("{} is empty; an export begins with a header", named(path));
        return Err(Failure::Unusable(what));
    };
    check(&header, path)?;
    let mut taking = Taking {
        header: header.value,
        numbers: Vec::new(),
        tally,
    };
    let mut batch = Batch::of(BATCH);
    loop {
        match lines.next() {
            Ok(Some(line)) => {
                if let Some(full) = batch.add(line.value, line.bytes) {
                    taking.send(full, shell)?;
                    progress.say(&format!("line {}", line.number));
                }
                taking.numbers.push(line.number);
            }
            Ok(None) => return taking.send(batch.take(), shell),
            Err(failure) => {
                taking.send(batch.take(), shell)?;
                taking.tally.stop_at(lines.number);
                return Err(failure);
            }
        }
    }
}

fn check(header: &Line, path: &Path) -> Result<(), Failure> {
    let (record, format) = (text(&header.value, "record"), text(&header.value, "format"));
    if record == "header" && format == FORMAT {
        return Ok(());
    }
    Err(Failure::Unusable(format!(
        "{} does not begin with the header of an export of this service; say with --from which other service it comes from, or export it again",
        named(path)
    )))
}

/// Sends batches.
struct Taking<'t> {
    header: Value,
    /// The numbers in the file of the lines that are not sent yet.
    numbers: Vec<u64>,
    tally: &'t mut Tally,
}

impl Taking<'_> {
    fn send(&mut self, lines: Vec<Value>, shell: &mut Shell<'_>) -> Result<(), Failure> {
        if lines.is_empty() {
            return Ok(());
        }
        let numbers = std::mem::take(&mut self.numbers);
        let dry_run = self.tally.is_dry();
        let ask = Ask::post(&["api", "v1", "admin", "import"])
            .with("header", self.header.clone())
            .with("lines", lines)
            .with("dry_run", dry_run.then_some(true));
        // Moving into a new folder begins with an import.
        let ask = if dry_run { ask } else { ask.that_makes() };
        let answer = shell.ask(&ask).inspect_err(|_| {
            self.tally
                .stop_at(numbers.first().copied().unwrap_or_default());
        })?;
        self.tally.add_lines(&answer, &numbers);
        Ok(())
    }
}

/// A line of a file.
struct Line {
    number: u64,
    value: Value,
    bytes: usize,
}

/// The lines of a file, one at a time.
struct Lines<'p, R> {
    source: BufReader<R>,
    path: &'p Path,
    number: u64,
}

impl<'p, R: Read> Lines<'p, R> {
    fn of(source: R, path: &'p Path) -> Self {
        Self {
            source: BufReader::new(source),
            path,
            number: 0,
        }
    }

    /// The next line that is not blank.
    fn next(&mut self) -> Result<Option<Line>, Failure> {
        loop {
            let mut bytes = Vec::new();
            let part = (&mut self.source).take(MOST_BYTES + 1);
            let read = { part }.read_until(b'\n', &mut bytes);
            if read.map_err(|error| unreadable(self.path, &error))? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if bytes.len() as u64 > MOST_BYTES {
                let most = MOST_BYTES >> 20;
                return Err(self.unusable(&format!(
                    "is longer than {most} MiB; no server takes such a row"
                )));
            }
            if !bytes.trim_ascii().is_empty() {
                return self.read(&bytes).map(Some);
            }
        }
    }

    fn read(&self, bytes: &[u8]) -> Result<Line, Failure> {
        match serde_json::from_slice(bytes) {
            Ok(value @ Value::Object(_)) => Ok(Line {
                number: self.number,
                value,
                bytes: bytes.len(),
            }),
            Ok(_) => Err(self.unusable("is no JSON object; is this an export of this service?")),
            // A line that was written to its end has an end.
            Err(error) if error.is_eof() && !bytes.ends_with(b"\n") => Err(self.unusable(
                "breaks off: the file was cut. Export or copy it again, and run this again; what has come in is passed over",
            )),
            Err(error) => Err(self.unusable(&format!(
                "is no JSON at its byte {}; mend it or export again, and run this again; what has come in is passed over. A file of another service needs --from",
                error.column()
            ))),
        }
    }

    fn unusable(&self, what: &str) -> Failure {
        let (number, name) = (self.number, named(self.path));
        Failure::Unusable(format!("line {number} of {name} {what}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<Result<u64, String>> {
        let mut lines = Lines::of(bytes, Path::new("f"));
        let mut all = Vec::new();
        loop {
            match lines.next() {
                Ok(Some(line)) => all.push(Ok(line.number)),
                Ok(None) => return all,
                Err(failure) => {
                    all.push(Err(failure.to_string()));
                    return all;
                }
            }
        }
    }

    #[test]
    fn lines_keep_their_numbers_over_blank_ones_and_need_no_last_end() {
        assert_eq!(read(b"{}\n\n \r\n{}\r\n{}"), [Ok(1), Ok(4), Ok(5)]);
    }

    #[test]
    fn what_breaks_off_is_told_from_what_is_wrong() {
        let last = |bytes: &[u8]| read(bytes).pop().unwrap().unwrap_err();
        assert!(last(b"{}\n{\"a\":").starts_with("line 2 of f breaks off"));
        assert!(last(b"{}\n{\"a\":\n").starts_with("line 2 of f is no JSON at its byte"));
        assert!(last(b"{}\n[]\n").starts_with("line 2 of f is no JSON object"));
        assert!(last(b"{}\n{\"a\": \"\xff\"}\n").starts_with("line 2 of f is no JSON"));
    }

    #[test]
    fn a_line_without_end_is_not_read_to_its_end() {
        let mut endless = Lines::of(std::io::repeat(b' '), Path::new("f"));
        let told = endless.next().map(drop).unwrap_err().to_string();
        assert!(told.contains("is longer than"), "{told}");
    }
}
