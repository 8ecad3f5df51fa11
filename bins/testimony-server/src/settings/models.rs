//! The models of the file: `[models.NAME]`, each with where it is and how it is asked. A credential never stands there; a
//! variable or a file of its own holds it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value as Json, json};
use testimony::providers::{
    ApiKey, BreakerRules, ChatStyle, ModelSettings, Patience, RerankDialect, RetryRules, Speaks,
};
use toml::{Table, Value};

use super::{Environment, SettingError, Settings};

/// Under which name they stand in the file.
pub(super) const MODELS: &str = "models";

/// What a field of a model takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A number that is not 0; a count is whole.
    Number,
    Count,
}

const KINDS: &[&str] = &["chat", "rerank"];

/// The fields of a model; the page on models says what each does.
const FIELDS: &[(&str, Field)] = &[
    ("url", Field::Text),
    ("model", Field::Text),
    ("provider", Field::Text),
    ("key_env", Field::Text),
    ("key_file", Field::Text),
    ("kind", Field::Word(KINDS)),
    ("style", Field::Word(ChatStyle::WORDS)),
    ("dialect", Field::Word(RerankDialect::WORDS)),
    ("certificates", Field::Text),
    ("connect_seconds", Field::Number),
    ("idle_seconds", Field::Number),
    ("total_seconds", Field::Number),
    ("attempts", Field::Count),
    ("failures_before_rest", Field::Count),
    ("rest_seconds", Field::Number),
];

