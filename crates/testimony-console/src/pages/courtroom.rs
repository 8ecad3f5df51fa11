//! The case of one memory: what is claimed, the verdict and how it came to be, what speaks for and against it.

use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::desk::Refused;
use crate::parts::difference::sides;
use crate::parts::frame::{Frame, Here, page};
use crate::parts::memory::{LABELS, instant, meta, who};
use crate::parts::{form, mark, said, timeline};
use crate::serve::{Outcome, Room};
use crate::text::{
    at, fields, flag, link, list, number, said as told, segment, text, texts, title, whole, words,
};

pub(super) fn case(room: &Room<'_>) -> Outcome {
    let visit = room.visit;
    let id = visit.get("case").ok_or_else(Refused::nothing_here)?;
    let file = file(room, id);
    let row = file.as_ref().map(|file| at(file, "memory"));
    let report = report(room, id, row)?;
    let body = html! {
        article.courtroom {
            (claim(room, &report, row))
            (verdicts(&report))
            (evidence(room, &report))
            (contradictions(room, &report))
            (banks(room, &report))
            (missing(&report))
            (questions(room, &report, id))
            (lineage(room, &report))
            @if let Some(file) = &file { (record(room, file)) (set_right(room, at(file, "memory"))) }
        }
    };
    let frame = Frame {
        title: "Case",
        here: Here::Memories,
        container: row.and_then(|row| told(row, "container_tag")),
    };
    Ok(page(room, &frame, &body))
}

/// All that hangs on it; only operators are shown that. A fact stands for the revision that holds.
fn file(room: &Room<'_>, id: &str) -> Option<Value> {
    if !room.is_admin() {
        return None;
    }
    let path = format!("/api/v1/admin/memories/{}", segment(id));
    room.desk.ask("GET", &path, Map::new()).ok()
}

fn report(room: &Room<'_>, id: &str, row: Option<&Value>) -> Result<Value, Refused> {
    let visit = room.visit;
    let mut pairs = vec![("query", visit.or_empty("ask")), ("include_ai", "true")];
    for name in LABELS {
        let of_row = row.map(|row| text(at(row, "labels"), name));
        pairs.push((
            name,
            of_row
                .filter(|label| !label.is_empty())
                .unwrap_or_else(|| visit.or_empty(name)),
        ));
    }
    let path = format!("/api/v1/memories/{}/courtroom", segment(id));
    room.desk.ask("GET", &path, fields(&pairs))
}

fn claim(room: &Room<'_>, report: &Value, row: Option<&Value>) -> Markup {
    let statement = text(report, "statement");
    html! {
        header.claim {
            p.overline { "The claim" }
            @if statement.is_empty() { p.note { "What it says may not be shown." } }
            @else { (said::text(statement)) }
            @match row {
                Some(row) => (meta(room, row)),
                None => p.meta { (mark::trust(text(report, "trust_bucket"))) },
            }
            p.ids { code { (text(report, "memory_id")) } " " code { (text(report, "fact_id")) } }
        }
    }
}

fn verdicts(report: &Value) -> Markup {
    let verdict = text(report, "final_verdict");
    html! {
        section.verdicts aria-label="Verdict" {
            div.final {
                p.overline { "Final verdict" }
                p.big { (mark::trust(verdict)) }
                p { "To do: " (words(text(report, "final_recommended_action"))) }
            }
            div {
                p.overline { "By the rules" }
                p.strong { (mark::trust(text(report, "deterministic_verdict.verdict"))) }
                ul { @for sentence in texts(report, "deterministic_verdict.reason_sentences") { li { (sentence) } } }
                p.note { "In time: " (words(text(report, "deterministic_verdict.temporal_state"))) }
            }
            (judgment(report))
        }
        (guardrails(report))
    }
}

fn judgment(report: &Value) -> Markup {
    let ai = at(report, "ai_judgment");
    html! {
        div {
            p.overline { "By a model" }
            @match told(ai, "ai_verdict") {
                Some(verdict) => {
                    p.strong { (mark::trust(verdict)) }
                    @if let Some(rationale) = told(ai, "rationale") { (said::text(rationale)) }
                    p.note {
                        (words(text(ai, "status")))
                        @if let Some(model) = told(report, "judge_model") { ", " (said::short(model)) }
                        @if let Some(confidence) = number(ai, "confidence") { ", sure to " (format!("{:.0} %", confidence * 100.0)) }
                    }
                }
                None => p.note { "No model has judged it (" (words(text(ai, "status"))) "). It could only make the verdict stricter." },
            }
        }
    }
}

fn guardrails(report: &Value) -> Markup {
    let (overrides, risks) = (
        list(report, "guardrail_overrides"),
        list(report, "risk_flags"),
    );
    html! {
        @if !overrides.is_empty() || !risks.is_empty() {
            section.flags {
                @for one in overrides {
                    p { strong { "Guardrail" } " " (title(text(one, "rule")))
                        @if flag(one, "ai_verdict_downgraded") { "; the model's verdict was made stricter" } "." }
                }
                @for risk in risks { p { strong { "Careful" } " " (text(risk, "sentence")) } }
            }
        }
    }
}

