//! What the stage keeps and what it takes, in small.
