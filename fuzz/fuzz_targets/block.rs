//! Gives what the fuzzer makes up to `src/block.rs`, which says what has to hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| testimony_fuzz::block::take(bytes));
