//! Numbers and units: "30 s", "thirty seconds", "$1,200", "1.2k", "5 GB", "10 %", read to one number and one unit.

use std::sync::LazyLock;

use super::class::{CALENDAR, NUMBER};
use super::lexicon::Folded;
use super::token::{Shape, Token};
use crate::lexicon::WordMap;

/// A unit: its symbol, what it measures, how many of the base unit it is, and how else it is written.
struct Unit {
    symbol: &'static str,
    measures: &'static str,
    factor: f64,
    names: &'static [&'static str],
}

const fn unit(
    symbol: &'static str,
    measures: &'static str,
    factor: f64,
    names: &'static [&'static str],
) -> Unit {
    Unit {
        symbol,
        measures,
        factor,
        names,
    }
}

/// Every unit. A name counts for the first row that holds it.
#[rustfmt::skip]
const UNITS: &[Unit] = &[
    unit("ms", "time", 0.001, &["ms", "msec", "millisecond", "milliseconds", "millisekunden"]),
    unit("s", "time", 1.0, &["s", "sec", "secs", "second", "seconds", "sekunde", "sekunden", "segundo", "segundos", "seconde", "secondes"]),
    unit("min", "time", 60.0, &["min", "mins", "minute", "minutes", "minuten", "minuto", "minutos"]),
    unit("h", "time", 3600.0, &["h", "hr", "hrs", "hour", "hours", "stunde", "stunden", "heure", "heures", "hora", "horas"]),
    unit("d", "time", 86_400.0, &["d", "day", "days", "tag", "tage", "tagen", "jour", "jours", "día", "días"]),
    unit("wk", "time", 604_800.0, &["week", "weeks", "woche", "wochen", "semaine", "semaines", "semana", "semanas"]),
    unit("mo", "time", 2_629_800.0, &["month", "months", "monat", "monate", "monaten", "mois", "mes", "meses"]),
    unit("y", "time", 31_557_600.0, &["year", "years", "yr", "yrs", "jahr", "jahre", "jahren", "an", "ans", "año", "años"]),
    unit("B", "data", 1.0, &["byte", "bytes"]),
    unit("kB", "data", 1e3, &["kb", "kilobyte", "kilobytes"]),
    unit("MB", "data", 1e6, &["mb", "megabyte", "megabytes"]),
    unit("GB", "data", 1e9, &["gb", "gigabyte", "gigabytes", "gig", "gigs"]),
    unit("TB", "data", 1e12, &["tb", "terabyte", "terabytes"]),
    unit("KiB", "data", 1024.0, &["kib"]),
    unit("MiB", "data", 1_048_576.0, &["mib"]),
    unit("GiB", "data", 1_073_741_824.0, &["gib"]),
    unit("%", "share", 0.01, &["%", "percent", "percents", "pct", "prozent", "pour-cent", "porcentaje"]),
    unit("USD", "usd", 1.0, &["$", "usd", "dollar", "dollars", "us$"]),
    unit("EUR", "eur", 1.0, &["€", "eur", "euro", "euros"]),
    unit("GBP", "gbp", 1.0, &["£", "gbp", "pound-sterling"]),
    unit("JPY", "jpy", 1.0, &["¥", "jpy", "yen"]),
    unit("CHF", "chf", 1.0, &["chf", "franken"]),
    unit("NOK", "nok", 1.0, &["nok", "kroner"]),
    unit("mm", "length", 0.001, &["mm", "millimeter", "millimeters", "millimetres"]),
    unit("cm", "length", 0.01, &["cm", "centimeter", "centimeters", "centimetres"]),
    unit("m", "length", 1.0, &["m", "meter", "meters", "metre", "metres"]),
    unit("km", "length", 1000.0, &["km", "kilometer", "kilometers", "kilometre", "kilometres", "kilómetros"]),
    unit("mi", "length", 1609.344, &["mi", "mile", "miles"]),
    unit("ft", "length", 0.3048, &["ft", "feet", "foot"]),
    unit("in", "length", 0.0254, &["inch", "inches"]),
    unit("g", "mass", 0.001, &["g", "gram", "grams", "gramm", "mg-thousand"]),
    unit("mg", "mass", 0.000_001, &["mg", "milligram", "milligrams"]),
    unit("kg", "mass", 1.0, &["kg", "kilo", "kilos", "kilogram", "kilograms"]),
    unit("lb", "mass", 0.453_592_37, &["lb", "lbs", "pound", "pounds"]),
    unit("°C", "temperature", 1.0, &["°c", "celsius", "degrees", "grad"]),
    unit("l", "volume", 1.0, &["l", "liter", "liters", "litre", "litres"]),
    unit("ml", "volume", 0.001, &["ml", "milliliter", "milliliters"]),
    unit("rps", "rate", 1.0, &["rps", "req/s", "requests/s", "qps"]),
];

