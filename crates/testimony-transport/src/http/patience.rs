//! A connection whose peer has to take what it asked for: one that reads nothing for too long is cut.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A connection with patience for its peer.
pub(super) struct Patient<I> {
    inner: I,
    patience: Duration,
    /// Runs while what is written finds no room.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<I> Patient<I> {
    pub(super) const fn new(inner: I, patience: Duration) -> Self {
        Self {
            inner,
            patience,
            waiting: None,
        }
    }

    /// What a write came to, or that it waited too long.
    fn or_too_long<T>(
        &mut self,
        written: Poll<Result<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let patience = self.patience;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(waiting.as_mut().poll(cx));
        let too_long = "the peer takes nothing of what it asked for";
        Poll::Ready(Err(Error::new(ErrorKind::TimedOut, too_long)))
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Patient<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, into)
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Patient<I> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.or_too_long(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, pieces);
        self.or_too_long(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(cx);
        self.or_too_long(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let shut = Pin::new(&mut self.inner).poll_shutdown(cx);
        self.or_too_long(shut, cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    #[test]
    fn a_peer_that_takes_nothing_is_waited_for_only_so_long() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(async {
            let (server, mut client) = duplex(4);
            let mut server = Patient::new(server, Duration::from_millis(5));
            server.write_all(b"1234").await.unwrap();
            let stuck = server.write_all(b"5").await.unwrap_err();
            assert_eq!(stuck.kind(), ErrorKind::TimedOut);
            // Once something is taken, waiting begins anew.
            let mut taken = [0; 4];
            client.read_exact(&mut taken).await.unwrap();
            server.write_all(b"6").await.unwrap();
            client.write_all(b"hi").await.unwrap();
            let mut heard = [0; 2];
            server.read_exact(&mut heard).await.unwrap();
            assert_eq!(&heard, b"hi");
        });
    }
}