/// What a file says of a model.
#[derive(Clone, Debug)]
pub(super) struct SaidModel {
    pub(super) name: String,
    path: PathBuf,
    values: Vec<(&'static str, Value)>,
}

/// Reads the models of a file.
pub(super) fn read_models(value: &Value, path: &Path) -> Result<Vec<SaidModel>, SettingError> {
    let wrong = |name: &str, what: &str| SettingError::Model {
        path: path.to_owned(),
        name: name.to_owned(),
        what: what.to_owned(),
    };
    let Value::Table(all) = value else {
        return Err(wrong(
            "NAME",
            "write a table for each model, with its name in place of NAME",
        ));
    };
    let read = all.iter().map(|(name, value)| {
        let Value::Table(fields) = value else {
            return Err(wrong(name, "it is no table"));
        };
        let values = fields_of(fields).map_err(|what| wrong(name, &what))?;
        Ok(SaidModel {
            name: name.clone(),
            path: path.to_owned(),
            values,
        })
    });
    read.collect()
}

/// The fields that a table holds. No value is repeated: it may be a credential in the wrong place.
fn fields_of(table: &Table) -> Result<Vec<(&'static str, Value)>, String> {
    let read = table.iter().map(|(name, value)| {
        let known = FIELDS.iter().find(|(known, _)| known == name);
        let Some((known, field)) = known else {
            let all: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).collect();
            return Err(format!(
                "there is no such field as `{name}`; there are {}",
                all.join(", ")
            ));
        };
        let fits = match (field, value) {
            (Field::Text, Value::String(text)) => !text.trim().is_empty(),
            (Field::Word(words), Value::String(text)) => words.contains(&text.as_str()),
            (Field::Number, Value::Float(number)) => number.is_finite() && *number > 0.0,
            (Field::Number | Field::Count, Value::Integer(number)) => *number > 0,
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
        Field::Number => "a number above 0".to_owned(),
        Field::Count => "a whole number above 0".to_owned(),
    }
}

impl SaidModel {
    fn value(&self, name: &str) -> Option<&Value> {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_str()
    }

    fn wrong(&self, what: impl Into<String>) -> SettingError {
        SettingError::Model {
            path: self.path.clone(),
            name: self.name.clone(),
            what: what.into(),
        }
    }

    /// A text that has to be there.
    fn needed(&self, name: &str) -> Result<&str, SettingError> {
        self.text(name)
            .ok_or_else(|| self.wrong(format!("`{name}` is missing; name it")))
    }

    fn seconds(&self, name: &str, usual: Duration) -> Result<Duration, SettingError> {
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

    fn count(&self, name: &str, usual: u32) -> Result<u32, SettingError> {
        let said = self.value(name).and_then(Value::as_integer);
        let said = said.map(u32::try_from).transpose();
        let said = said.map_err(|_| self.wrong(format!("`{name}` is too much")))?;
        Ok(said.unwrap_or(usual))
    }

    /// A file that is named; a name alone is beside the file of settings.
    fn file(&self, name: &str) -> Result<Option<String>, SettingError> {
        let Some(named) = self.text(name) else {
            return Ok(None);
        };
        let path = self.path.parent().unwrap_or(Path::new("")).join(named);
        let read = crate::files::text(&path);
        read.map(Some)
            .map_err(|source| SettingError::File { path, source })
    }

    /// The credential: in a variable, or in a file of its own.
    fn key(&self, environment: Environment<'_>) -> Result<Option<ApiKey>, SettingError> {
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
        let key = key.map(|key| ApiKey::new(key.trim()));
        key.transpose()
            .map_err(|wrong| self.wrong(wrong.to_string()))
    }

    fn speaks(&self) -> Speaks {
        let style = self.text("style").unwrap_or_default();
        let dialect = self.text("dialect").unwrap_or_default();
        if self.text("kind") == Some("rerank") {
            let dialect = RerankDialect::parse("dialect", dialect);
            Speaks::Scores(dialect.unwrap_or(RerankDialect::Cohere))
        } else {
            let style = ChatStyle::parse("style", style);
            Speaks::Chat(style.unwrap_or(ChatStyle::Usual))
        }
    }

    fn settings(&self, environment: Environment<'_>) -> Result<ModelSettings, SettingError> {
        let usual = Patience::default();
        let breaker = BreakerRules::default();
        let attempts = RetryRules::default().attempts;
        Ok(ModelSettings {
            name: self.name.clone(),
            provider: self.text("provider").unwrap_or(&self.name).to_owned(),
            model: self.needed("model")?.to_owned(),
            base: self.needed("url")?.to_owned(),
            key: self.key(environment)?,
            speaks: self.speaks(),
            patience: Patience {
                connect: self.seconds("connect_seconds", usual.connect)?,
                idle: self.seconds("idle_seconds", usual.idle)?,
                total: self.seconds("total_seconds", usual.total)?,
            },
            retry: RetryRules {
                attempts: self.count("attempts", attempts)?,
                ..RetryRules::default()
            },
            breaker: BreakerRules {
                failures: self.count("failures_before_rest", breaker.failures)?,
                rest: self.seconds("rest_seconds", breaker.rest)?,
                ..breaker
            },
            certificates: self.file("certificates")?.map(String::into_bytes),
        })
    }

    /// As it stands in the file. An address that holds a credential is refused before anything is shown.
    pub(super) fn told(&self) -> String {
        let bare = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        let name = if self.name.chars().all(bare) {
            self.name.clone()
        } else {
            json!(self.name).to_string()
        };
        let mut text = format!("\n[{MODELS}.{name}]  # {}\n", self.path.display());
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
        Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => Json::Null,
    }
}

impl Settings {
    /// The models that are configured.
    pub(crate) fn models(
        &self,
        environment: Environment<'_>,
    ) -> Result<Vec<ModelSettings>, SettingError> {
        let read = self.1.iter().map(|model| {
            let settings = model.settings(environment)?;
            settings
                .check()
                .map_err(|wrong| model.wrong(wrong.to_string()))?;
            Ok(settings)
        });
        read.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Result<Vec<SaidModel>, SettingError> {
        let table: Table = text.parse().unwrap();
        read_models(table.get(MODELS).unwrap(), Path::new("a/testimony.toml"))
    }

    fn settings(text: &str) -> Result<Vec<ModelSettings>, SettingError> {
        let environment =
            |name: &str| Ok((name == "HOUSE_KEY").then(|| "swordfish-3\n".to_owned()));
        Settings(Vec::new(), said(text)?).models(&environment)
    }

    const GOOD: &str = "[models.small]\nurl = \"http://127.0.0.1:11434/v1\"\nmodel = \"llama3.2\"\nprovider = \"house\"\nkey_env = \"HOUSE_KEY\"\nidle_seconds = 1.5\nattempts = 2\n[models.order]\nkind = \"rerank\"\ndialect = \"tei\"\nurl = \"http://127.0.0.1:8081\"\nmodel = \"bge\"\n";

    #[test]
    fn models_are_read_and_shown_without_their_keys() {
        let all = settings(GOOD).unwrap();
        let small = all.iter().find(|model| model.name == "small").unwrap();
        assert_eq!(
            (small.provider.as_str(), small.retry.attempts),
            ("house", 2)
        );
        assert_eq!(small.patience.idle, Duration::from_millis(1_500));
        assert!(small.key.is_some());
        let order = all.iter().find(|model| model.name == "order").unwrap();
        assert_eq!(order.speaks, Speaks::Scores(RerankDialect::Tei));
        let shown: String = said(GOOD)
            .unwrap()
            .iter()
            .map(|model| format!("{}{}", model.told(), model.json()))
            .collect();
        assert!(
            shown.contains("HOUSE_KEY") && shown.contains("llama3.2"),
            "{shown}"
        );
        assert!(!shown.contains("swordfish"), "{shown}");
        let read_again: Table = said(GOOD).unwrap()[0].told().parse().unwrap();
        assert!(read_again.contains_key(MODELS));
    }

    #[test]
    fn what_is_wrong_is_named_and_not_repeated() {
        for (text, told) in [
            ("[models.a]\nmodel = \"m\"\n", "`url` is missing"),
            ("[models.a]\nurl = \"http://h\"\n", "`model` is missing"),
            (
                "[models.a]\nurl = \"me:swordfish@h\"\nmodel = \"m\"\n",
                "no address",
            ),
            (
                "[models.a]\nurl = \"http://me:swordfish@h\"\nmodel = \"m\"\n",
                "name or password",
            ),
            (
                "[models.a]\nurl = \"http://h\"\nmodel = \"m\"\nkey = \"swordfish\"\n",
                "no such field as `key`",
            ),
            (
                "[models.a]\nurl = \"http://h\"\nmodel = \"m\"\nattempts = \"swordfish\"\n",
                "whole number",
            ),
            (
                "[models.a]\nurl = \"http://h\"\nmodel = \"m\"\nstyle = \"swordfish\"\n",
                "one of",
            ),
            (
                "[models.a]\nurl = \"http://h\"\nmodel = \"m\"\nkey_env = \"NO_SUCH\"\n",
                "NO_SUCH is empty",
            ),
            (
                "[models.a]\nurl = \"http://h\"\nmodel = \"m\"\nkey_file = \"no/such\"\n",
                "no/such",
            ),
            ("models = 7\n", "a table for each"),
        ] {
            let error = settings(text).unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
            assert!(!error.contains("swordfish"), "{error}");
        }
    }
}
