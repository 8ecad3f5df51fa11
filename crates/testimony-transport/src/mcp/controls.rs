//! Output controls: how the result of a tool is trimmed, as its caller wants it.

use serde_json::{Map, Value, json};
use testimony_domain::ResponseBytes;

use super::Members;
use crate::problem::Problem;
use crate::wire::fault::Pointer;
use crate::wire::field::{Field, Kind};
use crate::wire::reader::{Log, Object};

/// How results look.
const FORMATS: &[&str] = &["compact", "full"];

/// The controls.
#[rustfmt::skip]
pub(super) const CONTROLS: &[Field] = &[
    Field::new("response_format", Kind::Word(FORMATS), "`full` for the raw payload.").or(|| json!("compact")),
    Field::new("include_raw", Kind::Flag, "The same as `full`.").or(|| json!(false)),
    Field::new("diagnostics_only", Kind::Flag, "Counts and fallback status, no memories.").or(|| json!(false)),
    Field::new("max_response_bytes", Kind::Whole("ResponseBytes"), "The result is cut to fit.").or(|| json!(ResponseBytes::default().get())),
];

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// What a model needs.
    Compact,
    /// All that the route answered.
    Full,
    /// How the answer came to be.
    Diagnostics,
}

/// How a result is trimmed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Controls {
    pub(super) form: Form,
    /// No result has more bytes; a raw payload has any number unless the caller says how many.
    pub(super) most: Option<usize>,
}

impl Default for Controls {
    fn default() -> Self {
        Self {
            form: Form::Compact,
            most: Some(ResponseBytes::default().get() as usize),
        }
    }
}

/// Takes the controls out of the arguments of a call.
pub(super) fn take(arguments: &mut Members) -> Result<Controls, Problem> {
    let mut own = Map::new();
    for field in CONTROLS {
        if let Some(value) = arguments.remove(field.name) {
            own.insert(field.name.to_owned(), value);
        }
    }
    read(&own).map_err(|log| Problem::invalid(log.faults))
}

fn read(own: &Map<String, Value>) -> Result<Controls, Log> {
    let mut log = Log::default();
    let root = Pointer::root();
    let object = Object::checked(own, &root, &[CONTROLS], &mut log);
    let most = object.whole("max_response_bytes", &mut log, ResponseBytes::new);
    let is_on = |name: &str| object.flag(name) == Some(true);
    let form = if is_on("diagnostics_only") {
        Form::Diagnostics
    } else if is_on("include_raw") || object.text("response_format") == Some("full") {
        Form::Full
    } else {
        Form::Compact
    };
    let most = most.or_else(|| (form != Form::Full).then(ResponseBytes::default));
    let most = most.map(|most| most.get() as usize);
    if log.faults.is_empty() {
        Ok(Controls { form, most })
    } else {
        Err(log)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(arguments: &Value) -> (Form, Option<usize>) {
        let mut arguments = arguments.as_object().unwrap().clone();
        let controls = take(&mut arguments).unwrap();
        assert!(
            arguments.keys().all(|name| name == "query"),
            "{arguments:?}"
        );
        (controls.form, controls.most)
    }

    #[test]
    fn a_raw_payload_is_as_long_as_it_is_unless_somebody_says_otherwise() {
        let usual = Some(24_000);
        for (arguments, expected) in [
            (json!({"query": "x"}), (Form::Compact, usual)),
            (
                json!({"response_format": "compact"}),
                (Form::Compact, usual),
            ),
            (json!({"response_format": "full"}), (Form::Full, None)),
            (
                json!({"include_raw": true, "max_response_bytes": 4096}),
                (Form::Full, Some(4096)),
            ),
            (
                json!({"include_raw": true, "diagnostics_only": true}),
                (Form::Diagnostics, usual),
            ),
            (
                json!({"include_raw": false, "response_format": null}),
                (Form::Compact, usual),
            ),
        ] {
            assert_eq!(taken(&arguments), expected, "{arguments}");
        }
    }

    #[test]
    fn what_is_no_control_is_told_by_its_place() {
        let arguments = json!({"response_format": "short", "max_response_bytes": 5});
        let mut arguments = arguments.as_object().unwrap().clone();
        let problem = take(&mut arguments).unwrap_err();
        let places: Vec<&str> = problem
            .faults
            .iter()
            .map(|it| it.pointer.as_str())
            .collect();
        assert_eq!(places, ["/response_format", "/max_response_bytes"]);
    }
}
