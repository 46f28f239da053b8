//! Time for games and moves: what is allowed, what is left, and how it is written.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use agon_core::{MAX_SEATS, Seat};
use agon_search::{Budget, StopFlag, Time};

use crate::verdict::Fault;

/// How much longer than allowed a single move may take. Agents keep a margin of their own; this
/// covers what they cannot control: a thread that was not scheduled at once.
pub(crate) const TOLERANCE: Duration = Duration::from_millis(50);

/// The shortest and the longest time that can be set.
const SHORTEST: Duration = Duration::from_millis(1);
pub(crate) const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// A text that is not a time, and what would be right.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("bad time {text:?}: {problem}")]
pub struct TimeError {
    text: String,
    problem: &'static str,
}

impl TimeError {
    fn new(text: &str, problem: &'static str) -> TimeError {
        TimeError { text: text.to_string(), problem }
    }
}

/// Reads a time: a number with a unit, `ms`, `s`, `m` or `h`.
///
/// ```
/// use std::time::Duration;
/// use agon_arena::clock::read_duration;
/// assert_eq!(read_duration("250ms"), Ok(Duration::from_millis(250)));
/// assert_eq!(read_duration("1.5s"), Ok(Duration::from_millis(1500)));
/// assert!(read_duration("5").unwrap_err().to_string().contains("5m"));
/// ```
pub fn read_duration(text: &str) -> Result<Duration, TimeError> {
    let duration = parse_duration(text)?;
    if duration < SHORTEST {
        return Err(TimeError::new(text, "too short: at least 1ms"));
    }
    Ok(duration)
}

/// Reads a time that may be 0.
fn parse_duration(text: &str) -> Result<Duration, TimeError> {
    let bad = || {
        TimeError::new(
            text,
            "expected a number and a unit (ms, s, m or h), such as 5m, 1s, 1.5s or 250ms",
        )
    };
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(bad)?;
    let (number, unit) = text.split_at(digits);
    let seconds_of_unit = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(bad()),
    };
    let number: f64 = number.parse().map_err(|_| bad())?;
    let seconds = number * seconds_of_unit;
    if seconds > LONGEST.as_secs_f64() {
        return Err(TimeError::new(text, "too long: at most 30 days"));
    }
    // Whole microseconds, so that 0.1s is exact.
    Ok(Duration::from_micros((seconds * 1e6).round() as u64))
}

/// Writes a time the way it is read, in the largest unit that leaves no fraction.
pub fn duration_text(time: Duration) -> String {
    let micros = time.as_micros();
    let units = [("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000)];
    let whole = units.iter().find(|(_, size)| micros.is_multiple_of(*size) && micros > 0);
    match whole {
        Some((unit, size)) => format!("{}{unit}", micros / size),
        None => format!("{}ms", micros as f64 / 1000.0),
    }
}

/// The time of one side for a whole game: `5m`, or `10s+100ms` with an increment that is added
/// after every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTime {
    /// The time on the clock at the start.
    pub base: Duration,
    /// The time added after every move.
    pub increment: Duration,
}

impl FromStr for GameTime {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<GameTime, TimeError> {
        let (base, increment) = match text.split_once('+') {
            Some((base, increment)) => (base, parse_duration(increment)?),
            None => (text, Duration::ZERO),
        };
        Ok(GameTime { base: read_duration(base)?, increment })
    }
}

impl fmt::Display for GameTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&duration_text(self.base))?;
        if self.increment > Duration::ZERO {
            write!(f, "+{}", duration_text(self.increment))?;
        }
        Ok(())
    }
}

/// The time limits: for the game, for each move, both, or none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TimeControl {
    /// For the whole game.
    pub game: Option<GameTime>,
    /// For each move.
    pub per_move: Option<Duration>,
}

/// The limits of the players: time, which the referee enforces, and depth and nodes, which the
/// agents keep to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pace {
    /// The time limits.
    pub time: TimeControl,
    /// The maximum depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes per move.
    pub nodes: Option<u64>,
}

impl Pace {
    /// The budget for the first move. For later moves only its time changes.
    pub fn budget(&self, stop: &StopFlag) -> Budget {
        let time = Clock::new(self.time).time();
        Budget { time, depth: self.depth, nodes: self.nodes, stop: stop.clone() }
    }

