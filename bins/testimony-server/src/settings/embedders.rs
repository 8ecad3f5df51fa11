//! The embedders of the file: `[embedders.NAME]`, each a sentence model in a folder or a server that is asked, and which of
//! them is wanted. A credential never stands there; a variable or a file of its own holds it.

use std::path::PathBuf;

use testimony::embedding::remote::{ApiKey, BreakerRules, RemoteSettings};

use super::section::{Field, Fields, SaidTable};
use super::{Environment, SettingError, Settings};

/// Under which name they stand in the file.
pub(super) const EMBEDDERS: &str = "embedders";
/// The setting that says which of them is wanted.
pub(super) const EMBEDDER: &str = "embedder";

/// What says where an embedder is: one of the two.
const FOLDER: &str = "folder";
const URL: &str = "url";
/// What a table may say of either kind.
const OF_BOTH: &[&str] = &[FOLDER, "calibration"];

/// The fields of an embedder; the page on embedding says what each does.
pub(super) const FIELDS: Fields = &[
    (FOLDER, Field::Text),
    (URL, Field::Text),
    ("model", Field::Text),
    ("dimensions", Field::Count),
    ("revision", Field::Text),
    ("key_env", Field::Text),
    ("key_file", Field::Text),
    ("shorten", Field::Switch),
    ("timeout_seconds", Field::Number),
    ("at_once_seconds", Field::Number),
    ("attempts", Field::Count),
    ("failures_before_rest", Field::Count),
    ("rest_seconds", Field::Number),
    ("calibration", Field::Text),
];

/// The way to an embedder.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// A sentence model of the BERT family.
    Folder(PathBuf),
    /// A server with the interface of OpenAI.
    Remote(Box<RemoteSettings>),
}

/// An embedder that is described in the file.
#[derive(Clone, Debug)]
pub(crate) struct EmbedderOf {
    said: SaidTable,
    pub(crate) way: Way,
    /// The file that says what its cosines mean.
    pub(crate) calibration: Option<PathBuf>,
    pub(crate) is_wanted: bool,
}

impl EmbedderOf {
    /// Its name in the file.
    pub(crate) fn name(&self) -> &str {
        &self.said.name
    }

    /// What is wrong with it, with its place in the file.
    pub(crate) fn wrong(&self, what: impl Into<String>) -> SettingError {
        self.said.wrong(what)
    }
}

fn way(said: &SaidTable, environment: Environment<'_>) -> Result<Way, SettingError> {
    match (said.place(FOLDER), said.text(URL)) {
        (Some(folder), None) => {
            let of_a_server = FIELDS.iter().map(|(name, _)| *name);
            let mut of_a_server = of_a_server.filter(|name| !OF_BOTH.contains(name));
            match of_a_server.find(|name| said.says(name)) {
                None => Ok(Way::Folder(folder)),
                Some(name) => Err(said.wrong(format!(
                    "`{name}` is for an embedder behind a `url`, and this one has a `folder`; leave one of them out"
                ))),
            }
        }
        (None, Some(url)) => Ok(Way::Remote(Box::new(remote(said, url, environment)?))),
        (Some(_), Some(_)) => Err(said.wrong(
            "name `folder`, where a sentence model lies, or `url`, where a server is asked, not both",
        )),
        (None, None) => Err(said.wrong(
            "`folder` and `url` are missing; name the folder of a sentence model, or the address of a server",
        )),
    }
}

