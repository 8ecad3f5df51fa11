//! Signals of form: tags that frame a prompt, calls that look like a tool's, images that carry data away.
//!
//! They are patterns, not words. A pattern runs only where one of its gates stands in the text.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::signals::Family;
use crate::lexicon::{Mask, pattern};
use crate::listed::{List, Listed, Listing};

/// A signal made of a pattern over folded text.
pub(super) struct Frame {
    /// Its stable id.
    pub(super) id: &'static str,
    /// What it speaks for.
    pub(super) family: Family,
    /// How strongly.
    pub(super) weight: f64,
    /// Beginnings of words, separated by bars, of which one must occur before the pattern is tried: the pattern can
    /// match nowhere else. A star takes what the word grows into.
    gates: &'static str,
    /// The pattern.
    source: &'static str,
}

const fn frame(
    id: &'static str,
    family: Family,
    weight: f64,
    gates: &'static str,
    source: &'static str,
) -> Frame {
    Frame {
        id,
        family,
        weight,
        gates,
        source,
    }
}

/// The frame of a text that is to be decoded and followed.
const CODE: &str = "obedience.decoded";

/// The table of frames.
#[rustfmt::skip]
pub(super) const FRAMES: &[Frame] = &[
    frame("frame.special_token", Family::Frame, 6.0, "im_start|im_end|end_header_id|start_header_id|eot_id|endoftext|begin_of_text|end_of_turn|start_of_turn",
        r"<\|?/?(?:im_start|im_end|start_header_id|end_header_id|eot_id|endoftext|begin_of_text|end_of_turn|start_of_turn)\|?>"),
    frame("frame.role_token", Family::Frame, 5.0, "<", r"<\|/?(?:system|user|assistant|end|developer|tool)\|>"),
    frame("frame.instruction_tag", Family::Frame, 5.0, "[inst|[/inst|<<sys|<</sys", r"\[/?inst\]|<</?sys>>"),
    frame("frame.closing_tag", Family::Frame, 3.0, "</", r"</(?:memory|memories|tool_result|tool_response|tool_output|function_results?|search_results?|retrieved|system|system_prompt|system-prompt|instructions|context|user_input|untrusted|document)>[^<]{0,40}(?:<[a-z]|[a-z]{2})"),
    frame("frame.tag_then_system", Family::Frame, 5.0, "</", r"</[a-z_-]{3,24}>\s*(?:\[(?:system|developer|admin)\]|<(?:system|developer|instructions?)\b[^>]{0,40}>|(?:system|developer|human|user|assistant)\s*:)"),
    frame("frame.system_tag", Family::Frame, 2.5, "<system*|human:|user:", r"\b(?:human|user)\s?:[^\n]{1,200}\b(?:assistant|ai|bot)\s?:[^\n]{1,200}\bsystem\s?:\s*[a-z]|(?:^|[\n>.!?:;\])}\x22]\s*)<(?:system|system_prompt|system-prompt|system_message|system-reminder)>|<(?:system|system_prompt|system-prompt|system_message|system-reminder)>[^<\n]{1,400}</"),
    frame("frame.own_delimiter", Family::Frame, 4.5, "<<|[memory|[/memory|[end of memory|<testimony*|</testimony*",
        r"<<\s*/?\s*(?:end\s+|end_|end-)?(?:memory|memories|testimony)\b|\[/?memory\s+\d{1,6}\s+[a-z]+\s*=|\[(?:/|end of )memory\s+\d{1,6}\s*\]|</?testimony[-_:][a-z]"),
    frame("frame.heading", Family::Frame, 4.0, "#", r"(?m)^\s*#{1,6}\s*(?:(?:system|developer|new system|system prompt|system message|assistant)\s*:|(?:system|developer|system prompt|system message|admin)\s?#{1,6})"),
    frame("frame.heading_turns", Family::Frame, 4.5, "#", r"(?m)^\s*#{1,6}\s*(?:system|instructions?|user|human|developer)\s*:[^#]{0,400}?^\s*#{1,6}\s*(?:user|human|assistant|response|input|instructions?)\s*:"),
    frame("frame.bracket", Family::Frame, 1.5, "[system|[developer|[admin", r"\[(?:system|developer|admin|system message|system prompt|admin override)\]"),
    frame("frame.label", Family::Frame, 1.0, "system:", r"(?m)(?:^|[>\x22\x27(]\s*)system\s*:"),
    frame("frame.turns", Family::Frame, 1.5, "human:|user:",
        r"(?ms)(?:^|[.!?\x22]\s)\s{0,8}(?:human|user)\s?:.{0,400}?(?:^|[.!?\x22]\s)\s{0,8}(?:assistant|ai|bot)\s?:"),
    frame("frame.role_json_first", Family::Frame, 2.5, "role", r"\A\s*[\[{]{1,2}\s*\x22role\x22\s*:\s*\x22(?:system|developer)\x22\s*,\s*\x22content\x22\s*:\s*\x22"),
    frame("frame.role_json", Family::Frame, 1.0, "role", r"\x22role\x22\s*:\s*\x22(?:system|developer)\x22\s*,\s*\x22content\x22\s*:\s*\x22"),
    frame("frame.template", Family::Frame, 4.5, "{{|{%", r"\{[{%]\s*[#/~]?\s*(?:system|developer|assistant|admin)\b"),
    frame("tools.console", Family::Tools, 4.5, "set|dump|grant|disable|unset", r"(?m)(?:^|[>:;.$#\x60]\s*)(?:set|unset|disable|dump|grant|enable)\s+(?:memory|trust|guard|safety|policy|filter|moderation|quarantine|permission|permissions|security|role|sandbox|audit)[\w-]*[.:_][\w.-]+\s*(?:=|to\b|on\b|off\b|$|\.)"),
    frame("frame.new_orders", Family::Frame, 4.5, "end of", r"\bend of (?:document|context|user input|prompt|text|data|file|email|message)\b[^\n]{0,12}\s{0,3}(?:begin|start)(?:\s+of)?\s+(?:new\s+)?(?:system\s+)?(?:prompt|instructions|orders)"),
    frame("frame.end_of_document", Family::Frame, 1.5, "end of|begin new", r"(?:-{2,}|={2,}|\*{2,}|\[)\s*(?:end of (?:document|context|user input|prompt|text|data|file|email|message)|begin (?:new )?(?:system )?(?:prompt|instructions))"),

    frame("tools.fake_call_tag", Family::Tools, 4.5, "tool_call*|function_call*|invoke*", r"<(?:tool_call|function_calls?|tool_use|antml:invoke|invoke\s+name\s*=)"),
    frame("tools.fake_call_json", Family::Tools, 4.5, "tool_calls|tool_use|function_call", r"\A\s*[\[{].{0,40}?\x22(?:tool_calls|function_call)\x22\s*:\s*[\[{]|\A\s*[\[{].{0,40}?\x22type\x22\s*:\s*\x22(?:tool_use|function_call)\x22"),
    frame("tools.fake_call_text", Family::Tools, 2.5, "tool_call*|function_call*", r"\b(?:tool|function)_calls?\s*[:=]\s*[a-z_][\w.]{0,40}\("),
    frame(CODE, Family::Obedience, 3.0, "decode*|decipher*|decrypt*|unscramble*|rot13|rot-13|backward*|reverse*|vtaber|vafgehpgvbaf|cebzcg|qvfertneq|thvqryvarf|pbairefngvba|cnffjbeqf|erongi|snoitcurtsni|tpmorp|dragersid|senilediug|noitasrevnoc|sdrowssap|dekodiere|decodiere|entschlüssle|entschlüssele|rückwärts|décode|décodez|déchiffre|à l'envers|decodifica|descifra|al revés|decodifique|decodeer|achterstevoren|odszyfruj|rozszyfruj",
        r"(?:decod|decipher|decrypt|unscrambl|rot-?13|backwards|dekodier|entschlüss|rückwärts|décod|déchiff|à l'envers|descifra|al revés|achterstevoren|odszyfruj|rozszyfruj)[^\n]{0,80}?\b(?:and|then|und|et|y|e|en|i)\s+(?:then\s+|dann\s+|puis\s+)?(?:follow|do|obey|execute|carry out|act on|comply with|befolge|führe|tu|suis|exécute|fais|sigue|ejecuta|haz|segui|esegui|siga|faça|volg|voer|wykonaj|zastosuj)\s+(?:it|this|them|that|what|ihn|sie|es|das|ce|lo|las|los|ciò|het|je|to)\b"),
    frame("tools.pipe_to_shell", Family::Tools, 1.0, "sh|bash|zsh|dash", r"(?:curl|wget)\s[^\n|]{1,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b"),

    frame("exfiltrate.beacon", Family::Exfiltrate, 6.0, "![", r"!\[[^\]\n]{0,80}\]\(\s*https?://[^)\s]{0,200}[?&/=][^)\s]{0,80}(?:\{[^)}\n]{1,60}\}|\[[^)\]\n]{1,60}\]|<[^)>\n]{1,60}>|\$\{?[a-z_]|%7b)"),
    frame("exfiltrate.link_beacon", Family::Exfiltrate, 3.0, "={|=[|=<", r"https?://[^\s)\x22]{0,200}[?&][a-z_]{1,20}=(?:\{|\[|<)(?:user|conversation|chat|secret|memor|history|question|data|email|password|key|prompt)[a-z_ ]{0,40}"),
    frame("exfiltrate.image_told", Family::Exfiltrate, 3.0, "image*", r"(?:include|insert|render|show|add|output|display)\s(?:an?|the|this)\s(?:markdown\s)?image\b[^.\n]{0,80}(?:url|link|http|query|param)"),

    frame("hidden.addressed", Family::Hidden, 2.5, "<!--", r"<!--\s*(?:(?:note|message|instructions?|hint)\s+(?:to|for)\s+)?(?:the\s+|any\s+|all\s+)?(?:ai|llm|gpt|ki|ia|assistant|agent|chatbot|bot|copilot|claude|language model)s?\s*[:,]\s*[a-z]"),
    frame("hidden.markup", Family::Hidden, 1.0, "none*|hidden*|size|<!--", r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|<!--"),
];

/// An assistant that is called at the start of a sentence, perhaps by its trade: "dear applicant screening model,".
const CALLED: &str = r"(?m)(?:^|[.!?:>\]}\x22]\s{1,3}|<!--\s*|>|\x22)\s*(?:(?:hey|hi|hello|dear|ok|okay|attention)\s+(?:claude|gemini|copilot|siri|alexa|grok)|(?:hey\s+|hi\s+|hello\s+|dear\s+|ok\s+|okay\s+|attention\s+|lieber\s+|liebe\s+|cher\s+|chère\s+|querido\s+|caro\s+|beste\s+|drogi\s+|уважаемый\s+)?(?:(?:applicant|resume|cv|candidate|essay|content|paper|code|automated|hiring|helpful|friendly)\s+)?(?:(?:screening|grading|ranking|scoring|moderation|reviewing|review|evaluation|hiring)\s+(?:ai|model|bot|llm|system|assistant|agent)|(?:ai|llm)\s+(?:reviewer|referee|grader|screener|judge|summarizer|summariser|reader|crawler)|ai|llm|chatbot|bot|chatgpt|gpt|assistant|agent|ai assistant|ai agent|ai model|language model|agents|assistants|bots|models|copilots|llms|ais|chatbots|assistants ia|assistent|ki|asistente|assistente|asystencie|ассистент|助手|アシスタント))\s*([,:，：、])\s*\S|(?m)^\s*@(?:bot|assistant|agent|ai|claude|copilot|chatgpt|gemini|codex|cursor)()\s+[a-z]";

/// The gates of all frames, for the pass over all lists.
pub(crate) fn gates() -> impl Iterator<Item = Listing> {
    let frames = FRAMES.iter().enumerate();
    frames.map(|(at, frame)| (1 << at, Cow::Borrowed(frame.gates)))
}

static PATTERNS: LazyLock<Vec<Option<Regex>>> =
    LazyLock::new(|| FRAMES.iter().map(|frame| pattern(frame.source)).collect());

static CALLED_PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(CALLED));

