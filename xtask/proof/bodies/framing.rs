//! Lengths and pieces that lie: bodies that end too soon or too late, chunks that are none, codings and bombs.

use crate::asking::{House, raw, statuses};
use crate::trial::Trial;

const PATH: &str = "/api/v2/containers/workspace/recall";

/// How a body is announced, and what comes.
struct Lie {
    name: &'static str,
    head: &'static str,
    comes: fn() -> Vec<u8>,
}

const WHOLE: &str = "{\"query\":\"Where is the boat?\"}";

fn chunked(size: &str) -> Vec<u8> {
    format!("{size}\r\n{WHOLE}\r\n0\r\n\r\n").into_bytes()
}

/// A request that must never be answered, because it stands inside another.
const HIDDEN: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[rustfmt::skip]
const LIES: &[Lie] = &[
    Lie { name: "less than was announced", head: "Content-Length: 400\r\n", comes: || WHOLE.into() },
    Lie { name: "a length below nothing", head: "Content-Length: -1\r\n", comes: || WHOLE.into() },
    Lie { name: "a length with a sign", head: "Content-Length: +30\r\n", comes: || WHOLE.into() },
    Lie { name: "a length in hexadecimal", head: "Content-Length: 0x1e\r\n", comes: || WHOLE.into() },
    Lie { name: "a length beyond numbers", head: "Content-Length: 184467440737095516160\r\n", comes: || WHOLE.into() },
    Lie { name: "the largest length", head: "Content-Length: 18446744073709551615\r\n", comes: || WHOLE.into() },
    Lie { name: "a list of lengths", head: "Content-Length: 30, 30\r\n", comes: || WHOLE.into() },
    Lie { name: "an empty length", head: "Content-Length: \r\n", comes: || WHOLE.into() },
    Lie { name: "a chunk beyond numbers", head: "Transfer-Encoding: chunked\r\n", comes: || chunked("FFFFFFFFFFFFFFFFFF") },
    Lie { name: "a chunk below nothing", head: "Transfer-Encoding: chunked\r\n", comes: || chunked("-1E") },
    Lie { name: "a chunk with a prefix", head: "Transfer-Encoding: chunked\r\n", comes: || chunked("0x1E") },
    Lie { name: "a chunk shorter than it says", head: "Transfer-Encoding: chunked\r\n", comes: || chunked("FF") },
    Lie { name: "a chunk longer than it says", head: "Transfer-Encoding: chunked\r\n", comes: || chunked("2") },
    Lie { name: "a very long extension", head: "Transfer-Encoding: chunked\r\n", comes: || chunked(&format!("1E;{}", "e".repeat(200_000))) },
    Lie { name: "very many chunks of a byte", head: "Transfer-Encoding: chunked\r\n", comes: || "1\r\n \r\n".repeat(40_000).into_bytes() },
    Lie { name: "chunks without an end", head: "Transfer-Encoding: chunked\r\n", comes: || format!("1E\r\n{WHOLE}\r\n").into_bytes() },
    Lie { name: "a very long trailer", head: "Transfer-Encoding: chunked\r\n", comes: || format!("1E\r\n{WHOLE}\r\n0\r\nX-T: {}\r\n\r\n", "t".repeat(200_000)).into_bytes() },
    Lie { name: "very many trailers", head: "Transfer-Encoding: chunked\r\n", comes: || format!("1E\r\n{WHOLE}\r\n0\r\n{}\r\n", "X-T: t\r\n".repeat(20_000)).into_bytes() },
    Lie { name: "a coding that nobody knows", head: "Transfer-Encoding: cow\r\n", comes: || chunked("1E") },
    Lie { name: "chunked and something behind", head: "Transfer-Encoding: chunked, gzip\r\n", comes: || chunked("1E") },
    Lie { name: "said to be compressed", head: "Content-Encoding: gzip\r\nContent-Length: 30\r\n", comes: || WHOLE.into() },
    Lie { name: "a bomb", head: "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", comes: bomb },
    Lie { name: "neither a length nor chunks", head: "", comes: || WHOLE.into() },
];

/// A megabyte of zeros ten times over, compressed.
fn bomb() -> Vec<u8> {
    use std::io::Write as _;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..10 {
        packed.write_all(&[b'0'; 1 << 20]).unwrap();
    }
    let packed = packed.finish().unwrap();
    let mut came = format!("{:x}\r\n", packed.len()).into_bytes();
    came.extend(packed);
    came.extend(b"\r\n0\r\n\r\n");
    came
}

pub(super) fn lies(trial: &mut Trial) {
    let mut house = House::open(trial, "data");
    for _ in 0..trial.rounds {
        for lie in LIES {
            let mut request = head(&house.agent, lie.head);
            request.extend((lie.comes)());
            let came = raw(&house.server.address, &request);
            judge(trial, lie.name, &came, 1);
            trial.fault();
        }
        trial.round();
    }
    house.is_well(trial, "framing that lies");
}

fn head(key: &str, more: &str) -> Vec<u8> {
    format!(
        "POST {PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n{more}\r\n"
    )
    .into_bytes()
}

/// What came of one request: at most `most` answers, none of them a failure, and none a success of something half.
fn judge(trial: &mut Trial, name: &str, came: &[u8], most: usize) {
    let all = statuses(came);
    if let Some(status) = all.iter().find(|status| **status >= 500) {
        trial.broken(format!("{name}: {status}"));
    }
    // What stands behind a body that ended is another request, which can only be refused.
    let served = all.iter().filter(|status| **status < 400).count();
    if served > most {
        trial.leaked(format!("{name}: {served} requests were served: {all:?}"));
    }
}

/// Eyes for a request that is hidden in another: two honest ones behind each other look like it.
pub(super) fn a_hidden_request(trial: &mut Trial) {
    let house = House::open(trial, "hidden");
    let both = format!("{HIDDEN}{HIDDEN}");
    let came = raw(&house.server.address, both.as_bytes());
    judge(trial, "two requests", &came, 1);
}
