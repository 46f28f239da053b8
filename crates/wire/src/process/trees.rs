//! The running programs, with all their descendants.
//!
//! A process whose parent ends becomes a child of ours (see [`warden`](super::warden)). It still
//! belongs to its program, and is identified by its session, by a variable in its environment, or
//! because it was seen before. Signals go only to processes that are certainly meant: a program
//! itself is not reaped before its whole tree is gone, so that its process id, which is also the id
//! of its process group, is not reused.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use agon_arena::workers::games_at_a_time;
use rustix::io::Errno;
use rustix::process::{self as system, Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus};

use super::Limits;
use super::cells::Inmate;
use super::child::TOKEN;
use super::freezer::Rest;
use super::judge::judge;
use super::proc::{self, Kinship, Process, Stat};
use super::shares;
use super::trouble::{Trouble, TroubleKind};

/// How often trees are checked, and how often when one of them is half way to a limit.
pub(super) const CALM: Duration = Duration::from_millis(100);
pub(super) const ALERT: Duration = Duration::from_millis(20);

/// How long an orphan may take to end before it counts as left behind; and for how long there may
/// be one at every check, even if it is always another.
const STRAYING: Duration = CALM;
const STREAMING: Duration = Duration::from_millis(300);

/// How long it may take to stop a tree that keeps growing.
const FREEZING: Duration = Duration::from_secs(2);

/// How often to try to kill a tree process by process before all orphans are swept, and how long a
/// sweep may take.
const PATIENT_ROUNDS: u32 = 10;
const SWEEPING: Duration = Duration::from_millis(50);

/// Even a busy program does not leave this many short-lived children between two checks. They are
/// evading.
const FLEETING: usize = 100;

/// The name for processes that ended before they could be examined.
pub(super) const NAMELESS: &str = "processes too short-lived to be named";

/// What the warden and the owner of a program share.
pub(super) struct Ward {
    /// The program itself. Its process id is not reused before [`Trees::finish`].
    pub pid: Pid,
    /// A token that only its descendants have in their environment.
    pub token: String,
    /// Its resource limits.
    pub limits: Limits,
    /// How many processes the system had killed for want of memory when it was started.
    pub killed_before: u64,
    /// Its cell, if it is isolated.
    pub inmate: Option<Inmate>,
    /// Whether something is asked of it.
    pub rest: Rest,
    /// The limit that it exceeded, or the processes that it left behind while it ran.
    pub broken: OnceLock<Trouble>,
}

impl Ward {
    /// The variable in the environment of its descendants.
    fn variable(&self) -> String {
        format!("{TOKEN}={}", self.token)
    }
}

/// Whether and how a child of ours has ended.
pub(super) enum Fate {
    /// It runs.
    Running,
    /// It has ended and has not been reaped.
    Ended(WaitIdStatus),
    /// It no longer exists; somebody else must have reaped it.
    Gone,
}

/// Checks a child of ours without reaping it.
pub(super) fn fate(pid: Pid) -> Fate {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    loop {
        match system::waitid(WaitId::Pid(pid), options) {
            Ok(Some(status)) => return Fate::Ended(status),
            Ok(None) => return Fate::Running,
            Err(Errno::INTR) => {}
            Err(_) => return Fate::Gone,
        }
    }
}

/// Reaps a child of ours if it has ended. True if it had.
fn reap(pid: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    loop {
        match system::waitid(WaitId::Pid(pid), options) {
            Err(Errno::INTR) => {}
            result => return matches!(result, Ok(Some(_))),
        }
    }
}

struct Tree {
    ward: Arc<Ward>,
    /// All its processes at the last check.
    members: Vec<Process>,
    /// Those of its processes that were children of ours at the last check, and since when.
    orphans: Vec<(Process, Instant)>,
    /// Since when there has been an orphan at every check.
    streaming: Option<Instant>,
    /// Orphans that had to be killed after the program's own end.
    strays: Vec<String>,
    /// Whether no other program has run during its whole life. Then an orphan that cannot be
    /// identified otherwise is its own.
    alone: bool,
    /// How many attempts were made to finish it.
    rounds: u32,
    /// It has no owner any more, but did not end in time.
    abandoned: bool,
    /// The niceness that its session still has to get.
    niceness: Option<u8>,
}

