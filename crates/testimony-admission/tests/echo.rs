//! The echo guard against labelled cases: `fixtures/echo/*.jsonl`, one case a line.

mod cases;

use cases::{Tally, read};
use serde::Deserialize;
use testimony_admission::echo::{Context, find};

#[derive(Deserialize)]
struct Case {
    echo: bool,
    handed_out: Vec<String>,
    text: String,
    user_message: Option<String>,
}

#[test]
fn labelled_cases() {
    let mut tally = Tally::new("echo");
    for case in read::<Case>("echo") {
        let handed_out: Vec<&str> = case.handed_out.iter().map(String::as_str).collect();
        let context = Context {
            handed_out: &handed_out,
            user_message: case.user_message.as_deref(),
            delimiters: &["<<memory"],
        };
        let found = find(&case.text, &context);
        tally.count(&case.text, found.is_some() == case.echo, || {
            format!(
                "wanted {} got {found:?}: {:?} of {:?}",
                case.echo, case.text, case.handed_out
            )
        });
    }
    tally.require(60, 0.95);
}
