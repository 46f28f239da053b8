//! Whether an agent is fit to play: what a course's automatic tests check.
//!
//! [`check`] goes from the simple to the difficult and reports a [`Line`] about each item. What
//! makes no sense after an earlier failure is skipped. Games are played as in a match, with the
//! same [venue](crate::venue), referee and clocks.

mod findings;
mod trials;

use std::time::{Duration, Instant};

use agon_core::Variant;
use agon_games::Catalog;
use agon_search::StopFlag;

use crate::agent::Agent;
use crate::clock::GameTime;
use crate::tournament::run::RunError;
use findings::{Found, Trial, by_the_rules, in_time, skipped};
use trials::Trials;

/// The score against random agents that has to be exceeded, in percent.
pub(crate) const PASS_MARK: u64 = 75;

/// The settings of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckOptions {
    /// Where the game comes from.
    pub catalog: Catalog,
    /// Its time for each move.
    pub per_move: Duration,
    /// Its time for a whole game, in the games with a clock.
    pub game: GameTime,
    /// How many games it plays against random agents, rounded up as in a match.
    pub games: u64,
    /// How many of those are played at a time. More than there are cores for distorts the times.
    pub concurrency: usize,
    /// The random seed.
    pub seed: u64,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            catalog: Catalog::built_in(),
            per_move: Duration::from_secs(1),
            game: GameTime { base: Duration::from_secs(10), increment: Duration::ZERO },
            games: 20,
            concurrency: 1,
            seed: 0,
        }
    }
}

/// The result of one item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It could not be checked, or does not apply.
    Skipped,
}

impl Mark {
    /// The mark as one word, for files.
    pub fn word(self) -> &'static str {
        match self {
            Mark::Passed => "passed",
            Mark::Failed => "failed",
            Mark::Skipped => "skipped",
        }
    }
}

/// One item that was checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What was checked, in a few words.
    pub name: String,
    /// The result.
    pub verdict: Mark,
    /// What was seen, in words.
    pub detail: String,
    /// How long it took.
    pub time: Duration,
}

/// Why a check has no result.
#[derive(thiserror::Error, Debug)]
pub enum CheckError {
    /// Games cannot be played: the variant is invalid, or the system refused a resource.
    #[error(transparent)]
    Run(RunError),
    /// It was stopped before the end.
    #[error("stopped before the end")]
    Stopped,
}

impl<E: Into<RunError>> From<E> for CheckError {
    fn from(error: E) -> Self {
        CheckError::Run(error.into())
    }
}

const STARTS: &str = "starts";
const RULES: &str = "plays by the rules";
const MOVE_TIME: &str = "keeps the time for a move";
const GAME_TIME: &str = "keeps the time for a game";
const SECOND_GAME: &str = "plays a second game";
const SCENARIOS: &str = "scenarios";
const SPEED: &str = "nodes a second";
const BEATS_RANDOM: &str = "beats random";
const LEAVES: &str = "leaves quietly";

/// Checks an agent and reports each line as soon as it is known. Returns whether nothing failed.
pub fn check(
    variant: &Variant,
    agent: &Agent,
    options: &CheckOptions,
    stop: &StopFlag,
    report: &mut dyn FnMut(&Line),
) -> Result<bool, CheckError> {
    let trials = Trials::new(variant, agent, options, stop)?;
    let mut sheet = Sheet { report, passed: true };
    if sheet.fill(STARTS, || trials.starts())? != Mark::Passed {
        for name in
            [RULES, MOVE_TIME, GAME_TIME, SECOND_GAME, SCENARIOS, SPEED, BEATS_RANDOM, LEAVES]
        {
            sheet.fill(name, || Ok(skipped("it does not start")))?;
        }
        return Ok(sheet.passed);
    }
    let mut games = Vec::new();
    let rules = sheet.fill(RULES, || {
        games = trials.with_move_limit()?;
        let mut found = by_the_rules(&games);
        if games.iter().any(Trial::stalled)
            && let Some(text) = trials.answers_to_clocks_alone()?
        {
            found.detail += "\nit answers when given a clock, but not a time per move: ";
            found.detail += &text;
            found.detail += " sends it clocks only";
        }
        Ok(found)
    })?;
    sheet.fill(MOVE_TIME, || Ok(in_time(&games, &trials.move_limit())))?;
    // An agent that breaks the rules would do so in every game.
    let unfit = (rules == Mark::Failed).then(|| skipped("it does not play by the rules"));
    let unless_unfit = |work: &dyn Fn() -> Result<Found, CheckError>| match &unfit {
        Some(found) => Ok(found.clone()),
        None => work(),
    };
    let clock = sheet.fill(GAME_TIME, || {
        unless_unfit(&|| match trials.knows_clocks() {
            true => Ok(in_time(&trials.with_clock()?, &trials.clock_limit())),
            false => Ok(skipped("its protocol has no game clock")),
        })
    })?;
    sheet.fill(SECOND_GAME, || unless_unfit(&|| trials.second_game()))?;
    let mut running = None;
    let scenarios = trials.scenarios()?;
    if scenarios.is_empty() {
        sheet.fill(SCENARIOS, || Ok(skipped(format!("there are none for {variant}"))))?;
    }
    let begins_anywhere = agent.begins_anywhere();
    for scenario in scenarios {
        let name = format!("scenario: {}", scenario.name);
        sheet.fill(&name, || match scenario.position.is_none() || begins_anywhere {
            true => trials.scenario(scenario, &mut running),
            false => Ok(skipped("its protocol only has games from the start")),
        })?;
    }
    sheet.fill(SPEED, || match begins_anywhere {
        true => trials.speed(&mut running),
        false => Ok(skipped("its protocol only has games from the start")),
    })?;
    let on_clock = clock == Mark::Passed;
    sheet.fill(BEATS_RANDOM, || unless_unfit(&|| trials.beats_random(on_clock)))?;
    sheet.fill(LEAVES, || trials.leaves(&mut running))?;
    Ok(sheet.passed)
}

/// The results so far.
struct Sheet<'a> {
    report: &'a mut dyn FnMut(&Line),
    passed: bool,
}

impl Sheet<'_> {
    /// Runs one item and reports its line.
    fn fill(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<Found, CheckError>,
    ) -> Result<Mark, CheckError> {
        let began = Instant::now();
        let Found { mark, detail } = work()?;
        self.passed &= mark != Mark::Failed;
        let time = began.elapsed();
        (self.report)(&Line { name: name.to_string(), verdict: mark, detail, time });
        Ok(mark)
    }
}

#[cfg(test)]
mod tests;
