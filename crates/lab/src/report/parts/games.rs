//! Annotated games with boards.

use agon_arena::words::percent;
use agon_core::Seat;
use agon_games::Table as Board;
use agon_picture::svg;
use agon_plot::{Axis, LinePlot, Point, Reference, Series};

use crate::report::{Block, Figure, GameExcerpt, Material};
use crate::showcase::Shown;

/// The evaluation is the game's strongest: the second, where there are several.
const STRONGEST: usize = 1;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let games: Vec<Block> = material
        .results
        .shown
        .iter()
        .enumerate()
        .filter_map(|(index, shown)| excerpt(material, index, shown))
        .map(Block::Game)
        .collect();
    if games.is_empty() {
        return Vec::new();
    }
    let text = "Chosen by a rule, not by hand: from the last pairings of the comparisons first the \
                shortest wins, then the shortest defeats, then the longest games, three in all. The boards \
                show the end of the opening, the move after which the game's own evaluation swung \
                most, and the end.";
    let mut blocks = vec![Block::Heading("Some games".into()), Block::Paragraph(text.into())];
    blocks.extend(games);
    blocks
}

fn excerpt(material: &Material<'_>, index: usize, shown: &Shown) -> Option<GameExcerpt> {
    let terms = &material.experiment.comparisons[shown.place.0].terms[shown.place.1];
    let game = &shown.game;
    let mut board =
        terms.catalog.open_at::<&str>(&terms.variant, game.start.as_deref(), &[]).ok()?;
    let names: Vec<String> =
        Seat::all(board.seats()).map(|seat| board.seat_name(seat).to_string()).collect();
    let evaluations = board.evaluations();
    let evaluation = evaluations.get(STRONGEST).or(evaluations.first()).map(|(name, _)| *name);
    let value = |board: &dyn Board| {
        let value = f64::from(board.evaluate(evaluation?)?) / 100.0;
        // With more than two, only the first seat's own view can be compared from move to move.
        match (board.status().to_move()?, board.seats()) {
            (Seat::FIRST, _) => Some(value),
            (_, 2) => Some(-value),
            _ => None,
        }
    };
    let opening = game.opening_moves().count();
    let mut values: Vec<(usize, f64)> = Vec::new();
    for (ply, mv) in game.opening_moves().chain(game.played_moves()).enumerate() {
        board.play(mv).ok()?;
        if ply + 1 >= opening {
            values.extend(value(&*board).map(|value| (ply + 1, value)));
        }
    }
    let last = game.plies();
    let turn = swing(&values);
    let mut plies = vec![(opening, "after the opening".to_string())];
    if let Some((ply, by)) = turn.filter(|(ply, _)| *ply > opening && *ply < last) {
        let first = board.seat_label(Seat::FIRST);
        plies.push((ply, format!("ply {ply}: the largest swing, {by:+.1} for {first}")));
    }
    plies.push((last, format!("the end, ply {last}: {}", game.reason)));
    let boards = plies
        .into_iter()
        .filter_map(|(ply, caption)| Some((picture(&*board, ply, &names)?, caption)));
    let boards: Vec<(String, String)> = boards.collect();
    Some(GameExcerpt {
        title: title(shown, &names),
        moves: moves(shown, opening),
        boards,
        curve: curve(index, &values, evaluation.unwrap_or(""), &names[0]),
    })
}

fn title(shown: &Shown, names: &[String]) -> String {
    let players = shown.players.iter().zip(names).zip(shown.game.points.as_slice());
    let players = players.map(|((player, seat), points)| {
        format!("{player} ({seat}) {}", percent(f64::from(*points) / 100.0).replace(".0", ""))
    });
    let players: Vec<String> = players.collect();
    format!("{}: {}", capitalised(&shown.why), players.join(", "))
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The moves, with the opening and the longest thought marked.
fn moves(shown: &Shown, opening: usize) -> String {
    let game = &shown.game;
    let longest = game.times.iter().enumerate().max_by_key(|(_, time)| **time);
    let mut text = String::new();
    for (index, mv) in game.opening_moves().chain(game.played_moves()).enumerate() {
        if index == opening && opening > 0 {
            text.push_str("| ");
        }
        text.push_str(mv);
        if let Some((ply, time)) = longest.filter(|(ply, _)| ply + opening == index) {
            let nodes = game.nodes.get(ply).map_or(String::new(), |nodes| {
                format!(", {} nodes", agon_arena::words::thousands(*nodes))
            });
            text.push_str(&format!(
                " (the longest thought: {:.0} ms{nodes})",
                time.as_secs_f64() * 1e3
            ));
        }
        text.push(' ');
    }
    text.trim_end().to_string()
}

/// The ply after which the evaluation changed most, and by how much.
fn swing(values: &[(usize, f64)]) -> Option<(usize, f64)> {
    let changes = values.windows(2).map(|pair| (pair[1].0, pair[1].1 - pair[0].1));
    changes.max_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()))
}

/// The board after so many plies.
fn picture(board: &dyn Board, plies: usize, names: &[String]) -> Option<String> {
    let mut board = board.fork();
    while board.played().len() > plies {
        if !board.undo() {
            return None;
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let last = board.last().map(|last| last.trace.clone());
    Some(svg(&board.scene(), &names, last.as_ref()))
}

fn curve(index: usize, values: &[(usize, f64)], evaluation: &str, seat: &str) -> Option<Figure> {
    if values.len() < 2 {
        return None;
    }
    let caption = format!("The evaluation {evaluation}, from {seat}'s side, move by move");
    let points = values.iter().map(|(ply, value)| Point::new(*ply as f64, *value)).collect();
    let plot = LinePlot {
        title: caption.clone(),
        x: Axis::linear("Ply"),
        y: Axis::linear("Evaluation"),
        series: vec![Series { name: String::new(), points }],
        reference: Some(Reference { y: 0.0, label: "even".into() }),
        ..LinePlot::default()
    };
    Some(Figure { id: format!("game-{}", index + 1), svg: plot.svg(), caption })
}
