//! Conversations, from the first line to the last.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::thread::{self, JoinHandle};

use agon_games::open_at;
use proptest::prelude::*;

use super::lines::EngineLine;
use super::{Settings, UgiEngine};

fn session(variant: &str, agent: &str) -> UgiEngine {
    let settings = Settings::new(variant.parse().unwrap(), agent.parse().unwrap());
    UgiEngine::new(settings).unwrap()
}

/// The session's output for a script.
fn script(variant: &str, agent: &str, input: &str) -> Vec<String> {
    let mut output = Vec::new();
    session(variant, agent).run(input.as_bytes(), &mut output).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_string).collect()
}

fn best_moves(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect()
}

/// A client that waits for answers.
struct Client {
    to: PipeWriter,
    from: BufReader<PipeReader>,
    session: JoinHandle<io::Result<()>>,
}

impl Client {
    fn new(variant: &'static str, agent: &'static str) -> Client {
        let ((input, to), (from, output)) = (io::pipe().unwrap(), io::pipe().unwrap());
        let run = move || session(variant, agent).run(BufReader::new(input), output);
        Client { to, from: BufReader::new(from), session: thread::spawn(run) }
    }

    fn say(&mut self, line: &str) {
        self.to.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        line.trim_end().to_string()
    }

    /// The next line that begins with this, after info lines.
    fn hear_past_info(&mut self, beginning: &str) -> String {
        loop {
            let line = self.hear();
            if line.starts_with(beginning) {
                return line;
            }
            assert!(line.starts_with("info "), "{line:?}, not {beginning}");
        }
    }
}

