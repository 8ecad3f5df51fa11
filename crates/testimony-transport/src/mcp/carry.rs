//! A call carried out: the tool's arguments become a question to a route, asked as the caller, and its answer the result.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use testimony_domain::{ContainerGrant, ContainerTag, Principal};
use testimony_service::read::Slip;

use super::catalogue::{CONTAINER, Tool, Way};
use super::compact::{self, View};
use super::controls::{self, Controls, Form};
use super::fit::Written;
use super::{Caller, Members, correction, status};
use crate::local::{self, Ask};
use crate::problem::Problem;
use crate::wire::fault::{Fault, Pointer};

/// Carries a call out, for a message whose id has so many bytes.
pub(super) fn out(
    caller: &Caller,
    tool: &Tool,
    mut arguments: Members,
    id: usize,
) -> CallToolResult {
    let mut wanted = Controls::default();
    let slip = Slip::default();
    let answered = controls::take(&mut arguments).and_then(|controls| {
        wanted = controls;
        asked(caller, tool, arguments, &slip)
    });
    match answered {
        Ok(answer) => {
            tracing::info!(tool = tool.name, "a tool was called");
            let written = dressed(tool, &answer, wanted, id);
            let sent = written.members.to_string();
            slip.handed_out(|id| goes_out(&id.to_string(), &answer, &written.members, &sent));
            result(&written)
        }
        Err(problem) => failed_within(tool, &problem, wanted.most),
    }
}

/// Whether a memory of an answer goes out with what is sent: a row of it is there, or a reply that rests on it is.
/// Diagnostics name memories too, and are none.
fn goes_out(id: &str, answer: &Value, members: &Value, sent: &str) -> bool {
    let rests_on_it = || {
        let cited = answer.get("citations").and_then(Value::as_array);
        let mut cited = cited.into_iter().flatten();
        cited.any(|cited| cited.get("memory_id").and_then(Value::as_str) == Some(id))
    };
    sent.contains(&format!("\"id\":\"{id}\"")) || (members.get("reply").is_some() && rests_on_it())
}

/// What the route behind a tool answers. Which of its memories go out is known once it is dressed.
fn asked(
    caller: &Caller,
    tool: &Tool,
    mut arguments: Members,
    slip: &Slip,
) -> Result<Value, Problem> {
    let container = match tool.is_of_a_container() {
        true => container(&caller.principal, &mut arguments)?,
        false => None,
    };
    let (method, path, input) = match tool.way {
        Way::Status => return Ok(status::status(caller, container.as_ref())),
        Way::Container(end) => {
            let path = in_container(&caller.principal, container, end)?;
            ("POST", path, with_defaults(tool, arguments))
        }
        Way::Correction => {
            let path = in_container(&caller.principal, container, "retain")?;
            let body = correction::body(tool, arguments)?;
            ("POST", path, with_defaults(tool, body))
        }
        Way::Case => ("GET", case(&mut arguments)?, arguments),
    };
    let ask = Ask {
        method,
        path: &path,
        input,
        idempotency_key: None,
    };
    let (service, running) = (&caller.desk.service, &caller.desk.running);
    let principal = (*caller.principal).clone();
    let reply = local::ask_and_tell_later(service, Some(running), principal, (&ask, slip))?;
    Ok(reply.into_json())
}

/// The container that a call names, or the only one that its caller reaches.
fn container(
    principal: &Principal,
    arguments: &mut Members,
) -> Result<Option<ContainerTag>, Problem> {
    let named = arguments
        .remove(CONTAINER.name)
        .filter(|named| !named.is_null());
    let Some(named) = named else {
        return Ok(principal.containers.sole().cloned());
    };
    let invalid = |fault| Problem::invalid(vec![fault]);
    let Some(text) = named.as_str() else {
        let at = Pointer::root().below(CONTAINER.name);
        return Err(invalid(Fault::at(
            at,
            "It has the wrong type; send a text.",
        )));
    };
    let tag = ContainerTag::new(CONTAINER.name, text);
    tag.map(Some).map_err(|wrong| invalid(Fault::of(&wrong)))
}

fn in_container(
    principal: &Principal,
    container: Option<ContainerTag>,
    end: &str,
) -> Result<String, Problem> {
    let container = container.ok_or_else(|| {
        let at = Pointer::root().below(CONTAINER.name);
        Problem::invalid(vec![Fault::at(at, which(&principal.containers))])
    })?;
    Ok(format!("/api/v2/containers/{container}/{end}"))
}

/// Which containers a call can name.
fn which(containers: &ContainerGrant) -> String {
    const MOST: usize = 50;
    match containers {
        ContainerGrant::Listed(tags) => {
            let named: Vec<&str> = tags.iter().take(MOST).map(ContainerTag::as_str).collect();
            let more = if tags.len() > MOST { " and others" } else { "" };
            format!(
                "This key reaches several containers; name one of {}{more}.",
                named.join(", ")
            )
        }
        ContainerGrant::Prefix(prefix) => {
            format!("This key reaches every container that begins with {prefix}; name one.")
        }
        ContainerGrant::All => "This key reaches every container; name one.".to_owned(),
    }
}

