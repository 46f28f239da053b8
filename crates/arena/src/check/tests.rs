use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use agon_core::Seat;
use agon_games::{Table, open, open_at};

use super::*;
use crate::player::{Breach, NoAnswer};
use crate::remote::{Outside, Question, Remote, Reply};
use crate::verdict::Fault;

/// Plays the first legal move, and misbehaves as configured.
#[derive(Clone, Debug, Default)]
struct Actor {
    /// The game of a process from which on it plays nonsense, from 1.
    nonsense_from_game: Option<u32>,
    /// How long it says its moves took.
    time: Duration,
    /// Resigns instead of playing.
    resigns: bool,
    /// Answers only if there is a clock.
    needs_clock: bool,
    /// The nodes and the depth it reports.
    search: (u64, u32),
    /// The fault found when it quits.
    parting: Option<Breach>,
    /// How many processes were started.
    started: Arc<AtomicU32>,
}

struct Running {
    actor: Actor,
    table: Mutex<Box<dyn Table>>,
    games: u32,
}

impl Outside for Actor {
    fn check(&self, _: &Variant) -> Result<(), String> {
        Ok(())
    }

    fn with_clocks_alone(&self) -> Option<String> {
        Some("actor-clock:".to_string())
    }

    fn start(&self, variant: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        self.started.fetch_add(1, Ordering::Relaxed);
        let table = Mutex::new(open(variant).unwrap());
        Ok(Box::new(Running { actor: self.clone(), table, games: 0 }))
    }
}

impl Remote for Running {
    fn new_game(&mut self, _: Seat) -> Result<(), NoAnswer> {
        self.games += 1;
        Ok(())
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Reply, NoAnswer> {
        let clock = question.clocks.iter().any(|clock| clock.remaining().is_some());
        if self.actor.needs_clock && !clock {
            return Err(Breach::new(Fault::Stalled, "no answer\nsent: go movetime").into());
        }
        let nonsense = self.actor.nonsense_from_game.is_some_and(|game| self.games >= game);
        let text = if nonsense {
            "nonsense".to_string()
        } else if self.actor.resigns {
            "resign".to_string()
        } else {
            self.first_move(question)
        };
        let (nodes, depth) = self.actor.search;
        Ok(Reply { nodes, depth, ..Reply::silent(text, self.actor.time) })
    }

    fn last_lines(&self) -> String {
        String::new()
    }

    fn leave(self: Box<Self>, _: Duration) -> Result<(), Breach> {
        self.actor.parting.map_or(Ok(()), Err)
    }
}

impl Running {
    fn first_move(&mut self, question: &Question<'_>) -> String {
        let table = self.table.get_mut().unwrap();
        *table = open_at(table.variant(), question.start, question.moves).unwrap();
        table.moves().swap_remove(0)
    }
}

fn options() -> CheckOptions {
    CheckOptions {
        per_move: Duration::from_secs(5),
        game: GameTime { base: Duration::from_secs(20), increment: Duration::ZERO },
        games: 12,
        ..CheckOptions::default()
    }
}

/// All lines about an agent, and whether it passed.
fn checked(variant: &str, agent: &Agent) -> (Vec<Line>, bool) {
    let mut lines = Vec::new();
    let passed =
        check(&variant.parse().unwrap(), agent, &options(), &StopFlag::default(), &mut |line| {
            lines.push(line.clone());
        });
    (lines, passed.unwrap())
}

fn built_in(text: &str) -> Agent {
    Agent::built_in(text.parse().unwrap())
}

fn acted(actor: &Actor) -> (Vec<Line>, bool) {
    checked("breakthrough:5x5", &Agent::outside("actor:", 1, Box::new(actor.clone())))
}

/// The line with this name, as its mark and detail.
fn line<'a>(lines: &'a [Line], name: &str) -> (Mark, &'a str) {
    let line = lines.iter().find(|line| line.name == name);
    let line = line.unwrap_or_else(|| panic!("no {name} in {lines:#?}"));
    (line.verdict, &line.detail)
}

