//! Asks what to do about agents that have changed since they played.

use std::io::{self, BufRead, IsTerminal, Write};

use agon_arena::store::Store;
use agon_arena::tournament::changes::ChangedAgent;
use agon_arena::tournament::{Changed, Tournament, changes};
use agon_core::printable;

use super::run::classified;
use crate::draw::palette::HEADING;
use crate::draw::styled;

/// Asks on a terminal, if there is anything to ask. False if nothing is to be done. Without a
/// terminal nobody is asked, and the run refuses to go on.
pub(super) fn decide(tournament: &mut Tournament, store: &Store) -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(true);
    }
    let found = changes(tournament, store).map_err(classified)?.unwrap_or_default();
    if found.changed.is_empty() {
        return Ok(true);
    }
    match ask(&found.changed, &tournament.decisions())? {
        Some(decision) => tournament.changed = decision,
        None => return Ok(false),
    }
    Ok(true)
}

/// Lists the agents and the decisions, and reads one; `None` to stop.
fn ask(agents: &[ChangedAgent], possible: &[Changed]) -> io::Result<Option<Changed>> {
    anstream::eprintln!("{}", styled(HEADING, "changed since they played"));
    for agent in agents {
        anstream::eprintln!("  {}", printable(&agent.to_string()));
    }
    for decision in possible {
        let about = decision.about(agents);
        anstream::eprintln!("{:<8}{}", decision.name(), printable(&about));
    }
    anstream::eprintln!("{:<8}nothing is changed or played", "stop");
    let names: Vec<&str> = possible.iter().map(|it| it.name()).chain(["stop"]).collect();
    loop {
        anstream::eprint!("{}? ", names.join(", "));
        io::stderr().flush()?;
        let mut answer = String::new();
        if io::stdin().lock().read_line(&mut answer)? == 0 {
            anstream::eprintln!();
            return Ok(None);
        }
        let answer = answer.trim().to_lowercase();
        let fits = |name: &&&str| !answer.is_empty() && name.starts_with(&answer);
        match names.iter().find(fits) {
            Some(&"stop") => return Ok(None),
            Some(name) => return Ok(name.parse().ok()),
            None => anstream::eprintln!("please type one of them, or its first letter"),
        }
    }
}
