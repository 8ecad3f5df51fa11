//! Answers that go on while they come.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use testimony_models::{
    ApiKey, Endpoint, ModelSettings, Models, Patience, Question, Relayed, RetryRules, Unanswered,
};
use tokio::runtime::{Builder, Runtime};

use crate::asking::settings;
use crate::scripted::{Line, Provider, good};

fn runtime() -> Runtime {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(1).enable_all().build().unwrap()
}

fn question(body: &'static str) -> Question {
    Question {
        endpoint: Endpoint::Responses,
        body: Bytes::from_static(body.as_bytes()),
        streamed: true,
    }
}

async fn relayed(settings: ModelSettings, body: &'static str) -> Result<Relayed, Unanswered> {
    let models = Models::on(tokio::runtime::Handle::current(), [settings]).unwrap();
    models.relay("small", question(body)).await
}

#[test]
fn what_is_sent_and_what_comes_goes_on_byte_for_byte() {
    let pieces = ["data: {\"a\":", "1.0e2}\n\n", "data: [DONE]\n\n"];
    let provider = Provider::saying(vec![Line::Pieces(pieces.map(str::to_owned).into())]);
    let body = "{ \"b\" :1.50, \"a\":\"\\u00e9\" }";
    runtime().block_on(async {
        let answer = relayed(settings(&provider.base()), body).await.unwrap();
        assert_eq!(answer.status, 200);
        let kind = answer
            .headers
            .iter()
            .find(|(name, _)| name == "content-type");
        assert_eq!(kind.unwrap().1, "text/event-stream");
        let came = answer.body.collect().await.unwrap().to_bytes();
        assert_eq!(came, pieces.concat());
    });
    assert_eq!(provider.bodies(), [body]);
    assert!(provider.heads()[0].starts_with("POST /v1/responses "));
}

#[test]
fn a_refusal_goes_on_with_its_status_unless_it_repeats_the_key() {
    let key = Some(ApiKey::new("swordfish-7").unwrap());
    let said = "{\"error\":{\"message\":\"no\"}}".to_owned();
    let leak = "{\"error\":{\"message\":\"swordfish-7 is wrong\"}}".to_owned();
    for (body, expected) in [(said.clone(), said), (leak, String::new())] {
        let headers: &[_] = &[
            ("retry-after", "9"),
            ("set-cookie", "a=b"),
            ("x-request-id", "up-1"),
        ];
        let provider = Provider::saying(vec![Line::Answer(429, headers, body)]);
        runtime().block_on(async {
            let settings = ModelSettings {
                key: key.clone(),
                ..settings(&provider.base())
            };
            let answer = relayed(settings, "{}").await.unwrap();
            assert_eq!(answer.status, 429);
            let names: Vec<&str> = answer
                .headers
                .iter()
                .map(|(name, _)| name.as_str())
                .collect();
            assert_eq!(
                names,
                ["content-type", "x-upstream-request-id", "retry-after"]
            );
            let came = answer.body.collect().await.unwrap().to_bytes();
            assert_eq!(came, expected);
        });
    }
}

#[test]
fn a_model_sees_its_caller_leave() {
    let provider = Provider::saying(vec![Line::Endless(vec!["data: {}\n\n".to_owned()])]);
    runtime().block_on(async {
        let mut answer = relayed(settings(&provider.base()), "{}").await.unwrap();
        assert!(answer.body.frame().await.unwrap().is_ok());
        drop(answer);
    });
    provider.sees_somebody_leave();
    let provider = Provider::saying(vec![Line::Silence]);
    runtime().block_on(async {
        let asking = relayed(settings(&provider.base()), "{}");
        let left = tokio::time::timeout(Duration::from_millis(50), asking).await;
        assert!(left.is_err());
    });
    provider.sees_somebody_leave();
}

#[test]
fn a_stream_that_breaks_off_or_falls_silent_ends_with_why() {
    let piece = || vec!["data: {}\n\n".to_owned()];
    for (line, expected) in [
        (Line::Half(piece()), "broke off"),
        (Line::Endless(piece()), "no whole answer in"),
    ] {
        let provider = Provider::saying(vec![line]);
        let patience = Patience {
            idle: Duration::from_millis(60),
            ..Patience::default()
        };
        runtime().block_on(async {
            let settings = ModelSettings {
                patience,
                ..settings(&provider.base())
            };
            let answer = relayed(settings, "{}").await.unwrap();
            let error = answer.body.collect().await.unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        });
    }
}

#[test]
fn what_an_answer_says_it_took_is_counted_also_where_its_reader_leaves() {
    let whole = r#"{"id":"r1","usage":{"input_tokens":11,"output_tokens":4}}"#;
    let pieces = [
        "data: {\"usage\":null}\n\nda",
        "ta: {\"choices\":[],\"usage\":{\"prompt_to",
        "kens\":6,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n",
    ];
    let pieces = || pieces.map(str::to_owned).into();
    for (line, read, expected) in [
        (good(whole), 9, (11, 4)),
        (Line::Pieces(pieces()), 9, (6, 2)),
        (Line::Endless(pieces()), 3, (6, 2)),
        (Line::Half(pieces()), 9, (6, 2)),
        (Line::Answer(400, &[], whole.to_owned()), 9, (0, 0)),
        (good("{}"), 9, (0, 0)),
    ] {
        let named = format!("{line:?}");
        let provider = Provider::saying(vec![line]);
        let counted = runtime().block_on(async {
            let handle = tokio::runtime::Handle::current();
            let models = Models::on(handle, [settings(&provider.base())]).unwrap();
            let mut answer = models.relay("small", question("{}")).await.unwrap();
            let mut came = Vec::new();
            while came.len() < read
                && let Some(frame) = answer.body.frame().await
            {
                came.push(frame.is_ok());
            }
            drop(answer);
            models.counted()[0].1
        });
        let counted = (counted.prompt_tokens, counted.completion_tokens);
        assert_eq!(counted, expected, "{named}");
    }
}

#[test]
fn who_was_not_reached_got_no_question_and_who_fell_silent_may_have() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = format!("http://{}/v1", nobody.local_addr().unwrap());
    drop(nobody);
    let broken = Provider::saying(vec![Line::Half(Vec::new())]);
    let silent = Provider::saying(vec![Line::Silence]);
    let attempts = |attempts| RetryRules {
        attempts,
        pause: Duration::from_millis(1),
        ..RetryRules::default()
    };
    for (base, tries, expected) in [
        (closed, 2, false),
        (silent.base(), 1, true),
        (broken.base(), 1, true),
    ] {
        let settings = ModelSettings {
            retry: attempts(tries),
            patience: Patience {
                idle: Duration::from_millis(300),
                ..Patience::default()
            },
            ..settings(&base)
        };
        let asked = runtime().block_on(async {
            match relayed(settings, "{}").await {
                Err(none) => none.asked,
                Ok(_) => true,
            }
        });
        assert_eq!(asked, expected, "{base}");
    }
}

#[test]
fn a_date_to_come_back_at_goes_on_in_seconds() {
    const DATES: &[(&str, &str)] = &[
        ("date", "Sun, 06 Nov 1994 12:00:00 GMT"),
        ("retry-after", "Sun, 06 Nov 1994 12:00:09 GMT"),
    ];
    let provider = Provider::saying(vec![Line::Answer(429, DATES, "{}".to_owned())]);
    runtime().block_on(async {
        let answer = relayed(settings(&provider.base()), "{}").await.unwrap();
        let mut told = answer.headers.iter();
        let told = told.find(|(name, _)| name == "retry-after");
        assert_eq!(told.unwrap().1, "9");
    });
}
