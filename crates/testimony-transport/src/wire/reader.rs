//! Reading an object by its table: everything that is wrong is found at once, everything unknown is named, and what is
//! right is handed out as the domain's own types.

use serde_json::{Map, Value};
use testimony_domain::{Bound, Invalid, Problem};

use super::fault::{Fault, Notice, Pointer, Warning, sentence};
use super::field::{Effect, Field, Kind, Table, each};

/// What a reading found beside the values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// What is worth a word.
    pub warnings: Vec<Warning>,
    /// Fields that came and that count for nothing, each with what comes of it.
    pub idle: Vec<(&'static str, Effect)>,
}

/// So many complaints are told of one request.
const MOST_FAULTS: usize = 500;
/// So many warnings are told of one request.
const MOST_WARNINGS: usize = 100;

impl Log {
    /// Says that something is wrong; of one place only the first complaint is told.
    pub fn fault(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS
            && !self
                .faults
                .iter()
                .any(|known| known.pointer == fault.pointer)
        {
            self.faults.push(fault);
        }
    }

    /// Says something that is worth a word.
    pub fn warn(&mut self, notice: Notice, pointer: Pointer, detail: &'static str) {
        if self.has_room_for_warnings() {
            self.warnings.push(Warning {
                notice,
                pointer,
                detail,
            });
        }
    }

    const fn has_room_for_warnings(&self) -> bool {
        self.warnings.len() < MOST_WARNINGS
    }

    fn idle(&mut self, field: &Field) {
        let known = self.idle.iter().any(|(name, _)| *name == field.name);
        if field.effect != Effect::Counts && !known {
            self.idle.push((field.name, field.effect));
        }
    }
}

/// A query as it is read: it holds texts only, and where its table wants a number or a flag and the text is one, it is.
#[must_use]
pub fn of_query(query: Map<String, Value>, fields: Table) -> Map<String, Value> {
    let typed = |(name, value): (String, Value)| {
        let kind = each(fields).find(|field| field.name == name);
        let kind = kind.map(|field| field.kind);
        let text = value
            .as_str()
            .filter(|_| matches!(kind, Some(Kind::Flag | Kind::Whole(_) | Kind::Number(_))));
        let typed = text.and_then(|text| serde_json::from_str(text).ok());
        let typed = typed.filter(|typed: &Value| typed.is_number() || typed.is_boolean());
        (name, typed.unwrap_or(value))
    };
    query.into_iter().map(typed).collect()
}

/// An object that is read by a table.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    values: &'a Map<String, Value>,
    at: &'a Pointer,
}

impl<'a> Object<'a> {
    /// Takes an object, and checks all of it against its table.
    pub fn checked(
        values: &'a Map<String, Value>,
        at: &'a Pointer,
        fields: Table,
        log: &mut Log,
    ) -> Self {
        for field in each(fields) {
            let value = values.get(field.name).filter(|value| !value.is_null());
            match value {
                Some(value) => {
                    check(&field.kind, &at.below(field.name), value, log);
                    log.idle(field);
                }
                None if field.required => {
                    let detail = format!("It is required; send {}.", field.kind.wanted());
                    log.fault(Fault::at(at.below(field.name), detail));
                }
                None => {}
            }
        }
        for name in values.keys() {
            if !log.has_room_for_warnings() {
                break;
            }
            if !each(fields).any(|field| field.name == name) {
                let detail = "There is no such field here, so it was ignored.";
                log.warn(Notice::UnknownField, at.below(name), detail);
            }
        }
        Self { values, at }
    }

    /// Where a field stands.
    #[must_use]
    pub fn pointer(&self, name: &str) -> Pointer {
        self.at.below(name)
    }