fn names_of(lines: &[Line], mark: Mark) -> Vec<&str> {
    let fitting = lines.iter().filter(|line| line.verdict == mark);
    fitting.map(|line| line.name.as_str()).collect()
}

#[test]
fn a_searching_agent_passes_everything_that_applies() {
    let (lines, passed) = checked("breakthrough:5x5", &built_in("alphabeta:depth=6"));
    assert!(passed, "{lines:#?}");
    assert_eq!(names_of(&lines, Mark::Skipped), [SECOND_GAME, LEAVES]);
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    let solved = |name: &&str| name.starts_with("scenario: ");
    assert_eq!(names.iter().copied().filter(solved).count(), lines.len() - 8);
    assert!(lines.len() > 9, "{names:?}");
    let others: Vec<&str> = names.iter().copied().filter(|name| !solved(name)).collect();
    let wanted = [STARTS, RULES, MOVE_TIME, GAME_TIME, SECOND_GAME, SPEED, BEATS_RANDOM, LEAVES];
    assert_eq!(others, wanted);
}

#[test]
fn random_does_not_beat_random_and_a_game_of_three_is_checked_from_three_seats() {
    let (lines, passed) = checked("fauhalma:star3", &built_in("random"));
    assert!(!passed);
    assert_eq!(line(&lines, BEATS_RANDOM).0, Mark::Failed);
    let (mark, detail) = line(&lines, RULES);
    assert_eq!(mark, Mark::Passed);
    assert_eq!(detail.matches(" as ").count(), 3, "{detail}");
}

#[test]
fn an_agent_that_cannot_be_made_fails_at_the_start_and_nowhere_else() {
    let (lines, passed) = checked("fauhalma:star3", &built_in("alphabeta"));
    assert!(!passed);
    assert_eq!(names_of(&lines, Mark::Failed), [STARTS]);
    assert!(line(&lines, STARTS).1.contains("two-player games"), "{lines:#?}");
    assert_eq!(names_of(&lines, Mark::Skipped).len(), 8);
}

#[test]
fn a_program_is_started_anew_for_games_that_stand_for_themselves() {
    let actor = Actor::default();
    let (lines, _) = acted(&actor);
    for name in [STARTS, RULES, MOVE_TIME, GAME_TIME, SECOND_GAME, LEAVES] {
        assert_eq!(line(&lines, name).0, Mark::Passed, "{lines:#?}");
    }
    // The start, two seats twice, two games of one, all scenarios, and the match.
    assert_eq!(actor.started.load(Ordering::Relaxed), 1 + 4 + 1 + 1 + 1);
}

#[test]
fn nonsense_in_every_game_is_told_with_what_was_said() {
    let (lines, passed) = acted(&Actor { nonsense_from_game: Some(1), ..Actor::default() });
    assert!(!passed);
    let (mark, detail) = line(&lines, RULES);
    assert_eq!(mark, Mark::Failed);
    assert!(detail.starts_with("as white: illegal move: \"nonsense\""), "{detail}");
    assert!(detail.contains("\nas black: illegal move"), "{detail}");
    let skipped = [MOVE_TIME, GAME_TIME, SECOND_GAME, SPEED, BEATS_RANDOM, LEAVES];
    assert_eq!(names_of(&lines, Mark::Skipped), skipped);
    assert!(lines.iter().any(|line| line.name.starts_with("scenario: ")
        && line.verdict == Mark::Failed
        && line.detail.contains("nonsense")));
}

#[test]
fn who_cannot_play_a_second_game_is_found_out() {
    let (lines, passed) = acted(&Actor { nonsense_from_game: Some(2), ..Actor::default() });
    assert!(!passed);
    assert_eq!(line(&lines, RULES).0, Mark::Passed, "{lines:#?}");
    let (mark, detail) = line(&lines, SECOND_GAME);
    assert_eq!(mark, Mark::Failed);
    assert!(detail.contains("nonsense"), "{detail}");
}

