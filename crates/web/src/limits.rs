//! Limits on requests. Ordinary pages stay far below; these are for errors and attacks.
//!
//! What several clients share (connections, open pages, waiting searches, programs) is limited in total,
//! and nobody gets more than is left for everybody else ([`shares`](crate::shares)): one client alone has
//! at most half. That is enough for two hundred games at once from one address, such as a class behind a
//! router, or the load test.

use std::time::Duration;

use crate::pace::Rate;

/// The largest body of a request, in bytes.
pub(crate) const BODY: usize = 64 << 10;
/// The largest body with an analysis, in bytes: all its text, and the numbers of its moves.
pub(crate) const ANALYSIS_BODY: usize = 2 << 20;
/// How many connections may make requests at a time. Together with the WebSockets of pages they stay
/// below 1024, the number of files that many systems let a program open.
pub const CONNECTIONS: usize = 512;
/// How long a client may take to send the head of a request.
pub const HEAD: Duration = Duration::from_secs(10);
/// The same when more than half of all connections are in use, so that slow ones leave soon.
pub(crate) const HEAD_IN_NEED: Duration = Duration::from_secs(2);
/// The largest head of a request, in bytes. Browsers send one or two thousand.
pub const HEAD_BYTES: usize = 16 << 10;
/// The largest head that is read at all; beyond that the connection is closed without an explanation.
pub(crate) const BUFFER: usize = 64 << 10;
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
/// How many requests of one client compute something or wait for that at a time; its others wait for
/// these, and so does nobody else.
pub(crate) const WORKING_FOR_ONE: usize = 8;
/// The most legal moves of a start position. Games have hundreds at most; contrived positions may
/// have many thousands.
pub const MOVES: u64 = 1500;
/// How many games are kept; beyond that some are deleted, those that are over first.
pub const GAMES: u64 = 20_000;
/// How many unfinished games one client may have; beyond that it loses some of those that nobody
/// follows, the ones it would miss least first. Others keep their finished games, which make room first, however many a client begins.
pub const UNFINISHED_OF_ONE: u64 = 2000;
/// How often one client may begin a game. A class that begins together, or a load test, comes as a
/// burst; at the rate after it, nobody fills the store in an afternoon.
pub(crate) const BEGINNING: Rate = Rate { burst: 500, interval: Duration::from_secs(1) };
/// How often one client may change an analysis: pages store what they show every few seconds.
pub(crate) const CHANGING: Rate = Rate { burst: 500, interval: Duration::from_millis(100) };
/// After how long a game without a move makes room for others when there are too many.
pub const UNMOVED: Duration = Duration::from_secs(24 * 3600);
/// After how long any other unfinished game does: somebody may come back to it.
pub const ABANDONED: Duration = Duration::from_secs(30 * 24 * 3600);
/// How many games are in memory at a time.
pub(crate) const LOADED: usize = 4096;
/// How many pages may follow games at a time.
pub(crate) const WATCHERS: usize = 416;
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
/// How many tournaments are played at a time.
pub(crate) const TOURNAMENTS: usize = 8;
/// How long an agent searches for a move without a clock when no other search is waiting.
pub(crate) const THINKING: Duration = Duration::from_secs(1);
/// The longest it searches with a clock, as a multiple of that.
pub(crate) const PATIENT: u32 = 5;
/// How long a round of searches takes in which every waiting client gets a move, if several clients
/// wait: all of them are answered within a second.
pub(crate) const ROUND: Duration = Duration::from_millis(800);
/// How many programs are waited for at a time.
pub(crate) const PROGRAMS: usize = 8;
/// The longest time on a clock.
pub const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 3600);
/// The least it gets, however many searches are waiting.
pub(crate) const SHORTEST_THINKING: Duration = Duration::from_millis(50);
/// The least that a part of a longer computation gets while only its own client waits: it begins anew
/// after each interruption, though with all that it has found.
pub(crate) const SHORTEST_PART: Duration = Duration::from_millis(250);
/// How long one position is analysed.
pub(crate) const ANALYSING: Duration = Duration::from_secs(600);
/// The largest message of a page that analyses, in bytes: a long game's moves.
pub(crate) const ANALYSIS_MESSAGE: usize = 256 << 10;
/// The least time between two messages to such a page: at most ten a second.
pub(crate) const ANALYSIS_PAUSE: Duration = Duration::from_millis(105);
/// How many agents analyse one position.
pub(crate) const ANALYSTS: usize = 2;
/// The most nodes of a position in a review, and of a limited analysis: half a second's work.
pub(crate) const REVIEW_NODES: u64 = 1_000_000;
/// How many reviews are made at a time.
pub(crate) const REVIEWS: usize = 16;
/// How long agents go on searching after the last page has gone: long enough for a reload.
pub(crate) const LEASE: Duration = Duration::from_secs(5);
/// How many agents are kept between moves. More would only cost memory.
pub(crate) const REMEMBERED: usize = 8;
/// How much memory they may have together, in MiB: eight tables of the usual size.
pub(crate) const REMEMBERED_MEMORY: u32 = 512;
/// How long an agent is kept after its last move. Whoever thinks longer meets a new one, which only
/// has to fill its tables again.
pub(crate) const IDLE_AGENT: Duration = Duration::from_secs(60);
/// How long a game stays in memory after the last request for it.
pub(crate) const IDLE: Duration = Duration::from_secs(600);
/// The longest pause between two moves of a game to watch.
pub(crate) const LONGEST_DELAY: u64 = 60_000;
/// How many games a list has at most.
pub const LISTED: usize = 60;
/// How many exports are made at a time.
pub(crate) const EXPORTS: usize = 8;
/// How long an export may take.
pub(crate) const EXPORTING: Duration = Duration::from_secs(600);
/// How many agents, and how many series, can be chosen from a list of records.
pub(crate) const CHOICES: usize = 500;
/// How many stored games a page of records has at most.
pub(crate) const RECORDS: usize = 200;
/// The largest request of an agent that plays over the network, in bytes; the course's own server has
/// the same limit.
pub(crate) const AGENT_BODY: usize = 1_000_000;
/// How many requests of one agent are processed or wait at a time.
pub const AGENT_REQUESTS: usize = 8;
/// How often one agent may send a request.
pub(crate) const AGENT_PACE: Rate = Rate { burst: 200, interval: Duration::from_millis(5) };
/// How long an agent's request waits for the opponents' moves before it is told to retry.
pub(crate) const AGENT_ANSWER: Duration = Duration::from_secs(25);
/// How many agents are in memory. Inactive ones are dropped first.
pub const AGENTS: usize = 2000;
/// How many clients with wrong passwords are remembered, and how many that began games.
pub(crate) const STRANGERS: usize = 4096;
