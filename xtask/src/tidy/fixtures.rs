//! A case is one line: every line of a fixture is one JSON object, and none stands twice.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Complaint;
use crate::tree::{File, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let fixtures = tree.files.iter().filter(|file| file.is_fixture());
    fixtures
        .flat_map(|file| match () {
            () if file.has_extension("jsonl") => bad_lines(file),
            () if file.has_extension("json") => bad_document(file),
            () => Vec::new(),
        })
        .collect()
}

fn bad_lines(file: &File) -> Vec<Complaint> {
    let mut first_seen = BTreeMap::new();
    let mut complaints = Vec::new();
    for (number, line) in file.lines() {
        let what = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(_)) => match first_seen.insert(line, number) {
                None => continue,
                Some(before) => format!("is the same case as line {before}; take one out"),
            },
            Ok(_) => "is no JSON object; write one case as one object".to_owned(),
            Err(error) => format!("is no JSON: {error}"),
        };
        complaints.push(Complaint::at(&file.path, number, what));
    }
    complaints
}

fn bad_document(file: &File) -> Vec<Complaint> {
    let error = serde_json::from_str::<Value>(&file.text).err();
    error
        .map(|error| Complaint::at(&file.path, error.line(), format!("is no JSON: {error}")))
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::sample;

    #[test]
    fn catches_what_is_no_json_no_object_and_no_new_case() {
        for text in [
            "{\"a\": 1\n",
            "[1]\n",
            "{\"a\": 1}\n\n",
            "{\"a\": 1}\n{\"a\": 1}\n",
        ] {
            let tree = sample::files(&[("fixtures/claims/a.jsonl", text)]);
            assert_eq!(check(&tree).len(), 1, "{text}");
        }
        assert_eq!(check(&sample::files(&[("fixtures/a.json", "{")])).len(), 1);
    }

    #[test]
    fn is_quiet_about_one_object_a_line() {
        let tree = sample::files(&[("fixtures/claims/a.jsonl", "{\"a\": 1}\n{\"a\": 2}\n")]);
        assert_eq!(check(&tree), []);
    }
}
