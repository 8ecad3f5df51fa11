//! Memory banks as the service asks them.

use std::time::Duration;

use testimony_domain::SourceLabel;
use testimony_models::{ApiKey, BankProtocol, BankSettings, MemoryBank as _, RemoteBank};
use testimony_service::ports::banks::{BankError, BankQuestion};

use crate::scripted::{Line, Provider, good, nobody};

const KEY: &str = "swordfish-7";
const QUESTION: BankQuestion<'static> = BankQuestion {
    text: "Mara works at the observatory.",
    limit: 3,
    deadline: Duration::from_secs(15),
};

fn bank(protocol: BankProtocol, base: &str) -> RemoteBank {
    let name = SourceLabel::new("name", "elsewhere").unwrap();
    let mut settings = BankSettings::new(name, protocol, base, "mine");
    settings.key = Some(ApiKey::new(KEY).unwrap());
    settings.retry.pause = Duration::from_millis(2);
    RemoteBank::on_own_thread(&settings).unwrap()
}

#[test]
fn every_protocol_asks_at_its_place_and_shows_its_key_in_its_way() {
    for (protocol, path, shown) in [
        (
            BankProtocol::Testimony,
            "/api/v2/containers/mine/recall",
            "authorization: Bearer swordfish-7",
        ),
        (
            BankProtocol::Hindsight,
            "/v1/default/banks/mine/memories/recall",
            "authorization: Bearer swordfish-7",
        ),
        (
            BankProtocol::Mem0,
            "/v3/memories/search/",
            "authorization: Token swordfish-7",
        ),
        (
            BankProtocol::Mem0Server,
            "/search",
            "x-api-key: swordfish-7",
        ),
    ] {
        let words = ["content", "text", "memory"]
            .map(|name| format!("\"{name}\": \"It is so.\""))
            .join(", ");
        let answer = format!("{{\"results\": [{{\"id\": \"m-1\", {words}}}]}}");
        let provider = Provider::saying(vec![good(&answer)]);
        let asked = bank(protocol, &provider.base());
        let said = asked.recall(&QUESTION).unwrap();
        assert_eq!((said.len(), said[0].text.as_str()), (1, "It is so."));
        let head = &provider.heads()[0];
        assert!(
            head.starts_with(&format!("POST {path} HTTP/1.1")),
            "{protocol}: {head}"
        );
        assert!(head.contains(shown), "{protocol}: {head}");
        assert_eq!(asked.counted().questions, 1);
        assert!(!format!("{asked:?}").contains(KEY));
    }
}

#[test]
fn what_passes_is_asked_again_and_no_redirect_is_followed() {
    let away = Line::Answer(503, &[], String::new());
    let provider = Provider::saying(vec![away, good("{\"results\": []}")]);
    let asked = bank(BankProtocol::Mem0, &provider.base());
    assert_eq!(asked.recall(&QUESTION), Ok(Vec::new()));
    assert_eq!(provider.bodies().len(), 2);
    let elsewhere = Line::Answer(307, &[("location", "http://127.0.0.1:1/")], String::new());
    let provider = Provider::saying(vec![elsewhere]);
    let refused = bank(BankProtocol::Mem0, &provider.base()).recall(&QUESTION);
    assert!(
        matches!(&refused, Err(BankError::Failed { because, .. }) if because.contains("307")),
        "{refused:?}"
    );
    assert_eq!(provider.bodies().len(), 1);
}

#[test]
fn nobody_there_is_told_in_words_of_a_bank() {
    let asked = bank(BankProtocol::Hindsight, &nobody());
    let told = asked.recall(&QUESTION).unwrap_err().to_string();
    assert_eq!(
        told,
        "memory bank `elsewhere` gave no answer: nobody listens at its address"
    );
    assert_eq!(
        asked.health().because(),
        Some("nobody listens at its address")
    );
}
