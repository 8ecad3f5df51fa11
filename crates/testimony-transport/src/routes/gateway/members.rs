//! The members of a JSON object where they stand: what is changed is changed there, and every other byte stays.

use std::ops::Range;

use bytes::{Bytes, BytesMut};

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// Its name.
    pub(super) name: String,
    /// From its name to the end of its value.
    pub(super) whole: Range<usize>,
    /// Its value.
    pub(super) value: Range<usize>,
}

/// Reads bytes that are known to be JSON.
struct Scanner<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Goes past this byte, which has to be the next that is no blank.
    fn take(&mut self, byte: u8) -> Option<()> {
        self.skip_blanks();
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Goes past a text.
    fn text(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        self.take(b'"')?;
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'"' => return Some(start..self.at),
                _ => {}
            }
        }
    }

    /// Goes past a value of any kind.
    fn value(&mut self) -> Option<Range<usize>> {
        self.skip_blanks();
        let start = self.at;
        match self.peek()? {
            b'"' => return self.text(),
            b'{' | b'[' => self.brackets()?,
            _ => self.word(),
        }
        (self.at > start).then_some(start..self.at)
    }

    /// Goes past what stands between brackets, and past them.
    fn brackets(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.text()?;
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return Some(());
            }
        }
    }

    /// Goes past a number, or one of the three words.
    fn word(&mut self) {
        let is_of_it = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        while self.peek().is_some_and(is_of_it) {
            self.at += 1;
        }
    }
}

/// The members of the object that these bytes are; `None` where they are none.
pub(super) fn members(bytes: &[u8]) -> Option<Vec<Member>> {
    let mut scanner = Scanner { bytes, at: 0 };
    scanner.take(b'{')?;
    let mut found = Vec::new();
    scanner.skip_blanks();
    if scanner.peek()? == b'}' {
        return Some(found);
    }
    loop {
        scanner.skip_blanks();
        let name = scanner.text()?;
        scanner.take(b':')?;
        let value = scanner.value()?;
        found.push(Member {
            name: serde_json::from_slice(bytes.get(name.clone())?).ok()?,
            whole: name.start..value.end,
            value,
        });
        scanner.skip_blanks();
        match scanner.peek()? {
            b',' => scanner.at += 1,
            b'}' => return Some(found),
            _ => return None,
        }
    }
}

/// The elements of the list that these bytes are, each where it stands.
pub(super) fn elements(bytes: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut scanner = Scanner { bytes, at: 0 };
    scanner.take(b'[')?;
    let mut found = Vec::new();
    scanner.skip_blanks();
    if scanner.peek()? == b']' {
        return Some(found);
    }
    loop {
        found.push(scanner.value()?);
        scanner.skip_blanks();
        match scanner.peek()? {
            b',' => scanner.at += 1,
            b']' => return Some(found),
            _ => return None,
        }
    }
}

/// Changes of bytes, each where it stands.
#[derive(Debug, Default)]
pub(super) struct Changes(Vec<(Range<usize>, Vec<u8>)>);

impl Changes {
    /// Puts something in the place of a range.
    pub(super) fn put(&mut self, place: Range<usize>, text: impl Into<Vec<u8>>) {
        self.0.push((place, text.into()));
    }

    /// Takes a member out, with one of the commas beside it.
    pub(super) fn take_out(&mut self, members: &[Member], at: usize) {
        let Some(member) = members.get(at) else {
            return;
        };
        let before = at.checked_sub(1).and_then(|before| members.get(before));
        let place = match (members.get(at + 1), before) {
            (Some(next), _) => member.whole.start..next.whole.start,
            (None, Some(before)) => before.whole.end..member.whole.end,
            (None, None) => member.whole.clone(),
        };
        self.put(place, Vec::new());
    }

    /// The bytes with all changes; the same bytes where there is none.
    pub(super) fn made(mut self, bytes: &Bytes) -> Bytes {
        if self.0.is_empty() {
            return bytes.clone();
        }
        self.0.sort_by_key(|(place, _)| place.start);
        let more: usize = self.0.iter().map(|(_, text)| text.len()).sum();
        let mut made = BytesMut::with_capacity(bytes.len() + more);
        let mut at = 0;
        for (place, text) in &self.0 {
            made.extend_from_slice(bytes.get(at..place.start).unwrap_or_default());
            made.extend_from_slice(text);
            at = place.end;
        }
        made.extend_from_slice(bytes.get(at..).unwrap_or_default());
        made.freeze()
    }
}

