//! `agon accounts`.

use clap::{Args, Subcommand};

pub(crate) const ACCOUNTS_EXAMPLES: &str = "\
Examples:
  agon accounts add ws2223-2.1-rhombus Ann --url https://agon.example.org/ --json > Ann.json
  agon accounts list
  agon accounts block ws2223-2.1-rhombus Ann
  agon accounts reset ws2223-2.1-rhombus Ann --json";

/// What can be done with accounts.
#[derive(Subcommand, Debug)]
pub(crate) enum AccountsCommand {
    /// Make an account, and print its password, which nobody can see again
    Add(NewPasswordArgs),
    /// List the accounts and their ratings
    List(AccountsListArgs),
    /// Remove an account with all its runs
    Remove(AccountArgs),
    /// Let an account play no more
    Block(AccountArgs),
    /// Let a blocked account play again
    Unblock(AccountArgs),
    /// Give an account a new password; its runs and its rating stay
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

    /// Where the server is found, for the config
    #[arg(long, value_name = "URL", default_value = "http://localhost:7300/")]
    pub(crate) url: String,

    /// A file with environments besides the course's, as agon serve has it
    #[arg(long, value_name = "FILE")]
    pub(crate) environments: Option<std::path::PathBuf>,

    /// Print the config object alone: {"agent","env","pwd","url"}
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct AccountsListArgs {
    /// Only those of this environment
    pub(crate) environment: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
