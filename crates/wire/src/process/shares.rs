//! Fair shares of a busy machine for programs and built-in agents.
//!
//! Linux may divide a busy machine among sessions first, and only then among the threads of each
//! (autogroup). A program has a session of its own, while all built-in agents of all games share
//! ours: with eight games at a time a program would get as much as five agents together. So its
//! session gets less weight: as much as a built-in agent has on average.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};

use rustix::process::Pid;

/// The factor in weight per step of niceness.
const STEP: f64 = 1.25;

/// The niceness of a program's session while this many games are played at a time.
pub(super) fn niceness(games: usize) -> u8 {
    // While a built-in agent thinks, so does one in each of the other games half of the time: this
    // is the mean of 1 / (1 + the number of others that do).
    let games = games.max(1) as f64;
    let share = 2.0 * (1.0 - 0.5_f64.powf(games)) / games;
    (-share.log(STEP)).round().clamp(0.0, 19.0) as u8
}

/// Sets the niceness of a program's session. False if the system wants this to be retried a little
/// later; if it does not divide by sessions, there is nothing to do.
pub(super) fn set(program: Pid, niceness: u8) -> bool {
    let file = OpenOptions::new().write(true).open(format!("/proc/{program}/autogroup"));
    let written = file.and_then(|mut file| file.write_all(niceness.to_string().as_bytes()));
    !written.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_games_the_less_weight_for_a_program() {
        let all = [1, 2, 3, 4, 8, 16, 64, 4096].map(niceness);
        assert_eq!(all, [0, 1, 2, 3, 6, 9, 16, 19]);
        assert_eq!(niceness(0), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_session_gets_its_niceness() {
        use std::os::unix::process::CommandExt;
        use std::process::Command;

        if !std::path::Path::new("/proc/self/autogroup").exists() {
            return;
        }
        let mut command = Command::new("sleep");
        // A group of its own, but our session: so it changes our niceness, which is then restored.
        let mut child = command.arg("60").process_group(0).spawn().unwrap();
        let file = format!("/proc/{}/autogroup", child.id());
        let nice = || std::fs::read_to_string(&file).unwrap();
        let pid = Pid::from_child(&child);
        for (niceness, words) in [(3, "nice 3"), (0, "nice 0")] {
            while !set(pid, niceness) {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            // A session that is older than the system's autogroups has none.
            assert!(!nice().contains("nice") || nice().trim_end().ends_with(words), "{}", nice());
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(set(pid, 3), "who is gone needs nothing");
    }
}
