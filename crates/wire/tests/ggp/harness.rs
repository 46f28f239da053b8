//! A player at a socket, and a controller that sends the same bytes as the real ones.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use agon_core::{Rng, Variant};
use agon_games::{Table, open};
use agon_gdl::breakthrough::{move_term, move_text, rules_text};
use agon_gdl::kif;
use agon_wire::ggp::message::in_one_line;
use agon_wire::ggp::player::{Event, Options, Player, Server, ServerLimits};

/// Events of a player, as lines.
pub type Log = Arc<Mutex<Vec<String>>>;

/// A player that listens.
pub struct Stage {
    pub address: SocketAddr,
    log: Log,
}

/// The options of a player in a test.
pub fn options(agent: &str) -> Options {
    let agent = agent.parse().unwrap();
    let catalog = agon_games::Catalog::built_in();
    Options { catalog, agent, ponder: false, depth: None, nodes: None, seed: 0 }
}

impl Stage {
    pub fn new(agent: &str) -> Stage {
        Stage::with(options(agent), ServerLimits::default())
    }

    pub fn with(options: Options, limits: ServerLimits) -> Stage {
        let log = Log::default();
        let lines = log.clone();
        let listener = Box::new(move |event: &Event<'_>| {
            let line = match event {
                Event::Started { id, variant, role, doubt, .. } => {
                    format!("started {id} {variant} {role} {}", doubt.unwrap_or("without doubt"))
                }
                Event::Moved(moved) => {
                    let deep =
                        moved.iterations.last().is_none_or(|last| last.expanded <= moved.expanded);
                    format!("moved {} {} nodes {deep}", moved.mv, moved.nodes)
                }
                Event::Ended(summary) => format!(
                    "ended {} {:?} {} plies {} moves {}",
                    summary.id, summary.points, summary.plies, summary.moves, summary.reason
                ),
                Event::Note { text } => format!("note {text}"),
                Event::Problem { text, .. } => format!("problem {text}"),
                _ => return,
            };
            lines.lock().unwrap().push(line);
        });
        let player = Arc::new(Player::new(options, listener).unwrap());
        let server = Server::bind(&["127.0.0.1:0".parse().unwrap()], player, limits).unwrap();
        let address = server.addresses()[0];
        thread::spawn(move || server.run());
        Stage { address, log }
    }

    /// The events since the last call.
    pub fn log(&self) -> Vec<String> {
        std::mem::take(&mut self.log.lock().unwrap())
    }

    /// Waits until there is a line that contains this. Answers come before the log is written.
    pub fn wait_for_line(&self, part: &str) {
        let until = Instant::now() + Duration::from_secs(10);
        while !self.log.lock().unwrap().iter().any(|line| line.contains(part)) {
            assert!(Instant::now() < until, "no {part:?} in {:?}", self.log.lock().unwrap());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The body of the answer to a message.
    pub fn say(&self, dialect: Dialect, body: &str) -> String {
        call(self.address, dialect.request(body).as_bytes()).body().to_string()
    }
}

/// The dialect of a controller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The course's controller: no host, capitals, everything on one line.
    Course,
    /// ggp-base and its kiosk: lower case, many spaces.
    Base,
}

impl Dialect {
    /// The bytes of a request.
    pub fn request(self, body: &str) -> String {
        let length = body.len();
        match self {
            Dialect::Course => format!(
                "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\n\
                 Receiver: localhost\r\nContent-type: text/acl\r\nContent-length: {length}\r\n\r\n{body}"
            ),
            Dialect::Base => format!(
                "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\n\
                 Receiver: P1\r\nContent-Type: text/acl\r\nContent-Length: {length}\r\n\r\n{body}"
            ),
        }
    }

    /// A text in the case and with the spaces of this controller.
    pub fn text(self, text: &str) -> String {
        match self {
            Dialect::Course => text.to_uppercase(),
            Dialect::Base => text.replace('(', "( ").replace(')', " )"),
        }
    }

    pub fn start(self, id: &str, role: &str, rules: &str, clocks: (u64, u64)) -> String {
        let (start, play) = clocks;
        let (role, rules) = (self.text(role), self.text(rules));
        match self {
            Dialect::Course => format!("(START {id} {role} ({rules} ) {start} {play})"),
            Dialect::Base => format!("( START {id} {role} ({rules} ) {start} {play})"),
        }
    }

    /// PLAY or STOP after this joint move.
    pub fn tell(self, command: &str, id: &str, joint: Option<&str>) -> String {
        match (self, joint) {
            (Dialect::Course, None) => format!("({command} {id} NIL)"),
            (Dialect::Base, None) => format!("( {command} {id} NIL )"),
            (Dialect::Course, Some(joint)) => format!("({command} {id} ({}))", self.text(joint)),
            (Dialect::Base, Some(joint)) => format!("( {command} {id} ({} ) )", self.text(joint)),
        }
    }
}

