//! A small terminal emulator: the program on a pseudo-terminal, and its screen.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::io::FdFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program in a terminal of its own.
pub struct Terminal {
    child: Child,
    keys: File,
    device: OwnedFd,
    modes: LocalModes,
    screen: Arc<Mutex<Screen>>,
    _data: tempfile::TempDir,
}

impl Terminal {
    /// Runs the program in a window of 80 by 24.
    pub fn run(arguments: &[&str]) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        rustix::io::fcntl_setfd(&master, FdFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let device = rustix::fs::open(OsStr::from_bytes(name.to_bytes()), flags, Mode::empty());
        let device = device.unwrap();
        tcsetwinsize(&device, window(80, 24)).unwrap();
        let modes = tcgetattr(&device).unwrap().local_modes;
        let data = tempfile::tempdir().unwrap();
        let end = || device.try_clone().unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(arguments)
            .env("AGON_DATA", data.path())
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        let screen = Arc::new(Mutex::new(Screen::default()));
        let (mut output, seen) = (File::from(master.try_clone().unwrap()), screen.clone());
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                seen.lock().unwrap().take(&bytes[..count]);
            }
        });
        Terminal { child, keys: File::from(master), device, modes, screen, _data: data }
    }

    /// Waits until a text is visible.
    pub fn wait_for(&self, text: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.screen.lock().unwrap().text().contains(text) {
            let seen = self.screen.lock().unwrap().text();
            assert!(Instant::now() < until, "no {text:?} in:\n{seen}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether a text is visible now.
    pub fn shows(&self, text: &str) -> bool {
        self.screen.lock().unwrap().text().contains(text)
    }

    /// Waits for an event.
    pub fn wait_until(&self, what: &str, happened: impl Fn(&Terminal) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !happened(self) {
            assert!(Instant::now() < until, "never happened: {what}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    }

    /// Waits for the end, by itself or by a signal.
    pub fn ended_well(&mut self) -> bool {
        self.child.wait().unwrap().success()
    }

    /// Types keys.
    pub fn send(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Clicks a square by its name, where its file and its rank meet: `c4`, or `4,3`.
    pub fn click(&mut self, square: &str) {
        let by_numbers = square.split_once(',').map(|(rank, file)| (file, rank));
        let (file, rank) = by_numbers.unwrap_or_else(|| square.split_at(1));
        let place = |terminal: &Terminal| terminal.screen.lock().unwrap().crossing(file, rank);
        self.wait_until(&format!("{square} is drawn"), |terminal| place(terminal).is_some());
        let (x, y) = place(self).unwrap();
        self.send(&format!("\x1b[<0;{};{}M\x1b[<0;{};{}m", x + 1, y + 1, x + 1, y + 1));
    }

    /// Resizes the window.
    pub fn resize(&self, width: u16, height: u16) {
        tcsetwinsize(&self.device, window(width, height)).unwrap();
    }

    /// Waits for the end.
    pub fn exit_code(&mut self) -> i32 {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap();
            }
            assert!(Instant::now() < until, "still running");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether the alternate screen is shown, according to the output so far.
    pub fn is_full_screen(&self) -> bool {
        self.screen.lock().unwrap().alternate
    }

    /// Whether the alternate screen was ever shown.
    pub fn was_full_screen(&self) -> bool {
        self.screen.lock().unwrap().was_alternate
    }

    /// Whether line mode and echo are restored.
    pub fn is_as_it_was(&self) -> bool {
        tcgetattr(&self.device).unwrap().local_modes == self.modes
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Usually it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn window(width: u16, height: u16) -> Winsize {
    Winsize { ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0 }
}

/// The visible text: enough of a terminal for a program that positions all of its output.
#[derive(Default)]
struct Screen {
    rows: Vec<Vec<char>>,
    at: (usize, usize),
    alternate: bool,
    was_alternate: bool,
    /// Incomplete input.
    pending: Vec<u8>,
}

impl Screen {
    fn text(&self) -> String {
        self.rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }

    /// The position in the column of one name and the row of another.
    fn crossing(&self, file: &str, rank: &str) -> Option<(usize, usize)> {
        let words = |row: &[char]| -> Vec<String> {
            row.iter().collect::<String>().split_whitespace().map(String::from).collect()
        };
        let is_files = |row: &&Vec<char>| {
            let words = words(row);
            [["a", "b"], ["1", "2"]].iter().any(|first| words.starts_with(&first.map(String::from)))
        };
        let files = self.rows.iter().find(is_files)?;
        let x = files.iter().position(|&letter| letter.to_string() == file)?;
        let y = self.rows.iter().position(|row| words(row).first().is_some_and(|it| it == rank))?;
        Some((x, y))
    }

    fn take(&mut self, bytes: &[u8]) {
        self.pending.extend(bytes);
        while let Some(used) = self.step() {
            self.pending.drain(..used);
        }
    }

    /// Handles one character or control sequence, and returns its length in bytes.
    fn step(&mut self) -> Option<usize> {
        let first = *self.pending.first()?;
        match first {
            0x1b => self.control(),
            b'\r' => self.moved(|at| at.0 = 0),
            b'\n' => self.moved(|at| at.1 += 1),
            0x08 => self.moved(|at| at.0 = at.0.saturating_sub(1)),
            _ => {
                let length = match first {
                    0xf0.. => 4,
                    0xe0.. => 3,
                    0xc0.. => 2,
                    _ => 1,
                };
                let text = str::from_utf8(self.pending.get(..length)?).unwrap();
                let letter = text.chars().next().unwrap();
                self.put(letter);
                Some(length)
            }
        }
    }

    fn moved(&mut self, by: impl FnOnce(&mut (usize, usize))) -> Option<usize> {
        by(&mut self.at);
        Some(1)
    }

    fn put(&mut self, letter: char) {
        let (x, y) = self.at;
        if self.rows.len() <= y {
            self.rows.resize(y + 1, Vec::new());
        }
        let row = &mut self.rows[y];
        if row.len() <= x {
            row.resize(x + 1, ' ');
        }
        row[x] = letter;
        self.at.0 += 1;
    }

    /// A sequence such as `ESC [ 3 ; 7 H`.
    fn control(&mut self) -> Option<usize> {
        if *self.pending.get(1)? != b'[' {
            return Some(2);
        }
        let end = 2 + self.pending[2..].iter().position(|byte| (0x40..0x7f).contains(byte))?;
        let inside = String::from_utf8_lossy(&self.pending[2..end]).to_string();
        let mut numbers = inside.split(';').map(|number| number.parse().unwrap_or(1_usize));
        match self.pending[end] {
            b'H' => {
                let row = numbers.next().unwrap_or(1) - 1;
                self.at = (numbers.next().unwrap_or(1) - 1, row);
            }
            b'J' if inside == "2" => self.rows.clear(),
            final_byte @ (b'h' | b'l') if inside == "?1049" => {
                self.alternate = final_byte == b'h';
                self.was_alternate |= self.alternate;
                self.rows.clear();
                self.at = (0, 0);
            }
            _ => {}
        }
        Some(end + 1)
    }
}
