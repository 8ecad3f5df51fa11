//! Bounded numbers, from one table that code, documents, wire types and property tests share.

use crate::{Invalid, Problem};

/// One row of the table of bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The type that carries the bound.
    pub name: &'static str,
    /// Smallest allowed value; for texts the least number of characters.
    pub min: f64,
    /// Largest allowed value; for texts the greatest number of characters.
    pub max: f64,
    /// What holds when the caller says nothing.
    pub default: Option<f64>,
    /// What is counted.
    pub unit: &'static str,
    /// What it bounds, in one sentence.
    pub meaning: &'static str,
}

macro_rules! numbers {
    ($($name:ident($inner:ty): $min:literal ..= $max:literal $(, default $default:literal)?, $unit:literal, $meaning:literal;)+) => {
        $(
            #[doc = $meaning]
            #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
            pub struct $name($inner);

            impl $name {
                /// Smallest allowed value.
                pub const MIN: Self = Self($min);
                /// Largest allowed value.
                pub const MAX: Self = Self($max);

                /// Takes `value` as sent in `field`.
                ///
                /// # Errors
                /// [`Invalid`] when the value is outside the bounds or is not a number.
                pub fn new(field: &str, value: $inner) -> Result<Self, Invalid> {
                    if ($min..=$max).contains(&value) {
                        Ok(Self(value))
                    } else {
                        let problem = Problem::OutOfRange { min: f64::from($min as $inner), max: f64::from($max as $inner) };
                        Err(Invalid::new(field, problem))
                    }
                }

                /// The nearest allowed value; what is not a number becomes the smallest.
                #[must_use]
                pub fn clamped(value: $inner) -> Self {
                    if value >= $max { Self($max) } else if value >= $min { Self(value) } else { Self($min) }
                }

                /// The plain number.
                #[must_use]
                pub const fn get(self) -> $inner {
                    self.0
                }
            }

            $(
                impl Default for $name {
                    fn default() -> Self {
                        Self($default)
                    }
                }
            )?
        )+

        /// Bounds of every number.
        pub const NUMBERS: &[Bound] = &[$(Bound {
            name: stringify!($name),
            min: $min as f64,
            max: $max as f64,
            default: numbers!(@default $($default)?),
            unit: $unit,
            meaning: $meaning,
        },)+];
    };
    (@default) => { None };
    (@default $default:literal) => { Some($default as f64) };
}

numbers! {
    Score(f64): 0.0 ..= 1.0, "share", "How relevant a row is, or how far one channel speaks for it.";
    Threshold(f64): 0.0 ..= 1.0, default 0.0, "share", "The caller's own floor; the system's minimum applies below it.";
    Confidence(f64): 0.0 ..= 1.0, default 0.82, "share", "A caller's confidence; recorded, never a trust override.";
    ExpiryHours(f64): 0.000_1 ..= 876_000.0, "hours", "How long until a memory expires by its writer's wish.";
    RecallLimit(u32): 1 ..= 100, default 10, "rows", "How many rows a recall returns at most.";
    GraphHops(u32): 1 ..= 5, default 2, "hops", "How far relationships are followed from an eligible row.";
    ContextLimit(u32): 1 ..= 50, default 8, "rows", "How many rows enter an agent's context packet at most.";
    ContextTokens(u32): 128 ..= 8_000, default 1_200, "tokens", "The size of a context packet at most.";
    ReflectLimit(u32): 3 ..= 12, default 6, "rows", "How many rows a reflection reads at most.";
    ReplyTokens(u32): 128 ..= 4_096, default 1_200, "tokens", "The length of a reflection's answer at most.";
    PageLimit(u32): 1 ..= 500, default 50, "rows", "How many rows of a list come at once at most.";
    PendingHours(u32): 1 ..= 876_000, "hours", "After how many hours a pending memory of a container expires.";
    EvidenceDays(u32): 1 ..= 36_500, "days", "For how many days a container keeps evidence that no memory rests on.";
    RequestsPerMinute(u32): 1 ..= 1_000_000, "requests", "How many requests a minute a key may make.";
    ItemsPerDay(u32): 1 ..= 100_000_000, "items", "How many items a key may hand in on a day.";
    OverlapHours(f64): 0.0 ..= 720.0, default 24.0, "hours", "For how long the old secret of a key is good beside the new one.";
    ConnectorMinutes(u32): 1 ..= 60, default 10, "minutes", "For how long a connector token can be exchanged.";
    ResponseBytes(u32): 1_024 ..= 1_048_576, default 24_000, "bytes", "How large the answer to the call of a tool is at most.";
    Temperature(f64): 0.0 ..= 1.0, default 0.35, "share", "How freely a model phrases a reflection.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_inside_and_their_neighbours_are_not() {
        assert_eq!(RecallLimit::new("limit", 1), Ok(RecallLimit::MIN));
        assert_eq!(RecallLimit::new("limit", 100), Ok(RecallLimit::MAX));
        assert!(RecallLimit::new("limit", 0).is_err());
        assert!(RecallLimit::new("limit", 101).is_err());
        for wrong in [-0.001, 1.001, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Score::new("score", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn clamping_always_lands_inside() {
        assert_eq!(Score::clamped(f64::NAN), Score::MIN);
        assert_eq!(Score::clamped(7.0), Score::MAX);
        assert_eq!(Score::clamped(-7.0), Score::MIN);
        assert_eq!(GraphHops::clamped(3).get(), 3);
    }

    #[test]
    fn the_message_names_field_reason_and_remedy() {
        let error = RecallLimit::new("limit", 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`limit` is not between 1 and 100; send a number from 1 to 100"
        );
    }

    #[test]
    fn every_default_lies_within_its_own_bounds() {
        for bound in NUMBERS {
            assert!(bound.min < bound.max, "{}", bound.name);
            assert!(
                bound
                    .default
                    .is_none_or(|value| (bound.min..=bound.max).contains(&value)),
                "{}",
                bound.name
            );
        }
    }
}
