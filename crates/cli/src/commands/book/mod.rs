//! `agon book`: opening books.

mod build;
mod openings;
mod show;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;

use agon_arena::books;
use agon_arena::files::shown;
use agon_core::Variant;
use agon_games::Table;
use agon_search::book::tree::Tree;
use agon_search::book::{Book, BookError, shelf};
use anyhow::{Context, anyhow};
use serde::Serialize;

use crate::args::{BookCheckArgs, BookCommand, BookMergeArgs, BookStatsArgs};
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM};
use crate::draw::styled;
use crate::failure::{AlreadyReported, bad_input};
use crate::output::{print_json, thousands};

/// Builds a book, or tells what is in one.
pub(crate) fn run(command: &BookCommand, data: &Data) -> anyhow::Result<()> {
    match command {
        BookCommand::Build(args) => build::run(args, data),
        BookCommand::Show(args) => show::run(args, data),
        BookCommand::Check(args) => check(args, data),
        BookCommand::Stats(args) => stats(args, data),
        BookCommand::Merge(args) => merge(args, data),
        BookCommand::Export(args) => openings::export(args, data),
        BookCommand::Balanced(args) => openings::balanced(args, data),
    }
}

/// A book that was asked for.
struct Opened {
    /// Where it is, to show to people.
    name: String,
    book: Arc<Book>,
    /// The start of its variant.
    start: Box<dyn Table>,
}

impl Opened {
    /// The book as a tree.
    fn tree(&self) -> anyhow::Result<Tree> {
        Tree::grow(&*self.start, &self.book).map_err(|error| unsound(&self.name, &error))
    }
}

/// Opens the book of a variant, or the one in a file.
fn open(text: &str, data: &Data) -> anyhow::Result<Opened> {
    let is_file =
        text.ends_with(".book") || text.contains(['/', '\\']) || Path::new(text).is_file();
    if is_file {
        return open_file(Path::new(text), data);
    }
    let variant: Variant = text.parse()?;
    let start = data.catalog().open(&variant)?;
    let variant = start.variant().clone();
    let folder = data.books()?;
    match folder.open(&variant) {
        Ok(book) => Ok(Opened { name: shown(&folder.file(&variant)), book: Arc::new(book), start }),
        Err(books::Unusable::Missing) => {
            let name = format!("the book of {variant} inside the program");
            let book = shelf::embedded(&variant).ok_or_else(|| {
                let problem = format!("there is no book for {variant}");
                bad_input(format!("{problem}; agon book build {variant} builds one"))
            })?;
            Ok(Opened { name, book, start })
        }
        Err(problem) => Err(unusable(&folder.file(&variant), &problem)),
    }
}

fn open_file(file: &Path, data: &Data) -> anyhow::Result<Opened> {
    let book = match books::open(file) {
        Ok(book) => book,
        Err(books::Unusable::Missing) => {
            let expected = "expected a variant such as congo, or the file of a book";
            return Err(bad_input(format!("there is no file {}: {expected}", shown(file))));
        }
        Err(problem) => return Err(unusable(file, &problem)),
    };
    let start = book.variant().parse().and_then(|variant: Variant| data.catalog().open(&variant));
    let start = start.with_context(|| format!("{} is for an unknown variant", shown(file)))?;
    Ok(Opened { name: shown(file), book: Arc::new(book), start })
}

fn unusable(file: &Path, problem: &books::Unusable) -> anyhow::Error {
    anyhow!("{} cannot be used: {problem}", shown(file))
}

fn unsound(name: &str, error: &BookError) -> anyhow::Error {
    anyhow!("{name} cannot be used: {error}")
}

/// The threads that were asked for, or one per core.
fn threads(given: Option<u32>) -> usize {
    let cores = || available_parallelism().map_or(1, usize::from);
    given.map_or_else(cores, |threads| threads as usize)
}

