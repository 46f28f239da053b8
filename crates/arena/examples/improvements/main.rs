//! What is each improvement of the engine worth? `cargo xtask improvements [VARIANT …]`.
//!
//! For every switch, the engine as it is by default plays against itself with that switch turned
//! round: off where it is on, on where the game has it off. At most 400 games at 20 ms a move, and
//! fewer if the answer is clear before: after every 40 games the match stops when the score is
//! further from one half than chance would bring it at ten such looks in one match of twenty. Where
//! a switch changes nothing at all in a game, no match is played. `games=N` and `only=SWITCH` play
//! less.

use std::time::Duration;

use agon_arena::clock::{Pace, TimeControl};
use agon_arena::contest::Event;
use agon_arena::rating::Estimate;
use agon_arena::{Contest, Registry};
use agon_core::{Hints, Rng, Variant};
use agon_games::{Playable, Visitor, open, with_game};
use agon_search::engine::options::{Options, Switches};
use agon_search::{Budget, StopFlag, adviser};

const VARIANTS: &[&str] =
    &["fenix", "breakthrough:6x6", "breakthrough:8x8", "congo", "wumpus:6", "fauhalma:star2"];

const MOST_GAMES: u64 = 400;
const GAMES_A_LOOK: u64 = 40;
/// Nodes of the searches that are compared to see whether a switch does anything.
const TRIAL_NODES: u64 = 30_000;
const PER_MOVE: Duration = Duration::from_millis(20);

/// Standard errors from one half that stop a match, for ten looks (Pocock's boundary).
const BOUNDARY: f64 = 2.555;
/// What the intervals of the arena are made with.
const Z95: f64 = 1.96;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given =
        |wanted: fn(&str) -> bool| arguments.iter().map(String::as_str).filter(move |a| wanted(a));
    let mut variants: Vec<&str> = given(|text| !text.contains('=') || text.contains(':')).collect();
    if variants.is_empty() {
        variants = VARIANTS.to_vec();
    }
    let only: Vec<&str> = given(|text| text.starts_with("only=")).map(|text| &text[5..]).collect();
    let games = given(|text| text.starts_with("games=")).find_map(|text| text[6..].parse().ok());
    println!(
        "| variant | improvement | by default | games | points with it, 95 % | Elo | verdict |"
    );
    println!("|---|---|---|---|---|---|---|");
    for variant in variants {
        let defaults = with_game(&variant.parse()?, Defaults)?;
        for name in Switches::NAMES.iter().filter(|name| only.is_empty() || only.contains(name)) {
            if changes_nothing(variant, name)? {
                println!("| `{variant}` | `{name}` | | | | | changes nothing |");
                continue;
            }
            let games = games.unwrap_or(MOST_GAMES);
            measure(&variant.parse()?, name, defaults.is_on(name), games)?;
        }
    }
    Ok(())
}

/// The switches of a game by default.
struct Defaults;

impl Visitor for Defaults {
    type Output = Switches;

    fn visit<G: Playable>(self, _: Variant, _: G) -> Switches {
        defaults::<G>()
    }
}

fn defaults<G: Hints>() -> Switches {
    Options::best::<G>().switches
}

/// Whether the engine searches the same trees with and without an improvement.
fn changes_nothing(variant: &str, name: &str) -> Result<bool, Failure> {
    for plies in [0, 10, 20, 30, 40, 50, 60] {
        let mut table = open(&variant.parse()?)?;
        let mut rng = Rng::new(plies);
        for _ in 0..plies {
            match table.random_move(&mut rng) {
                Some(mv) => table.play(&mv).map(drop)?,
                None => break,
            }
        }
        let tree = |on: &str| -> Result<_, Failure> {
            let spec = format!("engine:hash=4,{name}={on}").parse()?;
            let budget = Budget::nodes(TRIAL_NODES);
            let choice = adviser(&*table, &spec, 0)?.choose(&*table, &budget, &mut |_| {});
            Ok(choice.map(|choice| (choice.pv, choice.score, choice.statistics.expanded)))
        };
        if tree("on")? != tree("off")? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Plays one match and prints its row.
fn measure(variant: &Variant, name: &str, by_default: bool, games: u64) -> Result<(), Failure> {
    let contest = Contest {
        variant: variant.clone(),
        agents: vec![
            format!("engine:hash=16,{name}=on").parse()?,
            format!("engine:hash=16,{name}=off").parse()?,
        ],
        games,
        pace: Pace {
            time: TimeControl { per_move: Some(PER_MOVE), ..TimeControl::default() },
            ..Pace::default()
        },
        openings: "random:4".parse()?,
        seed: 2026,
        concurrency: std::thread::available_parallelism().map_or(1, usize::from),
    };
    let stop = StopFlag::default();
    let standings = contest.play(&Registry::built_in(), &stop, &mut |event| {
        if let Event::Game { standings, .. } = event {
            let is_look = standings.games.is_multiple_of(GAMES_A_LOOK);
            let points = standings.agents[0].mean_points();
            if is_look && points.is_some_and(|points| errors_from_half(points) > BOUNDARY) {
                stop.stop();
            }
        }
    })?;
    let first = &standings.agents[0];
    let points = first.mean_points().ok_or("no games were played")?;
    let elo = first.elo().ok_or("no games were played")?;
    let verdict = match errors_from_half(points) > BOUNDARY {
        true if points.value > 50.0 => "helps",
        true => "hurts",
        false => "undecided",
    };
    println!(
        "| `{variant}` | `{name}` | {} | {} | {:.1} ± {:.1} | {:+.0} ± {:.0} | {verdict} |",
        if by_default { "on" } else { "off" },
        standings.games,
        points.value,
        points.half_width(),
        elo.value,
        elo.error()
    );
    Ok(())
}

/// How many standard errors the points are away from one half.
fn errors_from_half(points: Estimate) -> f64 {
    (points.value - 50.0).abs() / (points.half_width() / Z95).max(1e-9)
}
