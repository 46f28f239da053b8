//! A program that speaks the Congo course's tournament protocol: `congo:COMMAND`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_arena::player::{Breach, NoAnswer};
use agon_arena::remote::{Outside, OutsideKind, Question, Remote, Reply, Settings};
use agon_arena::verdict::Fault;
use agon_core::{Seat, Variant};
use agon_games::open;
use agon_isolation::Level;
use agon_search::AgentError;
use agon_search::spec::{AgentInfo, Manner};

use crate::link::{CommandLine, Link};

/// Programs that speak the course's protocol.
#[derive(Clone, Copy, Debug)]
pub struct CongoAgents;

/// The time per move when nothing limits it.
const UNLIMITED: Duration = Duration::from_secs(1);
/// The only game the protocol is for.
const GAME: &str = "congo";

impl OutsideKind for CongoAgents {
    fn info(&self) -> AgentInfo {
        AgentInfo {
            name: GAME,
            about: "congo:COMMAND, a program that speaks the Congo course's protocol",
            seats: &[2],
            options: &[],
            manner: Manner::Anytime,
        }
    }

    fn outside(&self, command: &str, settings: &Settings) -> Result<Box<dyn Outside>, AgentError> {
        if let Some((option, _)) = settings.options.first() {
            let problem = format!("the protocol has no options, so {option} cannot be set");
            return Err(AgentError::new(format!("{GAME}:{command}"), problem));
        }
        Ok(Box::new(CongoAgent(CommandLine::read(GAME, command, settings)?)))
    }
}

#[derive(Debug)]
struct CongoAgent(CommandLine);

impl Outside for CongoAgent {
    fn check(&self, variant: &Variant) -> Result<(), String> {
        if variant.game() != GAME {
            return Err(format!("the protocol is for congo, not for {variant}"));
        }
        self.0.check()
    }

    fn isolation(&self) -> Level {
        self.0.isolation()
    }

    fn files(&self) -> Vec<PathBuf> {
        self.0.files()
    }

    fn settings(&self) -> Option<&Settings> {
        Some(&self.0.settings)
    }

    fn start(&self, variant: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        let start =
            open(variant).map_err(|error| Breach::new(Fault::NoStart, error.to_string()))?;
        let link = Link::start(&self.0, "quit\n")?;
        let settings = self.0.settings.clone();
        Ok(Box::new(CongoClient { link, settings, start: start.position(), known: None }))
    }
}

/// A running program.
struct CongoClient {
    link: Link,
    settings: Settings,
    /// The variant's start position.
    start: String,
    /// How many moves the program knows: those it was sent and its own. `None` before it was sent
    /// the start of the game.
    known: Option<usize>,
}

