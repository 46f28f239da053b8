//! The vectors: positions with their moves and counts, battles, and the solved 3×3 game.

use std::collections::{BTreeMap, HashMap, HashSet};

use agon_core::{Game, Notation, Status, Variant};
use serde_json::Value;

use super::{perft, table};
use crate::battery::plain;
use crate::catalog::{Playable, Visitor};
use crate::wumpus::board::Cells;
use crate::wumpus::{ADVERSARY, Wumpus};

const VECTORS: &str = include_str!("../vectors.jsonl");

pub(super) fn records(kind: &str) -> Vec<Value> {
    let all = VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter(|record| record["kind"] == kind).collect()
}

/// A list of rows with `.` for empty cells, as the rows of a position's text.
fn rows(board: &Value) -> String {
    let row = |row: &Value| row.as_str().unwrap().chars().collect();
    plain::write_rows(&board.as_array().unwrap().iter().map(row).collect())
}

/// The position of a record with a board and a side.
pub(super) fn position_text(record: &Value) -> String {
    format!("{} {} 0", rows(&record["board"]), record["turn"].as_str().unwrap())
}

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

/// A list of four numbers from 0, as a move's text.
fn move_text(mv: &Value) -> String {
    let n: Vec<u64> = numbers(mv).into_iter().map(|number| number + 1).collect();
    format!("{},{}-{},{}", n[0], n[1], n[2], n[3])
}

fn sorted_moves(record: &Value) -> Vec<String> {
    plain::sorted(record["legal"].as_array().unwrap().iter().map(move_text).collect())
}

#[test]
fn the_start_positions_have_their_moves_and_counts() {
    let all = records("start_perft");
    assert_eq!(all.len(), 7);
    for record in all {
        let pits = record["pits"].as_array().unwrap().iter().map(numbers);
        let names: Vec<String> = pits.map(|p| format!("{}.{}", p[0] + 1, p[1] + 1)).collect();
        let table = table(&format!("wumpus:{},pits={}", record["d"], names.join("+")));
        assert_eq!(table.position(), position_text(&record));
        assert_eq!(table.moves(), sorted_moves(&record), "{}", table.position());
        for (depth, count) in (1..).zip(numbers(&record["perft"])).filter(|(_, n)| *n < 50_000_000)
        {
            assert_eq!(perft(&*table, depth), count, "{} depth {depth}", table.variant());
        }
    }
}

/// How many moves of a position are battles, and how many lead into a pit, by the drawing and by
/// what the generator considers noisy.
struct Losses<'a>(&'a str);

impl Visitor for Losses<'_> {
    type Output = (usize, usize);

    fn visit<G: Playable>(self, _: Variant, start: G) -> (usize, usize) {
        let position = start.read_position(self.0).unwrap();
        let mut noisy = agon_core::MoveList::new();
        let _ = position.generate(agon_core::Which::Noisy, &mut noisy);
        let moves = position.moves();
        let losing = moves.iter().filter(|mv| !position.trace(**mv).removes.is_empty()).count();
        (noisy.len(), losing - noisy.len())
    }
}

#[test]
fn the_positions_have_their_moves_and_counts() {
    let all = records("position");
    assert_eq!(all.len(), 26);
    for record in all {
        let (id, text) = (&record["id"], position_text(&record));
        let variant = format!("wumpus:{}", record["d"]);
        let mut table = table(&variant);
        table.set_position(&text).unwrap();
        assert_eq!(table.position(), text, "{id}");
        assert_eq!(table.moves(), sorted_moves(&record), "{id}");
        assert_eq!(table.moves().len() as u64, record["n_legal"].as_u64().unwrap(), "{id}");
        let (battles, falls) = crate::with_game(&variant.parse().unwrap(), Losses(&text)).unwrap();
        assert_eq!(battles as u64, record["n_battles"].as_u64().unwrap(), "{id}");
        assert_eq!(falls as u64, record["n_pit_moves"].as_u64().unwrap(), "{id}");
        for (depth, count) in (1..).zip(numbers(&record["perft"])) {
            assert_eq!(perft(&*table, depth), count, "{id} depth {depth}");
        }
    }
}

