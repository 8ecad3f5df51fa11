//! What is wrong with a request, value by value, and what is only worth a word.

use std::fmt;

use testimony_domain::Invalid;

/// Where in a body something stands: a JSON pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pointer(String);

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Pointer {
    /// The whole body.
    #[must_use]
    pub const fn root() -> Self {
        Self(String::new())
    }

    /// Something below it.
    #[must_use]
    pub fn below(&self, name: impl fmt::Display) -> Self {
        let escaped = name.to_string().replace('~', "~0").replace('/', "~1");
        Self(format!("{}/{escaped}", self.0))
    }

    /// The pointer of a field as the use cases name it: a name, or a pointer already.
    ///
    /// `content` is a text, so what they name below it stands beside it.
    #[must_use]
    pub fn of_field(field: &str) -> Self {
        if let Some(beside) = field.strip_prefix("/content/") {
            return Self(format!("/{beside}"));
        }
        if field.is_empty() || field.starts_with('/') {
            return Self(field.to_owned());
        }
        Self(format!("/{field}"))
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is this place, or one below it.
    fn is_within(&self, place: &str) -> bool {
        let below = self.0.strip_prefix(place);
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Something that is wrong, and why nothing was done. It never repeats the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub pointer: Pointer,
    /// What is wrong, and what to send instead.
    pub detail: String,
}

impl Fault {
    /// Something wrong at a place.
    #[must_use]
    pub fn at(pointer: Pointer, detail: impl Into<String>) -> Self {
        Self {
            pointer,
            detail: detail.into(),
        }
    }

    /// The same, below an item where it does not say so itself.
    #[must_use]
    pub fn within(self, item: &str) -> Self {
        if self.pointer.is_within(item) {
            return self;
        }
        let pointer = Pointer(format!("{item}{}", self.pointer.0));
        Self { pointer, ..self }
    }

    /// What a use case found wrong.
    #[must_use]
    pub fn of(invalid: &Invalid) -> Self {
        Self::at(Pointer::of_field(&invalid.field), sentence(invalid))
    }
}

/// What is wrong with a value, with what to do about it, and without the name that stands in its pointer.
pub(crate) fn sentence(invalid: &Invalid) -> String {
    format!("It {}; {}.", invalid.problem, invalid.problem.remedy())
}

testimony_domain::words! {
    /// What a request is told beside its answer.
    pub enum Notice {
        /// There is no such field.
        UnknownField = "unknown_field",
        /// A field does not mean what its sender may think.
        WithoutEffect = "without_effect",
        /// Part of an earlier answer is gone.
        Erased = "erased",
    }
}

/// Something that is worth a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What kind.
    pub notice: Notice,
    /// Where. The name of an unknown field is its sender's, so it is looked through for secrets before it leaves.
    pub pointer: Pointer,
    /// What.
    pub detail: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_escaped_as_the_standard_says() {
        let pointer = Pointer::root().below("a/b~c").below(0);
        assert_eq!(pointer.as_str(), "/a~1b~0c/0");
    }

    #[test]
    fn fields_of_the_use_cases_become_pointers() {
        for (field, pointer) in [
            ("query", "/query"),
            ("/contents/2/tags/0", "/contents/2/tags/0"),
            ("/content", "/content"),
            ("/content/tags/0", "/tags/0"),
        ] {
            assert_eq!(Pointer::of_field(field).as_str(), pointer);
        }
    }
}
