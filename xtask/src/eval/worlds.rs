//! Worlds: small sets of memories with questions of every kind, each with what answers it.
//!
//! A world is one JSON object, `{"name", "memories": [{"k", "text", "date", "author"}], "questions": [{"q", "kind",
//! "gold"}]}`; `gold` names memories by their `k`. What has an answer needs gold; elsewhere it may be empty, and then
//! nothing has to be told as related, and nothing helps with the task.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::{Trouble, shell};

testimony_domain::words! {
    /// What kind of question it is, and with that what a right answer is.
    pub enum Kind {
        /// A memory says it in the question's own words: it is among the first three.
        Direct = "direct",
        /// A memory says it in other words: it is among the first five.
        Paraphrase = "paraphrase",
        /// It changed, and the present is asked for: the newest comes first.
        TemporalCurrent = "temporal_current",
        /// It changed, and the past is asked for: what held then is among the first three.
        Historical = "historical",
        /// Several memories answer it together: all are among the first five.
        Multi = "multi",
        /// Something near is known, and no answer: it is told as related, and nothing as an answer.
        RelatedOnly = "related_only",
        /// Nothing is known of it: there is no answer.
        Unknown = "unknown",
        /// It is known of somebody else: there is no answer.
        WrongSubject = "wrong_subject",
        /// It takes for granted what is not so: there is no answer.
        FalsePremise = "false_premise",
        /// A turn that is no question: what helps with it is in the packet, and little else.
        Task = "task",
    }
}

impl Kind {
    /// Whether a memory answers it.
    #[must_use]
    pub const fn is_answerable(self) -> bool {
        match self {
            Self::Direct
            | Self::Paraphrase
            | Self::TemporalCurrent
            | Self::Historical
            | Self::Multi => true,
            Self::RelatedOnly
            | Self::Unknown
            | Self::WrongSubject
            | Self::FalsePremise
            | Self::Task => false,
        }
    }
}

/// A memory of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Its name in the world.
    pub k: String,
    /// What it says.
    pub text: String,
    /// When it was said.
    pub date: String,
    /// Who said it.
    pub author: Option<String>,
}

/// A question of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked, or said.
    pub q: String,
    /// Of what kind it is.
    pub kind: Kind,
    /// The memories that answer it, or help with it.
    pub gold: BTreeSet<String>,
}

/// A world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// Its name.
    pub name: String,
    /// What is known in it.
    pub memories: Vec<Said>,
    /// What is asked in it.
    pub questions: Vec<Question>,
}

/// The worlds of a folder, in the order of their names.
///
/// # Errors
/// [`Trouble`] when a file cannot be read, or is no world that is consistent in itself.
pub fn read(folder: &Path) -> Result<Vec<World>, Trouble> {
    let files = shell::entries(folder)?.into_iter();
    let files = files.filter(|(path, is_folder)| {
        !is_folder
            && path
                .extension()
                .is_some_and(|extension| extension == "json")
    });
    files.map(|(path, _)| world(&path)).collect()
}

fn world(path: &Path) -> Result<World, Trouble> {
    let malformed = |what: String| Trouble::Malformed {
        place: path.display().to_string(),
        what,
    };
    let text = shell::read(path)?;
    let value: Value =
        serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let world = parsed(&name, &value).map_err(malformed)?;
    check(&world).map_err(malformed)?;
    Ok(world)
}

fn parsed(name: &str, value: &Value) -> Result<World, String> {
    let named = value.get("name").and_then(Value::as_str).unwrap_or(name);
    Ok(World {
        name: named.to_owned(),
        memories: each(value, "memories", memory)?,
        questions: each(value, "questions", question)?,
    })
}

fn each<T>(
    value: &Value,
    list: &str,
    read: impl Fn(&Value) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let values = value.get(list).and_then(Value::as_array);
    let values = values.ok_or_else(|| format!("there is no list `{list}`"))?;
    let numbered = values.iter().enumerate();
    let read =
        numbered.map(|(at, value)| read(value).map_err(|what| format!("{list}/{at}: {what}")));
    read.collect()
}

fn text(value: &Value, name: &str) -> Result<String, String> {
    let text = value.get(name).and_then(Value::as_str);
    let text = text.filter(|text| !text.trim().is_empty());
    text.map(str::to_owned)
        .ok_or_else(|| format!("`{name}` is no text"))
}

fn memory(value: &Value) -> Result<Said, String> {
    Ok(Said {
        k: text(value, "k")?,
        text: text(value, "text")?,
        date: text(value, "date")?,
        author: text(value, "author").ok(),
    })
}

fn question(value: &Value) -> Result<Question, String> {
    let gold = value.get("gold").and_then(Value::as_array);
    let gold = gold.into_iter().flatten().filter_map(Value::as_str);
    Ok(Question {
        q: text(value, "q")?,
        kind: Kind::parse("kind", &text(value, "kind")?).map_err(|error| error.to_string())?,
        gold: gold.map(str::to_owned).collect(),
    })
}

/// Whether a world is consistent in itself.
fn check(world: &World) -> Result<(), String> {
    let mut names = BTreeSet::new();
    for said in &world.memories {
        if !names.insert(&said.k) {
            return Err(format!("two memories are called `{}`", said.k));
        }
        if testimony_admission::claims::parse_observed_at(&said.date).is_err() {
            return Err(format!("the date of `{}` is none", said.k));
        }
    }
    let mut asked = BTreeSet::new();
    for question in &world.questions {
        if !asked.insert(&question.q) {
            return Err(format!("`{}` is asked twice", question.q));
        }
        if let Some(unknown) = question.gold.iter().find(|gold| !names.contains(gold)) {
            return Err(format!(
                "`{}` names `{unknown}`, which is no memory",
                question.q
            ));
        }
        if question.kind.is_answerable() && question.gold.is_empty() {
            return Err(format!(
                "`{}` of kind {} has no `gold`; name the memories that answer it",
                question.q, question.kind
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn our_own_worlds_are_consistent_and_hold_questions_of_every_kind() {
        let worlds = read(&shell::repository_root().join("fixtures/worlds")).unwrap();
        assert!(worlds.len() >= 6);
        for world in worlds {
            for kind in Kind::ALL {
                let asked = world.questions.iter().any(|it| it.kind == *kind);
                assert!(asked, "{} asks nothing of kind {kind}", world.name);
            }
        }
    }

    #[test]
    fn what_is_inconsistent_is_said() {
        let memory = json!({ "k": "a", "text": "Ana rows.", "date": "2025-01-01" });
        let ask = |kind: &str, gold: Value| json!({ "q": "Who rows?", "kind": kind, "gold": gold });
        let world = |memories: Value, questions: Value| {
            let value = json!({ "memories": memories, "questions": questions });
            parsed("w", &value).and_then(|world| check(&world))
        };
        for (kind, gold) in [
            ("direct", json!(["a"])),
            ("unknown", json!(["a"])),
            ("related_only", json!([])),
            ("task", json!([])),
        ] {
            let asked = json!([ask(kind, gold)]);
            assert_eq!(world(json!([memory]), asked), Ok(()), "{kind}");
        }
        for (memories, questions) in [
            (json!([memory, memory]), json!([])),
            (json!([memory]), json!([ask("direct", json!(["b"]))])),
            (json!([memory]), json!([ask("direct", json!([]))])),
            (json!([memory]), json!([ask("riddle", json!(["a"]))])),
            (
                json!([{ "k": "a", "text": "x", "date": "soon" }]),
                json!([]),
            ),
        ] {
            assert!(
                world(memories.clone(), questions.clone()).is_err(),
                "{memories} {questions}"
            );
        }
    }
}
