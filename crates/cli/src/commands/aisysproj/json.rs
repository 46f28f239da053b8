//! Events as lines of JSON.

use agon_wire::aisysproj::client::{Event, Totals};
use agon_wire::aisysproj::protocol::v1::MessageKind;
use serde_json::{Value, json};

/// An event as a line.
pub(super) fn line(event: &Event<'_>) -> Option<String> {
    Some(format!("{}\n", value(event)?))
}

/// The last line.
pub(super) fn end(totals: &Totals) -> String {
    format!("{}\n", json!({"event": "end", "totals": counted(totals)}))
}

fn value(event: &Event<'_>) -> Option<Value> {
    Some(match event {
        Event::Connected { version } => json!({"event": "connected", "version": version}),
        Event::Sent { answers, retries, .. } => {
            json!({"event": "sent", "answers": answers, "retries": retries})
        }
        Event::Answered { status, took, .. } => {
            json!({"event": "answered", "status": status, "seconds": took.as_secs_f64()})
        }
        Event::Taken { run, number, variant } => json!({
            "event": "run", "run": run, "number": number, "variant": variant.to_string(),
        }),
        Event::Moved(moved) => {
            let spaces: Value = serde_json::from_str(&moved.mv).unwrap_or_default();
            json!({
                "event": "move", "run": moved.run, "number": moved.number, "move": spaces,
                "depth": moved.depth, "nodes": moved.nodes, "seconds": moved.time.as_secs_f64(),
            })
        }
        Event::Finished(finished) => json!({
            "event": "finished", "run": finished.run, "outcome": finished.outcome,
            "moves": finished.moves, "totals": counted(&finished.totals),
        }),
        Event::Message { kind, run, text, expected } => json!({
            "event": "message", "kind": kind_name(*kind), "run": run, "text": text,
            "expected": expected,
        }),
        Event::Refused { run, number, mv, consequence } => json!({
            "event": "refused", "run": run, "number": number, "move": mv,
            "consequence": consequence,
        }),
        Event::Note { text } => json!({"event": "note", "text": text}),
        Event::Waiting { why, pause, trouble } => json!({
            "event": "waiting", "why": why, "seconds": pause.as_secs_f64(), "trouble": trouble,
        }),
        _ => return None,
    })
}

/// The protocol's name for it.
pub(super) fn kind_name(kind: MessageKind) -> &'static str {
    match kind {
        MessageKind::Error => "error",
        MessageKind::Warning => "warning",
        MessageKind::Info => "info",
    }
}

fn counted(totals: &Totals) -> Value {
    json!({
        "finished": totals.finished, "rated": totals.rated, "mean": totals.mean,
        "window": totals.window, "best": totals.best, "moves": totals.moves,
        "refused": totals.refused, "requests": totals.requests, "errors": totals.errors,
    })
}