    /// A value that is there.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.values.get(name).filter(|value| !value.is_null())
    }

    /// A text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.value(name)?.as_str()
    }

    /// A text of one's own.
    #[must_use]
    pub fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    /// A flag.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.value(name)?.as_bool()
    }

    /// An object of anything.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<&'a Map<String, Value>> {
        self.value(name)?.as_object()
    }

    /// The elements of a list; one alone is a list of one.
    pub fn elements(&self, name: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
        let value = self.value(name);
        let (list, alone) = match value {
            Some(Value::Array(list)) => (list.as_slice(), None),
            other => ([].as_slice(), other),
        };
        list.iter().chain(alone)
    }

    /// The texts of a list.
    pub fn texts(&self, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.elements(name).filter_map(Value::as_str)
    }

    /// A text read as something; what cannot be read is a fault.
    pub fn read<T>(
        &self,
        name: &str,
        log: &mut Log,
        read: impl FnOnce(&str, &str) -> Result<T, Invalid>,
    ) -> Option<T> {
        let text = self.text(name)?;
        keep(read(name, text), &self.pointer(name), log)
    }

    /// A whole number read as something.
    pub fn whole<T>(
        &self,
        name: &str,
        log: &mut Log,
        read: impl FnOnce(&str, u32) -> Result<T, Invalid>,
    ) -> Option<T> {
        let number = whole(self.value(name)?)?;
        // What is beyond 32 bits is beyond every bound, and was refused by the table.
        let number = u32::try_from(number).ok()?;
        keep(read(name, number), &self.pointer(name), log)
    }

    /// A number read as something.
    pub fn number<T>(
        &self,
        name: &str,
        log: &mut Log,
        read: impl FnOnce(&str, f64) -> Result<T, Invalid>,
    ) -> Option<T> {
        let number = self.value(name)?.as_f64()?;
        keep(read(name, number), &self.pointer(name), log)
    }

    /// The texts of a list, each read as something.
    pub fn list<T>(
        &self,
        name: &str,
        log: &mut Log,
        read: impl Fn(&str, &str) -> Result<T, Invalid>,
    ) -> Vec<T> {
        if self.value(name).is_none() {
            return Vec::new();
        }
        let at = self.pointer(name);
        let alone = self.text(name).is_some();
        let texts = self.texts(name).enumerate();
        let kept = texts.filter_map(|(index, text)| {
            let place = if alone { at.clone() } else { at.below(index) };
            keep(read(name, text), &place, log)
        });
        kept.collect()
    }
}

fn keep<T>(read: Result<T, Invalid>, at: &Pointer, log: &mut Log) -> Option<T> {
    read.map_err(|invalid| log.fault(Fault::at(at.clone(), sentence(&invalid))))
        .ok()
}

/// A whole number, also where it is written with a point.
fn whole(value: &Value) -> Option<i64> {
    if let Some(number) = value.as_i64() {
        return Some(number);
    }
    let number = value.as_f64()?;
    let fits = number.fract() == 0.0 && number.abs() < 9e15;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it has no fraction and lies far within the range"
    )]
    fits.then_some(number as i64)
}

/// Checks a value against its kind.
pub(crate) fn check(kind: &Kind, at: &Pointer, value: &Value, log: &mut Log) {
    match kind {
        Kind::Flag => typed(kind, at, value.as_bool(), log, |_, _| {}),
        Kind::Object => typed(kind, at, value.as_object(), log, |_, _| {}),
        Kind::Text(bound) => typed(kind, at, value.as_str(), log, |text, log| {
            keep(fits_text(text, bound), at, log);
        }),
        Kind::TextOrWhole(_) if value.is_i64() => {}
        Kind::TextOrWhole(bound) => typed(kind, at, value.as_str(), log, |text, log| {
            keep(fits_text(text, bound), at, log);
        }),
        Kind::Label(label) => typed(kind, at, value.as_str(), log, |text, log| {
            keep((label.check)("", text), at, log);
        }),
        Kind::Form(form) => typed(kind, at, value.as_str(), log, |text, log| {
            keep((form.check)("", text), at, log);
        }),
        Kind::Word(allowed) => typed(kind, at, value.as_str(), log, |text, log| {
            let known = allowed.contains(&text);
            let unknown = || Invalid::new("", Problem::NotOneOf { allowed });
            keep(known.then_some(()).ok_or_else(unknown), at, log);
        }),
        Kind::Whole(_) => typed(kind, at, whole(value), log, |number, log| {
            #[expect(
                clippy::cast_precision_loss,
                reason = "bounds are far below what a double can tell apart"
            )]
            keep(fits_number(number as f64, kind.bound()), at, log);
        }),
        Kind::Number(_) => typed(kind, at, value.as_f64(), log, |number, log| {
            keep(fits_number(number, kind.bound()), at, log);
        }),
        Kind::Record(_)
        | Kind::TextOrList(..)
        | Kind::Item(_)
        | Kind::List(..)
        | Kind::OneOrMore(..) => check_parts(kind, at, value, log),
    }
}