    /// The same with times that are longer or shorter by this factor, never shorter than a
    /// millisecond; depth and nodes stay.
    ///
    /// ```
    /// use agon_arena::Pace;
    ///
    /// let pace: Pace = "10s+100ms a game, 2s a move, 500 nodes a move".parse().unwrap();
    /// assert_eq!(pace.scaled(1.5).to_string(), "15s+150ms a game, 3s a move, 500 nodes a move");
    /// ```
    pub fn scaled(&self, factor: f64) -> Pace {
        if factor == 1.0 || !factor.is_finite() || factor <= 0.0 {
            return *self;
        }
        let scaled = |time: Duration| match time.is_zero() {
            true => time,
            false => {
                let micros = (time.as_secs_f64() * factor * 1e6).round().clamp(1e3, 1e15);
                Duration::from_micros(micros as u64)
            }
        };
        let game =
            |it: GameTime| GameTime { base: scaled(it.base), increment: scaled(it.increment) };
        let TimeControl { game: whole, per_move } = self.time;
        let time = TimeControl { game: whole.map(game), per_move: per_move.map(scaled) };
        Pace { time, ..*self }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.time.game.map(|time| format!("{time} a game")),
            self.time.per_move.map(|time| format!("{} a move", duration_text(time))),
            self.depth.map(|depth| format!("depth {depth}")),
            self.nodes.map(|nodes| format!("{nodes} nodes a move")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&if parts.is_empty() { "no limit".to_string() } else { parts.join(", ") })
    }
}

impl FromStr for Pace {
    type Err = String;

    /// Reads what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Pace, String> {
        let mut pace = Pace::default();
        if text == "no limit" {
            return Ok(pace);
        }
        let bad = || format!("bad limits {text:?}: expected such as 10s+100ms a game, depth 6");
        for part in text.split(", ") {
            let per_move = part.strip_suffix(" nodes a move");
            match (part.strip_suffix(" a game"), part.strip_prefix("depth "), per_move) {
                (Some(time), ..) => pace.time.game = Some(time.parse().map_err(|_| bad())?),
                (_, Some(depth), _) => pace.depth = Some(depth.parse().map_err(|_| bad())?),
                (.., Some(nodes)) => pace.nodes = Some(nodes.parse().map_err(|_| bad())?),
                _ => {
                    let time = part.strip_suffix(" a move").ok_or_else(bad)?;
                    pace.time.per_move = Some(read_duration(time).map_err(|_| bad())?);
                }
            }
        }
        Ok(pace)
    }
}

/// The clock of one side. The caller measures each move and passes in how long it took.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        let remaining = control.game.map_or(Duration::ZERO, |game| game.base);
        Clock { control, remaining }
    }

    /// The time left for the whole game, if that is limited.
    pub fn remaining(&self) -> Option<Duration> {
        self.control.game.map(|_| self.remaining)
    }

    /// The time for the next move, as agents are told. With two limits, the one that leaves less
    /// for this move.
    pub fn time(&self) -> Option<Time> {
        let game = self
            .control
            .game
            .map(|game| Time::Clock { remaining: self.remaining, increment: game.increment });
        let per_move = self.control.per_move.map(Time::PerMove);
        [game, per_move].into_iter().flatten().min_by_key(|time| time.allotment())
    }

    /// The longest a move may take without being late, if anything limits it.
    pub fn allowed(&self) -> Option<Duration> {
        let per_move = self.control.per_move.map(|time| time + TOLERANCE);
        [self.remaining(), per_move].into_iter().flatten().min()
    }

    /// The time added after every move.
    pub fn increment(&self) -> Duration {
        self.control.game.map_or(Duration::ZERO, |game| game.increment)
    }

    /// Sets the time left for the game to zero.
    pub(crate) fn run_out(&mut self) {
        self.remaining = Duration::ZERO;
    }

    /// Takes the time of a move off the clock, then adds the increment. An error if the move was
    /// late.
    pub fn spend(&mut self, time: Duration) -> Result<(), Late> {
        if let Some(game) = self.control.game {
            match self.remaining.checked_sub(time) {
                Some(left) => self.remaining = left + game.increment,
                None => {
                    let allowed = self.remaining;
                    self.run_out();
                    return Err(Late { fault: Fault::ClockOver, took: time, allowed });
                }
            }
        }
        match self.control.per_move {
            Some(allowed) if time > allowed + TOLERANCE => {
                Err(Late { fault: Fault::MoveTooSlow, took: time, allowed })
            }
            _ => Ok(()),
        }
    }
}

impl Clock {
    /// The same for a player whose thread waited for a processor in that time. A move that is late
    /// only because of that is not counted as late: only the rest of its time is charged. True if
    /// that was so.
    pub(crate) fn spend_all_but(&mut self, waited: Duration, time: Duration) -> Result<bool, Late> {
        let before = *self;
        let Err(late) = self.spend(time) else { return Ok(false) };
        let mut without = before;
        if without.spend(time.saturating_sub(waited)).is_err() {
            return Err(late);
        }
        *self = without;
        Ok(true)
    }
}