/// Every frame in a text, with where it stands first.
pub(super) fn frames(listed: &Listed) -> Vec<Sighted> {
    let gates = listed.hits_of(List::Gates);
    let open = gates.fold(0, |open, gate| open | gate.mask);
    if open == 0 {
        return Vec::new();
    }
    let candidates = FRAMES.iter().zip(PATTERNS.iter()).enumerate();
    candidates
        .filter(|(at, _)| open & (1 << at) != 0)
        .filter_map(|(_, (frame, pattern))| {
            let text = &listed.folded.text;
            let mut all = pattern.as_ref()?.find_iter(text).map(|found| found.range());
            let first = all.next()?;
            let is_used = |span: &Range<usize>| !is_spoken_of(text, span);
            // One that is used tells more than one that is spoken of.
            let used = Some(first.clone())
                .into_iter()
                .chain(all)
                .take(LOOKED_AT)
                .find(is_used);
            Some(Sighted {
                frame,
                is_spoken_of: used.is_none(),
                span: used.unwrap_or(first),
            })
        })
        .collect()
}

/// Whether a text has words of those who put something into a code.
pub(super) fn speaks_of_a_code(listed: &Listed) -> bool {
    let code = FRAMES.iter().position(|frame| frame.id == CODE);
    let is_code = |mask: Mask| code.is_some_and(|at| mask & (1 << at) != 0);
    listed.hits_of(List::Gates).any(|gate| is_code(gate.mask))
}

