//! The description as a page for people: one document without scripts, which loads its style sheet and nothing else.

use std::fmt::Write as _;

use serde_json::Value;

use super::examples::Example;
use super::operation::{codes, is_named_write, names, needs, tag};
use super::schema::{note, spelled};
use super::{ABOUT, CONVENTIONS, described, headings, title};
use crate::routes::{Audience, Route};
use crate::wire::field::{Kind, Table, each};
use crate::wire::item::ITEM;
use crate::wire::shape::Shape;

/// The style sheet of the page.
pub const STYLE: &str = include_str!("page.css");

/// The page.
#[must_use]
pub fn page(audience: Audience) -> String {
    let mut html = head(audience);
    contents(&mut html, audience);
    html.push_str("<main>\n");
    introduction(&mut html, audience);
    let mut types = Types::default();
    for heading in headings(audience) {
        let _ = writeln!(html, "<h2 id=\"{heading}\">{}</h2>", capital(heading));
        for route in described(audience).filter(|route| tag(route) == heading) {
            section(&mut html, route, &mut types);
        }
    }
    type_sections(&mut html, types);
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

/// A text as it may stand in a page.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// A sentence in which what stands between backticks is code.
fn prose(text: &str) -> String {
    let mut html = String::new();
    for (at, part) in text.split('`').enumerate() {
        let part = escaped(part);
        if at % 2 == 1 {
            let _ = write!(html, "<code>{part}</code>");
        } else {
            html.push_str(&part);
        }
    }
    html
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn head(audience: Audience) -> String {
    let title = title(audience);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} · Reference</title>\n\
         <link rel=\"stylesheet\" href=\"/docs/style.css\">\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#top\">Skip to the text</a>\n"
    )
}

fn contents(html: &mut String, audience: Audience) {
    html.push_str("<nav aria-label=\"Contents\">\n<details open>\n<summary>Contents</summary>\n");
    for heading in headings(audience) {
        let _ = writeln!(
            html,
            "<p><a href=\"#{heading}\">{}</a></p>\n<ul>",
            capital(heading)
        );
        for route in described(audience).filter(|route| tag(route) == heading) {
            let name = route.name;
            let _ = writeln!(html, "<li><a href=\"#{name}\">{}</a></li>", spaced(name));
        }
        html.push_str("</ul>\n");
    }
    html.push_str("<p><a href=\"#types\">Types</a></p>\n</details>\n</nav>\n");
}

fn spaced(name: &str) -> String {
    escaped(&name.replace('_', " "))
}

fn introduction(html: &mut String, audience: Audience) {
    let document = match audience {
        Audience::Public | Audience::Browser => "/openapi.public.json",
        Audience::Operator => "/openapi.operator.json",
    };
    let _ = writeln!(html, "<header id=\"top\">\n<h1>{}</h1>", title(audience));
    let _ = writeln!(html, "<p class=\"lead\">{}</p>\n</header>", prose(ABOUT));
    html.push_str("<section aria-label=\"Conventions\">\n<ul class=\"plain\">\n");
    for sentence in CONVENTIONS {
        let _ = writeln!(html, "<li>{}</li>", prose(sentence));
    }
    let _ = writeln!(
        html,
        "</ul>\n<p>The same for machines: <a href=\"{document}\"><code>{document}</code></a>, OpenAPI 3.1, version {}.</p>\n</section>",
        env!("CARGO_PKG_VERSION")
    );
}

/// The name of a route, where it is, and who may ask it.
fn heading(html: &mut String, route: &Route) {
    let name = route.name;
    let _ = writeln!(
        html,
        "<section class=\"route\" aria-labelledby=\"{name}\">\n<h3 id=\"{name}\"><a href=\"#{name}\">{}</a></h3>",
        spaced(name)
    );
    let pattern = escaped(route.pattern).replace('/', "/<wbr>");
    let _ = writeln!(
        html,
        "<p class=\"path\"><span class=\"method\">{}</span> <code>{pattern}</code></p>\n<p>{} {}</p>",
        route.method,
        prose(route.summary),
        prose(&needs(route)),
    );
}