/// Words that make a number greater.
const SCALES: &[(&str, f64)] = &[
    ("k", 1e3),
    ("thousand", 1e3),
    ("tausend", 1e3),
    ("mille", 1e3),
    ("mil", 1e3),
    ("million", 1e6),
    ("millions", 1e6),
    ("mio", 1e6),
    ("millionen", 1e6),
    ("millones", 1e6),
    ("m", 1e6),
    ("bn", 1e9),
    ("billion", 1e9),
    ("hundred", 100.0),
];

/// No currency that stands before its number is longer, in bytes.
const LONGEST_CURRENCY: usize = 6;

/// A number and its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quantity {
    pub(crate) number: f64,
    pub(crate) unit: Option<&'static str>,
}

impl Quantity {
    /// Whether its unit measures time, or it has none.
    pub(crate) fn may_be_time(&self) -> bool {
        let measure = self.unit.and_then(by_symbol);
        measure.is_none_or(|unit| unit.measures == "time")
    }

    /// The number as it is compared and shown: no grouping, no needless zeros.
    pub(crate) fn shown(&self) -> String {
        format!("{}", self.number)
    }
}

fn find_unit(word: &str) -> Option<&'static Unit> {
    static BY_NAME: LazyLock<WordMap<Folded, &'static Unit>> = LazyLock::new(|| {
        let mut by_name = WordMap::default();
        for unit in UNITS {
            for name in unit.names.iter().filter_map(|name| Folded::of(name)) {
                by_name.entry(name).or_insert(unit);
            }
        }
        by_name
    });
    BY_NAME.get(&Folded::of(word)?).copied()
}

/// Whether `word` is written as the symbol of a unit: "GB", "EUR", "km/h". "Mo" is a name.
pub(crate) fn is_bare_unit(word: &str) -> bool {
    let is_symbol = |part: &str| {
        let shouted = part.chars().all(|c| !c.is_lowercase());
        find_unit(part).is_some_and(|unit| shouted || unit.symbol == part)
    };
    !word.is_empty() && word.split('/').take(3).all(is_symbol)
}

/// A number with its unit in the smallest of its measures, the same for the same amount: "3 km" and "3000 m".
pub(crate) fn plain_amount(number: &str, unit: &str) -> Option<(f64, &'static str)> {
    let (amount, _) = digits(number)?;
    let unit = find_unit(unit)?;
    let base = (amount * unit.factor * 1e9).round() / 1e9;
    Some((base, unit.measures))
}

/// The same of one word: "$1,500", "64GB", "90"; a bare number measures nothing.
pub(crate) fn plain_figure(word: &str) -> Option<(f64, Option<&'static str>)> {
    let (number, unit) = digits(word)?;
    let unit = unit.and_then(by_symbol);
    let base = unit.map_or(number, |unit| (number * unit.factor * 1e9).round() / 1e9);
    Some((base, unit.map(|unit| unit.measures)))
}

/// The symbol of the unit that a word names.
pub(crate) fn symbol_of_unit(word: &str) -> Option<&'static str> {
    find_unit(word).map(|unit| unit.symbol)
}

