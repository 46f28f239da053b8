//! External engines that speak UGI: `ugi:COMMAND`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_arena::clock::{Clock, Pace};
use agon_arena::player::{Breach, NoAnswer};
use agon_arena::remote::{Outside, OutsideKind, Question, Remote, Reply, Settings};
use agon_arena::verdict::Fault;
use agon_core::{Seat, Variant};
use agon_isolation::Level;
use agon_search::AgentError;
use agon_search::spec::{AgentInfo, Manner, choices};

use super::lines::{EngineLine, Info, OptionKind, OptionLine};
use crate::link::{CommandLine, Link, at_start};

/// The names of both kinds of agents.
const UGI: &str = "ugi";
const UGI_CLOCK: &str = "ugi-clock";

/// Programs that speak the Universal Game Interface.
#[derive(Clone, Copy, Debug)]
pub struct UgiAgents;

/// The time per move when nothing limits it: a `go` without any limit never ends.
const UNLIMITED: Duration = Duration::from_secs(1);

impl OutsideKind for UgiAgents {
    fn info(&self) -> AgentInfo {
        AgentInfo {
            name: UGI,
            about: "ugi:COMMAND, a program that speaks the Universal Game Interface",
            seats: &[2, 3, 4],
            options: &[],
            manner: Manner::Anytime,
        }
    }

    fn outside(&self, command: &str, settings: &Settings) -> Result<Box<dyn Outside>, AgentError> {
        Ok(Box::new(UgiAgent::new(CommandLine::read(UGI, command, settings)?)))
    }
}

/// The same for programs that only read clocks, and neither `movetime` nor anything else.
#[derive(Clone, Copy, Debug)]
pub struct UgiClockAgents;

impl OutsideKind for UgiClockAgents {
    fn info(&self) -> AgentInfo {
        AgentInfo {
            name: UGI_CLOCK,
            about: "ugi-clock:COMMAND, the same for programs that read only clocks, not movetime",
            seats: &[2, 3, 4],
            options: &[],
            manner: Manner::Anytime,
        }
    }

    fn outside(&self, command: &str, settings: &Settings) -> Result<Box<dyn Outside>, AgentError> {
        let command = CommandLine::read(UGI_CLOCK, command, settings)?;
        Ok(Box::new(UgiAgent { command, limits: GoLimits::ClocksAlone }))
    }
}

/// How an engine's time is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GoLimits {
    /// With all limits.
    All,
    /// With clocks only, whatever the limits.
    ClocksAlone,
}

/// One such program.
#[derive(Debug)]
pub(crate) struct UgiAgent {
    command: CommandLine,
    limits: GoLimits,
}

impl UgiAgent {
    /// The program that a command starts.
    pub(crate) fn new(command: CommandLine) -> UgiAgent {
        UgiAgent { command, limits: GoLimits::All }
    }
}

impl Outside for UgiAgent {
    fn check(&self, _: &Variant) -> Result<(), String> {
        self.command.check()
    }

    fn isolation(&self) -> Level {
        self.command.isolation()
    }

    fn files(&self) -> Vec<PathBuf> {
        self.command.files()
    }

    fn settings(&self) -> Option<&Settings> {
        Some(&self.command.settings)
    }

    fn with_clocks_alone(&self) -> Option<String> {
        let other = || format!("{UGI_CLOCK}:{}", self.command.text());
        (self.limits == GoLimits::All).then(other)
    }

    fn start(&self, variant: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        let (settings, limits) = (self.command.settings.clone(), self.limits);
        let link = Link::start(&self.command, "quit\n")?;
        let mut client =
            UgiClient { link, settings, limits, position: String::new(), moves_sent: 0 };
        client.introduce(variant).map_err(at_start)?;
        Ok(Box::new(client))
    }
}

/// A running engine.
struct UgiClient {
    link: Link,
    settings: Settings,
    limits: GoLimits,
    /// The line with the position, as sent so far.
    position: String,
    /// How many moves are in it.
    moves_sent: usize,
}

