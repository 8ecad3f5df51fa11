//! Tables of the file of settings that have names of their own, such as `[models.NAME]`: read by a list of fields. A
//! credential never stands there; a variable or a file of its own holds it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value as Json, json};
use testimony::providers::{ApiKey, BreakerRules, Patience, RetryRules};
use toml::{Table, Value};

use super::{Environment, SettingError};

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of texts that is not empty.
    Texts,
    /// A number that is not 0; a count is whole.
    Number,
    Count,
    Switch,
}

/// The fields of a table.
pub(super) type Fields = &'static [(&'static str, Field)];

/// What a file says in a table.
#[derive(Clone, Debug)]
pub(super) struct SaidTable {
    section: &'static str,
    pub(super) name: String,
    path: PathBuf,
    values: Vec<(&'static str, Value)>,
}

/// Reads the tables of a section.
pub(super) fn read_section(
    section: &'static str,
    fields: Fields,
    value: &Value,
    path: &Path,
) -> Result<Vec<SaidTable>, SettingError> {
    let wrong = |name: &str, what: &str| SettingError::Table {
        section,
        path: path.to_owned(),
        name: name.to_owned(),
        what: what.to_owned(),
    };
    let Value::Table(all) = value else {
        return Err(wrong(
            "NAME",
            "write a table for each of them, with its name in place of NAME",
        ));
    };
    let read = all.iter().map(|(name, value)| {
        let Value::Table(table) = value else {
            return Err(wrong(name, "it is no table"));
        };
        let values = fields_of(fields, table).map_err(|what| wrong(name, &what))?;
        Ok(SaidTable {
            section,
            name: name.clone(),
            path: path.to_owned(),
            values,
        })
    });
    read.collect()
}

/// The fields that a table holds. No value is repeated: it may be a credential in the wrong place.
fn fields_of(fields: Fields, table: &Table) -> Result<Vec<(&'static str, Value)>, String> {
    let read = table.iter().map(|(name, value)| {
        let known = fields.iter().find(|(known, _)| known == name);
        let Some((known, field)) = known else {
            let all: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
            return Err(format!(
                "there is no such field as `{name}`; there are {}",
                all.join(", ")
            ));
        };
        let fits = match (field, value) {
            (Field::Text, Value::String(text)) => !text.trim().is_empty(),
            (Field::Word(words), Value::String(text)) => words.contains(&text.as_str()),
            (Field::Texts, Value::Array(list)) => {
                !list.is_empty() && list.iter().all(Value::is_str)
            }
            (Field::Number, Value::Float(number)) => number.is_finite() && *number > 0.0,
            (Field::Number | Field::Count, Value::Integer(number)) => *number > 0,
            (Field::Switch, Value::Boolean(_)) => true,
            _ => false,
        };
        fits.then(|| (*known, value.clone()))
            .ok_or_else(|| format!("`{known}` is not understood; write {}", wanted(*field)))
    });
    read.collect()
}

fn wanted(field: Field) -> String {
    match field {
        Field::Text => "a text in quotation marks".to_owned(),
        Field::Word(words) => format!("one of {words:?}"),
        Field::Texts => "a list of texts such as [\"a\", \"b\"]".to_owned(),
        Field::Number => "a number above 0".to_owned(),
        Field::Count => "a whole number above 0".to_owned(),
        Field::Switch => "true or false".to_owned(),
    }
}

impl SaidTable {
    fn value(&self, name: &str) -> Option<&Value> {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value)
    }

    /// Whether it says anything about this.
    pub(super) fn says(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_str()
    }

    pub(super) fn wrong(&self, what: impl Into<String>) -> SettingError {
        SettingError::Table {
            section: self.section,
            path: self.path.clone(),
            name: self.name.clone(),
            what: what.into(),
        }
    }

    /// A text that has to be there.
    pub(super) fn needed(&self, name: &str) -> Result<&str, SettingError> {
        self.text(name)
            .ok_or_else(|| self.wrong(format!("`{name}` is missing; name it")))
    }

    pub(super) fn seconds(&self, name: &str, usual: Duration) -> Result<Duration, SettingError> {
        let said = self.value(name).and_then(|value| match value {
            #[expect(clippy::cast_precision_loss, reason = "seconds are few")]
            Value::Integer(whole) => Some(*whole as f64),
            Value::Float(number) => Some(*number),
            Value::String(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_)
            | Value::Table(_) => None,
        });
        let said = said.map(Duration::try_from_secs_f64).transpose();
        let said = said.map_err(|_| self.wrong(format!("`{name}` is too long")))?;
        Ok(said.unwrap_or(usual))
    }

