//! Whether a program keeps to its limits.

use std::time::Duration;

use rustix::process::Pid;

use super::cells::Inmate;
use super::proc::{self, Stat};
use super::trees::{ALERT, CALM, Ward};
use super::trouble::{Trouble, TroubleKind};

/// A single process that exceeds its processor time is stopped by the system before that.
const UNNOTICED: Duration = Duration::from_secs(3);

/// Whether a tree keeps to its limits, and how soon to check again. In a cell the first few of its
/// processes are ours, and all sockets its own.
pub(super) fn judge(ward: &Ward, family: &[Stat]) -> (Option<Trouble>, Duration) {
    let limits = &ward.limits;
    let ours = ward.inmate.as_ref().map_or(0, Inmate::overhead);
    let inside = family.get(ours).filter(|_| ours > 0).map(|stat| stat.process.pid);
    let used = family.iter().map(|stat| stat.ticks + stat.ticks_of_children).sum::<u64>();
    let used = Duration::from_secs_f64(used as f64 / proc::ticks_per_second());
    let family = family.get(ours..).unwrap_or_default();
    let count = family.len();
    if let Some(most) = limits.cpu.filter(|&most| used > most + UNNOTICED) {
        let (used, most) = (used.as_secs_f64(), most.as_secs_f64());
        let evidence = format!("{used:.1} s in all its processes; {most:.1} s are allowed");
        return (Some(Trouble::new(TroubleKind::CpuTime, evidence)), ALERT);
    }
    let tasks: usize = family.iter().map(|stat| stat.threads).sum();
    if tasks > limits.tasks {
        let evidence = format!("{tasks} processes and threads; {} are allowed", limits.tasks);
        return (Some(Trouble::new(TroubleKind::Processes, evidence)), ALERT);
    }
    if count > limits.processes {
        let evidence = format!("{count} processes at once; {} are allowed", limits.processes);
        return (Some(Trouble::new(TroubleKind::Processes, evidence)), ALERT);
    }
    let sum = |measure: fn(Pid) -> u64| -> u64 {
        family.iter().map(|stat| measure(stat.process.pid)).fold(0, u64::saturating_add)
    };
    let sockets = inside.map_or(0, proc::sockets);
    let quick = sum(proc::resident).saturating_add(sockets);
    // The quick sum is never too low, so the exact one is seldom needed.
    let is_exact = quick <= limits.memory;
    let exact = if is_exact { quick } else { sum(proc::proportional).saturating_add(sockets) };
    if exact > limits.memory {
        let (held, allowed) = (exact >> 20, limits.memory >> 20);
        let evidence = format!("{held} MiB in {count} process(es); {allowed} MiB are allowed");
        return (Some(Trouble::new(TroubleKind::Memory, evidence)), ALERT);
    }
    let near = quick > limits.memory / 2 || count > limits.processes / 2;
    (None, if near { ALERT } else { CALM })
}
