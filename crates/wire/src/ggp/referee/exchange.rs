//! One message to a player and its answer.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::player::NoAnswer;

use crate::ggp::http::{read_reply, request};
use crate::problem::single_line;

/// The maximum size of an answer, in bytes.
const LONGEST_REPLY: usize = 64 << 10;
/// How much of an invalid answer is shown.
const LONGEST_SHOWN: usize = 160;
/// The timeout for a connection.
const CONNECTING: Duration = Duration::from_secs(2);
/// How often to check the program and the stop flag.
const LOOK: Duration = Duration::from_millis(20);
/// How long to wait before retrying a player that does not listen yet.
const AGAIN: Duration = Duration::from_millis(25);

/// How long to wait before the first message to a player that has just started to listen. Some
/// listen a moment before they are ready.
const SETTLING: Duration = Duration::from_millis(300);

/// The address of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    host: String,
    port: u16,
}

impl Address {
    /// A port of this machine.
    pub fn local(port: u16) -> Address {
        Address { host: "127.0.0.1".into(), port }
    }

    /// Reads `HOST:PORT`; the host is a name or an IP address, `[::1]` with brackets.
    ///
    /// ```
    /// use agon_wire::ggp::referee::Address;
    /// assert_eq!(Address::read("localhost:4001").unwrap().to_string(), "localhost:4001");
    /// assert!(Address::read("localhost").is_none() && Address::read("a b:1").is_none());
    /// ```
    pub fn read(text: &str) -> Option<Address> {
        let (host, port) = text.rsplit_once(':')?;
        let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let named = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        let numbered = |c: char| c.is_ascii_hexdigit() || ":.%".contains(c);
        let sound = match inner {
            Some(inner) => inner.contains(':') && inner.chars().all(numbered),
            None => !host.is_empty() && host.chars().all(named),
        };
        let port = port.parse().ok().filter(|port| *port > 0)?;
        sound.then(|| Address { host: host.to_string(), port })
    }

    /// The resolved addresses.
    pub(super) fn sockets(&self) -> io::Result<Vec<SocketAddr>> {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        Ok((host, self.port).to_socket_addrs()?.collect())
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for socket in self.sockets()? {
            match TcpStream::connect_timeout(&socket, CONNECTING) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// How a message is sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// How long to retry if the connection is refused.
    pub(super) reach: Duration,
    /// How long to wait for the answer.
    pub(super) answer: Duration,
    /// Whether the answer will be ignored.
    pub(super) unused: bool,
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub(super) text: String,
    /// From the connection to the end of the answer.
    pub(super) time: Duration,
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub(super) enum Mishap {
    /// The connection is refused.
    Refused(String),
    /// Not in time. Only this many bytes arrived, which are not a complete answer.
    Late(Duration, usize),
    /// It closed the connection early.
    Gone(String),
    /// Something arrived that is not an answer.
    Garbage(String),
    /// Its program failed.
    Program(NoAnswer),
    /// The answer is no longer wanted.
    Unwanted,
}

impl fmt::Display for Mishap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mishap::Refused(why) => write!(f, "cannot be reached: {why}"),
            Mishap::Late(time, 0) => write!(f, "no answer in {:.1} s", time.as_secs_f64()),
            Mishap::Late(time, bytes) => write!(
                f,
                "no complete answer in {:.1} s: {bytes} bytes came, and neither was their number \
                 announced nor the connection closed",
                time.as_secs_f64()
            ),
            Mishap::Gone(why) => write!(f, "the connection ended: {why}"),
            Mishap::Garbage(what) => f.write_str(what),
            Mishap::Program(reason) => write!(f, "{reason}"),
            Mishap::Unwanted => f.write_str("stopped"),
        }
    }
}

/// What is done while waiting.
pub(super) trait LookAfter {
    /// Checks on a program, and says whether to keep waiting.
    fn look(&mut self) -> Result<bool, NoAnswer>;

    /// Connects to the player where the network of this machine does not reach it.
    fn dial(&self, _port: u16, _deadline: Instant) -> Option<io::Result<TcpStream>> {
        None
    }
}

impl<F: FnMut() -> Result<bool, NoAnswer>> LookAfter for F {
    fn look(&mut self) -> Result<bool, NoAnswer> {
        self()
    }
}

/// Sends a message and waits for the answer.
pub(super) fn exchange(
    address: &Address,
    message: &str,
    terms: Terms,
    look_after: &mut dyn LookAfter,
) -> Result<Received, Mishap> {
    let mut stream = reach(address, terms.reach, look_after)?;
    let began = Instant::now();
    let gone = |error: io::Error| Mishap::Gone(error.to_string());
    let text = request(&address.to_string(), message, terms.unused);
    stream.set_nodelay(true).map_err(gone)?;
    stream.set_write_timeout(Some(terms.answer.max(LOOK))).map_err(gone)?;
    stream.write_all(text.as_bytes()).map_err(gone)?;
    stream.set_read_timeout(Some(LOOK)).map_err(gone)?;
    let (mut bytes, mut chunk) = (Vec::new(), [0; 4 << 10]);
    let mut looked = began;
    loop {
        let read = stream.read(&mut chunk);
        let ended = match &read {
            Ok(count) => {
                bytes.extend_from_slice(chunk.get(..*count).unwrap_or_default());
                *count == 0
            }
            Err(error) if is_waiting(error) => false,
            // What arrived before counts, if it is an answer.
            Err(_) => true,
        };
        if looked.elapsed() >= LOOK {
            attend(look_after)?;
            looked = Instant::now();
        }
        let time = began.elapsed();
        match (read_reply(&bytes, ended), read) {
            (Ok(Some(text)), _) => return Ok(Received { text: text.into_owned(), time }),
            (_, Err(error)) if ended => return Err(gone(error)),
            (Ok(None), _) if bytes.len() > LONGEST_REPLY => {
                let said = format!("an answer of more than {LONGEST_REPLY} bytes");
                return Err(Mishap::Garbage(said));
            }
            (Ok(None), _) if time > terms.answer => return Err(Mishap::Late(time, bytes.len())),
            (Ok(None), _) => {}
            (Err(problem), _) if bytes.is_empty() => return Err(Mishap::Gone(problem.into())),
            (Err(problem), _) => {
                let said = single_line(&String::from_utf8_lossy(&bytes), LONGEST_SHOWN);
                return Err(Mishap::Garbage(format!("{problem}: {said:?}")));
            }
        }
    }
}

fn is_waiting(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

fn attend(look_after: &mut dyn LookAfter) -> Result<(), Mishap> {
    match look_after.look() {
        Ok(true) => Ok(()),
        Ok(false) => Err(Mishap::Unwanted),
        Err(reason) => Err(Mishap::Program(reason)),
    }
}

/// Connects to a player that may need a while before it listens.
fn reach(
    address: &Address,
    patience: Duration,
    look_after: &mut dyn LookAfter,
) -> Result<TcpStream, Mishap> {
    let until = Instant::now() + patience;
    let mut refused = false;
    loop {
        let inside = look_after.dial(address.port, Instant::now() + CONNECTING);
        match inside.unwrap_or_else(|| address.connect()) {
            Ok(stream) => {
                if refused {
                    thread::sleep(SETTLING);
                }
                return Ok(stream);
            }
            Err(error) if Instant::now() >= until => {
                return Err(Mishap::Refused(error.to_string()));
            }
            Err(_) => {
                attend(look_after)?;
                thread::sleep(AGAIN);
                refused = true;
            }
        }
    }
}
