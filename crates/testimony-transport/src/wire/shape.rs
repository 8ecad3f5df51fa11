//! What answers hold, as data: the description of the interface is made of it, and tests hold every answer against it.

use serde_json::Value;

use super::fault::Pointer;

/// What a value of an answer is.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Any text.
    Text,
    /// An instant in UTC, in the form of RFC 3339.
    Time,
    /// An id of the service with this prefix.
    Id(&'static str),
    /// One word of a closed set.
    Word(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Whole,
    /// A number.
    Number,
    /// An object of these members.
    Object(&'static [Member]),
    /// An object of the members of all these groups, which several objects can share.
    Groups(&'static [&'static [Member]]),
    /// An object of these members, and of whatever else somebody puts there.
    Open(&'static [Member]),
    /// That, under the name that the description of the interface gives it.
    Named(&'static str, &'static Self),
    /// An object whose names are not known beforehand.
    Map(&'static Self),
    /// A list.
    List(&'static Self),
    /// That, or `null`.
    Maybe(&'static Self),
    /// Whatever the caller sent.
    Anything,
}

impl Shape {
    /// The members of an object, in groups; none where it is something else.
    #[must_use]
    pub const fn groups(&self) -> &[&'static [Member]] {
        match self {
            Self::Object(members) | Self::Open(members) => std::slice::from_ref(members),
            Self::Groups(groups) => groups,
            Self::Named(_, inner) => inner.groups(),
            Self::Text
            | Self::Time
            | Self::Id(_)
            | Self::Word(_)
            | Self::Flag
            | Self::Whole
            | Self::Number
            | Self::Map(_)
            | Self::List(_)
            | Self::Maybe(_)
            | Self::Anything => &[],
        }
    }
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub shape: Shape,
    /// Whether it is always there.
    pub always: bool,
    /// What it is, in one sentence.
    pub note: &'static str,
}

impl Member {
    /// A member that is always there.
    #[must_use]
    pub const fn new(name: &'static str, shape: Shape, note: &'static str) -> Self {
        Self {
            name,
            shape,
            always: true,
            note,
        }
    }

    /// The same, there only when there is something to say.
    #[must_use]
    pub const fn at_times(mut self) -> Self {
        self.always = false;
        self
    }
}

/// Everything by which a value differs from a shape: where, and what should stand there.
#[must_use]
pub fn differences(shape: &Shape, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare(shape, value, &Pointer::root(), &mut found);
    found
}

fn compare(shape: &Shape, value: &Value, at: &Pointer, found: &mut Vec<String>) {
    let fits = match (shape, value) {
        (Shape::Maybe(inner), value) if !value.is_null() => {
            return compare(inner, value, at, found);
        }
        (Shape::Named(_, inner), value) => return compare(inner, value, at, found),
        (Shape::Object(members), Value::Object(object)) => {
            return compare_members(&[members], object, at, found);
        }
        (Shape::Open(members), Value::Object(object)) => {
            return compare_known(&[members], object, at, found);
        }
        (Shape::Groups(groups), Value::Object(object)) => {
            return compare_members(groups, object, at, found);
        }
        (Shape::Map(inner), Value::Object(object)) => {
            for (name, value) in object {
                compare(inner, value, &at.below(name), found);
            }
            return;
        }
        (Shape::List(inner), Value::Array(list)) => {
            for (index, value) in list.iter().enumerate() {
                compare(inner, value, &at.below(index), found);
            }
            return;
        }
        (Shape::Whole, Value::Number(number)) => number.is_u64() || number.is_i64(),
        (Shape::Maybe(_), _)
        | (Shape::Flag, Value::Bool(_))
        | (Shape::Number, Value::Number(_))
        | (Shape::Anything, _) => true,
        (_, Value::String(text)) => is_spelled(shape, text),
        _ => false,
    };
    if !fits {
        found.push(format!("{at}: {value} is no {shape:?}"));
    }
}

fn is_spelled(shape: &Shape, text: &str) -> bool {
    match shape {
        Shape::Text => true,
        Shape::Time => text.parse::<testimony_domain::Timestamp>().is_ok(),
        Shape::Id(prefix) => {
            let rest = text.strip_prefix(prefix);
            rest.is_some_and(|rest| rest.starts_with('_'))
        }
        Shape::Word(words) => words.contains(&text),
        Shape::Flag
        | Shape::Whole
        | Shape::Number
        | Shape::Object(_)
        | Shape::Groups(_)
        | Shape::Open(_)
        | Shape::Named(..)
        | Shape::Map(_)
        | Shape::List(_)
        | Shape::Maybe(_)
        | Shape::Anything => false,
    }
}

fn compare_members(
    groups: &[&[Member]],
    object: &serde_json::Map<String, Value>,
    at: &Pointer,
    found: &mut Vec<String>,
) {
    compare_known(groups, object, at, found);
    let members = || groups.iter().copied().flatten();
    for name in object.keys() {
        if members().all(|member| member.name != name) {
            found.push(format!("{}: nothing says what it is", at.below(name)));
        }
    }
}

/// The same, whatever else is there.
fn compare_known(
    groups: &[&[Member]],
    object: &serde_json::Map<String, Value>,
    at: &Pointer,
    found: &mut Vec<String>,
) {
    for member in groups.iter().copied().flatten() {
        match object.get(member.name) {
            Some(value) => compare(&member.shape, value, &at.below(member.name), found),
            None if member.always => {
                found.push(format!("{}: it is missing", at.below(member.name)));
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ROW: &[Member] = &[
        Member::new("id", Shape::Id("mem"), "Which."),
        Member::new(
            "state",
            Shape::Word(&["active", "pending"]),
            "How it stands.",
        ),
        Member::new("tags", Shape::List(&Shape::Text), "How it is filed.").at_times(),
        Member::new("ended_at", Shape::Maybe(&Shape::Time), "When it ended."),
    ];

    #[test]
    fn what_differs_is_named_by_its_place() {
        let row = |value| differences(&Shape::Object(ROW), &value);
        let good = json!({"id": "mem_1", "state": "active", "ended_at": null});
        assert_eq!(row(good), Vec::<String>::new());
        let bad = json!({"id": "fact_1", "state": "gone", "tags": ["a", 1], "more": 1});
        let places: Vec<String> = row(bad)
            .iter()
            .filter_map(|said| said.split(':').next().map(str::to_owned))
            .collect();
        assert_eq!(places, ["/id", "/state", "/tags/1", "/ended_at", "/more"]);
    }
}