impl UgiClient {
    /// Reads its options and sets them.
    fn introduce(&mut self, variant: &Variant) -> Result<(), NoAnswer> {
        let deadline = Instant::now() + self.settings.start;
        self.link.send("ugi\n", deadline)?;
        let mut known: Vec<OptionLine> = Vec::new();
        let greeted = self.link.wait(deadline, |line| match line.parse() {
            Ok(EngineLine::Option(option)) => {
                known.push(option);
                None
            }
            Ok(EngineLine::UgiOk) => Some(()),
            _ => None,
        })?;
        if greeted.is_none() {
            return Err(self.not_ready("ugiok").into());
        }
        let mut text = String::new();
        // An engine for one game has no such option.
        if let Some(option) = known.iter().find(|it| it.name.eq_ignore_ascii_case("variant"))
            && let Some(value) = variant_value(&option.kind, variant)
        {
            let _ = writeln!(text, "setoption name {} value {value}", option.name);
        }
        for (name, value) in &self.settings.options {
            let Some(option) = known.iter().find(|it| it.name.eq_ignore_ascii_case(name)) else {
                let names: Vec<&str> = known.iter().map(|option| option.name.as_str()).collect();
                let problem = choices(&format!("it has no option {name:?}"), name, &names);
                return Err(self.link.fault(Fault::NoStart, problem).into());
            };
            let _ = writeln!(text, "setoption name {} value {value}", option.name);
        }
        self.get_ready(text)
    }

    /// Sends these lines and waits until they have been processed.
    fn get_ready(&mut self, mut lines: String) -> Result<(), NoAnswer> {
        let deadline = Instant::now() + self.settings.start;
        lines.push_str("isready\n");
        self.link.send(&lines, deadline)?;
        let ready = self.link.wait(deadline, |line| (line == "readyok").then_some(()))?;
        ready.map(|_| ()).ok_or_else(|| self.not_ready("readyok").into())
    }

    fn not_ready(&mut self, word: &str) -> Breach {
        let seconds = self.settings.start.as_secs_f64();
        self.link.fault(Fault::NotReady, format!("no {word} in {seconds:.1} s"))
    }

    /// Brings the line with the position up to date.
    fn tell(&mut self, question: &Question<'_>) {
        if self.position.is_empty() {
            match question.start {
                Some(start) => self.position = format!("position fen {start}"),
                None => self.position.push_str("position startpos"),
            }
            self.moves_sent = 0;
        }
        for text in question.moves.iter().skip(self.moves_sent) {
            let separator = if self.moves_sent == 0 { " moves " } else { " " };
            self.position.push_str(separator);
            self.position.push_str(text);
            self.moves_sent += 1;
        }
    }
}

impl Remote for UgiClient {
    fn new_game(&mut self, _: Seat) -> Result<(), NoAnswer> {
        self.position.clear();
        self.get_ready("uginewgame\n".to_string())
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Reply, NoAnswer> {
        self.tell(question);
        let go = match self.limits {
            GoLimits::All => go(question.pace, question.clocks),
            GoLimits::ClocksAlone => go_by_clock(question.pace, question.clocks),
        };
        let message = format!("{}\n{go}", self.position);
        // Earlier output does not answer the question.
        self.link.drain()?;
        let time = question.allowed.unwrap_or(self.settings.patience);
        let asked = self.link.send(&message, Instant::now() + time)?;
        let mut heard = Heard::default();
        let answer =
            self.link.answer(asked, time, ("stop\n", question.stop), |line| heard.line(line))?;
        let time = answer.at.saturating_duration_since(asked);
        heard.reply(&answer.text, time).ok_or_else(|| {
            let said = format!("bestmove{}", answer.text);
            self.link.fault(Fault::Garbled, format!("no move in {said:?}")).into()
        })
    }

    fn last_lines(&self) -> String {
        self.link.last_lines()
    }

    fn leave(mut self: Box<Self>, patience: Duration) -> Result<(), Breach> {
        self.link.leave(patience)
    }
}

/// What an engine has said since it was asked. Only the last reports of the search count, so they are
/// parsed when the move has arrived.
#[derive(Default)]
pub(super) struct Heard {
    /// The last report.
    info: String,
    /// The last one with a score of the best line.
    scored: String,
}

impl Heard {
    /// Keeps a line if it is a report. If it is the answer, returns what follows its first word.
    pub(super) fn line(&mut self, line: &str) -> Option<String> {
        if line.starts_with("info") && !line.starts_with("info string") {
            self.info.clear();
            self.info.push_str(line);
            if has_main_score(line) {
                self.scored.clear();
                self.scored.push_str(line);
            }
        }
        let rest = line.strip_prefix("bestmove")?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.to_string())
    }

