//! Streams of models: whatever comes, and in whatever pieces, the same goes on.

use testimony_transport::routes::gateway::{Endpoint, passed_on};

/// Takes an input.
pub fn take(bytes: &[u8]) {
    let Some((first, stream)) = bytes.split_first() else {
        return;
    };
    let endpoint = if first & 1 == 0 {
        Endpoint::ChatCompletions
    } else {
        Endpoint::Responses
    };
    let memory = || (first & 2 != 0).then(|| "{\"tokens_injected\":7}".to_owned());
    let whole = passed_on(endpoint, memory(), [stream]);
    let size = usize::from(first >> 2) + 1;
    let pieces = passed_on(endpoint, memory(), stream.chunks(size));
    assert_eq!(whole, pieces);
}