/// The rules of a variant in one line, as controllers send them.
pub fn rules(variant: &str) -> String {
    let text = rules_text(&variant.parse::<Variant>().unwrap(), None).unwrap();
    in_one_line(&kif::read(&text).unwrap())
}

/// An answer, and how long it took from the connection to its end.
pub struct Answer {
    pub whole: String,
    pub time: Duration,
    /// The longest that this thread was not woken in that time: the machine is to blame for it.
    pub stall: Duration,
}

impl Answer {
    pub fn body(&self) -> &str {
        self.whole.split_once("\r\n\r\n").map_or("", |(_, body)| body)
    }
}

/// Sends bytes and reads until the end of the stream, as the course's controller does.
pub fn call(address: SocketAddr, bytes: &[u8]) -> Answer {
    const BEAT: Duration = Duration::from_millis(5);
    let mut stream = TcpStream::connect(address).unwrap();
    let began = Instant::now();
    stream.set_nodelay(true).unwrap();
    stream.write_all(bytes).unwrap();
    stream.set_read_timeout(Some(BEAT)).unwrap();
    let (mut whole, mut chunk, mut stall) = (Vec::new(), [0; 4096], Duration::ZERO);
    loop {
        let asked = Instant::now();
        match stream.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => whole.extend_from_slice(&chunk[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                stall = stall.max(asked.elapsed().saturating_sub(BEAT));
            }
            Err(error) => panic!("{error}"),
        }
        assert!(began.elapsed() < Duration::from_secs(30), "an answer without end: {whole:?}");
    }
    let whole = String::from_utf8(whole).unwrap();
    Answer { whole, time: began.elapsed(), stall }
}

/// A match with a player at one seat and random moves at the other.
pub struct Contest<'a> {
    pub stage: &'a Stage,
    pub dialect: Dialect,
    pub variant: &'a str,
    pub role: &'a str,
    pub clock: u64,
    /// Abort after this many steps.
    pub steps: usize,
    pub seed: u64,
}

impl Contest<'_> {
    /// Plays, and checks every answer: in time, legal, and as the controllers expect it. `look` is
    /// called with every position in which the player moved, and its move.
    pub fn play(&self, look: &mut dyn FnMut(&dyn Table, &str)) -> Box<dyn Table> {
        let Contest { stage, dialect, variant, role, clock, .. } = *self;
        let id = format!("Match.{}.{role}", variant.replace(':', "_"));
        let start = dialect.start(&id, role, &rules(variant), (1, clock));
        assert_eq!(stage.say(dialect, &start), "ready");
        let mut table = open(&variant.parse().unwrap()).unwrap();
        let mut rng = Rng::new(self.seed);
        let mut joint: Option<String> = None;
        for _ in 0..self.steps {
            let Some(to_move) = table.to_move() else { break };
            let message = dialect.tell("PLAY", &id, joint.as_deref());
            let answer = call(stage.address, dialect.request(&message).as_bytes());
            self.check_time(&answer);
            assert!(answer.whole.starts_with("HTTP/1.0 200 OK\r\n"), "{}", answer.whole);
            let mv = if to_move == role {
                let mv = move_text(&kif::read_one(answer.body()).unwrap()).expect("a move");
                assert_eq!(answer.body(), move_term(&mv).unwrap().to_string(), "small letters");
                assert!(table.moves().contains(&mv), "{mv} in {}", table.position());
                look(&*table, &mv);
                mv
            } else {
                assert_eq!(answer.body(), "noop");
                table.random_move(&mut rng).unwrap()
            };
            let term = move_term(&mv).unwrap();
            joint = Some(match to_move {
                "white" => format!("{term} noop"),
                _ => format!("noop {term}"),
            });
            table.play(&mv).unwrap();
        }
        let message = match table.to_move() {
            None => dialect.tell("STOP", &id, joint.as_deref()),
            Some(_) => format!("( ABORT {id} )"),
        };
        let word = if table.to_move().is_none() { "done" } else { "aborted" };
        assert_eq!(stage.say(dialect, &message), word);
        table
    }

    fn check_time(&self, answer: &Answer) {
        let clock = Duration::from_secs(self.clock);
        let Answer { time, stall, .. } = answer;
        // If not even this thread got a processor, nobody could have been in time.
        assert!(time.saturating_sub(*stall) < clock, "{time:?}, stalled for {stall:?}");
    }
}
