//! Reading requests, whatever they hold: nothing panics, what is wrong is named by its place, and no value is repeated.
#![expect(clippy::indexing_slicing, reason = "a test that goes wrong may panic")]

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use testimony_testkit::{breaks, config};
use testimony_transport::wire::fault::Fault;
use testimony_transport::wire::field::{Kind, Table, each};
use testimony_transport::wire::{
    Sent, context, courtroom, item, recall, reflect, retain, writeback,
};

type Read = fn(&Map<String, Value>) -> Result<(), Vec<Fault>>;

/// Every request, by its table and its reader.
const REQUESTS: &[(&str, Table, Read)] = &[
    ("retain", retain::FIELDS, |body| {
        retain::read(body, &Sent::default()).map(drop)
    }),
    ("writeback", writeback::FIELDS, |body| {
        writeback::read(body, &Sent::default()).map(drop)
    }),
    ("recall", recall::FIELDS, |body| {
        recall::read(body).map(drop)
    }),
    ("context", context::FIELDS, |body| {
        context::read(body).map(drop)
    }),
    ("reflect", reflect::FIELDS, |body| {
        reflect::read(body, &Sent::default()).map(drop)
    }),
    ("courtroom", courtroom::FIELDS, |body| {
        courtroom::read(body).map(drop)
    }),
];

