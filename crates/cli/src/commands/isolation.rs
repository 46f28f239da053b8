//! `agon isolation`: what this machine can give for programs of strangers.

use std::io::Write;

use agon_isolation::{Level, cgroup_powers, try_level};
use anyhow::anyhow;
use serde::Serialize;

use crate::args::IsolationArgs;
use crate::draw::palette::{BOLD, DIM};
use crate::draw::styled;
use crate::output::print_json;

#[derive(Serialize)]
struct IsolationJson {
    levels: Vec<LevelJson>,
    cgroup: CgroupJson,
}

#[derive(Serialize)]
struct LevelJson {
    level: Level,
    available: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

#[derive(Serialize)]
struct CgroupJson {
    freezes: bool,
    memory: bool,
    tasks: bool,
}

/// Tries every level and says what is missing.
pub(crate) fn run(args: &IsolationArgs) -> anyhow::Result<()> {
    let levels: Vec<LevelJson> = Level::ALL.into_iter().rev().map(tried).collect();
    let powers = cgroup_powers();
    let cgroup = CgroupJson { freezes: powers.freezes, memory: powers.memory, tasks: powers.tasks };
    let has_sandbox = levels.iter().any(|it| it.level == Level::Sandbox && it.available);
    let answer = IsolationJson { levels, cgroup };
    match args.json {
        true => print_json(&answer)?,
        false => print(&answer)?,
    }
    match has_sandbox {
        true => Ok(()),
        false => Err(anyhow!("level sandbox is not available on this machine")),
    }
}

fn tried(level: Level) -> LevelJson {
    let tried = try_level(level).err();
    let (reason, remedy) = match tried {
        Some(unavailable) => (Some(unavailable.reason), unavailable.remedy),
        None => (None, None),
    };
    LevelJson { level, available: reason.is_none(), reason, remedy }
}

fn print(answer: &IsolationJson) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    for LevelJson { level, available, reason, remedy } in &answer.levels {
        let verdict = if *available { "available" } else { "not available" };
        writeln!(out, "{}  {verdict}", styled(BOLD, &format!("{level:<8}")))?;
        for line in reason.iter().chain(remedy) {
            writeln!(out, "          {line}")?;
        }
    }
    let CgroupJson { freezes, memory, tasks } = answer.cgroup;
    let word = |has: bool, yes: &'static str, no: &'static str| if has { yes } else { no };
    let rows = [
        ("freezing", word(freezes, "by control group", "by signals from the first process inside")),
        ("memory", word(memory, "limited by control group", "watched ten times a second and more")),
        ("tasks", word(tasks, "limited by control group", "limited for each program's own user")),
    ];
    writeln!(out, "\nAt level sandbox:")?;
    for (what, how) in rows {
        writeln!(out, "  {what:<9} {how}")?;
    }
    if !(memory && tasks) {
        let hint = "Exact limits need control groups (version 2) with the controllers memory and \
                    pids delegated to you, for example: systemd-run --user --scope -p Delegate=yes \
                    agon …";
        writeln!(out, "{}", styled(DIM, hint))?;
    }
    Ok(())
}
