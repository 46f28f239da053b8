//! Events of a player as text.

use std::fmt::Write as _;
use std::time::Duration;

use agon_core::printable;
use agon_wire::ggp::player::{Event, Moved, Summary};

use crate::draw::palette::{BOLD, DIM, HEADING};
use crate::draw::styled;
use crate::output::{count, thousands};

/// An event as lines; `None` if it is only for programs.
pub(super) fn of(event: &Event<'_>) -> Option<String> {
    Some(match event {
        Event::Started { id, variant, role, start_clock, play_clock, doubt } => {
            let mut text = format!(
                "\n{}: {variant} as {role}, start clock {start_clock} s, play clock {play_clock} s\n",
                styled(HEADING, &format!("match {}", shown(id)))
            );
            if let Some(doubt) = doubt {
                let _ = writeln!(text, "note: {doubt}");
            }
            text
        }
        Event::Moved(moved) => of_move(moved),
        Event::Ended(summary) => of_end(summary),
        Event::Note { text } => format!("note: {text}\n"),
        Event::Problem { peer, text } => {
            format!("{}\n", styled(DIM, &format!("request from {peer}: {text}")))
        }
        _ => return None,
    })
}

fn of_move(moved: &Moved) -> String {
    let number = moved.ply / 2 + 1;
    let mut text = format!(
        "{} {} {}\n",
        styled(BOLD, &format!("move {number}")),
        styled(BOLD, &moved.mv),
        styled(DIM, &moved.sent)
    );
    let head =
        format!("{:>7} {:>14} {:>14} {:>9}  line", "depth", "expansions", "score", "seconds");
    let _ = writeln!(text, "{}", styled(DIM, &head));
    let mut before = (0, Duration::ZERO);
    for iteration in &moved.iterations {
        let expanded = thousands(iteration.expanded.saturating_sub(before.0));
        let seconds = iteration.time.saturating_sub(before.1).as_secs_f64();
        let (depth, score, line) = (iteration.depth, iteration.score, iteration.pv.join(" "));
        let score = score.to_string();
        let _ = writeln!(text, "{depth:>7} {expanded:>14} {score:>14} {seconds:>9.3}  {line}");
        before = (iteration.expanded, iteration.time);
    }
    let cut = if moved.cut_short { ", cut short" } else { "" };
    let _ = writeln!(
        text,
        "{:>7} {:>14} expansions, {} nodes, depth {}, {:.3} s{cut}; answered after {:.3} s, {:.3} s \
         to spare",
        "total",
        thousands(moved.expanded),
        thousands(moved.nodes),
        moved.depth,
        moved.time.as_secs_f64(),
        moved.answered_after.as_secs_f64(),
        moved.spare.as_secs_f64(),
    );
    text
}

fn of_end(summary: &Summary) -> String {
    let result = match &summary.points {
        Some(points) => {
            let own = usize::from(summary.role != "white");
            let word = match points.get(own) {
                Some(100) => "won",
                Some(0) => "lost",
                _ => "drawn",
            };
            let points: Vec<String> = points.iter().map(u8::to_string).collect();
            format!("{word}, {} ({})", points.join(" "), summary.reason)
        }
        None => format!("no result ({})", summary.reason),
    };
    let mut text =
        format!("{}: {result}\n", styled(HEADING, &format!("match {}", shown(&summary.id))));
    let spare = summary
        .least_spare
        .map_or(String::new(), |spare| format!(", at least {:.3} s to spare", spare.as_secs_f64()));
    let _ = writeln!(
        text,
        "  {}; {} as {}: {} expansions, {} nodes, {:.3} s, deepest {}{spare}",
        count(summary.plies as u64, "ply", "plies"),
        count(summary.moves as u64, "own move", "own moves"),
        summary.role,
        thousands(summary.expanded),
        thousands(summary.nodes),
        summary.time.as_secs_f64(),
        summary.deepest,
    );
    if summary.overruled > 0 {
        let times = count(summary.overruled as u64, "time", "times");
        let _ = writeln!(text, "  the controller played something else {times}");
    }
    text
}

/// A name from the network, safe for a terminal.
fn shown(id: &str) -> String {
    const LONGEST: usize = 80;
    printable(&id.chars().take(LONGEST).collect::<String>()).into_owned()
}
