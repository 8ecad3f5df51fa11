//! Fields as data: what a request may carry, in the tables that its reading and its description share.

use testimony_domain::bounds::NUMBERS;
use testimony_domain::label::LABELS;
use testimony_domain::{Bound, Invalid};

use serde_json::Value;

/// What a value of a field has to be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// A text of so many characters.
    Text(&'static Bound),
    /// A name that its caller chooses, with the bound and the alphabet of its own type.
    Label(Label),
    /// One word of a closed set.
    Word(&'static [&'static str]),
    /// A text of a certain form.
    Form(Form),
    /// A text of so many characters, or a whole number.
    TextOrWhole(&'static Bound),
    /// A whole number within the bound of this name.
    Whole(&'static str),
    /// A number within the bound of this name.
    Number(&'static str),
    /// A JSON object of anything.
    Object,
    /// An object of these fields.
    Record(Table),
    /// A text of so many characters, or a list of at most so many.
    TextOrList(&'static Bound, &'static Self, usize),
    /// A text, or an object of these fields.
    Item(Table),
    /// A list of at most so many.
    List(&'static Self, usize),
    /// One of these, or a list of at most so many.
    OneOrMore(&'static Self, usize),
}

/// The fields of an object, in groups that several objects can share.
pub type Table = &'static [&'static [Field]];

/// The fields of a table.
pub fn each(table: Table) -> impl Iterator<Item = &'static Field> {
    table.iter().flat_map(|group| group.iter())
}

/// A type of name: how it is called among the bounds of the domain, and what a text has to be to be one.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// Its name in [`LABELS`].
    pub name: &'static str,
    /// The type's own check.
    pub check: fn(&str, &str) -> Result<(), Invalid>,
}

/// A form that texts can have.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// How it looks, as a person would write it.
    pub like: &'static str,
    /// Whether a text has it.
    pub check: fn(&str, &str) -> Result<(), Invalid>,
}

/// What comes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It does what its note says.
    Counts,
    /// It is kept beside the evidence and does nothing, for this reason.
    Recorded(&'static str),
    /// It does nothing, for this reason.
    Ignored(&'static str),
}

/// A field of a request.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What its value has to be. `null` is the same as absent.
    pub kind: Kind,
    /// Whether it has to be there.
    pub required: bool,
    /// What holds when it is absent.
    pub default: Option<fn() -> Value>,
    /// What comes of it.
    pub effect: Effect,
    /// What it is, in one sentence.
    pub note: &'static str,
}

impl Field {
    /// A field that may be absent.
    #[must_use]
    pub const fn new(name: &'static str, kind: Kind, note: &'static str) -> Self {
        Self {
            name,
            kind,
            required: false,
            default: None,
            effect: Effect::Counts,
            note,
        }
    }

    /// The same, and it has to be there.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The same, with what holds when it is absent.
    #[must_use]
    pub const fn or(mut self, default: fn() -> Value) -> Self {
        self.default = Some(default);
        self
    }

    /// The same, kept beside the evidence and without effect for this reason.
    #[must_use]
    pub const fn recorded(mut self, because: &'static str) -> Self {
        self.effect = Effect::Recorded(because);
        self
    }

    /// The same, without effect for this reason.
    #[must_use]
    pub const fn ignored(mut self, because: &'static str) -> Self {
        self.effect = Effect::Ignored(because);
        self
    }
}

impl Kind {
    /// The bound of a number or a name of the domain, from the domain's own table.
    #[must_use]
    pub fn bound(&self) -> Option<&'static Bound> {
        match self {
            Self::Text(bound) | Self::TextOrList(bound, ..) | Self::TextOrWhole(bound) => {
                Some(bound)
            }
            Self::Label(label) => LABELS.iter().find(|bound| bound.name == label.name),
            Self::Whole(name) | Self::Number(name) => {
                NUMBERS.iter().find(|bound| bound.name == *name)
            }
            Self::Flag
            | Self::Word(_)
            | Self::Form(_)
            | Self::Object
            | Self::Record(_)
            | Self::Item(_)
            | Self::List(..)
            | Self::OneOrMore(..) => None,
        }
    }

    /// What a value has to be, as the second half of "send …".
    #[must_use]
    pub const fn wanted(&self) -> &'static str {
        match self {
            Self::Flag => "`true` or `false`",
            Self::Text(_) | Self::Label(_) | Self::Word(_) | Self::Form(_) => "a text",
            Self::TextOrWhole(_) => "a text or a whole number",
            Self::Whole(_) => "a whole number",
            Self::Number(_) => "a number",
            Self::Object | Self::Record(_) => "an object",
            Self::TextOrList(..) => "a text, or a list of objects",
            Self::Item(_) => "a text, or an object with `content`",
            Self::List(..) => "a list",
            Self::OneOrMore(..) => "one text, or a list of texts",
        }
    }
}

/// The kind of a name of the domain.
macro_rules! label {
    ($name:ident) => {
        $crate::wire::field::Kind::Label($crate::wire::field::Label {
            name: stringify!($name),
            check: |field, text| testimony_domain::$name::new(field, text).map(drop),
        })
    };
}
pub(crate) use label;