    pub(super) fn is_on(&self, name: &str) -> bool {
        self.value(name).and_then(Value::as_bool).unwrap_or(false)
    }

    pub(super) fn count(&self, name: &str, usual: u32) -> Result<u32, SettingError> {
        let said = self.value(name).and_then(Value::as_integer);
        let said = said.map(u32::try_from).transpose();
        let said = said.map_err(|_| self.wrong(format!("`{name}` is too much")))?;
        Ok(said.unwrap_or(usual))
    }

    /// Where a file or folder is that is named; a name alone is beside the file of settings.
    pub(super) fn place(&self, name: &str) -> Option<PathBuf> {
        let named = self.text(name)?;
        Some(self.path.parent().unwrap_or(Path::new("")).join(named))
    }

    /// A file that is named.
    pub(super) fn file(&self, name: &str) -> Result<Option<String>, SettingError> {
        let Some(path) = self.place(name) else {
            return Ok(None);
        };
        let read = crate::files::text(&path);
        read.map(Some)
            .map_err(|source| SettingError::File { path, source })
    }

    /// The credential: in a variable, or in a file of its own.
    pub(super) fn key(&self, environment: Environment<'_>) -> Result<Option<ApiKey>, SettingError> {
        let key = self.key_text(environment)?.map(ApiKey::new);
        key.transpose()
            .map_err(|wrong| self.wrong(wrong.to_string()))
    }

    /// The same as it is written.
    pub(super) fn key_text(
        &self,
        environment: Environment<'_>,
    ) -> Result<Option<String>, SettingError> {
        let of_variable = match self.text("key_env") {
            Some(name) => {
                let held = environment(name)?.filter(|key| !key.trim().is_empty());
                let missing = || self.wrong(format!("the variable {name} is empty or not there"));
                Some(held.ok_or_else(missing)?)
            }
            None => None,
        };
        let key = match (of_variable, self.file("key_file")?) {
            (Some(_), Some(_)) => return Err(self.wrong("name `key_env` or `key_file`, not both")),
            (one, other) => one.or(other),
        };
        Ok(key.map(|key| key.trim().to_owned()))
    }

    /// The texts of a list.
    pub(super) fn texts(&self, name: &str) -> Vec<&str> {
        let list = self.value(name).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }

    pub(super) fn patience(&self, usual: Patience) -> Result<Patience, SettingError> {
        Ok(Patience {
            connect: self.seconds("connect_seconds", usual.connect)?,
            idle: self.seconds("idle_seconds", usual.idle)?,
            total: self.seconds("total_seconds", usual.total)?,
        })
    }

    pub(super) fn retry(&self) -> Result<RetryRules, SettingError> {
        let usual = RetryRules::default();
        Ok(RetryRules {
            attempts: self.count("attempts", usual.attempts)?,
            ..usual
        })
    }

    pub(super) fn breaker(&self) -> Result<BreakerRules, SettingError> {
        let usual = BreakerRules::default();
        Ok(BreakerRules {
            failures: self.count("failures_before_rest", usual.failures)?,
            rest: self.seconds("rest_seconds", usual.rest)?,
            ..usual
        })
    }

    pub(super) fn certificates(&self) -> Result<Option<Vec<u8>>, SettingError> {
        Ok(self.file("certificates")?.map(String::into_bytes))
    }

    /// As it stands in the file. An address that holds a credential is refused before anything is shown.
    pub(super) fn told(&self) -> String {
        let bare = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        let name = if self.name.chars().all(bare) {
            self.name.clone()
        } else {
            json!(self.name).to_string()
        };
        let mut text = format!("\n[{}.{name}]  # {}\n", self.section, self.path.display());
        for (name, value) in &self.values {
            text.push_str(&format!("{name} = {}\n", json_of(value)));
        }
        text
    }

    pub(super) fn json(&self) -> Json {
        let from = self.path.display().to_string();
        let all = self.values.iter().map(|(name, value)| {
            (
                (*name).to_owned(),
                json!({ "value": json_of(value), "from": from }),
            )
        });
        Json::Object(all.collect::<Map<_, _>>())
    }
}

/// A value as JSON, which spells texts and numbers as TOML does.
fn json_of(value: &Value) -> Json {
    match value {
        Value::String(text) => json!(text),
        Value::Integer(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Array(list) => list.iter().map(json_of).collect(),
        Value::Boolean(on) => json!(on),
        Value::Datetime(_) | Value::Table(_) => Json::Null,
    }
}
