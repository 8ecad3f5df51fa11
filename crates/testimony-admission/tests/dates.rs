//! Dates: the cases of `fixtures/dates`, and that every written form is read back.

#![expect(
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test stops at what it does not expect"
)]

#[path = "claims_support/mod.rs"]
mod support;
#[path = "cases/many.rs"]
mod tries;

use jiff::Timestamp;
use jiff::civil::Date;
use proptest::prelude::*;
use support::{cases, require, text};
use testimony_admission::claims::{dates, parse_observed_at};
use tries::{canary, many};

const OBSERVED: &str = "2023-05-20T12:00:00Z";

fn observed() -> Timestamp {
    OBSERVED.parse().unwrap()
}

#[test]
fn dates_are_resolved_against_the_observation() {
    let cases = cases("dates/mentions.jsonl");
    assert!(cases.len() >= 150);
    require("dates/mentions.jsonl", &cases, 0.95, |case| {
        let text = text(case, "text");
        let got: Vec<Vec<String>> = dates(text, observed())
            .into_iter()
            .map(|d| {
                vec![
                    text[d.span].to_owned(),
                    d.from.to_string(),
                    d.until.to_string(),
                    d.role.to_string(),
                ]
            })
            .collect();
        let expected: Vec<Vec<String>> = serde_json::from_value(case["dates"].clone()).unwrap();
        (got == expected)
            .then_some(())
            .ok_or_else(|| format!("{text:?}\n   got {got:?}\n   not {expected:?}"))
    });
}

#[test]
fn observation_times_are_read_in_every_usual_form() {
    let cases = cases("dates/observed.jsonl");
    require("dates/observed.jsonl", &cases, 1.0, |case| {
        let text = text(case, "text");
        let got = parse_observed_at(text)
            .ok()
            .map(|instant| instant.to_string());
        let expected = case["instant"].as_str().map(str::to_owned);
        (got == expected)
            .then_some(())
            .ok_or_else(|| format!("{text:?}: got {got:?}, not {expected:?}"))
    });
}

#[test]
fn the_error_names_field_reason_and_remedy() {
    let error = parse_observed_at("the other day").unwrap_err().to_string();
    assert!(
        error
            .starts_with("`observed_at` does not have the expected form; write it like 2023-05-08"),
        "{error}"
    );
    let empty = parse_observed_at("  ").unwrap_err().to_string();
    assert!(empty.contains("is empty"), "{empty}");
}

/// The written forms of a date.
const FORMS: &[&str] = &[
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%-d %B %Y",
    "%-d %B, %Y",
    "%B %-d, %Y",
    "%B %-d %Y",
    "%b %-d, %Y",
    "%-d.%-m.%Y",
    "%-m/%-d/%Y",
    "%A, %-d %B %Y",
    "%-d %b %Y",
    "%Y-%m-%dT%H:%M:%S",
];

fn some_date() -> impl Strategy<Value = Date> {
    (1900_i16..2100, 1_i8..=12, 1_i8..=28).prop_map(|(y, m, d)| Date::new(y, m, d).unwrap())
}

/// What a form reads back as, among the dates of a text.
fn read_back(written: &str) -> Option<Date> {
    dates(written, observed())
        .first()
        .map(|mention| mention.from)
}

proptest! {
    #![proptest_config(many())]

    #[test]
    fn every_written_form_is_read_back(date in some_date(), form in 0..FORMS.len()) {
        let written = date.to_datetime(jiff::civil::Time::midnight()).strftime(FORMS[form]).to_string();
        prop_assert_eq!(read_back(&written), Some(date), "{}", written);
        let instant = parse_observed_at(&written).unwrap();
        prop_assert_eq!(instant.to_zoned(jiff::tz::TimeZone::UTC).date(), date, "{}", written);
    }

    #[test]
    fn dates_are_total_and_stand_in_the_text(text in ".{0,200}", days in -700_000_i64..2_900_000) {
        let at = Timestamp::from_second(days * 86_400).unwrap();
        let mut last = 0;
        for mention in dates(&text, at) {
            prop_assert!(text.get(mention.span.clone()).is_some());
            prop_assert!(mention.span.start >= last);
            prop_assert!(mention.from <= mention.until);
            last = mention.span.end;
        }
        let _ = parse_observed_at(&text);
    }
}

#[test]
fn canary_a_reader_that_swaps_day_and_month_is_caught() {
    let broken = |date: Date| {
        let written = date.strftime("%-d.%-m.%Y").to_string();
        let read = read_back(&written)?;
        Date::new(read.year(), read.day().min(12), read.month()).ok()
    };
    let mut runner = proptest::test_runner::TestRunner::new(canary());
    let found = runner.run(&some_date(), |date| {
        prop_assert_eq!(broken(date), Some(date));
        Ok(())
    });
    assert!(
        found.is_err(),
        "the property must catch a swapped day and month"
    );
}
