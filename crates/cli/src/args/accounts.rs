//! `agon accounts`.

use clap::{Args, Subcommand};

pub(crate) const ACCOUNTS_EXAMPLES: &str = "\
Examples:
  agon accounts add ws2223-2.1-rhombus Ann --url https://agon.example.org/ --json > Ann.json
  agon accounts block ws2223-2.1-rhombus Ann
  agon accounts reset ws2223-2.1-rhombus Ann --json
  agon accounts list";

/// The subcommands of `agon accounts`.
#[derive(Subcommand, Debug)]
pub(crate) enum AccountsCommand {
    /// Create an account and print its password, which cannot be shown again
    Add(NewPasswordArgs),
    /// List the accounts and their ratings
    List(AccountsListArgs),
    /// Delete an account with all its runs
    Remove(AccountArgs),
    /// Block an account from playing
    Block(AccountArgs),
    /// Unblock an account
    Unblock(AccountArgs),
    /// Give an account a new password; its runs and rating are kept
    Reset(NewPasswordArgs),
}

#[derive(Args, Debug)]
pub(crate) struct AccountArgs {
    /// The environment, such as ws2223-2.1-rhombus
    pub(crate) environment: String,

    /// The agent's name
    pub(crate) name: String,
}

#[derive(Args, Debug)]
pub(crate) struct NewPasswordArgs {
    #[command(flatten)]
    pub(crate) account: AccountArgs,

    /// The address of the server, for the config file
    #[arg(long, value_name = "URL", default_value = "http://localhost:7300/")]
    pub(crate) url: String,

    /// A file with environments in addition to the course's, as for agon serve
    #[arg(long, value_name = "FILE")]
    pub(crate) environments: Option<std::path::PathBuf>,

    /// Print only the config file: {"agent","env","pwd","url"}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct AccountsListArgs {
    /// Only the accounts of this environment
    pub(crate) environment: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
