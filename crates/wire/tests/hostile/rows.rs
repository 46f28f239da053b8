//! The faults of programs, how they are played against, and the expected results.

use std::time::Duration;

use agon_arena::clock::TimeControl;
use agon_arena::verdict::Fault;
use agon_arena::{Pace, remote::Settings};

/// One fault in a match.
#[derive(Clone)]
pub struct Row {
    /// The arguments of the hostile program.
    pub arguments: &'static str,
    /// The fault that loses every game; `None` if nothing is wrong.
    pub fault: Option<Fault>,
    /// Words that the evidence must contain.
    pub words: &'static [&'static str],
    /// The limits of the players.
    pub pace: Pace,
    /// The resource limits of the program.
    pub settings: Settings,
    /// How many games are played at a time.
    pub concurrency: usize,
}

/// A program that loses every game.
pub fn bad(arguments: &'static str, fault: Fault, words: &'static [&'static str]) -> Row {
    let settings = Settings::default();
    let row = Row {
        arguments,
        fault: Some(fault),
        words,
        pace: Pace::default(),
        settings,
        concurrency: 4,
    };
    row.per_move(200)
}

/// A program without a fault.
pub fn good(arguments: &'static str) -> Row {
    // Two games one after another, with the same program.
    Row { fault: None, concurrency: 2, ..bad(arguments, Fault::Stalled, &[]).patiently() }
}

impl Row {
    pub fn per_move(mut self, milliseconds: u64) -> Row {
        let per_move = Some(Duration::from_millis(milliseconds));
        self.pace.time = TimeControl { game: None, per_move };
        self
    }

    /// With enough time for anything that ends at all, on a busy machine too.
    pub fn patiently(self) -> Row {
        self.per_move(20_000)
    }

    /// With this time for the whole game.
    pub fn per_game(mut self, time: &str) -> Row {
        self.pace.time = TimeControl { game: time.parse().ok(), per_move: None };
        self
    }

    /// With little time to get ready.
    pub fn quick_start(mut self) -> Row {
        self.settings.start = Duration::from_millis(300);
        self
    }

    pub fn memory(mut self, mebibytes: u64) -> Row {
        self.settings.limits.memory = mebibytes << 20;
        self.patiently()
    }

    /// With this much processor time.
    pub fn cpu(mut self, seconds: u64) -> Row {
        self.settings.limits.cpu = Some(Duration::from_secs(seconds));
        self.patiently()
    }

    /// One game at a time.
    pub fn alone(self) -> Row {
        Row { concurrency: 1, ..self }
    }
}

/// All faults, as they appear in UGI.
pub fn ugi() -> Vec<Row> {
    use Fault::*;
    let mut rows = answers();
    rows.extend([
        // All kinds of ends.
        bad("crash", Crash, &["killed by SIGABRT", "err: assertion failed: everything is fine"]),
        bad("segfault", Crash, &["killed by SIGSEGV", "out: readyok"]),
        bad("exit-3", Crash, &["ended with status 3", "out: readyok"]),
        bad("exit-with-child", Crash, &["status 3; it left behind hostile (process "]).patiently(),
        bad("exit", Disconnected, &["ended with status 0", "out: readyok"]),
        bad("exit-after-answer --game breakthrough:5x5", Disconnected, &["status 0"]),
        bad("close-output", ClosedPipe, &["closed its output and runs on", "out: readyok"]),
        bad("close-input", ClosedPipe, &["closed its input and runs on", "out: readyok"]),
        // Never ready.
        bad("crash-at-start", NoStart, &["killed by SIGABRT"]),
        bad("exit-at-start", NoStart, &["ended with status 0"]),
        bad("hang-at-start", NotReady, &["no ugiok in 0.3 s"]).quick_start(),
        bad("deaf", NotReady, &["no ugiok in 0.3 s"]).quick_start(),
        bad("flood-at-start", Flood, &["more than 67108864 bytes", "out: info string flood"]),
    ]);
    rows.extend(excesses());
    rows
}

/// Wrong answers, late ones, and none.
fn answers() -> Vec<Row> {
    use Fault::*;
    vec![
        bad("illegal", IllegalMove, &["\"z99z99\"", "out: bestmove z99z99"]),
        bad("garbled-move", Garbled, &["no move in \"bestmove", "out: bestmove \u{fffd}\\u{1b}"]),
        bad("no-move", Garbled, &["no move in \"bestmove\""]),
        bad("garbled", Stalled, &["no answer in", "out: bestm\u{fffd}o\\u{1b}"]),
        bad("half-line", Stalled, &["no answer in", "out: bestmo"]),
        bad("trickle", Stalled, &["no answer in", "out: xxx"]),
        bad("chatter", Stalled, &["no answer in", "out: info string nearly there"]),
        bad("hang", Stalled, &["no answer in", "out: readyok"]),
        bad("stop-itself", Stalled, &["no answer in", "out: readyok"]),
        bad("busy", Stalled, &["no answer in", "out: readyok"]),
        bad("late --amount 300 --game breakthrough:5x5", MoveTooSlow, &["of 20.0 ms"])
            .per_move(20)
            .alone(),
        bad("late --amount 300 --game breakthrough:5x5", ClockOver, &["of 50.0 ms"])
            .per_game("50ms")
            .alone(),
    ]
}

/// More than allowed, of anything.
fn excesses() -> Vec<Row> {
    use Fault::*;
    let words: &[&str] = &["more than 67108864 bytes", "out: info string flood"];
    vec![
        bad("flood", Flood, words).patiently(),
        bad("flood-errors", Flood, &["on its standard error", "err: oh no, oh no"]).patiently(),
        bad("long-line", LongLine, &["more than 1048576 bytes", "out: xxxx"]).patiently(),
        bad("memory --amount 1000", Memory, &["150 MiB are allowed"]).memory(150).alone(),
        bad("memory-of-children --amount 600", Memory, &["300 MiB are allowed"])
            .memory(300)
            .alone(),
        bad("busy", CpuTime, &["SIGXCPU", "out: readyok"]).cpu(1),
        bad("fork-bomb", Processes, &["processes at once; 64 are allowed"]).patiently().alone(),
        bad("sparse-file", FileSize, &["killed by SIGXFSZ"]),
        bad(
            "children-detached --pause 400 --game breakthrough:5x5",
            Children,
            &["hostile (process "],
        )
        .patiently(),
        bad("children-bare --pause 400 --game breakthrough:5x5", Children, &["hostile (process "])
            .patiently()
            .alone(),
    ]
}

/// Programs that are a nuisance but commit no fault.
pub fn honest() -> Vec<Row> {
    vec![
        good("nothing --game breakthrough:5x5"),
        good("noisy --amount 200 --game breakthrough:5x5"),
        good("late --amount 20 --game breakthrough:5x5"),
        good("stubborn --game breakthrough:5x5"),
        good("children --game breakthrough:5x5"),
        good("children-session --pause 20 --game breakthrough:5x5"),
    ]
}

/// The same where answers are bare moves and there is no `readyok`.
pub fn congo() -> Vec<Row> {
    use Fault::*;
    vec![
        bad("nothing --answer a1a1", IllegalMove, &["\"a1a1\"", "out: a1a1"]),
        bad("illegal", Garbled, &["\"z99z99\" is not a move", "out: z99z99"]),
        bad("garbled", Garbled, &["is not a move", "out: bestm\u{fffd}o\\u{1b}"]),
        bad("flood", Garbled, &["\"info string flood\" is not a move"]),
        bad("hang", Stalled, &["no answer in"]),
        bad("hang-at-start", Stalled, &["no answer in"]),
        bad("late --amount 300 --game congo", MoveTooSlow, &["of 20.0 ms"]).per_move(20).alone(),
        bad("crash-at-start", Crash, &["killed by SIGABRT"]),
        bad("crash", Crash, &["killed by SIGABRT", "err: assertion failed"]),
        bad("exit", Disconnected, &["ended with status 0"]),
        bad("close-output", ClosedPipe, &["closed its output and runs on"]),
        bad("flood-errors", Flood, &["on its standard error"]).patiently(),
        bad("long-line", LongLine, &["more than 1048576 bytes", "out: xxxx"]).patiently(),
        bad("children-detached --pause 400 --game congo", Children, &["hostile (process "])
            .patiently(),
        good("nothing --game congo"),
        good("late --amount 5 --game congo"),
        good("stubborn --game congo"),
    ]
}
