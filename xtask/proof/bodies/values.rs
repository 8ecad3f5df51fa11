//! Values that are wrong, each in a field or a query of a route that is otherwise as it should be.

use serde_json::Value;

use super::cases::{Case, VALUES};
use super::{is_quick, judge};
use crate::asking::{House, Route, WORKSPACE};
use crate::trial::Trial;

/// Routes that are asked without harm to what the scenario goes on with: whoever signs out or revokes does so to nobody.
const THERE: &[(&str, &str)] = &[("container_tag", WORKSPACE)];

/// Each round is one field of one route with one of the values.
pub(super) fn wrong_values(trial: &mut Trial) {
    let mut house = House::open(trial, "data");
    let routes = house.routes();
    let places: Vec<(&Route, Place)> = routes.iter().flat_map(places).collect();
    for _ in 0..trial.rounds {
        let (route, place) = trial.chance.one_of(&places);
        let case = trial.chance.one_of(VALUES);
        send(trial, &mut house, route, place, case);
        trial.fault();
        trial.round();
    }
    house.is_well(trial, "wrong values");
}

#[derive(Clone)]
enum Place {
    Field(String),
    Query(String),
}

fn places(route: &Route) -> Vec<(&Route, Place)> {
    let fields = route.body.iter().flat_map(|(fields, _)| fields.keys());
    let fields = fields.map(|name| Place::Field(name.clone()));
    let queries = route.query.iter().map(|name| Place::Query(name.clone()));
    fields.chain(queries).map(|place| (route, place)).collect()
}

fn send(trial: &mut Trial, house: &mut House, route: &Route, place: &Place, case: &Case) {
    let value = String::from_utf8((case.make)()).unwrap();
    let (path, body) = match place {
        Place::Field(name) => (route.path(THERE), with(route, name, &value)),
        Place::Query(name) => (
            format!("{}?{name}={}", route.path(THERE), escaped(&value)),
            "{}".to_owned(),
        ),
    };
    let request = route.request(&house.operator, &path, body.as_bytes());
    let (answer, took) = house.timed(&request);
    // An address that is too long for a head is refused before any route is asked.
    if answer.status == 431 || answer.status == 414 {
        return;
    }
    let name = match place {
        Place::Field(name) | Place::Query(name) => name,
    };
    let what = format!("{} as `{name}`", case.name);
    judge(trial, route, &what, &answer);
    let what = format!("{} {what}", route.pattern);
    is_quick(trial, took, || house.worked(&request), &what);
}

/// A body of a route with this as one of its fields, as it is written.
fn with(route: &Route, name: &str, value: &str) -> String {
    let mut body = route.least();
    body.remove(name);
    let members = body
        .iter()
        .map(|(name, value)| member(name, &value.to_string()));
    let members = members.chain([member(name, value)]);
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

fn member(name: &str, value: &str) -> String {
    format!("{}:{value}", Value::from(name))
}

/// A text as a query has it; what stands between quotes in JSON stands alone here.
pub(crate) fn escaped(value: &str) -> String {
    let text: Option<String> = serde_json::from_str(value).ok();
    let text = text.unwrap_or_else(|| value.to_owned());
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
