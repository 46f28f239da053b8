//! Waiting for pipes.

use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Waits until one of two pipes is ready: the first for the given events, the second for reading.
/// Neither is ready if the deadline passed or a signal came.
pub(super) fn wait(
    first: Option<&OwnedFd>,
    interest: PollFlags,
    second: Option<&OwnedFd>,
    deadline: Instant,
) -> Result<(bool, bool), Errno> {
    let first = first.map(|pipe| PollFd::new(pipe, interest));
    let second = second.map(|pipe| PollFd::new(pipe, PollFlags::IN));
    match (first, second) {
        (Some(first), Some(second)) => {
            let mut both = [first, second];
            poll_until(&mut both, deadline)?;
            Ok((is_ready(&both[0]), is_ready(&both[1])))
        }
        (Some(mut first), None) => {
            poll_until(std::slice::from_mut(&mut first), deadline)?;
            Ok((is_ready(&first), false))
        }
        (None, Some(mut second)) => {
            poll_until(std::slice::from_mut(&mut second), deadline)?;
            Ok((false, is_ready(&second)))
        }
        (None, None) => poll_until(&mut [], deadline).map(|()| (false, false)),
    }
}

fn poll_until(pipes: &mut [PollFd<'_>], deadline: Instant) -> Result<(), Errno> {
    let left = deadline.saturating_duration_since(Instant::now());
    // A time that does not fit counts as no timeout.
    let left = Timespec::try_from(left).ok();
    match poll(pipes, left.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error),
    }
}

/// An end or an error counts as well: the next read or write reports it.
fn is_ready(pipe: &PollFd<'_>) -> bool {
    !pipe.revents().is_empty()
}
