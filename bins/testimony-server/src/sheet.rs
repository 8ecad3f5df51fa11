//! What a person reads: lines of words, some of them in colour where that is wanted.

use std::io::IsTerminal as _;

/// How a word looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Plain,
    Bold,
    Dim,
    Good,
    Careful,
    Bad,
}

impl Ink {
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Bold => "\u{1b}[1m",
            Self::Dim => "\u{1b}[2m",
            Self::Good => "\u{1b}[32m",
            Self::Careful => "\u{1b}[33m",
            Self::Bad => "\u{1b}[31m",
        }
    }

    /// The colour of a state, a verdict or a bucket.
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "active" | "trusted" | "sound" | "done" | "direct_answer" => Self::Good,
            "pending" | "caution" | "needs_review" | "waiting" | "open" => Self::Careful,
            "rejected" | "blocked" | "quarantined" | "dead" | "failed" | "revoked" => Self::Bad,
            _ => Self::Plain,
        }
    }
}

/// Whether words are in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colours {
    On,
    Off,
}

impl Colours {
    /// On for a person at a terminal who has nothing against colours (no-color.org).
    pub(crate) fn wanted(no_color: Option<&str>) -> Self {
        let refused = no_color.is_some_and(|said| !said.is_empty());
        if std::io::stdout().is_terminal() && !refused {
            Self::On
        } else {
            Self::Off
        }
    }
}

/// Lines of words.
#[derive(Debug)]
pub(crate) struct Sheet {
    text: String,
    colours: Colours,
}

impl Sheet {
    pub(crate) const fn new(colours: Colours) -> Self {
        let text = String::new();
        Self { text, colours }
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// A line of words behind so many spaces. Nothing in a word steers the terminal.
    pub(crate) fn line(&mut self, indent: usize, words: &[(Ink, &str)]) {
        self.text.extend(std::iter::repeat_n(' ', indent));
        for (ink, word) in words {
            self.word(*ink, &visible(word));
        }
        while self.text.ends_with(' ') {
            self.text.pop();
        }
        self.text.push('\n');
    }

    fn word(&mut self, ink: Ink, word: &str) {
        if self.colours == Colours::Off || ink == Ink::Plain {
            self.text.push_str(word);
            return;
        }
        self.text.push_str(ink.code());
        self.text.push_str(word);
        self.text.push_str("\u{1b}[0m");
    }

    /// A line of one plain text.
    pub(crate) fn say(&mut self, text: &str) {
        self.line(0, &[(Ink::Plain, text)]);
    }

    /// A line in a lighter hand.
    pub(crate) fn note(&mut self, indent: usize, text: &str) {
        self.line(indent, &[(Ink::Dim, text)]);
    }

    /// What follows is about this.
    pub(crate) fn heading(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.line(0, &[(Ink::Bold, text)]);
    }

    /// A name and what it stands for, below each other with others of the same width.
    pub(crate) fn pair(&mut self, indent: usize, width: usize, name: &str, value: &str) {
        let name = format!("{name:width$}  ");
        self.line(indent, &[(Ink::Dim, &name), (Ink::Plain, value)]);
    }

    /// A text of several lines, each behind a bar.
    pub(crate) fn block(&mut self, indent: usize, text: &str) {
        for line in text.lines() {
            self.line(indent, &[(Ink::Dim, "│ "), (Ink::Plain, line)]);
        }
    }

    /// Rows below each other, each column as wide as its widest cell.
    pub(crate) fn table(&mut self, indent: usize, rows: &[Vec<(Ink, String)>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = rows.iter().filter_map(|row| row.get(column));
                let widest = cells.map(|(_, cell)| visible(cell).chars().count()).max();
                widest.unwrap_or_default()
            })
            .collect();
        for row in rows {
            let padded: Vec<(Ink, String)> = row
                .iter()
                .zip(&widths)
                .map(|((ink, cell), width)| (*ink, format!("{:width$}  ", visible(cell))))
                .collect();
            let words: Vec<(Ink, &str)> = padded
                .iter()
                .map(|(ink, cell)| (*ink, cell.as_str()))
                .collect();
            self.line(indent, &words);
        }
    }
}

/// The text with what would move the cursor, colour the terminal or reverse the line written out.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let steers = c.is_control() && c != '\t';
        let hides = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
        if steers || hides {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// `1 memory`, `2 memories`.
pub(crate) fn counted(count: u64, one: &str, more: &str) -> String {
    let what = if count == 1 { one } else { more };
    format!("{count} {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_steer_the_terminal() {
        assert_eq!(
            visible("a\u{1b}[31mb\u{202e}c\td"),
            "a\\u{1b}[31mb\\u{202e}c\td"
        );
        let mut sheet = Sheet::new(Colours::Off);
        sheet.line(2, &[(Ink::Bad, "a\nb "), (Ink::Plain, "")]);
        assert_eq!(sheet.into_text(), "  a\\u{a}b\n");
    }

    #[test]
    fn colours_come_only_where_they_are_wanted() {
        let mut sheet = Sheet::new(Colours::On);
        sheet.line(0, &[(Ink::Good, "yes"), (Ink::Plain, " and no")]);
        assert_eq!(sheet.into_text(), "\u{1b}[32myes\u{1b}[0m and no\n");
        assert_eq!(Colours::wanted(Some("1")), Colours::Off);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut sheet = Sheet::new(Colours::Off);
        let row = |a: &str, b: &str| vec![(Ink::Plain, a.to_owned()), (Ink::Plain, b.to_owned())];
        sheet.table(1, &[row("a", "one"), row("long", "two")]);
        assert_eq!(sheet.into_text(), " a     one\n long  two\n");
    }
}