/// The same with what holds for a tool where its caller says nothing.
fn with_defaults(tool: &Tool, mut arguments: Members) -> Members {
    for (name, value) in tool.unsaid {
        let said = arguments.entry(*name).or_insert(Value::Null);
        if said.is_null() {
            *said = json!(value);
        }
    }
    arguments
}

/// The path of a case report; what its query holds is left.
fn case(arguments: &mut Members) -> Result<String, Problem> {
    let at = Pointer::root().below("memory_id");
    let id = arguments.remove("memory_id");
    let id = id
        .as_ref()
        .and_then(Value::as_str)
        .filter(|id| !id.is_empty());
    let id = id.ok_or_else(|| {
        let detail = "It is required; send the id of a memory or a fact, as a result names it.";
        Problem::invalid(vec![Fault::at(at, detail)])
    })?;
    // A query holds texts only.
    for name in ["include_ai", "refresh"] {
        if let Some(Value::Bool(flag)) = arguments.get(name) {
            let text = flag.to_string();
            arguments.insert(name.to_owned(), json!(text));
        }
    }
    let id = utf8_percent_encode(id, NON_ALPHANUMERIC);
    Ok(format!("/api/v1/memories/{id}/courtroom"))
}

/// What of an answer a model needs.
fn view(tool: &Tool) -> &'static View {
    match tool.way {
        Way::Container("recall") => &compact::RECALL,
        Way::Container("agent/context") => &compact::CONTEXT,
        Way::Container("reflect") => &compact::REFLECT,
        Way::Container("agent/writeback") => &compact::WRITEBACK,
        Way::Container(_) | Way::Correction => &compact::RETAIN,
        Way::Case => &compact::CASE,
        Way::Status => &compact::STATUS,
    }
}

/// An answer in the form that is wanted. A raw payload that is too long gives way to what a model needs of it.
fn dressed(tool: &Tool, answer: &Value, wanted: Controls, id: usize) -> Written {
    let raw = || Written {
        members: answer.clone(),
        text: answer.to_string(),
    };
    let fits = |whole: &Written| wanted.most.is_none_or(|most| whole.bytes(id) <= most);
    let view = view(tool);
    if tool.way == Way::Status {
        // It has no form but its own, and all of it is wanted where it fits.
        let whole = Some(raw()).filter(fits);
        return whole.unwrap_or_else(|| view.of(answer).written(wanted.most, id));
    }
    match wanted.form {
        Form::Full => {
            let raw = raw();
            if fits(&raw) {
                raw
            } else {
                compact::in_place_of(&raw.text, view, answer).written(wanted.most, id)
            }
        }
        Form::Compact => view.of(answer).written(wanted.most, id),
        Form::Diagnostics => compact::diagnostics(view, answer).written(wanted.most, id),
    }
}

fn result(written: &Written) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(written.text.clone())]);
    result.structured_content = Some(written.members.clone());
    result
}

/// Why a call was not carried out, and what to do about it, for a model.
pub(super) fn failed(tool: &Tool, problem: &Problem) -> CallToolResult {
    failed_within(tool, problem, Controls::default().most)
}

fn failed_within(tool: &Tool, problem: &Problem, most: Option<usize>) -> CallToolResult {
    tracing::info!(
        tool = tool.name,
        code = problem.code.as_str(),
        "a tool was refused"
    );
    let mut text = format!("{}\n", problem.detail);
    for fault in &problem.faults {
        text.push_str(&format!("- {}: {}\n", fault.pointer, fault.detail));
    }
    let mut more = problem.more.clone();
    // What a batch would have answered is longer than what has to be done.
    more.remove("answer");
    more.insert("code".to_owned(), json!(problem.code.as_str()));
    more.insert("status".to_owned(), json!(problem.code.status()));
    if let Some(seconds) = problem.retry_after() {
        more.insert("retry_after_seconds".to_owned(), json!(seconds));
    }
    text.push_str(&Value::Object(more).to_string());
    CallToolResult::error(vec![ContentBlock::text(short(&text, most))])
}

/// A text that costs no more than so many bytes with all that stands around it.
fn short(text: &str, most: Option<usize>) -> String {
    /// What stands around it, with the longest id.
    const AROUND: usize = 700;
    let Some(most) = most else {
        return text.to_owned();
    };
    let room = most.saturating_sub(AROUND);
    let mut spent = 0;
    let fits = |c: &char| {
        spent += Value::from(String::from(*c)).to_string().len() - 2;
        spent <= room
    };
    text.chars().take_while(fits).collect()
}