/// Checks what is made of parts, against its kind.
fn check_parts(kind: &Kind, at: &Pointer, value: &Value, log: &mut Log) {
    match kind {
        Kind::Record(fields) => typed(kind, at, value.as_object(), log, |values, log| {
            Object::checked(values, at, fields, log);
        }),
        Kind::TextOrList(bound, of, most) => match value {
            Value::String(text) => {
                keep(fits_text(text, bound), at, log);
            }
            Value::Array(list) => check_list(of, *most, at, list, log),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
                wrong_type(kind, at, log);
            }
        },
        Kind::Item(fields) => check_item(kind, fields, at, value, log),
        Kind::List(of, most) => typed(kind, at, value.as_array(), log, |list, log| {
            check_list(of, *most, at, list, log);
        }),
        Kind::OneOrMore(of, most) => match value.as_array() {
            Some(list) => check_list(of, *most, at, list, log),
            None => typed(kind, at, value.as_str(), log, |_, log| {
                check(of, at, value, log);
            }),
        },
        Kind::Flag
        | Kind::Text(_)
        | Kind::TextOrWhole(_)
        | Kind::Label(_)
        | Kind::Word(_)
        | Kind::Form(_)
        | Kind::Whole(_)
        | Kind::Number(_)
        | Kind::Object => check(kind, at, value, log),
    }
}

fn typed<T>(
    kind: &Kind,
    at: &Pointer,
    value: Option<T>,
    log: &mut Log,
    then: impl FnOnce(T, &mut Log),
) {
    match value {
        Some(value) => then(value, log),
        None => wrong_type(kind, at, log),
    }
}

fn wrong_type(kind: &Kind, at: &Pointer, log: &mut Log) {
    let detail = format!("It has the wrong type; send {}.", kind.wanted());
    log.fault(Fault::at(at.clone(), detail));
}

fn check_list(of: &Kind, most: usize, at: &Pointer, list: &[Value], log: &mut Log) {
    if list.len() > most {
        let detail = format!(
            "It has {} elements where {most} are allowed; send at most {most}, or split it.",
            list.len()
        );
        log.fault(Fault::at(at.clone(), detail));
        return;
    }
    // Items are read one by one, so that one that is wrong leaves the others alone.
    if matches!(of, Kind::Item(_)) {
        return;
    }
    for (index, value) in list.iter().enumerate() {
        check(of, &at.below(index), value, log);
    }
}

fn check_item(kind: &Kind, fields: Table, at: &Pointer, value: &Value, log: &mut Log) {
    match value {
        Value::String(_) => {
            let content = each(fields).find(|field| field.name == "content");
            if let Some(content) = content {
                check(&content.kind, at, value, log);
            }
        }
        Value::Object(values) => {
            Object::checked(values, at, fields, log);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
            wrong_type(kind, at, log);
        }
    }
}

fn fits_text(text: &str, bound: &Bound) -> Result<(), Invalid> {
    let length = text.chars().count();
    let max = largest(bound);
    if bound.min >= 1.0 && text.trim().is_empty() {
        Err(Invalid::new("", Problem::Empty))
    } else if length > max {
        Err(Invalid::new("", Problem::TooLong { length, max }))
    } else {
        Ok(())
    }
}

/// The greatest number of characters.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounds of texts are whole, positive and small"
)]
const fn largest(bound: &Bound) -> usize {
    bound.max as usize
}

fn fits_number(number: f64, bound: Option<&Bound>) -> Result<(), Invalid> {
    let Some(bound) = bound else { return Ok(()) };
    if (bound.min..=bound.max).contains(&number) {
        return Ok(());
    }
    let (min, max) = (bound.min, bound.max);
    Err(Invalid::new("", Problem::OutOfRange { min, max }))
}
