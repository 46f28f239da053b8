//! The player's HTTP server.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Call, Player};
use crate::ggp::http::{
    LONGEST_BODY, LONGEST_HEAD, Refusal, Request, TOO_SLOW, read_request, reply,
};

/// The limits for clients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServerLimits {
    /// How long a request may take to arrive.
    pub request: Duration,
    /// How many connections may be open whose request is still incomplete. One more closes the
    /// oldest, if it has had some time: controllers send their requests at once.
    pub callers: usize,
    /// How many may be open in any case.
    pub most_callers: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        ServerLimits { request: Duration::from_secs(10), callers: 64, most_callers: 384 }
    }
}

/// How long to keep reading after a refusal, so that the sender gets to see it.
const LINGER: Duration = Duration::from_secs(1);
/// How many such connections there may be.
const LINGERING: usize = 32;
/// The time every client has before it is dropped for another.
const AT_LEAST: Duration = Duration::from_millis(500);
/// The timeout for writing an answer.
const WRITING: Duration = Duration::from_secs(5);
/// A thread that reads a request and waits needs little stack.
const STACK: usize = 512 << 10;
/// How long to wait when the system refuses a connection or a thread.
const PAUSE: Duration = Duration::from_millis(50);

/// Listens for controllers.
pub struct Server {
    listeners: Vec<TcpListener>,
    player: Arc<Player>,
    limits: ServerLimits,
}

impl Server {
    /// Listens at these addresses; at all of them, or at none.
    pub fn bind(
        addresses: &[SocketAddr],
        player: Arc<Player>,
        limits: ServerLimits,
    ) -> io::Result<Server> {
        let listeners = addresses.iter().map(TcpListener::bind).collect::<io::Result<_>>()?;
        Ok(Server { listeners, player, limits })
    }

    /// The addresses it listens at.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.listeners.iter().filter_map(|listener| listener.local_addr().ok()).collect()
    }

    /// Serves for ever.
    pub fn run(self) -> io::Result<()> {
        let Server { listeners, player, limits } = self;
        let door = Arc::new(Door { player, limits, waiting: Mutex::default() });
        thread::scope(|scope| {
            for listener in &listeners {
                let door = door.clone();
                thread::Builder::new().spawn_scoped(scope, move || door.keep(listener))?;
            }
            Ok(())
        })
    }
}

struct Door {
    player: Arc<Player>,
    limits: ServerLimits,
    waiting: Mutex<Waiting>,
}

/// The open connections.
#[derive(Default)]
struct Waiting {
    /// Those whose request is incomplete, and since when, the oldest first.
    reading: VecDeque<(u64, Instant, TcpStream)>,
    /// How many have been refused and are still sending.
    lingering: usize,
    /// The number of the next connection.
    next: u64,
}

impl Door {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Accepts connections.
    fn keep(self: &Arc<Door>, listener: &TcpListener) {
        loop {
            let (stream, peer) = match listener.accept() {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Most likely out of file descriptors: some are closed soon.
                    let known = error.kind() == io::ErrorKind::ConnectionAborted;
                    if !known {
                        thread::sleep(PAUSE);
                    }
                    continue;
                }
            };
            let call = Call { peer, accepted: Instant::now() };
            let Some(number) = self.admit(&stream) else { continue };
            let door = self.clone();
            let thread = thread::Builder::new().name("caller".into()).stack_size(STACK);
            let started = thread.spawn(move || {
                let asked = door.read_request(&stream, number, call);
                door.reply(stream, asked, call);
            });
            if let Err(error) = started {
                self.leave(number);
                self.player.problem(peer, &format!("cannot start a thread: {error}"));
                thread::sleep(PAUSE);
            }
        }
    }

    /// Registers an incoming request; if there are too many, the oldest is dropped.
    fn admit(&self, stream: &TcpStream) -> Option<u64> {
        let copy = stream.try_clone().ok()?;
        let mut waiting = self.waiting();
        let number = waiting.next;
        waiting.next += 1;
        waiting.reading.push_back((number, Instant::now(), copy));
        let ServerLimits { callers, most_callers, .. } = self.limits;
        while let Some((_, since, _)) = waiting.reading.front() {
            let (count, had_time) = (waiting.reading.len(), since.elapsed() > AT_LEAST);
            if count <= callers || (count <= most_callers && !had_time) {
                break;
            }
            if let Some((_, _, oldest)) = waiting.reading.pop_front() {
                let _ = oldest.shutdown(Shutdown::Both);
            }
        }
        Some(number)
    }

    fn leave(&self, number: u64) {
        self.waiting().reading.retain(|(other, ..)| *other != number);
    }

    /// Reads a request, as far as it arrives in time.
    fn read_request(
        &self,
        mut stream: &TcpStream,
        number: u64,
        call: Call,
    ) -> Result<Request, Refusal> {
        let until = call.accepted + self.limits.request;
        let mut bytes = Vec::with_capacity(8 << 10);
        let mut chunk = [0; 8 << 10];
        let heard = loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || bytes.len() > LONGEST_HEAD + LONGEST_BODY {
                break Err(TOO_SLOW);
            }
            let _ = stream.set_read_timeout(Some(left));
            match stream.read(&mut chunk) {
                Ok(0) => break Err(Refusal { problem: "the request was cut off", ..TOO_SLOW }),
                Ok(count) => bytes.extend_from_slice(chunk.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break Err(TOO_SLOW),
            }
            match read_request(&bytes) {
                Ok(None) => {}
                Ok(Some(request)) => break Ok(request),
                Err(refusal) => break Err(refusal),
            }
        };
        self.leave(number);
        heard
    }

    fn reply(&self, mut stream: TcpStream, asked: Result<Request, Refusal>, call: Call) {
        let refused = asked.is_err();
        let (status, body) = match asked {
            Ok(request) => {
                let answer = catch_unwind(AssertUnwindSafe(|| self.player.answer(&request, call)));
                answer.unwrap_or_else(|_| {
                    self.player.problem(call.peer, "an internal error");
                    ("500 Internal Server Error", "nil".to_string())
                })
            }
            Err(Refusal { status, problem }) => {
                self.player.problem(call.peer, problem);
                (status, "nil".to_string())
            }
        };
        let _ = stream.set_write_timeout(Some(WRITING));
        let _ = stream.set_nodelay(true);
        // A client that has gone does not want the answer.
        let _ = stream.write_all(reply(status, &body).as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        if refused && self.begin_lingering() {
            linger(&stream);
            self.waiting().lingering -= 1;
        }
    }

    fn begin_lingering(&self) -> bool {
        let mut waiting = self.waiting();
        let free = waiting.lingering < LINGERING;
        waiting.lingering += usize::from(free);
        free
    }
}

/// Reads and discards what arrives for a moment. Closing at once would reset the connection, and a
/// client that is still sending would never see why it was refused.
fn linger(mut stream: &TcpStream) {
    let until = Instant::now() + LINGER;
    let mut chunk = [0; 8 << 10];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        if !matches!(stream.read(&mut chunk), Ok(1..)) {
            return;
        }
    }
}
