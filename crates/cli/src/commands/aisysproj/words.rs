//! Events as text.

use std::borrow::Cow;

use agon_arena::course_rating::WINDOW;
use agon_core::printable;
use agon_wire::aisysproj::client::{Config, Event, Finished, Totals};
use agon_wire::aisysproj::protocol::v1::MessageKind;

use super::json::kind_name;
use crate::draw::palette::{BOLD, DIM, ERROR, HEADING};
use crate::draw::styled;
use crate::output::{count, thousands};

/// Who plays what.
pub(super) fn title(config: &Config, agent: &str) -> String {
    let who = format!("{agent} plays {} as {}", shown(&config.env), shown(&config.agent));
    format!("{} at {}", styled(HEADING, &who), shown(&config.url))
}

/// An event as lines; `None` if it is only for programs. `exchanges` shows requests and responses.
pub(super) fn of(event: &Event<'_>, exchanges: bool) -> Option<String> {
    Some(match event {
        Event::Connected { version } => format!("the server speaks version {version}\n"),
        Event::Sent { body, .. } if exchanges => format!("{} {}\n", styled(BOLD, ">"), shown(body)),
        Event::Answered { status, body, took } if exchanges => {
            let head = format!("{} {}", styled(BOLD, "<"), status_text(*status));
            format!("{head} {} {}\n", seconds(took.as_secs_f64()), shown(body))
        }
        Event::Taken { run, number: 0, variant } => {
            format!("run {} starts: {variant}\n", shown(run))
        }
        Event::Taken { run, number, variant } => {
            let moves = count(*number, "move", "moves");
            format!("run {} resumes after {moves}: {variant}\n", shown(run))
        }
        Event::Moved(moved) if exchanges => {
            let cost = format!(
                "depth {}, {} nodes, {:.3} s",
                moved.depth,
                thousands(moved.nodes),
                moved.time.as_secs_f64()
            );
            let (run, number, mv) = (shown(&moved.run), moved.number, &moved.mv);
            format!("run {run} move {number}: {mv} {}\n", styled(DIM, &cost))
        }
        Event::Finished(finished) => {
            let so_far = finished.totals.finished;
            let rating =
                rating(&finished.totals).map_or_else(String::new, |text| format!("; {text}"));
            format!("{}; {so_far} finished{rating}\n", of_end(finished))
        }
        other => format!("{}\n", trouble(other)?),
    })
}

fn status_text(status: u16) -> String {
    let text = status.to_string();
    if status == 200 { styled(DIM, &text) } else { styled(ERROR, &text) }
}

fn seconds(seconds: f64) -> String {
    styled(DIM, &format!("{seconds:.3} s"))
}

/// A problem, or something else worth knowing, in a line; `None` for other events.
pub(super) fn trouble(event: &Event<'_>) -> Option<String> {
    Some(match event {
        Event::Message { kind, run, text, expected } => {
            let run = run.map_or_else(String::new, |run| format!(" about run {}", shown(run)));
            let style = if *kind == MessageKind::Error && !expected { ERROR } else { DIM };
            let kind = if *expected { "expected error" } else { kind_name(*kind) };
            format!("{}{run}: {}", styled(style, &format!("server's {kind}")), shown(text))
        }
        Event::Refused { run, number, mv, consequence } => {
            let what = format!("run {} move {number}: {mv} was refused", shown(run));
            format!("{}; {consequence}", styled(ERROR, &what))
        }
        Event::Note { text } => format!("note: {}", shown(text)),
        Event::Waiting { why, pause, .. } => {
            let why = format!("waiting {:.1} s: {}", pause.as_secs_f64(), shown(why));
            styled(DIM, &why)
        }
        _ => return None,
    })
}

/// How a run ended.
pub(super) fn of_end(finished: &Finished) -> String {
    let outcome = match finished.outcome {
        Some(outcome) => format!("is worth {outcome}"),
        None => "is over with an unknown outcome".to_string(),
    };
    let head = format!("run {} {outcome}", shown(&finished.run));
    format!("{} after {}", styled(BOLD, &head), count(finished.moves, "move", "moves"))
}

/// The mean and the best, once there are outcomes.
pub(super) fn rating(totals: &Totals) -> Option<String> {
    let mean = totals.mean?;
    let missing = (WINDOW as u64).saturating_sub(totals.rated);
    let best = totals.best.map_or_else(
        || format!("best 50: {} to go", count(missing, "game", "games")),
        |best| format!("best 50: {best:.3}"),
    );
    Some(format!("mean of the last {} {mean:.3}, {best}", totals.window))
}

/// A summary.
pub(super) fn summary(config: &Config, totals: &Totals) -> String {
    let head = format!("{} finished", count(totals.finished, "run", "runs"));
    let rating = match rating(totals) {
        Some(rating) => {
            format!("{rating} (since this start; the server also counts earlier runs)")
        }
        None if totals.finished == 0 => "nothing to rate yet".to_string(),
        None => "the server did not report the outcomes; its page shows them".to_string(),
    };
    format!(
        "{}: {rating}\n{} in {}, {} refused, {}\nthe server's page: {}",
        styled(BOLD, &head),
        count(totals.moves, "move", "moves"),
        count(totals.requests, "request", "requests"),
        thousands(totals.refused),
        count(totals.errors, "error", "errors"),
        shown(&config.agent_page()),
    )
}

/// A text from the network, safe for a terminal.
fn shown(text: &str) -> Cow<'_, str> {
    printable(text)
}
