//! The models of the file: `[models.NAME]`, each with where it is and how it is asked. A credential never stands there; a
//! variable or a file of its own holds it.

use testimony::providers::{ChatStyle, ModelSettings, Patience, RerankDialect, Speaks};

use super::section::{Field, Fields, SaidTable};
use super::{Environment, SettingError, Settings};

/// Under which name they stand in the file.
pub(super) const MODELS: &str = "models";

const KINDS: &[&str] = &["chat", "rerank"];

/// The fields of a model; the page on models says what each does.
pub(super) const FIELDS: Fields = &[
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

fn speaks(said: &SaidTable) -> Speaks {
    let style = said.text("style").unwrap_or_default();
    let dialect = said.text("dialect").unwrap_or_default();
    if said.text("kind") == Some("rerank") {
        let dialect = RerankDialect::parse("dialect", dialect);
        Speaks::Scores(dialect.unwrap_or(RerankDialect::Cohere))
    } else {
        let style = ChatStyle::parse("style", style);
        Speaks::Chat(style.unwrap_or(ChatStyle::Usual))
    }
}

fn settings(said: &SaidTable, environment: Environment<'_>) -> Result<ModelSettings, SettingError> {
    Ok(ModelSettings {
        name: said.name.clone(),
        provider: said.text("provider").unwrap_or(&said.name).to_owned(),
        model: said.needed("model")?.to_owned(),
        base: said.needed("url")?.to_owned(),
        key: said.key(environment)?,
        speaks: speaks(said),
        patience: said.patience(Patience::default())?,
        retry: said.retry()?,
        breaker: said.breaker()?,
        certificates: said.certificates()?,
    })
}

impl Settings {
    /// The models that are configured.
    pub(crate) fn models(
        &self,
        environment: Environment<'_>,
    ) -> Result<Vec<ModelSettings>, SettingError> {
        let read = self.tables.models.iter().map(|said| {
            let settings = settings(said, environment)?;
            settings
                .check()
                .map_err(|wrong| said.wrong(wrong.to_string()))?;
            Ok(settings)
        });
        read.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use toml::Table;

    use super::super::Tables;
    use super::super::section::read_section;
    use super::*;

    fn said(text: &str) -> Result<Vec<SaidTable>, SettingError> {
        let table: Table = text.parse().unwrap();
        let path = Path::new("a/testimony.toml");
        read_section(MODELS, FIELDS, table.get(MODELS).unwrap(), path)
    }

    fn read(text: &str) -> Result<Vec<ModelSettings>, SettingError> {
        let environment =
            |name: &str| Ok((name == "HOUSE_KEY").then(|| "swordfish-3\n".to_owned()));
        let tables = Tables {
            models: said(text)?,
            ..Tables::default()
        };
        Settings {
            held: Vec::new(),
            tables,
        }
        .models(&environment)
    }

    const GOOD: &str = "[models.small]\nurl = \"http://127.0.0.1:11434/v1\"\nmodel = \"llama3.2\"\nprovider = \"house\"\nkey_env = \"HOUSE_KEY\"\nidle_seconds = 1.5\nattempts = 2\n[models.order]\nkind = \"rerank\"\ndialect = \"tei\"\nurl = \"http://127.0.0.1:8081\"\nmodel = \"bge\"\n";

    #[test]
    fn models_are_read_and_shown_without_their_keys() {
        let all = read(GOOD).unwrap();
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
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
            assert!(!error.contains("swordfish"), "{error}");
        }
    }
}
