//! Analyses as text: games in the style of PGN, and everything else that can be read as an analysis.

mod comment;
mod lexer;
mod parse;
mod write;

use std::collections::HashMap;
use std::fmt::Display;

use agon_core::Seat;
use agon_games::{Catalog, GameInfo, Table};
use serde_json::Value;

use super::replay::{Replayed, replay};
use super::{Analysis, AnalysisError, Node, after_move, opened};
use crate::game_file;
use crate::game_text::{LONGEST_FORCED, read_score, tag_name};
use crate::score_json::ScoreJson;
use parse::{Games, Written, WrittenMove};
use write::Setting;

/// What was found in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The analysis that was asked for.
    pub analysis: Analysis,
    /// How many games there are.
    pub games: usize,
}

impl Analysis {
    /// The analysis as a game in the style of PGN, which [`read`] reads back.
    pub fn text(&self, catalog: &Catalog) -> Result<String, AnalysisError> {
        let (checked, Replayed { table, movers, .. }) = self.clone().checked(catalog)?;
        let seats = Seat::all(table.seats()).map(|seat| table.seat_name(seat).to_string());
        let setting = Setting { seats: seats.collect(), movers };
        write::text(&checked, &setting).map_err(AnalysisError::whole)
    }
}

/// Reads a game in the style of PGN: the one with this number, from 1, if there are several. `variant`
/// is that of a game without a tag that names it.
pub fn read(
    catalog: &Catalog,
    text: &str,
    variant: Option<&str>,
    number: usize,
) -> Result<Reading, AnalysisError> {
    let mut games = Games::new(text);
    let mut count = 0;
    while count + 1 < number && games.skip()? {
        count += 1;
    }
    let Some(game) = games.read()? else {
        return Err(AnalysisError::whole(match count {
            0 => "there is no game in this text".to_string(),
            _ => no_game(number, count),
        }));
    };
    let analysis = analysis(catalog, text, game, variant)?;
    count += 1;
    while games.skip()? {
        count += 1;
    }
    Ok(Reading { analysis, games: count })
}

fn no_game(number: usize, count: usize) -> String {
    format!("there is no game {number}: the text has {count}")
}

/// Plays a game as it is written.
fn analysis(
    catalog: &Catalog,
    text: &str,
    game: Written<'_>,
    variant: Option<&str>,
) -> Result<Analysis, AnalysisError> {
    let tag = |name: &str| game.tags.iter().find(|(tag, ..)| tag == name);
    let value = |name: &str| tag(name).map(|(_, value, _)| value.as_str());
    let variant = value("Variant").or(variant).ok_or_else(|| {
        AnalysisError::at(text, 0, "expected a tag that names the variant: [Variant \"…\"]")
    })?;
    let place = tag("Start").or_else(|| tag("Variant")).map_or(0, |(.., at)| *at);
    let table = opened(catalog, variant, value("Start"))
        .map_err(|error| AnalysisError::at(text, place, error))?;
    let opening = match tag("OpeningPlies") {
        Some((_, plies, at)) => plies.parse().map_err(|_| {
            AnalysisError::at(text, *at, format!("bad opening \"{plies}\": expected a number"))
        })?,
        None => 0,
    };
    let names = names(&*table, &value);
    let moves: Vec<(usize, &str)> =
        game.moves.iter().map(|written| (written.parent, written.mv.as_str())).collect();
    let replayed = replay(table, &moves)
        .map_err(|(number, problem)| AnalysisError::at(text, game.moves[number - 1].at, problem))?;
    let (nodes, places) = merged(text, &game.moves, &replayed)?;
    let unchecked = Analysis {
        variant: variant.to_string(),
        start: value("Start").map(String::from),
        title: value("Event").unwrap_or_default().to_string(),
        comment: game.comment,
        names,
        opening,
        nodes,
    };
    let place = |node: usize| places.get(node - 1).copied();
    let sound = unchecked.check_sizes().and_then(|()| unchecked.check_numbers());
    // All has been played: there is no need to play it again.
    let moves = unchecked.nodes.iter().map(|node| node.mv.clone()).collect();
    let settled = sound.and_then(|()| unchecked.settled(&Replayed { moves, ..replayed }));
    settled.map_err(|error| error.moved_to(text, place))
}

/// The names of the players, from the tags of their seats.
fn names<'a>(table: &dyn Table, value: &impl Fn(&str) -> Option<&'a str>) -> Vec<String> {
    let name = |seat| {
        let named = value(&tag_name(table.seat_name(seat)));
        named.or_else(|| value(&tag_name(table.seat_label(seat)))).unwrap_or_default().to_string()
    };
    Seat::all(table.seats()).map(name).collect()
}

