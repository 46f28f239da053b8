//! Where the game of a review comes from: the store, a file or standard input.

use std::io::{self, ErrorKind, Read};
use std::path::Path;

use agon_arena::analysis::{self, Analysis};
use agon_arena::files::{read_text, shown};
use agon_arena::review::{Game, Review};
use agon_arena::store::GameId;
use agon_games::Catalog;

use crate::args::ReviewArgs;
use crate::commands::records::find_game;
use crate::data::Data;
use crate::failure::bad_input;

/// The largest file of games, in bytes.
const LARGEST: u64 = 64 << 20;

/// A game to review.
pub(super) struct Source {
    /// The game.
    pub(super) game: Game,
    /// What it is called.
    pub(super) title: String,
    /// The names of the players, by seat; fewer if they are not known.
    names: Vec<String>,
    /// Whether it is one of the data folder.
    pub(super) is_stored: bool,
}

impl Source {
    /// Finds the game of the arguments.
    pub(super) fn find(args: &ReviewArgs, data: &Data) -> anyhow::Result<Source> {
        match args.game.parse::<GameId>() {
            Ok(_) if args.number != 1 => {
                let message = "--game chooses from the games of a file, and this is one game";
                Err(bad_input(format!("bad game {} with --game: {message}", args.game)))
            }
            Ok(id) => Source::stored(id, data),
            Err(_) => Source::text(args, data.catalog()),
        }
    }

    fn stored(id: GameId, data: &Data) -> anyhow::Result<Source> {
        let (series, game) = find_game(&data.games_to_read()?, id)?;
        let entrant = |&number: &u32| series.entrants.get(number as usize);
        let names =
            game.seats.as_slice().iter().map(|number| {
                entrant(number).map_or_else(String::new, |entrant| entrant.name.clone())
            });
        let names: Vec<String> = names.collect();
        let moves = game.opening_moves().chain(game.played_moves()).map(String::from).collect();
        let opening = game.opening_moves().count();
        let title = format!("{id}: {}", names.join(" – "));
        let game =
            Game { variant: game.variant.clone(), start: game.start.clone(), moves, opening };
        Ok(Source { game, title, names, is_stored: true })
    }

    fn text(args: &ReviewArgs, catalog: &Catalog) -> anyhow::Result<Source> {
        let (name, text) = match args.game.as_str() {
            "-" => ("standard input".to_string(), standard_input()?),
            file => (shown(Path::new(file)), file_text(Path::new(file))?),
        };
        let number = args.number as usize;
        let reading = analysis::read_any(catalog, &text, None, number);
        let reading = reading.map_err(|error| bad_input(format!("{name}: {error}")))?;
        let Analysis { variant, start, title, names, opening, .. } = &reading.analysis;
        let nodes = &reading.analysis.nodes;
        let line = reading.analysis.main_line();
        let moves = line.into_iter().map(|number| nodes[number - 1].mv.clone()).collect();
        let title = match (title.is_empty(), reading.games) {
            (false, _) => title.clone(),
            (true, 1) => name,
            (true, games) => format!("{name}, game {number} of {games}"),
        };
        let (variant, start) = (variant.clone(), start.clone());
        let game = Game { variant, start, moves, opening: *opening };
        Ok(Source { game, title, names: names.clone(), is_stored: false })
    }

    /// The name of a seat, with its player if that is known.
    pub(super) fn player(&self, review: &Review, seat: usize) -> String {
        let label = review.seats.get(seat).map_or("", String::as_str);
        match self.names.get(seat).filter(|name| !name.is_empty()) {
            Some(name) => format!("{} ({label})", agon_core::printable(name)),
            None => label.to_string(),
        }
    }

    /// The game as text, with what the review says.
    pub(super) fn annotated(&self, review: &Review, catalog: &Catalog) -> anyhow::Result<String> {
        // Titles of files may be longer than those of analyses.
        let short = |text: &str| text.chars().take(analysis::TITLE).collect::<String>();
        let names = self.names.iter().map(|name| short(name)).collect();
        let annotated = review.annotated(&self.game, &short(&self.title), names);
        annotated.text(catalog).map_err(|error| bad_input(error.to_string()))
    }
}

fn standard_input() -> anyhow::Result<String> {
    let mut text = String::new();
    let read = io::stdin().lock().take(LARGEST + 1).read_to_string(&mut text);
    match read {
        Ok(length) if length as u64 > LARGEST => {
            Err(bad_input(format!("standard input is larger than {} MiB", LARGEST >> 20)))
        }
        Ok(_) => Ok(text),
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            Err(bad_input("standard input is not UTF-8 text"))
        }
        Err(error) => Err(anyhow::Error::new(error).context("cannot read standard input")),
    }
}

fn file_text(file: &Path) -> anyhow::Result<String> {
    read_text(file, LARGEST).map_err(|error| match error.kind() {
        ErrorKind::NotFound => bad_input(format!(
            "there is no file {}; a stored game is a number such as 7.120",
            shown(file)
        )),
        ErrorKind::FileTooLarge | ErrorKind::InvalidInput | ErrorKind::InvalidData => {
            bad_input(format!("cannot read {}: {error}", shown(file)))
        }
        _ => anyhow::Error::new(error).context(format!("cannot read {}", shown(file))),
    })
}