/// What each mover had left on its clock after its move, if the whole game was limited.
pub fn clocks_after(
    control: TimeControl,
    moves: impl Iterator<Item = (Seat, Duration)>,
) -> Vec<Option<Duration>> {
    let mut clocks = [Clock::new(control); MAX_SEATS];
    let after = |(seat, time): (Seat, Duration)| {
        let clock = &mut clocks[seat.index()];
        // A late player has lost, or was excused; either way nothing is left.
        let _ = clock.spend(time);
        clock.remaining()
    };
    moves.map(after).collect()
}

/// A move that took too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Late {
    /// Which limit was exceeded.
    pub fault: Fault,
    /// How long the move took.
    pub took: Duration,
    /// The time that was left or allowed.
    pub allowed: Duration,
}

impl fmt::Display for Late {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = |time: Duration| time.as_secs_f64() * 1000.0;
        write!(f, "took {:.1} ms of {:.1} ms", millis(self.took), millis(self.allowed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn times_are_read_and_written() {
        for (text, millis) in [
            ("5m", 300_000),
            ("1s", 1000),
            ("250ms", 250),
            ("2h", 7_200_000),
            ("90s", 90_000),
            ("1500ms", 1500),
        ] {
            assert_eq!(read_duration(text), Ok(ms(millis)), "{text}");
            assert_eq!(read_duration(&duration_text(ms(millis))), Ok(ms(millis)), "{text}");
        }
        assert_eq!(read_duration("1.5s"), Ok(ms(1500)));
        assert_eq!(read_duration(".1s"), Ok(ms(100)));
        // The shortest and the longest.
        assert_eq!(read_duration("1ms"), Ok(ms(1)));
        assert_eq!(read_duration("720h"), Ok(ms(2_592_000_000)));
        assert_eq!(duration_text(Duration::from_micros(1500)), "1.5ms");
        assert_eq!(duration_text(Duration::ZERO), "0ms");
    }

    #[test]
    fn game_times_are_read_and_written() {
        for text in ["5m", "10s+100ms", "1h+30s"] {
            assert_eq!(text.parse::<GameTime>().unwrap().to_string(), text);
        }
        assert_eq!("1s+0s".parse::<GameTime>().unwrap().to_string(), "1s");
    }

    #[test]
    fn a_bad_time_is_told_what_would_be_right() {
        for (text, word) in [
            ("5", "such as 5m"),
            ("", "such as 5m"),
            ("s", "such as 5m"),
            ("1.2.3s", "such as 5m"),
            ("-1s", "such as 5m"),
            ("5 m", "such as 5m"),
            ("5days", "such as 5m"),
            ("0s", "at least 1ms"),
            ("0.1ms", "at least 1ms"),
            ("720.01h", "at most 30 days"),
            ("9999999999999999999999h", "at most 30 days"),
        ] {
            let error = read_duration(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text:?}: {error}");
        }
        for text in ["+1s", "1s+", "1s+x", "0s+1s", "1s+1s+1s"] {
            assert!(text.parse::<GameTime>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn limits_are_read_as_they_are_written() {
        let game: GameTime = "10s+100ms".parse().unwrap();
        for game in [None, Some(game)] {
            for per_move in [None, Some(ms(250))] {
                for (depth, nodes) in [(None, None), (Some(6), None), (Some(1), Some(1000))] {
                    let pace = Pace { time: TimeControl { game, per_move }, depth, nodes };
                    assert_eq!(pace.to_string().parse(), Ok(pace));
                }
            }
        }
        for bad in ["", "10s", "fast a game", "depth x", "1s a move, ", "10s a game a move"] {
            assert!(bad.parse::<Pace>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn every_mover_has_its_own_clock() {
        let game: GameTime = "1s+100ms".parse().unwrap();
        let control = TimeControl { game: Some(game), per_move: None };
        let moves = [(Seat::FIRST, ms(300)), (Seat::SECOND, ms(100)), (Seat::FIRST, ms(900))];
        let left = clocks_after(control, moves.into_iter());
        assert_eq!(left, [Some(ms(800)), Some(ms(1000)), Some(ms(0))]);
        assert_eq!(clocks_after(TimeControl::default(), moves.into_iter()), [None; 3]);
    }

    #[test]
    fn a_clock_runs_down_and_gains_the_increment() {
        let game = GameTime { base: ms(1000), increment: ms(100) };
        let mut clock = Clock::new(TimeControl { game: Some(game), per_move: None });
        assert_eq!(clock.spend(ms(300)), Ok(()));
        assert_eq!(clock.remaining(), Some(ms(800)));
        // Down to zero: that is not below zero.
        assert_eq!(clock.spend(ms(800)), Ok(()));
        assert_eq!(clock.remaining(), Some(ms(100)));
        let late = clock.spend(ms(101)).unwrap_err();
        assert_eq!(late.fault, Fault::ClockOver);
        assert_eq!(late.to_string(), "took 101.0 ms of 100.0 ms");
    }

    #[test]
    fn a_move_may_take_its_time_and_the_tolerance() {
        let mut clock = Clock::new(TimeControl { game: None, per_move: Some(ms(10)) });
        assert_eq!(clock.spend(ms(10) + TOLERANCE), Ok(()));
        assert_eq!(clock.spend(ms(11) + TOLERANCE).unwrap_err().fault, Fault::MoveTooSlow);
        assert_eq!(clock.remaining(), None);
    }

    #[test]
    fn a_move_that_is_late_only_by_waiting_is_charged_the_rest() {
        let per_move = TimeControl { game: None, per_move: Some(ms(30)) };
        let mut clock = Clock::new(per_move);
        assert_eq!(clock.spend_all_but(ms(20), ms(40)), Ok(false));
        assert_eq!(clock.spend_all_but(ms(170), ms(200)), Ok(true));
        assert_eq!(clock.spend_all_but(ms(100), ms(200)).unwrap_err().took, ms(200));
        let game = GameTime { base: ms(1000), increment: ms(10) };
        let mut clock = Clock::new(TimeControl { game: Some(game), per_move: None });
        assert_eq!(clock.spend_all_but(ms(300), ms(600)), Ok(false));
        assert_eq!(clock.remaining(), Some(ms(410)), "in time, and waiting counts as time");
        assert_eq!(clock.spend_all_but(ms(200), ms(500)), Ok(true));
        assert_eq!(clock.remaining(), Some(ms(120)));
        assert_eq!(clock.spend_all_but(ms(100), ms(500)).unwrap_err().fault, Fault::ClockOver);
        assert_eq!(clock.remaining(), Some(ms(0)));
    }

    #[test]
    fn agents_are_told_the_limit_that_leaves_less() {
        let game = GameTime { base: ms(60_000), increment: Duration::ZERO };
        let both = |per_move| TimeControl { game: Some(game), per_move: Some(per_move) };
        let quick = Clock::new(both(ms(100))).time();
        assert_eq!(quick, Some(Time::PerMove(ms(100))));
        let slow = Clock::new(both(ms(30_000))).time();
        assert!(matches!(slow, Some(Time::Clock { .. })));
        assert_eq!(Clock::new(TimeControl::default()).time(), None);
    }

    #[test]
    fn a_move_is_allowed_what_every_limit_leaves() {
        let game = Some(GameTime { base: ms(1000), increment: ms(100) });
        let allowed = |game, per_move| Clock::new(TimeControl { game, per_move }).allowed();
        assert_eq!(allowed(None, None), None);
        assert_eq!(allowed(game, None), Some(ms(1000)));
        assert_eq!(allowed(None, Some(ms(30))), Some(ms(30) + TOLERANCE));
        assert_eq!(allowed(game, Some(ms(30))), Some(ms(30) + TOLERANCE));
        assert_eq!(allowed(game, Some(ms(5000))), Some(ms(1000)));
        let mut clock = Clock::new(TimeControl { game, per_move: None });
        clock.spend(ms(700)).unwrap();
        assert_eq!(clock.allowed(), Some(ms(400)));
        assert_eq!(
            (clock.increment(), Clock::new(TimeControl::default()).increment()),
            (ms(100), ms(0))
        );
    }

    #[test]
    fn a_first_move_has_all_limits_of_the_pace() {
        let game = "10s+100ms".parse().ok();
        let time = TimeControl { game, per_move: None };
        let pace = Pace { time, depth: Some(4), nodes: Some(500) };
        let stop = StopFlag::default();
        let budget = pace.budget(&stop);
        let clock = Time::Clock { remaining: ms(10_000), increment: ms(100) };
        assert_eq!((budget.time, budget.depth, budget.nodes), (Some(clock), Some(4), Some(500)));
        stop.stop();
        assert!(budget.stop.is_set(), "one flag for the game and its searches");
    }

    #[test]
    fn a_pace_says_what_it_is() {
        let mut pace = Pace::default();
        assert_eq!(pace.to_string(), "no limit");
        pace.time.game = "10s+100ms".parse().ok();
        pace.depth = Some(4);
        assert_eq!(pace.to_string(), "10s+100ms a game, depth 4");
    }
}