/// So many places of one frame are looked at.
const LOOKED_AT: usize = 64;

/// A frame in a text.
pub(super) struct Sighted {
    pub(super) frame: &'static Frame,
    /// Where it stands; where it is used, if it is.
    pub(super) span: Range<usize>,
    /// Whether it is only named: "messages with the tag …".
    pub(super) is_spoken_of: bool,
}

/// Nouns that name a piece of markup, before it or behind it.
#[rustfmt::skip]
const MARKUP: &[&str] = &[
    "tag", "tags", "token", "tokens", "marker", "markers", "delimiter", "delimiters", "string", "strings", "sequence", "sequences", "prefix", "suffix",
    "element", "elements", "markup", "separator", "separators", "literal", "keyword", "balise", "balises", "jeton", "jetons", "etiqueta", "etiquetas",
    "marke", "marken", "markierung", "markierungen", "zeichenkette", "zeichenfolge", "marcador", "marcatore", "marcatori", "znacznik", "znaczniki",
    "тег", "теги", "токен", "токены", "标签", "标记", "タグ", "トークン",
];
/// Words between such a noun and the markup.
#[rustfmt::skip]
const NAMING: &[&str] = &[
    "is", "are", "was", "were", "as", "like", "such", "called", "named", "and", "or", "the", "sind", "ist", "wie", "und", "oder", "est", "sont",
    "et", "ou", "comme", "es", "son", "y", "o", "como", "è", "sono", "e", "come", "são", "é", "zijn", "en", "of", "to", "are:",
];
/// How far around markup its noun is looked for, in bytes.
const NAMED_WITHIN: usize = 60;

