//! What each target does with an input, so that whoever has no fuzzer can do it too: the inputs that are kept go through it
//! in `xtask/tests/fuzz.rs`. `snapshot` is the exception: it is of an index without tantivy, and a program of its own.

pub mod admission;
pub mod answers;
pub mod block;
pub mod body;
pub mod import;
pub mod names;
pub mod query;
pub mod stream;
pub mod table;
