//! One macro for closed sets of words: an enum whose variants have exactly one spelling on the wire.

/// Declares an enum with a stable spelling per variant, `ALL`, `as_str`, `parse` and `Display`.
///
/// A word that is not in the set is an [`Invalid`](crate::Invalid) that lists what is allowed.
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $name { $($(#[$vmeta])* $variant,)+ }

        impl $name {
            /// Every word of the set, in the order of its declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];
            /// Every spelling, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word,)+];

            /// The stable spelling.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// Reads a word as sent in `field`.
            ///
            /// # Errors
            /// [`Invalid`]($crate::Invalid) with the allowed words when `text` is none of them.
            pub fn parse(field: &str, text: &str) -> Result<Self, $crate::Invalid> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::Invalid::new(field, $crate::Problem::NotOneOf { allowed: Self::WORDS })),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