/// Whether markup is only named by a noun of its sentence, on its line, with nothing put into it.
fn is_spoken_of(text: &str, span: &Range<usize>) -> bool {
    let behind = text.get(span.end..).unwrap_or_default();
    let behind = behind.strip_prefix('>').unwrap_or(behind);
    // What is framed follows at once; what is named is followed by a blank or the end of a clause.
    let ends_here =
        behind.is_empty() || behind.starts_with([' ', '.', ',', ';', ')', '"', '\'', '`', '?']);
    let from = text.ceil_char_boundary(span.start.saturating_sub(NAMED_WITHIN));
    let before = text.get(from..span.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_word =
        |word: &&str| word.chars().any(char::is_alphabetic) && !word.contains(['<', '[', '|']);
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let words = line
        .split_whitespace()
        .rev()
        .take(6)
        .filter(is_word)
        .map(bare);
    let mut named = words.skip_while(|word| NAMING.contains(&word.as_str()));
    let is_markup = |word: String| MARKUP.contains(&word.as_str());
    let next = behind.split_whitespace().next().map(bare);
    ends_here && (named.next().is_some_and(is_markup) || next.is_some_and(is_markup))
}

/// Where an assistant is called, and whether by a comma rather than a colon.
pub(super) fn calls(folded: &str) -> Vec<(Range<usize>, bool)> {
    let Some(pattern) = CALLED_PATTERN.as_ref() else {
        return Vec::new();
    };
    let found = pattern.captures_iter(folded);
    found
        .filter_map(|captures| {
            let mark = captures.get(1).or_else(|| captures.get(2))?;
            Some((
                captures.get(0)?.start()..mark.end(),
                matches!(mark.as_str(), "" | "," | "，" | "、"),
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert!(CALLED_PATTERN.is_some());
        for (frame, pattern) in FRAMES.iter().zip(PATTERNS.iter()) {
            assert!(pattern.is_some(), "{}", frame.id);
        }
    }
}
