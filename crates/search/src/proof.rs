//! Written proofs and their checker.
//!
//! A proof is a text. Its header names the variant, a position and the position's value for the
//! side to move; every line after that is a claim about one position, with its parts separated by
//! tabs (here by two blanks):
//!
//! ```text
//! agon-proof 1
//! variant breakthrough:2x4
//! position pp/pp/PP/PP w 0 1
//! value draw
//! >=draw  pp/pp/PP/PP w 0 1  a2b3
//! <=draw  pp/pP/P1/PP b 0 1  *
//! ```
//!
//! `>=` claims that the side to move gets at least this, and names the move that does it; `<=`
//! claims that it gets no more, whatever it does, and has a star. After the named move, or after
//! every move, either the game is over with a matching result, or the text contains the claim about
//! the next position that this one needs. A draw needs both claims about the first position.
//!
//! The checker uses nothing but the rules of the game. It requires every move to be irreversible,
//! so that no claim can depend on itself.

use std::collections::HashMap;
use std::fmt;

use agon_core::{Game, Notation, Progress, Variant};
use agon_games::{Catalog, Playable, Visitor};

use crate::solver::Value;

/// A claim about a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Claim {
    /// It gets at least this.
    AtLeast(Value),
    /// It gets at most this.
    AtMost(Value),
}

impl Claim {
    /// The claims that a value is made of.
    pub fn of(value: Value) -> Vec<Claim> {
        match value {
            Value::Win => vec![Claim::AtLeast(Value::Win)],
            Value::Draw => vec![Claim::AtLeast(Value::Draw), Claim::AtMost(Value::Draw)],
            Value::Loss => vec![Claim::AtMost(Value::Loss)],
        }
    }

    /// The claim from the opponent's point of view.
    pub fn flipped(self) -> Claim {
        match self {
            Claim::AtLeast(value) => Claim::AtMost(-value),
            Claim::AtMost(value) => Claim::AtLeast(-value),
        }
    }

    /// Whether a result fits.
    pub(crate) fn admits(self, value: Value) -> bool {
        match self {
            Claim::AtLeast(least) => value >= least,
            Claim::AtMost(most) => value <= most,
        }
    }

    fn read(text: &str) -> Option<Claim> {
        let value = |name: &str| {
            [Value::Loss, Value::Draw, Value::Win].into_iter().find(|v| v.to_string() == name)
        };
        match text.split_at_checked(2)? {
            (">=", name) => value(name).map(Claim::AtLeast),
            ("<=", name) => value(name).map(Claim::AtMost),
            _ => None,
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::AtLeast(value) => write!(f, ">={value}"),
            Claim::AtMost(value) => write!(f, "<={value}"),
        }
    }
}

/// The first line of every proof.
pub const HEAD: &str = "agon-proof 1";
/// Stands for all moves.
pub(crate) const EVERY_MOVE: &str = "*";

/// A proof that was checked and found right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proven {
    /// The variant.
    pub variant: Variant,
    /// The position.
    pub position: String,
    /// Its value for the side to move.
    pub value: Value,
    /// How many claims there are.
    pub claims: usize,
}

/// What is wrong with a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofError {
    line: usize,
    problem: String,
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for ProofError {}

fn error(line: usize, problem: impl fmt::Display) -> ProofError {
    ProofError { line, problem: problem.to_string() }
}

/// Checks a proof by the rules of its game.
pub fn check(catalog: &Catalog, text: &str) -> Result<Proven, ProofError> {
    let mut lines = text.lines();
    let mut head = |number: usize, word: &str| {
        let line = lines.next().unwrap_or_default();
        let rest = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
        rest.map(str::to_string).ok_or_else(|| error(number, format!("expected `{word} …`")))
    };
    let (name, version) = HEAD.split_once(' ').unwrap_or((HEAD, ""));
    if head(1, name)? != version {
        return Err(error(1, format!("expected `{HEAD}`")));
    }
    let variant: Variant = head(2, "variant")?.parse().map_err(|e| error(2, e))?;
    let (position, value) = (head(3, "position")?, head(4, "value")?);
    let Some(Claim::AtLeast(value)) = Claim::read(&format!(">={value}")) else {
        return Err(error(4, "expected win, draw or loss"));
    };
    catalog.with_game(&variant, Check { text, position, value }).map_err(|e| error(2, e))?
}

/// The number of lines before the claims.
const HEAD_LINES: usize = 4;

struct Check<'a> {
    text: &'a str,
    position: String,
    value: Value,
}

/// The claims by position, with their line numbers.
type Claims = HashMap<(u64, Claim), usize>;

impl Visitor for Check<'_> {
    type Output = Result<Proven, ProofError>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output {
        if start.seats() != 2 {
            return Err(error(2, "a proof must be about a two-player game"));
        }
        let root = start.read_position(&self.position).map_err(|e| error(3, e))?;
        let lines = || self.text.lines().enumerate().skip(HEAD_LINES);
        let mut claims = Claims::new();
        for (index, line) in lines() {
            let (claim, position, _) = read(&start, index + 1, line)?;
            claims.insert((position.key(), claim), index + 1);
        }
        for claim in Claim::of(self.value) {
            if !stands(&root, claim, &claims) {
                return Err(error(4, format!("there is no claim {claim} for the position")));
            }
        }
        for (index, line) in lines() {
            let (claim, position, mv) = read(&start, index + 1, line)?;
            follows(&position, claim, mv, &claims).map_err(|problem| error(index + 1, problem))?;
        }
        let Check { position, value, .. } = self;
        Ok(Proven { variant, position, value, claims: claims.len() })
    }
}

/// Splits a line.
fn read<'a, G: Game + Notation>(
    start: &G,
    number: usize,
    line: &'a str,
) -> Result<(Claim, G, &'a str), ProofError> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [claim, position, mv] = fields[..] else {
        return Err(error(number, "expected a claim, a position and a move, separated by tabs"));
    };
    let claim = Claim::read(claim).ok_or_else(|| error(number, "expected a claim like >=draw"))?;
    let position = start.read_position(position).map_err(|e| error(number, e))?;
    Ok((claim, position, mv))
}

/// Whether a claim is made.
fn stands<G: Game>(position: &G, claim: Claim, claims: &Claims) -> bool {
    claims.contains_key(&(position.key(), claim))
}

/// Whether a claim follows from the ends of games and from other claims.
fn follows<G: Game + Notation>(
    position: &G,
    claim: Claim,
    mv: &str,
    claims: &Claims,
) -> Result<(), String> {
    let (None, Some(me)) = (position.outcome(), position.to_move()) else {
        return Err("the game is over".to_string());
    };
    let moves = match claim {
        Claim::AtLeast(_) => vec![position.read_move(mv).map_err(|error| error.to_string())?],
        Claim::AtMost(_) if mv == EVERY_MOVE => position.moves().into_iter().collect(),
        Claim::AtMost(_) => return Err(format!("expected {EVERY_MOVE}")),
    };
    for mv in moves {
        let mut child = position.clone();
        let text = position.move_text(mv);
        if child.play(mv) == Progress::Reversible {
            return Err(format!("{text} is reversible"));
        }
        let fits = match child.outcome() {
            Some(outcome) => claim.admits(Value::of(&outcome, me)),
            None => child.to_move() != Some(me) && stands(&child, claim.flipped(), claims),
        };
        if !fits {
            return Err(format!("no claim covers the position after {text}"));
        }
    }
    Ok(())
}
