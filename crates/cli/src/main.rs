//! Agon on the command line.

mod args;
mod commands;
mod complete;
mod data;
mod draw;
mod elsewhere;
mod failure;
mod files;
mod interrupt;
mod output;
mod progress;
mod registry;
mod setup;
mod table;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use data::Data;

fn main() -> ExitCode {
    // Before anything else: this may be the beginning of a cell for a program.
    agon_isolation::enter_if_asked();
    complete::answer_shell();
    interrupt::survive_large_files();
    let cli = Cli::parse();
    anstream::ColorChoice::from(cli.color).write_global();
    // Without a command, the workbench is served.
    let by_the_book = cli.command.as_ref().is_none_or(Command::opens_by_the_book);
    failure::exit_code(run(cli.command, &Data::new(cli.data, by_the_book)))
}

fn run(command: Option<Command>, data: &Data) -> anyhow::Result<()> {
    match command {
        None => commands::serve::run(&args::ServeArgs::default(), data),
        Some(Command::Serve(args)) => commands::serve::run(&args, data),
        Some(Command::Games(args)) => commands::games::run(&args, data),
        Some(Command::Show(args)) => commands::show::run(&args, data),
        Some(Command::Moves(args)) => commands::moves::run(&args, data),
        Some(Command::Perft(args)) => commands::perft::run(&args, data),
        Some(Command::Play(args)) => commands::play::run(&args, data),
        Some(Command::Match(args)) => commands::matches::run(&args, data),
        Some(Command::Tournament(command)) => commands::tournament::run(&command, data),
        Some(Command::Lab(command)) => commands::lab::run(&command, data),
        Some(Command::Check(args)) => commands::check::run(&args, data),
        Some(Command::Records(command)) => commands::records::run(&command, data),
        Some(Command::Ratings(args)) => commands::ratings::run(&args, data),
        Some(Command::Analyse(args)) => commands::analyse::run(&args, data),
        Some(Command::Review(args)) => commands::review::run(&args, data),
        Some(Command::Solve(args)) => commands::solve::run(&args, data),
        Some(Command::Bench(args)) => commands::bench::run(&args),
        Some(Command::Tune(args)) => commands::tune::run(&args, data),
        Some(Command::Tables(command)) => commands::tables::run(&command, data),
        Some(Command::Book(command)) => commands::book::run(&command, data),
        Some(Command::Ugi(args)) => commands::ugi::run(&args, data),
        Some(Command::Congo(command)) => commands::congo::run(&command, data),
        Some(Command::Ggp(args)) => commands::ggp::run(&args, data),
        Some(Command::Aisysproj(args)) => commands::aisysproj::run(&args, data),
        Some(Command::Export(command)) => commands::export::run(&command, data),
        Some(Command::Worker(args)) => commands::worker::run(&args, data),
        Some(Command::Workers(args)) => commands::workers::run(&args),
        Some(Command::Isolation(args)) => commands::isolation::run(&args),
        Some(Command::Accounts(command)) => commands::accounts::run(&command, data),
        Some(Command::Completions(args)) => commands::manual::completions(&args),
        Some(Command::Man(args)) => commands::manual::man(&args),
    }
}
