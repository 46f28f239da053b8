//! Logs of whole conversations with programs.
//!
//! A line has the seconds since the file was opened, the number of the process, a mark and the text:
//! `>` for what was sent, `<` for what came back, `!` for what was written to the standard error and
//! `=` for remarks. Control characters are escaped, so that a log can be shown in a terminal.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The kind of a log line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogMark {
    /// Sent to the program.
    Sent,
    /// Printed by the program.
    Said,
    /// Written by the program to its standard error.
    Complained,
    /// A remark of the arena.
    Remark,
}

/// A file for the conversations of any number of programs. Clones write to the same file.
#[derive(Clone)]
pub struct ConversationLog(Arc<Inner>);

struct Inner {
    path: PathBuf,
    opened: Instant,
    /// The file, or why nothing more is written to it.
    file: Mutex<Result<File, String>>,
}

impl ConversationLog {
    /// Starts a log in a new file; an existing file of that name is replaced.
    pub fn create(path: &Path) -> io::Result<ConversationLog> {
        let file = Mutex::new(Ok(File::create(path)?));
        Ok(ConversationLog(Arc::new(Inner { path: path.into(), opened: Instant::now(), file })))
    }

    /// Writes a line of the conversation with a process. Each is one write, so that nothing is lost
    /// when the arena is killed; after the first failed write there are no more.
    pub fn line(&self, process: u32, mark: LogMark, text: &[u8]) {
        let mark = match mark {
            LogMark::Sent => '>',
            LogMark::Said => '<',
            LogMark::Complained => '!',
            LogMark::Remark => '=',
        };
        let seconds = self.0.opened.elapsed().as_secs_f64();
        let mut line = format!("{seconds:.6} {process} {mark} ");
        for character in String::from_utf8_lossy(text).chars() {
            if character.is_control() && character != '\t' {
                line.extend(character.escape_default());
            } else {
                line.push(character);
            }
        }
        line.push('\n');
        let mut file = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(open) = &mut *file
            && let Err(error) = open.write_all(line.as_bytes())
        {
            *file = Err(error.to_string());
        }
    }

    /// Writes every line of a text.
    pub fn lines(&self, process: u32, mark: LogMark, text: &str) {
        text.lines().for_each(|line| self.line(process, mark, line.as_bytes()));
    }

    /// Why it is incomplete, if it is.
    pub fn problem(&self) -> Option<String> {
        let file = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
        let problem = file.as_ref().err()?;
        Some(format!("{} is incomplete: {problem}", self.0.path.display()))
    }
}

impl PartialEq for ConversationLog {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ConversationLog {}

impl fmt::Debug for ConversationLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ConversationLog").field(&self.0.path).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_their_process_and_their_mark_and_steer_no_terminal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("talk.log");
        let log = ConversationLog::create(&path).unwrap();
        log.lines(7, LogMark::Sent, "position startpos\ngo movetime 10\n");
        log.clone().line(8, LogMark::Said, b"bestmove \x1b[2J\xff");
        log.line(7, LogMark::Complained, b"oh");
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> =
            text.lines().filter_map(|line| Some(line.split_once(' ')?.1)).collect();
        let wanted = [
            "7 > position startpos",
            "7 > go movetime 10",
            "8 < bestmove \\u{1b}[2J\u{fffd}",
            "7 ! oh",
        ];
        assert_eq!(lines, wanted);
        assert_eq!(log.problem(), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let log = ConversationLog::create(Path::new("/dev/full")).unwrap();
        log.line(1, LogMark::Sent, b"ugi");
        assert!(log.problem().unwrap().contains("/dev/full"), "{:?}", log.problem());
    }
}
