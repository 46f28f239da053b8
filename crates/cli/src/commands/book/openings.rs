//! `agon book export` and `agon book balanced`: openings for matches.

use std::io::{IsTerminal, Write};
use std::path::Path;

use agon_arena::files::shown;
use agon_core::Variant;
use agon_search::book::balanced::{Plan, balanced as find_balanced};
use agon_search::book::lines::{Line, even_lines, even_margin};
use anyhow::anyhow;
use indicatif::{ProgressBar, ProgressStyle};

use super::{open, threads};
use crate::args::{BookBalancedArgs, BookExportArgs};
use crate::data::Data;
use crate::draw::palette::BOLD;
use crate::draw::styled;
use crate::failure::bad_input;
use crate::output::count;
use crate::{files, interrupt};

/// Writes the even lines of a book.
pub(super) fn export(args: &BookExportArgs, data: &Data) -> anyhow::Result<()> {
    let opened = open(&args.book, data)?;
    let tree = opened.tree()?;
    let margin = args.margin.unwrap_or_else(|| even_margin(&*opened.start));
    let lines = even_lines(&tree, args.plies as usize, margin);
    let lines = lines.map_err(|error| bad_input(error.to_string()))?;
    let (variant, checksum) = (opened.book.variant(), opened.book.checksum());
    let origin = format!("the book of {variant} with checksum {checksum:08x}");
    write(&lines, &format!("{} plies from {origin}", args.plies), args.out.as_deref())
}

/// Finds random openings that lead to even positions.
pub(super) fn balanced(args: &BookBalancedArgs, data: &Data) -> anyhow::Result<()> {
    let variant: Variant = args.variant.parse()?;
    // Without tables, so that the result is the same everywhere.
    let start = agon_games::open(&variant).or_else(|_| data.catalog().open(&variant))?;
    let plan = Plan {
        count: args.count as usize,
        plies: args.plies as usize,
        margin: args.margin,
        nodes: args.nodes,
        seed: args.seed,
        threads: threads(args.threads),
    };
    let bar = std::io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} {eta}");
        let bar = ProgressBar::new(args.count.into());
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar
    });
    let mut watch = |found: usize| bar.iter().for_each(|bar| bar.set_position(found as u64));
    let found = find_balanced(&*start, &plan, &interrupt::stop_flag(), &mut watch);
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    let lines = found.map_err(|error| bad_input(error.to_string()))?;
    let lines = lines.ok_or_else(|| anyhow!("stopped; nothing was written"))?;
    write(&lines, &args.command(), args.out.as_deref())
}

/// Writes openings to a file, or prints them.
fn write(lines: &[Line], origin: &str, out: Option<&Path>) -> anyhow::Result<()> {
    let mut text = format!("# {origin}\n");
    for line in lines {
        text += &format!("{line}\n");
    }
    let Some(file) = out else {
        return Ok(write!(std::io::stdout(), "{text}")?);
    };
    files::write_whole(file, &text)?;
    let (name, lines) =
        (styled(BOLD, &shown(file)), count(lines.len() as u64, "opening", "openings"));
    Ok(writeln!(anstream::stdout(), "{name}  {lines}")?)
}
