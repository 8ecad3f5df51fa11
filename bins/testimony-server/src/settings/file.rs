//! The file of settings.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::section::{Fields, SaidTable, read_section};
use super::table::{SETTINGS, Setting, Takes};
use super::{Data, SettingError, Tables, banks, embedders, models};

/// The file that is read from the folder of a memory.
const USUAL: &str = "testimony.toml";

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) path: PathBuf,
    pub(super) values: Vec<(&'static str, String)>,
    pub(super) tables: Tables,
}

/// Reads the file that is named; else the one in the folder of the memory, if it is there.
pub(super) fn read(named: Option<&str>, data: &Data<'_>) -> Result<Said, SettingError> {
    let path = match named {
        Some(path) => PathBuf::from(path),
        None => Path::new(data.folder).join(USUAL),
    };
    let text = match crate::files::text(&path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Said::default());
        }
        Err(source) => return Err(SettingError::File { path, source }),
    };
    let mut table = parsed(&text, &path)?;
    let mut section =
        |name: &'static str, fields: Fields| -> Result<Vec<SaidTable>, SettingError> {
            let said = table.remove(name);
            said.map_or(Ok(Vec::new()), |said| {
                read_section(name, fields, &said, &path)
            })
        };
    let tables = Tables {
        models: section(models::MODELS, models::FIELDS)?,
        banks: section(banks::BANKS, banks::FIELDS)?,
        embedders: section(embedders::EMBEDDERS, embedders::FIELDS)?,
    };
    let values = table
        .iter()
        .map(|(name, value)| value_of(name, value, named.is_some(), &path));
    Ok(Said {
        values: values.collect::<Result<_, SettingError>>()?,
        tables,
        path,
    })
}

/// A setting and what the file says of it.
fn value_of(
    name: &str,
    value: &Value,
    is_named: bool,
    path: &Path,
) -> Result<(&'static str, String), SettingError> {
    let setting = known(name, is_named).ok_or_else(|| SettingError::Unknown {
        path: path.to_path_buf(),
        name: name.to_owned(),
    })?;
    let text = spelled(setting, value).ok_or_else(|| SettingError::Wrong {
        name: setting.name,
        from: path.display().to_string(),
        wanted: wanted(setting.takes),
    })?;
    Ok((setting.name, text))
}

fn parsed(text: &str, path: &Path) -> Result<Table, SettingError> {
    text.parse().map_err(|error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start);
        let before = text.get(..at).unwrap_or_default();
        SettingError::NoToml {
            path: path.to_owned(),
            line: before.matches('\n').count() + 1,
            what: error.message().to_owned(),
        }
    })
}

/// A setting that may stand in a file. A file that is found in the folder does not name the folder.
fn known(name: &str, is_named: bool) -> Option<&'static Setting> {
    let elsewhere = |name: &str| name == "config" || (name == "data" && !is_named);
    SETTINGS
        .iter()
        .find(|it| it.name == name && !elsewhere(name))
}

fn spelled(setting: &Setting, value: &Value) -> Option<String> {
    match (setting.takes, value) {
        (Takes::Switch, Value::Boolean(on)) => Some(on.to_string()),
        (Takes::One(_) | Takes::Many(_) | Takes::Secret(_), Value::String(text)) => {
            Some(text.clone())
        }
        (Takes::One(_), Value::Integer(number)) => Some(number.to_string()),
        (Takes::Many(_), Value::Array(list)) => {
            let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            texts.map(|texts| texts.join(","))
        }
        _ => None,
    }
}

const fn wanted(takes: Takes) -> &'static str {
    match takes {
        Takes::One(_) => "a text in quotation marks, or a number",
        Takes::Many(_) => "a list of texts such as [\"a\", \"b\"]",
        Takes::Switch => "true or false",
        Takes::Secret(_) => "a text in quotation marks",
    }
}
