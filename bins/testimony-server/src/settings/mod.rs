//! Settings: flags before variables before the file before what usually holds, and for each where it came from.

mod banks;
mod embedders;
mod file;
mod given;
mod models;
mod section;
mod serving;
mod table;

use std::path::PathBuf;
use std::str::FromStr;

use serde_json::{Value, json};

pub(crate) use banks::BankOf;
use embedders::{EMBEDDER, EMBEDDERS};
pub(crate) use embedders::{EmbedderOf, Way};
pub(crate) use given::{Given, Reach, Room, Serving};
use section::SaidTable;
use table::{SETTINGS, Setting, Takes};

/// Why the settings do not hold.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingError {
    /// A file cannot be read.
    #[error("the settings in {} could not be read: {source}", path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
    /// A file is no TOML.
    #[error("{}, line {line}, is no TOML: {what}", path.display())]
    NoToml {
        path: PathBuf,
        line: usize,
        what: String,
    },
    /// A file speaks of something else.
    #[error("{} sets `{name}`, and there is no such setting; `testimony serve --print-config` lists those there are", path.display())]
    Unknown { path: PathBuf, name: String },
    /// A value is none. It is not repeated: it may be a secret in the wrong place.
    #[error("`{name}`, from {from}, is not understood; write {wanted}")]
    Wrong {
        name: &'static str,
        from: String,
        wanted: &'static str,
    },
    /// One of two that only hold together.
    #[error("`{name}`, from {from}, needs `{missing}` beside it; name both, or neither")]
    Alone {
        name: &'static str,
        from: String,
        missing: &'static str,
    },
    /// An embedder is wanted that nobody has described.
    #[error(
        "`{EMBEDDER}`, from {from}, names no table [embedders.NAME] of the file of settings; there are: {known}"
    )]
    NoEmbedder { from: String, known: String },
    /// A model, a memory bank or an embedder that cannot be asked so.
    #[error("[{section}.{name}] in {}: {what}", path.display())]
    Table {
        section: &'static str,
        path: PathBuf,
        name: String,
        what: String,
    },
    /// A variable that is no text.
    #[error("the variable {0} is no UTF-8")]
    NoText(String),
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    Flag,
    Variable,
    File(PathBuf),
    Default,
}

#[derive(Clone, Debug)]
struct Held {
    setting: &'static Setting,
    text: String,
    origin: Origin,
}

/// The folder, as far as it is known before the file is read.
struct Data<'a> {
    folder: &'a str,
}

/// What holds.
#[derive(Debug)]
pub(crate) struct Settings {
    held: Vec<Held>,
    tables: Tables,
}

/// What stands in tables with names of their own.
#[derive(Debug, Default)]
struct Tables {
    models: Vec<SaidTable>,
    banks: Vec<SaidTable>,
    embedders: Vec<SaidTable>,
}

/// Reads a variable of the environment.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Result<Option<String>, SettingError>;

