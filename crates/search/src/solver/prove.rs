//! Writing the proof of a value.

use std::collections::HashSet;
use std::fmt::Write;

use agon_core::{Hints, Notation, Status, Variant};

use crate::budget::Budget;
use crate::proof::{Claim, EVERY_MOVE, HEAD};

use super::forward::Forward;
use super::shared::{Books, Halt, Watch};
use super::{Solver, Value, walk};

impl<G: Hints + Notation> Solver<G> {
    /// The whole proof of a position's value as a text for [`check`](crate::proof::check);
    /// `None` if it has too many claims, the budget runs out, or positions can recur.
    pub fn prove(
        &self,
        variant: &Variant,
        root: &G,
        value: Value,
        most_claims: usize,
        budget: &Budget,
    ) -> Option<String> {
        let books = Books::new(budget);
        let mut search = Forward::new(&self.table, Watch::with_table(&books, &self.table, None), 0);
        let mut text = format!(
            "{HEAD}\nvariant {variant}\nposition {}\nvalue {value}\n",
            root.position_text()
        );
        let mut waiting: Vec<(G, Claim)> =
            Claim::of(value).into_iter().map(|claim| (root.clone(), claim)).collect();
        let mut seen: HashSet<(u64, Claim)> =
            waiting.iter().map(|(position, claim)| (position.key(), *claim)).collect();
        while let Some((position, claim)) = waiting.pop() {
            let moves = reasons(&mut search, &position, claim).ok()?;
            let named = match claim {
                Claim::AtLeast(_) => moves.first().map(|&mv| position.move_text(mv))?,
                Claim::AtMost(_) => EVERY_MOVE.to_string(),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{claim}\t{}\t{named}", position.position_text());
            for mv in moves {
                let mut child = position.clone();
                child.play(mv);
                let next = claim.flipped();
                if child.outcome().is_none() && seen.insert((child.key(), next)) {
                    waiting.push((child, next));
                }
            }
            if seen.len() > most_claims {
                return None;
            }
        }
        Some(text)
    }
}

/// The moves a claim depends on: one, or all.
fn reasons<G: Hints>(
    search: &mut Forward<'_, G>,
    position: &G,
    claim: Claim,
) -> Result<Vec<G::Move>, Halt> {
    debug_assert!(matches!(position.status(), Status::ToMove(_)));
    Ok(match claim {
        Claim::AtLeast(value) => walk::best_move(search, position, value)?.into_iter().collect(),
        Claim::AtMost(_) => position.moves().into_iter().collect(),
    })
}
