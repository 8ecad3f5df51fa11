//! Numbers and texts as bytes, and back. Reading believes nothing: not a length, not a text, not a number.

use std::io::{self, Read};

/// Bytes being put together.
#[derive(Debug, Default)]
pub(in crate::index) struct Encoder(pub(in crate::index) Vec<u8>);

impl Encoder {
    pub(in crate::index) fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(in crate::index) fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(in crate::index) fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(in crate::index) fn i64(&mut self, value: i64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(in crate::index) fn f32(&mut self, value: f32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(in crate::index) fn id(&mut self, value: uuid::Uuid) {
        self.0.extend(value.as_bytes());
    }

    pub(in crate::index) fn count(&mut self, value: usize) {
        self.u64(value as u64);
    }

    pub(in crate::index) fn text(&mut self, value: &str) {
        self.count(value.len());
        self.0.extend(value.as_bytes());
    }

    pub(in crate::index) fn signed(&mut self, values: &[i8]) {
        self.0.extend(values.iter().map(|value| *value as u8));
    }

    /// One byte for whether there is a value, and then the value.
    pub(in crate::index) fn maybe<T>(
        &mut self,
        value: Option<T>,
        write: impl FnOnce(&mut Self, T),
    ) {
        self.byte(u8::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }
}

/// Bytes being read.
pub(in crate::index) struct Decoder<R>(pub(in crate::index) R);

/// What was read cannot be right.
pub(in crate::index) fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

impl<R: Read> Decoder<R> {
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub(in crate::index) fn byte(&mut self) -> io::Result<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(in crate::index) fn flag(&mut self) -> io::Result<bool> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(wrong("a flag is neither yes nor no")),
        }
    }

    pub(in crate::index) fn u32(&mut self) -> io::Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(in crate::index) fn u64(&mut self) -> io::Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(in crate::index) fn i64(&mut self) -> io::Result<i64> {
        self.array().map(i64::from_le_bytes)
    }

    pub(in crate::index) fn f32(&mut self) -> io::Result<f32> {
        self.array().map(f32::from_le_bytes)
    }

    pub(in crate::index) fn id(&mut self) -> io::Result<uuid::Uuid> {
        self.array().map(uuid::Uuid::from_bytes)
    }

    /// A number of things of which each takes a byte at least, so that no memory is asked for on a file's word.
    pub(in crate::index) fn count(&mut self) -> io::Result<usize> {
        usize::try_from(self.u64()?).map_err(|_| wrong("a count is too large"))
    }

    /// As many bytes, which grow as they are read.
    pub(in crate::index) fn bytes(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = self.0.by_ref().take(count as u64).read_to_end(&mut bytes)?;
        if read == count {
            Ok(bytes)
        } else {
            Err(wrong("the file ends early"))
        }
    }

    pub(in crate::index) fn text(&mut self) -> io::Result<String> {
        let length = self.count()?;
        String::from_utf8(self.bytes(length)?).map_err(|_| wrong("a text is not UTF-8"))
    }

    pub(in crate::index) fn maybe<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> io::Result<T>,
    ) -> io::Result<Option<T>> {
        if self.flag()? {
            read(self).map(Some)
        } else {
            Ok(None)
        }
    }
}