/// Puts a member at the end of an object, in place of one of its name; `None` where the bytes are no object.
pub(super) fn with_member(bytes: &[u8], name: &str, value: &str) -> Option<Vec<u8>> {
    let members = members(bytes)?;
    let (place, text) = match members.iter().find(|member| member.name == name) {
        Some(held) => (held.value.clone(), value.to_owned()),
        None => match members.last() {
            Some(last) => (
                last.whole.end..last.whole.end,
                format!(",\"{name}\":{value}"),
            ),
            None => {
                let open = bytes.iter().position(|byte| *byte == b'{')? + 1;
                (open..open, format!("\"{name}\":{value}"))
            }
        },
    };
    let (before, after) = (bytes.get(..place.start)?, bytes.get(place.end..)?);
    Some([before, text.as_bytes(), after].concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::*;

    fn found(text: &str) -> Vec<(String, &str)> {
        let members = members(text.as_bytes()).unwrap();
        let of = |member: Member| (member.name, text.get(member.value).unwrap());
        members.into_iter().map(of).collect()
    }

    #[test]
    fn members_are_found_where_they_stand() {
        let text = " { \"a\" : 1.50e2 ,\"b\\u0063\":\"x,\\\"}\", \"d\":[{\"e\":{}},\"]\"] ,\"f\":{\"a\":[]},\"g\":null}\n";
        assert_eq!(
            found(text),
            [
                ("a".to_owned(), "1.50e2"),
                ("bc".to_owned(), "\"x,\\\"}\""),
                ("d".to_owned(), "[{\"e\":{}},\"]\"]"),
                ("f".to_owned(), "{\"a\":[]}"),
                ("g".to_owned(), "null"),
            ]
        );
        assert_eq!(found(" {} "), []);
        for none in [
            "",
            "[]",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{a:1}",
            "{\"a\":1,}",
            "{\"a\":}",
        ] {
            assert_eq!(members(none.as_bytes()), None, "{none}");
        }
        let list = "[ 1, \"a,]\" ,{\"b\":[2]}]";
        let elements = elements(list.as_bytes()).unwrap();
        let texts: Vec<&str> = elements
            .into_iter()
            .map(|place| list.get(place).unwrap())
            .collect();
        assert_eq!(texts, ["1", "\"a,]\"", "{\"b\":[2]}"]);
    }

    #[test]
    fn what_is_taken_out_takes_one_comma_with_it() {
        for (text, name, expected) in [
            ("{\"a\":1, \"b\":2}", "a", "{\"b\":2}"),
            ("{\"a\":1, \"b\":2}", "b", "{\"a\":1}"),
            ("{\"a\":1 , \"b\":2,\"c\":3}", "b", "{\"a\":1 , \"c\":3}"),
            ("{ \"a\":1 }", "a", "{  }"),
        ] {
            let members = members(text.as_bytes()).unwrap();
            let at = members
                .iter()
                .position(|member| member.name == name)
                .unwrap();
            let mut changes = Changes::default();
            changes.take_out(&members, at);
            assert_eq!(changes.made(&Bytes::from(text.to_owned())), expected);
        }
    }

    #[test]
    fn a_member_is_put_at_the_end_or_in_place_of_its_like() {
        for (text, expected) in [
            ("{\"a\":1 }", "{\"a\":1,\"m\":[7] }"),
            ("{}", "{\"m\":[7]}"),
            ("{\"m\":{\"x\":1},\"a\":1}", "{\"m\":[7],\"a\":1}"),
        ] {
            let made = with_member(text.as_bytes(), "m", "[7]").unwrap();
            assert_eq!(String::from_utf8(made).unwrap(), expected);
        }
        assert_eq!(with_member(b"[1]", "m", "1"), None);
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<i16>().prop_map(|number| Value::from(f64::from(number) / 4.0)),
            ".{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(".{0,6}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    fn object() -> impl Strategy<Value = Map<String, Value>> {
        prop::collection::btree_map(".{0,6}", json(), 0..6)
            .prop_map(|map| map.into_iter().collect())
    }

    /// 1,024 cases, unless `PROPTEST_CASES` says otherwise.
    fn cases() -> ProptestConfig {
        let usual = ProptestConfig::default();
        if std::env::var_os("PROPTEST_CASES").is_some() {
            usual
        } else {
            ProptestConfig::with_cases(1_024)
        }
    }

    /// Whether scanning finds what parsing finds, and taking each member out leaves the others.
    fn agrees(object: &Map<String, Value>, find: fn(&[u8]) -> Option<Vec<Member>>) -> bool {
        let text = serde_json::to_string_pretty(object).unwrap();
        let Some(members) = find(text.as_bytes()) else {
            return false;
        };
        let of_value = |member: &Member| {
            let value = text.get(member.value.clone());
            value.and_then(|value| serde_json::from_str::<Value>(value).ok())
        };
        let read: Option<Map<String, Value>> = members
            .iter()
            .map(|member| Some((member.name.clone(), of_value(member)?)))
            .collect();
        read.as_ref() == Some(object)
            && (0..members.len()).all(|at| {
                let mut changes = Changes::default();
                changes.take_out(&members, at);
                let left = changes.made(&Bytes::from(text.clone()));
                let mut expected = object.clone();
                expected.remove(&members[at].name);
                serde_json::from_slice::<Value>(&left).is_ok_and(|left| left == json!(expected))
            })
    }

    /// One that a quotation mark within a text confuses.
    fn broken(bytes: &[u8]) -> Option<Vec<Member>> {
        let unescaped = String::from_utf8(bytes.to_vec())
            .ok()?
            .replace("\\\"", "\"");
        members(unescaped.as_bytes())
    }

    proptest! {
        #![proptest_config(cases())]

        #[test]
        fn scanning_finds_what_parsing_finds(object in object()) {
            prop_assert!(agrees(&object, members));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = (members(&bytes), elements(&bytes), with_member(&bytes, "m", "1"));
        }
    }

    #[test]
    fn the_property_catches_one_that_texts_confuse() {
        let object = json!({ "a": "x\",\"b\":\"y" });
        assert!(agrees(object.as_object().unwrap(), members));
        assert!(!agrees(object.as_object().unwrap(), broken));
    }
}
