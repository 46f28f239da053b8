//! Stored games for tests: a tournament with scores, clocks and a fault, and a match.

use std::path::Path;
use std::time::Duration;

use agon_arena::store::{Entrant, NewSeries, SeriesId, SeriesKind, Store, StoredGame};
use agon_core::{PerSeat, Rng, Seat};
use agon_search::Score;

/// The tournament's name: any text can be one.
pub const TOURNAMENT: &str = "spring/1 <b>";
/// The agent whose name and text are meant to be mistaken for something else.
pub const FORMULA: &str = "=HYPERLINK(\"x\")";
/// The evidence of the fault in game 1.3.
pub const EVIDENCE: &str = "\"b9\": expected a move\nposition: 5/5 w\nsent: go movetime 10\n\
    out: <script>alert(1)</script> bestmove b9";

/// A game of random moves to its end, as it is stored.
pub fn random_game(number: u64, variant: &str) -> StoredGame {
    let mut table = agon_games::open(&variant.parse().expect("a variant")).expect("a game");
    let mut rng = Rng::new(number + 1);
    let mut movers = Vec::new();
    while let Some(mv) = rng.choose(&table.moves()).cloned() {
        movers.push(Seat::new(movers.len() % table.seats()));
        table.play(&mv).expect("a legal move");
    }
    let outcome = table.outcome().expect("the game is over");
    let plies = movers.len();
    StoredGame {
        number,
        round: number as u32,
        pairing: 0,
        leg: 0,
        variant: variant.into(),
        pace: "10s+100ms a game".into(),
        seats: PerSeat::from_slice(&[0, 1]),
        start: None,
        opening: String::new(),
        moves: table.played().join(" "),
        movers,
        times: vec![Duration::from_millis(300); plies],
        nodes: vec![1234; plies],
        latencies: vec![Duration::ZERO; plies],
        depths: (1..=plies as u32).collect(),
        scores: (0..plies).map(|ply| Some(Score::units(ply as i32 * 10 - 50))).collect(),
        points: outcome.points(),
        reason: outcome.reason().text().into_owned(),
        end: "board".into(),
        offender: None,
        evidence: None,
        signature: number,
        finished_at: 1_700_000_000_000 + number as i64 * 86_400_000,
        rated: true,
        disturbed: false,
        resources: None,
        played_by: None,
    }
}

/// Six games of a tournament, the fourth with a fault, and two of a match.
pub fn store_tournament(folder: &Path) {
    let store = Store::open(folder).expect("a store");
    let entrant = |name: &str, agent: &str| Entrant { name: name.into(), agent: agent.into() };
    let begin = |kind, name: Option<&str>, entrants: Vec<Entrant>| -> SeriesId {
        let plan = r#"{"format":{"name":"round-robin"},"seats":2,"planned":6}"#.to_string();
        let name = name.map(String::from);
        store.begin_series(&NewSeries { kind, name, plan, seed: 1, entrants }).expect("a series")
    };
    let entrants = vec![entrant(FORMULA, "engine:level=3"), entrant("Chance", "random")];
    let tournament = begin(SeriesKind::Tournament, Some(TOURNAMENT), entrants);
    for number in 0..6 {
        let mut game = random_game(number, "breakthrough:5x5");
        if number == 3 {
            game.end = "fault:illegal-move".into();
            game.reason = "illegal move".into();
            game.offender = Some(Seat::SECOND);
            game.evidence = Some(EVIDENCE.into());
            game.points = PerSeat::from_slice(&[100, 0]);
        }
        store.put(tournament, &game).expect("a stored game");
    }
    let entrants = vec![entrant("random", "random"), entrant("greedy", "greedy")];
    let other = begin(SeriesKind::Match, None, entrants);
    for number in 0..2 {
        store.put(other, &random_game(number, "wumpus:3")).expect("a stored game");
    }
}
