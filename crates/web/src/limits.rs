//! How much anybody may ask for. Pages stay far below; these are for what goes wrong and for those
//! who try.

use std::time::Duration;

/// The largest body of a request, in bytes.
pub const BODY: usize = 64 << 10;
/// How many connections ask at a time. With those of pages that look at games they stay below 1024,
/// which is how many files many systems let a program open.
pub const CONNECTIONS: usize = 512;
/// How many of them may come from one address.
pub const CONNECTIONS_OF_ONE: usize = 256;
/// How long a client may take to send the head of a request.
pub const HEAD: Duration = Duration::from_secs(10);
/// How long a request may take, its body and its answer included.
pub const REQUEST: Duration = Duration::from_secs(30);
/// How long a client may take to take what it is sent.
pub const SENDING: Duration = Duration::from_secs(10);
/// How long to wait for other programs that use the store.
pub const STORE: Duration = Duration::from_secs(5);
/// How long a process that shows its game on pages waits for them.
pub const SHOWING: Duration = Duration::from_millis(200);
/// How many positions are worked out at a time.
pub const WORKING: usize = 4;
/// The most legal moves of a position that anybody may begin with. Games have hundreds at most;
/// some positions that were made for it have many thousands.
pub const MOVES: u64 = 1500;
/// How many games are kept; then the oldest that are over make room.
pub const GAMES: u64 = 20_000;
/// How many games are in memory at a time.
pub const LOADED: usize = 4096;
/// How many pages may look at games at a time.
pub const WATCHERS: usize = 384;
/// How many searches may wait for a thread.
pub const WAITING: usize = 512;
/// The longest game, in moves.
pub const PLIES: usize = 4000;
/// The longest text of a variant or an agent, in bytes.
pub const NAME: usize = 300;
/// The longest text of a position, in bytes.
pub const POSITION: usize = 8 << 10;
/// The most memory an agent may be given by its text, in MiB.
pub const AGENT_MEMORY: u32 = 256;
/// How long an agent thinks about a move without a clock when nobody else is waiting.
pub const THINKING: Duration = Duration::from_secs(1);
/// The longest it thinks with a clock, in units of that.
pub const PATIENT: u32 = 5;
/// How many programs are waited for at a time.
pub const PROGRAMS: usize = 8;
/// The longest time on a clock.
pub const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 3600);
/// The least it gets, however many are waiting.
pub const SHORTEST_THINKING: Duration = Duration::from_millis(50);
/// How long a game is still thought about after the last page has gone: long enough to reload.
pub const LEASE: Duration = Duration::from_secs(5);
/// How long a game stays in memory after anybody asked for it.
pub const IDLE: Duration = Duration::from_secs(600);
/// The longest pause between two moves of a game to watch.
pub const LONGEST_DELAY: u64 = 60_000;
/// How many games a list has at most.
pub const LISTED: usize = 60;
/// How many stored games a page of records has at most.
pub const RECORDS: usize = 200;
/// The largest request of an agent that plays over the network, in bytes: what the course's server
/// takes, too.
pub const AGENT_BODY: usize = 1_000_000;
/// How many requests of one agent are dealt with or wait at a time.
pub const AGENT_REQUESTS: usize = 8;
/// The time between two requests of one agent, if it keeps sending them.
pub const AGENT_PACE: Duration = Duration::from_millis(5);
/// How many more it may send at once.
pub const AGENT_BURST: u32 = 200;
/// How long an agent waits for its opponents and for others' before it is told to try again.
pub const AGENT_ANSWER: Duration = Duration::from_secs(25);
/// How many agents are in memory. Those that have nothing to say are forgotten first.
pub const AGENTS: usize = 2000;
/// How many addresses are remembered for wrong passwords.
pub const STRANGERS: usize = 4096;