    /// The move in the answer, with what was reported about it; `None` if there is none.
    pub(super) fn reply(&self, answer: &str, time: Duration) -> Option<Reply> {
        let text = answer.split_whitespace().next()?;
        if !text.chars().all(|c| c.is_ascii_graphic()) {
            return None;
        }
        let read = |line: &str| match line.parse() {
            Ok(EngineLine::Info(info)) => info,
            _ => Info::default(),
        };
        let (info, scored) = (read(&self.info), read(&self.scored));
        Some(Reply {
            text: text.to_string(),
            time,
            claimed: info.time,
            nodes: info.nodes.unwrap_or(0),
            depth: scored.depth.or(info.depth).unwrap_or(0),
            score: scored.score,
        })
    }
}

/// Whether a report has a score, and of the best line: engines may report several.
fn has_main_score(info: &str) -> bool {
    let mut words =
        info.split_ascii_whitespace().take_while(|word| !["pv", "string"].contains(word));
    let mut scored = false;
    while let Some(word) = words.next() {
        scored |= word == "score";
        if word == "multipv" && words.next() != Some("1") {
            return false;
        }
    }
    scored
}

/// The value to set for the variant: its text, or for a combo option the choice that is its text or
/// the name of the game.
fn variant_value(kind: &OptionKind, variant: &Variant) -> Option<String> {
    let (text, game) = (variant.to_string(), variant.game().to_string());
    match kind {
        OptionKind::Choice { choices, .. } => {
            [text, game].into_iter().find(|value| choices.contains(value))
        }
        _ => Some(text),
    }
}

/// The `go` command for an engine that only reads clocks. If a move is limited, its clock has that
/// time left and gains half of it with every move: programs that spend a part of what is left, and
/// the increment, stay below the limit.
fn go_by_clock(pace: &Pace, clocks: &[Clock]) -> String {
    let millis = |time: Duration| time.as_millis().max(1);
    let limit = pace.time.per_move.unwrap_or(UNLIMITED);
    let (mut times, mut increments) = (String::from("go"), String::new());
    for (index, clock) in clocks.iter().enumerate() {
        let (left, gain) = match (clock.remaining(), pace.time.per_move) {
            (Some(left), None) => (left, clock.increment()),
            (left, _) => (left.map_or(limit, |left| left.min(limit)), limit / 2),
        };
        let _ = write!(times, " p{}time {}", index + 1, millis(left));
        let _ = write!(increments, " p{}inc {}", index + 1, gain.as_millis());
    }
    format!("{times}{increments}\n")
}

