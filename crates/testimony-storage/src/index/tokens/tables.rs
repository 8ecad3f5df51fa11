//! Signs, scripts, units and words as data.

use std::ops::RangeInclusive;

/// Signs that hold a compound together, the widest cut first.
pub(super) const SEPARATORS: [&[char]; 5] = [
    &['/', '\\', '?', '&', '=', '#', ','],
    &['@', ':'],
    &['.'],
    &['-', '_', '+', '~', '‐', '‑'],
    &['\'', '’'],
];

/// Signs that belong to the number beside them.
pub(super) const SYMBOLS: &[char] = &['€', '$', '£', '¥', '₹', '₽', '₩', '₺', '₴', '₿', '¢', '%'];

/// Scripts that write words without spaces between them.
pub(super) const SPACELESS: &[RangeInclusive<char>] = &[
    '\u{e00}'..='\u{eff}',     // Thai, Lao
    '\u{1000}'..='\u{109f}',   // Myanmar
    '\u{1780}'..='\u{17ff}',   // Khmer
    '\u{2e80}'..='\u{2fdf}',   // radicals
    '\u{3005}'..='\u{3007}',   // marks of repetition
    '\u{3040}'..='\u{30ff}',   // Hiragana, Katakana
    '\u{31f0}'..='\u{31ff}',   // Katakana extensions
    '\u{3400}'..='\u{4dbf}',   // Han
    '\u{4e00}'..='\u{9fff}',   // Han
    '\u{ac00}'..='\u{d7a3}',   // Hangul, whose endings are written to the word
    '\u{f900}'..='\u{faff}',   // Han
    '\u{ff66}'..='\u{ff9f}',   // half-width Katakana
    '\u{20000}'..='\u{323af}', // Han
];

/// Marks that only vary a letter.
pub(super) const DROPPED_MARKS: &[RangeInclusive<char>] = &[
    '\u{300}'..='\u{36f}', // accents
    '\u{591}'..='\u{5c7}', // Hebrew points
    '\u{64b}'..='\u{65f}', // Arabic vowels
];

/// Letters that others spell with two, or without their stroke.
pub(super) const SPELLED_OUT: &[(char, &str)] = &[
    ('ß', "ss"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('ø', "o"),
    ('ł', "l"),
    ('đ', "d"),
    ('ð', "d"),
    ('þ', "th"),
    ('ı', "i"),
];

/// Units that make one amount with the number before them, in folded form.
#[rustfmt::skip]
pub(super) const UNITS: &[&str] = &[
    "b", "kb", "mb", "gb", "tb", "pb", "kib", "mib", "gib", "tib", "bit", "bits", "byte", "bytes",
    "ns", "us", "µs", "ms", "s", "sec", "secs", "min", "mins", "h", "hr", "hrs", "hour", "hours", "minute", "minutes",
    "second", "seconds", "day", "days", "week", "weeks", "month", "months", "year", "years",
    "hz", "khz", "mhz", "ghz", "rpm", "rps", "qps", "fps", "px", "pt", "em", "rem", "dpi",
    "mm", "cm", "m", "km", "ft", "yd", "mi", "mile", "miles", "meter", "meters", "metre", "metres",
    "mg", "g", "kg", "t", "lb", "lbs", "oz", "ml", "cl", "l", "gal", "v", "mv", "kv", "w", "kw", "mw", "kwh", "wh",
    "ma", "mah", "c", "f", "k", "bar", "psi", "db", "am", "pm", "percent", 
    "usd", "eur", "gbp", "jpy", "chf", "cny", "inr", "cad", "aud", "sek", "nok", "dkk", "pln", "dollar", "dollars",
    "euro", "euros", "pound", "pounds", "yen",
];

/// Words that carry no topic, folded, by language.
#[rustfmt::skip]
pub(super) const STOP_WORDS: &[&[&str]] = &[
    &["a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do",
      "does", "for", "from", "had", "has", "have", "he", "her", "him", "his", "how", "i", "if", "in", "into", "is", "it",
      "its", "me", "my", "no", "not", "of", "on", "or", "our", "please", "she", "should", "so", "such", "than", "that",
      "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "us", "was", "we", "were", "what",
      "when", "where", "which", "who", "whom", "whose", "why", "will", "with", "would", "you", "your"],
    &["aber", "als", "am", "an", "auch", "auf", "aus", "bei", "bin", "bist", "das", "dass", "dem", "den", "der", "des",
      "die", "du", "ein", "eine", "einem", "einen", "einer", "eines", "er", "es", "fur", "hat", "hatte", "ich", "ihr",
      "im", "in", "ist", "mein", "meine", "mit", "nach", "nicht", "oder", "sein", "sie", "sind", "und", "uns", "vom",
      "von", "wann", "war", "waren", "warum", "was", "welche", "welcher", "welches", "wer", "wie", "wir", "wird", "wo",
      "zu", "zum", "zur"],
    &["a", "au", "aux", "avec", "ce", "ces", "cette", "comment", "dans", "de", "des", "du", "elle", "en", "est", "et",
      "etait", "il", "ils", "je", "la", "le", "les", "leur", "ma", "mais", "mes", "mon", "ne", "nous", "on", "ont", "ou",
      "par", "pas", "pour", "pourquoi", "quand", "que", "quel", "quelle", "qui", "sa", "se", "ses", "son", "sont", "sur",
      "tu", "un", "une", "vous"],
    &["a", "al", "como", "con", "cual", "cuando", "de", "del", "donde", "el", "ella", "en", "era", "es", "esta", "este",
      "fue", "ha", "la", "las", "lo", "los", "mi", "mis", "no", "nos", "o", "para", "pero", "por", "que", "quien", "se",
      "son", "su", "sus", "tu", "un", "una", "y", "yo"],
];
