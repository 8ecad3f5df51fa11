//! What a rule is: one line of a table.

/// One rule: a credential format that some provider issues, or a place in which credentials stand.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its stable id. No eight characters of it may be part of a value that it finds, because the id is shown.
    pub id: &'static str,
    /// Who issues such credentials.
    pub provider: &'static str,
    /// Words one of which must stand in the text before anything else is tried; matched without case.
    pub keywords: &'static [&'static str],
    /// How the credential is recognised.
    pub form: Form,
    /// The least Shannon entropy of the value, in bits a character.
    pub entropy: f32,
    /// What else the value has to be.
    pub check: Check,
    /// A byte that stands in everything the pattern finds; where it is missing, the pattern is not tried.
    pub needs: Option<u8>,
}

/// What a value has to be beyond its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Nothing more.
    Shape,
    /// Base64 of text.
    Base64Text,
    /// Letters and digits both.
    LettersAndDigits,
    /// Nothing more, and no look at whether it is a placeholder: the shape alone is proof.
    Exact,
    /// The number of a payment card: its first digit is a network's, and its last one checks the others.
    Card,
    /// Something that a person might have chosen: placeholders are refused even where they are words.
    Chosen,
}

/// How a credential is recognised.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// By its own shape, wherever it stands. The first group is the value; without a group all of it is.
    /// A group named `cut` is taken out where that is more than the value. Letters and digits may touch it on neither
    /// side.
    Shape(&'static str),
    /// By its own shape over many lines or with a length that only a container bounds.
    Block(&'static str),
    /// By a keyword beside a value that could be anything random: the keyword names the provider.
    Beside,
    /// By a keyword beside a value: the keyword is a word for a credential.
    Word,
    /// By a keyword that names a credential, in a sentence or key that says what its value is.
    Sentence,
}

/// A credential with a shape of its own.
pub(super) const fn shape(
    id: &'static str,
    provider: &'static str,
    keywords: &'static [&'static str],
    entropy: f32,
    pattern: &'static str,
) -> Rule {
    Rule {
        id,
        provider,
        keywords,
        form: Form::Shape(pattern),
        entropy,
        check: Check::Shape,
        needs: None,
    }
}

/// A credential that runs over lines.
pub(super) const fn block(
    id: &'static str,
    provider: &'static str,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> Rule {
    Rule {
        id,
        provider,
        keywords,
        form: Form::Block(pattern),
        entropy: 0.0,
        check: Check::Shape,
        needs: None,
    }
}

/// A credential without a shape of its own, which stands beside its provider's name.
pub(super) const fn beside(
    id: &'static str,
    provider: &'static str,
    keywords: &'static [&'static str],
) -> Rule {
    Rule {
        id,
        provider,
        keywords,
        form: Form::Beside,
        entropy: 2.4,
        check: Check::Shape,
        needs: None,
    }
}

impl Rule {
    /// The same rule with one more thing to check.
    pub(super) const fn with(mut self, check: Check) -> Self {
        self.check = check;
        self
    }

    /// The same rule for a pattern that finds nothing without this byte.
    pub(super) const fn needing(mut self, byte: u8) -> Self {
        self.needs = Some(byte);
        self
    }
}
