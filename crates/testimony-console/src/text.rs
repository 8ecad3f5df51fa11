//! Values of answers, addresses and times, as pages write them.

use std::borrow::Cow;

use serde_json::{Map, Value};
use testimony_domain::Timestamp;

static NULL: Value = Value::Null;
static NONE: &[Value] = &[];

/// A value below another, by names with points between.
pub(crate) fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.')
        .try_fold(value, |value, name| value.get(name))
        .unwrap_or(&NULL)
}

/// A text; nothing where there is none.
pub(crate) fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    at(value, path).as_str().unwrap_or_default()
}

/// A text that is there.
pub(crate) fn said<'v>(value: &'v Value, path: &str) -> Option<&'v str> {
    Some(text(value, path)).filter(|text| !text.is_empty())
}

pub(crate) fn whole(value: &Value, path: &str) -> u64 {
    at(value, path).as_u64().unwrap_or_default()
}

pub(crate) fn number(value: &Value, path: &str) -> Option<f64> {
    at(value, path).as_f64()
}

pub(crate) fn flag(value: &Value, path: &str) -> bool {
    at(value, path).as_bool().unwrap_or_default()
}

pub(crate) fn list<'v>(value: &'v Value, path: &str) -> &'v [Value] {
    at(value, path).as_array().map_or(NONE, Vec::as_slice)
}

/// The texts of a list.
pub(crate) fn texts<'v>(value: &'v Value, path: &str) -> impl Iterator<Item = &'v str> {
    list(value, path).iter().filter_map(Value::as_str)
}

/// An object of texts; what is empty is left out.
pub(crate) fn fields(pairs: &[(&str, &str)]) -> Map<String, Value> {
    let said = pairs.iter().filter(|(_, value)| !value.trim().is_empty());
    said.map(|(name, value)| ((*name).to_owned(), Value::from(*value)))
        .collect()
}

/// An address with a query; what is empty is left out.
pub(crate) fn link(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        query.append_pair(name, value);
    }
    let query = query.finish();
    if query.is_empty() {
        path.to_owned()
    } else {
        format!("{path}?{query}")
    }
}

/// A short word for a long text, which is another for another text.
pub(crate) fn brief(bytes: impl Iterator<Item = u8>) -> String {
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// A part of a path.
pub(crate) fn segment(text: &str) -> String {
    let coded: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    coded.replace('+', "%20")
}

/// A stable word as people read it.
pub(crate) fn words(word: &str) -> Cow<'_, str> {
    if word.contains(['_', '.']) {
        Cow::Owned(word.replace(['_', '.'], " "))
    } else {
        Cow::Borrowed(word)
    }
}

/// A stable word at the beginning of a sentence.
pub(crate) fn title(word: &str) -> String {
    let word = words(word);
    let mut letters = word.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// How long ago an instant was, in one unit.
pub(crate) fn ago(now: Timestamp, at: &str) -> String {
    let Ok(at) = at.parse::<Timestamp>() else {
        return at.to_owned();
    };
    let seconds = now.as_second().saturating_sub(at.as_second());
    let (span, is_past) = (seconds.unsigned_abs(), seconds >= 0);
    const UNITS: [(u64, &str); 6] = [
        (365 * 86_400, "y"),
        (30 * 86_400, "mo"),
        (7 * 86_400, "w"),
        (86_400, "d"),
        (3_600, "h"),
        (60, "min"),
    ];
    let unit = UNITS.into_iter().find(|(length, _)| span >= *length);
    let Some((length, unit)) = unit else {
        return "just now".to_owned();
    };
    let count = span.checked_div(length).unwrap_or_default();
    if is_past {
        format!("{count} {unit} ago")
    } else {
        format!("in {count} {unit}")
    }
}

/// An instant to the minute, in UTC.
pub(crate) fn minute(at: &str) -> String {
    let Some((day, time)) = at.split_once('T') else {
        return at.to_owned();
    };
    let minute: String = time.chars().take(5).collect();
    format!("{day} {minute}")
}

/// A number with its thousands apart.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let length = digits.len();
    let mut text = String::with_capacity(length + length / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (length - place).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// So many bytes, in the unit that fits.
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = UNITS.into_iter().find(|(size, _)| number >= *size);
    match unit {
        Some((size, unit)) => {
            let tenths = number
                .saturating_mul(10)
                .checked_div(size)
                .unwrap_or_default();
            format!("{}.{} {unit}", tenths / 10, tenths % 10)
        }
        None => format!("{number} B"),
    }
}

/// So many microseconds, in the unit that fits.
pub(crate) fn micros(number: u64) -> String {
    if number >= 1_000_000 {
        format!("{}.{} s", number / 1_000_000, number / 100_000 % 10)
    } else if number >= 10_000 {
        format!("{} ms", number / 1_000)
    } else if number >= 1_000 {
        format!("{}.{} ms", number / 1_000, number / 100 % 10)
    } else {
        format!("{number} µs")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_told_in_the_unit_that_fits() {
        let now: Timestamp = "2027-03-01T12:00:00Z".parse().unwrap();
        for (at, told) in [
            ("2027-03-01T11:59:30Z", "just now"),
            ("2027-03-01T11:00:00Z", "1 h ago"),
            ("2027-02-27T12:00:00Z", "2 d ago"),
            ("2027-03-01T14:00:00Z", "in 2 h"),
            ("2025-03-01T14:00:00Z", "1 y ago"),
            ("soon", "soon"),
        ] {
            assert_eq!(ago(now, at), told, "{at}");
        }
    }

    #[test]
    fn what_is_empty_is_left_out_of_an_address_and_the_rest_is_coded() {
        assert_eq!(link("/memories", &[]), "/memories");
        let coded = link("/memories", &[("q", "a b&c"), ("state", "")]);
        assert_eq!(coded, "/memories?q=a+b%26c");
        assert_eq!(segment("a b/c"), "a%20b%2Fc");
    }

    #[test]
    fn numbers_are_told_as_people_read_them() {
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(count(12), "12");
        assert_eq!(bytes(1_536), "1.5 KiB");
        assert_eq!(bytes(12), "12 B");
        assert_eq!(micros(1_234), "1.2 ms");
        assert_eq!(micros(45_000), "45 ms");
    }
}
