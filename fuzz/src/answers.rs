//! What models, rerankers and memory banks answer: any bytes become an answer or a reason why they are none.

use testimony_models::{BankProtocol, ChatStyle, RerankDialect};

/// Takes an input.
pub fn take(bytes: &[u8]) {
    let Some((first, answer)) = bytes.split_first() else {
        return;
    };
    if let Ok(reply) = ChatStyle::read(answer) {
        assert!(reply.text.len() <= answer.len());
    }
    let count = usize::from(*first);
    for dialect in RerankDialect::ALL {
        if let Ok(scores) = dialect.read(answer, count) {
            assert_eq!(scores.len(), count);
            assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)));
        }
    }
    for protocol in BankProtocol::ALL {
        if let Ok(memories) = protocol.read(answer, count) {
            assert!(memories.len() <= count);
        }
    }
}
