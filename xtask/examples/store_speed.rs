//! How fast games of 25 moves are stored (each in its own transaction), read and rated, and their
//! size.
//!
//! `cargo run --release -p xtask --example store_speed -- FOLDER [GAMES]`

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_arena::rating_table::RatingTable;
use agon_arena::store::{Entrant, Filter, NewSeries, SeriesKind, Store, StoredGame, now};
use agon_core::{PerSeat, Rng, Seat};
use agon_search::Score;

const MOVES: usize = 25;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("expected an empty folder")?);
    let count: u64 = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let store = Store::open(&folder)?;
    let entrant = |name: &str| Entrant { name: name.into(), agent: name.into() };
    let entrants = vec![entrant("engine"), entrant("mcts")];
    let new =
        NewSeries { kind: SeriesKind::Match, name: None, plan: "{}".into(), seed: 0, entrants };
    let series = store.begin_series(&new)?;

    let mut rng = Rng::new(0);
    let mut games: Vec<StoredGame> = (0..64).map(|_| random_game(&mut rng)).collect();
    let begun = Instant::now();
    for (number, pick) in (0..count).zip((0..games.len()).cycle()) {
        games[pick].number = number;
        store.put(series, &games[pick])?;
    }
    let rate = |begun: Instant| count as f64 / begun.elapsed().as_secs_f64();
    println!("{:>8.0} games stored a second", rate(begun));
    let begun = Instant::now();
    for game in store.games(&Filter::of(series))? {
        game?;
    }
    println!("{:>8.0} games read a second", rate(begun));
    let begun = Instant::now();
    RatingTable::of(&store, &Filter::default())?;
    println!("{:>8.0} games rated a second", rate(begun));
    let file = store.file().to_path_buf();
    drop(store);
    println!("{:>8} bytes a game", std::fs::metadata(file)?.len() / count.max(1));
    Ok(())
}

fn random_game(rng: &mut Rng) -> StoredGame {
    let mut moves = Vec::new();
    for _ in 0..MOVES {
        let mut square =
            || format!("{}{}", ["a", "b", "c", "d"][rng.below(4) as usize], rng.below(8));
        moves.push(square() + &square());
    }
    StoredGame {
        number: 0,
        round: 0,
        pairing: 0,
        leg: 0,
        variant: "breakthrough:8x8".into(),
        pace: "10s+100ms".into(),
        seats: PerSeat::from_slice(&[0, 1]),
        start: None,
        opening: String::new(),
        moves: moves.join(" "),
        movers: (0..MOVES).map(|ply| Seat::new(ply % 2)).collect(),
        times: (0..MOVES).map(|_| Duration::from_micros(rng.below(200_000))).collect(),
        nodes: (0..MOVES).map(|_| rng.below(200_000)).collect(),
        latencies: (0..MOVES).map(|_| Duration::from_micros(rng.below(20))).collect(),
        depths: (0..MOVES).map(|_| 5 + rng.below(8) as u32).collect(),
        scores: (0..MOVES).map(|_| Some(Score::units(rng.below(400) as i32 - 200))).collect(),
        points: PerSeat::from_slice(&[100, 0]),
        reason: "the last row is reached".into(),
        end: "board".into(),
        offender: None,
        evidence: None,
        signature: rng.next_u64(),
        finished_at: now(),
        rated: true,
        disturbed: false,
        resources: None,
        played_by: None,
    }
}
