//! Limits on requests. Ordinary pages stay far below; these are for errors and attacks.

use std::time::Duration;

/// The largest body of a request, in bytes.
pub(crate) const BODY: usize = 64 << 10;
/// How many connections may make requests at a time. Together with the WebSockets of pages they stay
/// below 1024, the number of files that many systems let a program open.
pub(crate) const CONNECTIONS: usize = 512;
/// How many connections one address may have.
pub(crate) const CONNECTIONS_OF_ONE: usize = 256;
/// How long a client may take to send the head of a request.
pub const HEAD: Duration = Duration::from_secs(10);
/// How long a request may take, including its body and its answer.
pub(crate) const REQUEST: Duration = Duration::from_secs(30);
/// How long a client may take to read what it is sent.
pub(crate) const SENDING: Duration = Duration::from_secs(10);
/// How long to wait for other processes that use the store.
pub(crate) const STORE: Duration = Duration::from_secs(5);
/// How long a [`Broadcast`](crate::Broadcast) waits for them.
pub(crate) const SHOWING: Duration = Duration::from_millis(200);
/// How many positions are computed at a time.
pub(crate) const WORKING: usize = 4;
/// The most legal moves of a start position. Games have hundreds at most; contrived positions may
/// have many thousands.
pub const MOVES: u64 = 1500;
/// How many games are kept; beyond that the oldest finished ones are deleted.
pub const GAMES: u64 = 20_000;
/// How many games are in memory at a time.
pub(crate) const LOADED: usize = 4096;
/// How many pages may follow games at a time.
pub(crate) const WATCHERS: usize = 384;
/// How many searches may wait for a thread.
pub const WAITING: usize = 512;
/// The longest game, in moves.
pub const PLIES: usize = 4000;
/// The longest text of a variant or an agent, in bytes.
pub const NAME: usize = 300;
/// The longest text of a position, in bytes.
pub const POSITION: usize = 8 << 10;
/// The most memory an agent may be given by its text, in MiB.
pub(crate) const AGENT_MEMORY: u32 = 256;
/// How long an agent searches for a move without a clock when no other search is waiting.
pub(crate) const THINKING: Duration = Duration::from_secs(1);
/// The longest it searches with a clock, as a multiple of that.
pub(crate) const PATIENT: u32 = 5;
/// How many programs are waited for at a time.
pub(crate) const PROGRAMS: usize = 8;
/// The longest time on a clock.
pub const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 3600);
/// The least it gets, however many searches are waiting.
pub(crate) const SHORTEST_THINKING: Duration = Duration::from_millis(50);
/// How long agents go on searching after the last page has gone: long enough for a reload.
pub(crate) const LEASE: Duration = Duration::from_secs(5);
/// How long a game stays in memory after the last request for it.
pub(crate) const IDLE: Duration = Duration::from_secs(600);
/// The longest pause between two moves of a game to watch.
pub(crate) const LONGEST_DELAY: u64 = 60_000;
/// How many games a list has at most.
pub const LISTED: usize = 60;
/// How many stored games a page of records has at most.
pub(crate) const RECORDS: usize = 200;
/// The largest request of an agent that plays over the network, in bytes; the course's own server has
/// the same limit.
pub(crate) const AGENT_BODY: usize = 1_000_000;
/// How many requests of one agent are processed or wait at a time.
pub const AGENT_REQUESTS: usize = 8;
/// The least time between two requests of one agent, after a burst.
pub(crate) const AGENT_PACE: Duration = Duration::from_millis(5);
/// The size of a burst.
pub(crate) const AGENT_BURST: u32 = 200;
/// How long an agent's request waits for the opponents' moves before it is told to retry.
pub(crate) const AGENT_ANSWER: Duration = Duration::from_secs(25);
/// How many agents are in memory. Inactive ones are dropped first.
pub const AGENTS: usize = 2000;
/// How many addresses with wrong passwords are remembered.
pub(crate) const STRANGERS: usize = 4096;
