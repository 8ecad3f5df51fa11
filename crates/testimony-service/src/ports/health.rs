//! How something stands that the service rests on, in words that a person can act on.

/// How a dependency stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// It does what it should.
    Healthy,
    /// It does a part of what it should, or does it late.
    Degraded {
        /// Why; a sentence without content.
        because: String,
    },
    /// It does nothing at present.
    Unavailable {
        /// Why; a sentence without content.
        because: String,
    },
}

impl Health {
    /// It does a part of what it should.
    #[must_use]
    pub fn degraded(because: impl Into<String>) -> Self {
        let because = because.into();
        Self::Degraded { because }
    }

    /// It does nothing at present.
    #[must_use]
    pub fn unavailable(because: impl Into<String>) -> Self {
        let because = because.into();
        Self::Unavailable { because }
    }

    /// The stable word for it.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::Degraded { .. } => "degraded",
            Self::Unavailable { .. } => "unavailable",
        }
    }

    /// Why it is not as it should be.
    #[must_use]
    pub fn because(&self) -> Option<&str> {
        match self {
            Self::Healthy => None,
            Self::Degraded { because } | Self::Unavailable { because } => Some(because),
        }
    }

    /// Whether anything can be asked of it.
    #[must_use]
    pub const fn is_available(&self) -> bool {
        match self {
            Self::Healthy | Self::Degraded { .. } => true,
            Self::Unavailable { .. } => false,
        }
    }
}
