//! The options a client can set, and the agent that results from them.

use agon_core::Variant;
use agon_games::Catalog;
use agon_search::spec::{OptionInfo, Role};
use agon_search::{AgentSpec, agents};

use super::lines::{OptionKind, OptionLine};
use crate::problem::{LineProblem, quoted};

/// A number that is passed on to agents that have an option for it.
struct Number {
    name: &'static str,
    default: u32,
    min: u32,
    max: u32,
    /// What it is to an agent.
    role: Role,
}

const NUMBERS: [Number; 4] = [
    Number { name: "Threads", default: 1, min: 1, max: 256, role: Role::Threads },
    Number { name: "Hash", default: 64, min: 1, max: 65_536, role: Role::Memory },
    Number { name: "Level", default: 10, min: 1, max: 10, role: Role::Level },
    Number { name: "MultiPV", default: 1, min: 1, max: 100, role: Role::Lines },
];

/// The names of the other options.
const VARIANT: &str = "Variant";
const AGENT: &str = "Agent";
const SEED: &str = "Seed";

/// The game and the agent. The numbers are only passed to the agent if they were set; they override
/// the agent's own text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Where the game comes from.
    pub catalog: Catalog,
    /// The game.
    pub variant: Variant,
    /// The agent's text.
    pub agent: AgentSpec,
    /// The seed of agents that play at random. The games of one session still differ.
    pub seed: u32,
    numbers: [Option<u32>; NUMBERS.len()],
}

impl Settings {
    /// This agent in this game, one of those compiled in, with no other options set.
    pub fn new(variant: Variant, agent: AgentSpec) -> Settings {
        let catalog = Catalog::built_in();
        Settings { catalog, variant, agent, seed: 0, numbers: [None; NUMBERS.len()] }
    }

    /// Sets an option by name, case-insensitively, from the client or the command line.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), LineProblem> {
        let is = |option: &str| option.eq_ignore_ascii_case(name);
        if is(VARIANT) {
            self.variant = value.parse::<Variant>()?;
        } else if is(AGENT) {
            let agent = value.parse::<AgentSpec>()?;
            if let Some((_, file)) = agents::file_of(&agent).filter(|_| agent != self.agent) {
                return Err(LineProblem::new(format!(
                    "{AGENT}: {} is a file, which only the command line may name",
                    quoted(file)
                )));
            }
            self.agent = agent;
        } else if is(SEED) {
            self.seed = read_number(SEED, value, 0, u32::MAX)?;
        } else if let Some(index) = NUMBERS.iter().position(|number| is(number.name)) {
            let Number { name, min, max, .. } = NUMBERS[index];
            self.numbers[index] = Some(read_number(name, value, min, max)?);
        } else {
            let numbers = NUMBERS.iter().map(|number| number.name);
            let names: Vec<&str> = [VARIANT, AGENT].into_iter().chain(numbers).collect();
            return Err(LineProblem::new(format!(
                "unknown option {}; there are: {}, {SEED}",
                quoted(name),
                names.join(", ")
            )));
        }
        Ok(())
    }

    /// The options as the client sees them; the current values are the defaults.
    pub(super) fn lines(&self) -> Vec<OptionLine> {
        let line = |name: &str, kind| OptionLine { name: name.to_string(), kind };
        let text = |name, default| line(name, OptionKind::Text { default });
        let number = |name, default: u32, min: u32, max: u32| {
            let (default, min, max) = (default.into(), min.into(), max.into());
            line(name, OptionKind::Number { default, min, max })
        };
        let mut lines =
            vec![text(VARIANT, self.variant.to_string()), text(AGENT, self.agent.to_string())];
        for (info, set) in NUMBERS.iter().zip(self.numbers) {
            lines.push(number(info.name, set.unwrap_or(info.default), info.min, info.max));
        }
        lines.push(number(SEED, self.seed, 0, u32::MAX));
        lines
    }

    /// The agent with all options set, at a table of `seats`; and the names of those it does not
    /// have.
    pub(super) fn agent_at(&self, seats: usize) -> (AgentSpec, Vec<&'static str>) {
        let (mut agent, mut unused) = (self.agent.clone(), Vec::new());
        for (info, value) in NUMBERS.iter().zip(self.numbers) {
            let Some(value) = value else { continue };
            let option = agents::info(&agent.name).and_then(|agent| agent.option(info.role, seats));
            match option {
                Some(OptionInfo { name, .. }) => {
                    agent.options.retain(|(given, _)| given != name);
                    agent.options.push((name.to_string(), value.to_string()));
                }
                None => unused.push(info.name),
            }
        }
        (agent, unused)
    }
}

fn read_number(name: &str, value: &str, min: u32, max: u32) -> Result<u32, LineProblem> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| {
        LineProblem::new(format!(
            "{name}: expected a number from {min} to {max}, found {}",
            quoted(value)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(agent: &str) -> Settings {
        Settings::new("congo".parse().unwrap(), agent.parse().unwrap())
    }

    #[test]
    fn numbers_go_to_the_agents_that_have_them() {
        let mut all = settings("engine:hash=2,tt=off");
        for (name, value) in [("threads", "2"), ("HASH", "8"), ("Level", "3"), ("MultiPV", "4")] {
            all.set(name, value).unwrap();
        }
        let (two, unused) = all.agent_at(2);
        assert_eq!(two.to_string(), "engine:tt=off,threads=2,hash=8,level=3,lines=4");
        assert!(unused.is_empty());
        let (three, unused) = all.agent_at(3);
        assert_eq!(three.to_string(), "engine:tt=off,threads=2,hash=8,level=3,lines=4");
        assert!(unused.is_empty());
        all.set("Agent", "mcts").unwrap();
        let (mcts, unused) = all.agent_at(2);
        assert_eq!(mcts.to_string(), "mcts:threads=2,memory=8,lines=4");
        assert_eq!(unused, ["Level"]);
        all.set("Agent", "random").unwrap();
        assert_eq!(all.agent_at(2).0.to_string(), "random");
    }

    #[test]
    fn a_file_of_the_command_line_may_be_named_again() {
        let mut same = settings("engine:weights=mine.txt");
        same.set("Agent", "engine:weights=mine.txt").unwrap();
        same.set("Agent", "engine:book=on").unwrap();
        assert!(same.set("Agent", "engine:weights=mine.txt").is_err());
    }

    #[test]
    fn what_nobody_set_is_left_to_the_agent() {
        assert_eq!(settings("engine:hash=2").agent_at(2).0.to_string(), "engine:hash=2");
    }

    #[test]
    fn bad_options_are_told_what_would_be_right() {
        for (name, value, word) in [
            ("Threads", "0", "1 to 256"),
            ("Threads", "many", "1 to 256"),
            ("Level", "11", "1 to 10"),
            ("Seed", "-1", "0 to"),
            ("Colour", "red", "Variant, Agent, Threads"),
            ("Variant", "", "GAME"),
            ("Agent", "engine:x", "OPTION=VALUE"),
            ("Agent", "engine:book=/etc/passwd", "only the command line may name"),
            ("Agent", "engine:weights=tuned.txt", "only the command line may name"),
        ] {
            let mut changed = settings("engine");
            let problem = changed.set(name, value).unwrap_err().to_string();
            assert!(problem.contains(word), "{name}: {problem}");
            assert_eq!(changed, settings("engine"));
        }
    }
}