fn evidence(room: &Room<'_>, report: &Value) -> Markup {
    let supporting = list(report, "supporting_evidence");
    let against = list(report, "contradicting_evidence");
    html! {
        section {
            h2 { "Evidence" }
            p.note {
                (whole(report, "evidence_totals.supporting")) " for, "
                (whole(report, "evidence_totals.contradicting")) " against, from "
                (origins(report))
                @if whole(report, "evidence_totals.echoes") > 0 { "; " (whole(report, "evidence_totals.echoes")) " only echo what was handed out" }
                "."
            }
            (timeline::picture(report))
            div.two {
                div { h3 { "For" } (exhibits(room, supporting, 0)) }
                div { h3 { "Against" } (exhibits(room, against, supporting.len())) }
            }
        }
    }
}

fn origins(report: &Value) -> String {
    match whole(report, "evidence_totals.independent_origins") {
        1 => "one origin".to_owned(),
        several => format!("{several} independent origins"),
    }
}

fn exhibits(room: &Room<'_>, all: &[Value], before: usize) -> Markup {
    html! {
        @if all.is_empty() { p.note { "Nothing." } }
        ol.exhibits {
            @for (place, exhibit) in all.iter().enumerate() {
                li {
                    span.number aria-hidden="true" { (before + place + 1) }
                    div {
                        (said::text(text(exhibit, "redacted_excerpt")))
                        p.meta {
                            span { (words(text(exhibit, "class"))) }
                            span { "from " (said::short(text(exhibit, "source"))) }
                            @if flag(exhibit, "echo") { span { "an echo" } }
                            @if !at(exhibit, "independence_group").is_null() { span { "origin " (whole(exhibit, "independence_group")) } }
                            (instant(room, text(exhibit, "observed_at")))
                        }
                    }
                }
            }
        }
    }
}

fn contradictions(room: &Room<'_>, report: &Value) -> Markup {
    let all = list(report, "contradiction_hypotheses");
    let statement = text(report, "statement");
    html! {
        @if !all.is_empty() {
            section {
                h2 { "What says otherwise" }
                @for rival in all {
                    @let (left, right) = sides(statement, text(rival, "redacted_excerpt"));
                    article.versus {
                        p.note { (text(rival, "hypothesis_sentence")) " Strength: " (words(text(rival, "strength"))) "." }
                        div.pair {
                            div { p.overline { "This" } (left) }
                            div { p.overline { "That" } (right)
                                p.meta { (mark::trust(text(rival, "trust_bucket"))) span { (words(text(rival, "class"))) }
                                    (instant(room, text(rival, "observed_at")))
                                    a href=(link("/memories", &[("view", "courtroom"), ("case", text(rival, "memory_id"))])) { "Its case" } } }
                        }
                    }
                }
            }
        }
    }
}

/// What memory banks elsewhere say: strangers, whose word moves nothing here.
fn banks(room: &Room<'_>, report: &Value) -> Markup {
    let all = list(report, "bank_comparisons");
    html! {
        @if !all.is_empty() {
            section {
                h2 { "What memory banks elsewhere say" }
                p.note { "It is shown and decides nothing: it counts as a document that somebody found." }
                @for bank in all {
                    h3 { (said::short(text(bank, "bank"))) }
                    p.note { (text(bank, "sentence")) " Asked " (instant(room, text(bank, "compared_at")))
                        @if whole(bank, "left_out") > 0 { "; " (whole(bank, "left_out")) " of its answers were not used" } "." }
                    ol.exhibits {
                        @for statement in list(bank, "statements") {
                            li { div {
                                (said::text(text(statement, "redacted_excerpt")))
                                p.meta {
                                    span { (words(text(statement, "outcome"))) }
                                    @if let Some(at) = told(statement, "observed_at") { (instant(room, at)) }
                                }
                            } }
                        }
                    }
                }
            }
        }
    }
}

fn missing(report: &Value) -> Markup {
    let mut sentences = texts(report, "missing_evidence_sentences").peekable();
    html! {
        section {
            h2 { "What would change the verdict" }
            @if sentences.peek().is_none() {
                p.note { "Nothing is missing. A contradiction of at least its own class, or the end of the time for which it holds, would." }
            } @else {
                ul.missing { @for sentence in sentences { li { (sentence) } } }
            }
        }
    }
}

