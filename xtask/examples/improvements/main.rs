//! What is each improvement of a search worth? `cargo xtask improvements [VARIANT …]`.
//!
//! For every switch, the default engine plays against itself with that switch inverted: off where
//! it is on by default in the game, and the other way round. At most 400 games at 20 ms per move,
//! and fewer if the answer is clear earlier: every 40 games the match stops if the score is further
//! from one half than chance would bring it, with ten such looks, in one match of twenty. If a
//! switch has no effect at all in a game, no match is played.
//!
//! Three players play in two mixes, one agent with the switch against two without and two with it
//! against one without, for half of the games each, without stopping early.
//!
//! `agent=mcts` measures the switches of the Monte Carlo search instead. `games=N` and
//! `only=SWITCH` play less.

mod matches;
mod subject;

use agon_core::Variant;
use agon_games::open;

use matches::{Row, three_players, two_players};
use subject::Subject;

const VARIANTS: &[&str] =
    &["fenix", "breakthrough:6x6", "breakthrough:8x8", "congo", "wumpus:6", "fauhalma:star2"];

/// Further variants for searches that have their switches with three players too.
const VARIANTS_OF_THREE: &[&str] = &["fauhalma:star3"];

const MOST_GAMES: u64 = 400;

type Failure = Box<dyn std::error::Error>;

/// The command line.
struct Arguments {
    subject: Subject,
    variants: Vec<String>,
    only: Vec<String>,
    games: u64,
}

impl Arguments {
    fn read(texts: impl Iterator<Item = String>) -> Result<Arguments, Failure> {
        let mut arguments = Arguments {
            subject: Subject::Engine,
            variants: Vec::new(),
            only: Vec::new(),
            games: MOST_GAMES,
        };
        for text in texts {
            match text.split_once('=') {
                Some(("agent", name)) => arguments.subject = Subject::named(name)?,
                Some(("games", number)) => arguments.games = number.parse()?,
                Some(("only", name)) => arguments.only.push(name.to_string()),
                // Options of a variant contain = too.
                _ => arguments.variants.push(text),
            }
        }
        if arguments.variants.is_empty() {
            let of_three = match arguments.subject {
                Subject::Engine => &[],
                Subject::Mcts => VARIANTS_OF_THREE,
            };
            let all = VARIANTS.iter().chain(of_three);
            arguments.variants = all.map(ToString::to_string).collect();
        }
        if let Some(name) = arguments.only.iter().find(|name| !arguments.subject.has(name)) {
            let known = arguments.subject.switches().join(", ");
            return Err(format!("there is no switch {name}; there are {known}").into());
        }
        Ok(arguments)
    }
}

fn main() -> Result<(), Failure> {
    let Arguments { subject, variants, only, games } = Arguments::read(std::env::args().skip(1))?;
    println!(
        "| variant | improvement | by default | games | points with it, 95 % | Elo | verdict |"
    );
    println!("|---|---|---|---|---|---|---|");
    for text in &variants {
        let variant: Variant = text.parse()?;
        let seats = open(&variant)?.seats();
        for name in subject.switches() {
            if !only.is_empty() && !only.iter().any(|wanted| wanted == name) {
                continue;
            }
            if subject.ignores(&variant, name)? {
                println!("| `{variant}` | `{name}` | | | | | no effect |");
                continue;
            }
            let row = match seats {
                2 => two_players(&variant, subject, name, games)?,
                3 => three_players(&variant, subject, name, games)?,
                _ => return Err(format!("{variant} is for {seats} players, not 2 or 3").into()),
            };
            let by_default = if subject.is_on(&variant, name)? { "on" } else { "off" };
            let Row { games, points, elo, verdict } = row;
            println!(
                "| `{variant}` | `{name}` | {by_default} | {games} | {points} | {elo} | {verdict} |"
            );
        }
    }
    Ok(())
}