/// A mark that stands in every text that is sent, and in nothing else.
const MARK: &str = "zqx";

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(|text| Value::from(format!("{MARK}{text}"))),
        Just(json!("")),
        Just(json!("2024-02-30")),
        Just(json!("1:56 pm on 8 May, 2023")),
        Just(json!("mem_00000000000000000000000000000000")),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let names: Vec<&str> = each(item::ITEM).map(|field| field.name).collect();
        let name = prop_oneof![
            proptest::sample::select(names).prop_map(str::to_owned),
            "\\PC{0,6}",
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            proptest::collection::vec((name, inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Fields of a table with whatever they may hold, and some that are in none.
fn bodies(table: Table) -> impl Strategy<Value = Map<String, Value>> {
    let names: Vec<&str> = each(table).map(|field| field.name).collect();
    let name = prop_oneof![
        4 => proptest::sample::select(names).prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ];
    proptest::collection::vec((name, values()), 0..12)
        .prop_map(|fields| fields.into_iter().collect())
}

fn requests() -> impl Strategy<Value = (usize, Map<String, Value>)> {
    (0..REQUESTS.len()).prop_flat_map(|at| (Just(at), bodies(REQUESTS[at].1)))
}

/// What has to hold of every complaint: it names a place that is there or is wanted, and repeats nothing that was sent.
fn is_well_said(fault: &Fault, table: Table) -> Result<(), String> {
    let place = fault.pointer.as_str();
    let field = place.split('/').nth(1).unwrap_or_default();
    let known = place.is_empty() || each(table).any(|known| known.name == field);
    if !known {
        return Err(format!("`{place}` is no place of this request"));
    }
    if fault.detail.contains(MARK) {
        return Err(format!("it repeats what was sent: {}", fault.detail));
    }
    Ok(())
}

/// Whether what a reader says of a body is well said.
fn reads_well(
    name: &str,
    table: Table,
    read: impl FnOnce() -> Result<(), Vec<Fault>>,
) -> Result<(), String> {
    let Err(faults) = read() else { return Ok(()) };
    if faults.is_empty() {
        return Err(format!("{name} is refused for nothing"));
    }
    faults
        .iter()
        .try_for_each(|fault| is_well_said(fault, table))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn whatever_comes_is_read_or_refused_by_its_places((at, body) in requests()) {
        let (name, table, read) = REQUESTS[at];
        prop_assert_eq!(reads_well(name, table, || read(&body)), Ok(()));
    }
}

/// A reader that repeats the values it refuses, one that makes places up, and one that gives no reason.
#[test]
fn the_property_catches_readers_that_are_broken_on_purpose() {
    type Broken = fn(Fault, &Map<String, Value>) -> Option<Fault>;
    let canaries: [Broken; 3] = [
        |fault, body| {
            let sent = Value::Object(body.clone()).to_string();
            Some(Fault::at(fault.pointer, format!("{} {sent}", fault.detail)))
        },
        |fault, _| Some(fault.within("/nowhere")),
        |_, _| None,
    ];
    for broken in canaries {
        let caught = breaks(&requests(), |(at, body)| {
            let (name, table, read) = REQUESTS[*at];
            let twin = || {
                read(body).map_err(|faults| {
                    let said = faults.into_iter();
                    said.filter_map(|fault| broken(fault, body)).collect()
                })
            };
            reads_well(name, table, twin).is_ok()
        });
        assert!(caught);
    }
}

/// Bounds and defaults of the interface, as the tables have them from the domain.
#[test]
fn the_tables_say_what_the_interface_says() {
    let says = |table: Table, name: &str| {
        let field = each(table).find(|field| field.name == name);
        let field = field.unwrap_or_else(|| panic!("{name} is in no table"));
        let bound = field.kind.bound().map(|bound| (bound.min, bound.max));
        let bound = match field.kind {
            Kind::List(_, most) => Some((0.0, most as f64)),
            Kind::Flag
            | Kind::Text(_)
            | Kind::TextOrWhole(_)
            | Kind::Label(_)
            | Kind::Word(_)
            | Kind::Form(_)
            | Kind::Whole(_)
            | Kind::Number(_)
            | Kind::Object
            | Kind::Item(_)
            | Kind::OneOrMore(..)
            | Kind::Record(_)
            | Kind::TextOrList(..) => bound,
        };
        (bound, field.default.map(|default| default()))
    };
    let none: Option<Value> = None;
    for (table, name, bound, default) in [
        (
            retain::FIELDS,
            "content",
            Some((1.0, 50_000.0)),
            none.clone(),
        ),
        (retain::FIELDS, "contents", Some((0.0, 100.0)), none.clone()),
        (
            retain::FIELDS,
            "source",
            Some((1.0, 256.0)),
            Some(json!("api")),
        ),
        (retain::FIELDS, "auto_extract", None, Some(json!(true))),
        (retain::FIELDS, "confidence", Some((0.0, 1.0)), none.clone()),
        (recall::FIELDS, "limit", Some((1.0, 100.0)), Some(json!(10))),
        (recall::FIELDS, "mode", None, Some(json!("hybrid"))),
        (
            recall::FIELDS,
            "threshold",
            Some((0.0, 1.0)),
            Some(json!(0.0)),
        ),
        (recall::FIELDS, "trust_policy", None, Some(json!("off"))),
        (recall::FIELDS, "view", None, Some(json!("assistant"))),
        (recall::FIELDS, "sort", None, Some(json!("score"))),
        (recall::FIELDS, "tag_mode", None, Some(json!("all"))),
        (recall::FIELDS, "tag_match", None, Some(json!("exact"))),
        (recall::FIELDS, "graph_traversal", None, Some(json!(true))),
        (
            recall::FIELDS,
            "graph_max_hops",
            Some((1.0, 5.0)),
            Some(json!(2)),
        ),
        (
            context::FIELDS,
            "user_message",
            Some((1.0, 20_000.0)),
            none.clone(),
        ),
        (
            context::FIELDS,
            "task_goal",
            Some((0.0, 8_000.0)),
            none.clone(),
        ),
        (context::FIELDS, "limit", Some((1.0, 50.0)), Some(json!(8))),
        (
            context::FIELDS,
            "max_context_tokens",
            Some((128.0, 8_000.0)),
            Some(json!(1200)),
        ),
        (
            context::FIELDS,
            "trust_policy",
            None,
            Some(json!("balanced")),
        ),
        (
            context::FIELDS,
            "include_courtroom_links",
            None,
            Some(json!(true)),
        ),
        (
            reflect::FIELDS,
            "recall_limit",
            Some((3.0, 12.0)),
            Some(json!(6)),
        ),
        (
            reflect::FIELDS,
            "max_tokens",
            Some((128.0, 4_096.0)),
            Some(json!(1200)),
        ),
        (
            reflect::FIELDS,
            "temperature",
            Some((0.0, 1.0)),
            Some(json!(0.35)),
        ),
        (
            reflect::FIELDS,
            "trust_policy",
            None,
            Some(json!("balanced")),
        ),
        (
            reflect::FIELDS,
            "answer_mode",
            None,
            Some(json!("grounded")),
        ),
        (reflect::FIELDS, "rewrite_context", None, Some(json!(true))),
        (
            writeback::FIELDS,
            "assistant_response",
            Some((1.0, 50_000.0)),
            none.clone(),
        ),
        (
            writeback::FIELDS,
            "user_message",
            Some((1.0, 20_000.0)),
            none,
        ),
        (writeback::FIELDS, "auto_extract", None, Some(json!(false))),
        (
            writeback::FIELDS,
            "source",
            Some((1.0, 256.0)),
            Some(json!("agent_runtime")),
        ),
        (
            writeback::FIELDS,
            "default_confidence",
            Some((0.0, 1.0)),
            Some(json!(0.82)),
        ),
        (
            writeback::FIELDS,
            "default_trust_score",
            Some((0.0, 1.0)),
            Some(json!(0.8)),
        ),
    ] {
        assert_eq!(says(table, name), (bound, default), "{name}");
    }
}
