//! Values that many rows share, each kept once and named by a small number.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Values by number, and numbers by value.
#[derive(Debug)]
pub(super) struct Interner<T> {
    values: Vec<Arc<T>>,
    numbers: HashMap<Arc<T>, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            numbers: HashMap::new(),
        }
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// The number of a value, which it is given when it has none.
    pub(super) fn number(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let number = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let value = Arc::new(value);
        self.values.push(Arc::clone(&value));
        self.numbers.insert(value, number);
        number
    }

    /// The value of a number.
    pub(super) fn value(&self, number: u32) -> Option<&T> {
        self.values.get(number as usize).map(Arc::as_ref)
    }

    /// The number of a value, if it has one.
    pub(super) fn find(&self, value: &T) -> Option<u32> {
        self.numbers.get(value).copied()
    }

    /// Every value in the order of its number.
    pub(super) fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.values.iter().map(Arc::as_ref)
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }
}