fn section(html: &mut String, route: &Route, types: &mut Types) {
    heading(html, route);
    let path: Vec<String> = names(route.pattern)
        .map(|name| format!("<code>{}</code>", escaped(name)))
        .collect();
    if !path.is_empty() {
        let _ = writeln!(html, "<p>In the path: {}.</p>", path.join(", "));
    }
    if is_named_write(route) {
        html.push_str("<p>The header <code>Idempotency-Key</code> names the write, so that it is carried out once.</p>\n");
    }
    if let Some(table) = route.body {
        fields(html, "Request", table, types);
        if !route.one_of.is_empty() {
            let one_of = route.one_of.join("` or `");
            let _ = writeln!(
                html,
                "<p>{}</p>",
                prose(&format!("One of `{one_of}` is needed."))
            );
        }
    }
    if !route.query.is_empty() {
        fields(html, "Query", route.query, types);
    }
    members(html, "Answer", &route.answer, types);
    statuses(html, route);
    example(html, route);
    html.push_str("</section>\n");
}

fn fields(html: &mut String, caption: &str, table: Table, types: &mut Types) {
    open_table(html, caption);
    for field in each(table) {
        let mut what = kind(&field.kind, types);
        if field.required {
            what.push_str(", <strong>required</strong>");
        }
        if let Some(default) = field.default {
            let _ = write!(
                what,
                ", else <code>{}</code>",
                escaped(&default().to_string())
            );
        }
        row(html, field.name, &what, &prose(&note(field)));
    }
    html.push_str("</tbody></table></div>\n");
}

fn open_table(html: &mut String, caption: &str) {
    let _ = writeln!(
        html,
        "<div class=\"table\"><table><caption>{caption}</caption><thead><tr><th scope=\"col\">Field</th><th scope=\"col\">What</th><th scope=\"col\">Meaning</th></tr></thead><tbody>"
    );
}

fn row(html: &mut String, name: &str, what: &str, meaning: &str) {
    let name = escaped(name).replace('_', "_<wbr>");
    let _ = writeln!(
        html,
        "<tr><th scope=\"row\"><code>{name}</code></th><td>{what}</td><td>{meaning}</td></tr>"
    );
}

/// What a value has to be, in words.
fn kind(kind: &Kind, types: &mut Types) -> String {
    let bound = kind.bound();
    let from_to = bound.map(|bound| (spelled(bound.min), spelled(bound.max)));
    match kind {
        Kind::Flag => "flag".to_owned(),
        Kind::Text(_) | Kind::Label(_) => from_to.map_or_else(
            || "text".to_owned(),
            |(min, max)| format!("text, {min} to {max} characters"),
        ),
        Kind::TextOrWhole(bound) => {
            format!(
                "text of at most {} characters, or whole number",
                spelled(bound.max)
            )
        }
        Kind::Word(all) => words(all),
        Kind::Form(form) => format!("text such as {}", escaped(form.like)),
        Kind::Whole(_) => number("whole number", from_to),
        Kind::Number(_) => number("number", from_to),
        Kind::Object => "object".to_owned(),
        Kind::Record(table) => record(table, types),
        Kind::TextOrList(_, of, most) => format!(
            "text, or a list of at most {most}: {}",
            self::kind(of, types)
        ),
        Kind::Item(_) => {
            types.item = true;
            "text or <a href=\"#type-item\">item</a>".to_owned()
        }
        Kind::List(of, most) => format!("list of at most {most}: {}", self::kind(of, types)),
        Kind::OneOrMore(of, most) => format!(
            "one, or a list of at most {most}: {}",
            self::kind(of, types)
        ),
    }
}

fn number(what: &str, from_to: Option<(Value, Value)>) -> String {
    from_to.map_or_else(
        || what.to_owned(),
        |(min, max)| format!("{what}, {min} to {max}"),
    )
}

/// The fields of an object within a row.
fn record(table: Table, types: &mut Types) -> String {
    let fields = each(table).map(|field| {
        let what = kind(&field.kind, types);
        format!("<code>{}</code>, {what}", escaped(field.name))
    });
    let fields: Vec<String> = fields.collect();
    format!("object of {}", fields.join("; "))
}

fn words(words: &[&str]) -> String {
    const MOST: usize = 24;
    let shown = words.iter().take(MOST);
    let all: Vec<String> = shown
        .map(|word| format!("<code>{}</code>", escaped(word)))
        .collect();
    let more = words.len().saturating_sub(MOST);
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("one of {}{rest}", all.join(", "))
}

/// The types that have a name, in the order in which they are met.
#[derive(Default)]
struct Types {
    item: bool,
    met: Vec<(&'static str, &'static Shape)>,
}

impl Types {
    fn meet(&mut self, name: &'static str, shape: &'static Shape) -> String {
        if !self.met.iter().any(|(known, _)| *known == name) {
            self.met.push((name, shape));
        }
        format!("<a href=\"#type-{}\">{name}</a>", name.to_ascii_lowercase())
    }
}