impl Remote for CongoClient {
    fn new_game(&mut self, _: Seat) -> Result<(), NoAnswer> {
        self.known = None;
        let deadline = Instant::now() + self.settings.start;
        self.link.send("newgame\n", deadline).map(|_| ())
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Reply, NoAnswer> {
        let mut message = String::new();
        if self.known.is_none() {
            let start = question.start.unwrap_or(&self.start);
            message = format!("position {start}\n");
        }
        let known = self.known.unwrap_or(0);
        let since = question.moves.get(known..).unwrap_or(&[]);
        if !since.is_empty() {
            message += &format!("moves {}\n", since.join(" "));
        }
        let own = question.clocks.get(question.seat.index()).and_then(|clock| clock.time());
        let seconds = own.map_or(UNLIMITED, |time| time.allotment()).as_secs_f64();
        message += &format!("go {seconds:.3}\n");
        // Earlier output does not answer the question.
        self.link.drain()?;
        let time = question.allowed.unwrap_or(self.settings.patience);
        let asked = self.link.send(&message, Instant::now() + time)?;
        let answer = self.link.answer(asked, time, ("", question.stop), |line| {
            (!line.is_empty()).then(|| line.to_string())
        })?;
        // Its own move, which it keeps on its board.
        self.known = Some(question.moves.len() + 1);
        if !looks_like_a_move(&answer.text) {
            let said: String = answer.text.chars().take(200).collect();
            return Err(self.link.fault(Fault::Garbled, format!("{said:?} is not a move")).into());
        }
        let time = answer.at.saturating_duration_since(asked);
        Ok(Reply::silent(answer.text, time))
    }

    fn last_lines(&self) -> String {
        self.link.last_lines()
    }

    fn leave(mut self: Box<Self>, patience: Duration) -> Result<(), Breach> {
        self.link.leave(patience)
    }
}

/// A sequence of squares, or the word that resigns.
pub(super) fn looks_like_a_move(text: &str) -> bool {
    let squares = text.as_bytes().chunks(2);
    let square = |pair: &[u8]| matches!(pair, [b'a'..=b'g', b'1'..=b'7']);
    text == "resign" || (text.len() >= 4 && squares.into_iter().all(square))
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use agon_arena::clock::{Clock, Pace};

    use super::*;

    /// A program that answers every question with a blank line and its next move of these, and does
    /// this when it is asked to quit.
    #[cfg(unix)]
    fn answering(moves: &str, when_asked_to_quit: &str) -> Box<dyn Remote> {
        let script = format!(
            "set -- {moves}; while read line; do case \"$line\" in \
             go*) echo; echo $1; shift;; quit) {when_asked_to_quit};; esac; done"
        );
        let words = ["/bin/sh", "-c", &script].map(String::from).to_vec();
        let agent = CongoAgent(CommandLine::of_words(words, &Settings::default()));
        agent.start(&Variant::new(GAME, "")).unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_told_what_it_does_not_know_yet() {
        let mut program = answering("d6d5 e6e5 hello c6c5", "exit");
        let mut ask = |start: Option<&str>, moves: &str, begins: bool| {
            if begins {
                program.new_game(Seat::SECOND).unwrap();
            }
            let mut pace = Pace::default();
            pace.time.per_move = Some(Duration::from_millis(2500));
            let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
            let answer = program.ask(&Question {
                seat: Seat::SECOND,
                start,
                moves: &moves,
                clocks: &[Clock::new(pace.time); 2],
                pace: &pace,
                allowed: None,
                stop: &Default::default(),
            });
            let said = program.last_lines();
            let sent: Vec<&str> =
                said.lines().filter_map(|line| line.strip_prefix("sent: ")).collect();
            (answer.map(|reply| reply.text), sent.join(" | "))
        };
        let position = format!("position {}", open(&Variant::new(GAME, "")).unwrap().position());
        let (answer, sent) = ask(None, "d2d3", true);
        assert_eq!(answer.unwrap(), "d6d5");
        assert_eq!(sent, format!("newgame | {position} | moves d2d3 | go 2.480"));
        let (answer, sent) = ask(None, "d2d3 d6d5 e2e3", false);
        assert_eq!(answer.unwrap(), "e6e5");
        assert!(sent.ends_with(" | go 2.480 | moves e2e3 | go 2.480"), "{sent}");
        let (answer, _) = ask(None, "d2d3 d6d5 e2e3 e6e5 c2c3", false);
        let NoAnswer::Breach(breach) = answer.unwrap_err() else { panic!("the program's fault") };
        assert_eq!(breach.fault, Fault::Garbled);
        assert!(breach.evidence.contains("\"hello\" is not a move"), "{}", breach.evidence);
        let other = "3l3/7/2p4/7/7/6P/3L3 b 0";
        let (answer, sent) = ask(Some(other), "", true);
        assert_eq!(answer.unwrap(), "c6c5");
        assert!(sent.ends_with(&format!("newgame | position {other} | go 2.480")), "{sent}");
        assert_eq!(program.leave(Duration::from_secs(5)), Ok(()));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_quit_is_reported() {
        let breach = answering("", "sleep 60").leave(Duration::from_millis(100)).unwrap_err();
        assert_eq!(breach.fault, Fault::Stalled);
    }

    #[test]
    fn only_games_of_congo_are_played() {
        let agent = CongoAgents.outside("cat", &Settings::default()).unwrap();
        assert_eq!(agent.check(&Variant::new("congo", "")), Ok(()));
        let other = agent.check(&Variant::new("breakthrough", "")).unwrap_err();
        assert!(other.contains("for congo, not for breakthrough"), "{other}");
        let missing = CongoAgents.outside("no-such-program", &Settings::default()).unwrap();
        assert!(missing.check(&Variant::new("congo", "")).is_err());
    }

    #[test]
    fn moves_are_told_from_anything_else() {
        assert!(["d2d3", "b5b3d3f5", "resign"].into_iter().all(looks_like_a_move));
        assert!(!["", "d2", "d2d", "d2d8", "hello", "d2 d3"].into_iter().any(looks_like_a_move));
    }
}
