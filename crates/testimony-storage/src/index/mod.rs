//! The index: words in tantivy, meanings in vectors.
