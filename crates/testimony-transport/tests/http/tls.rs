//! TLS from files, and files that change while the server runs.