fn remote(
    said: &SaidTable,
    url: &str,
    environment: Environment<'_>,
) -> Result<RemoteSettings, SettingError> {
    let dimensions = said.count("dimensions", 0)?;
    if dimensions == 0 {
        return Err(said.wrong(
            "`dimensions` is missing; write how many numbers the vectors of the model have",
        ));
    }
    let dimensions = usize::try_from(dimensions).unwrap_or(usize::MAX);
    let wrong = |what: String| said.wrong(what);
    let key = said.key_text(environment)?.map(ApiKey::new).transpose();
    let usual = RemoteSettings::new(url, said.needed("model")?, dimensions);
    let settings = RemoteSettings {
        revision: said.text("revision").unwrap_or(&usual.revision).to_owned(),
        shorten: said.is_on("shorten"),
        key: key.map_err(|it| wrong(it.to_string()))?,
        timeout: said.seconds("timeout_seconds", usual.timeout)?,
        timeout_at_once: said.seconds("at_once_seconds", usual.timeout_at_once)?,
        attempts: said.count("attempts", usual.attempts)?,
        breaker: BreakerRules {
            failures: said.count("failures_before_rest", usual.breaker.failures)?,
            rest: said.seconds("rest_seconds", usual.breaker.rest)?,
            ..usual.breaker
        },
        ..usual
    };
    settings.check().map_err(|it| wrong(it.to_string()))?;
    Ok(settings)
}

impl Settings {
    /// The embedders that are described, and which of them is wanted.
    pub(crate) fn embedders(
        &self,
        environment: Environment<'_>,
    ) -> Result<Vec<EmbedderOf>, SettingError> {
        let all = &self.tables.embedders;
        let wanted = self.find(EMBEDDER).map(str::trim);
        if wanted.is_some_and(|wanted| all.iter().all(|said| said.name != wanted)) {
            return Err(self.no_embedder());
        }
        let read = all.iter().map(|said| {
            Ok(EmbedderOf {
                way: way(said, environment)?,
                calibration: said.place("calibration"),
                is_wanted: wanted == Some(said.name.as_str()),
                said: said.clone(),
            })
        });
        read.collect()
    }

