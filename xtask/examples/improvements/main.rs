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
//! Two switches show what they are worth only where they are used. `tablebase` is measured from even
//! endings of five and six men ([`endings`]) at 50 ms per move, each played with both seatings;
//! `book` from the start of the variant, where games that repeat another one move by move, with the
//! same seating, are not counted.
//!
//! `agent=mcts` measures the switches of the Monte Carlo search instead. `games=N` and
//! `only=SWITCH` play less. `data=DIR` or `AGON_DATA` is the folder with tables and books that were
//! built; without it those inside the program are used. `positions=FILE` plays nothing and writes the
//! endings of the one variant that is named, for `agon match VARIANT … --openings FILE`.

mod endings;
mod matches;
mod setting;
mod subject;

use std::fs::File;
use std::path::{Path, PathBuf};

use agon_core::Variant;
use agon_games::endgames_of;

use matches::{Row, three_players, two_players};
use setting::{Home, Setting, write_endings};
use subject::Subject;

const VARIANTS: &[&str] =
    &["fenix", "breakthrough:6x6", "breakthrough:8x8", "congo", "wumpus:6", "fauhalma:star2"];

/// Further variants for searches that have their switches with three players too.
const VARIANTS_OF_THREE: &[&str] = &["fauhalma:star3"];

const MOST_GAMES: u64 = 400;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The command line.
struct Arguments {
    subject: Subject,
    variants: Vec<String>,
    only: Vec<String>,
    games: u64,
    data: Option<PathBuf>,
    positions: Option<PathBuf>,
}

impl Arguments {
    fn read(texts: impl Iterator<Item = String>) -> Result<Arguments, Failure> {
        let mut arguments = Arguments {
            subject: Subject::Engine,
            variants: Vec::new(),
            only: Vec::new(),
            games: MOST_GAMES,
            data: std::env::var_os("AGON_DATA").filter(|text| !text.is_empty()).map(PathBuf::from),
            positions: None,
        };
        for text in texts {
            match text.split_once('=') {
                Some(("agent", name)) => arguments.subject = Subject::named(name)?,
                Some(("games", number)) => arguments.games = number.parse()?,
                Some(("only", name)) => arguments.only.push(name.to_string()),
                Some(("data", folder)) => arguments.data = Some(PathBuf::from(folder)),
                Some(("positions", file)) => arguments.positions = Some(PathBuf::from(file)),
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
    let arguments = Arguments::read(std::env::args().skip(1))?;
    let home = Home::new(arguments.data.clone());
    match &arguments.positions {
        Some(file) => write_positions(&arguments, &home, file),
        None => measure(&arguments, &home),
    }
}

/// Writes the endings of a variant to a file.
fn write_positions(arguments: &Arguments, home: &Home, file: &Path) -> Result<(), Failure> {
    let [variant] = &arguments.variants[..] else {
        return Err("positions=FILE: name one variant".into());
    };
    let variant: Variant = variant.parse()?;
    if endgames_of(variant.game()).is_none() {
        return Err(format!("{variant} has no endgame tables").into());
    }
    let count = write_endings(home, &variant, arguments.games, &mut File::create(file)?)?;
    eprintln!("{count} endings of {variant} written to {}", file.display());
    Ok(())
}

/// Measures the switches and prints a table, then what is to be known about single rows.
fn measure(arguments: &Arguments, home: &Home) -> Result<(), Failure> {
    let Arguments { subject, variants, only, games, .. } = arguments;
    let mut notes = Vec::new();
    println!(
        "| variant | improvement | by default | games | points with it, 95 % | Elo | verdict |"
    );
    println!("|---|---|---|---|---|---|---|");
    for text in variants {
        let table = home.catalog.open(&text.parse()?)?;
        let (variant, seats) = (table.variant(), table.seats());
        for name in subject.switches() {
            if !only.is_empty() && !only.iter().any(|wanted| wanted == name) {
                continue;
            }
            let Some(setting) = Setting::of(home, variant, (*subject, name), *games)? else {
                println!("| `{variant}` | `{name}` | | | | | no effect |");
                continue;
            };
            let row = match seats {
                2 => two_players(&setting, *subject, name, *games)?,
                3 => three_players(&setting, *subject, name, *games)?,
                _ => return Err(format!("{variant} is for {seats} players, not 2 or 3").into()),
            };
            let by_default = subject.default(variant, name)?;
            let Row { games, played, points, elo, verdict } = row;
            println!(
                "| `{variant}` | `{name}` | {by_default} | {games} | {points} | {elo} | {verdict} |"
            );
            if let Some(note) = &setting.note {
                let different = match setting.repeats {
                    true => format!("{games} different games of {played}; "),
                    false => String::new(),
                };
                notes.push(format!("- `{variant}`, `{name}`: {different}{note}"));
            }
        }
    }
    if !notes.is_empty() {
        println!("\n{}", notes.join("\n"));
    }
    Ok(())
}
