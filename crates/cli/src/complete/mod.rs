//! Completion in shells: the shell asks this program what could come next.
//!
//! Answers come from the definitions of the arguments and, for values, from the functions here. A
//! key was pressed, so they are quick: nothing is searched, no table is read, and what cannot be
//! found out is left out without a word.

mod agents;
mod bash;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::PathBuf;

use agon_arena::store::export::Format;
use agon_arena::store::{SeriesKind, Store};
use agon_core::{Seat, Variant};
use agon_games::{GAMES, Table};
use clap::{Arg, Command, CommandFactory};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{CompleteEnv, Elvish, Fish, Powershell, Shells, Zsh};

use crate::args::Cli;
use crate::data::Data;

/// The variable in which a shell names itself when it asks.
const ASKED_BY: &str = "AGON_COMPLETE";

const SHELLS: Shells<'static> = Shells(&[&bash::Bash, &Elvish, &Fish, &Powershell, &Zsh]);

/// Answers a shell and exits, if one asks.
pub(crate) fn answer_shell() {
    CompleteEnv::with_factory(|| with_values(Cli::command()))
        .var(ASKED_BY)
        .shells(SHELLS)
        .complete();
}

/// The script with which a shell learns to ask.
pub(crate) fn write_script(shell: &str, out: &mut dyn Write) -> io::Result<()> {
    let shell = SHELLS.completer(shell).ok_or_else(|| io::Error::other("unknown shell"))?;
    shell.write_registration(ASKED_BY, "agon", "agon", "agon", out)
}

/// The commands, with the values of their arguments.
fn with_values(command: Command) -> Command {
    let name = command.get_name().to_string();
    within("", command.mut_subcommands(|task| within(&name, task)))
}

/// A command of another one, with the values of its arguments.
fn within(parent: &str, command: Command) -> Command {
    let name = command.get_name().to_string();
    let command = command.mut_args(|arg| match values_of([parent, &name], &arg) {
        Some(completer) => arg.add(completer),
        None => arg,
    });
    command.mut_subcommands(|task| within(&name, task))
}

/// The values of an argument: by its name, which means the same in nearly all commands.
fn values_of([parent, command]: [&str; 2], arg: &Arg) -> Option<ArgValueCompleter> {
    let completer = match (parent, command, arg.get_id().as_str()) {
        (_, _, "variant") => ArgValueCompleter::new(variants),
        (_, "play", "against") => ArgValueCompleter::new(opponents),
        (_, "play", "seat") => ArgValueCompleter::new(seats),
        (_, _, "agent" | "agents" | "watch") => ArgValueCompleter::new(agents::texts),
        (_, _, "openings") => ArgValueCompleter::new(openings),
        (_, "review", "game") => ArgValueCompleter::new(PathCompleter::file()),
        (_, _, "game") => ArgValueCompleter::new(games),
        (_, _, "format") => ArgValueCompleter::new(formats),
        ("tournament", _, "name") => ArgValueCompleter::new(tournaments),
        ("lab", _, "experiment") => ArgValueCompleter::new(experiments),
        ("lab", "new", "kind") => ArgValueCompleter::new(kinds),
        _ => return None,
    };
    Some(completer)
}

/// The values that continue what is typed, each with a remark.
fn beginning_with<'a>(
    current: &OsStr,
    values: impl IntoIterator<Item = (impl Into<OsString> + AsRef<str>, &'a str)>,
) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else { return Vec::new() };
    let fits = values.into_iter().filter(|(value, _)| value.as_ref().starts_with(current));
    let candidate = |(value, about): (_, &str)| {
        let about = (!about.is_empty()).then(|| about.to_string().into());
        CompletionCandidate::new(value).help(about)
    };
    fits.map(candidate).collect()
}

fn variants(current: &OsStr) -> Vec<CompletionCandidate> {
    let all = GAMES.iter().flat_map(|game| game.variants);
    beginning_with(current, all.map(|variant| (variant.text, variant.about)))
}

/// Agents, and people.
fn opponents(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut all = agents::texts(current);
    all.extend(beginning_with(current, [("human", "another person")]));
    all
}

fn formats(current: &OsStr) -> Vec<CompletionCandidate> {
    beginning_with(current, Format::ALL.map(|format| (format.name(), "")))
}

fn games(current: &OsStr) -> Vec<CompletionCandidate> {
    beginning_with(current, GAMES.iter().map(|game| (game.name, game.summary)))
}

/// The seats of the variant that is already typed; of all games without one.
fn seats(current: &OsStr) -> Vec<CompletionCandidate> {
    let names: Vec<String> = match typed_table() {
        Some(table) => {
            Seat::all(table.seats()).map(|seat| table.seat_name(seat).to_string()).collect()
        }
        None => {
            let mut all: Vec<_> = GAMES.iter().flat_map(|game| game.seats).collect();
            all.sort_unstable();
            all.dedup();
            all.into_iter().map(|seat| seat.to_string()).collect()
        }
    };
    beginning_with(current, names.into_iter().map(|name| (name, "")))
}

fn openings(current: &OsStr) -> Vec<CompletionCandidate> {
    let known = [
        ("start", "the variant's start"),
        ("random:4", "so many random plies"),
        ("book:4", "even lines of so many plies from the opening book"),
        ("balanced", "the even openings that come with the program"),
    ];
    let mut all = beginning_with(current, known);
    all.extend(PathCompleter::file().complete(current));
    all
}

fn kinds(current: &OsStr) -> Vec<CompletionCandidate> {
    let kinds = [
        ("list", "agents against a baseline, or all against all"),
        ("evolution", "versions in order"),
        ("ablation", "an agent, and its switches turned off one by one"),
        ("build-up", "one improvement added after the other"),
        ("measure", "depth, nodes and time on fixed positions"),
    ];
    beginning_with(current, kinds)
}

fn tournaments(current: &OsStr) -> Vec<CompletionCandidate> {
    let series = typed_store().and_then(|store| store.list_series().ok()).unwrap_or_default();
    let tournaments = series.into_iter().filter(|it| it.series.kind == SeriesKind::Tournament);
    beginning_with(current, tournaments.map(|it| (it.series.name, "")))
}

fn experiments(current: &OsStr) -> Vec<CompletionCandidate> {
    let stored = typed_store().and_then(|store| store.experiments().ok()).unwrap_or_default();
    let mut all = beginning_with(current, stored.into_iter().map(|it| (it.name, "in the store")));
    all.extend(PathCompleter::file().complete(current));
    all
}

/// The words that are typed so far, without the program.
fn typed() -> Vec<String> {
    let words = std::env::args_os().skip_while(|word| word != "--").skip(2);
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The game of the variant that is typed, if there is one.
fn typed_table() -> Option<Box<dyn Table>> {
    let open = |word: String| {
        let variant: Variant = word.parse().ok()?;
        // An agent may be called like a game.
        GAMES.iter().find(|game| game.name == variant.game())?;
        agon_games::open(&variant).ok()
    };
    // The first word is the command, and one of them is called congo.
    typed().into_iter().skip(1).find_map(open)
}

/// The store of the data folder that is meant. It is only read: if there is none, none is made.
fn typed_store() -> Option<Store> {
    let words = typed();
    let after = words.iter().position(|word| word == "--data").and_then(|at| words.get(at + 1));
    let joined = || words.iter().find_map(|word| word.strip_prefix("--data="));
    let folder = after.map(String::as_str).or_else(joined).map(PathBuf::from);
    Data::new(folder, false).games_to_read().ok()
}