    /// The name is not repeated: it may be a secret in the wrong place.
    fn no_embedder(&self) -> SettingError {
        let from = self.held(EMBEDDER);
        let from = from.map(|held| held.origin.told(held.setting));
        let known = self.tables.embedders.iter().map(|said| said.name.as_str());
        let known: Vec<&str> = known.collect();
        SettingError::NoEmbedder {
            from: from.unwrap_or_default(),
            known: match known.as_slice() {
                [] => "none".to_owned(),
                known => known.join(", "),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use toml::Table;

    use super::super::section::read_section;
    use super::super::table::SETTINGS;
    use super::super::{Held, Origin, Tables};
    use super::*;

    const GOOD: &str = "[embedders.house]\nurl = \"http://127.0.0.1:8081/v1\"\nmodel = \"bge-small\"\ndimensions = 384\nrevision = \"2026-05\"\nkey_env = \"HOUSE_KEY\"\nshorten = true\nat_once_seconds = 0.5\nattempts = 2\n[embedders.before]\nfolder = \"models/mini\"\ncalibration = \"mini.json\"\n";

    fn gathered(text: &str, wanted: &str) -> Result<Settings, SettingError> {
        let table: Table = text.parse().unwrap();
        let path = Path::new("a/testimony.toml");
        let tables = Tables {
            embedders: match table.get(EMBEDDERS) {
                Some(said) => read_section(EMBEDDERS, FIELDS, said, path)?,
                None => Vec::new(),
            },
            ..Tables::default()
        };
        let setting = SETTINGS.iter().find(|it| it.name == EMBEDDER).unwrap();
        let held = Held {
            setting,
            text: wanted.to_owned(),
            origin: Origin::Variable,
        };
        let held = vec![held];
        Ok(Settings { held, tables })
    }

    fn read(text: &str, wanted: &str) -> Result<Vec<EmbedderOf>, SettingError> {
        let environment =
            |name: &str| Ok((name == "HOUSE_KEY").then(|| "swordfish-3\n".to_owned()));
        gathered(text, wanted)?.embedders(&environment)
    }

    #[test]
    fn embedders_are_read_and_shown_without_their_keys() {
        let all = read(GOOD, "house").unwrap();
        let by = |name: &str| all.iter().find(|it| it.name() == name).unwrap();
        let (house, before) = (by("house"), by("before"));
        assert!(house.is_wanted && !before.is_wanted);
        let Way::Remote(remote) = &house.way else {
            panic!("{house:?}");
        };
        let identity = remote.identity();
        assert_eq!(
            (identity.name.as_str(), identity.dimensions),
            ("bge-small", 384)
        );
        assert_eq!(identity.revision, "2026-05");
        assert!(remote.shorten && remote.key.is_some());
        assert_eq!(remote.timeout_at_once, Duration::from_millis(500));
        assert_eq!((remote.attempts, remote.breaker.failures), (2, 5));
        let Way::Folder(folder) = &before.way else {
            panic!("{before:?}");
        };
        assert_eq!(folder, Path::new("a/models/mini"));
        assert_eq!(
            before.calibration.as_deref(),
            Some(Path::new("a/mini.json"))
        );
        let settings = gathered(GOOD, "house").unwrap();
        let shown = format!("{}{}{all:?}", settings.told(), settings.json());
        for part in [
            "HOUSE_KEY",
            "shorten = true",
            "mini.json",
            "embedder = \"house\"",
        ] {
            assert!(shown.contains(part), "{shown}");
        }
        assert!(!shown.contains("swordfish"), "{shown}");
        let again: Table = settings.told().parse().unwrap();
        assert_eq!(again["embedders"].as_table().unwrap().len(), 2);
    }

    #[test]
    fn without_a_word_about_it_none_of_them_is_wanted() {
        let all = read(GOOD, "").unwrap();
        assert!(all.iter().all(|it| !it.is_wanted));
        assert!(read("", "").unwrap().is_empty());
    }

    const URL_ALONE: &str = "[embedders.a]\nurl = \"http://h\"\n";
    const WHOLE: &str = "[embedders.a]\nurl = \"http://h\"\nmodel = \"m\"\ndimensions = 4\n";

    fn refused(text: &str, told: &str) {
        let error = read(text, "").unwrap_err().to_string();
        assert!(error.contains(told), "{text}: {error}");
        assert!(!error.contains("swordfish"), "{error}");
    }

    #[test]
    fn what_is_missing_or_too_much_is_named() {
        let table = |lines: &str| format!("[embedders.a]\n{lines}\n");
        for (text, told) in [
            (table(""), "`folder` and `url` are missing"),
            (
                table("folder = \"swordfish\"\nurl = \"http://h\""),
                "not both",
            ),
            (
                table("folder = \"swordfish\"\ndimensions = 3"),
                "`dimensions` is for an embedder behind a `url`",
            ),
            (format!("{URL_ALONE}dimensions = 4\n"), "`model` is missing"),
            (
                format!("{URL_ALONE}model = \"m\"\n"),
                "`dimensions` is missing",
            ),
            ("embedders = 7\n".to_owned(), "a table for each"),
        ] {
            refused(&text, told);
        }
    }

    #[test]
    fn what_is_wrong_is_named_and_not_repeated() {
        for (text, told) in [
            (WHOLE.replace('4', "0"), "a whole number above 0"),
            (
                WHOLE.replace("http://h", "me:swordfish@h"),
                "no address of a server",
            ),
            (
                WHOLE.replace("http://h", "http://me:swordfish@h"),
                "name or password",
            ),
            (
                format!("{WHOLE}key = \"swordfish\"\n"),
                "no such field as `key`",
            ),
            (
                format!("{WHOLE}key_env = \"NO_SUCH\"\n"),
                "NO_SUCH is empty",
            ),
            (format!("{WHOLE}key_file = \"no/such\"\n"), "no/such"),
            (format!("{WHOLE}shorten = \"swordfish\"\n"), "true or false"),
        ] {
            refused(&text, told);
        }
    }

    #[test]
    fn an_embedder_that_nobody_described_is_not_taken_for_one() {
        for (text, known) in [(GOOD, "before, house"), ("", "none")] {
            let error = read(text, "swordfish").unwrap_err().to_string();
            assert!(error.contains("`embedder`, from TESTIMONY_EMBEDDER"));
            assert!(error.ends_with(known), "{error}");
            assert!(!error.contains("swordfish"), "{error}");
        }
    }
}
