//! What agents find at hand besides the game: tables, and weights from the file that their text names.

use std::sync::Arc;

use agon_core::tuning::parse_weights;
use agon_core::{Tables, Variant};
use agon_games::Catalog;

use crate::agents;
use crate::spec::{AgentError, AgentSpec, OptionInfo, Role};

/// The option of every agent that evaluates positions.
pub(crate) const WEIGHTS: OptionInfo = OptionInfo::new(
    "weights",
    "FILE",
    "weights of the evaluation tuned, as agon tune writes them; by default those of the program",
)
.role(Role::Weights)
.for_at_most(2);

/// What an agent finds at hand.
#[derive(Clone, Debug, Default)]
pub struct AtHand {
    /// The tables that it may use.
    pub tables: Tables,
    /// The weights of its evaluation, if its text names a file of them.
    pub weights: Option<Weights>,
}

impl AtHand {
    /// What an agent finds in a catalog for a variant.
    pub fn of(
        catalog: &Catalog,
        variant: &Variant,
        spec: &AgentSpec,
    ) -> Result<AtHand, AgentError> {
        let weights = Weights::named_by(spec, catalog)?;
        Ok(AtHand { tables: catalog.tables(variant), weights })
    }
}

impl From<Tables> for AtHand {
    fn from(tables: Tables) -> AtHand {
        AtHand { tables, weights: None }
    }
}

/// A file of weights for the evaluation `tuned`.
#[derive(Clone, Debug)]
pub struct Weights {
    file: String,
    text: Arc<str>,
}

impl Weights {
    /// The weights that an agent's text names, if it does.
    pub fn named_by(spec: &AgentSpec, catalog: &Catalog) -> Result<Option<Weights>, AgentError> {
        let Some(file) = agents::value_of(spec, Role::Weights) else { return Ok(None) };
        let read = catalog.weights_file(file);
        let text = read.map_err(|problem| AgentError::new(spec, problem))?;
        Ok(Some(Weights { file: file.to_string(), text }))
    }

    /// A checksum of the file: records of games name it.
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(self.text.as_bytes())
    }

    /// The weights of these features, in this order.
    pub(crate) fn values(
        &self,
        spec: &AgentSpec,
        features: &[&str],
    ) -> Result<Vec<i32>, AgentError> {
        parse_weights(&self.text, features).map_err(|bad| {
            let problem = format!("weights {}, line {}: {}", self.file, bad.line, bad.problem);
            AgentError::new(spec, problem)
        })
    }
}

#[cfg(test)]
mod tests;