impl Settings {
    /// Puts together what was said with flags, in variables, and in the file.
    pub(crate) fn gather(
        flags: &[(&'static str, String)],
        environment: Environment<'_>,
    ) -> Result<Self, SettingError> {
        let all = SETTINGS
            .iter()
            .map(|setting| said_now(setting, flags, environment));
        let early = Self {
            held: all.collect::<Result<_, _>>()?,
            tables: Tables::default(),
        };
        if let Some(data) = early
            .held("data")
            .filter(|held| held.text.trim().is_empty())
        {
            return Err(SettingError::Wrong {
                name: "data",
                from: data.origin.told(data.setting),
                wanted: "the path of a folder",
            });
        }
        let named = early.find("config").filter(|_| early.is_said("config"));
        let folder = early.find("data").unwrap_or_default();
        let file = file::read(named, &Data { folder })?;
        let with_file = |mut held: Held| {
            let said = file
                .values
                .iter()
                .find(|(name, _)| *name == held.setting.name);
            if let (Origin::Default, Some((_, text))) = (&held.origin, said) {
                held.text.clone_from(text);
                held.origin = Origin::File(file.path.clone());
            }
            held
        };
        Ok(Self {
            held: early.held.into_iter().map(with_file).collect(),
            tables: file.tables,
        })
    }

    fn held(&self, name: &str) -> Option<&Held> {
        self.held.iter().find(|held| held.setting.name == name)
    }

    /// Whether somebody said it, with a flag, in a variable or in the file.
    pub(crate) fn is_said(&self, name: &str) -> bool {
        self.held(name)
            .is_some_and(|held| held.origin != Origin::Default)
    }

    /// Whether a flag said it.
    pub(crate) fn is_flagged(&self, name: &str) -> bool {
        self.held(name)
            .is_some_and(|held| held.origin == Origin::Flag)
    }

    /// What holds, if anything does.
    pub(crate) fn find(&self, name: &str) -> Option<&str> {
        let text = self.held(name).map(|held| held.text.as_str());
        text.filter(|text| !text.is_empty())
    }

    /// The folder of the memory.
    pub(crate) fn data(&self) -> PathBuf {
        PathBuf::from(self.find("data").unwrap_or_default())
    }

    /// The container of a command.
    pub(crate) fn container(&self) -> &str {
        self.find("container").unwrap_or_default()
    }

    /// What holds, as what it stands for; `wanted` says how it is written.
    pub(crate) fn read<T: FromStr>(
        &self,
        name: &'static str,
        wanted: &'static str,
    ) -> Result<Option<T>, SettingError> {
        let Some(held) = self.held(name).filter(|held| !held.text.is_empty()) else {
            return Ok(None);
        };
        let read = held.text.trim().parse().map_err(|_| SettingError::Wrong {
            name,
            from: held.origin.told(held.setting),
            wanted,
        });
        read.map(Some)
    }

    /// Whether a switch is on.
    pub(crate) fn is_on(&self, name: &'static str) -> Result<bool, SettingError> {
        Ok(self.read(name, "true or false")?.unwrap_or(false))
    }

    /// What holds and where it came from, a line for each setting; secrets are not shown.
    pub(crate) fn told(&self) -> String {
        let widest = self.held.iter().map(|held| held.line().chars().count());
        let width = widest.max().unwrap_or_default().min(60);
        let lines = self.held.iter().map(|held| {
            format!(
                "{:width$}  # {}\n",
                held.line(),
                held.origin.told(held.setting)
            )
        });
        let Tables {
            models,
            banks,
            embedders,
        } = &self.tables;
        let of_tables = models.iter().chain(banks).chain(embedders);
        let of_tables = of_tables.map(SaidTable::told);
        lines.chain(of_tables).collect()
    }

    /// The same as JSON.
    pub(crate) fn json(&self) -> Value {
        let all = self.held.iter().map(|held| {
            let value = Some(held.shown()).filter(|text| !text.is_empty());
            let said = json!({ "value": value, "from": held.origin.told(held.setting) });
            (held.setting.name.to_owned(), said)
        });
        let section = |tables: &[SaidTable]| {
            let tables = tables.iter().map(|said| (said.name.clone(), said.json()));
            Value::Object(tables.collect())
        };
        let sections = [
            (models::MODELS.to_owned(), section(&self.tables.models)),
            (banks::BANKS.to_owned(), section(&self.tables.banks)),
            (EMBEDDERS.to_owned(), section(&self.tables.embedders)),
        ];
        Value::Object(all.chain(sections).collect())
    }
}

/// What flags and variables say about a setting; else what usually holds.
fn said_now(
    setting: &'static Setting,
    flags: &[(&'static str, String)],
    environment: Environment<'_>,
) -> Result<Held, SettingError> {
    let flag = flags.iter().find(|(name, _)| *name == setting.name);
    if let Some((_, text)) = flag {
        let (text, origin) = (text.clone(), Origin::Flag);
        return Ok(Held {
            setting,
            text,
            origin,
        });
    }
    let said = environment(&setting.variable())?.filter(|text| !text.is_empty());
    let (text, origin) = match said {
        Some(text) => (text, Origin::Variable),
        None => (setting.default.to_owned(), Origin::Default),
    };
    Ok(Held {
        setting,
        text,
        origin,
    })
}

impl Held {
    fn shown(&self) -> &str {
        match self.setting.takes {
            Takes::Secret(_) if !self.text.is_empty() => "(not shown)",
            Takes::One(_) | Takes::Many(_) | Takes::Switch | Takes::Secret(_) => &self.text,
        }
    }

    /// As it would stand in the file.
    fn line(&self) -> String {
        let (name, shown) = (self.setting.name, self.shown());
        let plain = shown.parse::<u64>().is_ok() || shown.parse::<bool>().is_ok();
        match self.setting.takes {
            _ if shown.is_empty() => format!("# {name} ="),
            Takes::Many(_) => {
                let texts: Vec<&str> = shown.split(',').map(str::trim).collect();
                format!("{name} = {texts:?}")
            }
            Takes::One(_) | Takes::Switch if plain => format!("{name} = {shown}"),
            Takes::One(_) | Takes::Switch | Takes::Secret(_) => format!("{name} = {shown:?}"),
        }
    }
}

impl Origin {
    fn told(&self, setting: &Setting) -> String {
        match self {
            Self::Flag => format!("--{}", setting.flag()),
            Self::Variable => setting.variable(),
            Self::File(path) => path.display().to_string(),
            Self::Default => "default".to_owned(),
        }
    }
}

/// The variables of this process.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the command reads its environment"
)]
pub(crate) fn of_process(name: &str) -> Result<Option<String>, SettingError> {
    match std::env::var(name) {
        Ok(text) => Ok(Some(text)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => Err(SettingError::NoText(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn gathered(
        flags: &[(&'static str, &str)],
        variables: &[(&str, &str)],
    ) -> Result<Settings, SettingError> {
        let flags: Vec<(&'static str, String)> = flags
            .iter()
            .map(|(name, text)| (*name, (*text).to_owned()))
            .collect();
        let environment = |name: &str| {
            let found = variables.iter().find(|(held, _)| *held == name);
            Ok(found.map(|(_, text)| (*text).to_owned()))
        };
        Settings::gather(&flags, &environment)
    }

    fn folder_with(text: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let mut file = std::fs::File::create(folder.path().join("testimony.toml")).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let path = folder.path().to_str().unwrap().to_owned();
        (folder, path)
    }

    fn from(settings: &Settings, name: &str) -> (String, String) {
        let held = settings.held(name).unwrap();
        (held.text.clone(), held.origin.told(held.setting))
    }

    #[test]
    fn flags_go_before_variables_before_the_file_before_what_usually_holds() {
        let (_kept, data) = folder_with(
            "listen = \"127.0.0.1:1\"\nat_once = 9\nbody_bytes = 1024\nallowed_hosts = [\"a.test\", \"b.test\"]\n",
        );
        let variables = [
            ("TESTIMONY_LISTEN", "127.0.0.1:2"),
            ("TESTIMONY_AT_ONCE", "8"),
            ("TESTIMONY_DATA", data.as_str()),
        ];
        let settings = gathered(&[("listen", "127.0.0.1:3")], &variables).unwrap();
        assert_eq!(
            from(&settings, "listen"),
            ("127.0.0.1:3".to_owned(), "--listen".to_owned())
        );
        assert_eq!(
            from(&settings, "at_once"),
            ("8".to_owned(), "TESTIMONY_AT_ONCE".to_owned())
        );
        let (bytes, file) = from(&settings, "body_bytes");
        assert!(
            bytes == "1024" && file.ends_with("testimony.toml"),
            "{bytes} {file}"
        );
        assert_eq!(
            from(&settings, "request_seconds"),
            ("120".to_owned(), "default".to_owned())
        );
        assert!(
            settings
                .told()
                .contains("allowed_hosts = [\"a.test\", \"b.test\"]"),
            "{}",
            settings.told()
        );
    }

    #[test]
    fn a_key_is_never_shown() {
        let settings = gathered(
            &[("data", "no/such/folder")],
            &[("TESTIMONY_KEY", "heron-blue-4217")],
        )
        .unwrap();
        assert_eq!(settings.find("key"), Some("heron-blue-4217"));
        let shown = format!("{}{}", settings.told(), settings.json());
        assert!(
            shown.contains("not shown") && !shown.contains("heron"),
            "{shown}"
        );
    }

    #[test]
    fn what_a_file_cannot_say_is_named_with_what_it_can() {
        for (text, told) in [
            ("lisen = \"x\"\n", "no such setting"),
            ("data = \"elsewhere\"\n", "no such setting"),
            ("\nlisten = \n", "line 2"),
            ("at_once = [1]\n", "write a text"),
            ("behind_proxy = \"yes\"\n", "true or false"),
        ] {
            let (_kept, data) = folder_with(text);
            let error = gathered(&[("data", &data)], &[]).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
        let (_kept, data) = folder_with("at_once = \"many\"\n");
        let settings = gathered(&[("data", &data)], &[]).unwrap();
        let error = settings
            .read::<usize>("at_once", "a whole number")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("testimony.toml") && !error.contains("many"),
            "{error}"
        );
    }

    #[test]
    fn what_cannot_hold_is_refused_with_what_can() {
        for (flags, told) in [
            (&[("data", "")][..], "the path of a folder"),
            (&[("allowed_hosts", "a.test b.test")], "commas between"),
            (
                &[("keep_reads_days", "99999999999")],
                "from 0 to 4294967295",
            ),
            (
                &[("tls_certificate", "a.pem")],
                "`tls_certificate`, from --tls-certificate, needs `tls_key`",
            ),
            (&[("log", "wran")], "a level"),
        ] {
            let settings = gathered(flags, &[]);
            let error = settings.and_then(|it| {
                it.allowed_hosts()?;
                it.retention()?;
                it.tls()?;
                it.log()
            });
            let error = error.unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn a_file_that_is_named_has_to_be_there() {
        assert!(gathered(&[("config", "no/such/file.toml")], &[]).is_err());
        assert!(gathered(&[("data", "no/such/folder")], &[]).is_ok());
    }
}
