//! x
use std::time::Instant;
use testimony_admission::claims::*;
use testimony_domain::*;
#[allow(clippy::all)]
fn main() {
    let ctx = Context { speaker: Some("Mara"), observed_at: "2023-05-20T12:00:00Z".parse().unwrap(), kind: None, channel: EvidenceChannel::Retain, class: SourceClass::UserStatement, residue: None };
    let arg = std::env::args().nth(1).unwrap();
    if arg == "rep" {
        for piece in ["of the ", "\"", "“a ", "and I live in Oslo ", "is ", "a, ", "(", "not ", "1. ", "last week ", "until ", "Mara's ", "x: ", "- ", "# a\n", "```\n", "| a |\n", ". ", "if ", "who ", "Dr. ", "8 May ", "'", "the ", ".", "  a(\n", "a: b\n", "I ", "maybe ", "8.5.2023 "] {
            let mut ts = vec![];
            for n in [20_000usize, 80_000] { let t = piece.repeat(n / piece.len()); let s = Instant::now(); std::hint::black_box(extract(&t, &ctx)); ts.push(s.elapsed().as_secs_f64()*1e3); }
            println!("{piece:?} {:.2} {:.2} ratio {:.1}", ts[0], ts[1], ts[1]/ts[0]);
        }
        return;
    }
    let text = std::fs::read_to_string(&arg).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut n = 0; let mut slots = 0;
    let s = Instant::now();
    for l in &lines { let e = extract(l, &ctx); n += e.claims.len(); slots += e.claims.iter().filter(|c| c.slot.is_some()).count(); }
    let d = s.elapsed().as_secs_f64();
    println!("{} lines {} bytes claims {n} slots {slots} {:.2} MB/s", lines.len(), text.len(), text.len() as f64 / 1e6 / d);
    if std::env::args().nth(2).is_some() { for l in &lines { let e = extract(l, &ctx); println!("{l}"); for c in e.claims { println!("   + {} {:?} {:?} ents {:?} v {:?}", c.kind, c.text, c.slot.map(|s| format!("{}@{} | {} = {}{} {:?}", s.key.subject, s.key.scope, s.key.attribute, if s.negated {"!"} else {""}, s.value, s.unit)), c.entities, c.validity.until.map(|x|x.to_string())); } for c in e.left_out { println!("   - {} {:?}", c.reason, &l[c.span]); } } }
}
