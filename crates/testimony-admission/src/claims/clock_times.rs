//! Times of day: "9:30", "1:56 pm", "9 am", "14 Uhr", "9h30", "noon".

use jiff::civil::Time;

use super::class::NUMBER;
use super::token::{Shape, Token};

/// The time of day that begins at `at`, and the token behind it.
pub(crate) fn time_at(text: &str, tokens: &[Token], at: usize) -> Option<(Time, usize)> {
    let token = tokens.get(at)?;
    let word = token.of(text);
    if token.shape == Shape::Word {
        let hour = match word.to_ascii_lowercase().as_str() {
            "noon" | "midday" => 12,
            "midnight" => 0,
            _ => return spoken(text, tokens, at),
        };
        return Time::new(hour, 0, 0, 0).ok().map(|time| (time, at + 1));
    }
    if token.shape != Shape::Number {
        return None;
    }
    let digits = word
        .find(|c: char| c.is_ascii_alphabetic())
        .unwrap_or(word.len());
    let (clock, glued) = word.split_at_checked(digits)?;
    let glued = glued.to_ascii_lowercase();
    if let Some(minutes) = glued.strip_prefix('h') {
        let minute = if minutes.is_empty() {
            0
        } else {
            minutes.parse().ok()?
        };
        return clock_time(clock.parse().ok()?, minute, 0, None).map(|time| (time, at + 1));
    }
    let (half, end) = if glued.is_empty() {
        half_of_day(text, tokens, at + 1)
    } else {
        (half(&glued), at + 1)
    };
    let hour_word = tokens
        .get(end)
        .is_some_and(|next| matches!(next.of(text), "Uhr" | "uhr" | "o'clock" | "heures"));
    let mut parts = clock.split(':');
    let hour = parts.next()?.parse().ok()?;
    let minute = parts.next();
    let second = parts.next().map_or(Some(0), |s| s.parse().ok())?;
    if parts.next().is_some() || !glued.is_empty() && half.is_none() {
        return None;
    }
    if minute.is_none() && half.is_none() && !hour_word {
        return dotted(clock, hour_word, end);
    }
    let time = clock_time(
        hour,
        minute.map_or(Some(0), |m| m.parse().ok().filter(|_| m.len() == 2))?,
        second,
        half,
    )?;
    Some((time, end + usize::from(hour_word)))
}

/// "Half past six", "quarter to nine", "ten past four", "halb sieben", "Viertel nach acht".
fn spoken(text: &str, tokens: &[Token], at: usize) -> Option<(Time, usize)> {
    let word = |place: usize| tokens.get(place).map_or("", |token| token.of(text));
    let at = at + usize::from(word(at) == "a");
    if word(at) == "halb" {
        let hour = spoken_hour(text, tokens.get(at + 1)?)?;
        return Time::new((hour + 23) % 24, 30, 0, 0)
            .ok()
            .map(|time| (time, at + 2));
    }
    let counted = tokens.get(at).filter(|token| token.is(NUMBER));
    let minutes = match word(at).to_lowercase().as_str() {
        "half" => 30,
        "quarter" | "viertel" => 15,
        _ => i16::try_from(counted?.value())
            .ok()
            .filter(|minutes| (2..30).contains(minutes))?,
    };
    let minutes = match word(at + 1) {
        "past" | "after" | "nach" => minutes,
        // "Ten to five" may be from ten to five.
        "to" | "before" | "vor" if minutes == 15 => -minutes,
        _ => return None,
    };
    let hour = spoken_hour(text, tokens.get(at + 2)?)?;
    let (half, end) = half_of_day(text, tokens, at + 3);
    let start = clock_time(hour, 0, 0, half)?;
    let total = (i16::from(start.hour()) * 60 + minutes).rem_euclid(24 * 60);
    let time = Time::new(
        i8::try_from(total / 60).ok()?,
        i8::try_from(total % 60).ok()?,
        0,
        0,
    );
    time.ok().map(|time| (time, end))
}

/// An hour up to twelve, in a word or in digits.
fn spoken_hour(text: &str, token: &Token) -> Option<i8> {
    let hour = if token.is(NUMBER) {
        i8::try_from(token.value()).ok()
    } else {
        token.of(text).parse().ok()
    };
    hour.filter(|hour| (1..=12).contains(hour))
}

/// "9.30 Uhr".
fn dotted(clock: &str, hour_word: bool, end: usize) -> Option<(Time, usize)> {
    let (hour, minute) = clock.split_once('.').filter(|_| hour_word)?;
    clock_time(hour.parse().ok()?, minute.parse().ok()?, 0, None).map(|time| (time, end + 1))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Morning,
    Afternoon,
}

fn half(word: &str) -> Option<Half> {
    match word.replace('.', "").as_str() {
        "am" => Some(Half::Morning),
        "pm" => Some(Half::Afternoon),
        _ => None,
    }
}

/// "am", "pm", "a.m." behind a number, and the token behind it.
fn half_of_day(text: &str, tokens: &[Token], at: usize) -> (Option<Half>, usize) {
    let Some(token) = tokens.get(at) else {
        return (None, at);
    };
    let word = token.of(text).to_ascii_lowercase();
    let Some(found) = half(&word).filter(|_| !token.capital || word.len() == 2) else {
        return (None, at);
    };
    let point = word.contains('.') && tokens.get(at + 1).is_some_and(|next| next.is_mark('.'));
    (Some(found), at + 1 + usize::from(point))
}

fn clock_time(hour: i8, minute: i8, second: i8, half: Option<Half>) -> Option<Time> {
    let hour = match half {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(Half::Morning) => hour % 12,
        Some(Half::Afternoon) => hour % 12 + 12,
    };
    Time::new(hour, minute, second, 0).ok()
}
