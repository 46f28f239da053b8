//! Weights of evaluations from files: where a catalog finds them.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Where a catalog finds weights.
pub trait WeightsSource: fmt::Debug + Send + Sync {
    /// The text of the file with this name, or why it cannot be read.
    fn read(&self, file: &str) -> Result<Arc<str>, String>;
}

/// The files that were read, each once: agents that play many games use the same weights in all.
#[derive(Clone, Default)]
pub(crate) struct WeightTexts {
    source: Option<Arc<dyn WeightsSource>>,
    found: Arc<Mutex<HashMap<String, Arc<str>>>>,
}

impl WeightTexts {
    pub(crate) fn from(source: Arc<dyn WeightsSource>) -> WeightTexts {
        WeightTexts { source: Some(source), ..WeightTexts::default() }
    }

    pub(crate) fn has_source(&self) -> bool {
        self.source.is_some()
    }

    pub(crate) fn read(&self, file: &str) -> Result<Arc<str>, String> {
        let source = self.source.as_ref().ok_or("weights cannot be read from files here")?;
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = found.get(file) {
            return Ok(text.clone());
        }
        let text = source.read(file)?;
        found.insert(file.to_string(), text.clone());
        Ok(text)
    }
}
