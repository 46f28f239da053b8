//! A review as people read it in a terminal.

use std::io::{self, Write};

use agon_arena::review::{Judgement, Phase, PlayerReview, Review, ReviewedPly};
use agon_core::printable;

use super::source::Source;
use crate::draw::palette::{BOLD, DIM, ERROR, GOOD, HEADING};
use crate::draw::styled;
use crate::output::thousands;
use crate::table::{NOTHING, write_aligned};

/// How many moves of the better line are shown.
const SHOWN: usize = 5;
/// The width of the bar of expected points, in characters.
const BAR: usize = 20;

pub(super) fn print(source: &Source, review: &Review) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", styled(HEADING, &printable(&source.title)))?;
    let nodes = thousands(review.nodes);
    let about = format!("{}, by {} with {nodes} nodes a position", review.variant, review.agent);
    writeln!(out, "{}\n", styled(DIM, &about))?;
    for (at, ply) in review.plies.iter().enumerate() {
        writeln!(out, "{}", row(review, at, ply).trim_end())?;
    }
    writeln!(out)?;
    write_aligned(&mut out, &[0], &players(source, review))?;
    if !review.phases.is_empty() {
        writeln!(out)?;
        write_aligned(&mut out, &[0, 1], &phases(review))?;
    }
    writeln!(out)?;
    writeln!(out, "{}", verdict(review))
}

/// A move: its number, who made it, what the position is worth then, and what was better.
fn row(review: &Review, at: usize, ply: &ReviewedPly) -> String {
    let seat = ply.seat.and_then(|seat| review.seats.get(seat)).map_or("", String::as_str);
    let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let names = widest(&mut review.seats.iter().map(|name| name.chars().count()));
    let texts = review.plies.iter().filter_map(|ply| ply.mv.as_ref());
    let moves = widest(&mut texts.map(|mv| mv.chars().count() + 2)).min(32);
    let mv = ply.mv.as_deref().unwrap_or("");
    let sign = ply.judgement.map_or("", Judgement::sign);
    let number = if at == 0 { String::new() } else { format!("{at}.") };
    let text = match at {
        0 => "start".to_string(),
        _ => format!("{mv}{sign}"),
    };
    let text = format!("{text:<moves$}");
    let text = match ply.judgement {
        Some(Judgement::Blunder) => styled(ERROR, &text),
        Some(_) => styled(BOLD, &text),
        None => text,
    };
    let better = better(review, at, ply);
    format!("{number:>5} {seat:<names$} {text} {}  {better}", worth(review, ply))
}

/// What the position is worth: a bar and a number with two players, else everybody's number.
fn worth(review: &Review, ply: &ReviewedPly) -> String {
    let percent = |share: f64| format!("{:>3.0} %", share * 100.0);
    let exact = if ply.opinion.exact { "!" } else { " " };
    if review.seats.len() == 2 {
        let share = ply.opinion.shares.first().copied().unwrap_or(0.5);
        let full = (share * BAR as f64).round() as usize;
        let bar = "█".repeat(full) + &"░".repeat(BAR - full.min(BAR));
        return format!("{bar} {}{exact}", percent(share));
    }
    let shares: Vec<String> = ply.opinion.shares.iter().map(|&share| percent(share)).collect();
    format!("{}{exact}", shares.join(" "))
}

fn better(review: &Review, at: usize, ply: &ReviewedPly) -> String {
    let (Some(name), Some(before)) = (ply.judgement, at.checked_sub(1).map(|at| &review.plies[at]))
    else {
        return String::new();
    };
    let line: Vec<&str> = before.opinion.line.iter().take(SHOWN).map(String::as_str).collect();
    let lost = ply.loss.unwrap_or(0.0) * 100.0;
    let better = format!("{} (-{lost:.0}), better {}", name.name(), line.join(" "));
    styled(DIM, &better)
}

fn players(source: &Source, review: &Review) -> Vec<Vec<String>> {
    let headings = ["player", "accuracy", "moves", "inaccuracies", "mistakes", "blunders"];
    let mut rows = vec![headings.map(String::from).to_vec()];
    for player in &review.players {
        let PlayerReview { seat, accuracy, moves, inaccuracies, mistakes, blunders } = *player;
        let mut row = vec![source.player(review, seat), accuracy_text(accuracy)];
        row.extend([moves, inaccuracies, mistakes, blunders].map(|count| count.to_string()));
        rows.push(row);
    }
    rows
}

fn phases(review: &Review) -> Vec<Vec<String>> {
    let seats = review.seats.iter().cloned();
    let headings = ["part", "moves"].map(String::from);
    let mut rows = vec![headings.into_iter().chain(seats).collect::<Vec<_>>()];
    for Phase { name, from, to, accuracy } in &review.phases {
        let accuracies = accuracy.iter().map(|&accuracy| accuracy_text(accuracy));
        let part = [name.name().to_string(), format!("{from}–{to}")];
        rows.push(part.into_iter().chain(accuracies).collect());
    }
    rows
}

fn accuracy_text(accuracy: Option<f64>) -> String {
    accuracy.map_or(NOTHING.into(), |accuracy| format!("{accuracy:.1} %"))
}

/// The worst move, and when it was decided.
fn verdict(review: &Review) -> String {
    let loss = |ply: &ReviewedPly| ply.loss.unwrap_or(0.0);
    let worst = review.plies.iter().enumerate().filter(|(_, ply)| ply.judgement.is_some());
    let worst = worst.max_by(|(_, one), (_, other)| loss(one).total_cmp(&loss(other)));
    let worst = worst.map_or_else(
        || styled(GOOD, "No move cost 5 expected points or more."),
        |(at, ply)| {
            let mv = ply.mv.as_deref().unwrap_or("");
            format!("The costliest move: {at}. {mv}, {:.0} expected points.", loss(ply) * 100.0)
        },
    );
    match review.decided_at {
        Some(0) => format!("{worst} The winner was ahead from the start."),
        Some(at) => format!("{worst} Decided after move {at}."),
        None => worst,
    }
}
