//! Completions and manual pages, from the same definitions as the help.

use std::io::Write;

use agon_arena::files::shown;
use anyhow::Context;
use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::complete;

/// Prints a completion script.
pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    complete::write_script(&args.shell.to_string(), &mut script)?;
    std::io::stdout().write_all(&script)?;
    Ok(())
}

/// Prints the manual page or writes all of them.
pub(crate) fn man(args: &ManArgs) -> anyhow::Result<()> {
    let Some(dir) = &args.dir else {
        clap_mangen::Man::new(Cli::command()).render(&mut std::io::stdout())?;
        return Ok(());
    };
    std::fs::create_dir_all(dir).with_context(|| format!("cannot create {}", shown(dir)))?;
    clap_mangen::generate_to(Cli::command(), dir)
        .with_context(|| format!("cannot write to {}", shown(dir)))
}