fn by_symbol(symbol: &str) -> Option<&'static Unit> {
    UNITS.iter().find(|unit| unit.symbol == symbol)
}

/// Whether two shown numbers with their units are the same amount: "60 min" and "1 h".
pub(crate) fn same_amount(one: (&str, Option<&str>), other: (&str, Option<&str>)) -> Option<bool> {
    let (a, b): (f64, f64) = (one.0.parse().ok()?, other.0.parse().ok()?);
    let near = |x: f64, y: f64| (x - y).abs() <= 1e-9 * x.abs().max(y.abs());
    let (Some(left), Some(right)) = (one.1.and_then(by_symbol), other.1.and_then(by_symbol)) else {
        return Some(near(a, b) && (one.1 == other.1 || one.1.is_none() || other.1.is_none()));
    };
    Some(left.measures == right.measures && near(a * left.factor, b * right.factor))
}

/// The quantity that begins at `at`, and the token behind it; "1 hour and 15 minutes" is one.
pub(crate) fn quantity_at(text: &str, tokens: &[Token], at: usize) -> Option<(Quantity, usize)> {
    let (whole, behind) = one_quantity_at(text, tokens, at)?;
    let joined = tokens
        .get(behind)
        .is_some_and(|token| matches!(token.of(text), "and" | "und" | "et" | "y" | ","));
    let rest = || one_quantity_at(text, tokens, behind + usize::from(joined));
    let larger = whole
        .unit
        .and_then(by_symbol)
        .filter(|unit| unit.is_parted());
    let summed = larger.and_then(|larger| {
        let (part, end) = rest()?;
        let smaller = by_symbol(part.unit?).filter(|unit| {
            unit.measures == larger.measures
                && unit.factor < larger.factor
                && part.number * unit.factor < larger.factor
        })?;
        let number = (whole.number * larger.factor / smaller.factor + part.number).round();
        let unit = Some(smaller.symbol);
        Some((Quantity { number, unit }, end))
    });
    Some(summed.unwrap_or((whole, behind)))
}

impl Unit {
    /// Whether amounts of it are told in parts: hours and minutes, feet and inches, pounds and grams.
    fn is_parted(&self) -> bool {
        matches!(self.measures, "time" | "length" | "mass")
    }
}

/// A number with at most one unit.
fn one_quantity_at(text: &str, tokens: &[Token], at: usize) -> Option<(Quantity, usize)> {
    let token = tokens.get(at)?;
    let (number, mut unit, mut behind) = match token.shape {
        Shape::Number => {
            let (number, unit) = digits(token.of(text))?;
            (number, unit, at + 1)
        }
        Shape::Word if token.is(NUMBER) => {
            let (number, behind) = in_words(tokens, at);
            (number, None, behind)
        }
        Shape::Word
            if token.end - token.start <= LONGEST_CURRENCY
                && tokens
                    .get(at + 1)
                    .is_some_and(|next| next.shape == Shape::Number)
                && find_unit(token.of(text)).is_some_and(|unit| unit.measures.len() == 3) =>
        {
            // "EUR 40": a currency before its number.
            let next = tokens
                .get(at + 1)
                .filter(|next| next.shape == Shape::Number)?;
            let (number, _) = digits(next.of(text))?;
            (
                number,
                find_unit(token.of(text)).map(|unit| unit.symbol),
                at + 2,
            )
        }
        Shape::Word | Shape::Thing | Shape::Mark(_) | Shape::Symbol => return None,
    };
    let mut number = number;
    if let Some(scale) = tokens
        .get(behind)
        .filter(|t| t.shape == Shape::Word)
        .and_then(|t| scale(t.of(text)))
        .filter(|_| tokens.get(behind).is_none_or(|t| t.of(text).len() != 1))
    {
        number *= scale;
        behind += 1;
    }
    if let Some(token) = tokens.get(behind) {
        let behind_hyphen = behind + usize::from(token.is_mark('-'));
        let name = tokens.get(behind_hyphen).map_or("", |token| token.of(text));
        let single =
            name.len() == 1 && name.chars().all(char::is_uppercase) && name != "B" && name != "%";
        if let Some(found) = find_unit(name).filter(|_| !single) {
            unit = unit.or(Some(found.symbol));
            behind = behind_hyphen + 1;
        }
    }
    Some((Quantity { number, unit }, behind))
}

