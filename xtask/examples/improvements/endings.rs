//! Endings to measure endgame tables from.
//!
//! From ordinary openings few games get to where tables are of use, so the switch `tablebase` is
//! measured from positions with a man or two more than the tables know. They come from games of a
//! weak engine without tables against itself, with some random moves: the first position with so few
//! men, if a search without tables finds it about even, and if it is still open: a few games that go
//! on from it in the same way do not all end alike, as they do in a dead draw. So they are endings
//! that occur in games and are not decided before they begin, and nothing about them depends on
//! tables. The same seed gives the same positions.

use std::collections::HashSet;
use std::thread::{available_parallelism, scope};

use agon_core::Rng;
use agon_core::rng::mix;
use agon_games::Table;
use agon_search::{Adviser, AgentSpec, Budget, adviser};

use super::Failure;

/// How many men there are, those of both sides and the royal pieces included.
const MEN: [usize; 2] = [5, 6];
/// The engine that plays the games, and that says whether a position is even.
const ENGINE: &str = "engine:hash=1,tablebase=off,book=off";
/// Its nodes for a move, and for the value of a position.
const NODES_A_MOVE: u64 = 300;
const NODES_OF_VALUE: u64 = 5000;
/// One move in so many is random.
const RANDOM: u64 = 8;
/// The value of an even position is at most this share of the game's scale.
const EVEN: f64 = 0.5;
/// How many games go on from a position to see whether it is open.
const TRIALS: usize = 4;
/// Longer games are given up.
const LONGEST: usize = 400;
/// How many games are played before their endings are counted; and after how many without a single
/// new one the search is given up.
const BATCH: u64 = 64;
const MOST_MISSES: u64 = 10_000;

const SEED: u64 = 1118;

/// Looks for so many different endings.
pub(crate) fn endings(start: &dyn Table, count: usize) -> Result<Vec<String>, Failure> {
    let threads = available_parallelism().map_or(1, usize::from) as u64;
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let (mut games, mut last_hit) = (0, 0);
    while found.len() < count {
        if games - last_hit > MOST_MISSES {
            let variant = start.variant();
            return Err(format!("only {} even endings of {variant} found", found.len()).into());
        }
        let numbers = games..games + BATCH;
        let share = |thread: u64| {
            let mine = numbers.clone().filter(move |number| number % threads == thread);
            mine.map(|number| Ok((number, ending(start, number)?))).collect()
        };
        let shares: Vec<Result<Vec<_>, Failure>> = scope(|scope| {
            let started: Vec<_> =
                (0..threads).map(|thread| scope.spawn(move || share(thread))).collect();
            started.into_iter().map(|thread| thread.join().expect("a game")).collect()
        });
        let mut batch: Vec<(u64, Option<String>)> = Vec::new();
        for share in shares {
            batch.extend(share?);
        }
        batch.sort();
        for (number, ending) in batch {
            if let Some(ending) = ending.filter(|ending| seen.insert(ending.clone())) {
                last_hit = number;
                found.push(ending);
            }
        }
        games += BATCH;
    }
    found.truncate(count);
    Ok(found)
}

/// The ending that the game with this number leads to, if it is even.
fn ending(start: &dyn Table, number: u64) -> Result<Option<String>, Failure> {
    let mut rng = Rng::new(mix(mix(SEED) ^ number));
    let men = MEN[number as usize % MEN.len()];
    let spec: AgentSpec = ENGINE.parse()?;
    let mut engine = adviser(start, &spec, rng.next_u64())?;
    let mut table = start.fork();
    play_on(&mut *table, &mut *engine, &mut rng, |table| men_on(table) <= men)?;
    // A single move may take several men.
    if men_on(&*table) != men || table.turn().is_err() {
        return Ok(None);
    }
    // The history of the game does not come along.
    let text = table.position();
    table.set_position(&text)?;
    let mut judge = adviser(&*table, &spec, 0)?;
    let choice = judge.choose(&*table, &Budget::nodes(NODES_OF_VALUE), &mut |_| {});
    // The values of forced results are beyond any scale.
    let margin = (EVEN * f64::from(table.scale())) as i32;
    let score = choice.and_then(|choice| choice.score);
    let is_even = score.is_some_and(|score| score.value().abs() <= margin);
    Ok((is_even && is_open(&*table, &mut *engine, &mut rng)?).then_some(text))
}

/// Whether games that go on from here do not all end alike.
fn is_open(table: &dyn Table, engine: &mut dyn Adviser, rng: &mut Rng) -> Result<bool, Failure> {
    let mut first = None;
    for _ in 0..TRIALS {
        let mut trial = table.fork();
        play_on(&mut *trial, engine, rng, |_| false)?;
        // A game that was given up is as good as drawn.
        let winner = trial.turn().err().and_then(|ended| ended.outcome.winner());
        if *first.get_or_insert(winner) != winner {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Plays until this holds, or the game is over or too long.
fn play_on(
    table: &mut dyn Table,
    engine: &mut dyn Adviser,
    rng: &mut Rng,
    until: impl Fn(&dyn Table) -> bool,
) -> Result<(), Failure> {
    for _ in 0..LONGEST {
        if until(table) {
            break;
        }
        let mv = match rng.below(RANDOM) {
            0 => table.random_move(rng),
            _ => engine
                .choose(table, &Budget::nodes(NODES_A_MOVE), &mut |_| {})
                .map(|choice| choice.mv),
        };
        let Some(mv) = mv else { break };
        table.play(&mv)?;
    }
    Ok(())
}

/// How many men, or stacks of them, are on the board: each is a letter in the first word of a
/// position's text.
fn men_on(table: &dyn Table) -> usize {
    let text = table.position();
    let board = text.split_whitespace().next().unwrap_or_default();
    board.chars().filter(char::is_ascii_alphabetic).count()
}
