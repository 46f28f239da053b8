//! `agon accounts`: accounts of agents that play over the network.

use agon_arena::store::{Account, Store};
use agon_core::printable;
use agon_games::Catalog;
use agon_wire::aisysproj::protocol::Password;
use serde_json::json;

use crate::args::{AccountArgs, AccountsCommand, AccountsListArgs, NewPasswordArgs};
use crate::commands::serve::environments;
use crate::data::Data;
use crate::failure::bad_input;
use crate::output::print_json;

/// The maximum number of accounts in an environment.
const MOST_ACCOUNTS: usize = 10_000;

/// Runs a subcommand.
pub(crate) fn run(command: &AccountsCommand, data: &Data) -> anyhow::Result<()> {
    let store = Store::open(&data.folder()?)?;
    match command {
        AccountsCommand::Add(args) => add(&store, args, data.catalog()),
        AccountsCommand::List(args) => list(&store, args),
        AccountsCommand::Remove(args) => {
            known(args, store.remove_account(&args.environment, &args.name)?)
        }
        AccountsCommand::Block(args) => {
            known(args, store.set_blocked(&args.environment, &args.name, true)?)
        }
        AccountsCommand::Unblock(args) => {
            known(args, store.set_blocked(&args.environment, &args.name, false)?)
        }
        AccountsCommand::Reset(args) => reset(&store, args),
    }
}

fn known(args: &AccountArgs, found: bool) -> anyhow::Result<()> {
    let AccountArgs { environment, name } = args;
    match found {
        true => Ok(()),
        false => Err(bad_input(format!("there is no account {name:?} in {environment}"))),
    }
}

fn add(store: &Store, args: &NewPasswordArgs, catalog: &Catalog) -> anyhow::Result<()> {
    let AccountArgs { environment, name } = &args.account;
    let known = environments(catalog, args.environments.as_deref())?;
    if known.find(environment).is_none() {
        let ids: Vec<&str> = known.iter().map(|environment| environment.id.as_str()).collect();
        let ids = ids.join(", ");
        return Err(bad_input(format!("there is no environment {environment:?}; there are {ids}")));
    }
    let sound = |c: char| c.is_alphanumeric() || " []_()-.".contains(c);
    let begins = |c: char| c.is_alphanumeric() || "[_(".contains(c);
    if !name.starts_with(begins)
        || name.ends_with(' ')
        || name.len() > 100
        || !name.chars().all(sound)
    {
        let problem = format!(
            "{name:?} cannot be a name: expected letters, digits, spaces and []_()-., with a letter \
             or a digit first"
        );
        return Err(bad_input(problem));
    }
    if store.accounts(Some(environment))?.len() >= MOST_ACCOUNTS {
        let problem = format!("{environment} already has {MOST_ACCOUNTS} accounts");
        return Err(bad_input(problem));
    }
    let (password, hash) = new_password()?;
    if !store.add_account(environment, name, &hash)? {
        let hint = "agon accounts reset gives it a new password";
        return Err(bad_input(format!("{name:?} already exists in {environment}; {hint}")));
    }
    show(args, &password)
}

fn reset(store: &Store, args: &NewPasswordArgs) -> anyhow::Result<()> {
    let (password, hash) = new_password()?;
    let AccountArgs { environment, name } = &args.account;
    known(&args.account, store.set_password(environment, name, &hash)?)?;
    show(args, &password)
}

/// 256 random bits as text, and their hash.
pub(crate) fn new_password() -> anyhow::Result<(String, [u8; 32])> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("no random numbers: {error}"))?;
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let hash = Password::new(text.clone()).sha256();
    Ok((text, hash))
}

fn show(args: &NewPasswordArgs, password: &str) -> anyhow::Result<()> {
    let AccountArgs { environment, name } = &args.account;
    let config = json!({"agent": name, "env": environment, "pwd": password, "url": args.url});
    if !args.json {
        anstream::eprintln!("The config file of {name}. The password is never shown again.");
    }
    Ok(print_json(&config)?)
}

fn list(store: &Store, args: &AccountsListArgs) -> anyhow::Result<()> {
    let accounts = store.accounts(args.environment.as_deref())?;
    if args.json {
        let all: Vec<_> = accounts.iter().map(line).collect();
        return Ok(print_json(&all)?);
    }
    anstream::println!("{:<32} {:<24} {:>6} {:>8}", "environment", "agent", "runs", "best");
    for account in &accounts {
        let best = account.best.map_or("–".to_string(), |best| format!("{best:.2}"));
        let blocked = if account.blocked { "  blocked" } else { "" };
        let (environment, name) = (printable(&account.environment), printable(&account.name));
        let finished = account.finished;
        anstream::println!("{environment:<32} {name:<24} {finished:>6} {best:>8}{blocked}");
    }
    Ok(())
}

fn line(account: &Account) -> serde_json::Value {
    json!({
        "env": account.environment, "agent": account.name, "blocked": account.blocked,
        "runs": account.finished, "best": account.best,
    })
}