/// A table of what an object holds; of anything else, a sentence.
fn members(html: &mut String, caption: &str, answer: &Shape, types: &mut Types) {
    let groups = answer.groups();
    if groups.is_empty() {
        let what = of_shape(answer, types);
        let _ = writeln!(html, "<p>{caption}: {what}.</p>");
        return;
    }
    open_table(html, caption);
    for member in groups.iter().copied().flatten() {
        let mut what = of_shape(&member.shape, types);
        if !member.always {
            what.push_str(", at times");
        }
        row(html, member.name, &what, &prose(member.note));
    }
    html.push_str("</tbody></table></div>\n");
}

/// What a value of an answer is, in words.
fn of_shape(shape: &Shape, types: &mut Types) -> String {
    match shape {
        Shape::Text => "text".to_owned(),
        Shape::Time => "time".to_owned(),
        Shape::Id(prefix) => format!("id, <code>{prefix}_…</code>"),
        Shape::Word(all) => words(all),
        Shape::Flag => "flag".to_owned(),
        Shape::Whole => "whole number".to_owned(),
        Shape::Number => "number".to_owned(),
        Shape::Object(_) | Shape::Groups(_) | Shape::Open(_) => "object".to_owned(),
        Shape::Named(name, inner) => types.meet(name, inner),
        Shape::Map(inner) => format!("object of {}", of_shape(inner, types)),
        Shape::List(inner) => format!("list of {}", of_shape(inner, types)),
        Shape::Maybe(inner) => format!("{} or <code>null</code>", of_shape(inner, types)),
        Shape::Anything => "anything".to_owned(),
    }
}

fn statuses(html: &mut String, route: &Route) {
    html.push_str("<dl class=\"statuses\">\n");
    let mut all: Vec<u16> = route.all_statuses().collect();
    all.sort_unstable();
    for status in all {
        let meaning: Vec<String> = codes(route, status)
            .iter()
            .map(|code| format!("<code>{code}</code> {}", escaped(code.title())))
            .collect();
        let meaning = if status < 300 {
            "It was done.".to_owned()
        } else {
            meaning.join("; ") + "."
        };
        let _ = writeln!(html, "<div><dt>{status}</dt><dd>{meaning}</dd></div>");
    }
    html.push_str("</dl>\n");
}

fn example(html: &mut String, route: &Route) {
    let Some(example) = Example::of(route.name) else {
        return;
    };
    html.push_str("<details class=\"example\"><summary>Example</summary>\n");
    for value in [example.request, example.answer] {
        if value != Value::Null {
            let text = serde_json::to_string_pretty(&value).unwrap_or_default();
            let _ = writeln!(
                html,
                "<pre tabindex=\"0\"><code>{}</code></pre>",
                escaped(&text)
            );
        }
    }
    html.push_str("</details>\n");
}

/// Every type that has a name, once.
fn type_sections(html: &mut String, mut types: Types) {
    html.push_str("<h2 id=\"types\">Types</h2>\n");
    if types.item {
        html.push_str(
            "<section class=\"type\">\n<h3 id=\"type-item\"><a href=\"#type-item\">Item</a></h3>\n",
        );
        fields(html, "Item", ITEM, &mut types);
        html.push_str("</section>\n");
    }
    let mut at = 0;
    while let Some((name, shape)) = types.met.get(at).copied() {
        let id = name.to_ascii_lowercase();
        let _ = writeln!(
            html,
            "<section class=\"type\">\n<h3 id=\"type-{id}\"><a href=\"#type-{id}\">{name}</a></h3>"
        );
        members(html, name, shape, &mut types);
        html.push_str("</section>\n");
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_page_cannot_leave_its_place() {
        assert_eq!(escaped("<a b='\"'>&"), "&lt;a b=&#39;&quot;&#39;&gt;&amp;");
        assert_eq!(prose("send `<x>` now"), "send <code>&lt;x&gt;</code> now");
    }

    #[test]
    fn every_anchor_that_is_linked_is_there_and_nothing_is_loaded_but_the_style_sheet() {
        for audience in [Audience::Public, Audience::Operator] {
            let page = page(audience);
            for link in page.split("href=\"#").skip(1) {
                let target = link.split('"').next().unwrap_or_default();
                assert!(page.contains(&format!("id=\"{target}\"")), "#{target}");
            }
            for forbidden in [
                "<script", "style=\"", "http://", "https://", " src=", "onclick",
            ] {
                assert!(!page.contains(forbidden), "{forbidden}");
            }
        }
    }
}
