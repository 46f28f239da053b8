//! No wrong result is claimed: what the engine announces as won or lost near the end of a game is won
//! or lost by the solver, or by a plain search of all moves.

use agon_core::Rng;
use agon_games::{Table, open};
use agon_search::{Adviser, Budget, Forced, Source, adviser};

/// The variants, and how many plies before the end the positions are.
const VARIANTS: [(&str, u64); 10] = [
    ("fenix", 5),
    ("breakthrough:5x5", 10),
    ("breakthrough:8x8", 8),
    ("breakthrough:10x10", 6),
    ("breakthrough:6x6,classic", 7),
    ("congo", 4),
    ("wumpus:3", 8),
    ("wumpus:6", 3),
    ("connect4", 14),
    ("fauhalma:star2", 4),
];
/// Positions of each variant in the ordinary run; the soak looks at 10,000.
const POSITIONS: u64 = 60;
const POSITIONS_OF_SOAK: u64 = 10_000;
/// What the engine may search: most results near the end are within reach, but not all.
const NODES: u64 = 1_500;
/// What the solver may search to check a claim.
const NODES_OF_SOLVER: u64 = 60_000;
/// At least this part of the claims has to be decided, in hundredths.
const DECIDED: u64 = 50;

fn positions() -> u64 {
    if std::env::var_os("AGON_SOAK").is_some() { POSITIONS_OF_SOAK } else { POSITIONS }
}

/// One move in so many is random where random games would not come to an end on the board.
const RANDOM: u64 = 8;

/// A random game, taken back by some plies from its end.
fn near_the_end(variant: &str, plies: u64, rng: &mut Rng) -> Box<dyn Table> {
    loop {
        let mut table = open(&variant.parse().unwrap()).unwrap();
        let goes_home = variant.starts_with("fauhalma");
        let mut greedy = adviser(&*table, &"greedy".parse().unwrap(), 0).unwrap();
        while let Some(mut mv) = table.random_move(rng) {
            if goes_home && rng.below(RANDOM) > 0 {
                mv = greedy.choose(&*table, &Budget::default(), &mut |_| {}).unwrap().mv;
            }
            table.play(&mv).unwrap();
        }
        for _ in 0..=rng.below(plies) {
            table.undo();
        }
        if table.turn().is_ok() {
            return table;
        }
    }
}

/// Whether the player to move wins (or loses) by what an agent says, if it says so for certain.
fn forced(agent: &mut dyn Adviser, table: &dyn Table, nodes: u64) -> Option<Forced> {
    let choice = agent.choose(table, &Budget::nodes(nodes), &mut |_| {})?;
    choice.score?.forced()
}

/// The longest claims that are checked by looking at all moves where the solver is not through.
const SHORT: u32 = 4;

/// The value of a position in which a claim is short, by a search of all moves to its end.
fn by_all_moves(table: &dyn Table, claim: Forced) -> Option<i32> {
    let (Forced::WinIn(plies) | Forced::LossIn(plies)) = claim;
    if plies > SHORT {
        return None;
    }
    let mut agent = adviser(table, &"alphabeta:eval=simple".parse().unwrap(), 0).unwrap();
    let choice = agent.choose(table, &Budget::depth(plies + 1), &mut |_| {})?;
    Some(match choice.score?.forced() {
        Some(Forced::WinIn(_)) => 1,
        Some(Forced::LossIn(_)) => -1,
        None => 0,
    })
}

/// The value that the solver proves: 1 for a win, 0 for a draw, -1 for a loss.
fn proven(solver: &mut dyn Adviser, table: &dyn Table) -> Option<i32> {
    let choice = solver.choose(table, &Budget::nodes(NODES_OF_SOLVER), &mut |_| {})?;
    let is_proof = matches!(choice.statistics.source, Source::Proof | Source::Table);
    is_proof.then(|| match choice.score.and_then(|score| score.forced()) {
        Some(Forced::WinIn(_)) => 1,
        Some(Forced::LossIn(_)) => -1,
        None => 0,
    })
}

#[test]
fn what_the_engine_announces_is_so() {
    for (number, (variant, plies)) in VARIANTS.into_iter().enumerate() {
        let (mut claims, mut decided) = (0, 0);
        let mut rng = Rng::new(number as u64);
        for _ in 0..positions() {
            let table = near_the_end(variant, plies, &mut rng);
            // On its own: without the solver and the tables it is to be checked by.
            let spec = "engine:solving=off,tablebase=off,hash=1".parse().unwrap();
            let mut engine = adviser(&*table, &spec, 0).unwrap();
            let Some(claim) = forced(&mut *engine, &*table, NODES) else { continue };
            claims += 1;
            let mut solver = adviser(&*table, &"solver".parse().unwrap(), 0).unwrap();
            let value = proven(&mut *solver, &*table).or_else(|| by_all_moves(&*table, claim));
            let Some(value) = value else { continue };
            decided += 1;
            let claimed = if matches!(claim, Forced::WinIn(_)) { 1 } else { -1 };
            let (position, played) = (table.position(), table.played().join(" "));
            assert_eq!(claimed, value, "{variant} {position}: {claim:?} after {played}");
        }
        assert!(claims >= positions() / 10, "{variant}: only {claims} claims");
        assert!(decided * 100 >= claims * DECIDED, "{variant}: {decided} of {claims} decided");
    }
}
