//! `agon play`: a game in the terminal, on the full screen or in lines of text.

mod agents;
mod choice;
mod file;
mod game;
mod input;
mod lines;
mod screen;
mod watch;
#[cfg(test)]
mod worlds;

use std::time::Duration;

use agon_arena::session::TableSession;
use agon_core::text::split_moves;
use agon_core::{Rng, Seat, Variant};
use agon_games::{Catalog, Table};

use crate::args::PlayArgs;
use crate::data::Data;
use crate::draw::palette::{DIM, HEADING};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::interrupt;
use crate::registry::registry;
use agents::{Agent, Player};
use game::Game;
use input::Input;
use lines::{Lines, say};
use screen::Room;

/// The default time per move of agents.
const THINKING_TIME: Duration = Duration::from_secs(1);

/// Plays a game until it is over or the person quits, possibly with Ctrl-C.
pub(crate) fn run(args: &PlayArgs, data: &Data) -> anyhow::Result<()> {
    let played = play(args, data);
    interrupt::forget_ctrl_c();
    played
}

fn play(args: &PlayArgs, data: &Data) -> anyhow::Result<()> {
    let session = session(args, data.catalog())?;
    let seed = args.seed.unwrap_or_else(seed_from_clock);
    let players = players(args, data, session.table(), seed)?;
    let adviser = Agent::for_hints(args, data, session.table())?;
    let game = Game { session, players, adviser, save_to: args.save.clone() };
    let room = if args.plain { Room::NoTerminal } else { screen::room(game.table()) };
    match room {
        Room::Enough => return screen::run(game),
        Room::TooSmall(least) => say(&screen::too_small_text(least))?,
        Room::NoTerminal => {}
    }
    greet(&game)?;
    if game.is_watched() {
        return watch::print(game);
    }
    Lines { game, input: Input::new()? }.run()
}

fn greet(game: &Game) -> anyhow::Result<()> {
    let table = game.table();
    let seats = Seat::all(table.seats()).zip(&game.players);
    let who =
        seats.map(|(seat, player)| format!("{} is {}", table.seat_label(seat), player.describe()));
    say(&styled(HEADING, &table.variant().to_string()))?;
    say(&styled(DIM, &who.collect::<Vec<_>>().join(", ")))?;
    if game.is_watched() {
        return Ok(());
    }
    say(&styled(DIM, "Type a move, moves to list them, help for more, or quit."))
}

/// The game to play: loaded, or opened from the arguments.
fn session(args: &PlayArgs, catalog: &Catalog) -> anyhow::Result<TableSession> {
    match (&args.load, &args.variant) {
        (Some(file), _) => file::read(catalog, file),
        (None, Some(variant)) => {
            let variant: Variant = variant.parse()?;
            let moves = split_moves(args.moves.as_deref().unwrap_or_default());
            let table = catalog.open_at(&variant, args.position.as_deref(), &moves)?;
            Ok(TableSession::at_table(table, args.budget.pace()))
        }
        (None, None) => Err(bad_input("expected a variant, such as congo, or --load FILE")),
    }
}

/// The players by seat.
fn players(
    args: &PlayArgs,
    data: &Data,
    table: &dyn Table,
    seed: u64,
) -> anyhow::Result<Vec<Player>> {
    let texts = if args.watch.is_empty() { seated(args, table)? } else { watched(args, table)? };
    let mut seeds = Rng::new(seed);
    let registry = registry(&args.programs, data);
    let pace = args.budget.pace_or(THINKING_TIME);
    let player = |text| Player::new(text, table, pace, seeds.next_u64(), &registry);
    texts.into_iter().map(player).collect()
}

/// The texts of the players by seat: the person, and the others on the remaining seats in order.
fn seated<'a>(args: &'a PlayArgs, table: &dyn Table) -> anyhow::Result<Vec<&'a str>> {
    let (given, free) = (args.against.len(), table.seats() - 1);
    if given != 1 && given != free {
        return Err(bad_input(format!(
            "expected --against once, or once for each of the {free} other seats, not {given} times"
        )));
    }
    let mine = match &args.seat {
        None => Seat::FIRST,
        Some(name) => seat_by_name(table, name)?,
    };
    let mut others = args.against.iter().cycle();
    let mut text = |seat: Seat| match seat == mine {
        true => "human",
        false => others.next().map_or("human", String::as_str),
    };
    Ok(Seat::all(table.seats()).map(&mut text).collect())
}

/// The texts of agents that play by themselves.
fn watched<'a>(args: &'a PlayArgs, table: &dyn Table) -> anyhow::Result<Vec<&'a str>> {
    let (given, seats, variant) = (args.watch.len(), table.seats(), table.variant());
    if given != 1 && given != seats {
        return Err(bad_input(format!(
            "expected --watch with one agent for all seats, or {seats} agents for the {seats} \
             seats of {variant}, not {given}"
        )));
    }
    if args.watch.iter().any(|text| text == "human") {
        return Err(bad_input("human cannot be watched: leave out --watch to play yourself"));
    }
    Ok(args.watch.iter().map(String::as_str).cycle().take(seats).collect())
}

fn seat_by_name(table: &dyn Table, name: &str) -> anyhow::Result<Seat> {
    let names: Vec<&str> = Seat::all(table.seats()).map(|seat| table.seat_name(seat)).collect();
    let found = names.iter().position(|known| known.eq_ignore_ascii_case(name));
    found.map(Seat::new).ok_or_else(|| {
        bad_input(format!(
            "no seat {name:?} in {}: the seats are {}",
            table.variant(),
            names.join(", ")
        ))
    })
}

/// A new game every time.
fn seed_from_clock() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_nanos() as u64)
}
