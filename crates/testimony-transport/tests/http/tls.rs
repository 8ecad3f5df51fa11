//! TLS from files, and files that change while the server runs.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Empty;
use hyper::Request;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use testimony_transport::http::{Options, Tls, TlsFiles};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::support::Harness;

/// Puts a new certificate into a folder.
fn renew(folder: &std::path::Path) -> (TlsFiles, CertificateDer<'static>) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let files = TlsFiles {
        certificates: folder.join("certificate.pem"),
        key: folder.join("key.pem"),
        look_every: Duration::from_millis(5),
    };
    write(&files, &cert.pem(), &signing_key);
    (files, cert.der().clone())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the files of a certificate are what is tested"
)]
fn write(files: &TlsFiles, certificate: &str, key: &KeyPair) {
    // The key goes first: until the certificate fits it, the old pair holds.
    std::fs::write(&files.key, key.serialize_pem()).unwrap();
    std::fs::write(&files.certificates, certificate).unwrap();
}

/// Asks for the health, over a connection that trusts one certificate; `None` where that is not the one that is shown.
async fn ask(harness: &Harness, trusted: &CertificateDer<'static>, speak: &str) -> Option<u16> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![speak.as_bytes().to_vec()];
    let stream = tokio::net::TcpStream::connect(harness.address)
        .await
        .unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    let stream = connector.connect(name, stream).await.ok()?;
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(speak.as_bytes()));
    let io = TokioIo::new(stream);
    let request = Request::get("https://localhost/healthz").header("host", "localhost");
    let request = request.body(Empty::<Bytes>::new()).unwrap();
    let status = if speak == "h2" {
        let client = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
        let (mut send, connection) = client.handshake(io).await.unwrap();
        tokio::spawn(connection);
        send.send_request(request).await.unwrap().status()
    } else {
        let (mut send, connection) = hyper::client::conn::http1::handshake(io).await.unwrap();
        tokio::spawn(connection);
        send.send_request(request).await.unwrap().status()
    };
    Some(status.as_u16())
}

#[test]
fn a_renewed_certificate_holds_from_the_next_handshake_on() {
    let folder = tempfile::tempdir().unwrap();
    let (files, first) = renew(folder.path());
    let harness = Harness::of(Options {
        tls: Some(files),
        ..Options::default()
    });
    harness.runtime.block_on(async {
        assert_eq!(ask(&harness, &first, "http/1.1").await, Some(200));
        assert_eq!(ask(&harness, &first, "h2").await, Some(200));
        let (_, second) = renew(folder.path());
        while ask(&harness, &second, "http/1.1").await.is_none() {
            tokio::task::yield_now().await;
        }
        assert_eq!(ask(&harness, &first, "http/1.1").await, None);
    });
}

#[test]
fn a_renewal_that_cannot_be_used_leaves_what_held() {
    let folder = tempfile::tempdir().unwrap();
    let (files, first) = renew(folder.path());
    let tls = Tls::open(files.clone()).unwrap();
    let other = generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    write(&files, "no certificate", &other.signing_key);
    let error = tls.reload().unwrap_err().to_string();
    assert!(error.contains("certificate.pem"), "{error}");
    let CertifiedKey { cert, .. } =
        generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    write(&files, &cert.pem(), &other.signing_key);
    let error = tls.reload().unwrap_err().to_string();
    assert!(error.contains("belong together"), "{error}");
    assert!(Tls::open(files).is_err());
    drop(first);
}
