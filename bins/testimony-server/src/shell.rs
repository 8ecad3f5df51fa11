//! What every command has at hand: the settings, a door to the routes, and a place to write.

use std::io::Write;

use serde_json::Value;

use crate::door::{Ask, Door};
use crate::failure::{Done, Failure};
use crate::read::{maybe, rows};
use crate::settings::Settings;
use crate::sheet::{Colours, Sheet};

/// So many rows of a list come at once.
const PART: u64 = 500;

/// What a command has at hand.
pub(crate) struct Shell<'o> {
    pub(crate) settings: Settings,
    /// Whether answers are for scripts.
    pub(crate) json: bool,
    colours: Colours,
    out: &'o mut dyn Write,
    door: Option<Door>,
}

impl<'o> Shell<'o> {
    pub(crate) fn new(
        settings: Settings,
        json: bool,
        colours: Colours,
        out: &'o mut dyn Write,
    ) -> Self {
        Self {
            settings,
            json,
            colours,
            out,
            door: None,
        }
    }

    /// Asks, and takes no for an answer only as a failure.
    pub(crate) fn ask(&mut self, ask: &Ask) -> Result<Value, Failure> {
        let door = match self.door.take() {
            Some(door) => door,
            None => Door::find(&self.settings, ask.may_make())?,
        };
        let answer = self.door.insert(door).ask(ask)?;
        match answer.status {
            200..=299 => Ok(answer.body),
            status => Err(Failure::Refused {
                status,
                problem: answer.body,
            }),
        }
    }

    /// Asks for the rows of a list, part by part, and hands each over as it comes.
    pub(crate) fn each_row(
        &mut self,
        ask: &Ask,
        most: Option<u64>,
        mut take: impl FnMut(&mut Self, &Value) -> Result<(), Failure>,
    ) -> Result<u64, Failure> {
        let (mut taken, mut after) = (0, Value::Null);
        loop {
            let wanted = most.map_or(PART, |most| most.saturating_sub(taken).min(PART));
            let part = self.ask(
                &ask.clone()
                    .with("limit", wanted.max(1))
                    .with("after", after),
            )?;
            for row in rows(&part, "items") {
                take(self, row)?;
                taken += 1;
            }
            let next = maybe(&part, "next").filter(|_| most.is_none_or(|most| taken < most));
            match next {
                Some(next) => after = Value::from(next),
                None => return Ok(taken),
            }
        }
    }

    /// Says something beside the answer, on standard error, where it is no part of what scripts read.
    #[expect(
        clippy::print_stderr,
        reason = "what is said beside an answer goes to stderr"
    )]
    pub(crate) fn warn(&self, what: &str) {
        eprintln!("testimony: {what}");
    }

    /// Shows a list: a line of JSON for each row, or all of them as a person reads them. That it was cut is said.
    pub(crate) fn list(
        &mut self,
        ask: &Ask,
        most: Option<u64>,
        nothing: &str,
        told: impl FnOnce(&mut Sheet, &[Value]),
    ) -> Result<Done, Failure> {
        let (mut shown, mut all) = (0, Vec::new());
        // One more is asked for than is shown, to know whether there is one.
        let asked = most.map(|most| most.saturating_add(1));
        let found = self.each_row(ask, asked, |shell, row| {
            if most.is_some_and(|most| shown >= most) {
                return Ok(());
            }
            shown += 1;
            if shell.json {
                return shell.write(&format!("{row}\n"));
            }
            all.push(row.clone());
            Ok(())
        })?;
        if !self.json {
            self.tell(|sheet| match all.as_slice() {
                [] => sheet.say(nothing),
                all => told(sheet, all),
            })?;
        }
        if found > shown {
            self.warn(&format!(
                "the first {shown} are shown, and there are more; --limit shows more"
            ));
        }
        Ok(Done::Yes)
    }

    /// Shows an answer: as it came, or as a person reads it.
    pub(crate) fn show(
        &mut self,
        answer: &Value,
        told: impl FnOnce(&mut Sheet, &Value),
    ) -> Result<(), Failure> {
        if self.json {
            return self.write(&format!("{answer}\n"));
        }
        self.tell(|sheet| told(sheet, answer))
    }

    /// Tells a person something.
    pub(crate) fn tell(&mut self, told: impl FnOnce(&mut Sheet)) -> Result<(), Failure> {
        let mut sheet = Sheet::new(self.colours);
        told(&mut sheet);
        self.write(&sheet.into_text())
    }

    /// Writes a text as it is.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.out.write_all(text.as_bytes());
        let written = written.and_then(|()| self.out.flush());
        written.map_err(Failure::doing("the answer", "written"))
    }

    /// Where a command writes that does it piece by piece.
    pub(crate) fn out(&mut self) -> &mut dyn Write {
        self.out
    }

    /// A command on the folder itself cannot be carried out elsewhere.
    pub(crate) fn needs_the_folder(&self, command: &str) -> Result<(), Failure> {
        // Who has an address in the environment for other commands still serves and makes memories here.
        if !self.settings.is_flagged("url") {
            return Ok(());
        }
        let what = format!(
            "`testimony {command}` works on a folder and not through --url; run it where the memory is"
        );
        Err(Failure::Usage(what))
    }
}