#[derive(Serialize)]
struct CheckJson {
    book: String,
    variant: String,
    positions: usize,
    checksum: String,
    sound: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

fn check(args: &BookCheckArgs, data: &Data) -> anyhow::Result<()> {
    let Opened { name, book, start } = open(&args.book, data)?;
    let problem = Tree::check(&*start, &book).err().map(|error| error.to_string());
    let (positions, checksum) = (book.positions(), format!("{:08x}", book.checksum()));
    if args.json {
        let (variant, sound) = (book.variant().to_string(), problem.is_none());
        print_json(&CheckJson {
            book: name.clone(),
            variant,
            positions,
            checksum,
            sound,
            problem: problem.clone(),
        })?;
    } else if problem.is_none() {
        let positions = thousands(positions as u64);
        writeln!(anstream::stdout(), "{name}: sound, {positions} positions, checksum {checksum}")?;
    }
    match problem {
        None => Ok(()),
        Some(_) if args.json => Err(AlreadyReported.into()),
        Some(problem) => Err(anyhow!("{name} is not sound: {problem}")),
    }
}

#[derive(Serialize)]
struct StatsJson {
    book: String,
    variant: String,
    positions: usize,
    moves: usize,
    /// The number of positions at each distance from the start.
    plies: Vec<usize>,
    /// The longest line, in moves.
    deepest: usize,
    bytes: usize,
    checksum: String,
    nodes: u64,
    lines: u32,
    seed: u64,
}

fn stats(args: &BookStatsArgs, data: &Data) -> anyhow::Result<()> {
    let opened = open(&args.book, data)?;
    let tree = opened.tree()?;
    let Opened { name, book, .. } = opened;
    let mut plies = Vec::new();
    for position in tree.positions() {
        plies.resize(plies.len().max(position.ply + 1), 0usize);
        plies[position.ply] += 1;
    }
    let recipe = book.recipe();
    let facts = StatsJson {
        book: name,
        variant: book.variant().to_string(),
        positions: book.positions(),
        moves: book.moves(),
        deepest: plies.len(),
        plies,
        bytes: book.size(),
        checksum: format!("{:08x}", book.checksum()),
        nodes: recipe.nodes,
        lines: recipe.lines,
        seed: recipe.seed,
    };
    if args.json {
        print_json(&facts)?;
        return Ok(());
    }
    let mut out = anstream::stdout();
    writeln!(out, "{}", styled(DIM, &facts.book))?;
    let rows = [
        ("variant", facts.variant),
        ("positions", thousands(facts.positions as u64)),
        ("moves", thousands(facts.moves as u64)),
        ("longest line", format!("{} moves", facts.deepest)),
        ("size", format!("{} bytes", thousands(facts.bytes as u64))),
        ("checksum", facts.checksum),
        ("built with", recipe.to_string()),
    ];
    for (name, value) in rows {
        writeln!(out, "{}  {value}", styled(BOLD, &format!("{name:<12}")))?;
    }
    writeln!(out, "\n{}", styled(BOLD, "plies from the start  positions"))?;
    for (ply, count) in facts.plies.iter().enumerate() {
        writeln!(out, "{ply:>20}  {:>9}", thousands(*count as u64))?;
    }
    Ok(())
}

fn merge(args: &BookMergeArgs, data: &Data) -> anyhow::Result<()> {
    let (first, second) = (open(&args.first, data)?, open(&args.second, data)?);
    let merged = first.tree()?.merge(second.tree()?);
    let merged = merged.map_err(|error| match error {
        BookError::OtherVariant(..) => bad_input(format!(
            "{} is for {}, {} for {}: only books of one variant can be merged",
            first.name,
            first.book.variant(),
            second.name,
            second.book.variant()
        )),
        error => unsound(&second.name, &error),
    })?;
    let written = agon_arena::files::write_whole(&args.out, &[&merged.encode()]);
    written.with_context(|| format!("cannot write {}", shown(&args.out)))?;
    let [one, other] = [&first.book, &second.book].map(|book| thousands(book.positions() as u64));
    let all = thousands(merged.positions().len() as u64);
    let file = styled(BOLD, &shown(&args.out));
    writeln!(anstream::stdout(), "{file}  {all} positions from {one} and {other}")?;
    Ok(())
}