#[test]
fn it_introduces_itself_with_its_options() {
    let lines = script("congo", "engine:level=3", "ugi\nquit\nisready\n");
    assert!(lines[0].starts_with("id name Agon "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    assert_eq!(
        lines[2..],
        [
            "option name Variant type string default congo",
            "option name Agent type string default engine:level=3",
            "option name Threads type spin default 1 min 1 max 256",
            "option name Hash type spin default 64 min 1 max 65536",
            "option name Level type spin default 10 min 1 max 10",
            "option name MultiPV type spin default 1 min 1 max 100",
            "option name Seed type spin default 0 min 0 max 4294967295",
            "ugiok",
        ]
    );
}

#[test]
fn every_game_can_be_asked_about() {
    let cases = [
        ("breakthrough:5x5", "fen 5/P4/5/4p/5 w", "a4a5", "p1win", "100 0"),
        ("congo", "fen 3l3/7/7/7/7/6P/3L3 w 0", "d1d7", "p1win", "100 0"),
        ("fenix", "startpos", "", "none", "none"),
        ("wumpus:6", "startpos", "", "none", "none"),
        ("fauhalma:star3", "startpos", "", "none", "none"),
    ];
    for (variant, start, moves, result, points) in cases {
        let input = format!(
            "position {start}\nquery p1turn\nquery p2turn\nquery gameover\ngo depth 1\n\
             position {start} moves {moves}\nquery gameover\nquery result\nquery points\n"
        );
        let lines = script(variant, "greedy", &input);
        let (best, others): (Vec<String>, Vec<String>) =
            lines.into_iter().partition(|line| line.starts_with("bestmove"));
        let others: Vec<String> =
            others.into_iter().filter(|line| !line.starts_with("info depth")).collect();
        let over = (result != "none").to_string();
        let answers = ["true", "false", "false", &over, result, points];
        assert_eq!(others, answers.map(|text| format!("response {text}")), "{variant}");
        let position = start.strip_prefix("fen ");
        let table = open_at::<&str>(&variant.parse().unwrap(), position, &[]).unwrap();
        assert_eq!(best.len(), 1, "{variant}");
        assert!(table.moves().contains(&best_moves(&best)[0].to_string()), "{variant}: {best:?}");
    }
}

#[test]
fn iterations_are_reported_and_can_be_read() {
    let lines = script("breakthrough:5x5", "engine", "go depth 3\nuginewgame\n");
    let infos: Vec<EngineLine> =
        lines.iter().filter(|line| line.starts_with("info")).map(|l| l.parse().unwrap()).collect();
    assert_eq!(best_moves(&lines).len(), 1);
    assert!(infos.len() >= 3, "{lines:?}");
    for info in &infos {
        let EngineLine::Info(info) = info else { panic!("{info:?}") };
        assert!(info.depth.is_some() && info.score.is_some() && info.nodes.is_some());
        assert!(info.nps.is_some() && info.time.is_some() && !info.pv.is_empty());
        assert_eq!(info.multipv, None);
    }
    let EngineLine::Info(last) = &infos[infos.len() - 1] else { panic!() };
    assert_eq!(last.pv[0], best_moves(&lines)[0]);
}

#[test]
fn several_lines_are_told_apart() {
    let input = "setoption name MultiPV value 3\ngo depth 2\nuginewgame\n";
    let lines = script("breakthrough:5x5", "engine", input);
    for place in 1..=3 {
        let word = format!("info depth 2 multipv {place} score ");
        assert!(lines.iter().any(|line| line.starts_with(&word)), "{word} in {lines:?}");
    }
}

#[test]
fn one_line_is_reported_where_only_one_was_asked_for() {
    let lines = script("breakthrough:5x5", "engine:level=4", "go depth 2\nuginewgame\n");
    let depths: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').nth(2)).collect();
    assert!(!depths.is_empty() && depths.is_sorted_by(|one, next| one < next), "{lines:?}");
}

#[test]
fn a_forced_result_is_told_with_its_distance() {
    let input = "position fen 5/P4/5/4p/5 w\ngo depth 3\nuginewgame\n";
    let lines = script("breakthrough:5x5", "engine", input);
    assert!(lines.iter().any(|line| line.contains(" score win 1 ")), "{lines:?}");
    assert_eq!(best_moves(&lines), ["a4a5"]);
}

#[test]
fn in_a_finished_game_there_is_no_move() {
    let input = "position fen 5/P4/5/4p/5 w moves a4a5\ngo\ngo infinite\nquery p2turn\n";
    let lines = script("breakthrough:5x5", "random", input);
    let note = "info string the game is over: a white pawn reached the far row";
    assert_eq!(lines, [note, "bestmove none", note, "bestmove none", "response false"]);
}

#[test]
fn bad_lines_change_nothing_and_are_answered_once() {
    let good = "position startpos moves b2b3\n";
    for bad in [
        "nonsense",
        "position startpos moves b2b3 b2b3",
        "position startpos moves e2e3 zz",
        "position fen x",
        "setoption name Agent value nobody",
        "setoption name Agent value engine:depth=x",
        "setoption name Variant value chess",
        "setoption name Threads value 0",
        "setoption name Threads",
        "setoption name Speed value 1",
        "go depth 0",
        "go p1time 1000",
        "query weather",
        &"x".repeat(crate::input::LONGEST_LINE + 1),
    ] {
        let input = format!("{good}{bad}\nquery p2turn\n");
        let lines = script("breakthrough:5x5", "random", &input);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{lines:?}");
        assert_eq!(lines[1], "response true");
    }
}

#[test]
fn another_variant_begins_at_its_start_and_other_options_do_not() {
    let input = "position startpos moves b2b3\nsetoption name Agent value greedy\nquery p2turn\n\
                 setoption name variant value fauhalma:star3\nquery p1turn\ngo depth 1\n\
                 setoption name Agent value minimax\nquery p3turn\n";
    let lines = script("breakthrough:5x5", "random", input);
    assert_eq!(lines[0], "response true");
    assert_eq!(lines[1], "response true");
    let best = best_moves(&lines);
    assert!(best.len() == 1 && best[0].starts_with("[["), "{lines:?}");
    let refused = &lines[lines.len() - 2];
    assert!(refused.contains("minimax is for two-player games"), "{lines:?}");
    assert_eq!(lines[lines.len() - 1], "response false");
}

#[test]
fn what_an_agent_does_not_have_is_noted() {
    let lines = script("congo", "random", "setoption name Threads value 2\nisready\n");
    assert_eq!(lines, ["info string Threads has no effect on random in this game", "readyok"]);
}

#[test]
fn the_same_seed_plays_the_same_games_and_each_game_differs() {
    let moves_of = |seed: u32| {
        let one = format!("setoption name Seed value {seed}\n{}", "uginewgame\ngo\n".repeat(20));
        let lines = script("fenix", "random", &one);
        best_moves(&lines).join(" ")
    };
    let first = moves_of(1);
    assert_eq!(first, moves_of(1));
    assert_ne!(first, moves_of(2));
    assert!(first.split(' ').any(|mv| !first.starts_with(mv)), "{first}");
}

#[test]
fn a_search_without_end_answers_only_when_stopped() {
    // One that never ends by itself, and one that is done at once.
    for agent in ["engine", "random"] {
        let mut client = Client::new("congo", agent);
        client.say("go infinite");
        for _ in 0..3 {
            client.say("isready");
            assert_eq!(client.hear_past_info("readyok"), "readyok");
        }
        client.say("query p1turn");
        assert_eq!(client.hear_past_info("response"), "response true");
        client.say("position startpos moves d2d3");
        let refused = client.hear_past_info("info string");
        assert!(refused.contains("send stop first"), "{refused}");
        client.say("stop");
        let best = client.hear_past_info("bestmove");
        assert!(best.len() > "bestmove ".len());
        client.say("stop");
        client.say("position startpos moves d2d3");
        client.say("query p2turn");
        assert_eq!(client.hear(), "response true");
        client.say("quit");
        assert_eq!(client.hear(), "");
        client.session.join().unwrap().unwrap();
    }
}

#[test]
fn a_search_with_limits_can_be_stopped_and_the_next_begins_at_once() {
    let mut client = Client::new("congo", "engine");
    for _ in 0..5 {
        client.say("go movetime 600000");
        client.say("isready");
        client.hear_past_info("readyok");
        client.say("stop");
        client.hear_past_info("bestmove");
    }
    client.say("quit");
    assert_eq!(client.hear(), "");
    client.session.join().unwrap().unwrap();
}

#[test]
fn what_changes_the_game_waits_for_a_search_that_ends() {
    let mut input = String::new();
    for _ in 0..5 {
        input += "position startpos\ngo depth 2\nposition startpos moves d2d3\nquery p2turn\n";
    }
    let lines = script("congo", "engine", &input);
    let plain: Vec<&String> = lines.iter().filter(|line| !line.starts_with("info")).collect();
    assert_eq!(plain.len(), 10);
    for pair in plain.chunks(2) {
        assert!(pair[0].starts_with("bestmove "), "{plain:?}");
        assert_eq!(pair[1], "response true");
    }
}

#[test]
fn the_end_of_the_input_ends_a_search_with_its_answer() {
    for go in ["go infinite", "go infinite\nquit", "go movetime 600000", "go depth 200"] {
        let lines = script("congo", "engine", go);
        assert_eq!(best_moves(&lines).len(), 1, "{go}: {lines:?}");
    }
}

/// An output that is closed after this many bytes.
struct Closing(usize);

impl Write for Closing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_ends_the_session() {
    // By the thread that reads the input, and by the one that searches.
    for (input, open_bytes) in
        [("isready\nisready\n", 0), ("isready\nugi\n", 100), ("go infinite\n", 0)]
    {
        let result = session("congo", "engine").run(input.as_bytes(), Closing(open_bytes));
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe, "{input}");
    }
}

/// Almost valid lines.
fn nearly_commands() -> impl Strategy<Value = Vec<String>> {
    let words = prop::sample::select(vec![
        "ugi",
        "isready",
        "uginewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "a2a3",
        "b4b3",
        "5/P4/5/4p/5 w",
        "go",
        "depth",
        "nodes",
        "movetime",
        "infinite",
        "p1time",
        "p2inc",
        "0",
        "1",
        "-1",
        "99999999999999999999",
        "stop",
        "query",
        "gameover",
        "p1turn",
        "result",
        "points",
        "setoption",
        "name",
        "value",
        "Variant",
        "Agent",
        "Level",
        "MultiPV",
        "random",
        "greedy",
        "congo",
        "breakthrough:3x5",
        "quit",
        "ä",
        "\u{0}",
        "[",
        "\n",
    ]);
    let line = prop::collection::vec(words, 0..6).prop_map(|words| words.join(" "));
    prop::collection::vec(line, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_break_a_session(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut output = Vec::new();
        session("breakthrough:5x5", "random").run(&bytes[..], &mut output).unwrap();
        prop_assert!(String::from_utf8(output).is_ok());
    }

    #[test]
    fn nothing_that_looks_like_commands_breaks_a_session(lines in nearly_commands()) {
        let lines = script("breakthrough:5x5", "random", &lines.join("\n"));
        for line in lines {
            prop_assert!(line.parse::<EngineLine>().is_ok(), "{}", line);
        }
    }
}
