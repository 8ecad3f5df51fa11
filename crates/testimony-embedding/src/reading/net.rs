//! The forward pass: a first text and some rows in, what the net says of each row out.
//!
//! The first text, a question or what is known, is read once, by itself; each row is read with it before, and no row knows of
//! another. Both halves of the net read the same words.

use testimony_admission::reconcile::Relation;

use super::file::{Matrix, NetError, Parts};
use super::layers::{Layer, Linear, Norm, Seen, States, mapped};
use super::products::{Kernel, Plain};
use crate::StaticEmbedder;
use crate::wordpiece::TokenId;

pub(super) struct Net {
    /// Numbers of tokens beside those of the table.
    own: Matrix<'static>,
    /// From both to the width of the net.
    map: Matrix<'static>,
    places: Matrix<'static>,
    /// What is added to tokens of the first text, and to those of rows.
    kinds: [Box<[f32]>; 2],
    norm: Norm,
    answers: Half,
    stands: Half,
    opens: TokenId,
    closes: TokenId,
}

/// What is asked of the net: one half of it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Whether a row answers a question.
    Answers,
    /// How a row stands to what is known.
    Stands,
}

/// The layers that read for one purpose, and what says what they read.
struct Half {
    layers: Vec<Layer>,
    head: Linear,
}

impl Half {
    fn read(parts: &mut Parts<'static>, says: usize) -> Result<Self, NetError> {
        Ok(Self {
            layers: (0..parts.sizes.layers)
                .map(|_| Layer::read(parts))
                .collect::<Result<_, _>>()?,
            head: Linear::read(parts, parts.sizes.width, says)?,
        })
    }
}

impl Net {
    pub(super) fn read(bytes: &'static [u8]) -> Result<Self, NetError> {
        let mut parts = Parts::of(bytes)?;
        let sizes = parts.sizes;
        let width = sizes.width;
        let net = Self {
            own: parts.matrix(sizes.vocabulary, sizes.own, "tokens")?,
            map: parts.matrix(width, sizes.table + sizes.own, "map of tokens")?,
            places: parts.matrix(sizes.places, width, "places")?,
            kinds: [parts.vector(width, "kinds")?, parts.vector(width, "kinds")?],
            norm: Norm::read(&mut parts)?,
            answers: Half::read(&mut parts, 1)?,
            stands: Half::read(&mut parts, Relation::ALL.len())?,
            opens: parts.opens,
            closes: parts.closes,
        };
        parts.end()?;
        Ok(net)
    }

    /// What it says of each row, after the first text.
    pub(super) fn says(
        &self,
        asked: Asked,
        table: &StaticEmbedder,
        first: &[TokenId],
        rows: &[Vec<TokenId>],
    ) -> States {
        let half = match asked {
            Asked::Answers => &self.answers,
            Asked::Stands => &self.stands,
        };
        let pass = Pass {
            net: self,
            half,
            table,
            first,
            rows,
        };
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = pulp::x86::V3::try_new() {
            return kernel.vectorize(On { pass, kernel });
        }
        pass.run(Plain)
    }

    /// A text with what opens and closes it.
    fn framed(&self, text: &[TokenId]) -> impl Iterator<Item = TokenId> {
        let text = text.iter().copied();
        std::iter::once(self.opens).chain(text).chain([self.closes])
    }
}

/// One reading of a first text and rows.
struct Pass<'p> {
    net: &'p Net,
    half: &'p Half,
    table: &'p StaticEmbedder,
    first: &'p [TokenId],
    rows: &'p [Vec<TokenId>],
}

/// The same on a kind of machine, with its widest registers.
#[cfg(target_arch = "x86_64")]
struct On<'p, K> {
    pass: Pass<'p>,
    kernel: K,
}

#[cfg(target_arch = "x86_64")]
impl<K: Kernel> pulp::NullaryFnOnce for On<'_, K> {
    type Output = States;

    #[inline(always)]
    fn call(self) -> States {
        self.pass.run(self.kernel)
    }
}

/// A token of a text: which, at which place, and whether the text is a row.
struct Token {
    id: TokenId,
    place: usize,
    of_row: bool,
}

impl Pass<'_> {
    #[inline(always)]
    fn run<K: Kernel>(&self, kernel: K) -> States {
        let (tokens, seen, opens) = self.laid_out();
        let mut states = self.embedded(kernel, &tokens);
        let last = self.half.layers.len().saturating_sub(1);
        for (at, layer) in self.half.layers.iter().enumerate() {
            // What the last layer makes of other tokens nobody asks for.
            let on = if at == last { &opens } else { &seen };
            states = layer.apply(kernel, &states, on);
        }
        self.half.head.apply(kernel, &states)
    }

    /// All tokens, what each of them sees, and the same of those that open rows.
    fn laid_out(&self) -> (Vec<Token>, Vec<Seen>, Vec<Seen>) {
        let mut tokens: Vec<Token> = Vec::new();
        let (mut seen, mut opens) = (Vec::new(), Vec::new());
        let framed = self.net.framed(self.first);
        tokens.extend(framed.enumerate().map(|(place, id)| Token {
            id,
            place,
            of_row: false,
        }));
        let behind = tokens.len();
        let sees = |token, stretches| Seen { token, stretches };
        seen.extend((0..behind).map(|token| sees(token, [0..behind, 0..0])));
        for row in self.rows {
            let from = tokens.len();
            let framed = self.net.framed(row);
            tokens.extend(framed.zip(behind..).map(|(id, place)| Token {
                id,
                place,
                of_row: true,
            }));
            let own = from..tokens.len();
            opens.push(sees(from, [0..behind, own.clone()]));
            seen.extend(
                own.clone()
                    .map(|token| sees(token, [0..behind, own.clone()])),
            );
        }
        (tokens, seen, opens)
    }

    #[inline(always)]
    fn embedded<K: Kernel>(&self, kernel: K, tokens: &[Token]) -> States {
        let net = self.net;
        let mut known = States::zeros(tokens.len(), net.map.columns());
        let of_table = net.map.columns() - net.own.columns();
        for (known, token) in known.rows_mut().zip(tokens) {
            let (first, second) = known.split_at_mut(of_table);
            self.table.add_row(token.id, first);
            net.own
                .add_row(usize::try_from(token.id).unwrap_or(usize::MAX), second);
        }
        let mut states = mapped(kernel, &net.map, None, &known);
        for (state, token) in states.rows_mut().zip(tokens) {
            net.places.add_row(token.place, state);
            let [of_first, of_row] = &net.kinds;
            let kind = if token.of_row { of_row } else { of_first };
            for (number, kind) in state.iter_mut().zip(kind) {
                *number += kind;
            }
        }
        net.norm.apply(&mut states);
        states
    }
}
