//! The arguments of `agon isolation`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon isolation            what this machine can give, and what to do to get more
  agon isolation --json     the same for a program
  agon match congo ugi:./stranger engine --isolation sandbox

Levels:
  sandbox   namespaces of its own, with our own first process inside: it sees the system's programs
            and its own folder read-only, has a small folder of its own in memory, no network and no
            other processes, and is frozen while others think
  weak      where namespaces cannot be had: Landlock and a filter of system calls. Its memory is
            watched, but it is not frozen
  none      it runs as you and can do what you can: for your own programs

A tournament file says isolation = \"sandbox\", which is the default there. A level that this machine
cannot give is refused, never weakened. Every level is tried here, not guessed. The exit status is 0
if level sandbox is available, 1 if not.")]
pub(crate) struct IsolationArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