#[test]
fn battles_and_pits_leave_what_they_should() {
    let kinds = ["battle", "pit", "terminal"].map(records);
    assert_eq!(kinds.each_ref().map(Vec::len), [9, 1, 1]);
    for record in kinds.iter().flatten() {
        let mut table = table("wumpus:3");
        table.set_position(&format!("{} agent 7", rows(&record["before"]))).unwrap();
        table.play(&move_text(&record["move"])).unwrap();
        assert_eq!(table.position(), format!("{} adversary 0", rows(&record["after"])));
        let points = table.outcome().map(|outcome| outcome.points().as_slice().to_vec());
        let expected = match record["result"].as_str() {
            None => None,
            Some("adversary") => Some(vec![100, 0]),
            Some("draw") => Some(vec![50, 50]),
            Some(other) => panic!("a result {other}"),
        };
        assert_eq!(points, expected, "{record}");
    }
}

/// Everything that can be reached from a start, including endless play.
struct Reachable<W: Cells> {
    states: Vec<Wumpus<W>>,
    /// The numbers of the states that a move leads to; empty where the game is over.
    children: Vec<Vec<usize>>,
}

impl<W: Cells> Reachable<W> {
    fn from(start: Wumpus<W>) -> Self {
        let mut numbers = HashMap::from([(start.key(), 0)]);
        let mut all = Reachable { states: vec![start], children: Vec::new() };
        while let Some(&position) = all.states.get(all.children.len()) {
            let child = |mv| {
                let mut child = position;
                child.play(mv);
                child.quiet = 0;
                *numbers.entry(child.key()).or_insert_with(|| {
                    all.states.push(child);
                    all.states.len() - 1
                })
            };
            let children = position.moves().into_iter().map(child).collect();
            all.children.push(children);
        }
        all
    }

    /// For every state: who wins in how many plies, `None` for a draw.
    fn solve(&self) -> Vec<Option<Forced>> {
        let mut solved: Vec<Option<Forced>> = self.states.iter().map(decided).collect();
        for plies in 1.. {
            let value = |state: usize| {
                let children = || self.children[state].iter().map(|&child| solved[child]);
                let wins = children().any(|child| child.is_some_and(|c| !c.mover_wins));
                let loses = children().all(|child| child.is_some_and(|c| c.mover_wins));
                let open = solved[state].is_none() && !self.children[state].is_empty();
                (open && (wins || loses)).then_some(Forced { mover_wins: wins, plies })
            };
            let found: Vec<(usize, Forced)> =
                (0..self.states.len()).filter_map(|s| Some((s, value(s)?))).collect();
            if found.is_empty() {
                return solved;
            }
            for (state, forced) in found {
                solved[state] = Some(forced);
            }
        }
        unreachable!("some ply finds nothing new")
    }
}

/// A forced result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Forced {
    mover_wins: bool,
    plies: u32,
}

fn decided<W: Cells>(position: &Wumpus<W>) -> Option<Forced> {
    let winner = position.outcome()?.winner()?;
    Some(Forced { mover_wins: winner == position.turn, plies: 0 })
}

#[test]
fn the_smallest_board_has_the_known_states_and_values() {
    let record = &records("solve")[0];
    let start = Wumpus::<u64>::start(u64::boards().get(3), agon_core::Bitboard::EMPTY);
    let all = Reachable::from(start);
    assert_eq!(all.states.len(), 415_262);
    assert_eq!(record["reachable_states_incl_side_to_move"], 415_262);
    let boards: HashSet<_> = all.states.iter().map(|s| (s.sides, s.kinds)).collect();
    assert_eq!(record["boards"], boards.len());

    let solved = all.solve();
    let (mut ends, mut values) = (BTreeMap::new(), BTreeMap::new());
    for (state, forced) in all.states.iter().zip(&solved) {
        match (state.status(), forced) {
            (Status::Over(outcome), _) => {
                let winner = outcome.winner().map_or("draw", |seat| state.seat_name(seat));
                *ends.entry(winner).or_insert(0) += 1;
            }
            (Status::ToMove(seat), forced) => {
                let value = forced.map_or("draw", |f| if f.mover_wins { "win" } else { "loss" });
                let name = format!("{} to move: {value}", state.seat_name(seat));
                *values.entry(name).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(serde_json::json!(ends), record["terminal"]);
    assert_eq!(serde_json::json!(values), record["distribution"]);
    assert_eq!(solved[0], None, "the start is a draw");
    assert_eq!(record["max_dtm"], solved.iter().flatten().map(|f| f.plies).max().unwrap());

    for root in record["root_moves"].as_array().unwrap() {
        let mut child = start;
        child.play(start.read_move(&move_text(&root["move"])).unwrap());
        let number = all.states.iter().position(|state| state.key() == child.key()).unwrap();
        let loss = solved[number].map(|forced| {
            assert!(forced.mover_wins && child.turn != ADVERSARY);
            u64::from(forced.plies) + 1
        });
        assert_eq!(loss, root["plies"].as_u64(), "{root}");
    }
}
