//! The reader in the binary: a small net that reads a question and a row together and says how far the row answers it.
//!
//! Vectors of texts tell what texts are about; whether "Marta is coeliac" answers what cannot be served to her has to be read.
//! The net was taught by a sentence model and by rooms of notes with questions; `docs/reading.md` says how, and what it is
//! worth. It shares the words of the table of [`StaticEmbedder`], and needs no file, no network and no other machine.

mod file;
mod layers;
mod net;
mod products;

use std::sync::{Arc, OnceLock};

pub use file::NetError;
pub use testimony_admission::reconcile::PairReader;
pub use testimony_recall::query::RowReader;

use testimony_admission::reconcile::{PairOdds, Relation};

use crate::{StaticEmbedder, TableError};
use layers::States;
use net::{Asked, Net};

/// Taught as `docs/reading.md` says; see NOTICE.
static BUILT_IN: &[u8] = include_bytes!("../../table/reader.net");

/// Of a question and of a row so many tokens are read.
const MOST_TOKENS: usize = 60;

/// The reader inside the binary.
#[derive(Clone)]
pub struct BuiltInReader {
    shared: Arc<Shared>,
}

struct Shared {
    table: StaticEmbedder,
    net: Net,
}

/// Why there is no reader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReaderError {
    /// The words are damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The net is damaged.
    #[error(transparent)]
    Net(#[from] NetError),
}

impl BuiltInReader {
    /// The reader inside the binary. It is read and checked once, however often this is called.
    ///
    /// # Errors
    /// [`ReaderError`] when the binary is damaged.
    pub fn new() -> Result<Self, ReaderError> {
        static ONCE: OnceLock<Result<BuiltInReader, ReaderError>> = OnceLock::new();
        let read = || {
            let table = StaticEmbedder::built_in()?;
            let net = Net::read(BUILT_IN)?;
            let shared = Shared { table, net };
            Ok(BuiltInReader {
                shared: Arc::new(shared),
            })
        };
        ONCE.get_or_init(read).clone()
    }
}

impl BuiltInReader {
    /// What the net says of each text after a first one.
    fn says(&self, asked: Asked, first: &str, texts: &[&str]) -> States {
        let shared = self.shared.as_ref();
        let tokens = |text: &str| {
            let mut tokens = Vec::with_capacity(MOST_TOKENS);
            let mut take = |token| tokens.push(token);
            shared
                .table
                .tokeniser()
                .each_token(text, MOST_TOKENS, &mut take);
            tokens
        };
        let texts: Vec<_> = texts.iter().map(|text| tokens(text)).collect();
        let (net, table) = (&shared.net, &shared.table);
        net.says(asked, table, &tokens(first), &texts)
    }
}

impl RowReader for BuiltInReader {
    fn read(&self, question: &str, rows: &[&str]) -> Vec<f64> {
        let said = self.says(Asked::Answers, question, rows);
        let odds = said.rows().map(|said| said.first().copied());
        odds.map(|odds| f64::from(odds.unwrap_or_default()))
            .collect()
    }

    fn renews(&self, earlier: &str, later: &[&str]) -> Vec<f64> {
        let said = self.says(Asked::Stands, earlier, later);
        said.rows().map(odds_of_a_change).collect()
    }
}

/// The logarithm of the odds that what was read of a pair is that the new one takes the place of the known one.
fn odds_of_a_change(said: &[f32]) -> f64 {
    let of = |which: Relation| {
        said.get(which as usize)
            .map_or(f64::NAN, |it| f64::from(*it))
    };
    let change = of(Relation::Supersedes);
    let others = Relation::ALL
        .iter()
        .filter(|it| **it != Relation::Supersedes);
    let others: Vec<f64> = others.map(|other| of(*other)).collect();
    let most = others.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = others.iter().map(|other| (other - most).exp()).sum();
    change - most - sum.ln()
}

impl PairReader for BuiltInReader {
    fn read(&self, known: &str, new: &str) -> PairOdds {
        let said = self.says(Asked::Stands, known, &[new]);
        let mut odds = said.rows().flatten().copied();
        std::array::from_fn(|_| odds.next().map_or(f64::NAN, f64::from))
    }
}
