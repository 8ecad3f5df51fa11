//! Times of day: "9:30", "1:56 pm", "9 am", "14 Uhr", "9h30", "noon".

use jiff::civil::Time;

use super::token::{Shape, Token};

/// The time of day that begins at `at`, and the token behind it.
pub(crate) fn time_at(text: &str, tokens: &[Token], at: usize) -> Option<(Time, usize)> {
    let token = tokens.get(at)?;
    let word = token.of(text);
    if token.shape == Shape::Word {
        let hour = match word.to_ascii_lowercase().as_str() {
            "noon" | "midday" => 12,
            "midnight" => 0,
            _ => return None,
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
