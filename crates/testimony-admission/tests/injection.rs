//! Injection against labelled cases: `fixtures/injection/*.jsonl`, one case a line.

mod cases;

use cases::{Tally, read};
use serde::Deserialize;
use testimony_admission::injection::{Grade, examine};
use testimony_admission::normalise::{Reading, View};
use testimony_domain::SourceClass;

#[derive(Deserialize)]
struct Case {
    class: String,
    expect: String,
    text: String,
}

fn is_expected(expect: &str, grade: Grade) -> bool {
    match expect {
        "none" => grade == Grade::None,
        "weak" => grade == Grade::Weak,
        "strong" => grade == Grade::Strong,
        "none_or_weak" => grade != Grade::Strong,
        "weak_or_strong" => grade != Grade::None,
        _ => false,
    }
}

#[test]
fn labelled_cases() {
    let mut tally = Tally::new("injection");
    for case in read::<Case>("injection") {
        let class = SourceClass::parse("class", &case.class).unwrap();
        let reading = Reading::of(&case.text);
        let found = examine(reading.views().map(View::text), class);
        let signals: Vec<&str> = found.signals.iter().map(|signal| signal.id).collect();
        tally.count(&case.text, is_expected(&case.expect, found.grade), || {
            format!(
                "{} wanted {} got {} {:.1} {signals:?}: {}",
                case.class, case.expect, found.grade, found.score, case.text
            )
        });
    }
    tally.require(300, 0.95);
}
