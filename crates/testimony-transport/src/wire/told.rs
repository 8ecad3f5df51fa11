//! An object of an answer, from what was made for it: where `json!` copies every value that it is given, with all that
//! stands within, this takes them as they are.

/// An object with these members.
macro_rules! told {
    ({ $($name:literal: $value:expr),* $(,)? }) => {{
        let mut members = ::serde_json::Map::new();
        $(members.insert($name.to_owned(), ::serde_json::Value::from($value));)*
        ::serde_json::Value::Object(members)
    }};
}
pub(crate) use told;