fn questions(room: &Room<'_>, report: &Value, id: &str) -> Markup {
    let visit = room.visit;
    html! {
        section id="ask" {
            h2 { "Cross-examination" }
            form.search method="get" action="/memories#ask" {
                (form::hidden("view", "courtroom"))
                (form::hidden("case", id))
                @for name in LABELS { (form::hidden(name, visit.or_empty(name))) }
                label.grow { span.unseen-label { "Question" }
                    input type="search" name="ask" value=(visit.or_empty("ask")) maxlength="2000" placeholder="Ask the evidence" data-search; }
                button.primary type="submit" { "Ask" }
            }
            @if let Some(answer) = Some(at(report, "answer")).filter(|answer| !answer.is_null()) { (answered(answer)) }
            ul.suggestions {
                @for question in texts(report, "cross_examination_questions") {
                    @let asked = link("/memories", &[("view", "courtroom"), ("case", id), ("ask", question)]);
                    li { a href=(format!("{asked}#ask")) { (said::short(question)) } }
                }
            }
        }
    }
}

fn answered(answer: &Value) -> Markup {
    html! {
        blockquote.answer {
            p.overline { (words(text(answer, "status"))) }
            (said::text(text(answer, "text")))
            @for cited in list(answer, "citations") {
                p.note { "“" (said::short(text(cited, "quote"))) "” " code { (text(cited, "evidence_id")) } }
            }
        }
    }
}

fn lineage(room: &Room<'_>, report: &Value) -> Markup {
    let lineage = at(report, "lineage");
    html! {
        section {
            h2 { "Lineage" }
            p.note {
                "Whose word: " (words(text(lineage, "class")))
                @if let Some(weakest) = told(lineage, "weakest_evidence_class") { "; the weakest that it rests on: " (words(weakest)) }
                "."
            }
            ol.revisions {
                @for revision in list(lineage, "revisions") {
                    li {
                        span { "Revision " (whole(revision, "revision")) }
                        (mark::state(text(revision, "lifecycle_state")))
                        span { (words(text(revision, "class"))) }
                        (instant(room, text(revision, "observed_at")))
                        a href=(link("/memories", &[("view", "courtroom"), ("case", text(revision, "memory_id"))])) { "Its case" }
                    }
                }
                li aria-current="true" {
                    span { "Revision " (whole(lineage, "revision")) }
                    span { @if list(lineage, "revisions").is_empty() { "this one, and no other" } @else { "this one" } }
                }
            }
        }
    }
}

/// Every change with who made it, and what is linked to it.
fn record(room: &Room<'_>, file: &Value) -> Markup {
    let id = text(file, "memory.id");
    let path = format!("/api/v1/admin/memories/{}/history", segment(id));
    let history = room.desk.ask("GET", &path, Map::new()).unwrap_or_default();
    html! {
        section {
            h2 { "Record" }
            div.scrolls tabindex="0" {
                table {
                    thead { tr { th { "Event" } th { "When" } th { "What" } th { "State" } th { "By" } th { "Why" } } }
                    tbody {
                        @for (place, line) in list(&history, "items").iter().enumerate() {
                            tr {
                                td { a href=(link("/activity/audit", &[("object", id)])) { (whole(line, "seq")) } }
                                td { (instant(room, text(line, "at"))) }
                                td { (happened(place, line)) }
                                td { (mark::state(text(line, "state"))) }
                                td.nowrap { (who(room, text(line, "by"))) }
                                td.sentence { @for reason in list(line, "reasons") { (text(reason, "sentence")) " " } }
                            }
                        }
                    }
                }
            }
            (cases(file))
        }
    }
}

/// What a line of the record tells, in a word or two.
fn happened(place: usize, line: &Value) -> String {
    let what = match told(line, "event") {
        Some(event) => words(event).into_owned(),
        None if place == 0 => "kept".to_owned(),
        None if flag(line, "contested") => "contested".to_owned(),
        None => "noted".to_owned(),
    };
    if flag(line, "approved") && told(line, "event") != Some("approve") {
        format!("{what}, approved")
    } else {
        what
    }
}

fn cases(file: &Value) -> Markup {
    let container = text(file, "memory.container_tag");
    html! {
        @for case in list(file, "cases") {
            p.note {
                "Review case (" (words(text(case, "kind"))) "): "
                a href=(link("/review", &[("container", container), ("case", text(case, "id"))])) {
                    (told(case, "decision").map_or("open".into(), words))
                }
            }
        }
    }
}

fn set_right(room: &Room<'_>, row: &Value) -> Markup {
    let id = segment(text(row, "id"));
    html! {
        section {
            h2 { "Set it right" }
            details {
                summary { "Say something else in its place" }
                form.stack method="post" action={ "/memories/" (id) "/correct" } {
                    (form::token(room))
                    label.field { span { "What holds instead" } textarea name="content" rows="3" required dir="auto" { (text(row, "content")) } }
                    label.field { span { "Why" } input type="text" name="reason" required; }
                    button.primary type="submit" { "Correct" }
                }
            }
            details {
                summary { "Take it back" }
                form.stack method="post" action={ "/memories/" (id) "/retract" } {
                    (form::token(room))
                    label.field { span { "Why" } input type="text" name="reason" required; }
                    button.danger type="submit" { "Take back" }
                }
            }
        }
    }
}