#[test]
fn too_slow_is_told_apart_from_wrong() {
    let time = Duration::from_secs(7);
    let (lines, passed) = acted(&Actor { time, ..Actor::default() });
    assert!(!passed);
    assert_eq!(line(&lines, RULES).0, Mark::Skipped);
    let (mark, detail) = line(&lines, MOVE_TIME);
    assert_eq!(mark, Mark::Failed);
    assert!(detail.contains("took 7000.0 ms of 5000.0 ms"), "{detail}");
    assert!(line(&lines, BEATS_RANDOM).1.contains("lost by faults"), "{lines:#?}");
}

#[test]
fn resigning_is_by_the_rules_but_solves_nothing() {
    let (lines, passed) = acted(&Actor { resigns: true, ..Actor::default() });
    assert!(!passed);
    assert_eq!(line(&lines, RULES).0, Mark::Passed);
    assert_eq!(line(&lines, MOVE_TIME), (Mark::Skipped, "it made no move"));
    let solved = |line: &Line| line.name.starts_with("scenario") && line.verdict == Mark::Passed;
    assert!(!lines.iter().any(solved), "{lines:#?}");
    assert!(line(&lines, BEATS_RANDOM).1.starts_with("score 0.0 % in 12 games"));
}

#[test]
fn who_does_not_leave_fails_for_that_alone() {
    let parting = Some(Breach::new(Fault::Children, "sleep"));
    let (lines, passed) = acted(&Actor { parting, ..Actor::default() });
    assert!(!passed);
    assert_eq!(line(&lines, LEAVES), (Mark::Failed, "left children behind: sleep"));
    assert_eq!(line(&lines, RULES).0, Mark::Passed);
}

#[test]
fn a_variant_that_means_nothing_and_a_stop_are_no_verdict() {
    let run = |variant: &str, stop: &StopFlag| {
        let variant = variant.parse().unwrap();
        check(&variant, &built_in("random"), &options(), stop, &mut |line| {
            panic!("{line:?}");
        })
    };
    let error = run("chess", &StopFlag::default()).unwrap_err();
    assert!(error.to_string().contains("bad variant"), "{error}");
    let stop = StopFlag::default();
    stop.stop();
    assert!(matches!(run("congo", &stop), Err(CheckError::Stopped)));
}

#[test]
fn who_reads_clocks_alone_is_found_out_and_told_what_helps() {
    let (lines, passed) = acted(&Actor { needs_clock: true, ..Actor::default() });
    assert!(!passed);
    let (mark, detail) = line(&lines, RULES);
    assert_eq!(mark, Mark::Failed);
    let lines: Vec<&str> = detail.lines().collect();
    assert_eq!(lines[0], "as white: stalled: no answer");
    assert!(lines[1].starts_with("position: ppppp/"), "{detail}");
    assert_eq!(lines[2], "sent: go movetime");
    let hint = "it answers when given a clock, but not a time per move: actor-clock: sends it \
                clocks only";
    assert_eq!(lines.last(), Some(&hint));
}

#[test]
fn nodes_a_second_are_measured_in_fixed_positions() {
    let time = Duration::from_millis(250);
    let (lines, _) = acted(&Actor { search: (1000, 7), time, ..Actor::default() });
    let detail = "4,000 nodes a second in 4 fixed positions, mean depth 7.0 plies";
    assert_eq!(line(&lines, SPEED), (Mark::Passed, detail));
    let (lines, _) = acted(&Actor::default());
    let detail = "it does not report its nodes";
    assert_eq!(line(&lines, SPEED), (Mark::Skipped, detail));
    // It reports its nodes, but what for?
    let nonsense_from_game = Some(1);
    let (lines, _) = acted(&Actor { search: (1000, 7), nonsense_from_game, ..Actor::default() });
    let detail = "it made no legal move in these positions";
    assert_eq!(line(&lines, SPEED), (Mark::Skipped, detail));
}