/// The `go` command, with all limits.
fn go(pace: &Pace, clocks: &[Clock]) -> String {
    let millis = |time: Duration| time.as_millis().max(1);
    let mut text = String::from("go");
    for (index, clock) in clocks.iter().enumerate() {
        if let Some(remaining) = clock.remaining() {
            let _ = write!(text, " p{}time {}", index + 1, millis(remaining));
        }
    }
    for (index, clock) in clocks.iter().enumerate() {
        if clock.remaining().is_some() && !clock.increment().is_zero() {
            let _ = write!(text, " p{}inc {}", index + 1, millis(clock.increment()));
        }
    }
    let unlimited = *pace == Pace::default();
    if let Some(time) = pace.time.per_move.or(unlimited.then_some(UNLIMITED)) {
        let _ = write!(text, " movetime {}", millis(time));
    }
    if let Some(depth) = pace.depth {
        let _ = write!(text, " depth {depth}");
    }
    if let Some(nodes) = pace.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use agon_arena::clock::TimeControl;

    use agon_search::Score;

    use super::*;

    #[test]
    fn engines_that_offer_a_choice_are_told_one_they_know() {
        let variant: Variant = "breakthrough:8x8".parse().unwrap();
        let value = |choices: &[&str]| {
            let choices = choices.iter().map(ToString::to_string).collect();
            variant_value(&OptionKind::Choice { default: String::new(), choices }, &variant)
        };
        assert_eq!(value(&["ataxx", "breakthrough"]).as_deref(), Some("breakthrough"));
        assert_eq!(value(&["breakthrough:8x8"]).as_deref(), Some("breakthrough:8x8"));
        assert_eq!(value(&["ataxx"]), None);
        let any = OptionKind::Text { default: String::new() };
        assert_eq!(variant_value(&any, &variant).as_deref(), Some("breakthrough:8x8"));
    }

    fn go_of(pace: Pace, seats: usize) -> String {
        go(&pace, &vec![Clock::new(pace.time); seats])
    }

    #[test]
    fn engines_are_told_all_limits() {
        let game = "10s+100ms".parse().ok();
        let clocks = Pace { time: TimeControl { game, per_move: None }, ..Pace::default() };
        assert_eq!(go_of(clocks, 2), "go p1time 10000 p2time 10000 p1inc 100 p2inc 100\n");
        let three = "go p1time 10000 p2time 10000 p3time 10000 p1inc 100 p2inc 100 p3inc 100\n";
        assert_eq!(go_of(clocks, 3), three);
        let per_move = Some(Duration::from_millis(250));
        let time = TimeControl { game: None, per_move };
        let all = Pace { time, depth: Some(6), nodes: Some(1000) };
        assert_eq!(go_of(all, 2), "go movetime 250 depth 6 nodes 1000\n");
        assert_eq!(go_of(Pace::default(), 2), "go movetime 1000\n");
        let depth = Pace { depth: Some(4), ..Pace::default() };
        assert_eq!(go_of(depth, 2), "go depth 4\n");
    }

    #[test]
    fn engines_that_read_clocks_alone_are_told_nothing_else() {
        let go = |game: Option<&str>, per_move: Option<u64>| {
            let per_move = per_move.map(Duration::from_millis);
            let time = TimeControl { game: game.and_then(|game| game.parse().ok()), per_move };
            let pace = Pace { time, depth: Some(6), nodes: None };
            go_by_clock(&pace, &[Clock::new(pace.time); 2])
        };
        assert_eq!(go(None, Some(500)), "go p1time 500 p2time 500 p1inc 250 p2inc 250\n");
        assert_eq!(
            go(Some("10s+1s"), None),
            "go p1time 10000 p2time 10000 p1inc 1000 p2inc 1000\n"
        );
        assert_eq!(go(Some("10s"), Some(500)), "go p1time 500 p2time 500 p1inc 250 p2inc 250\n");
        assert_eq!(go(None, None), "go p1time 1000 p2time 1000 p1inc 500 p2inc 500\n");
    }

    #[test]
    fn only_scores_of_the_best_line_count() {
        for (line, counts) in [
            ("info depth 3 score cp 5 pv a1a2", true),
            ("info multipv 1 depth 3 score win 5", true),
            ("info depth 3 multipv 2 score cp 5", false),
            ("info depth 3 nodes 10", false),
            ("info depth 3 pv score", false),
            ("info multipv", false),
        ] {
            assert_eq!(has_main_score(line), counts, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_line_that_came_before_the_question_is_not_the_answer() {
        // Both lines are written at once, so that the second has arrived when the question comes.
        let script = "while read line; do case \"$line\" in ugi) echo ugiok;; \
                      isready) printf 'readyok\\nbestmove a9a9\\n';; \
                      go*) echo info depth 7 score cp -31 nodes 40; \
                      echo info depth 9 multipv 2 score cp 50; echo info nodes 90 time 5; \
                      echo bestmove a2a3;; quit) exit;; esac; done";
        let words = ["/bin/sh", "-c", script].map(String::from).to_vec();
        let agent = UgiAgent::new(CommandLine::of_words(words, &Settings::default()));
        let mut remote = agent.start(&"breakthrough:5x5".parse().unwrap()).unwrap();
        remote.new_game(Seat::FIRST).unwrap();
        let pace = Pace::default();
        let reply = remote.ask(&Question {
            seat: Seat::FIRST,
            start: None,
            moves: &[],
            clocks: &[Clock::new(pace.time); 2],
            pace: &pace,
            allowed: None,
            stop: &Default::default(),
        });
        let Reply { text, nodes, depth, score, .. } = reply.unwrap();
        assert_eq!((text.as_str(), nodes, depth), ("a2a3", 90, 7));
        assert_eq!(score, Some(Score::units(-31)), "the last score of the best line");
        let said = remote.last_lines();
        let lines: Vec<&str> = said.lines().filter(|line| !line.is_empty()).collect();
        let asked = lines.iter().position(|line| *line == "sent: go movetime 1000");
        assert_eq!(asked.map(|at| lines[at - 1]), Some("sent: position startpos"), "{said}");
        assert_eq!(lines.last(), Some(&"out: bestmove a2a3"), "{said}");
        assert!(lines.contains(&"out: bestmove a9a9"), "{said}");
    }
}