fn scale(word: &str) -> Option<f64> {
    let lower = word.to_lowercase();
    SCALES
        .iter()
        .find(|(name, _)| *name == lower)
        .map(|(_, factor)| *factor)
}

/// "Twenty five thousand".
fn in_words(tokens: &[Token], at: usize) -> (f64, usize) {
    let mut total = 0.0;
    let mut group = 0.0_f64;
    let mut here = at;
    while let Some(token) = tokens
        .get(here)
        .filter(|token| token.is(NUMBER) && (here == at || !token.is(CALENDAR)))
    {
        let value = f64::from(token.value());
        match token.value() {
            1000.. => {
                total += group.max(1.0) * value;
                group = 0.0;
            }
            100 => group = group.max(1.0) * value,
            _ => group += value,
        }
        here += 1;
        if tokens.get(here).is_some_and(|t| t.is_mark('-'))
            && tokens.get(here + 1).is_some_and(|t| t.is(NUMBER))
        {
            here += 1;
        }
    }
    (total + group, here)
}

/// "$1,200", "1.2k", "30s", "5GB", "1.234,56", "10%".
fn digits(word: &str) -> Option<(f64, Option<&'static str>)> {
    let currency = word
        .chars()
        .next()
        .filter(|c| matches!(c, '$' | '€' | '£' | '¥'));
    let body = word.trim_start_matches(['$', '€', '£', '¥', '~', '+']);
    let negative = body.starts_with(['-', '−']);
    let body = body.trim_start_matches(['-', '−']);
    let cut = body
        .find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '_'))
        .unwrap_or(body.len());
    let (number, suffix) = body.split_at_checked(cut)?;
    let number = plain(number.trim_end_matches(['.', ',']))?;
    let number = if negative { -number } else { number };
    let mut unit = currency
        .and_then(|c| find_unit(c.encode_utf8(&mut [0; 4])))
        .map(|unit| unit.symbol);
    if suffix.is_empty() {
        return Some((number, unit));
    }
    let suffix = suffix.trim_start_matches('-');
    if matches!(suffix, "k" | "K")
        || (matches!(suffix, "m" | "M" | "bn") && unit.is_some())
        || suffix == "M"
    {
        return Some((number * scale(suffix)?, unit));
    }
    if matches!(suffix, "st" | "nd" | "rd" | "th") {
        return Some((number, None));
    }
    unit = unit.or(Some(find_unit(suffix)?.symbol));
    Some((number, unit))
}

/// Digits with points and commas, whichever of them groups and whichever divides.
fn plain(digits: &str) -> Option<f64> {
    let groups = |mark: char| {
        let mut parts = digits.split(mark);
        let first = parts.next().map_or(0, str::len);
        (1..=3).contains(&first) && digits.contains(mark) && parts.all(|part| part.len() == 3)
    };
    let points = digits.matches('.').count();
    let commas = digits.matches(',').count();
    let cleaned = match (points, commas) {
        (0, 0) => digits.replace('_', ""),
        (0, _) if groups(',') => digits.replace(',', ""),
        (0, 1) => digits.replace(',', "."),
        (1, 0) => digits.to_owned(),
        (_, 0) if groups('.') => digits.replace('.', ""),
        (_, _) if points >= 1 && commas >= 1 => {
            let decimal = digits
                .rfind(['.', ','])
                .and_then(|at| digits.get(at..at + 1))?;
            let group = if decimal == "." { "," } else { "." };
            digits.replace(group, "").replace(',', ".")
        }
        _ => return None,
    };
    cleaned.parse().ok()
}
