//! What goes into one request: so many entries, and no more of them than a server takes at once.

use serde_json::Value;

/// A server takes 24 MiB; half of that leaves room for whatever else a request says.
const MOST_BYTES: usize = 12 << 20;
/// A server takes 200,000 values.
const MOST_VALUES: usize = 150_000;

/// Entries that are sent together.
#[derive(Debug)]
pub(super) struct Batch {
    entries: Vec<Value>,
    most: usize,
    bytes: usize,
    values: usize,
}

impl Batch {
    /// An empty batch, of at most so many entries.
    pub(super) const fn of(most: usize) -> Self {
        Self {
            entries: Vec::new(),
            most,
            bytes: 0,
            values: 0,
        }
    }

    /// Adds an entry of so many bytes; where there is no room for it, gives what was there, and begins again with it.
    #[must_use]
    pub(super) fn add(&mut self, entry: Value, bytes: usize) -> Option<Vec<Value>> {
        let values = values(&entry);
        let is_full = self.entries.len() >= self.most
            || self.bytes + bytes > MOST_BYTES
            || self.values + values > MOST_VALUES;
        let full = is_full.then(|| self.take());
        self.entries.push(entry);
        self.bytes += bytes;
        self.values += values;
        full.filter(|full| !full.is_empty())
    }

    /// What is there, which leaves nothing.
    pub(super) fn take(&mut self) -> Vec<Value> {
        (self.bytes, self.values) = (0, 0);
        std::mem::take(&mut self.entries)
    }
}

/// How many values there are; a file that was read nests no deeper than its reader allows.
fn values(value: &Value) -> usize {
    let below: usize = match value {
        Value::Array(list) => list.iter().map(values).sum(),
        Value::Object(members) => members.values().map(values).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    };
    below + 1
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_batch_ends_with_its_entries_its_bytes_or_its_values() {
        let mut few = Batch::of(2);
        assert_eq!(few.add(json!(1), 1), None);
        assert_eq!(few.add(json!(2), 1), None);
        assert_eq!(few.add(json!(3), 1), Some(vec![json!(1), json!(2)]));
        assert_eq!(few.take(), [json!(3)]);
        let mut heavy = Batch::of(9);
        assert_eq!(heavy.add(json!(1), MOST_BYTES + 1), None, "it goes alone");
        assert_eq!(heavy.add(json!(2), 1), Some(vec![json!(1)]));
        let mut many = Batch::of(9);
        let list = json!(vec![0; MOST_VALUES - 1]);
        assert_eq!(many.add(list.clone(), 1), None);
        assert_eq!(many.add(json!({ "a": 1 }), 1), Some(vec![list]));
    }
}
