//! Objects of answers that are written straight to bytes: a list of members by name, each as it was made, without a value
//! of JSON in between.
//!
//! Members stand in the order of their names, which is the order in which an object of values would be written; the
//! compiler refuses any other.

use std::fmt::Display;

use serde::ser::{Serialize, SerializeMap, Serializer};

/// An object with these members. One whose name has a `?` behind it is there only where its value is.
macro_rules! told {
    ({ $($members:tt)* }) => {
        $crate::wire::told::Told($crate::wire::told::told!(@after "" => $($members)*))
    };
    (@after $before:literal =>) => { () };
    (@after $before:literal => $name:literal ? : $value:expr $(, $($others:tt)*)?) => {{
        const { assert!($crate::wire::told::ascend($before, $name), $name) };
        ($name, $value, $crate::wire::told::told!(@after $name => $($($others)*)?))
    }};
    (@after $before:literal => $name:literal : $value:expr $(, $($others:tt)*)?) => {{
        const { assert!($crate::wire::told::ascend($before, $name), $name) };
        ($name, Some($value), $crate::wire::told::told!(@after $name => $($($others)*)?))
    }};
}
pub(crate) use told;

/// Whether one name stands before another.
pub(crate) const fn ascend(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    loop {
        match (one, other) {
            (_, []) => return false,
            ([], _) => return true,
            ([a, of_one @ ..], [b, of_other @ ..]) => {
                if *a != *b {
                    return *a < *b;
                }
                (one, other) = (of_one, of_other);
            }
        }
    }
}

/// An object that is written as it was told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told<M>(pub(crate) M);

impl<M: Members> Serialize for Told<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        self.0.write(&mut object)?;
        object.end()
    }
}

/// The members of an object: the first with the others, or none.
pub(crate) trait Members {
    /// Writes them, each behind the other.
    fn write<O: SerializeMap>(&self, object: &mut O) -> Result<(), O::Error>;
}

impl Members for () {
    fn write<O: SerializeMap>(&self, _: &mut O) -> Result<(), O::Error> {
        Ok(())
    }
}

impl<V: Serialize, M: Members> Members for (&'static str, Option<V>, M) {
    fn write<O: SerializeMap>(&self, object: &mut O) -> Result<(), O::Error> {
        let (name, value, others) = self;
        if let Some(value) = value {
            object.serialize_entry(name, value)?;
        }
        others.write(object)
    }
}

/// A list of what comes one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Each<I>(pub(crate) I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Each<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

/// A text that is made while it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<T>(pub(crate) T);

impl<T: Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_reads_as_the_value_would() {
        let inner = told!({ "at": Shown(7), "list": Each([1, 2].iter()) });
        let told = told!({
            "absent"?: None::<bool>,
            "empty": told!({}),
            "inner": inner,
            "nothing": None::<bool>,
            "said": "a \"word\"\n",
            "there"?: Some(0.25),
        });
        let written = serde_json::to_string(&told).unwrap();
        assert_eq!(
            written,
            r#"{"empty":{},"inner":{"at":"7","list":[1,2]},"nothing":null,"said":"a \"word\"\n","there":0.25}"#
        );
        assert_eq!(written, serde_json::to_value(&told).unwrap().to_string());
    }

    #[test]
    fn names_ascend_by_their_bytes() {
        for (one, other, expected) in [
            ("", "a", true),
            ("a", "a", false),
            ("a", "ab", true),
            ("ab", "a", false),
            ("a_b", "ab", true),
        ] {
            assert_eq!(ascend(one, other), expected, "{one} {other}");
        }
    }
}