impl Tree {
    /// Those of its orphans that have existed for a while, or that keep coming one after another. A
    /// single one may be about to end when it is first seen.
    fn strays_among<'a>(&mut self, orphans: impl Iterator<Item = &'a Stat>) -> Vec<&'a Stat> {
        let now = Instant::now();
        let before = std::mem::take(&mut self.orphans);
        let streaming = self.streaming.take().unwrap_or(now);
        let endless = now.duration_since(streaming) >= STREAMING;
        let mut strays = Vec::new();
        for stat in orphans {
            let seen = before.iter().find(|(process, _)| *process == stat.process);
            let since = seen.map_or(now, |(_, since)| *since);
            self.orphans.push((stat.process, since));
            self.streaming = Some(streaming);
            if endless || now.duration_since(since) >= STRAYING {
                strays.push(stat);
            }
        }
        strays
    }

    /// Orphans were found that will not end by themselves. For a running program that is a fault;
    /// one that has ended did so for another reason, and these are added to the evidence.
    fn charge(&mut self, names: Vec<String>) {
        match fate(self.ward.pid) {
            Fate::Running => {
                let trouble = Trouble::new(TroubleKind::ChildrenLeft, names.join(", "));
                let _ = self.ward.broken.set(trouble);
            }
            Fate::Ended(_) | Fate::Gone => {
                let new = names.into_iter().filter(|name| !self.strays.contains(name));
                let new: Vec<String> = new.collect();
                self.strays.extend(new);
            }
        }
    }
}

/// All trees.
pub(super) struct Trees {
    trees: Vec<Tree>,
    /// Orphans that could not be attributed to any program when they were first seen.
    unowned: Vec<Process>,
}

/// Children of ours that we did not start.
struct Orphans {
    /// With the index of the tree they belong to.
    living: Vec<(Option<usize>, Stat)>,
    /// How many dead ones were reaped. Others may have taken their place since.
    reaped: usize,
}

impl Orphans {
    fn of(&self, owner: Option<usize>) -> impl Iterator<Item = &Stat> {
        self.living.iter().filter(move |(whose, _)| *whose == owner).map(|(_, stat)| stat)
    }
}

