//! The memory banks of the file: `[banks.NAME]`, each with where it is, how it is asked, and for which containers.

use testimony::domain::{ContainerGrant, SourceLabel};
use testimony::providers::{BankProtocol, BankSettings};

use super::section::{Field, Fields, SaidTable};
use super::{Environment, SettingError, Settings};

/// Under which name they stand in the file.
pub(super) const BANKS: &str = "banks";

/// The fields of a memory bank; the page on memory banks says what each does.
pub(super) const FIELDS: Fields = &[
    ("url", Field::Text),
    ("protocol", Field::Word(BankProtocol::WORDS)),
    ("bank", Field::Text),
    ("containers", Field::Texts),
    ("key_env", Field::Text),
    ("key_file", Field::Text),
    ("certificates", Field::Text),
    ("connect_seconds", Field::Number),
    ("idle_seconds", Field::Number),
    ("total_seconds", Field::Number),
    ("attempts", Field::Count),
    ("failures_before_rest", Field::Count),
    ("rest_seconds", Field::Number),
];

/// A memory bank, and the containers that it is asked about.
pub(crate) struct BankOf {
    pub(crate) settings: BankSettings,
    pub(crate) containers: ContainerGrant,
}

fn bank(said: &SaidTable, environment: Environment<'_>) -> Result<BankOf, SettingError> {
    let wrong = |what: String| said.wrong(what);
    let name = SourceLabel::new("name", &said.name).map_err(|it| wrong(it.to_string()))?;
    let protocol = BankProtocol::parse("protocol", said.needed("protocol")?);
    let containers = said.texts("containers");
    if containers.is_empty() {
        return Err(wrong("`containers` is missing; name those whose memories it may be told of, or one prefix such as \"team-*\"".to_owned()));
    }
    let containers = ContainerGrant::parse("containers", &containers);
    let settings = BankSettings {
        name,
        protocol: protocol.map_err(|it| wrong(it.to_string()))?,
        base: said.needed("url")?.to_owned(),
        bank: said.needed("bank")?.to_owned(),
        key: said.key(environment)?,
        patience: said.patience(BankSettings::PATIENCE)?,
        retry: said.retry()?,
        breaker: said.breaker()?,
        certificates: said.certificates()?,
    };
    settings.check().map_err(|it| wrong(it.to_string()))?;
    Ok(BankOf {
        settings,
        containers: containers.map_err(|it| wrong(it.to_string()))?,
    })
}

impl Settings {
    /// The memory banks that are configured.
    pub(crate) fn banks(&self, environment: Environment<'_>) -> Result<Vec<BankOf>, SettingError> {
        let said = self.tables.banks.iter();
        said.map(|said| bank(said, environment)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use testimony::domain::ContainerTag;
    use toml::Table;

    use super::super::Tables;
    use super::super::section::read_section;
    use super::*;

    const GOOD: &str = "[banks.elsewhere]\nurl = \"http://127.0.0.1:8888\"\nprotocol = \"hindsight\"\nbank = \"team\"\ncontainers = [\"workspace\", \"team\"]\nkey_env = \"HOUSE_KEY\"\ntotal_seconds = 2.5\n";

    fn gathered(text: &str) -> Result<Settings, SettingError> {
        let table: Table = text.parse().unwrap();
        let path = Path::new("a/testimony.toml");
        let tables = Tables {
            banks: read_section(BANKS, FIELDS, table.get(BANKS).unwrap(), path)?,
            ..Tables::default()
        };
        let held = Vec::new();
        Ok(Settings { held, tables })
    }

    fn read(text: &str) -> Result<Vec<BankOf>, SettingError> {
        let environment =
            |name: &str| Ok((name == "HOUSE_KEY").then(|| "swordfish-3\n".to_owned()));
        gathered(text)?.banks(&environment)
    }

    #[test]
    fn banks_are_read_and_shown_without_their_keys() {
        let all = read(GOOD).unwrap();
        let tag = |text| ContainerTag::new("container", text).unwrap();
        let [bank] = all.as_slice() else {
            panic!("one bank");
        };
        assert_eq!(bank.settings.protocol, BankProtocol::Hindsight);
        assert_eq!(bank.settings.patience.total, Duration::from_millis(2_500));
        assert!(bank.settings.key.is_some());
        assert!(bank.containers.reaches(&tag("team")) && !bank.containers.reaches(&tag("home")));
        let settings = gathered(GOOD).unwrap();
        let shown = format!("{}{}", settings.told(), settings.json());
        assert!(
            shown.contains("HOUSE_KEY") && shown.contains("hindsight"),
            "{shown}"
        );
        assert!(!shown.contains("swordfish"), "{shown}");
        let again: Table = settings.told().parse().unwrap();
        assert_eq!(
            again["banks"]["elsewhere"]["containers"]
                .as_array()
                .unwrap()
                .len(),
            2
        );
    }

    #[test]
    fn what_is_wrong_is_named_and_not_repeated() {
        let without = |field: &str| {
            let kept = GOOD.lines().filter(|line| !line.starts_with(field));
            kept.collect::<Vec<_>>().join("\n")
        };
        for (text, told) in [
            (without("url"), "`url` is missing"),
            (without("protocol"), "`protocol` is missing"),
            (without("bank ="), "`bank` is missing"),
            (without("containers"), "`containers` is missing"),
            (format!("{GOOD}key_file = \"no/such\"\n"), "no/such"),
            (
                format!("{GOOD}key = \"swordfish\"\n"),
                "no such field as `key`",
            ),
            (
                GOOD.replace("[\"workspace\", \"team\"]", "[\"*\"]"),
                "containers",
            ),
            (
                GOOD.replace("[\"workspace\", \"team\"]", "\"swordfish\""),
                "a list of texts",
            ),
            (GOOD.replace("hindsight", "swordfish"), "one of"),
            (
                GOOD.replace("http://", "http://me:swordfish@"),
                "name or password",
            ),
        ] {
            let error = read(&text).err().unwrap().to_string();
            assert!(error.contains(told), "{text}: {error}");
            assert!(
                error.contains("no/such") || error.starts_with("[banks.elsewhere]"),
                "{error}"
            );
            assert!(!error.contains("swordfish"), "{error}");
        }
    }
}
