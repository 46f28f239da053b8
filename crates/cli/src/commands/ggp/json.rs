//! Events of a player as lines of JSON.

use agon_arena::score_json::ScoreJson;
use agon_wire::ggp::player::Event;
use serde_json::{Value, json};

/// An event as a line.
pub(super) fn line(event: &Event<'_>) -> Option<String> {
    Some(format!("{}\n", value(event)?))
}

fn value(event: &Event<'_>) -> Option<Value> {
    Some(match event {
        Event::Started { id, variant, role, start_clock, play_clock, doubt } => json!({
            "event": "start", "match": id, "variant": variant.to_string(), "role": role,
            "start_clock": start_clock, "play_clock": play_clock, "doubt": doubt,
        }),
        Event::Board { session, role } => json!({
            "event": "board", "role": role, "position": session.table().position(),
            "ply": session.plies().len(), "last": session.plies().last().map(|ply| &ply.mv),
        }),
        Event::Moved(moved) => {
            let iterations = moved.iterations.iter().map(|iteration| {
                json!({
                    "depth": iteration.depth, "score": ScoreJson::from(iteration.score),
                    "expanded": iteration.expanded, "nodes": iteration.nodes,
                    "seconds": iteration.time.as_secs_f64(), "line": iteration.pv,
                })
            });
            json!({
                "event": "move", "ply": moved.ply, "move": moved.mv, "sent": moved.sent,
                "iterations": iterations.collect::<Vec<_>>(), "depth": moved.depth,
                "expanded": moved.expanded, "nodes": moved.nodes,
                "seconds": moved.time.as_secs_f64(),
                "answered_after": moved.answered_after.as_secs_f64(),
                "spare": moved.spare.as_secs_f64(), "cut_short": moved.cut_short,
            })
        }
        Event::Ended(summary) => json!({
            "event": "end", "match": summary.id, "variant": summary.variant.to_string(),
            "role": summary.role, "points": summary.points, "reason": summary.reason,
            "plies": summary.plies, "moves": summary.moves, "expanded": summary.expanded,
            "nodes": summary.nodes, "seconds": summary.time.as_secs_f64(),
            "deepest": summary.deepest,
            "least_spare": summary.least_spare.map(|spare| spare.as_secs_f64()),
            "overruled": summary.overruled,
        }),
        Event::Note { text } => json!({"event": "note", "text": text}),
        Event::Problem { peer, text } => {
            json!({"event": "problem", "peer": peer.to_string(), "text": text})
        }
        _ => return None,
    })
}