impl Trees {
    pub const fn new() -> Trees {
        Trees { trees: Vec::new(), unowned: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Adds a program that was just started.
    pub fn add(&mut self, ward: Arc<Ward>) {
        self.trees.iter_mut().for_each(|tree| tree.alone = false);
        let (members, orphans, strays) = (Vec::new(), Vec::new(), Vec::new());
        let (streaming, alone, rounds, abandoned) = (None, false, 0, false);
        let niceness = Some(shares::niceness(games_at_a_time())).filter(|&niceness| niceness > 0);
        self.trees.push(Tree {
            ward,
            members,
            orphans,
            streaming,
            strays,
            alone,
            rounds,
            abandoned,
            niceness,
        });
        if let [_] = self.trees.as_slice() {
            self.orphans(&Kinship::now());
            let nobody_else = self.unowned.is_empty();
            self.trees.iter_mut().for_each(|tree| tree.alone = nobody_else);
        }
    }

    fn index_of(&self, ward: &Ward) -> Option<usize> {
        self.trees.iter().position(|tree| tree.ward.pid == ward.pid)
    }

    /// Checks everything, kills trees that exceeded a limit, and says when to check again.
    pub fn look(&mut self) -> Duration {
        let kinship = Kinship::now();
        let known = self.unowned.clone();
        let orphans = self.orphans(&kinship);
        let mut pause = CALM;
        for index in 0..self.trees.len() {
            pause = pause.min(self.look_at(index, &kinship, &orphans));
        }
        for stat in orphans.of(None).filter(|stat| known.contains(&stat.process)) {
            kill_all(&walk(vec![stat.process.pid], &kinship).0);
        }
        if orphans.reaped > FLEETING {
            self.sweep(None);
            if let Some(only) = self.trees.iter_mut().find(|tree| tree.alone) {
                only.charge(vec![NAMELESS.to_string()]);
            }
        }
        let abandoned = self.trees.iter().filter(|tree| tree.abandoned);
        for ward in abandoned.map(|tree| tree.ward.clone()).collect::<Vec<_>>() {
            self.finish(&ward);
        }
        pause
    }

    fn look_at(&mut self, index: usize, kinship: &Kinship, orphans: &Orphans) -> Duration {
        let tree = &mut self.trees[index];
        tree.niceness = tree.niceness.filter(|&niceness| !shares::set(tree.ward.pid, niceness));
        let mut roots = vec![tree.ward.pid];
        roots.extend(orphans.of(Some(index)).map(|stat| stat.process.pid));
        let (family, _) = walk(roots, kinship);
        tree.members = family.iter().map(|stat| stat.process).collect();
        let (trouble, pause) = judge(&tree.ward, &family);
        if let Some(trouble) = trouble {
            // The reason is recorded before the owner can see the end.
            let _ = tree.ward.broken.set(trouble);
        }
        let strays = tree.strays_among(orphans.of(Some(index)));
        if !strays.is_empty() {
            tree.charge(strays.iter().map(|stat| describe(stat)).collect());
            strays.iter().for_each(|stat| kill_all(&walk(vec![stat.process.pid], kinship).0));
        }
        if tree.ward.broken.get().is_some() && !family.is_empty() {
            self.strike(index);
        }
        pause
    }

    /// Finds the children of ours that descend from a program, and reaps the dead ones. Processes
    /// that others started in this process have our process group and are left alone.
    fn orphans(&mut self, kinship: &Kinship) -> Orphans {
        let mut orphans = Orphans { living: Vec::new(), reaped: 0 };
        for pid in kinship.children(system::getpid()) {
            if !self.is_foreign(pid) {
                continue;
            }
            // There may be thousands of dead ones, and the living must not get away.
            let stat = if reap(pid) { None } else { proc::stat(pid) };
            match stat {
                Some(stat) => orphans.living.push((self.owner(&stat), stat)),
                None => orphans.reaped += 1,
            }
        }
        self.unowned = orphans.of(None).map(|stat| stat.process).collect();
        orphans
    }

    /// Whether a child of ours descends from a program: it is not one itself, and left our process
    /// group.
    fn is_foreign(&self, pid: Pid) -> bool {
        let is_program = self.trees.iter().any(|tree| tree.ward.pid == pid);
        !is_program && system::getpgid(Some(pid)).is_ok_and(|group| group != system::getpgrp())
    }

    fn owner(&self, stat: &Stat) -> Option<usize> {
        let Stat { process, session, .. } = stat;
        let is_member = |one: &Process| one == process || one.pid.as_raw_pid() == *session;
        let by = |test: &dyn Fn(&Tree) -> bool| self.trees.iter().position(test);
        by(&|tree| tree.ward.pid.as_raw_pid() == *session)
            .or_else(|| by(&|tree| tree.members.iter().any(is_member)))
            .or_else(|| by(&|tree| proc::has_variable(process.pid, &tree.ward.variable())))
            .or_else(|| by(&|tree| tree.alone))
    }

    /// The living processes of a tree without the program itself, and whether these are all: if
    /// some have just ended, others may have been missed.
    fn descendants(&mut self, index: usize) -> (Vec<Stat>, bool) {
        let kinship = Kinship::now();
        let main = self.trees[index].ward.pid;
        // In this order: a process that leaves one list meanwhile is in the other.
        let mut roots = kinship.children(main);
        let orphans = self.orphans(&kinship);
        roots.extend(orphans.of(Some(index)).map(|stat| stat.process.pid));
        let (living, all) = walk(roots, &kinship);
        (living, all && orphans.reaped == 0)
    }

    /// The living processes of a tree besides the program. `None` if that is uncertain at the
    /// moment: a process that is just being started may not yet show whose it is.
    pub(crate) fn survivors(&mut self, ward: &Ward) -> Option<Vec<String>> {
        let Some(index) = self.index_of(ward) else { return Some(Vec::new()) };
        let (living, all) = self.descendants(index);
        let certain = !living.is_empty() || (all && self.unowned.is_empty());
        certain.then(|| living.iter().map(describe).collect())
    }

    /// Whether no other program has run during its whole life.
    pub(crate) fn is_alone(&self, ward: &Ward) -> bool {
        self.index_of(ward).is_some_and(|index| self.trees[index].alone)
    }

    /// The processes that outlived a program and were killed.
    pub(crate) fn strays(&self, ward: &Ward) -> Vec<String> {
        self.index_of(ward).map_or_else(Vec::new, |index| self.trees[index].strays.clone())
    }

    /// Stops the growth of a tree and kills all of it.
    fn strike(&mut self, index: usize) {
        let main = self.trees[index].ward.pid;
        let deadline = Instant::now() + FREEZING;
        let mut frozen: Vec<Process> = Vec::new();
        let _ = system::kill_process_group(main, Signal::STOP);
        // A stopped process has no more children; one that is killed at once leaves orphans to be
        // found.
        loop {
            let (family, _) = self.descendants(index);
            let fresh = family.iter().map(|stat| stat.process).filter(|one| !frozen.contains(one));
            let fresh: Vec<Process> = fresh.collect();
            if fresh.is_empty() || Instant::now() > deadline {
                break;
            }
            fresh.iter().for_each(|&process| proc::signal(process, Signal::STOP));
            frozen.extend(fresh);
        }
        self.trees[index].members.extend(&frozen);
        let _ = system::kill_process_group(main, Signal::KILL);
        let _ = system::kill_process(main, Signal::KILL);
        frozen.iter().for_each(|&process| proc::signal(process, Signal::KILL));
    }

    /// Kills a program and all its descendants.
    pub fn kill(&mut self, ward: &Ward) {
        if let Some(index) = self.index_of(ward) {
            self.strike(index);
        }
    }

    /// Kills what is left of a tree, and reaps the program when nothing is left. True when that is
    /// done.
    pub fn finish(&mut self, ward: &Ward) -> bool {
        let Some(index) = self.index_of(ward) else { return true };
        // First the program: its children become ours when it ends.
        let fate = fate(ward.pid);
        let (mut family, mut all) = self.descendants(index);
        self.trees[index].members.extend(family.iter().map(|stat| stat.process));
        if self.trees.len() == 1 {
            // Nobody will watch over this one any more, so unattributed orphans are killed, too.
            let unowned = self.unowned.iter().map(|process| process.pid).collect();
            let (others, all_others) = walk(unowned, &Kinship::now());
            family.extend(others);
            all &= all_others;
        }
        kill_all(&family);
        self.trees[index].rounds += 1;
        if !all && self.trees[index].rounds > PATIENT_ROUNDS {
            self.sweep(Some(ward));
        }
        if matches!(fate, Fate::Running) || !family.is_empty() || !all {
            return false;
        }
        reap(ward.pid);
        self.trees.swap_remove(index);
        true
    }

    /// Kills all orphans at once, with little regard to whose they are. Some evade by starting
    /// another process and ending, again and again, and are gone before they can be examined. So
    /// only their ids are read, the newest first; as they are children of ours, the ids are not
    /// reused. The sessions of programs other than the given one are spared.
    fn sweep(&self, ward: Option<&Ward>) {
        let deadline = Instant::now() + SWEEPING;
        let is_others = |pid: Pid| {
            let session = system::getsid(Some(pid)).ok();
            let mut others = self.trees.iter().map(|tree| tree.ward.pid);
            others.any(|pid| Some(pid) == session && ward.is_none_or(|ward| ward.pid != pid))
        };
        let mut found = true;
        while found && Instant::now() < deadline {
            found = false;
            for pid in Kinship::now().children(system::getpid()).into_iter().rev() {
                if self.is_foreign(pid) && !is_others(pid) {
                    let _ = system::kill_process(pid, Signal::KILL);
                    reap(pid);
                    found = true;
                }
            }
        }
    }

    /// Leaves a tree that does not end to later checks.
    pub fn abandon(&mut self, ward: &Ward) {
        if let Some(index) = self.index_of(ward) {
            self.trees[index].abandoned = true;
        }
    }
}

/// The living among these processes and all their descendants, and whether all are alive.
fn walk(roots: Vec<Pid>, kinship: &Kinship) -> (Vec<Stat>, bool) {
    let mut seen = roots;
    let mut living = Vec::new();
    let mut at = 0;
    while let Some(&pid) = seen.get(at) {
        at += 1;
        let Some(stat) = proc::stat(pid).filter(|stat| !stat.zombie) else { continue };
        living.push(stat);
        for child in kinship.children(pid) {
            if !seen.contains(&child) {
                seen.push(child);
            }
        }
    }
    let all = living.len() == seen.len();
    (living, all)
}

fn kill_all(family: &[Stat]) {
    family.iter().for_each(|stat| proc::signal(stat.process, Signal::KILL));
}

/// A process in words. Its name is its own choice.
fn describe(stat: &Stat) -> String {
    format!("{} (process {})", stat.name.escape_debug(), stat.process.pid)
}
