//! How a tournament's file differs from what was started under its name: agents join, leave, come
//! back, or are no longer the ones that played their games.

use std::fmt;
use std::str::FromStr;

use agon_search::spec::choices;

/// What to do about agents that are no longer the ones that played their games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Changed {
    /// Stop and ask.
    #[default]
    Ask,
    /// The games so far count for the new version.
    Keep,
    /// The games so far are deleted and played again.
    Replay,
    /// The new version enters under a name of its own, and the old one is retired.
    Enter,
}

impl Changed {
    /// The decisions, which a person has to make.
    pub const DECISIONS: [Changed; 3] = [Changed::Keep, Changed::Replay, Changed::Enter];

    /// Its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Changed::Ask => "ask",
            Changed::Keep => "keep",
            Changed::Replay => "replay",
            Changed::Enter => "enter",
        }
    }

    /// What it means for some agents, in words.
    pub fn about(self, agents: &[ChangedAgent]) -> String {
        match (self, agents) {
            (Changed::Ask, _) => "stop and ask".into(),
            (Changed::Keep, _) => "the games so far count for the new version".into(),
            (Changed::Replay, _) => "the games so far are deleted and played again".into(),
            (Changed::Enter, [agent]) => {
                format!("the new version enters as {}, and the old one is retired", agent.new_name)
            }
            (Changed::Enter, _) => {
                "the new versions enter under new names, and the old ones are retired".into()
            }
        }
    }
}

impl FromStr for Changed {
    type Err = String;

    fn from_str(text: &str) -> Result<Changed, String> {
        let found = Changed::DECISIONS.into_iter().find(|decision| decision.name() == text);
        let names = Changed::DECISIONS.map(Changed::name);
        found.ok_or_else(|| choices(&format!("unknown decision {text:?}"), text, &names))
    }
}

/// In what way an agent is another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// Its text is another.
    Text {
        /// That of the games so far.
        before: String,
        /// That of the file.
        now: String,
    },
    /// It has other options.
    Options,
    /// A file of its program has other contents.
    Program,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Text { before, now } => write!(f, "{before} before, {now} now"),
            Difference::Options => f.write_str("other options"),
            Difference::Program => f.write_str("its program has changed"),
        }
    }
}

/// An agent that is no longer the one that played its games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedAgent {
    /// Its name in the tournament.
    pub name: String,
    /// What is different.
    pub difference: Difference,
    /// How many games it has played.
    pub games: u64,
    /// The name of the new version if it [enters](Changed::Enter).
    pub new_name: String,
}

impl fmt::Display for ChangedAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = if self.games == 1 { "game" } else { "games" };
        write!(f, "{} ({}, {} {games} so far)", self.name, self.difference, self.games)
    }
}

/// How a file differs from the stored tournament. Empty if it does not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// Who joins.
    pub joined: Vec<String>,
    /// Who has retired and comes back.
    pub returned: Vec<String>,
    /// Who is no longer in the file, and is retired.
    pub retired: Vec<String>,
    /// Who is no longer the same.
    pub changed: Vec<ChangedAgent>,
    /// The number of rounds before and now, if it is another.
    pub rounds: Option<(u32, u32)>,
}

impl Changes {
    /// Whether nothing is different.
    pub fn is_empty(&self) -> bool {
        *self == Changes::default()
    }

    /// Everything in words, one line each, with what is done about changed agents.
    pub fn lines(&self, decision: Changed) -> Vec<String> {
        let mut lines = Vec::new();
        let mut say = |names: &[String], what: &str| {
            if !names.is_empty() {
                lines.push(format!("{what} {}", names.join(", ")));
            }
        };
        say(&self.joined, "joins");
        say(&self.returned, "comes back");
        say(&self.retired, "retired");
        for agent in &self.changed {
            let about = decision.about(std::slice::from_ref(agent));
            lines.push(format!("changed {agent}: {about}"));
        }
        if let Some((before, now)) = self.rounds {
            lines.push(format!("rounds {now} instead of {before}"));
        }
        lines
    }
}

/// The decisions that are possible, with their meaning, one line each.
pub(super) fn list_decisions(agents: &[ChangedAgent], possible: &[Changed]) -> String {
    let line = |decision: &Changed| {
        format!("\n  --changed {:<7} {}", decision.name(), decision.about(agents))
    };
    possible.iter().map(line).collect()
}