/// The moves with their scores, and where each is in the text. A move that is there twice counts once,
/// with what follows it in both places.
fn merged(
    text: &str,
    written: &[WrittenMove<'_>],
    replayed: &Replayed,
) -> Result<(Vec<Node>, Vec<usize>), AnalysisError> {
    let (mut nodes, mut places): (Vec<Node>, Vec<usize>) = Default::default();
    let mut numbers = vec![0];
    let mut known = HashMap::new();
    for (at, (mv, written)) in replayed.moves.iter().zip(written).enumerate() {
        let parent = numbers[written.parent];
        let number = *known.entry((parent, mv.clone())).or_insert(nodes.len() + 1);
        numbers.push(number);
        if number > nodes.len() {
            nodes.push(Node { parent, mv: mv.clone(), ..Node::default() });
            places.push(written.at);
        }
        let node = &mut nodes[number - 1];
        annotate(text, node, written, replayed.movers[at], replayed.table.seats())?;
    }
    Ok((nodes, places))
}

/// Adds to a move what is written about it.
fn annotate(
    text: &str,
    node: &mut Node,
    written: &WrittenMove<'_>,
    seat: Seat,
    seats: usize,
) -> Result<(), AnalysisError> {
    if !node.comment.is_empty() && !written.comment.is_empty() {
        node.comment.push(' ');
    }
    node.comment.push_str(&written.comment);
    if node.sign.is_none() {
        node.sign = written.sign;
    }
    for (at, command) in &written.commands {
        read_command(node, command, seat, seats).ok_or_else(|| {
            let problem = format!("bad command [%{command}]: expected such as [%eval 0.35,9]");
            AnalysisError::at(text, *at, problem)
        })?;
    }
    Ok(())
}

/// Reads an evaluation. What else programs write, such as clocks, says nothing about moves.
fn read_command(node: &mut Node, command: &str, seat: Seat, seats: usize) -> Option<()> {
    let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    match name {
        "eval" => {
            let (score, depth) = match value.split_once(',') {
                Some((score, depth)) => (score, Some(depth.trim().parse().ok()?)),
                None => (value, None),
            };
            node.score = Some(after_move(read_score(score.trim(), seat, seats)?));
            node.depth = depth;
        }
        "plies" => {
            let plies = value.trim().parse().ok().filter(|&plies: &u32| plies < LONGEST_FORCED)?;
            node.score = Some(match node.score? {
                ScoreJson::Units(_) => return None,
                ScoreJson::WinIn { .. } => ScoreJson::WinIn { win_in: plies },
                ScoreJson::LossIn { .. } => ScoreJson::LossIn { loss_in: plies },
            });
        }
        "exact" => node.exact = true,
        _ => {}
    }
    Some(())
}

/// Reads whatever can be an analysis: a game text, an analysis or a saved game as JSON, or a position of
/// `variant`, else of the first listed variant that it fits.
pub fn read_any(
    catalog: &Catalog,
    text: &str,
    variant: Option<&str>,
    number: usize,
) -> Result<Reading, AnalysisError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let begins = text.trim_start();
    let alone = |analysis| match number {
        0 | 1 => Ok(Reading { analysis, games: 1 }),
        _ => Err(AnalysisError::whole(no_game(number, 1))),
    };
    let is_json = begins.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"'));
    if is_json && let Some(analysis) = from_json(catalog, text)? {
        return alone(analysis);
    }
    if !is_json && begins.starts_with(['[', '{']) {
        return read(catalog, text, variant, number);
    }
    match (position(catalog, begins.trim_end(), variant), variant) {
        (Ok(analysis), _) => alone(analysis),
        (Err(error), _) if is_json => Err(error),
        // Moves without tags.
        (Err(error), Some(_)) => read(catalog, text, variant, number).map_err(|mistake| {
            let first = text.len() - begins.len();
            let is_first = mistake.place() == AnalysisError::at(text, first, "").place();
            if is_first { error } else { mistake }
        }),
        (Err(error), None) => Err(error),
    }
}

/// An analysis or a saved game as JSON; none if it is something else.
fn from_json(catalog: &Catalog, text: &str) -> Result<Option<Analysis>, AnalysisError> {
    let value: Value = serde_json::from_str(text).map_err(|error| located(text, &error))?;
    if value.get("format").is_some() {
        let session = game_file::read(catalog, text);
        let session = session.map_err(|problem| {
            AnalysisError::whole(format!("this is not a saved game: {problem}"))
        })?;
        return Analysis::from(&session).check(catalog).map(Some);
    }
    if value.get("variant").is_none() {
        return Ok(None);
    }
    let analysis: Analysis = serde_json::from_str(text).map_err(|error| located(text, &error))?;
    analysis.check(catalog).map(Some)
}

/// An error of the parser of JSON, with its place.
fn located(text: &str, error: &serde_json::Error) -> AnalysisError {
    let before = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len);
    let at = before.sum::<usize>() + error.column().saturating_sub(1);
    let problem = error.to_string();
    // The place is said already.
    let problem = problem.split(" at line ").next().unwrap_or_default();
    AnalysisError::at(text, at.min(text.len()), short(problem))
}

/// A problem of readable length: some quote what they found.
fn short(problem: impl Display) -> String {
    const LONGEST: usize = 300;
    let mut text = problem.to_string();
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// A position alone.
fn position(
    catalog: &Catalog,
    text: &str,
    variant: Option<&str>,
) -> Result<Analysis, AnalysisError> {
    let alone = |table: &dyn Table| Analysis {
        variant: table.variant().to_string(),
        start: table.custom_start().map(String::from),
        ..Analysis::default()
    };
    if let Some(variant) = variant {
        return opened(catalog, variant, Some(text)).map(|table| alone(&*table));
    }
    let variants = |info: &GameInfo<'_>| {
        info.variants.iter().map(|variant| variant.text.to_string()).collect::<Vec<_>>()
    };
    let variants: Vec<String> = catalog.games(variants).into_iter().flatten().collect();
    let fits = |variant: &String| opened(catalog, variant, Some(text)).ok();
    variants.iter().find_map(fits).map(|table| alone(&*table)).ok_or_else(|| {
        let expected = "this is no position of any game in its usual form; a game begins with tags, such \
            as [Variant \"…\"]";
        AnalysisError::at(text, 0, expected)
    })
}
